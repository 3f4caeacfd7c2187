//! Removes metadata from JPEG files (ITU-T T.81).

use std::io::{Read, Seek, Write};

use super::error::ImageError;
use super::exif;
use super::io::{Input, Output};
use super::size;

const SOI: u8 = 0xd8;
const EOI: u8 = 0xd9;
const SOS: u8 = 0xda;
const APP0: u8 = 0xe0;
const APP1: u8 = 0xe1;
const APP2: u8 = 0xe2;
const APP14: u8 = 0xee;

/// What is looked up before the first scan, because it is written first.
#[derive(Default)]
struct Head {
    /// JFIF: its version and the shape of the pixels.
    jfif: Option<[u8; 7]>,
    /// Whether there was Exif. The first decides, as in browsers.
    exif: bool,
    orientation: Option<u8>,
}

/// What has been found up to now.
#[derive(Default)]
struct Seen {
    frame: bool,
    scan: bool,
}

/// Copies the image without metadata.
pub(super) fn copy(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
) -> Result<(), ImageError> {
    start(input)?;
    let head = Head::read(input)?;
    input.restart()?;
    start(input)?;
    head.write(output)?;
    let mut seen = Seen::default();
    let mut marker = next_marker(input)?;
    loop {
        marker = match marker {
            EOI => break,
            SOS if !seen.frame => return Err(ImageError::Malformed("a scan without a frame")),
            SOS => {
                seen.scan = true;
                scan(input, output)?
            }
            _ => {
                segment(input, output, marker, &mut seen)?;
                next_marker(input)?
            }
        };
    }
    if !seen.scan {
        return Err(ImageError::Malformed("an image without a scan"));
    }
    output.write(&[0xff, EOI])
}

impl Head {
    /// Reads the segments before the first scan.
    fn read(input: &mut Input<'_, impl Read + Seek>) -> Result<Self, ImageError> {
        let mut head = Self::default();
        loop {
            let marker = next_marker(input)?;
            if matches!(marker, SOS | EOI) {
                return Ok(head);
            }
            let length = payload(input)?;
            match marker {
                APP0 if head.jfif.is_none() && length >= 14 => {
                    if let [b'J', b'F', b'I', b'F', 0, rest @ ..] = input.bytes::<12>()? {
                        head.jfif = Some(rest);
                    }
                    input.skip(length.saturating_sub(12))?;
                }
                APP1 if !head.exif => {
                    let body = input.hold(length, |_| ())?;
                    if let Some([_, tiff @ ..]) = body.strip_prefix(b"Exif\0") {
                        head.exif = true;
                        head.orientation = exif::orientation(tiff);
                    }
                }
                _ => input.skip(length)?,
            }
        }
    }

    /// Writes them anew: JFIF without its thumbnail, and Exif with the orientation alone.
    fn write(&self, output: &mut Output<'_, impl Write + Seek>) -> Result<(), ImageError> {
        output.write(&[0xff, SOI])?;
        if let Some(jfif) = &self.jfif {
            output.write(&[0xff, APP0, 0, 16])?;
            output.write(b"JFIF\0")?;
            output.write(jfif)?;
            output.write(&[0, 0])?;
        }
        if let Some(orientation) = self.orientation {
            output.write(&[0xff, APP1, 0, 34])?;
            output.write(b"Exif\0\0")?;
            output.write(&exif::minimal(orientation))?;
        }
        Ok(())
    }
}

/// Reads the start of the file.
fn start(input: &mut Input<'_, impl Read + Seek>) -> Result<(), ImageError> {
    if input.bytes()? == [0xff, SOI] {
        Ok(())
    } else {
        Err(ImageError::Malformed("not a JPEG file"))
    }
}

/// Reads a marker, with the fill bytes before it.
fn next_marker(input: &mut Input<'_, impl Read + Seek>) -> Result<u8, ImageError> {
    if input.byte()? != 0xff {
        return Err(ImageError::Malformed("bytes that are in no segment"));
    }
    loop {
        let byte = input.byte()?;
        if byte != 0xff {
            return Ok(byte);
        }
    }
}

/// Reads the length of a segment, and gives what is left of it.
fn payload(input: &mut Input<'_, impl Read + Seek>) -> Result<u32, ImageError> {
    let length = u32::from(u16::from_be_bytes(input.bytes()?));
    length
        .checked_sub(2)
        .ok_or(ImageError::Malformed("the length of a segment"))
}

