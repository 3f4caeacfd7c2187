//! The size of an image in pixels.

use super::error::ImageError;

/// The most pixels. A viewer needs four bytes for each, however short the file is.
const MOST: u64 = 250_000_000;

/// Checks the width and the height.
///
/// # Errors
/// If the image has no pixels, or too many.
pub(super) fn check(width: u32, height: u32) -> Result<(), ImageError> {
    match u64::from(width) * u64::from(height) {
        0 => Err(ImageError::Malformed("an image without pixels")),
        1..=MOST => Ok(()),
        _ => Err(ImageError::Malformed("more than 250 million pixels")),
    }
}
