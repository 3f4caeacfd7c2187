//! Encrypted backups: the compressed file, in parts that are sealed with ChaCha20-Poly1305 (RFC 8439), as the payload of
//! the format age is. Any program with this cipher and HKDF can read it; `tests/external/backups` has one in Python.
//!
//! ```text
//! "hitode encrypted backup 1\n"    the format and its version, 26 bytes
//! salt                             32 random bytes
//! check                            32 bytes: HKDF-SHA256 of the key, with this salt and the info "check"
//! parts                            64 KiB of the compressed file, the last one less or as many, and 16 bytes of a tag
//! ```
//!
//! The key of the parts is HKDF-SHA256 of the key in the key file, with this salt and the info "parts". The nonce of a part
//! is its number, from 0, in 11 bytes (big-endian), and a byte that is 1 for the last part, else 0. So no part can be
//! changed, moved or left out, nor the last ones cut off.

use std::io::{self, ErrorKind, Read, Write};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom, SystemRandom};

use super::key::Key;

/// What every version begins with.
const NAME: &[u8] = b"hitode encrypted backup ";
/// What this version begins with.
const FIRST_LINE: &[u8] = b"hitode encrypted backup 1\n";

/// The length of the salt, and that of the check.
const LENGTH: usize = 32;
/// The bytes of a part of the compressed file, and of one that is sealed.
const PART: usize = 64 << 10;
const SEALED: usize = PART + 16;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    /// No encrypted backup.
    None,
    /// One of this version.
    Known,
    /// One of another version.
    Unknown,
}

impl Encryption {
    /// How many bytes show it.
    pub(super) const BYTES: u64 = FIRST_LINE.len() as u64;

    pub(super) fn detect(first: &[u8]) -> Self {
        match first.len() == FIRST_LINE.len() && first.starts_with(NAME) {
            true if first == FIRST_LINE => Self::Known,
            true => Self::Unknown,
            false => Self::None,
        }
    }
}

/// What is derived from a key for one file.
struct Derived {
    parts: LessSafeKey,
    check: [u8; LENGTH],
}

fn derive(key: &Key, salt: &[u8; LENGTH]) -> Derived {
    const SHORT: &str = "HKDF derives as many bytes";
    let derived = Salt::new(HKDF_SHA256, salt).extract(key.secret());
    let parts = derived.expand(&[b"parts"], &CHACHA20_POLY1305).expect(SHORT);
    let parts = LessSafeKey::new(UnboundKey::from(parts));
    let mut check = [0; LENGTH];
    let expanded = derived.expand(&[b"check"], HKDF_SHA256).expect(SHORT);
    expanded.fill(&mut check).expect(SHORT);
    Derived { parts, check }
}