/// Copies a segment that is no scan, or drops it.
fn segment(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
    marker: u8,
    seen: &mut Seen,
) -> Result<(), ImageError> {
    match marker {
        // Tables: Huffman, arithmetic, quantization.
        0xc4 | 0xcc | 0xdb => {
            let length = payload(input)?;
            begin(output, marker, length)?;
            output.copy(input, length)
        }
        // JPG, which is reserved.
        0xc8 => Err(ImageError::Malformed("an unknown segment")),
        0xc0..=0xcf => {
            if seen.frame {
                return Err(ImageError::Malformed("a second frame"));
            }
            seen.frame = true;
            frame(input, output, marker)
        }
        // The number of lines, and the restart interval.
        0xdc | 0xdd => {
            let length = payload(input)?;
            if length != 2 {
                return Err(ImageError::Malformed("the length of a segment"));
            }
            let number = input.bytes()?;
            if marker == 0xdc && number == [0, 0] {
                return Err(ImageError::Malformed("an image without lines"));
            }
            begin(output, marker, length)?;
            output.write(&number)
        }
        APP2 => application(input, output, marker, b"ICC_PROFILE\0", u32::MAX),
        APP14 => application(input, output, marker, b"Adobe", 12),
        // Other application data, and comments.
        0xe0..=0xef | 0xfe => {
            let length = payload(input)?;
            input.skip(length)
        }
        _ => Err(ImageError::Malformed("an unknown segment")),
    }
}

/// Writes the start of a segment.
fn begin(output: &mut Output<'_, impl Write + Seek>, marker: u8, length: u32) -> Result<(), ImageError> {
    let length = u16::try_from(length.saturating_add(2));
    let [high, low] = length
        .map_err(|_| ImageError::Malformed("the length of a segment"))?
        .to_be_bytes();
    output.write(&[0xff, marker, high, low])
}

/// Copies application data up to `longest` if it has this name, or drops it.
fn application<const N: usize>(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
    marker: u8,
    name: &[u8; N],
    longest: u32,
) -> Result<(), ImageError> {
    let length = payload(input)?;
    let named = u32::try_from(N).unwrap_or(u32::MAX);
    // Adobe has 12 bytes, and decoders ignore it if it is shorter. ICC has 14 bytes before the profile.
    if length < longest.min(14) {
        return input.skip(length);
    }
    if input.bytes()? != *name {
        return input.skip(length.saturating_sub(named));
    }
    let kept = length.min(longest);
    begin(output, marker, kept)?;
    output.write(name)?;
    output.copy(input, kept.saturating_sub(named))?;
    input.skip(length.saturating_sub(kept))
}

/// Copies the header of the frame.
fn frame(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
    marker: u8,
) -> Result<(), ImageError> {
    let length = payload(input)?;
    let head @ [_, height0, height1, width0, width1, components] = input.bytes()?;
    if length != u32::from(components).saturating_mul(3).saturating_add(6) || components == 0 {
        return Err(ImageError::Malformed("the length of the frame header"));
    }
    let side = |bytes: [u8; 2]| u32::from(u16::from_be_bytes(bytes));
    size::check(side([width0, width1]), side([height0, height1]))?;
    begin(output, marker, length)?;
    output.write(&head)?;
    output.copy(input, length.saturating_sub(6))
}

/// Copies a scan, and gives the marker that ends it.
fn scan(input: &mut Input<'_, impl Read + Seek>, output: &mut Output<'_, impl Write + Seek>) -> Result<u8, ImageError> {
    let length = payload(input)?;
    let components = input.byte()?;
    if length != u32::from(components).saturating_mul(2).saturating_add(4) || !(1..=4).contains(&components) {
        return Err(ImageError::Malformed("the length of a scan header"));
    }
    begin(output, SOS, length)?;
    output.write(&[components])?;
    output.copy(input, length.saturating_sub(1))?;
    loop {
        let there = input.peek()?;
        let plain = there.split(|byte| *byte == 0xff).next().unwrap_or_default();
        if !plain.is_empty() {
            output.write(plain)?;
            let length = plain.len();
            input.consume(length);
            continue;
        }
        // At least one FF; more of them are fill bytes.
        let mut filled: u64 = 0;
        let code = loop {
            match input.byte()? {
                0xff => filled = filled.saturating_add(1),
                code => break code,
            }
        };
        // A stuffed FF or a restart; another marker ends the scan, and its fill bytes go.
        if !matches!(code, 0x00 | 0xd0..=0xd7) {
            return Ok(code);
        }
        for _ in 0..filled {
            output.write(&[0xff])?;
        }
        output.write(&[code])?;
    }
}
