//! PNG files for tests, with right checksums.

/// A file with this picture, which cannot be decoded, and with a text, which is metadata.
pub fn image(picture: &[u8], text: Option<&[u8]>) -> Vec<u8> {
    let size = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0];
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &size),
        text.map(|text| chunk(b"tEXt", text)).unwrap_or_default(),
        chunk(b"IDAT", picture),
        chunk(b"IEND", b""),
    ]
    .concat()
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let checked = [name.as_slice(), body].concat();
    let length = u32::try_from(body.len()).expect("it is short").to_be_bytes();
    [&length[..], &checked, &checksum(&checked).to_be_bytes()].concat()
}

/// The checksum of the name and the body of a chunk: CRC-32 (PNG, third edition, annex D).
pub fn checksum(bytes: &[u8]) -> u32 {
    let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    });
    !sum
}
