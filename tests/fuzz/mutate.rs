//! Random changes of inputs.

use rand::RngExt as _;
use rand::rngs::StdRng;

/// Bytes that mean something to a decoder.
const TELLING: &[u8] = b"\0\t\n\r \"#%&'+,-./0129:;<=>?[\\]_`{|}~\x7f\x80\xc3\xe3\xff";

/// The most bytes of an input.
const MAX_BYTES: usize = 16 << 10;

/// An input of the corpus after up to eight changes.
pub(crate) fn mutated(corpus: &[Vec<u8>], dice: &mut StdRng) -> Vec<u8> {
    let mut input = chosen(corpus, dice).to_vec();
    for _ in 0..dice.random_range(1..=8) {
        change(&mut input, chosen(corpus, dice), dice);
    }
    input.truncate(MAX_BYTES);
    input
}

fn chosen<'c>(corpus: &'c [Vec<u8>], dice: &mut StdRng) -> &'c [u8] {
    &corpus[dice.random_range(0..corpus.len())]
}

fn change(input: &mut Vec<u8>, other: &[u8], dice: &mut StdRng) {
    let at = dice.random_range(0..=input.len());
    let part = at..dice.random_range(at..=input.len().min(at + 40));
    match dice.random_range(0..7) {
        0 => drop(input.drain(part)),
        1 => input.insert(at, TELLING[dice.random_range(0..TELLING.len())]),
        2 if at < input.len() => input[at] ^= 1 << dice.random_range(0..8),
        3 if at < input.len() => input[at] = dice.random(),
        // A part again and again: depth and length.
        4 => {
            let repeated = input[part].repeat(dice.random_range(1..60));
            drop(input.splice(at..at, repeated));
        }
        // A part of another one.
        _ => {
            let from = dice.random_range(0..=other.len());
            let to = dice.random_range(from..=other.len().min(from + 80));
            drop(input.splice(part, other[from..to].iter().copied()));
        }
    }
}
