//! Tests of what is kept and what is dropped, with files made by hand.

mod exif;
mod fuzz;
mod jpeg;
mod png;
mod webp;

use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use super::{Format, ImageError, without_metadata};

/// What must not be in a cleaned file.
const SECRET: &[u8] = b"SECRET";

/// The image without metadata.
fn clean(format: Format, file: &[u8]) -> Result<Vec<u8>, ImageError> {
    let mut to = Cursor::new(Vec::new());
    without_metadata(format, &mut Cursor::new(file), &mut to)?;
    assert_eq!(to.position(), to.get_ref().len() as u64, "it stands at the end");
    Ok(to.into_inner())
}

/// Cleans a file that is well-formed, twice.
fn cleaned(format: Format, file: &[u8]) -> Vec<u8> {
    let once = clean(format, file).expect("a whole image");
    assert_eq!(
        clean(format, &once).expect("a clean image"),
        once,
        "a second run changes nothing"
    );
    assert!(!once.windows(SECRET.len()).any(|part| part == SECRET));
    once
}

/// Says what is wrong with a file.
fn malformed(format: Format, file: &[u8]) -> &'static str {
    match clean(format, file) {
        Err(ImageError::Malformed(what)) => what,
        other => panic!("{other:?}"),
    }
}

/// A TIFF structure with this orientation among other tags, and with a second directory of another orientation.
fn tiff(orientation: u16, big: bool) -> Vec<u8> {
    let two = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let four = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut out = if big { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
    let entry = |out: &mut Vec<u8>, tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        out.extend([two(tag), two(kind)].concat());
        out.extend([four(count), value].concat());
    };
    out.extend(four(8));
    out.extend(two(3));
    // The maker, which is after the directories; the orientation; the place.
    entry(&mut out, 0x010f, 2, 7, four(68));
    let [high, low] = two(orientation);
    entry(&mut out, 0x0112, 3, 1, [high, low, 0, 0]);
    entry(&mut out, 0x8825, 4, 1, four(68));
    out.extend(four(50));
    out.extend(two(1));
    let [high, low] = two(3);
    entry(&mut out, 0x0112, 3, 1, [high, low, 0, 0]);
    out.extend(four(0));
    out.extend(b"SECRET\0\0");
    out
}

/// The first place of these bytes.
fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|there| there == part)
}

/// A file whose reads and writes fail, or are interrupted and short.
struct Troubled {
    file: Cursor<Vec<u8>>,
    calls: u32,
    fails: bool,
}

impl Troubled {
    fn trouble(&mut self) -> std::io::Result<()> {
        self.calls += 1;
        if self.fails && self.calls > 5 {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        }
        if self.calls % 2 == 1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

impl Read for Troubled {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.trouble()?;
        let length = to.len().min(3);
        self.file.read(&mut to[..length])
    }
}

impl Write for Troubled {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.trouble()?;
        self.file.write(&bytes[..bytes.len().min(3)])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Troubled {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn short_and_interrupted_calls_change_nothing_and_failures_are_told() {
    for (format, file) in fuzz::samples() {
        let troubled = |bytes: &[u8], fails| Troubled {
            file: Cursor::new(bytes.to_vec()),
            calls: 0,
            fails,
        };
        let (mut from, mut to) = (troubled(&file, false), troubled(&[], false));
        without_metadata(format, &mut from, &mut to).expect("a whole image");
        assert_eq!(to.file.into_inner(), cleaned(format, &file));
        let (mut from, mut to) = (troubled(&file, true), troubled(&[], false));
        let failed = without_metadata(format, &mut from, &mut to);
        assert!(matches!(failed, Err(ImageError::Io(_))), "{failed:?}");
        let (mut from, mut to) = (troubled(&file, false), troubled(&[], true));
        let failed = without_metadata(format, &mut from, &mut to);
        assert!(matches!(failed, Err(ImageError::Io(_))), "{failed:?}");
    }
}

#[test]
fn files_are_used_from_where_they_stand() {
    for (format, file) in fuzz::samples() {
        let mut from = Cursor::new([b"before", file.as_slice()].concat());
        from.set_position(6);
        let mut to = Cursor::new(b"there".to_vec());
        to.set_position(5);
        without_metadata(format, &mut from, &mut to).expect("a whole image");
        assert_eq!(to.into_inner(), [b"there", cleaned(format, &file).as_slice()].concat());
    }
}

#[test]
fn metadata_longer_than_the_buffers_is_dropped() {
    let long = b"SECRET--".repeat(100_000);
    let file = png::file(
        &[(b"zTXt", &long), (b"eXIf", &[tiff(6, true), long.clone()].concat())],
        &[],
    );
    let kept = cleaned(Format::Png, &file);
    assert!(find(&kept, b"eXIf").is_some() && kept.len() < 200, "{}", kept.len());
    let file = webp::extended(
        0x0c,
        &[
            webp::LOSSY,
            (b"XMP ", &long),
            (b"EXIF", &[tiff(6, true), long.clone()].concat()),
        ],
    );
    let kept = cleaned(Format::Webp, &file);
    assert!(find(&kept, b"EXIF").is_some() && kept.len() < 200, "{}", kept.len());
    // The image itself may be of any length.
    let pixels = b"pixels--".repeat(100_000);
    let kept = cleaned(Format::Png, &png::file(&[], &[(b"IDAT", &pixels)]));
    assert!(find(&kept, &pixels).is_some());
}
