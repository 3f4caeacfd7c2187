//! The images whose metadata are removed.

use std::io::Cursor;

use hitode::images::{Format, ImageError, without_metadata};
use test_support::png::checksum;

/// The first byte selects the format, and whether the checksums of a PNG are made right before it is read. An image that is
/// accepted is the same after a second time, nothing after its end matters, and no part of it is an image.
pub(crate) fn image(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    let mut file = rest.to_vec();
    let format = match kind % 4 {
        0 => Format::Jpeg,
        1 => Format::Webp,
        2 => Format::Png,
        _ => {
            repair(&mut file);
            Format::Png
        }
    };
    let Some(image) = copied(format, &file) else {
        return;
    };
    assert!(
        image.len() <= file.len() + ORIENTATION,
        "{} of {}",
        image.len(),
        file.len()
    );
    assert_eq!(copied(format, &image).as_ref(), Some(&image), "a second time");
    file.extend_from_slice(b"\xff\xd8\x89PNG\r\n\x1a\nRIFF");
    assert_eq!(copied(format, &file).as_ref(), Some(&image), "more after its end");
    let length = file.iter().fold(file.len(), |sum, byte| sum + usize::from(*byte)) % image.len();
    assert_eq!(copied(format, &image[..length]), None, "{length} bytes of it");
}

/// The most bytes that are written anew: the header of a WebP that had none, and its orientation; or that of a JPEG or a PNG.
const ORIENTATION: usize = 64;

/// The image without metadata. `None` if it is none.
fn copied(format: Format, file: &[u8]) -> Option<Vec<u8>> {
    let mut to = Cursor::new(Vec::new());
    match without_metadata(format, &mut Cursor::new(file), &mut to) {
        Ok(()) => Some(to.into_inner()),
        Err(ImageError::Malformed(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Makes the checksums of a PNG right, as far as its lengths lead: random bytes would never get beyond the first one.
fn repair(file: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = file.get(at..at + 4) {
        let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
        let Some(chunk) = file.get_mut(at + 4..at + 12 + length) else {
            return;
        };
        let (checked, sum) = chunk.split_at_mut(4 + length);
        sum.copy_from_slice(&checksum(checked).to_be_bytes());
        at += 12 + length;
    }
}
