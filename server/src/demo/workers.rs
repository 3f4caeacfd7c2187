//! The demo's workers, made of places, names and callings.

use std::collections::HashSet;

use serde::Serialize;

use super::callings::{self, Calling, ENGLISH_CLOSINGS, JAPANESE_CLOSINGS};
use super::dice::Dice;
use super::names;
use super::places::{PREFECTURES, Prefecture};
use super::skills::{CATEGORIES, category_of};

/// A worker as the operator would enter one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Worker {
    pub(super) name: String,
    headline: String,
    bio: String,
    city: &'static str,
    state: &'static str,
    gender: &'static str,
    /// Yen.
    hourly_rate: usize,
    rating: f64,
    total_reviews: usize,
    is_verified: bool,
    is_available: bool,
    skills: Vec<Skill>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Skill {
    name: &'static str,
    category: &'static str,
}

impl Worker {
    /// Whether this is the worker's prefecture; everybody lives in the empty one.
    pub(super) fn lives_in(&self, prefecture: &str) -> bool {
        prefecture.is_empty() || self.state == prefecture
    }

    /// Whether the worker has this skill; everybody has the empty one.
    pub(super) fn has(&self, skill: &str) -> bool {
        skill.is_empty() || self.skills.iter().any(|had| had.name == skill)
    }

    /// Whether it is what the worker does first of all.
    pub(super) fn has_as_main(&self, skill: &str) -> bool {
        skill.is_empty() || self.skills[0].name == skill
    }

    /// Whether what the worker does first of all is in the skill's category.
    pub(super) fn works_near(&self, skill: &str) -> bool {
        self.skills[0].category == category_of(skill)
    }
}

/// How many there are.
pub(super) const NUMBER: usize = 330;
/// How many live in every prefecture; the others are spread as the inhabitants are.
const NUMBER_IN_EACH: usize = 2;

/// All of them, always the same ones, in no order that means anything.
pub(super) fn all(dice: &mut Dice) -> Vec<Worker> {
    let mut homes: Vec<&Prefecture> = PREFECTURES.iter().flat_map(|home| [home; NUMBER_IN_EACH]).collect();
    while homes.len() < NUMBER {
        homes.push(dice.weighted(&PREFECTURES, |home| home.inhabitants));
    }
    for last in (1..homes.len()).rev() {
        homes.swap(last, dice.below(last + 1));
    }
    let mut taken = HashSet::new();
    homes
        .into_iter()
        .map(|home| {
            loop {
                let worker = worker(dice, home);
                if taken.insert(worker.name.clone()) && taken.insert(worker.bio.clone()) {
                    return worker;
                }
            }
        })
        .collect()
}

fn worker(dice: &mut Dice, home: &'static Prefecture) -> Worker {
    let all = callings::all();
    let calling = dice.weighted(&all, |calling| calling.weight);
    let gender = dice.weighted(&names::GENDERS, |gender| gender.1).0;
    let city = pick_early(dice, home.cities);
    let experience = dice.between(2, 9) + dice.below(18) * dice.below(2);
    let (headline, bio) = profile(dice, calling, home, city, experience);
    let (rating, total_reviews) = reputation(dice);
    Worker {
        name: names::name(dice, gender, home.name),
        headline,
        bio,
        city,
        state: home.name,
        gender,
        hourly_rate: rate(dice, calling, home, experience),
        rating,
        total_reviews,
        is_verified: dice.chance(if total_reviews == 0 { 25 } else { 70 }),
        is_available: dice.chance(88),
        skills: skills(dice, calling),
    }
}

fn profile(dice: &mut Dice, calling: &Calling, home: &Prefecture, city: &str, years: usize) -> (String, String) {
    let english = dice.chance(22);
    let (words, between) = if english {
        (&calling.english, " ")
    } else {
        (&calling.japanese, "")
    };
    let closings: &[_] = if english { &ENGLISH_CLOSINGS } else { &JAPANESE_CLOSINGS };
    let mut sentence = |choices: &[&'static str]| {
        let text = dice
            .pick(choices)
            .replace("{city}", city)
            .replace("{prefecture}", home.english);
        text.replace("{years}", &years.to_string())
    };
    let headline = sentence(words.headlines);
    let bio = [sentence(words.openings), sentence(words.details), sentence(closings)].join(between);
    (headline, bio)
}

/// Steps of 50 yen; experience and the place both show.
fn rate(dice: &mut Dice, calling: &Calling, home: &Prefecture, experience: usize) -> usize {
    let (low, high) = calling.rate;
    let seniority = (experience * 4).min(60);
    let share = (dice.below(60) + seniority).min(100);
    let yen = (low + (high - low) * share / 100) * home.price_percent() / 100;
    // No prefecture's minimum wage is far below this.
    (yen.max(1_050) + 25) / 50 * 50
}

