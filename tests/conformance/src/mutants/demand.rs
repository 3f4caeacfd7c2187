//! What is demanded of a suite: that it notices all of its mutants, or a sample of them.

use super::report::{Excused, Report};
use super::runner::{Run, Suite};
use std::fmt::Write as _;

/// The part of its name by which mutants are chosen, in place of all or of a sample.
const ONE: &str = "MUTANT";
/// The seed of a sample, in place of 1.
const SEED: &str = "MUTANTS_SEED";
/// How many a sample has.
const SAMPLE: usize = 100;
/// The size of a sample, in place of that one.
const COUNT: &str = "MUTANTS";

/// Mutants that a suite does not notice, with the reason for each.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Those that do nothing wrong, or nothing that a contract lets anyone see.
    pub equivalent: &'static [Excused],
    /// Those that do something wrong, which the suite cannot see yet.
    pub unnoticed: &'static [Excused],
}

impl Known {
    fn all(self) -> Vec<Excused> {
        [self.equivalent, self.unnoticed].concat()
    }
}

impl Suite {
    /// Tries every mutant (those that `MUTANT` names, where it is set) and prints the report. All are to be noticed but
    /// those that are known, which may be 3% at most.
    ///
    /// # Panics
    /// Where another one is not noticed, or one that is said to do nothing wrong is.
    pub fn expect_all_noticed(&self, known: Known) {
        let named = std::env::var(ONE).ok();
        let run = named.clone().map_or(Run::Whole, Run::Named);
        let report = self.run(&run);
        println!("{}", told(&report, known));
        assert_eq!(report.survivors(&known.all()), [""; 0], "these were not noticed");
        if named.is_none() {
            let (wrong, _) = report.excused(known.equivalent);
            assert!(
                wrong.is_empty(),
                "these are noticed, so they do something wrong: {wrong:?}"
            );
            // Whether one of the others is noticed may be chance: time goes on.
            let (noticed, _) = report.excused(known.unnoticed);
            println!("these were noticed this time: {noticed:?}");
            let (all, (_, count)) = (report.all(), report.excused(&known.all()));
            assert!(
                count * 100 <= all * 3,
                "{count} of {all} are known not to be noticed, more than 3%"
            );
        }
    }

    /// Tries a sample of the mutants, drawn with a seed that is printed.
    ///
    /// # Panics
    /// Where one is not noticed that is not known.
    pub fn expect_sample_noticed(&self, known: Known) {
        let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let seed = number(SEED).unwrap_or(1);
        let count = number(COUNT).and_then(|count| usize::try_from(count).ok());
        let count = count.unwrap_or(SAMPLE);
        println!("{SEED}={seed} {COUNT}={count}");
        let report = self.run(&Run::Sample(count, seed));
        println!("{}", told(&report, known));
        let survivors = report.survivors(&known.all());
        assert!(
            survivors.is_empty(),
            "not noticed:\n  {}\nthe same sample again: {SEED}={seed} {COUNT}={count}; one alone: \
             {ONE}='a part of its name' with the ignored test `mutants`",
            survivors.join("\n  ")
        );
    }
}

fn told(report: &Report, known: Known) -> String {
    let mut text = format!("{report}");
    let survivors = report.survivors(&known.all());
    let (_, equivalent) = report.excused(known.equivalent);
    let (_, unnoticed) = report.excused(known.unnoticed);
    let _ = writeln!(
        text,
        "\n{equivalent} more do nothing wrong; {unnoticed} are known not to be noticed; {} others were not noticed:",
        survivors.len()
    );
    for survivor in survivors {
        let _ = writeln!(text, "- {survivor}");
    }
    text
}
