//! What the demo's workers do for a living, and how people who do it write about themselves.
//!
//! A file of `words/callings` begins with what is so of the calling, a key word and its values a line:
//!
//! - `weight 8`: how common it is beside the others; `ages 21-72`; `rate 2000-5500`, in yen an hour;
//! - `women 40`: in percent (50 where nothing stands); `english 45`: how many write in English (14);
//! - `needs car urban`: what is true of all; `bars student`: of nobody;
//! - `skills Cleaning/Cooking, Shopping, Driving@car`: one of the first all have, a later one is rarer; after `@` a trait
//!   that it takes;
//! - `variant Music lessons = ピアノ 練習曲 = piano "a folk song"`: another first skill, and what `{v1}` and `{v2}` are then,
//!   in Japanese and in English; once for each variant.
//!
//! Then come sections as `grammar.rs` reads them; those whose names begin with `en.` are for who writes in English.

use std::sync::LazyLock;

use super::dice::Dice;
use super::grammar::Sections;
use super::traits::Traits;

/// A kind of worker.
#[derive(Debug)]
pub(super) struct Calling {
    /// How common it is.
    pub(super) weight: usize,
    /// The youngest and the oldest.
    pub(super) ages: (usize, usize),
    /// Yen an hour, from and to.
    pub(super) rate: (usize, usize),
    pub(super) women_percent: usize,
    pub(super) english_percent: usize,
    /// What is true of all of them.
    pub(super) needs: Traits,
    /// What is true of none of them.
    pub(super) bars: Traits,
    /// One of these is what they do first of all.
    main_skills: Vec<&'static str>,
    /// What else they may do, and what it takes; a later one is rarer.
    pub(super) skills: Vec<(&'static str, Traits)>,
    variants: Vec<Variant>,
    pub(super) japanese: Sections,
    pub(super) english: Sections,
}

/// A calling that comes in several kinds, such as the teachers of this and of that.
#[derive(Debug)]
pub(super) struct Variant {
    skill: &'static str,
    pub(super) japanese: Vec<&'static str>,
    pub(super) english: Vec<&'static str>,
}

macro_rules! callings {
    ($($name:literal)*) => {
        /// All callings there are.
        pub(super) static CALLINGS: LazyLock<Vec<Calling>> = LazyLock::new(|| {
            vec![$(Calling::read(include_str!(concat!("words/callings/", $name, ".txt")))),*]
        });
    };
}

callings! {
    "errands" "courier" "cycle" "driver" "moving" "housework" "cook" "handyman" "garden" "tidying" "sewing"
    "pets" "childcare" "companion" "beauty" "coach"
    "photo" "drone" "video" "design" "maker"
    "research" "events" "voice"
    "interpret" "asia" "sign" "japanese" "tutor" "writing"
    "computers" "tester" "paperwork"
    "calligraphy" "kimono" "guide" "music" "flowers"
}

impl Calling {
    fn read(text: &'static str) -> Calling {
        let (head, body) = text.split_at(text.find("\n[").expect("sections follow"));
        let mut japanese = Sections::read(body);
        let english = japanese.split_off("en.");
        let values = |key: &'static str| {
            head.lines()
                .filter_map(move |line| line.strip_prefix(key)?.strip_prefix(' '))
        };
        let value = |key: &'static str| values(key).next();
        let range = |key| {
            let (from, to) = value(key).and_then(|range| range.split_once('-')).expect("a range");
            (number(from), number(to))
        };
        let traits = |key| {
            value(key)
                .unwrap_or_default()
                .split_whitespace()
                .map(Traits::named)
                .collect()
        };
        let mut skills = value("skills").expect("skills").split(", ").peekable();
        let variants: Vec<_> = values("variant").map(Variant::read).collect();
        let main_skills = match variants.is_empty() {
            true => skills.next().unwrap_or_default().split('/').collect(),
            false => variants.iter().map(|variant| variant.skill).collect(),
        };
        Calling {
            weight: value("weight").map_or(1, number),
            ages: range("ages"),
            rate: range("rate"),
            women_percent: value("women").map_or(50, number),
            english_percent: value("english").map_or(14, number),
            needs: traits("needs"),
            bars: traits("bars"),
            main_skills,
            skills: skills.map(skill).collect(),
            variants,
            japanese,
            english,
        }
    }

