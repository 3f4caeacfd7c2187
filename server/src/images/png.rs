//! Removes metadata from PNG files, animated ones too (W3C PNG, third edition).

use std::io::{Read, Seek, Write};

use super::error::ImageError;
use super::exif;
use super::io::{Input, Output};
use super::size;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The longest chunk.
const LONGEST: u32 = 0x7fff_ffff;

/// Where in the file one is: the chunks of the image are in one row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Image,
    After,
}

/// What becomes of a chunk.
enum Fate {
    Keep,
    Drop,
}

/// Copies the image without metadata.
pub(super) fn copy(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
) -> Result<(), ImageError> {
    if input.bytes()? != SIGNATURE {
        return Err(ImageError::Malformed("not a PNG file"));
    }
    output.write(&SIGNATURE)?;
    header(input, output)?;
    let mut place = Place::Before;
    // The first eXIf decides.
    let mut found: Option<Option<u8>> = None;
    loop {
        let length = u32::from_be_bytes(input.bytes()?);
        let name: [u8; 4] = input.bytes()?;
        if length > LONGEST || !name.iter().all(u8::is_ascii_alphabetic) {
            return Err(ImageError::Malformed("the start of a chunk"));
        }
        place = match (place, &name) {
            (Place::After, b"IDAT") => return Err(ImageError::Malformed("the chunks of the image are apart")),
            (Place::Before, b"IDAT") => {
                if let Some(orientation) = found.flatten() {
                    write(output, *b"eXIf", &exif::minimal(orientation))?;
                }
                Place::Image
            }
            (Place::Image, b"IDAT") => Place::Image,
            (Place::Before, _) => Place::Before,
            _ => Place::After,
        };
        match fate(name, length)? {
            Fate::Keep => keep(input, output, name, length)?,
            Fate::Drop if name == *b"eXIf" && found.is_none() => {
                found = Some(orientation(input, length)?);
            }
            Fate::Drop => skip(input, name, length)?,
        }
        if name == *b"IEND" {
            break;
        }
    }
    if place == Place::Before {
        return Err(ImageError::Malformed("a file without an image"));
    }
    Ok(())
}

/// Whether the chunk is kept.
fn fate(name: [u8; 4], length: u32) -> Result<Fate, ImageError> {
    let lengths = match &name {
        // It is the first, and has been copied.
        b"IHDR" => return Err(ImageError::Malformed("a second header")),
        b"PLTE" => 3..=768,
        b"IDAT" => 0..=LONGEST,
        b"IEND" => 0..=0,
        [b'A'..=b'Z', ..] => return Err(ImageError::Malformed("an unknown critical chunk")),
        b"sRGB" => 1..=1,
        b"sBIT" => 1..=4,
        b"gAMA" | b"cICP" => 4..=4,
        b"bKGD" => 1..=6,
        b"cLLI" | b"acTL" => 8..=8,
        b"pHYs" => 9..=9,
        b"mDCV" => 24..=24,
        b"fcTL" => 26..=26,
        b"cHRM" => 32..=32,
        b"tRNS" => 1..=256,
        b"hIST" => 2..=512,
        b"iCCP" | b"sPLT" => 0..=LONGEST,
        b"fdAT" => 4..=LONGEST,
        _ => return Ok(Fate::Drop),
    };
    match &name {
        _ if lengths.contains(&length) => Ok(Fate::Keep),
        [b'A'..=b'Z', ..] => Err(ImageError::Malformed("the length of a chunk")),
        // Decoders ignore it.
        _ => Ok(Fate::Drop),
    }
}

/// Copies the header, which is the first chunk.
fn header(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
) -> Result<(), ImageError> {
    if input.bytes()? != *b"\0\0\0\x0dIHDR" {
        return Err(ImageError::Malformed("the first chunk is not the header"));
    }
    let (width, height) = (input.bytes::<4>()?, input.bytes::<4>()?);
    let rest: [u8; 5] = input.bytes()?;
    for side in [width, height] {
        if !(1..=LONGEST).contains(&u32::from_be_bytes(side)) {
            return Err(ImageError::Malformed("the width or the height"));
        }
    }
    size::check(u32::from_be_bytes(width), u32::from_be_bytes(height))?;
    let mut body = [0; 13];
    let all = width.iter().chain(&height).chain(&rest);
    body.iter_mut().zip(all).for_each(|(to, from)| *to = *from);
    let mut sum = Sum::new(*b"IHDR");
    sum.add(&body);
    sum.check(input)?;
    write(output, *b"IHDR", &body)
}

