//! Digests of secrets: what a service stores of a key or a token.

use std::fmt::Write;
use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest: of a secret, or of a file. Its text form, as in a field `digest of …`, is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest([u8; 32]);

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Digest {
    /// The digest of `secret`. A secret of [`mint`](super::mint) has enough random characters that nobody can try them all, so
    /// it needs no salt.
    #[must_use]
    pub fn from_secret(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// Parses the result of [`Self::to_hex`]; `None` for any other text.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The digest as stored in records.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a String cannot fail");
            text
        })
    }

    /// Whether both are equal, compared in constant time.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        let differing = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |bits, (mine, theirs)| bits | (mine ^ theirs));
        std::hint::black_box(differing) == 0
    }

    /// The first 64 bits.
    fn prefix(&self) -> u64 {
        u64::from_le_bytes(*self.0.first_chunk().expect("it has 32 bytes"))
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Its first bits are as random as a hash of all.
impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.prefix());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_form_is_read_back() {
        let digest = Digest::from_secret("a secret");
        assert_eq!(Digest::from_hex(&digest.to_hex()), Some(digest));
        assert!(digest.matches(&Digest::from_secret("a secret")) && !digest.matches(&Digest::from_secret("another")));
    }

    #[test]
    fn other_texts_are_no_digests() {
        let hex = Digest::from_secret("x").to_hex();
        assert_eq!(Digest::from_hex(&hex[1..]), None);
        assert_eq!(Digest::from_hex(&hex.replace(&hex[..1], "g")), None);
        assert_eq!(Digest::from_hex(&"é".repeat(32)), None);
    }
}
