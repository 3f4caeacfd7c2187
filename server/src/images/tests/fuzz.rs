//! Tests with files that are damaged at random, from a fixed seed.

use super::super::png::Sum;
use super::super::{Format, ImageError};
use super::{clean, jpeg, png, webp};

/// A file of each kind.
pub(super) fn samples() -> Vec<(Format, Vec<u8>)> {
    let mut all = vec![(Format::Jpeg, jpeg::sample()), (Format::Png, png::sample())];
    all.extend(webp::samples().map(|file| (Format::Webp, file)));
    all
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a small number")
    }
}

/// Whether it is accepted; if so, a second run must not change it.
fn accepted(format: Format, file: &[u8]) -> bool {
    match clean(format, file) {
        Ok(once) => {
            let twice = clean(format, &once).expect("what is written is accepted");
            assert_eq!(twice, once, "{file:x?}");
            true
        }
        Err(ImageError::Malformed(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

/// Makes the checksums of a PNG right again, as far as its lengths lead.
fn repair(file: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = file.get(at..at + 4) {
        let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
        let Some(chunk) = file.get_mut(at + 4..at + 12 + length) else {
            return;
        };
        let (name, rest) = chunk.split_first_chunk().expect("a name");
        let mut sum = Sum::new(*name);
        sum.add(&rest[..length]);
        chunk[4 + length..].copy_from_slice(&sum.value());
        at += 12 + length;
    }
}

#[test]
fn truncated_files_are_handled() {
    for (format, file) in samples() {
        for length in 0..=file.len() {
            accepted(format, &file[..length]);
        }
        assert!(accepted(format, &file));
    }
}

#[test]
fn damaged_files_are_handled() {
    let samples = samples();
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let mut good = 0;
    for round in 0..20_000 {
        let (format, file) = &samples[round % samples.len()];
        let mut file = file.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(file.len());
            match random.below(4) {
                0 => file[at] ^= 1 << random.below(8),
                1 => file[at] = u8::try_from(random.below(256)).expect("a byte"),
                2 => file[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                _ => drop(file.remove(at)),
            }
        }
        if *format == Format::Png && random.below(4) > 0 {
            repair(&mut file);
        }
        good += u32::from(accepted(*format, &file));
    }
    assert!((2_000..18_000).contains(&good), "both happen: {good}");
}
