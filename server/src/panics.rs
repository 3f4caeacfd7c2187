//! Panics that are caught and told by whoever catches them.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Gives what `run` gives, or the text of its panic; whatever `run` was changing, nobody may look at afterwards.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let outer = TOLD.replace(true);
    let ran = catch_unwind(AssertUnwindSafe(run));
    TOLD.set(outer);
    ran.map_err(|panic| text(&*panic))
}

/// Whether a panic of this thread would be told by whoever catches it, so that nobody else need tell.
pub(crate) fn are_told() -> bool {
    TOLD.get()
}

/// What a panic says.
pub(crate) fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("without a message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_is_told_once() {
        assert!(!are_told());
        let caught = caught(|| {
            assert_eq!(super::caught(|| 1), Ok(1));
            panic!("told is {}", are_told())
        });
        assert_eq!(caught.map(|()| 0), Err("panic: told is true".to_owned()));
        assert!(!are_told());
    }
}
