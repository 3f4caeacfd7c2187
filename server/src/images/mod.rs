//! Removes metadata from image files, in one pass and in bounded memory.
//!
//! What is kept is listed, format by format; all else goes: Exif with its places and thumbnails, XMP, comments, text,
//! and what is hidden after the end of the image. Of Exif, the orientation alone is written anew. The picture itself
//! is not decoded: its compressed bytes are copied as they are.

mod error;
mod exif;
mod io;
mod jpeg;
mod png;
mod size;
#[cfg(test)]
mod tests;
mod webp;

use std::io::{Read, Seek, Write};

pub use self::error::{Format, ImageError};
use self::io::{Input, Output};

/// Copies the image from `from` to `to` without metadata and without bytes after its end.
///
/// Both are used from where they stand. After an error, what is in `to` is to be thrown away. After a success, `to`
/// stands at the end of the image, and what it held beyond is still there: it should be empty at first. At most
/// 128 KiB are held, whatever the file is, and the time is linear in its size.
///
/// # Errors
/// If the file is not a whole image of this format, or cannot be read or written.
pub fn without_metadata(
    format: Format,
    from: &mut (impl Read + Seek),
    to: &mut (impl Write + Seek),
) -> Result<(), ImageError> {
    let mut input = Input::new(from)?;
    let mut output = Output::new(to)?;
    match format {
        Format::Jpeg => jpeg::copy(&mut input, &mut output)?,
        Format::Png => png::copy(&mut input, &mut output)?,
        Format::Webp => webp::copy(&mut input, &mut output)?,
    }
    output.finish()
}
