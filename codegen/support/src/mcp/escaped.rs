//! JSON as a text within JSON. An escape is needed every few bytes, so eight bytes are examined together.

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = LOW << 7;

/// Appends JSON, or another text in UTF-8, in quotes.
pub(super) fn write(out: &mut Vec<u8>, json: &[u8]) {
    let start = out.len();
    out.push(b'"');
    let mut at = out.len();
    // Each byte may get a backslash before it, and eight bytes are written where fewer count.
    out.resize(at + 2 * json.len() + 8, 0);
    let (words, rest) = json.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    for (word, mut length) in words.iter().map(|word| (word, 8)).chain([(&last, rest.len())]) {
        let mut word = u64::from_le_bytes(*word);
        let Some(mut marks) = marks(word) else {
            out.truncate(start);
            return general(out, json);
        };
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
        at += length;
    }
    out.truncate(at);
    out.push(b'"');
}

/// Compact JSON has no control characters, so this is rarely needed.
#[cold]
fn general(out: &mut Vec<u8>, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    serde_json::to_writer(out, &text).expect("every text can be written as JSON, and a Vec takes every write");
}

/// Marks the highest bit of each quote and backslash; `None` if there are control characters.
fn marks(bytes: u64) -> Option<u64> {
    // No sum of seven bits and a smaller summand carries into the next byte.
    let seven = |bytes: u64| bytes & !HIGH;
    let not_zero = |bytes: u64| (seven(bytes) + seven(!0)) | bytes;
    let controls = !((seven(bytes) + LOW * 0x60) | bytes) & HIGH;
    let plain = not_zero(bytes ^ (LOW * u64::from(b'"'))) & not_zero(bytes ^ (LOW * u64::from(b'\\')));
    (controls == 0).then_some(!plain & HIGH)
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