/// What distinguishes a key from others, and says nothing of it: 8 hexadecimal digits of HKDF-SHA256 of the key with the
/// info "id", without a salt.
pub(super) fn key_id(key: &Key) -> String {
    let mut id = [0; LENGTH];
    let derived = Salt::new(HKDF_SHA256, &[]).extract(key.secret());
    let expanded = derived.expand(&[b"id"], HKDF_SHA256);
    let filled = expanded.and_then(|expanded| expanded.fill(&mut id));
    filled.expect("HKDF derives as many bytes");
    id[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Each number is used once, and the key of the parts belongs to one file.
fn nonce(number: u64, is_last: bool) -> Nonce {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = is_last.into();
    Nonce::assume_unique_for_key(nonce)
}

/// Encrypts what is written.
pub struct Encrypter<W> {
    out: W,
    key: LessSafeKey,
    number: u64,
    part: Vec<u8>,
}

impl<W: Write> Encrypter<W> {
    /// Writes the beginning.
    ///
    /// # Errors
    /// If the output fails, or the system provides no randomness.
    pub(super) fn begin(mut out: W, key: &Key) -> io::Result<Self> {
        let mut salt = [0; LENGTH];
        let filled = SystemRandom::new().fill(&mut salt);
        filled.map_err(|_| io::Error::other("the system provides no randomness"))?;
        let Derived { parts, check } = derive(key, &salt);
        out.write_all(&[FIRST_LINE, &salt, &check].concat())?;
        Ok(Self {
            out,
            key: parts,
            number: 0,
            part: Vec::with_capacity(SEALED),
        })
    }

    /// Writes the last part. Without it, the file is recognised as one that was cut.
    ///
    /// # Errors
    /// If the output fails.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let nonce = nonce(self.number, is_last);
        self.number += 1;
        let sealed = self.key.seal_in_place_append_tag(nonce, Aad::empty(), &mut self.part);
        sealed.expect("a part is shorter than the cipher allows");
        self.out.write_all(&self.part)?;
        self.part.clear();
        Ok(())
    }
}

impl<W: Write> Write for Encrypter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A whole part waits, because it may be the last one.
        if self.part.len() == PART && !bytes.is_empty() {
            self.seal(false)?;
        }
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    /// Does not write what waits: all parts but the last one have the same length.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Why a file cannot be decrypted.
#[derive(Debug)]
pub(super) enum BeginError {
    WrongKey,
    Io(io::Error),
}

/// Decrypts what is read. What was changed or cut is an error of the kind `InvalidData`.
pub(super) struct Decrypter<R> {
    input: R,
    key: LessSafeKey,
    number: u64,
    part: Vec<u8>,
    /// Where in the part it goes on, and where the part ends.
    read: usize,
    end: usize,
    /// The first byte of the next part.
    ahead: Option<u8>,
    has_ended: bool,
}

impl<R: Read> Decrypter<R> {
    /// Reads what follows the first line.
    ///
    /// # Errors
    /// If it was encrypted with another key, or is too short.
    pub(super) fn begin(mut input: R, key: &Key) -> Result<Self, BeginError> {
        let (mut salt, mut check) = ([0; LENGTH], [0; LENGTH]);
        let read = input.read_exact(&mut salt).and_then(|()| input.read_exact(&mut check));
        read.map_err(BeginError::Io)?;
        let derived = derive(key, &salt);
        if derived.check != check {
            return Err(BeginError::WrongKey);
        }
        Ok(Self {
            input,
            key: derived.parts,
            number: 0,
            part: Vec::with_capacity(SEALED + 1),
            read: 0,
            end: 0,
            ahead: None,
            has_ended: false,
        })
    }

    fn open_next(&mut self) -> io::Result<()> {
        (self.read, self.end) = (0, 0);
        self.part.clear();
        self.part.extend(self.ahead.take());
        // A byte more than the part shows that it is not the last one.
        let missing = SEALED + 1 - self.part.len();
        self.input.by_ref().take(missing as u64).read_to_end(&mut self.part)?;
        if self.part.len() > SEALED {
            self.ahead = self.part.pop();
        }
        let is_last = self.ahead.is_none();
        let nonce = nonce(self.number, is_last);
        let opened = self.key.open_in_place(nonce, Aad::empty(), &mut self.part);
        self.end = opened.map_err(|_| unopened(self.number, is_last))?.len();
        self.number += 1;
        self.has_ended = is_last;
        Ok(())
    }
}

fn unopened(number: u64, is_last: bool) -> io::Error {
    let text = match is_last {
        true => "the encrypted file was cut, or its end was changed".to_owned(),
        false => format!("part {} of the encrypted file was changed", number + 1),
    };
    io::Error::new(ErrorKind::InvalidData, text)
}

impl<R: Read> Read for Decrypter<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.read == self.end && !self.has_ended {
            self.open_next()?;
        }
        let read = bytes.len().min(self.end - self.read);
        bytes[..read].copy_from_slice(&self.part[self.read..self.read + read]);
        self.read += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes before the first part.
    const BEGINNING: usize = FIRST_LINE.len() + 2 * LENGTH;

    fn encrypted(bytes: &[u8], key: &Key) -> Vec<u8> {
        let mut out = Encrypter::begin(Vec::new(), key).expect("memory");
        for piece in bytes.chunks(1_000) {
            out.write_all(piece).expect("memory");
            out.flush().expect("memory");
        }
        out.finish().expect("memory")
    }

    fn decrypted(file: &[u8], key: &Key) -> io::Result<Vec<u8>> {
        let mut input = Decrypter::begin(&file[FIRST_LINE.len()..], key).map_err(|error| match error {
            BeginError::WrongKey => io::Error::other("another key"),
            BeginError::Io(error) => error,
        })?;
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map(|_| bytes)
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|number| (number % 251) as u8).collect()
    }

    #[track_caller]
    fn rejected(file: &[u8], key: &Key, what: &str) {
        let error = decrypted(file, key).expect_err(what);
        assert_eq!(error.kind(), ErrorKind::InvalidData, "{what}: {error}");
    }

    #[test]
    fn what_was_encrypted_is_decrypted_whatever_its_length() {
        let key = Key::generate();
        for length in [0, 1, PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 7] {
            let bytes = content(length);
            let file = encrypted(&bytes, &key);
            assert_eq!(decrypted(&file, &key).expect("whole"), bytes);
            let parts = length.div_ceil(PART).max(1);
            assert_eq!(file.len(), BEGINNING + length + 16 * parts);
        }
    }

    #[test]
    fn the_same_file_is_encrypted_differently_each_time() {
        let (key, bytes) = (Key::generate(), content(100));
        let [one, other] = [(), ()].map(|()| encrypted(&bytes, &key));
        assert!(one[BEGINNING..] != other[BEGINNING..]);
        assert_eq!(Encryption::detect(&one[..FIRST_LINE.len()]), Encryption::Known);
    }

    #[test]
    fn a_file_that_was_cut_is_rejected_also_between_two_parts() {
        let key = Key::generate();
        let file = encrypted(&content(2 * PART + 100), &key);
        for end in [
            BEGINNING,
            BEGINNING + 1,
            BEGINNING + SEALED - 1,
            BEGINNING + SEALED,
            BEGINNING + 2 * SEALED,
            file.len() - 1,
        ] {
            rejected(&file[..end], &key, &format!("{end} bytes"));
        }
        rejected(&[&file[..], b"x"].concat(), &key, "a byte more");
        for end in FIRST_LINE.len()..BEGINNING {
            let error = decrypted(&file[..end], &key).expect_err("no parts");
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn parts_that_were_moved_repeated_left_out_or_taken_from_elsewhere_are_rejected() {
        let key = Key::generate();
        let [file, other] = [(), ()].map(|()| encrypted(&content(3 * PART), &key));
        let (beginning, parts) = file.split_at(BEGINNING);
        let parts: Vec<_> = parts.chunks(SEALED).collect();
        let others: Vec<_> = other[BEGINNING..].chunks(SEALED).collect();
        for (what, order) in [
            ("moved", vec![parts[1], parts[0], parts[2]]),
            ("repeated", vec![parts[0], parts[1], parts[1], parts[2]]),
            ("left out", vec![parts[0], parts[2]]),
            ("taken from elsewhere", vec![parts[0], others[1], parts[2]]),
            ("more than one last part", vec![parts[0], parts[1], parts[2], parts[2]]),
        ] {
            rejected(&[beginning, &order.concat()].concat(), &key, what);
        }
        let whole = [beginning, &parts.concat()].concat();
        assert_eq!(decrypted(&whole, &key).expect("whole"), content(3 * PART));
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let key = Key::generate();
        let file = encrypted(&content(200), &key);
        for place in FIRST_LINE.len()..file.len() {
            let mut changed = file.clone();
            changed[place] ^= 1;
            assert!(decrypted(&changed, &key).is_err(), "byte {place}");
        }
        let error = decrypted(&file, &Key::generate()).expect_err("another key");
        assert_eq!(error.to_string(), "another key");
    }
}
