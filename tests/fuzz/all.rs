//! Replays the corpus, and random changes of it with a fixed seed. Every input that once made a decoder fail is in the
//! corpus. `run` searches for more.

mod mutate;

use std::fs;
use std::path::Path;

use fuzz::DECODERS;
use rand::SeedableRng;
use rand::rngs::StdRng;

/// How many random inputs each decoder gets.
fn random_inputs() -> u64 {
    let number = std::env::var("HITODE_FUZZ").ok();
    number.map_or(2_000, |number| number.parse().expect("HITODE_FUZZ is a number"))
}

/// The input of a line: `\\` is a backslash, `\xe3` a byte.
fn unescaped(line: &str) -> Vec<u8> {
    let mut parts = line.split('\\');
    let mut input = parts.next().unwrap_or_default().as_bytes().to_vec();
    while let Some(part) = parts.next() {
        match part.strip_prefix('x').and_then(|digits| digits.split_at_checked(2)) {
            Some((byte, rest)) => {
                input.push(u8::from_str_radix(byte, 16).expect("two digits"));
                input.extend(rest.as_bytes());
            }
            // Between two backslashes there is nothing.
            None => {
                input.push(b'\\');
                input.extend(parts.next().unwrap_or_default().as_bytes());
            }
        }
    }
    input
}

/// A test thread has the stack of a thread of the server.
fn check(name: &str) {
    let decoder = DECODERS.iter().find(|decoder| decoder.name == name).expect("a decoder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let text = fs::read_to_string(file.with_extension("txt")).expect("a corpus");
    let corpus: Vec<Vec<u8>> = text.lines().map(unescaped).collect();
    assert!(corpus.len() >= 10, "{name}: {} inputs", corpus.len());
    let mut dice = StdRng::seed_from_u64(1);
    let random = (0..random_inputs()).map(|_| mutate::mutated(&corpus, &mut dice));
    for input in corpus.iter().cloned().chain(random) {
        // Shown if the decoder panics.
        println!("{}", input.escape_ascii());
        (decoder.run)(&input);
    }
}

#[test]
fn a_query_is_decoded_or_rejected() {
    check("query");
}

#[test]
fn a_path_is_decoded_or_rejected() {
    check("path");
}

#[test]
fn headers_are_decoded_or_rejected() {
    check("header");
}

#[test]
fn a_body_is_decoded_or_rejected() {
    check("body");
}

#[test]
fn only_the_credential_itself_is_accepted() {
    check("credential");
}

#[test]
fn a_request_to_the_tools_is_decoded_or_rejected() {
    check("mcp");
}

#[test]
fn a_url_leads_to_a_public_address_or_nowhere() {
    check("url");
}

#[test]
fn a_backup_is_read_as_it_was_written_or_rejected() {
    check("backup");
}

#[test]
fn an_image_is_copied_without_metadata_or_rejected() {
    check("image");
}

#[test]
fn a_contract_is_compiled_or_gets_diagnostics() {
    check("contract");
}

#[test]
fn a_line_of_a_corpus_is_an_input() {
    assert_eq!(unescaped(r"a\\x41\x41\\\x00b\\"), b"a\\x41A\\\0b\\");
}
