//! Changes to the text of a contract, like those of typing and editors.

use super::random::Random;

/// Pieces with a meaning in YAML or in the language, and characters that look like those.
const PIECES: [&str; 49] = [
    "\n", " ", "  ", "\t", ":", ": ", "- ", "{", "}", "[", "]", ",", "\"", "'", "#", " # ", "&a ", "*a", "!t ", "|",
    "? ", "~", "?", " = ", ".", ".id", "$", "$data", "{id}", "[].", "/:", "0", "-1", "1e400", "0x1f", "010", "1.0",
    "true", "no", "é", "\u{2028}", "\u{0}", "\u{a0}", "\u{200b}", "\u{201c}", "\u{ff1a}", "<<: ", "---\n", "\r\n",
];

pub(super) fn mutated(contract: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = contract.lines().collect();
    if lines.is_empty() {
        return (*random.of(&PIECES)).to_owned();
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    let indented;
    match random.below(9) {
        0 => lines.swap(one, other),
        1 => lines.insert(one, lines[other]),
        2 => drop(lines.remove(one)),
        3 => {
            indented = format!("  {}", lines[one]);
            lines[one] = match random.below(2) {
                0 => &indented,
                _ => lines[one].strip_prefix("  ").unwrap_or(lines[one]),
            };
        }
        4 | 5 => return with_words_changed(contract, random),
        6 => return contract[..boundary(contract, random)].to_owned(),
        _ => return with_piece(contract, random),
    }
    lines.join("\n")
}

fn with_piece(contract: &str, random: &mut Random) -> String {
    let (mut start, end) = (boundary(contract, random), boundary(contract, random));
    if start > end || end - start > 20 {
        start = end;
    }
    let piece = *random.of(&PIECES);
    [&contract[..start], piece, &contract[end..]].concat()
}

/// Replaces a word of the contract by another one.
fn with_words_changed(contract: &str, random: &mut Random) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '?' | '$' | '/');
    let words: Vec<&str> = contract
        .split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return String::new();
    }
    let (old, new) = (random.of(&words), random.of(&words));
    let places: Vec<_> = contract.match_indices(old).collect();
    let (start, _) = *random.of(&places);
    [&contract[..start], new, &contract[start + old.len()..]].concat()
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
