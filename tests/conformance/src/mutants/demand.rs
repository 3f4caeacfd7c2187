//! The demand on a suite: it kills all of its mutants, or a sample of them.

use super::report::{KnownSurvivor, Report};
use super::runner::{MutationTests, Run};
use std::fmt::Write as _;

/// Environment variable: a part of the names of the mutants to run, in place of all or of a sample.
const ONE: &str = "MUTANT";
/// Environment variable: the seed of a sample. The default is 1.
const SEED: &str = "MUTANTS_SEED";
/// The default size of a sample.
const SAMPLE: usize = 100;
/// Environment variable: the size of a sample.
const COUNT: &str = "MUTANTS";

/// Known surviving mutants, with the reason for each.
#[derive(Clone, Copy, Debug)]
pub struct KnownSurvivors {
    /// Mutants without a defect, or with one that a contract lets nobody observe.
    pub equivalent: &'static [KnownSurvivor],
    /// Mutants with a defect that the suite cannot detect yet.
    pub undetected: &'static [KnownSurvivor],
}

impl KnownSurvivors {
    fn all(self) -> Vec<KnownSurvivor> {
        [self.equivalent, self.undetected].concat()
    }
}

impl MutationTests {
    /// Tries every mutant (those that `MUTANT` names, if it is set) and prints the results. All must be killed but the
    /// known ones, which may be 3% at most.
    ///
    /// # Panics
    /// If another one survives, or one that is listed as equivalent is killed.
    pub fn expect_all_killed(&self, known: KnownSurvivors) {
        let named = std::env::var(ONE).ok();
        let run = named.clone().map_or(Run::Whole, Run::Named);
        let report = self.run(&run);
        println!("{}", render_report(&report, known));
        assert_eq!(report.survivors(&known.all()), [""; 0], "these were not noticed");
        if named.is_none() {
            let (wrong, _) = report.excused(known.equivalent);
            assert!(
                wrong.is_empty(),
                "these are noticed, so they do something wrong: {wrong:?}"
            );
            // Whether one of the others is killed may be chance, since time goes on.
            let (killed, _) = report.excused(known.undetected);
            println!("these were noticed this time: {killed:?}");
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
    /// If an unknown one survives.
    pub fn expect_sample_killed(&self, known: KnownSurvivors) {
        let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let seed = number(SEED).unwrap_or(1);
        let count = number(COUNT).and_then(|count| usize::try_from(count).ok());
        let count = count.unwrap_or(SAMPLE);
        println!("{SEED}={seed} {COUNT}={count}");
        let report = self.run(&Run::Sample(count, seed));
        println!("{}", render_report(&report, known));
        let survivors = report.survivors(&known.all());
        assert!(
            survivors.is_empty(),
            "not noticed:\n  {}\nthe same sample again: {SEED}={seed} {COUNT}={count}; one alone: \
             {ONE}='a part of its name' with the ignored test `mutants`",
            survivors.join("\n  ")
        );
    }
}

fn render_report(report: &Report, known: KnownSurvivors) -> String {
    let mut text = format!("{report}");
    let survivors = report.survivors(&known.all());
    let (_, equivalent) = report.excused(known.equivalent);
    let (_, undetected) = report.excused(known.undetected);
    let _ = writeln!(
        text,
        "\n{equivalent} more do nothing wrong; {undetected} are known not to be noticed; {} others were not noticed:",
        survivors.len()
    );
    for survivor in survivors {
        let _ = writeln!(text, "- {survivor}");
    }
    text
}
