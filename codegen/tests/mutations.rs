//! Whatever is done to a contract, codegen reports mistakes or writes Rust, and does not panic.
//!
//! `SEED=n` repeats a run, `MUTATIONS=n` makes a longer one.

use codegen::Options;
use std::panic::{AssertUnwindSafe, catch_unwind};

const CONTRACTS: [&str; 2] = [include_str!("../../api.yaml"), include_str!("mistakes/base.yaml")];
const OPTIONS: Options<'_> = Options {
    file: "api.yaml",
    support: "codegen_support",
};
/// Pieces that mean something in YAML or in the language.
const PIECES: [&str; 36] = [
    "\n", " ", "  ", ":", ": ", "- ", "{", "}", "[", "]", ",", "\"", "'", "#", "&a ", "*a", "!t ", "|", "? ", "~", "?",
    " = ", ".", ".id", "$", "$data", "{id}", "[].", "/:", "0", "-1", "1e400", "true", "é", "\u{2028}", "\u{0}",
];

#[test]
fn mutated_contracts_do_not_panic() {
    let seed = number("SEED").unwrap_or(20_250_614);
    let rounds = number("MUTATIONS").unwrap_or(250);
    println!("SEED={seed} MUTATIONS={rounds}");
    let mut random = Random(seed | 1);
    for round in 0..rounds {
        let mut contract = CONTRACTS[random.below(CONTRACTS.len())].to_owned();
        for _ in 0..=random.below(3) {
            contract = mutated(&contract, &mut random);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            codegen::generate(&contract, OPTIONS).map_err(shown(&contract))
        }));
        assert!(
            outcome.is_ok(),
            "SEED={seed}, round {round}: panicked at this contract:\n{contract}"
        );
    }
}

/// Rendering must not panic either.
fn shown(contract: &str) -> impl Fn(Vec<codegen::Report>) + '_ {
    move |reports| {
        assert!(!reports.is_empty(), "refused without a reason");
        codegen::report::render(&reports, "api.yaml", contract);
    }
}

fn mutated(contract: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = contract.lines().collect();
    if lines.is_empty() {
        return PIECES[random.below(PIECES.len())].to_owned();
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(8) {
        0 => lines.swap(one, other),
        1 => lines.insert(one, lines[other]),
        2 => drop(lines.remove(one)),
        3 | 4 => return with_words_changed(contract, random),
        5 => return contract[..boundary(contract, random)].to_owned(),
        _ => {
            let (mut start, end) = (boundary(contract, random), boundary(contract, random));
            if start > end || end - start > 20 {
                start = end;
            }
            let piece = PIECES[random.below(PIECES.len())];
            return [&contract[..start], piece, &contract[end..]].concat();
        }
    }
    lines.join("\n")
}

/// Puts a word of the contract in the place of another one.
fn with_words_changed(contract: &str, random: &mut Random) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '?' | '$' | '/');
    let words: Vec<&str> = contract
        .split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return String::new();
    }
    let (old, new) = (words[random.below(words.len())], words[random.below(words.len())]);
    let places: Vec<_> = contract.match_indices(old).collect();
    let (start, _) = places[random.below(places.len())];
    [&contract[..start], new, &contract[start + old.len()..]].concat()
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// xorshift64
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
