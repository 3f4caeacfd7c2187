//! JSON as a text within JSON. An escape is needed every few bytes, so eight bytes are examined together.

use multiversion::multiversion;

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = LOW << 7;

/// Appends JSON, or another text in UTF-8, in quotes.
pub(super) fn write(out: &mut Vec<u8>, json: &[u8]) {
    if json.iter().fold(false, |has, byte| has | (*byte < b' ')) {
        return general(out, json);
    }
    out.push(b'"');
    let start = out.len();
    // Each byte may get a backslash before it, and eight bytes are written where fewer count.
    out.resize(start + 2 * json.len() + 24, 0);
    let written = escape(&mut out[start..], json);
    out.truncate(start + written);
    out.push(b'"');
}

/// Returns how many bytes were written. Shifts by a number of bits are faster with newer instructions.
#[multiversion(targets("x86_64+bmi1+bmi2"))]
fn escape(out: &mut [u8], json: &[u8]) -> usize {
    let (words, rest) = json.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut written = 0;
    for (word, mut length) in words.iter().map(|word| (word, 8)).chain([(&last, rest.len())]) {
        let out = &mut out[written..written + 24];
        let (mut word, mut at) = (u64::from_le_bytes(*word), 0);
        let mut marks = marks(word);
        while marks != 0 {
            let plain = marks.trailing_zeros() / 8;
            out[at..at + 8].copy_from_slice(&word.to_le_bytes());
            at += plain as usize;
            out[at] = b'\\';
            at += 1;
            length -= plain as usize;
            word >>= 8 * plain;
            marks = (marks & (marks - 1)) >> (8 * plain);
        }
        out[at..at + 8].copy_from_slice(&word.to_le_bytes());
        written += at + length;
    }
    written
}

/// Compact JSON has no control characters, so this is rarely needed.
#[cold]
fn general(out: &mut Vec<u8>, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    serde_json::to_writer(out, &text).expect("every text can be written as JSON, and a Vec takes every write");
}

/// Marks the highest bit of each quote and backslash.
fn marks(bytes: u64) -> u64 {
    // No sum of seven bits and a smaller summand carries into the next byte.
    let not_zero = |bytes: u64| ((bytes & !HIGH) + !HIGH) | bytes;
    let differ = |from: u8| not_zero(bytes ^ (LOW * u64::from(from)));
    !(differ(b'"') & differ(b'\\')) & HIGH
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
