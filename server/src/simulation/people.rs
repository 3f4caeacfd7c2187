//! The simulated workers: profiles of the demo under names that say so. They are created with the first account in the
//! sandbox, and serve all such accounts.

use contract::{Gender, NewHuman, NewSkill, Number};
use serde::Deserialize;

const LINES: &str = include_str!("../demo/workers.jsonl");

/// How many there are.
const PEOPLE: usize = 84;
/// The last ones, who never write a message.
pub(crate) const SILENT: usize = 4;
/// The first line of the file that is taken, and every how many: workers from most prefectures, and a cook in Tokyo.
const FIRST: usize = 161;
const EVERY: usize = 2;

/// A line of the file.
#[derive(Deserialize)]
struct Profile {
    name: String,
    headline: String,
    bio: String,
    city: String,
    state: String,
    gender: Gender,
    hourly_rate: i64,
    #[serde(default)]
    rating: f64,
    #[serde(default)]
    total_reviews: i64,
    #[serde(default)]
    is_verified: bool,
    skills: Vec<ProfileSkill>,
}

#[derive(Deserialize)]
struct ProfileSkill {
    name: String,
    category: String,
}

/// The simulated workers, to be created.
pub(crate) fn people() -> Vec<NewHuman> {
    let lines = LINES.lines().skip(FIRST).step_by(EVERY).take(PEOPLE);
    let profiles = lines.map(|line| serde_json::from_str(line).expect("a test has read every line"));
    let silent = PEOPLE - SILENT;
    (0..)
        .zip(profiles)
        .map(|(place, profile)| simulated(profile, place >= silent))
        .collect()
}

fn simulated(profile: Profile, is_silent: bool) -> NewHuman {
    let skills = profile.skills.into_iter();
    let skills = skills.map(|ProfileSkill { name, category }| NewSkill { name, category });
    NewHuman {
        name: format!("{} (simulated)", profile.name),
        headline: match is_silent {
            true => "Simulated, and never answers a message".to_owned(),
            false => profile.headline,
        },
        bio: profile.bio,
        city: profile.city,
        state: profile.state,
        gender: profile.gender,
        hourly_rate: Number::from(profile.hourly_rate),
        rating: Number::new(profile.rating).unwrap_or(Number::ZERO),
        total_reviews: profile.total_reviews,
        is_verified: profile.is_verified,
        is_available: true,
        photos: Vec::new(),
        external_id: None,
        skills: skills.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_are_there_and_say_that_they_are_simulated() {
        let people = people();
        assert_eq!(people.len(), PEOPLE);
        assert!(people.iter().all(|one| one.name.ends_with(" (simulated)")));
        let silent = people.iter().filter(|one| one.headline.contains("never answers"));
        assert_eq!(silent.count(), SILENT);
        let cooks = |one: &&NewHuman| one.skills.iter().any(|skill| skill.name == "Cooking");
        assert!(people.iter().filter(cooks).any(|one| one.state == "東京都"));
    }
}
