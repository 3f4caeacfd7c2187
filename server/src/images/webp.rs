//! Removes metadata from WebP files (RFC 9649).

use std::io::{Read, Seek, Write};

use super::error::ImageError;
use super::exif;
use super::io::{Input, Output};
use super::size;

// The flags of VP8X.
const PROFILE: u8 = 0x20;
const ALPHA: u8 = 0x10;
const EXIF: u8 = 0x08;
const ANIMATION: u8 = 0x02;

const TOO_LONG: ImageError = ImageError::Malformed("a chunk is longer than what it is in");

/// The start of a chunk.
struct Chunk {
    name: [u8; 4],
    length: u32,
    /// How many bytes follow to make the length even.
    padding: u32,
}

/// Which parts of a picture have been found.
#[derive(Default)]
struct Picture {
    alpha: bool,
    image: bool,
}

/// What has been found in a file with VP8X.
#[derive(Default)]
struct Seen {
    picture: Picture,
    animation: bool,
    frames: bool,
    profile: bool,
    exif: bool,
    orientation: Option<u8>,
}

/// Copies the image without metadata.
pub(super) fn copy(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
) -> Result<(), ImageError> {
    let riff = input.bytes()?;
    let mut left = u32::from_le_bytes(input.bytes()?);
    if riff != *b"RIFF" || take(&mut left, 4).is_err() || input.bytes()? != *b"WEBP" {
        return Err(ImageError::Malformed("not a WebP file"));
    }
    output.write(b"RIFF\0\0\0\0WEBP")?;
    let first = Chunk::read(input, &mut left)?.ok_or(ImageError::Malformed("a file without an image"))?;
    match &first.name {
        b"VP8X" => extended(input, output, &first, left)?,
        b"VP8 " | b"VP8L" => {
            // Nothing else is in such a file, or has a meaning.
            first.image(input, output)?;
            input.skip(left)?;
        }
        _ => return Err(ImageError::Malformed("a file that does not start with an image")),
    }
    patch_length(output, 4)
}

/// Copies the chunks of a file with VP8X.
fn extended(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
    first: &Chunk,
    mut left: u32,
) -> Result<(), ImageError> {
    if first.length != 10 {
        return Err(ImageError::Malformed("the length of VP8X"));
    }
    let [flags, _, _, _, canvas @ ..] = input.bytes::<10>()?;
    first.begin(output)?;
    let flags_at = output.written();
    output.write(&[0; 4])?;
    let [w0, w1, w2, h0, h1, h2] = canvas;
    let side = |low, middle, high| u32::from_le_bytes([low, middle, high, 0]).saturating_add(1);
    size::check(side(w0, w1, w2), side(h0, h1, h2))?;
    output.write(&canvas)?;
    let mut seen = Seen::default();
    while let Some(chunk) = Chunk::read(input, &mut left)? {
        seen.chunk(input, output, flags, &chunk)?;
    }
    if !seen.frames && !seen.picture.image {
        return Err(ImageError::Malformed("a file without an image"));
    }
    let mut kept = flags & (ALPHA | ANIMATION);
    if seen.profile {
        kept |= PROFILE;
    }
    if let Some(orientation) = seen.orientation {
        kept |= EXIF;
        output.write(b"EXIF\x1a\0\0\0")?;
        output.write(&exif::minimal(orientation))?;
    }
    output.patch(flags_at, &[kept])
}

impl Seen {
    /// Copies a chunk, or drops it.
    fn chunk(
        &mut self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
        flags: u8,
        chunk: &Chunk,
    ) -> Result<(), ImageError> {
        // As in libwebp: a profile or Exif without its flag is ignored.
        let has = |flag| flags & flag != 0;
        match &chunk.name {
            b"ICCP" if has(PROFILE) && !self.profile => {
                self.profile = true;
                chunk.copy(input, output)
            }
            b"EXIF" if has(EXIF) && !self.exif => {
                self.exif = true;
                self.orientation = exif::orientation(&input.hold(chunk.length, |_| ())?);
                input.skip(chunk.padding)
            }
            b"ANIM" | b"ANMF" if !has(ANIMATION) => Err(ImageError::Malformed("an animation without its flag")),
            b"ANIM" => {
                if chunk.length != 6 || self.animation {
                    return Err(ImageError::Malformed("the settings of the animation"));
                }
                self.animation = true;
                chunk.copy(input, output)
            }
            b"ANMF" => {
                if !self.animation {
                    return Err(ImageError::Malformed("a frame before the settings of the animation"));
                }
                self.frames = true;
                chunk.frame(input, output)
            }
            b"VP8 " | b"VP8L" | b"ALPH" if has(ANIMATION) => {
                Err(ImageError::Malformed("an image beside the frames of the animation"))
            }
            b"VP8X" => Err(ImageError::Malformed("a second VP8X")),
            _ => self.picture.chunk(input, output, chunk),
        }
    }
}