/// Rating and number of reviews; both are 0 for those who have just begun.
fn reputation(dice: &mut Dice) -> (f64, usize) {
    if dice.chance(17) {
        return (0.0, 0);
    }
    let reviews = 1 + dice.below(9) * dice.below(9) + dice.below(4);
    let rating = match reviews {
        1 => *dice.pick(&[5.0, 5.0, 4.0, 3.0]),
        2 => *dice.pick(&[5.0, 4.5, 4.5, 4.0, 3.5]),
        _ if dice.chance(8) => dice.between(310, 399) as f64 / 100.0,
        _ => (5 * 100 - dice.below(10) * dice.below(10)) as f64 / 100.0,
    };
    (rating, reviews)
}

/// Those of the calling, a later one more rarely, and at times one that nobody would have guessed.
fn skills(dice: &mut Dice, calling: &Calling) -> Vec<Skill> {
    let mut names = vec![calling.skills[0]];
    for (place, skill) in calling.skills.iter().enumerate().skip(1) {
        if dice.chance(70 / place) {
            names.push(skill);
        }
    }
    if dice.chance(35) {
        let category = dice.pick(&CATEGORIES);
        let unexpected = pick_early(dice, category.1);
        if !names.contains(&unexpected) {
            names.push(unexpected);
        }
    }
    names
        .into_iter()
        .map(|name| Skill {
            name,
            category: category_of(name),
        })
        .collect()
}

/// One of `items`, the earlier ones more often.
fn pick_early(dice: &mut Dice, items: &[&'static str]) -> &'static str {
    let end = dice.between(1, items.len());
    items[dice.below(end)]
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    fn workers() -> Vec<Worker> {
        all(&mut Dice::new(1))
    }

    #[test]
    fn the_same_seed_makes_the_same_workers() {
        assert_eq!(workers(), workers());
        assert_ne!(workers(), all(&mut Dice::new(2)));
    }

    #[test]
    fn they_live_in_every_prefecture_and_mostly_where_most_people_do() {
        let mut inhabitants = HashMap::new();
        for worker in workers() {
            *inhabitants.entry(worker.state).or_insert(0) += 1;
            let home = PREFECTURES
                .iter()
                .find(|home| home.name == worker.state)
                .expect("a prefecture");
            assert!(home.cities.contains(&worker.city), "{worker:?}");
        }
        assert_eq!(inhabitants.len(), 47);
        assert!(inhabitants.values().all(|number| *number >= NUMBER_IN_EACH));
        assert!(inhabitants["東京都"] > 4 * inhabitants["鳥取県"], "{inhabitants:?}");
    }

    #[test]
    fn nobody_is_anybody_elses_copy() {
        let workers = workers();
        let names: HashSet<_> = workers.iter().map(|worker| &worker.name).collect();
        let bios: HashSet<_> = workers.iter().map(|worker| &worker.bio).collect();
        assert_eq!((names.len(), bios.len()), (NUMBER, NUMBER));
    }

    #[test]
    fn their_skills_are_many_and_unevenly_spread() {
        let mut holders: HashMap<_, usize> = HashMap::new();
        let mut categories = HashSet::new();
        for worker in workers() {
            for skill in &worker.skills {
                *holders.entry(skill.name).or_default() += 1;
                categories.insert(skill.category);
            }
            let names: HashSet<_> = worker.skills.iter().map(|skill| skill.name).collect();
            assert_eq!(names.len(), worker.skills.len(), "{worker:?}");
        }
        assert!(holders.len() >= 40 && categories.len() >= 8, "{holders:?}");
        let (most, least) = (
            holders.values().max().expect("some"),
            holders.values().min().expect("some"),
        );
        assert!(*most > 15 * *least, "{holders:?}");
    }

    #[test]
    fn the_texts_are_filled_in_and_the_numbers_are_plausible() {
        for worker in workers() {
            assert!(
                !format!("{worker:?}").contains("{city}") && !worker.bio.contains("{years}"),
                "{worker:?}"
            );
            assert!(
                (1_050..=8_000).contains(&worker.hourly_rate) && worker.hourly_rate % 50 == 0,
                "{worker:?}"
            );
            assert_eq!(worker.rating == 0.0, worker.total_reviews == 0, "{worker:?}");
            assert!(
                worker.rating == 0.0 || (3.0..=5.0).contains(&worker.rating),
                "{worker:?}"
            );
        }
        let unrated = workers().iter().filter(|worker| worker.total_reviews == 0).count();
        assert!((20..=90).contains(&unrated), "{unrated}");
    }
}
