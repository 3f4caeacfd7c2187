//! For any change of a contract, codegen reports errors or writes Rust that compiles: no broken input panics, overflows the
//! stack, hangs or passes silently.
//!
//! `SEED=n` repeats a run or makes another one, `MUTATIONS=n` makes a longer one, `ACCEPTED=n` compiles more of the accepted
//! mutants. If the process dies, its last input is in `target/tmp/mutations/`.

mod compiled;
pub(crate) mod random;
mod structure;
mod text;
pub(crate) mod yaml;

use codegen::Options;
use random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;
use yaml::Yaml;

const CONTRACTS: [&str; 3] = [
    include_str!("../../../api.yaml"),
    include_str!("../ui/base.yaml"),
    include_str!("../../../tests/lockers/api.yaml"),
];
const OPTIONS: Options<'_> = Options {
    file: "api.yaml",
    support: "codegen_support",
};
/// A contract of this size takes less than seconds: one that takes a minute hangs.
const HANGS_AFTER: Duration = Duration::from_secs(60);

#[test]
fn mutated_contracts_neither_panic_nor_hang() {
    let seed = number("SEED").unwrap_or(20_250_614);
    let rounds = number("MUTATIONS").unwrap_or(150);
    println!("SEED={seed} MUTATIONS={rounds}");
    let (done, waiting) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        for round in 0..rounds {
            let contract = mutant(seed, round);
            remember(&contract);
            let outcome = catch_unwind(AssertUnwindSafe(|| judged(&contract)));
            assert!(
                outcome.is_ok(),
                "SEED={seed}, round {round}: panicked at this contract:\n{contract}"
            );
            done.send(round).expect("somebody waits");
        }
    });
    loop {
        match waiting.recv_timeout(HANGS_AFTER) {
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                panic!("SEED={seed}: hangs at the contract in {}", last_input().display())
            }
        }
    }
    if worker.join().is_err() {
        panic!("see above");
    }
}

/// The contract of a round: a test contract with one to four changes.
pub(crate) fn mutant(seed: u64, round: u64) -> String {
    let mut random = Random::new(seed.wrapping_add(round.wrapping_mul(0x0100_0193)));
    let contract = *random.of(&CONTRACTS);
    if random.below(2) == 0 {
        let times = random.below(3);
        return (0..=times).fold(contract.to_owned(), |contract, _| text::mutated(&contract, &mut random));
    }
    let mut tree = Yaml::parse(contract).expect("ours are YAML");
    for _ in 0..=random.below(4) {
        structure::mutated(&mut tree, &mut random);
    }
    tree.render()
}

/// The code of an accepted contract, `None` for a rejected one. Diagnostics must render without a panic, each at a
/// position of the file, and code must be Rust.
fn judged(contract: &str) -> Option<String> {
    match codegen::compile(contract) {
        Ok(model) => Some(codegen::emit::rust(&model, OPTIONS)),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "rejected without a reason");
            let lines = contract.lines().count() + 1;
            for diagnostic in &diagnostics {
                assert!(
                    (1..=lines).contains(&diagnostic.at.line),
                    "a report at no place: {diagnostic:?}"
                );
                assert!(
                    !diagnostic.message.is_empty(),
                    "a report without a message: {diagnostic:?}"
                );
            }
            let rendered = codegen::diagnostic::render(&diagnostics, "api.yaml", contract);
            assert!(!rendered.is_empty(), "no report is shown");
            None
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutations")
}

fn last_input() -> PathBuf {
    folder().join("last.yaml")
}

/// Saves the next input, in case the process dies.
fn remember(contract: &str) {
    std::fs::create_dir_all(folder()).expect("the target directory can be written");
    std::fs::write(last_input(), contract).expect("the target directory can be written");
}

pub(crate) fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
