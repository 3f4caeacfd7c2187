//! What the server costs: `cargo bench -p hitode-tests` prints it as tables in Markdown, within some five minutes.
//!
//! Behind `--` may stand which tables are wanted (`requests`, `writes`, `start`, `scale`; all of them otherwise) and `--quick`, for
//! one round of each. Standard output has the tables, standard error tells how far it is.
//!
//! A machine is never quiet, so nothing here is to be compared between two runs: in each round everything that a table
//! compares is measured once, one after the other, and a ratio is the one in the middle of the rounds' ratios. Servers are
//! processes of their own, on a core of their own, whose CPU and memory are read from `/proc`, so that the load does not
//! count.

mod latency;
mod load;
mod machine;
mod market;
mod process;
mod raw;
mod requests;
mod scale;
mod servers;
mod start;
mod table;
mod writes;

use std::path::Path;
use std::process::ExitCode;

use machine::Cores;

/// Measures, with its files in a folder and in so many rounds (or as many as it takes), and prints its table.
type Measure = fn(&Path, Option<usize>, Cores);

const TABLES: [(&str, Measure); 4] = [
    ("requests", requests::measure),
    ("writes", writes::measure),
    ("start", start::measure),
    ("scale", scale::measure),
];

fn main() -> ExitCode {
    if let Some(code) = scale::package::compile_if_told() {
        return code;
    }
    if process::serve_if_told() {
        return ExitCode::SUCCESS;
    }
    // Cargo itself adds `--bench`.
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_quick = words.iter().any(|word| word == "--quick");
    words.retain(|word| word != "--quick");
    if let Some(word) = words.iter().find(|word| TABLES.iter().all(|(name, _)| name != word)) {
        eprintln!("there is no table `{word}`: write any of requests, writes, start, scale, and --quick for one round");
        return ExitCode::FAILURE;
    }
    let cores = Cores::of_this_process();
    machine::stay_on(cores.load);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    machine::print(cores, folder.path());
    for (name, measure) in TABLES {
        if words.is_empty() || words.iter().any(|word| word == name) {
            measure(folder.path(), is_quick.then_some(1), cores);
        }
    }
    ExitCode::SUCCESS
}
