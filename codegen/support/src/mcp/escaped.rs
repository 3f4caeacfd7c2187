//! JSON as a text within JSON. An escape is needed every few bytes, at places that no processor predicts, so the bytes of a
//! word are written together, without a branch.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

/// Appends JSON, or another text in UTF-8, in quotes.
pub(super) fn write(out: &mut Vec<u8>, json: &[u8]) {
    let start = out.len();
    out.push(b'"');
    // Each byte may get a backslash before it, and 32 bytes are written where fewer count.
    out.resize(start + 1 + 2 * json.len() + 32, 0);
    let level = Level::new();
    let written = dispatch!(level, simd => escape(simd, &mut out[start + 1..], json));
    match written {
        Some(written) => {
            out.truncate(start + 1 + written);
            out.push(b'"');
        }
        None => {
            out.truncate(start);
            general(out, json);
        }
    }
}

/// Returns how many bytes were written, or `None` if there are control characters.
#[inline(always)]
fn escape<S: Simd>(simd: S, out: &mut [u8], json: &[u8]) -> Option<usize> {
    let (mut written, mut controls) = (0, 0);
    let (blocks, rest) = json.as_chunks();
    for block in blocks {
        written += block.len() + escape_block(simd, &mut out[written..written + 32], block, &mut controls);
    }
    let mut last = [b' '; 16];
    last[..rest.len()].copy_from_slice(rest);
    written += rest.len() + escape_block(simd, &mut out[written..written + 32], &last, &mut controls);
    (controls == 0).then_some(written)
}

/// Returns the number of backslashes. Marks control characters.
#[inline(always)]
fn escape_block<S: Simd>(simd: S, out: &mut [u8], block: &[u8; 16], controls: &mut u64) -> usize {
    let bytes = u8x16::from_slice(simd, block);
    *controls |= bytes.simd_lt(b' ').to_bitmask();
    let marked = bytes.simd_eq(b'"') | bytes.simd_eq(b'\\');
    let [low, high] = (marked.to_bitmask() as u16).to_le_bytes();
    let write = |word: &[u8], marks: u8, out: &mut [u8]| {
        let mut source = [b'\\'; 16];
        source[..8].copy_from_slice(word);
        let places = u8x16::from_slice(simd, &PLACES[usize::from(marks)]);
        u8x16::from_slice(simd, &source).swizzle_dyn(places).store_slice(out);
        marks.count_ones() as usize
    };
    let backslashes = write(&block[..8], low, &mut out[..16]);
    backslashes + write(&block[8..], high, &mut out[8 + backslashes..24 + backslashes])
}

/// For each set of bytes that get a backslash, where each byte that is written comes from: one of the eight, or the
/// backslashes behind them.
static PLACES: [[u8; 16]; 256] = places();

const fn places() -> [[u8; 16]; 256] {
    let mut all = [[0; 16]; 256];
    let mut marks = 0;
    while marks < 256 {
        let (mut to, mut from) = (0, 0);
        while from < 8 {
            if marks >> from & 1 == 1 {
                all[marks][to] = 8;
                to += 1;
            }
            all[marks][to] = from;
            to += 1;
            from += 1;
        }
        marks += 1;
    }
    all
}

/// Compact JSON has no control characters, so this is rarely needed.
#[cold]
fn general(out: &mut Vec<u8>, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    serde_json::to_writer(out, &text).expect("every text can be written as JSON, and a Vec takes every write");
}

#[cfg(test)]
mod tests {
    /// Reads back what is written.
    #[track_caller]
    fn check(text: &str) {
        let mut out = Vec::new();
        super::write(&mut out, text.as_bytes());
        assert_eq!(serde_json::from_slice::<String>(&out).expect("JSON"), text);
    }

    #[test]
    fn each_character_is_read_back_at_each_place() {
        for character in (0..0x100).filter_map(char::from_u32).chain(['料', '🙂']) {
            for before in 0..9 {
                check(&format!("{}{character}\"!\u{7f}{character}#[]{{", "a".repeat(before)));
            }
        }
    }
}
