//! The orientation of an image, as Exif has it.

/// The tag of the orientation.
const ORIENTATION: u16 = 0x0112;
/// The type of its value, a number of 16 bits.
const SHORT: u16 = 3;

/// The orientation that is in IFD0 of this TIFF structure, if it is one that turns or mirrors the image.
///
/// The structure may be cut off, and some programs put the `Exif` of JPEG before it.
pub(super) fn orientation(bytes: &[u8]) -> Option<u8> {
    let tiff = bytes.strip_prefix(b"Exif\0\0").unwrap_or(bytes);
    let big = match tiff.first_chunk()? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let two = |bytes: [u8; 2]| {
        if big {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        }
    };
    let four = |bytes: [u8; 4]| {
        if big {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        }
    };
    let (_, rest) = tiff.split_at_checked(4)?;
    let directory = usize::try_from(four(*rest.first_chunk()?)).ok()?;
    let (count, entries) = tiff.get(directory..)?.split_first_chunk()?;
    let (entries, _) = entries.as_chunks::<12>();
    let mut entries = entries.iter().take(usize::from(two(*count)));
    // A tag, a type, a count, and a value.
    let [_, _, t0, t1, c0, c1, c2, c3, v0, v1, _, _] =
        *entries.find(|[tag0, tag1, ..]| two([*tag0, *tag1]) == ORIENTATION)?;
    let one = two([t0, t1]) == SHORT && four([c0, c1, c2, c3]) == 1;
    let value = u8::try_from(two([v0, v1])).ok()?;
    (one && (2..=8).contains(&value)).then_some(value)
}

/// The TIFF structure that holds this orientation, and nothing else.
pub(super) fn minimal(orientation: u8) -> [u8; 26] {
    let mut tiff = *b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
    let [.., value, _, _, _, _, _, _] = &mut tiff;
    *value = orientation;
    tiff
}
