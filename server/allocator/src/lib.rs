//! The allocator of the program: mimalloc. It is the only crate with unsafe code: options of allocators are set by functions of C.

use std::ffi::c_int;

pub use mimalloc::MiMalloc;

/// `mi_option_purge_delay` in `mimalloc.h`: milliseconds until freed memory is given back to the system. mimalloc looks at the
/// clock only when more is freed, so that a process with nothing to do would keep what its last peak took.
const PURGE_DELAY: c_int = 15;

/// Has freed memory given back to the system at once.
pub fn give_back_at_once() {
    // SAFETY: it stores a number in a table of options, and does nothing for an option that there is not.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) }
}

/// Has the allocator of the C library, which its own functions use, reserve address space once instead of for each thread: 64
/// MiB each, of which mimalloc gets nothing if address space is limited. To be called before there are threads.
pub fn reserve_c_memory_once() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// `M_ARENA_MAX` in `malloc.h`.
        const ARENA_MAX: c_int = -8;
        unsafe extern "C" {
            fn mallopt(option: c_int, value: c_int) -> c_int;
        }
        // SAFETY: it stores a number, and does nothing for an option that there is not.
        let _ = unsafe { mallopt(ARENA_MAX, 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_the_delay_until_memory_is_given_back() {
        // SAFETY: it reads a number from a table of options.
        let delay = || unsafe { libmimalloc_sys::mi_option_get(PURGE_DELAY) };
        assert_eq!(delay(), 1_000, "mimalloc 3 waits for a second by default");
        give_back_at_once();
        assert_eq!(delay(), 0);
    }
}
