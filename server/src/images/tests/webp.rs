//! Tests of WebP files.

use super::super::Format::Webp;
use super::super::exif::minimal;
use super::{clean, cleaned, malformed, tiff};

pub(super) type Chunk<'a> = (&'static [u8; 4], &'a [u8]);

/// A lossy image of 2 by 3 pixels, with an odd length.
pub(super) const LOSSY: Chunk<'_> = (b"VP8 ", b"\x10\0\0\x9d\x01\x2a\x02\0\x03\0a");
const LOSSLESS: Chunk<'_> = (b"VP8L", b"\x2f\x01\x80\0\0abc");
const ALPHA: Chunk<'_> = (b"ALPH", b"\0alpha");
const SETTINGS: Chunk<'_> = (b"ANIM", &[0; 6]);
const CANVAS: [u8; 6] = [1, 0, 0, 2, 0, 0];

fn chunks(parts: &[Chunk<'_>]) -> Vec<u8> {
    let mut all = Vec::new();
    for (name, body) in parts {
        all.extend_from_slice(*name);
        all.extend(u32::try_from(body.len()).expect("a short chunk").to_le_bytes());
        all.extend_from_slice(body);
        all.resize(all.len().next_multiple_of(2), 0);
    }
    all
}

fn file(parts: &[Chunk<'_>]) -> Vec<u8> {
    let body = chunks(parts);
    let length = u32::try_from(body.len() + 4).expect("a short file").to_le_bytes();
    [b"RIFF".as_slice(), &length, b"WEBP", &body].concat()
}

/// A file with VP8X.
pub(super) fn extended(flags: u8, parts: &[Chunk<'_>]) -> Vec<u8> {
    let head = [[flags, 0, 0, 0].as_slice(), &CANVAS].concat();
    file(&[&[(b"VP8X", head.as_slice())], parts].concat())
}

fn frame(parts: &[Chunk<'_>]) -> Vec<u8> {
    let settings = [0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 100, 0, 0, 3];
    [settings.as_slice(), &chunks(parts)].concat()
}

/// Files with all that may be in them: still, and animated.
pub(super) fn samples() -> [Vec<u8>; 3] {
    let exif = tiff(6, false);
    let frames = [
        frame(&[ALPHA, (b"xxxx", b"SECRET!"), LOSSY, (b"EXIF", b"SECRET")]),
        frame(&[LOSSLESS]),
    ];
    let still = extended(
        0x3c,
        &[
            (b"ICCP", b"profile"),
            ALPHA,
            (b"xxxx", b"SECRET"),
            LOSSY,
            (b"EXIF", &exif),
            (b"XMP ", b"SECRET"),
        ],
    );
    let animated = extended(
        0x3e,
        &[
            (b"ICCP", b"profile"),
            SETTINGS,
            (b"ANMF", &frames[0]),
            (b"xxxx", b"SECRET!"),
            (b"ANMF", &frames[1]),
            (b"EXIF", &exif),
            (b"XMP ", b"SECRET"),
        ],
    );
    let simple = file(&[LOSSLESS, (b"EXIF", b"SECRET")]);
    [still, animated, simple].map(|file| [file, b"SECRET".to_vec()].concat())
}

#[test]
fn only_what_the_picture_needs_is_kept() {
    let [still, animated, simple] = samples();
    let orientation = minimal(6);
    let kept = extended(0x38, &[(b"ICCP", b"profile"), ALPHA, LOSSY, (b"EXIF", &orientation)]);
    assert_eq!(cleaned(Webp, &still), kept);
    let frames = [frame(&[ALPHA, LOSSY]), frame(&[LOSSLESS])];
    let kept = [
        (b"ICCP", b"profile".as_slice()),
        SETTINGS,
        (b"ANMF", &frames[0]),
        (b"ANMF", &frames[1]),
        (b"EXIF", &orientation),
    ];
    assert_eq!(cleaned(Webp, &animated), extended(0x3a, &kept));
    assert_eq!(cleaned(Webp, &simple), file(&[LOSSLESS]));
}

#[test]
fn a_simple_file_is_its_image_alone() {
    for image in [LOSSY, LOSSLESS] {
        let kept = file(&[image]);
        assert_eq!(cleaned(Webp, &kept), kept);
        let more = file(&[
            image,
            (b"EXIF", &tiff(6, true)),
            (b"XMP ", b"SECRET"),
            image,
            (b"xxxx", b"SECRET"),
        ]);
        assert_eq!(cleaned(Webp, &more), kept);
    }
}

#[test]
fn the_flags_say_what_is_there() {
    for value in 2..=8 {
        for big in [true, false] {
            let exif = tiff(value, big);
            let least = minimal(u8::try_from(value).expect("a byte"));
            let kept = extended(0x08, &[LOSSY, (b"EXIF", &least)]);
            assert_eq!(cleaned(Webp, &extended(0x08, &[LOSSY, (b"EXIF", &exif)])), kept);
            assert_eq!(cleaned(Webp, &extended(0xed, &[(b"EXIF", &exif), LOSSY])), kept);
        }
    }
    let (first, second) = (tiff(1, true), tiff(6, true));
    let none = extended(0, &[LOSSY]);
    assert_eq!(cleaned(Webp, &extended(0x2c, &[LOSSY])), none);
    assert_eq!(
        cleaned(Webp, &extended(0x08, &[LOSSY, (b"EXIF", &first), (b"EXIF", &second)])),
        none
    );
    // Without their flags, decoders do not see them.
    assert_eq!(
        cleaned(Webp, &extended(0, &[(b"ICCP", b"SECRET"), LOSSY, (b"EXIF", &second)])),
        none
    );
    // Only one profile.
    let two = extended(0x30, &[(b"ICCP", b"profile"), (b"ICCP", b"SECRET"), LOSSLESS]);
    assert_eq!(cleaned(Webp, &two), extended(0x30, &[(b"ICCP", b"profile"), LOSSLESS]));
}

#[test]
fn reserved_bits_and_padding_are_cleared() {
    let mut settings = frame(&[LOSSY]);
    settings[15] = 0xff;
    let mut there = extended(0xc3, &[SETTINGS, (b"ANMF", &settings)]);
    there[21..24].copy_from_slice(b"SEC");
    *there.last_mut().expect("the padding") = b'S';
    assert_eq!(
        cleaned(Webp, &there),
        extended(0x02, &[SETTINGS, (b"ANMF", &frame(&[LOSSY]))])
    );
    // A last padding that is not there.
    let mut short = file(&[LOSSY]);
    short.pop();
    short[4] -= 1;
    assert_eq!(cleaned(Webp, &short), file(&[LOSSY]));
}

#[test]
fn a_wrong_order_is_malformed() {
    let one = frame(&[LOSSY]);
    let frames = |parts: &[Chunk<'_>]| extended(0x02, &[SETTINGS, (b"ANMF", &frame(parts))]);
    let wrong = [
        file(&[]),
        file(&[ALPHA, LOSSY]),
        file(&[(b"EXIF", b""), LOSSY]),
        file(&[(b"VP8X", &[0; 9]), LOSSY]),
        file(&[(b"VP8X", &[0; 12]), LOSSY]),
        extended(0, &[]),
        extended(0, &[(b"VP8X", &[0; 10]), LOSSY]),
        extended(0, &[ALPHA]),
        extended(0, &[LOSSY, LOSSY]),
        extended(0, &[LOSSY, ALPHA]),
        extended(0, &[ALPHA, ALPHA, LOSSY]),
        extended(0, &[ALPHA, LOSSLESS]),
        extended(0, &[SETTINGS, (b"ANMF", &one)]),
        extended(0x02, &[(b"ANMF", &one)]),
        extended(0x02, &[SETTINGS]),
        extended(0x02, &[SETTINGS, SETTINGS, (b"ANMF", &one)]),
        extended(0x02, &[(b"ANIM", &[0; 7]), (b"ANMF", &one)]),
        extended(0x02, &[SETTINGS, (b"ANMF", &one), LOSSY]),
        extended(0x02, &[SETTINGS, (b"ANMF", &[0; 15])]),
        frames(&[]),
        frames(&[(b"xxxx", b"")]),
        frames(&[LOSSY, LOSSY]),
    ];
    for (number, file) in wrong.iter().enumerate() {
        assert_ne!(malformed(Webp, file), "the file ends too early", "{number}");
    }
    assert!(clean(Webp, &frames(&[LOSSY])).is_ok());
}

#[test]
fn a_truncated_file_is_malformed() {
    for whole in samples() {
        let end = whole.len() - 6;
        for length in 0..end {
            malformed(Webp, &whole[..length]);
        }
        assert!(clean(Webp, &whole[..end]).is_ok());
    }
    let whole = file(&[LOSSY]);
    // The lengths of the file and of the chunk.
    for (at, value) in [
        (4, 0),
        (4, 3),
        (4, 11),
        (4, 21),
        (7, 0xff),
        (16, 13),
        (16, 9),
        (19, 0xff),
    ] {
        let mut wrong = whole.clone();
        wrong[at] = value;
        malformed(Webp, &wrong);
    }
}

#[test]
fn an_image_without_pixels_is_malformed() {
    let wrong: [Chunk<'_>; 8] = [
        (b"VP8 ", b"\x10\0\0\x9d\x01\x2a\0\0\x03\0a"),
        (b"VP8 ", b"\x10\0\0\x9d\x01\x2a\x02\0\0\0a"),
        (b"VP8 ", b"\x10\0\0\x9d\x01\x2a\0\xc0\x03\0a"),
        (b"VP8 ", b"\x11\0\0\x9d\x01\x2a\x02\0\x03\0a"),
        (b"VP8 ", b"\x10\0\0\x9d\x01\x2b\x02\0\x03\0a"),
        (b"VP8L", b"\x2e\x01\x80\0\0abc"),
        (b"VP8L", b"\x2f\x01\x80\0\x20abc"),
        (b"VP8L", b"\x2f\x01\x80\0"),
    ];
    for image in wrong {
        malformed(Webp, &file(&[image]));
        malformed(Webp, &extended(0, &[image]));
        malformed(Webp, &extended(0x02, &[SETTINGS, (b"ANMF", &frame(&[image]))]));
    }
}
