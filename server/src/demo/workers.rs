//! The demo's workers: the lines of `workers.jsonl`, in the format that `hitode import` reads. A larger demo adds new
//! combinations of them.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

const LINES: &str = include_str!("workers.jsonl");

/// One worker, in the format of the API. The fields are the members that select workers or differ between
/// combinations; the others are in the profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WorkerLine {
    pub(super) name: String,
    gender: String,
    state: String,
    /// In yen.
    hourly_rate: u64,
    #[serde(default)]
    rating: f64,
    #[serde(default)]
    total_reviews: u64,
    #[serde(flatten)]
    profile: Map<String, Value>,
}

/// The first `number` workers, the same at every call: those of the file, then combinations of them. If `number` is smaller
/// than the file, the workers in `names` and one from each prefecture come first, so that none of them is left out.
pub(super) fn workers(number: usize, names: &HashSet<&str>) -> impl Iterator<Item = WorkerLine> {
    let mut listed = listed();
    if number < listed.len() {
        let mut states = HashSet::new();
        let is_needed = |worker: &WorkerLine| states.insert(worker.state.clone()) | names.contains(&*worker.name);
        let (needed, others): (Vec<_>, Vec<_>) = listed.into_iter().partition(is_needed);
        listed = [needed, others].concat();
    }
    let combinations = Combinations::from_workers(listed);
    (0..number).map(move |place| combinations.worker(place))
}

/// The workers of the file.
pub(super) fn listed() -> Vec<WorkerLine> {
    let worker = |line| serde_json::from_str(line).expect("a test has read every line");
    LINES.lines().map(worker).collect()
}

/// The file's profiles under names that are combined from the file's family names and given names.
struct Combinations {
    listed: Vec<WorkerLine>,
    families: Vec<String>,
    given_names: HashMap<String, Vec<String>>,
}

impl Combinations {
    fn from_workers(listed: Vec<WorkerLine>) -> Combinations {
        let mut families = Vec::new();
        let mut given_names: HashMap<String, Vec<String>> = HashMap::new();
        for worker in &listed {
            let (family, given_name) = worker.name.split_once(' ').expect("a test has split every name");
            add_new(&mut families, family);
            add_new(given_names.entry(worker.gender.clone()).or_default(), given_name);
        }
        Combinations {
            listed,
            families,
            given_names,
        }
    }

    /// Round 0 is the file itself. Each later round goes through all profiles again.
    fn worker(&self, place: usize) -> WorkerLine {
        let (round, profile) = (place / self.listed.len(), place % self.listed.len());
        let mut worker = self.listed[profile].clone();
        if round > 0 {
            worker.name = self.name(&worker.gender, round, profile);
            vary(&mut worker, round);
        }
        worker
    }

    /// The name of a profile in a round. No name repeats before every pair of a family name and a given name was used:
    /// each time the family names start again, the given names are shifted by one more.
    fn name(&self, gender: &str, round: usize, profile: usize) -> String {
        let (turn, shift) = (round / self.families.len(), round % self.families.len());
        let given_name = &self.given_names[gender];
        let family = &self.families[(profile + shift) % self.families.len()];
        let given_name = &given_name[(profile + 2 * shift + turn) % given_name.len()];
        format!("{family} {given_name}")
    }
}

fn add_new(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// Raises the rate in steps of 50 yen. Changes rating and reviews only where there are several reviews: texts may say that
/// there are none yet, and one or two reviews give a round rating.
fn vary(worker: &mut WorkerLine, round: usize) {
    let round = round as u64;
    worker.hourly_rate += 50 * (1 + round % 9);
    if worker.total_reviews > 2 {
        worker.total_reviews += round % 11;
        let rating = worker.rating + ((round % 13) as f64 - 6.0) / 100.0;
        worker.rating = (rating.clamp(3.0, 5.0) * 100.0).round() / 100.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::scenario::Scenario;
    use super::*;

    fn crowd(number: usize) -> Vec<WorkerLine> {
        workers(number, &HashSet::new()).collect()
    }

    #[test]
    fn each_size_has_workers_in_all_prefectures_and_all_whom_the_scenario_names() {
        let scenario = Scenario::read();
        let names = scenario.worker_names();
        for number in [100, 329, 330, 331, 1_000] {
            let workers: Vec<_> = workers(number, &names).collect();
            assert_eq!(workers.len(), number);
            let states: HashSet<_> = workers.iter().map(|worker| &*worker.state).collect();
            assert_eq!(states.len(), 47, "{number}");
            let present: HashSet<_> = workers.iter().map(|worker| &*worker.name).collect();
            assert!(names.is_subset(&present), "{number}");
            // The first start prints a search for a cook in Tokyo.
            let cooks = |worker: &WorkerLine| worker.profile["skills"].to_string().contains("\"Cooking\"");
            assert!(
                workers.iter().any(|worker| worker.state == "東京都" && cooks(worker)),
                "{number}"
            );
        }
    }

    #[test]
    fn a_larger_size_begins_with_the_workers_of_the_file() {
        assert_eq!(crowd(330), listed());
        assert_eq!(crowd(1_000)[..330], listed());
    }

    #[test]
    fn no_worker_of_a_hundred_thousand_is_there_twice() {
        let mut distinct = HashSet::new();
        for worker in crowd(100_000) {
            let headline = worker.profile["headline"].to_string();
            assert!(
                distinct.insert((worker.name.clone(), headline, worker.hourly_rate)),
                "{worker:?}"
            );
        }
    }

    #[test]
    fn a_combination_has_a_given_name_of_its_gender_and_plausible_numbers() {
        let given_name = |worker: &WorkerLine| {
            let (_, given_name) = worker.name.split_once(' ').expect("two names");
            (worker.gender.clone(), given_name.to_owned())
        };
        let known: HashSet<_> = listed().iter().map(given_name).collect();
        for worker in crowd(20_000) {
            assert!(known.contains(&given_name(&worker)), "{worker:?}");
            let yen = worker.hourly_rate;
            assert!((1_050..=10_000).contains(&yen) && yen % 50 == 0, "{worker:?}");
            assert_eq!(worker.rating == 0.0, worker.total_reviews == 0, "{worker:?}");
            assert!(
                worker.rating == 0.0 || (3.0..=5.0).contains(&worker.rating),
                "{worker:?}"
            );
        }
    }
}
