//! Tests of PNG files.

use super::super::Format::Png;
use super::super::exif::minimal;
use super::super::png::Sum;
use super::{clean, cleaned, find, malformed, tiff};

pub(super) type Chunk<'a> = (&'static [u8; 4], &'a [u8]);

/// A chunk with its checksum.
pub(super) fn chunk((name, body): Chunk<'_>) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a short chunk").to_be_bytes();
    let mut sum = Sum::new(*name);
    sum.add(body);
    [&length, name.as_slice(), body, &sum.value()].concat()
}

fn chunks(parts: &[Chunk<'_>]) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = parts.iter().map(|part| chunk(*part)).collect();
    [b"\x89PNG\r\n\x1a\n".as_slice(), &parts.concat()].concat()
}

const HEADER: Chunk<'_> = (b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 3, 8, 3, 0, 0, 0]);
const IMAGE: Chunk<'_> = (b"IDAT", b"pixels");
const END: Chunk<'_> = (b"IEND", b"");

/// A file with these chunks around its image.
pub(super) fn file(before: &[Chunk<'_>], after: &[Chunk<'_>]) -> Vec<u8> {
    chunks(&[&[HEADER], before, &[IMAGE], after, &[END]].concat())
}

/// The chunks that are kept.
const KEPT: [Chunk<'_>; 16] = [
    (b"gAMA", &[1; 4]),
    (b"cHRM", &[1; 32]),
    (b"sRGB", &[1]),
    (b"iCCP", b"name\0\0profile"),
    (b"sBIT", &[8; 3]),
    (b"cICP", &[1; 4]),
    (b"mDCV", &[1; 24]),
    (b"cLLI", &[1; 8]),
    (b"PLTE", &[1; 9]),
    (b"tRNS", &[1; 3]),
    (b"bKGD", &[1]),
    (b"pHYs", &[1; 9]),
    (b"hIST", &[1; 6]),
    (b"sPLT", b"name\0\x08"),
    (b"acTL", &[1; 8]),
    (b"fcTL", &[1; 26]),
];

/// A file with all that may be in it.
pub(super) fn sample() -> Vec<u8> {
    let exif = tiff(6, true);
    let mut before = KEPT.to_vec();
    before.insert(3, (b"eXIf", &exif));
    before.insert(5, (b"tEXt", b"SECRET"));
    let after: [Chunk<'_>; 5] = [
        (b"fcTL", &[1; 26]),
        (b"fdAT", b"pixels"),
        (b"eXIf", &exif),
        (b"iTXt", b"SECRET"),
        (b"tIME", b"SECRET"),
    ];
    [file(&before, &after), b"SECRET".to_vec()].concat()
}

#[test]
fn only_what_the_picture_needs_is_kept() {
    let orientation = minimal(6);
    let before = [KEPT.as_slice(), &[(b"eXIf", &orientation)]].concat();
    let kept = file(&before, &[(b"fcTL", &[1; 26]), (b"fdAT", b"pixels")]);
    assert_eq!(cleaned(Png, &sample()), kept);
}

#[test]
fn all_other_chunks_are_dropped() {
    let plain = file(&[], &[]);
    assert_eq!(cleaned(Png, &plain), plain);
    for name in [
        b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf", b"dSIG", b"caBX", b"prVW", b"xxXx",
    ] {
        let there = file(&[(name, b"SECRET")], &[(name, b"SECRET")]);
        assert_eq!(cleaned(Png, &there), plain);
    }
    // Known names with what is not theirs.
    let exact: [(&[u8; 4], usize); 10] = [
        (b"gAMA", 4),
        (b"cHRM", 32),
        (b"sRGB", 1),
        (b"cICP", 4),
        (b"mDCV", 24),
        (b"cLLI", 8),
        (b"pHYs", 9),
        (b"acTL", 8),
        (b"fcTL", 26),
        (b"fdAT", 4),
    ];
    for (name, length) in exact {
        let body = b"SECRET-".repeat(5);
        assert_eq!(cleaned(Png, &file(&[(name, &body[..length - 1])], &[])), plain);
        if name != b"fdAT" {
            assert_eq!(cleaned(Png, &file(&[(name, &body[..=length])], &[])), plain);
        }
    }
    for (name, longest) in [(b"sBIT", 4), (b"bKGD", 6), (b"tRNS", 256), (b"hIST", 512)] {
        let kept = file(&[(name, &vec![1; longest])], &[]);
        assert_eq!(cleaned(Png, &kept), kept);
        assert_eq!(cleaned(Png, &file(&[(name, &vec![1; longest + 1])], &[])), plain);
        assert_eq!(cleaned(Png, &file(&[(name, b"")], &[])), plain);
    }
}

#[test]
fn the_orientation_is_before_the_image() {
    for value in 2..=8 {
        for big in [true, false] {
            let exif = tiff(value, big);
            let least = minimal(u8::try_from(value).expect("a byte"));
            let kept = file(&[(b"gAMA", &[1; 4]), (b"eXIf", &least)], &[]);
            assert_eq!(cleaned(Png, &file(&[(b"eXIf", &exif), (b"gAMA", &[1; 4])], &[])), kept);
        }
    }
    // The first decides; after the image there is none.
    let (first, second) = (tiff(1, true), tiff(6, true));
    assert_eq!(
        cleaned(Png, &file(&[(b"eXIf", &first), (b"eXIf", &second)], &[])),
        file(&[], &[])
    );
    assert_eq!(cleaned(Png, &file(&[], &[(b"eXIf", &second)])), file(&[], &[]));
}

#[test]
fn several_image_chunks_are_kept_in_one_row() {
    let kept = file(&[], &[(b"IDAT", b"more"), (b"IDAT", b"")]);
    assert_eq!(cleaned(Png, &kept), kept);
    let apart = file(&[], &[(b"tEXt", b""), (b"IDAT", b"more")]);
    assert_eq!(malformed(Png, &apart), "the chunks of the image are apart");
}

#[test]
fn the_order_of_the_chunks_is_checked() {
    assert_eq!(malformed(Png, &chunks(&[HEADER, END])), "a file without an image");
    assert_eq!(
        malformed(Png, &chunks(&[IMAGE, END])),
        "the first chunk is not the header"
    );
    assert_eq!(
        malformed(Png, &chunks(&[(b"tEXt", b""), HEADER, IMAGE, END])),
        "the first chunk is not the header"
    );
    assert_eq!(
        malformed(Png, &chunks(&[HEADER, HEADER, IMAGE, END])),
        "a second header"
    );
    assert_eq!(malformed(Png, &chunks(&[HEADER, IMAGE])), "the file ends too early");
    assert_eq!(
        malformed(Png, &file(&[(b"CgBI", &[0; 4])], &[])),
        "an unknown critical chunk"
    );
    assert_eq!(
        malformed(Png, &file(&[(b"PLTE", &[0; 769])], &[])),
        "the length of a chunk"
    );
    assert_eq!(
        malformed(Png, &chunks(&[HEADER, IMAGE, (b"IEND", b"x")])),
        "the length of a chunk"
    );
    assert_eq!(malformed(Png, &file(&[(b"te t", b"")], &[])), "the start of a chunk");
    assert_eq!(malformed(Png, b"\xff\xd8\xff\xe0 a JPEG file"), "not a PNG file");
    let long = [file(&[], &[]).split_at(33).0, b"\x80\0\0\0tEXt"].concat();
    assert_eq!(malformed(Png, &long), "the start of a chunk");
}

#[test]
fn each_checksum_is_checked() {
    let whole = sample();
    let end = find(&whole, b"IEND").expect("an end") + 8;
    assert!(clean(Png, &whole[..end]).is_ok());
    for at in 0..end {
        let mut wrong = whole.clone();
        wrong[at] ^= 1;
        malformed(Png, &wrong);
        malformed(Png, &whole[..at]);
    }
    // From the specification.
    assert_eq!(chunk(END), *b"\0\0\0\0IEND\xae\x42\x60\x82");
}

#[test]
fn an_image_without_pixels_is_malformed() {
    for (at, value) in [(3, 0), (7, 0), (0, 0x80), (4, 0x80)] {
        let mut header = [0, 0, 0, 2, 0, 0, 0, 3, 8, 3, 0, 0, 0];
        header[at] = value;
        assert_eq!(
            malformed(Png, &chunks(&[(b"IHDR", &header), IMAGE, END])),
            "the width or the height"
        );
    }
}

#[test]
fn an_image_of_too_many_pixels_is_malformed() {
    let header = |height: u32| {
        let sides = [25_000_u32, height].map(u32::to_be_bytes).concat();
        [&sides[..], &[8, 0, 0, 0, 0]].concat()
    };
    let (most, more) = (header(10_000), header(10_001));
    assert!(clean(Png, &chunks(&[(b"IHDR", &most), IMAGE, END])).is_ok());
    let wrong = chunks(&[(b"IHDR", &more), IMAGE, END]);
    assert_eq!(malformed(Png, &wrong), "more than 250 million pixels");
}
