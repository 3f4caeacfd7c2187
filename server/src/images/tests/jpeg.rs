//! Tests of JPEG files.

use super::super::Format::Jpeg;
use super::super::exif::minimal;
use super::{clean, cleaned, find, malformed, tiff};

/// A segment with its length.
pub(super) fn segment(marker: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).expect("a short segment").to_be_bytes();
    [&[0xff, marker], length.as_slice(), body].concat()
}

/// JFIF, with a thumbnail of one pixel.
fn jfif() -> Vec<u8> {
    segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x49\x01\x01SEC")
}

fn jfif_kept() -> Vec<u8> {
    segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x49\0\0")
}

fn exif(orientation: u16, big: bool) -> Vec<u8> {
    segment(0xe1, &[b"Exif\0\0", tiff(orientation, big).as_slice()].concat())
}

fn exif_kept(orientation: u8) -> Vec<u8> {
    segment(0xe1, &[b"Exif\0\0", minimal(orientation).as_slice()].concat())
}

fn frame(height: u16, width: u16) -> Vec<u8> {
    let [[h0, h1], [w0, w1]] = [height.to_be_bytes(), width.to_be_bytes()];
    segment(0xc2, &[8, h0, h1, w0, w1, 1, 1, 0x11, 0])
}

fn scan(entropy: &[u8]) -> Vec<u8> {
    [&segment(0xda, &[1, 1, 0, 0, 63, 0]), entropy].concat()
}

/// A file of these segments.
fn file(parts: &[Vec<u8>]) -> Vec<u8> {
    [&[0xff, 0xd8], parts.concat().as_slice(), &[0xff, 0xd9]].concat()
}

fn tables() -> Vec<u8> {
    [
        segment(0xdb, &[1; 65]),
        segment(0xc4, &[0; 17]),
        segment(0xcc, &[0, 1]),
        segment(0xdd, &[0, 4]),
    ]
    .concat()
}

fn comment() -> Vec<u8> {
    segment(0xfe, b"SECRET")
}

/// A file with all that may be in it.
pub(super) fn sample() -> Vec<u8> {
    let whole = file(&[
        jfif(),
        segment(0xe0, b"JFXX\0\x10SECRET"),
        exif(6, false),
        segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0SECRET"),
        segment(0xe2, b"ICC_PROFILE\0\x01\x01profile"),
        segment(0xe2, b"MPF\0SECRET"),
        segment(0xed, b"Photoshop 3.0\0SECRET"),
        segment(0xee, b"Adobe\0\x64\0\0\0\0\x01SECRET"),
        comment(),
        tables(),
        frame(2, 3),
        scan(b"ab\xff\x00c\xff\xd0d\xff\xff\xd1e"),
        segment(0xdc, &[0, 2]),
        comment(),
        segment(0xc4, &[0; 17]),
        scan(b"\xff\x00"),
        exif(3, false),
    ]);
    [whole, b"\xff\xd8SECRET".to_vec()].concat()
}

#[test]
fn only_what_the_picture_needs_is_kept() {
    let kept = file(&[
        jfif_kept(),
        exif_kept(6),
        segment(0xe2, b"ICC_PROFILE\0\x01\x01profile"),
        segment(0xee, b"Adobe\0\x64\0\0\0\0\x01"),
        tables(),
        frame(2, 3),
        scan(b"ab\xff\x00c\xff\xd0d\xff\xff\xd1e"),
        segment(0xdc, &[0, 2]),
        segment(0xc4, &[0; 17]),
        scan(b"\xff\x00"),
    ]);
    assert_eq!(cleaned(Jpeg, &sample()), kept);
}

