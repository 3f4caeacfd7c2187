//! Catches panics; the code that catches a panic also reports it.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `run` and returns its result, or the text of its panic. Values that `run` was changing must not be used after
/// a panic.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    let ran = catch_unwind(AssertUnwindSafe(run));
    CAUGHT.set(outer);
    ran.map_err(|panic| text(&*panic))
}

/// Whether a panic of this thread would be caught and reported, so that no other report is needed.
pub fn are_caught() -> bool {
    CAUGHT.get()
}

/// The text of a panic.
pub fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("without a message"))
}

/// Whether a panic is one of sled 0.34.7 if it gets no memory. Elsewhere, Rust ends the process without one.
pub fn is_out_of_memory(panic: &(dyn Any + Send)) -> bool {
    let text = text(panic);
    ["failed to allocate critical IO buffer", "failed to allocate Arc"]
        .iter()
        .any(|of_sled| text.contains(of_sled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_for_lack_of_memory_is_recognised() {
        // `AlignedBuf::new` and `Arc::new` of sled.
        let lacks: [&dyn Fn(*const u8); 2] = [
            &|ptr| assert!(!ptr.is_null(), "failed to allocate critical IO buffer"),
            &|ptr| assert!(!ptr.is_null(), "failed to allocate Arc"),
        ];
        for lack in lacks {
            let panic = catch_unwind(AssertUnwindSafe(|| lack(std::ptr::null())));
            assert!(is_out_of_memory(&*panic.expect_err("a panic")));
        }
        assert!(!is_out_of_memory(&"index out of bounds"));
    }

    #[test]
    fn a_caught_panic_is_reported_once() {
        assert!(!are_caught());
        let caught = caught(|| {
            assert_eq!(super::caught(|| 1), Ok(1));
            panic!("caught is {}", are_caught())
        });
        assert_eq!(caught.map(|()| 0), Err("panic: caught is true".to_owned()));
        assert!(!are_caught());
    }
}