    /// Whether `skill` can be what somebody of this calling does first of all.
    pub(super) fn leads_with(&self, skill: &str) -> bool {
        self.main_skills.contains(&skill)
    }

    /// What somebody does first of all: `wanted` if that can be, or else any; with the variant that goes with it.
    pub(super) fn main_skill(&self, dice: &mut Dice, wanted: &str) -> (&'static str, Option<&Variant>) {
        let fits = |skill: &&&str| **skill == wanted || !self.leads_with(wanted);
        let fitting: Vec<_> = self.main_skills.iter().filter(fits).collect();
        let skill = **dice.pick(&fitting);
        let of_skill: Vec<_> = self.variants.iter().filter(|variant| variant.skill == skill).collect();
        let variant = (!of_skill.is_empty()).then(|| *dice.pick(&of_skill));
        (skill, variant)
    }

    /// The other skills with which somebody of this calling may lead.
    pub(super) fn other_main_skills(&self, main: &str) -> impl Iterator<Item = &'static str> {
        let others = self.main_skills.iter().filter(move |skill| **skill != main);
        others.copied().filter(|_| self.variants.is_empty())
    }
}

impl Variant {
    fn read(text: &'static str) -> Variant {
        let mut parts = text.split(" = ");
        let mut part = || parts.next().expect("a skill, Japanese words and English words");
        Variant {
            skill: part(),
            japanese: words(part()),
            english: words(part()),
        }
    }
}

/// Words that stand between spaces, or several between quotation marks.
fn words(text: &'static str) -> Vec<&'static str> {
    let quoted = text.split('"').enumerate();
    quoted
        .flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

fn skill(text: &'static str) -> (&'static str, Traits) {
    match text.split_once('@') {
        Some((name, takes)) => (name, Traits::named(takes)),
        None => (text, Traits::NONE),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::super::grammar::Sections;
    use super::super::profile::{ENGLISH, JAPANESE};
    use super::super::skills::category_of;
    use super::*;

    /// Facts about people; `car` and `former` are also sections, from which they are drawn.
    const FACTS: [&str; 8] = ["city", "prefecture", "origin", "area", "area2", "years", "v1", "v2"];

    #[track_caller]
    fn check(own: &Sections, common: &Sections, facts: &[&str]) {
        for slot in own.slots() {
            let is_known = facts.contains(&slot) || !own.of(slot).is_empty() || !common.of(slot).is_empty();
            assert!(is_known, "nothing fills {{{slot}}}");
        }
    }

    #[test]
    fn everybody_has_something_to_say_about_everything() {
        for calling in CALLINGS.iter() {
            for section in ["role", "what", "headline", "opening", "detail", "note"] {
                assert!(
                    calling.japanese.of(section).len() > 1 || section == "role",
                    "{section} {calling:?}"
                );
            }
            for section in ["role", "what", "headline", "opening", "detail"] {
                assert!(!calling.english.of(section).is_empty(), "{section} {calling:?}");
            }
        }
    }

    #[test]
    fn whatever_a_text_asks_for_is_known() {
        let without_area: Vec<_> = FACTS.into_iter().filter(|fact| !fact.starts_with("area")).collect();
        let in_english = [without_area, vec!["role_bare"]].concat();
        check(&JAPANESE, &CALLINGS[0].japanese, &FACTS);
        check(&ENGLISH, &CALLINGS[0].english, &in_english);
        for calling in CALLINGS.iter() {
            check(&calling.japanese, &JAPANESE, &FACTS);
            // The names of stations are not known in English.
            check(&calling.english, &ENGLISH, &in_english);
            for variant in &calling.variants {
                assert_eq!((variant.japanese.len(), variant.english.len()), (2, 2), "{variant:?}");
            }
        }
    }

    #[test]
    fn every_skill_of_a_calling_is_in_a_category() {
        for calling in CALLINGS.iter() {
            for skill in calling
                .main_skills
                .iter()
                .chain(calling.skills.iter().map(|(name, _)| name))
            {
                category_of(skill);
            }
        }
    }
}