#[test]
fn all_other_application_data_is_dropped() {
    let plain = file(&[tables(), frame(2, 3), scan(b"a")]);
    assert_eq!(cleaned(Jpeg, &plain), plain);
    let names: [&[u8]; 5] = [b"SECRET", b"", b"JFIF", b"ICC_PROFILE\0\x01", b"Adobe\0\x64\0\0\0\0"];
    for marker in (0xe0..=0xef).chain([0xfe]) {
        for name in names {
            let more = file(&[
                segment(marker, name),
                tables(),
                frame(2, 3),
                segment(marker, name),
                scan(b"a"),
            ]);
            assert_eq!(cleaned(Jpeg, &more), plain, "{marker:x}");
        }
    }
}

#[test]
fn the_orientation_is_after_jfif() {
    for value in 2..=8 {
        for big in [true, false] {
            let kept = file(&[jfif_kept(), exif_kept(value), frame(2, 3), scan(b"a")]);
            // Exif that is not the first segment, and is before JFIF.
            let there = file(&[comment(), exif(value.into(), big), jfif(), frame(2, 3), scan(b"a")]);
            assert_eq!(cleaned(Jpeg, &there), kept);
            let there = file(&[jfif(), frame(2, 3), exif(value.into(), big), scan(b"a")]);
            assert_eq!(cleaned(Jpeg, &there), kept);
        }
    }
    // The first Exif decides; after a scan there is none.
    let none = file(&[frame(2, 3), scan(b"a")]);
    assert_eq!(
        cleaned(Jpeg, &file(&[exif(1, true), exif(6, true), frame(2, 3), scan(b"a")])),
        none
    );
    assert_eq!(cleaned(Jpeg, &file(&[frame(2, 3), scan(b"a"), exif(6, true)])), none);
    assert_eq!(cleaned(Jpeg, &file(&[exif(9, true), frame(2, 3), scan(b"a")])), none);
    let alone = file(&[exif_kept(6), frame(2, 3), scan(b"a")]);
    assert_eq!(cleaned(Jpeg, &file(&[exif(6, true), frame(2, 3), scan(b"a")])), alone);
}

#[test]
fn fill_bytes_are_kept_in_a_scan_and_dropped_before_a_segment() {
    let fill = vec![0xff; 3];
    let filled = file(&[
        fill.clone(),
        frame(2, 3),
        fill.clone(),
        scan(b"a\xff\xff\xff\xd0b"),
        fill,
    ]);
    assert_eq!(
        cleaned(Jpeg, &filled),
        file(&[frame(2, 3), scan(b"a\xff\xff\xff\xd0b")])
    );
}

#[test]
fn a_second_image_is_dropped() {
    let one = file(&[frame(2, 3), scan(b"a")]);
    let two = [one.clone(), sample()].concat();
    assert_eq!(cleaned(Jpeg, &two), one);
}

#[test]
fn a_file_without_frame_scan_or_end_is_malformed() {
    assert_eq!(malformed(Jpeg, &file(&[])), "an image without a scan");
    assert_eq!(malformed(Jpeg, &file(&[frame(2, 3)])), "an image without a scan");
    assert_eq!(malformed(Jpeg, &file(&[scan(b"a")])), "a scan without a frame");
    assert_eq!(
        malformed(Jpeg, &file(&[frame(2, 3), frame(2, 3), scan(b"a")])),
        "a second frame"
    );
    assert_eq!(malformed(Jpeg, b"\x89PNG"), "not a JPEG file");
    let whole = file(&[
        jfif(),
        exif(6, true),
        tables(),
        frame(2, 3),
        scan(b"ab\xff\x00c"),
        comment(),
    ]);
    for length in 0..whole.len() {
        malformed(Jpeg, &whole[..length]);
    }
    assert!(clean(Jpeg, &whole).is_ok());
}

#[test]
fn an_image_without_pixels_is_malformed() {
    for (height, width) in [(0, 3), (2, 0), (0, 0)] {
        assert_eq!(
            malformed(Jpeg, &file(&[frame(height, width), scan(b"a")])),
            "an image without pixels"
        );
    }
    assert_eq!(
        malformed(Jpeg, &file(&[frame(2, 3), scan(b"a"), segment(0xdc, &[0, 0])])),
        "an image without lines"
    );
}