/// Copies a chunk as it is.
fn keep(
    input: &mut Input<'_, impl Read + Seek>,
    output: &mut Output<'_, impl Write + Seek>,
    name: [u8; 4],
    length: u32,
) -> Result<(), ImageError> {
    let mut sum = Sum::new(name);
    output.write(&length.to_be_bytes())?;
    output.write(&name)?;
    input.each(length, |part| {
        sum.add(part);
        output.write(part)
    })?;
    sum.check(input)?;
    output.write(&sum.value())
}

/// Reads a chunk, and does not copy it.
fn skip(input: &mut Input<'_, impl Read + Seek>, name: [u8; 4], length: u32) -> Result<(), ImageError> {
    let mut sum = Sum::new(name);
    input.each(length, |part| {
        sum.add(part);
        Ok(())
    })?;
    sum.check(input)
}

/// Reads Exif, and gives the orientation.
fn orientation(input: &mut Input<'_, impl Read + Seek>, length: u32) -> Result<Option<u8>, ImageError> {
    let mut sum = Sum::new(*b"eXIf");
    let held = input.hold(length, |part| sum.add(part))?;
    sum.check(input)?;
    Ok(exif::orientation(&held))
}

/// Writes a chunk.
fn write(output: &mut Output<'_, impl Write + Seek>, name: [u8; 4], body: &[u8]) -> Result<(), ImageError> {
    let mut sum = Sum::new(name);
    sum.add(body);
    output.write(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes())?;
    output.write(&name)?;
    output.write(body)?;
    output.write(&sum.value())
}

/// The checksum of a chunk: CRC-32 of its name and body.
pub(super) struct Sum(u32);

impl Sum {
    /// Starts with the name.
    pub(super) fn new(name: [u8; 4]) -> Self {
        let mut sum = Self(u32::MAX);
        sum.add(&name);
        sum
    }

    /// Adds bytes of the body.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let mut value = self.0;
        let (eights, rest) = bytes.as_chunks::<8>();
        for [a, b, c, d, e, f, g, h] in eights {
            let [va, vb, vc, vd] = value.to_le_bytes();
            value = at(7, va ^ a) ^ at(6, vb ^ b) ^ at(5, vc ^ c) ^ at(4, vd ^ d);
            value ^= at(3, *e) ^ at(2, *f) ^ at(1, *g) ^ at(0, *h);
        }
        for byte in rest {
            let [first, ..] = value.to_le_bytes();
            value = at(0, first ^ byte) ^ (value >> 8);
        }
        self.0 = value;
    }

    /// The checksum as the file has it.
    pub(super) fn value(&self) -> [u8; 4] {
        (!self.0).to_be_bytes()
    }

    /// Reads the checksum of the chunk, which must be the same.
    fn check(&self, input: &mut Input<'_, impl Read + Seek>) -> Result<(), ImageError> {
        if input.bytes()? == self.value() {
            Ok(())
        } else {
            Err(ImageError::Malformed("the checksum of a chunk"))
        }
    }
}

/// What a byte does to the checksum when so many bytes follow it.
static TABLES: [[u32; 256]; 8] = tables();

// No index is out of bounds: there are 8 tables of 256 entries.
fn at(following: usize, byte: u8) -> u32 {
    TABLES[following & 7][usize::from(byte)]
}

// It runs in the compiler.
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 {
                (value >> 1) ^ 0xedb8_8320
            } else {
                value >> 1
            };
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut following = 1;
    while following < 8 {
        let mut byte = 0;
        while byte < 256 {
            let value = tables[following - 1][byte];
            tables[following][byte] = tables[0][(value & 0xff) as usize] ^ (value >> 8);
            byte += 1;
        }
        following += 1;
    }
    tables
}
