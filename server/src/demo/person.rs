//! Somebody who works: where, since when, with what, and in which tone they write about it. Whatever is said of them
//! afterwards follows from this, so that it agrees.

use super::callings::{CALLINGS, Calling};
use super::dice::Dice;
use super::grammar::{Line, Sections, Speaker, Speech};
use super::names::{self, Gender};
use super::places::{City, PREFECTURES, Prefecture};
use super::profile::{ENGLISH, JAPANESE};
use super::traits::Traits;

/// What is so of somebody.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) gender: Gender,
    pub(super) age: usize,
    /// For how many years they have done this.
    pub(super) years: usize,
    pub(super) home: &'static Prefecture,
    pub(super) city: &'static City,
    pub(super) calling: &'static Calling,
    /// What they do first of all.
    pub(super) main_skill: &'static str,
    /// How many have said how it was.
    pub(super) reviews: usize,
    pub(super) writes_english: bool,
    pub(super) traits: Traits,
    tone: Traits,
    facts: Vec<(&'static str, String)>,
}

/// Oldest whom the texts call young, and youngest whom they call old.
const YOUNG_AND_OLD: (usize, usize) = (29, 62);
/// From so many years on somebody is a veteran.
const VETERAN: usize = 10;

impl Person {
    /// Somebody who lives in `home` and does `skill` first of all; anything if it is empty.
    pub(super) fn draw(dice: &mut Dice, home: &'static Prefecture, skill: &str) -> Person {
        let city = home.city(dice);
        let place = home.traits_in(city);
        let calling = calling(dice, place, skill);
        let (main_skill, variant) = calling.main_skill(dice, skill);
        let gender = gender(dice, calling);
        let age = age(dice, calling);
        let day = day(dice, calling, gender, age);
        let second_career = day != "student" && day != "employee" && age >= 27 && dice.chance(40);
        let years = years(dice, age, day, second_career);
        let reviews = reviews(dice, years);
        let writes_english = dice.chance(calling.english_percent);
        let tone = tone(dice, age, writes_english);
        let mut person = Person {
            name: names::name(dice, gender, age, home.name),
            gender,
            age,
            years,
            home,
            city,
            calling,
            main_skill,
            reviews,
            writes_english,
            traits: place | tone | Traits::named(day) | calling.needs,
            tone,
            facts: Vec::new(),
        };
        person.traits = person.traits | person.life(dice) | Traits::when(second_career, "former");
        person.learn_of_place(dice);
        let words = variant.map(|variant| {
            if writes_english {
                &variant.english
            } else {
                &variant.japanese
            }
        });
        let words = words.into_iter().flatten().map(|word| (*word).to_owned());
        person.facts.extend(["v1", "v2"].into_iter().zip(words));
        for fact in ["role", "hobby", "former", "car"] {
            if let Some(told) = Speech::of(&person).say(dice, fact) {
                person.facts.push((fact, told));
            }
        }
        person
    }

    /// What else is true, as it is true of some people of this age, place and calling.
    fn life(&self, dice: &mut Dice) -> Traits {
        let (age, has) = (self.age, |name| self.traits.have(Traits::named(name)));
        let drives = match () {
            () if has("car") => true,
            () if age < 20 || has("bicycle") => false,
            () if has("student") => dice.chance(if has("country") { 50 } else { 12 }),
            () if has("tokyo") => dice.chance(30),
            () if has("country") => dice.chance(92),
            () => dice.chance(62),
        };
        let cycles = has("bicycle") || (!drives && age < 68 && dice.chance(55));
        [
            ("f", self.gender == Gender::Female),
            ("m", self.gender == Gender::Male),
            ("young", age <= YOUNG_AND_OLD.0),
            ("old", age >= YOUNG_AND_OLD.1),
            ("parent", (31..=52).contains(&age) && dice.chance(45)),
            ("grandparent", age >= 63 && dice.chance(55)),
            ("cat", dice.chance(14)),
            ("dog", age >= 24 && dice.chance(10)),
            ("years", self.years >= 2),
            ("veteran", self.years >= VETERAN),
            ("novice", self.years == 0),
            ("mover", dice.chance(22)),
            ("reviewed", self.reviews > 2),
            ("unreviewed", self.reviews == 0),
            ("car", drives),
            ("bicycle", cycles),
            ("walks", !drives && !cycles),
        ]
        .into_iter()
        .map(|(name, holds)| Traits::when(holds, name))
        .collect()
    }