#[test]
fn a_wrong_segment_is_malformed() {
    let wrong: [(&[u8], &str); 14] = [
        (&[0xff, 0xfe, 0, 0], "the length of a segment"),
        (&[0xff, 0xfe, 0, 1], "the length of a segment"),
        (&[0xff, 0xe2, 0, 1], "the length of a segment"),
        (&[0xff, 0xdb, 0, 1], "the length of a segment"),
        (&[0xff, 0xdd, 0, 3, 0], "the length of a segment"),
        (&[0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1, 0], "the length of the frame header"),
        (
            &[0xff, 0xc0, 0, 12, 8, 0, 1, 0, 1, 1, 0, 0],
            "the length of the frame header",
        ),
        (&[0xff, 0xfe, 0xff, 0xff, 0], "the file ends too early"),
        (&[0xff, 0xd8], "an unknown segment"),
        (&[0xff, 0xd0], "an unknown segment"),
        (&[0xff, 0x00], "an unknown segment"),
        (&[0xff, 0xc8, 0, 2], "an unknown segment"),
        (&[0xff, 0xf7, 0, 2], "an unknown segment"),
        (&[0], "bytes that are in no segment"),
    ];
    for (part, _) in &wrong {
        let before = file(&[part.to_vec(), frame(2, 3), scan(b"a")]);
        malformed(Jpeg, &before);
    }
    for (part, what) in wrong.iter().take(5).chain(wrong.iter().skip(7)) {
        // Within a scan, a stuffed byte and a restart are entropy data.
        let after = file(&[frame(2, 3), scan(b"a"), comment(), part.to_vec()]);
        assert_eq!(malformed(Jpeg, &after), *what, "{part:x?}");
    }
    for head in [[1, 1, 0, 0, 63].as_slice(), &[0, 0, 63, 0], &[5; 14], &[]] {
        let there = file(&[frame(2, 3), segment(0xda, head)]);
        malformed(Jpeg, &there);
    }
}

#[test]
fn the_longest_segments_are_copied() {
    let profile = segment(0xe2, &[b"ICC_PROFILE\0\x01\x01".as_slice(), &[7; 65_519]].concat());
    let kept = cleaned(
        Jpeg,
        &file(&[segment(0xfe, &[1; 65_533]), profile.clone(), frame(2, 3), scan(b"a")]),
    );
    assert_eq!(find(&kept, &profile), Some(2));
}

#[test]
fn a_frame_has_components() {
    let none = segment(0xc0, &[8, 0, 1, 0, 1, 0]);
    assert_eq!(
        malformed(Jpeg, &file(&[none, scan(b"a")])),
        "the length of the frame header"
    );
}

#[test]
fn only_restarts_and_stuffed_bytes_are_within_a_scan() {
    for code in 0..=0xfe {
        let whole = file(&[frame(2, 3), scan(&[b'a', 0xff, code, 0, 4, 0, 0])]);
        match code {
            0x00 | 0xd0..=0xd7 => assert_eq!(cleaned(Jpeg, &whole), whole),
            // The end, a number of lines or an interval, and what is dropped.
            0xd9 | 0xdc | 0xdd | 0xe0..=0xef | 0xfe => continue,
            // Tables.
            0xc4 | 0xcc | 0xdb => assert_eq!(cleaned(Jpeg, &whole), whole),
            _ => drop(malformed(Jpeg, &whole)),
        }
    }
}

#[test]
fn the_first_jfif_is_kept() {
    let other = segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    let kept = file(&[jfif_kept(), frame(2, 3), scan(b"a")]);
    assert_eq!(
        cleaned(Jpeg, &file(&[jfif(), other, frame(2, 3), scan(b"a"), jfif()])),
        kept
    );
}
