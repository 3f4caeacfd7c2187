//! The demo's workers, as many as are wanted, always the same ones for a number. Each is drawn as a person first, and what
//! the service keeps of them is derived from that.

use std::collections::HashSet;

use serde::Serialize;

use super::dice::Dice;
use super::person::Person;
use super::places::{PREFECTURES, Prefecture};
use super::profile;
use super::skills::{SIDELINES, category_of};

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

/// Somebody who has to be there: what they do first of all, and their prefecture, any if it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) skill: &'static str,
    pub(super) prefecture: &'static str,
}

/// How many live in every prefecture; the others are spread as the inhabitants are.
const NUMBER_IN_EACH: usize = 2;
/// Those who have to be there are among so many first ones.
pub(super) const FRONT: usize = 330;
/// From so many headlines on that somebody else has, two are put together.
const PATIENCE: usize = 20;

/// All workers, one after the other, in no order that means anything.
pub(super) struct Crowd {
    dice: Dice,
    front: std::vec::IntoIter<(&'static Prefecture, &'static str)>,
    /// How many come after the front.
    left: usize,
    /// What was written already: digests of headlines and bios, to save memory.
    written: HashSet<u64>,
}

impl Crowd {
    /// So many workers, among them somebody for each part; there is room for the parts from a hundred workers on.
    pub(super) fn of(number: usize, parts: &[Part], seed: u64) -> Crowd {
        let mut dice = Dice::new(seed);
        let front = front(&mut dice, number.min(FRONT), parts);
        Crowd {
            dice,
            left: number - front.len(),
            front: front.into_iter(),
            written: HashSet::with_capacity(2 * number),
        }
    }

    fn worker(&mut self, home: &'static Prefecture, skill: &str) -> Worker {
        let dice = &mut self.dice;
        let person = Person::draw(dice, home, skill);
        let mut tries = 0;
        let headline = loop {
            tries += 1;
            let mut headline = profile::headline(&person, dice);
            if tries > PATIENCE {
                headline = format!("{headline}／{}", profile::headline(&person, dice));
            }
            if self.written.insert(digest(&headline)) {
                break headline;
            }
        };
        let bio = loop {
            let bio = profile::bio(&person, dice);
            if self.written.insert(digest(&bio)) {
                break bio;
            }
        };
        Worker {
            headline,
            bio,
            city: person.city.name,
            state: person.home.name,
            gender: person.gender.word(),
            hourly_rate: rate(dice, &person),
            rating: rating(dice, person.reviews),
            total_reviews: person.reviews,
            is_verified: dice.chance(if person.reviews == 0 { 25 } else { 70 }),
            is_available: dice.chance(88),
            skills: skills(dice, &person),
            name: person.name,
        }
    }
}

impl Iterator for Crowd {
    type Item = Worker;

    fn next(&mut self) -> Option<Worker> {
        if let Some((home, skill)) = self.front.next() {
            return Some(self.worker(home, skill));
        }
        self.left = self.left.checked_sub(1)?;
        let home = somewhere(&mut self.dice);
        Some(self.worker(home, ""))
    }
}

/// Where the first ones live, and what they have to do first of all: some in each prefecture, and one for each part.
fn front(dice: &mut Dice, number: usize, parts: &[Part]) -> Vec<(&'static Prefecture, &'static str)> {
    let mut homes: Vec<&Prefecture> = PREFECTURES.iter().flat_map(|home| [home; NUMBER_IN_EACH]).collect();
    while homes.len() < number {
        homes.push(somewhere(dice));
    }
    for last in (1..homes.len()).rev() {
        homes.swap(last, dice.below(last + 1));
    }
    let mut front: Vec<_> = homes.into_iter().map(|home| (home, "")).collect();
    // Those who have to live somewhere choose first.
    let (bound, free): (Vec<Part>, _) = parts.iter().partition(|part| !part.prefecture.is_empty());
    for part in bound.into_iter().chain::<Vec<Part>>(free) {
        let fits = |(home, skill): &&mut (&Prefecture, &str)| {
            skill.is_empty() && (part.prefecture.is_empty() || home.name == part.prefecture)
        };
        front
            .iter_mut()
            .find(fits)
            .expect("at most two parts are bound to a prefecture")
            .1 = part.skill;
    }
    front
}

fn somewhere(dice: &mut Dice) -> &'static Prefecture {
    dice.weighted(&PREFECTURES, Prefecture::inhabitants)
}

/// FNV-1a, 64 bits: the same on every machine and in every version.
fn digest(text: &str) -> u64 {
    let mix = |digest: u64, byte: u8| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Steps of 50 yen; experience and the place both show.
fn rate(dice: &mut Dice, person: &Person) -> usize {
    let (low, high) = person.calling.rate;
    let seniority = (person.years * 4).min(60);
    let share = (dice.below(60) + seniority).min(100);
    let yen = (low + (high - low) * share / 100) * person.home.price_percent / 100;
    // No prefecture's minimum wage is far below this.
    (yen.max(1_050) + 25) / 50 * 50
}

/// 0 for those whom nobody has rated.
fn rating(dice: &mut Dice, reviews: usize) -> f64 {
    match reviews {
        0 => 0.0,
        1 => *dice.pick(&[5.0, 5.0, 4.0, 3.0]),
        2 => *dice.pick(&[5.0, 4.5, 4.5, 4.0, 3.5]),
        _ if dice.chance(8) => dice.between(310, 399) as f64 / 100.0,
        _ => (5 * 100 - dice.below(10) * dice.below(10)) as f64 / 100.0,
    }
}

/// Those of the calling, a later one more rarely, and at times one beside it.
fn skills(dice: &mut Dice, person: &Person) -> Vec<Skill> {
    let mut names = vec![person.main_skill];
    let mut add = |dice: &mut Dice, name, percent| {
        if dice.chance(percent) && !names.contains(&name) {
            names.push(name);
        }
    };
    for other in person.calling.other_main_skills(person.main_skill) {
        add(dice, other, 60);
    }
    for (place, (name, takes)) in person.calling.skills.iter().enumerate() {
        if person.traits.have(*takes) {
            add(dice, name, 72 / (place + 1));
        }
    }
    let sideline = *dice.pick(&SIDELINES);
    add(dice, sideline, 22);
    let skills = names.into_iter().map(|name| Skill {
        name,
        category: category_of(name),
    });
    skills.collect()
}

#[cfg(test)]
mod tests;
