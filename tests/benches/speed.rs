//! The cost of the server: `cargo bench -p hitode-tests` prints it as Markdown tables, within some five minutes.
//!
//! Arguments after `--` select tables (`requests`, `writes`, `versions`, `waiting`, `start`, `search`, `lists` by default; `scale`, the cost of many
//! endpoints, `evolution`, the cost of a change of the contract, `peer`, the comparison with axum and SQLite, `backup`, `files`,
//! `database` and `fleet`, the engine over PostgreSQL, and `soak`, ten minutes of load, only on request),
//! and `--quick` makes one round of each. `--workers=10000,100000` selects numbers of workers for `peer`, one for `backup` and `database`,
//! `--other=PROGRAM` names another build of Hitode for `versions`. The tables go to standard output, the
//! progress to standard error.
//!
//! Do not compare numbers of two runs, because a machine is never quiet. In each round everything that a table compares is
//! measured once, one after the other, and a ratio is the median of the rounds' ratios. Servers are separate processes pinned
//! to a core. Their CPU and memory are read from `/proc`, so that the load does not count.

mod backup;
mod database;
mod emitted;
mod evolution;
mod files;
mod fleet;
mod latency;
mod lists;
mod load;
mod machine;
mod market;
mod peer;
mod population;
mod process;
mod raw;
mod requests;
mod scale;
mod search;
mod servers;
mod soak;
mod start;
mod table;
mod versions;
mod waiting;
mod writes;

use std::path::Path;
use std::process::ExitCode;

use machine::Cores;

/// That of the program.
#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

/// Measures, with its files in a folder and in this number of rounds (or the default), and prints its table.
type Measure = fn(&Path, Option<usize>, Cores);

const TABLES: [(&str, Measure); 15] = [
    ("requests", requests::measure),
    ("writes", writes::measure),
    ("versions", versions::measure),
    ("waiting", waiting::measure),
    ("start", start::measure),
    ("search", search::measure),
    ("lists", lists::measure),
    ("scale", scale::measure),
    ("evolution", evolution::measure),
    ("peer", peer::measure),
    ("backup", backup::measure),
    ("files", files::measure),
    ("database", database::measure),
    ("fleet", fleet::measure),
    ("soak", soak::measure),
];

/// They compile much and take long.
const ON_DEMAND: [&str; 8] = [
    "scale",
    "evolution",
    "peer",
    "backup",
    "files",
    "database",
    "fleet",
    "soak",
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
    const VALUES: [&str; 3] = [market::SELECT, versions::OTHER, soak::MINUTES];
    words.retain(|word| word != "--quick" && !VALUES.iter().any(|value| word.starts_with(value)));
    if let Some(word) = words.iter().find(|word| TABLES.iter().all(|(name, _)| name != word)) {
        let names = TABLES.map(|(name, _)| name).join(", ");
        eprintln!(
            "there is no table `{word}`: write any of {names}, --quick for one round, and {}10000,100000 to select \
             numbers of workers",
            market::SELECT
        );
        return ExitCode::FAILURE;
    }
    let cores = Cores::of_this_process();
    machine::stay_on(cores.load);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    machine::print(cores, folder.path());
    for (name, measure) in TABLES {
        let is_wanted = words.iter().any(|word| word == name);
        if is_wanted || (words.is_empty() && !ON_DEMAND.contains(&name)) {
            measure(folder.path(), is_quick.then_some(1), cores);
        }
    }
    ExitCode::SUCCESS
}
