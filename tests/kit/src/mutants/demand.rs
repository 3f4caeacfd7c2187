//! What is demanded of a suite: that it notices all of its mutants, or a sample of them.

use super::report::{Equivalent, Report};
use super::runner::{Run, Suite};
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// The part of its name by which mutants are chosen, in place of all or of a sample.
const ONE: &str = "MUTANT";
/// The seed of a sample, in place of the present time.
const SEED: &str = "MUTANTS_SEED";
/// How many a sample has.
const SAMPLE: usize = 200;
/// The size of a sample, in place of that one.
const COUNT: &str = "MUTANTS";

impl Suite {
    /// Tries every mutant (those that `MUTANT` names, where it is set) and prints the report. All are to be noticed,
    /// but at most 3% that do nothing wrong.
    ///
    /// # Panics
    /// Where one is not noticed, or one is said to do nothing wrong and is noticed.
    pub fn expect_all_noticed(&self, equivalents: &[Equivalent]) {
        let named = std::env::var(ONE).ok();
        let run = named.clone().map_or(Run::Whole, Run::Named);
        let report = self.run(&run);
        println!("{}", told(&report, equivalents));
        let (idle, count) = report.equivalents(equivalents);
        assert_eq!(report.survivors(equivalents), [""; 0], "these were not noticed");
        if named.is_none() {
            assert!(
                idle.is_empty(),
                "these are noticed, and said to do nothing wrong: {idle:?}"
            );
            assert!(
                count * 100 <= report.all() * 3,
                "{count} of {} are said to do nothing wrong",
                report.all()
            );
        }
    }

    /// Tries a sample of the mutants, drawn with a seed that is printed.
    ///
    /// # Panics
    /// Where one is not noticed.
    pub fn expect_sample_noticed(&self, equivalents: &[Equivalent]) {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_secs());
        let seed = std::env::var(SEED)
            .ok()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or(now);
        let count = std::env::var(COUNT)
            .ok()
            .and_then(|count| count.parse().ok())
            .unwrap_or(SAMPLE);
        println!("{SEED}={seed} {COUNT}={count}");
        let report = self.run(&Run::Sample(count, seed));
        println!("{}", told(&report, equivalents));
        let survivors = report.survivors(equivalents);
        assert!(
            survivors.is_empty(),
            "{SEED}={seed}: not noticed:\n  {}\none alone: {ONE}='a part of its name' with the ignored test `mutants`",
            survivors.join("\n  ")
        );
    }
}

fn told(report: &Report, equivalents: &[Equivalent]) -> String {
    let mut text = format!("{report}");
    let survivors = report.survivors(equivalents);
    let (_, count) = report.equivalents(equivalents);
    let _ = writeln!(
        text,
        "\n{count} more do nothing wrong; {} were not noticed:",
        survivors.len()
    );
    for survivor in survivors {
        let _ = writeln!(text, "- {survivor}");
    }
    text
}