    /// The names of where they live, and of where they came from, in the language in which they write.
    fn learn_of_place(&mut self, dice: &mut Dice) {
        let first = dice.below(self.city.areas.len());
        let second = (first + dice.between(1, self.city.areas.len() - 1)) % self.city.areas.len();
        let origins: Vec<_> = PREFECTURES.iter().filter(|one| one.name != self.home.name).collect();
        let origin = *dice.weighted(&origins, |origin| origin.inhabitants());
        let (city, prefecture, origin) = match self.writes_english {
            true => (self.city.english, self.home.english, origin.english),
            false => (self.city.name, self.home.name, origin.name),
        };
        let years = self.years.to_string();
        let facts = [
            ("city", city),
            ("prefecture", prefecture),
            ("origin", origin),
            ("area", self.city.areas[first]),
            ("area2", self.city.areas[second]),
            ("years", &years),
        ];
        self.facts.extend(facts.map(|(name, fact)| (name, fact.to_owned())));
    }

    /// How those of the same calling write.
    pub(super) fn own_words(&self) -> &'static Sections {
        match self.writes_english {
            true => &self.calling.english,
            false => &self.calling.japanese,
        }
    }

    /// How everybody writes.
    pub(super) fn common_words(&self) -> &'static Sections {
        if self.writes_english { &ENGLISH } else { &JAPANESE }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.traits.have(Traits::named(name))
    }
}

impl Speaker for Person {
    fn traits(&self) -> Traits {
        self.traits
    }

    fn tone(&self) -> Traits {
        self.tone
    }

    fn fact(&self, name: &str) -> Option<&str> {
        // In English the word for what somebody is comes with its article, which some places cannot have.
        if name == "role_bare" {
            let role = self.fact("role")?;
            return role.split_once(' ').map(|(_article, role)| role);
        }
        self.facts
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, fact)| fact.as_str())
    }

    fn lines(&self, name: &str) -> &[Line] {
        match self.own_words().of(name) {
            [] => self.common_words().of(name),
            own => own,
        }
    }
}

/// One that people have where `place` is true, and that can lead with `skill`.
fn calling(dice: &mut Dice, place: Traits, skill: &str) -> &'static Calling {
    let needs_place = Traits::named("urban");
    let weight = |calling: &Calling| {
        let is_there = !place.have_any(calling.bars) && (place.have(needs_place) || !calling.needs.have(needs_place));
        let leads = skill.is_empty() || calling.leads_with(skill);
        if is_there && leads { calling.weight } else { 0 }
    };
    dice.weighted(&CALLINGS, weight)
}

fn gender(dice: &mut Dice, calling: &Calling) -> Gender {
    match dice.chance(calling.women_percent) {
        _ if calling.women_percent < 100 && dice.chance(3) => Gender::Other,
        true => Gender::Female,
        false => Gender::Male,
    }
}

/// Mostly in the middle of what is usual.
fn age(dice: &mut Dice, calling: &Calling) -> usize {
    let (youngest, oldest) = calling.ages;
    let span = oldest - youngest + 1;
    youngest + (dice.below(span) + dice.below(span)) / 2
}

/// How somebody spends the day, by the name of its trait.
fn day(dice: &mut Dice, calling: &Calling, gender: Gender, age: usize) -> &'static str {
    let keeps_house = if gender == Gender::Female { 24 } else { 3 };
    let (student, employee, freelance, homemaker, retired) = match age {
        ..=22 => (60, 12, 28, 0, 0),
        23..=29 => (8, 42, 48, 2, 0),
        30..=59 => (0, 34, 44, keeps_house, 0),
        60..=64 => (0, 18, 38, keeps_house / 2, 28),
        _ => (0, 2, 26, keeps_house / 4, 68),
    };
    let days = [
        ("student", student),
        ("employee", employee),
        ("freelance", freelance),
        ("homemaker", homemaker),
        ("retired", retired),
    ];
    let weight = |day: &(&str, usize)| {
        if calling.bars.have(Traits::named(day.0)) {
            0
        } else {
            day.1
        }
    };
    dice.weighted(&days, weight).0
}