impl Picture {
    /// Copies a chunk of the picture, or drops another.
    fn chunk(
        &mut self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
        chunk: &Chunk,
    ) -> Result<(), ImageError> {
        match &chunk.name {
            b"ALPH" if self.alpha || self.image => Err(ImageError::Malformed("alpha that is not before its image")),
            b"ALPH" => {
                self.alpha = true;
                chunk.copy(input, output)
            }
            b"VP8 " | b"VP8L" if self.image => Err(ImageError::Malformed("a second image")),
            b"VP8L" if self.alpha => Err(ImageError::Malformed("alpha of an image that has its own")),
            b"VP8 " | b"VP8L" => {
                self.image = true;
                chunk.image(input, output)
            }
            _ => {
                input.skip(chunk.length)?;
                input.skip(chunk.padding)
            }
        }
    }
}

impl Chunk {
    /// Reads the start of the next chunk, if something is left of what it is in.
    fn read(input: &mut Input<'_, impl Read + Seek>, left: &mut u32) -> Result<Option<Self>, ImageError> {
        if *left == 0 {
            return Ok(None);
        }
        take(left, 8)?;
        let name = input.bytes()?;
        let length = u32::from_le_bytes(input.bytes()?);
        take(left, length)?;
        // Some programs forget the last padding.
        let padding = (length & 1).min(*left);
        take(left, padding)?;
        Ok(Some(Self { name, length, padding }))
    }

    /// Writes the start of the chunk.
    fn begin(&self, output: &mut Output<'_, impl Write + Seek>) -> Result<(), ImageError> {
        output.write(&self.name)?;
        output.write(&self.length.to_le_bytes())
    }

    /// Reads the padding, and writes it as it should be.
    fn end(
        &self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
    ) -> Result<(), ImageError> {
        input.skip(self.padding)?;
        if self.length & 1 == 1 {
            output.write(&[0])
        } else {
            Ok(())
        }
    }

    /// Copies the chunk as it is.
    fn copy(
        &self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
    ) -> Result<(), ImageError> {
        self.begin(output)?;
        output.copy(input, self.length)?;
        self.end(input, output)
    }

    /// Copies an image, of which the start is checked.
    fn image(
        &self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
    ) -> Result<(), ImageError> {
        let mut rest = self.length;
        self.begin(output)?;
        if self.name == *b"VP8L" {
            // The sides are those of the file less one: they are not 0.
            take(&mut rest, 5)?;
            let head @ [signature, _, _, _, version] = input.bytes()?;
            if signature != 0x2f || version >> 5 != 0 {
                return Err(ImageError::Malformed("the start of a lossless image"));
            }
            output.write(&head)?;
        } else {
            take(&mut rest, 10)?;
            let head @ [tag, _, _, start @ .., w0, w1, h0, h1] = input.bytes::<10>()?;
            if tag & 1 != 0 || start != [0x9d, 0x01, 0x2a] {
                return Err(ImageError::Malformed("the start of a lossy image"));
            }
            // The two highest bits are a scale.
            let side = |bytes: [u8; 2]| u32::from(u16::from_le_bytes(bytes) & 0x3fff);
            size::check(side([w0, w1]), side([h0, h1]))?;
            output.write(&head)?;
        }
        output.copy(input, rest)?;
        self.end(input, output)
    }

    /// Copies a frame of an animation, without the chunks in it that are not of the picture.
    fn frame(
        &self,
        input: &mut Input<'_, impl Read + Seek>,
        output: &mut Output<'_, impl Write + Seek>,
    ) -> Result<(), ImageError> {
        let mut left = self.length;
        take(&mut left, 16)?;
        let [settings @ .., flags] = input.bytes::<16>()?;
        self.begin(output)?;
        let start = output.written();
        output.write(&settings)?;
        // Disposal and blending; the others are reserved.
        output.write(&[flags & 3])?;
        let mut picture = Picture::default();
        while let Some(chunk) = Chunk::read(input, &mut left)? {
            picture.chunk(input, output, &chunk)?;
        }
        if !picture.image {
            return Err(ImageError::Malformed("a frame without an image"));
        }
        input.skip(self.padding)?;
        // Each chunk is padded, so the length is even.
        if output.written().saturating_sub(start) != u64::from(self.length) {
            patch_length(output, start.saturating_sub(4))?;
        }
        Ok(())
    }
}

/// Takes so many bytes of what is left.
fn take(left: &mut u32, length: u32) -> Result<(), ImageError> {
    *left = left.checked_sub(length).ok_or(TOO_LONG)?;
    Ok(())
}

/// Writes, at this place, how many bytes follow it.
fn patch_length(output: &mut Output<'_, impl Write + Seek>, at: u64) -> Result<(), ImageError> {
    let length = output.written().saturating_sub(at).saturating_sub(4);
    let length = u32::try_from(length).map_err(|_| ImageError::Malformed("the file is too long"))?;
    output.patch(at, &length.to_le_bytes())
}
