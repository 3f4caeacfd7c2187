//! Ids of requests.

use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The id of a request: 16 hexadecimal digits, different for each request of a process and, except by chance, from
/// those of other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId([u8; 16]);

impl RequestId {
    /// Another one.
    pub fn next() -> Self {
        static FIRST: LazyLock<u64> = LazyLock::new(rand::random);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = FIRST.wrapping_add(
            COUNT
                .fetch_add(1, Ordering::Relaxed)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15),
        );
        let digit = |place| b"0123456789abcdef"[(number >> (60 - 4 * place)) as usize & 15];
        Self(std::array::from_fn(digit))
    }
}

impl Deref for RequestId {
    type Target = str;

    fn deref(&self) -> &str {
        str::from_utf8(&self.0).expect("digits are ASCII")
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}