/// Never more than could be since school, or since the career before.
fn years(dice: &mut Dice, age: usize, day: &str, second_career: bool) -> usize {
    let most = match day {
        "student" => 3.min(age - 18),
        _ if second_career => (age - 22) / 2,
        _ => age - 18,
    };
    match dice.below(100) {
        ..12 => 0,
        12..72 => dice.between(1, 11).min(most),
        _ => dice.below(most + 1).min(46),
    }
}

/// How many have said how it was: none of most who have just begun.
fn reviews(dice: &mut Dice, years: usize) -> usize {
    if dice.chance(if years == 0 { 60 } else { 11 }) {
        return 0;
    }
    let many = if years == 0 { 3 } else { 9 };
    1 + dice.below(many) * dice.below(many) + dice.below(4)
}

fn tone(dice: &mut Dice, age: usize, english: bool) -> Traits {
    let young = age <= YOUNG_AND_OLD.0;
    let tones = match english {
        true => [("native", 15), ("plain", 45), ("learner", 40)],
        false => [
            ("calm", 55),
            ("bright", if young { 45 } else { 24 }),
            ("formal", if young { 3 } else { 18 }),
        ],
    };
    Traits::named(dice.weighted(&tones, |tone| tone.1).0)
}

#[cfg(test)]
mod tests {
    use super::super::profile;
    use super::*;

    fn people() -> Vec<Person> {
        let mut dice = Dice::new(1);
        let mut people = Vec::new();
        for home in PREFECTURES.iter().cycle().take(3_000) {
            people.push(Person::draw(&mut dice, home, ""));
        }
        people
    }

    #[test]
    fn nobody_has_done_anything_for_longer_than_can_be() {
        for person in people() {
            let (youngest, oldest) = person.calling.ages;
            assert!(
                (youngest..=oldest).contains(&person.age) && person.age >= 18,
                "{person:?}"
            );
            assert!(person.years <= person.age - 18, "{person:?}");
            assert!(
                !person.is("student") || (person.age <= 29 && person.years <= 3),
                "{person:?}"
            );
            assert!(
                !person.is("former") || (person.age >= 27 && person.years * 2 <= person.age - 22),
                "{person:?}"
            );
            assert!(!person.is("retired") || person.age >= 60, "{person:?}");
            assert!(!person.is("grandparent") || person.age >= 60, "{person:?}");
        }
    }

    #[test]
    fn everybody_is_what_the_calling_asks_for_and_nothing_that_it_bars() {
        for person in people() {
            assert!(person.traits.have(person.calling.needs), "{person:?}");
            assert!(!person.traits.have_any(person.calling.bars), "{person:?}");
            assert!(!(person.is("car") && person.is("walks")), "{person:?}");
            assert!(person.calling.leads_with(person.main_skill), "{person:?}");
        }
    }

    #[test]
    fn years_and_stages_of_life_in_a_text_are_the_persons() {
        let mut dice = Dice::new(2);
        for person in people() {
            let text = format!(
                "{}。{}",
                profile::headline(&person, &mut dice),
                profile::bio(&person, &mut dice)
            );
            for (word, name) in [
                ("大学生", "student"),
                ("ゼミ", "student"),
                ("定年", "retired"),
                ("会社に勤めています", "employee"),
                ("主婦です", "homemaker"),
                ("孫が", "grandparent"),
                ("この春から", "novice"),
                ("final-year", "student"),
                ("I retired", "retired"),
            ] {
                assert!(!text.contains(word) || person.is(name), "{word}: {text} {person:?}");
            }
            if let Some((before, _)) = text.split_once("年になります") {
                let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                let years = &before[before.len() - digits..];
                assert!(
                    years.is_empty() || years == person.years.to_string(),
                    "{text} {person:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_named_near_somebody_lies_in_their_city() {
        for person in people().iter().filter(|person| !person.writes_english) {
            let area = |name| person.fact(name).expect("a place");
            assert!(person.city.areas.contains(&area("area")) && person.city.areas.contains(&area("area2")));
            assert_ne!(area("area"), area("area2"), "{person:?}");
        }
    }
}
