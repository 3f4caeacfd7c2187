//! Tests of how the orientation is read.

use super::super::exif::{minimal, orientation};
use super::tiff;

#[test]
fn the_orientation_of_the_first_directory_is_read_in_both_byte_orders() {
    for big in [true, false] {
        for value in 2..=8 {
            assert_eq!(orientation(&tiff(value, big)).map(u16::from), Some(value));
            assert_eq!(
                orientation(&[b"Exif\0\0", tiff(value, big).as_slice()].concat()).map(u16::from),
                Some(value)
            );
        }
        for value in [0, 1, 9, 255, 256, 0x0600, 0xffff] {
            assert_eq!(orientation(&tiff(value, big)), None, "{value}");
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    for value in 2..=8 {
        assert_eq!(orientation(&minimal(value)), Some(value));
    }
    assert_eq!(
        minimal(6),
        *b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    );
}

#[test]
fn a_structure_that_is_cut_off_or_wrong_has_none() {
    let whole = tiff(6, false);
    // The entry of the orientation is the second: 10 bytes, and two entries of 12.
    for length in 0..34 {
        assert_eq!(orientation(&whole[..length]), None, "{length}");
    }
    assert_eq!(orientation(&whole[..34]), Some(6));
    for at in [[0xff; 4], [0xff, 0xff, 0xff, 0x7f], [200, 0, 0, 0], [85, 0, 0, 0]] {
        let mut wrong = whole.clone();
        wrong[4..8].copy_from_slice(&at);
        assert_eq!(orientation(&wrong), None, "{at:?}");
    }
    // Another signature, directory length, type, count.
    for (at, value) in [(0, b'M'), (2, 43), (8, 1), (24, 4), (26, 2), (26, 0)] {
        let mut wrong = whole.clone();
        wrong[at] = value;
        assert_eq!(orientation(&wrong), None, "{at} {value}");
    }
}
