//! Names of people as they are written in Japan: family name, space, given name.

use std::sync::LazyLock;

use super::dice::Dice;

/// The year in which the demo's people have their ages.
const YEAR: usize = 2026;

static NAMES: LazyLock<Names> = LazyLock::new(|| Names {
    families: words(include_str!("words/families.txt")),
    families_of_okinawa: words(include_str!("words/families_of_okinawa.txt")),
    women: generations(include_str!("words/women.txt")),
    men: generations(include_str!("words/men.txt")),
    anybody: words(include_str!("words/anybody.txt")),
});

/// All lists have the commonest first.
struct Names {
    families: Vec<&'static str>,
    families_of_okinawa: Vec<&'static str>,
    women: Vec<Generation>,
    men: Vec<Generation>,
    anybody: Vec<&'static str>,
}

/// The given names of those who were born up to a year.
struct Generation {
    last_year: usize,
    names: Vec<&'static str>,
}

/// A person's gender, as the contract's words have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gender {
    Female,
    Male,
    Other,
}

impl Gender {
    /// As the contract writes it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Gender::Female => "female",
            Gender::Male => "male",
            Gender::Other => "other",
        }
    }
}

/// A name for somebody of this gender and age who lives in the prefecture `prefecture`.
pub(super) fn name(dice: &mut Dice, gender: Gender, age: usize, prefecture: &str) -> String {
    let family = if prefecture == "沖縄県" && dice.chance(70) {
        common(dice, &NAMES.families_of_okinawa)
    } else {
        common(dice, &NAMES.families)
    };
    let given = match gender {
        Gender::Female => common(dice, of_age(&NAMES.women, age)),
        Gender::Male => common(dice, of_age(&NAMES.men, age)),
        Gender::Other => dice.pick(&NAMES.anybody),
    };
    format!("{family} {given}")
}

/// One of `names`: the first is some thirty times as common as the four hundredth, as it is with family names in Japan.
fn common(dice: &mut Dice, names: &[&'static str]) -> &'static str {
    let weight = |rank: usize| 10_000 / (rank + 6) + 30;
    let mut left = dice.below((0..names.len()).map(weight).sum());
    for (rank, name) in names.iter().enumerate() {
        match left.checked_sub(weight(rank)) {
            Some(rest) => left = rest,
            None => return name,
        }
    }
    unreachable!("the draw is below the sum of the weights")
}

fn of_age(generations: &[Generation], age: usize) -> &[&'static str] {
    let born = YEAR - age;
    let own = generations.iter().find(|generation| born <= generation.last_year);
    &own.or(generations.last()).expect("there are generations").names
}

fn words(text: &'static str) -> Vec<&'static str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
}

/// A year stands before the names of those who were born up to it.
fn generations(text: &'static str) -> Vec<Generation> {
    let mut generations: Vec<Generation> = Vec::new();
    for word in words(text) {
        match word.parse() {
            Ok(last_year) => generations.push(Generation {
                last_year,
                names: Vec::new(),
            }),
            Err(_) => generations.last_mut().expect("a year comes first").names.push(word),
        }
    }
    generations
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn no_list_has_a_name_twice_and_there_are_hundreds() {
        let generations = || NAMES.women.iter().chain(&NAMES.men);
        let lists = [&NAMES.families, &NAMES.families_of_okinawa, &NAMES.anybody];
        for list in lists.into_iter().chain(generations().map(|one| &one.names)) {
            let mut seen = HashSet::new();
            let twice: Vec<_> = list.iter().filter(|name| !seen.insert(**name)).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
        let given: HashSet<_> = generations().flat_map(|one| &one.names).collect();
        assert!(
            NAMES.families.len() >= 350 && given.len() >= 300,
            "{} {}",
            NAMES.families.len(),
            given.len()
        );
    }

    #[test]
    fn a_grandmother_is_not_named_like_her_granddaughter() {
        assert!(of_age(&NAMES.women, 80).contains(&"節子") && !of_age(&NAMES.women, 80).contains(&"陽菜"));
        assert!(of_age(&NAMES.women, 19).contains(&"陽菜") && !of_age(&NAMES.women, 19).contains(&"節子"));
    }

    #[test]
    fn family_names_are_as_unevenly_spread_as_in_life() {
        let mut dice = Dice::new(1);
        let mut holders: HashMap<_, usize> = HashMap::new();
        for _ in 0..20_000 {
            let name = name(&mut dice, Gender::Other, 40, "東京都");
            *holders
                .entry(name.split(' ').next().expect("a family").to_owned())
                .or_default() += 1;
        }
        // 佐藤 is about 1.5 of 100 in Japan; here, among the commoner names only, somewhat more.
        assert!((200..900).contains(&holders["佐藤"]), "{}", holders["佐藤"]);
        assert!(
            holders["佐藤"] > 5 * holders.get("名取").copied().unwrap_or_default(),
            "{holders:?}"
        );
    }

    #[test]
    fn okinawa_has_names_of_its_own() {
        let mut dice = Dice::new(1);
        let names: Vec<_> = (0..100).map(|_| name(&mut dice, Gender::Male, 50, "沖縄県")).collect();
        assert!(names.iter().any(|name| name.starts_with("比嘉 ")), "{names:?}");
    }
}
