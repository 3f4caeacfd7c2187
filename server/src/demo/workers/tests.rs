//! What is promised of the demo's people, counted over many of them.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::LazyLock;

use super::*;
use crate::demo::skills::CATEGORIES;

const SEED: u64 = 1;

/// Enough to see what is rare.
static MANY: LazyLock<Vec<Worker>> = LazyLock::new(|| crowd(20_000));

fn crowd(number: usize) -> Vec<Worker> {
    Crowd::of(number, &[], SEED).collect()
}

fn counts<T: Eq + Hash>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

fn percent(workers: &[Worker], holds: impl Fn(&Worker) -> bool) -> usize {
    workers.iter().filter(|worker| holds(worker)).count() * 100 / workers.len()
}

#[track_caller]
fn nobody_shares(workers: &[Worker], what: impl Fn(&Worker) -> &str) {
    let mut seen = HashSet::new();
    let shared: Vec<_> = workers.iter().map(what).filter(|text| !seen.insert(*text)).collect();
    assert!(shared.is_empty(), "{shared:?}");
}

#[test]
fn there_are_as_many_as_are_wanted() {
    for number in [100, 329, 330, 331, 1_234] {
        assert_eq!(crowd(number).len(), number);
    }
}

#[test]
fn they_are_the_same_each_time() {
    assert_eq!(crowd(400), crowd(400));
    assert_ne!(crowd(400), Crowd::of(400, &[], SEED + 1).collect::<Vec<_>>());
}

#[test]
fn no_two_share_a_headline_or_a_bio() {
    nobody_shares(&MANY, |worker| &worker.headline);
    nobody_shares(&MANY, |worker| &worker.bio);
}

/// About a minute of CPU in a debug build.
#[test]
#[ignore = "takes a minute of CPU; run it when the words have changed"]
fn no_two_of_a_million_share_a_headline_or_a_bio() {
    let workers = crowd(1_000_000);
    nobody_shares(&workers, |worker| &worker.headline);
    nobody_shares(&workers, |worker| &worker.bio);
    let joined = percent(&workers, |worker| worker.headline.matches('／').count() > 1);
    assert!(joined <= 2, "{joined} of 100 headlines are two");
}

/// A text that is told apart from others by its numbers alone would be one with a serial number.
#[test]
fn no_text_owes_its_being_the_only_one_to_a_number() {
    for what in [
        |worker: &Worker| worker.headline.clone(),
        |worker: &Worker| worker.bio.clone(),
    ] {
        let without_digits = |text: String| text.chars().filter(|c| !c.is_numeric()).collect::<String>();
        let distinct: HashSet<_> = MANY.iter().map(|worker| without_digits(what(worker))).collect();
        assert!(
            distinct.len() * 100 >= MANY.len() * 97,
            "{} of {}",
            distinct.len(),
            MANY.len()
        );
    }
}

#[test]
fn numbers_in_texts_are_short() {
    for worker in MANY.iter() {
        for text in [&worker.headline, &worker.bio] {
            let mut numbers = text.split(|c: char| !c.is_ascii_digit());
            assert!(numbers.all(|number| number.len() <= 3), "{worker:?}");
        }
    }
}

/// Of texts that come from one mould, many begin alike and many end alike.
#[test]
fn texts_are_not_of_one_mould() {
    let begin = |text: &str| text.chars().take(10).collect::<String>();
    let end = |text: &str| text.chars().rev().take(10).collect::<String>();
    for what in [
        |worker: &Worker| worker.headline.clone(),
        |worker: &Worker| worker.bio.clone(),
    ] {
        for part in [&begin as &dyn Fn(&str) -> String, &end] {
            let counts = counts(MANY.iter().map(|worker| part(&what(worker))));
            let (text, number) = counts.iter().max_by_key(|(_, number)| **number).expect("texts");
            assert!(*number < MANY.len() / 25, "{number} of {}: {text}", MANY.len());
        }
    }
    let lengths: Vec<_> = MANY.iter().map(|worker| worker.bio.chars().count()).collect();
    let share = |lengths: &dyn Fn(usize) -> bool, of: &[usize]| {
        of.iter().filter(|long| lengths(**long)).count() * 100 / of.len()
    };
    assert!(share(&|long| long < 60, &lengths) > 5, "some are short");
    assert!(share(&|long| long > 250, &lengths) > 5, "some are long");
}

#[test]
fn texts_are_whole() {
    let broken = [
        "{", "}", "[", "]", "|", "@", "  ", "。。", "、、", "！！", "、。", "「」", "（）", "、（", "・・",
    ];
    for worker in MANY.iter() {
        for text in [&worker.headline, &worker.bio] {
            assert!(!broken.iter().any(|part| text.contains(part)), "{worker:?}");
            assert_eq!(text.trim(), text, "{worker:?}");
        }
        assert!((4..=120).contains(&worker.headline.chars().count()), "{worker:?}");
        assert!((8..=1_500).contains(&worker.bio.chars().count()), "{worker:?}");
    }
}

#[test]
fn most_write_in_japanese_and_some_in_english_and_nobody_in_both() {
    let is_japanese = |text: &str| {
        text.chars()
            .any(|c| ('ぁ'..='ヿ').contains(&c) || ('一'..='龠').contains(&c))
    };
    let english = percent(&MANY, |worker| !is_japanese(&worker.bio));
    assert!((10..=30).contains(&english), "{english}");
    for worker in MANY.iter().filter(|worker| !is_japanese(&worker.bio)) {
        assert!(!is_japanese(&worker.headline), "{worker:?}");
    }
}

#[test]
fn they_live_in_every_prefecture_and_mostly_where_most_people_do() {
    for workers in [&crowd(100), &*MANY] {
        let inhabitants = counts(workers.iter().map(|worker| worker.state));
        assert_eq!(inhabitants.len(), 47);
        assert!(inhabitants.values().all(|number| *number >= NUMBER_IN_EACH));
    }
    let inhabitants = counts(MANY.iter().map(|worker| worker.state));
    assert!(inhabitants["東京都"] > 10 * inhabitants["鳥取県"], "{inhabitants:?}");
}

#[test]
fn their_cities_lie_in_their_prefectures() {
    for worker in MANY.iter() {
        let home = PREFECTURES
            .iter()
            .find(|home| home.name == worker.state)
            .expect("a prefecture");
        assert!(home.cities.iter().any(|city| city.name == worker.city), "{worker:?}");
    }
}

#[test]
fn names_are_many_and_some_are_shared_as_in_life() {
    let names = counts(MANY.iter().map(|worker| &worker.name));
    assert!(
        names.len() > MANY.len() / 2 && names.len() < MANY.len(),
        "{}",
        names.len()
    );
    assert!(names.values().all(|number| *number < 40), "{names:?}");
}

#[test]
fn a_few_hundred_already_have_sixty_skills_in_eight_categories() {
    let workers = crowd(330);
    let skills = || workers.iter().flat_map(|worker| &worker.skills);
    let names: HashSet<_> = skills().map(|skill| skill.name).collect();
    let categories: HashSet<_> = skills().map(|skill| skill.category).collect();
    assert!(
        names.len() >= 60 && categories.len() >= 8,
        "{} {}",
        names.len(),
        categories.len()
    );
}

#[test]
fn every_skill_is_had_by_somebody_and_some_by_many() {
    let holders = counts(MANY.iter().flat_map(|worker| &worker.skills).map(|skill| skill.name));
    for (_, skills) in &CATEGORIES {
        assert!(
            skills.iter().all(|skill| holders.contains_key(skill)),
            "{skills:?} {holders:?}"
        );
    }
    let (most, least) = (
        holders.values().max().expect("some"),
        holders.values().min().expect("some"),
    );
    assert!(*most > 40 * *least, "{holders:?}");
}

#[test]
fn nobody_has_a_skill_twice_and_most_have_a_few() {
    for worker in MANY.iter() {
        let names: HashSet<_> = worker.skills.iter().map(|skill| skill.name).collect();
        assert_eq!(names.len(), worker.skills.len(), "{worker:?}");
    }
    assert!(percent(&MANY, |worker| (2..=6).contains(&worker.skills.len())) > 75);
}

#[test]
fn rates_are_plausible_and_follow_what_is_done_where() {
    for worker in MANY.iter() {
        let yen = worker.hourly_rate;
        assert!((1_050..=10_000).contains(&yen) && yen.is_multiple_of(50), "{worker:?}");
    }
    let mean = |holds: &dyn Fn(&Worker) -> bool| {
        let rates: Vec<_> = MANY
            .iter()
            .filter(|worker| holds(worker))
            .map(|worker| worker.hourly_rate)
            .collect();
        rates.iter().sum::<usize>() / rates.len()
    };
    assert!(mean(&|one| one.has_as_main("English interpreting")) > 2 * mean(&|one| one.has_as_main("Shopping")));
    assert!(
        mean(&|one| one.has_as_main("Cleaning") && one.state == "東京都") * 10
            > 11 * mean(&|one| one.has_as_main("Cleaning"))
    );
}

#[test]
fn some_are_unrated_unverified_or_busy() {
    for worker in MANY.iter() {
        assert_eq!(worker.rating == 0.0, worker.total_reviews == 0, "{worker:?}");
        assert!(
            worker.rating == 0.0 || (3.0..=5.0).contains(&worker.rating),
            "{worker:?}"
        );
    }
    for (what, percent, expected) in [
        ("unrated", percent(&MANY, |worker| worker.total_reviews == 0), 12..=25),
        ("verified", percent(&MANY, |worker| worker.is_verified), 50..=75),
        ("available", percent(&MANY, |worker| worker.is_available), 80..=95),
    ] {
        assert!(expected.contains(&percent), "{what}: {percent} of 100");
    }
}

/// Words, and who alone may write them.
type Rule<'a> = (&'a [&'a str], &'a dyn Fn(&Worker) -> bool);

#[test]
fn what_they_write_agrees_with_who_they_are() {
    let snowy = [
        "北海道",
        "青森県",
        "岩手県",
        "宮城県",
        "秋田県",
        "山形県",
        "福島県",
        "新潟県",
        "富山県",
        "石川県",
        "福井県",
        "長野県",
        "鳥取県",
        "島根県",
    ];
    let rules: [Rule; 9] = [
        (&["雪かき", "雪下ろし", "吹雪"], &|worker| {
            snowy.contains(&worker.state)
        }),
        (
            &["主婦です", "の母です", "女性のお宅", "ママ"],
            &|worker| worker.gender == "female",
        ),
        (&["主夫です", "児の父です", "力仕事も"], &|worker| {
            worker.gender == "male"
        }),
        (&["ドローン", "drone licence"], &|worker| {
            worker.has("Drone filming")
        }),
        (&["刈払機"], &|worker| worker.has("Gardening")),
        (&["保育士", "おむつ"], &|worker| worker.has("Babysitting")),
        (&["23区", "23 wards"], &|worker| worker.state == "東京都"),
        (&["ゆいまーる", "typhoon"], &|worker| worker.state == "沖縄県"),
        (&["まだ評価がありません", "No reviews yet"], &|worker| {
            worker.total_reviews == 0
        }),
    ];
    for (words, may) in rules {
        let who = |worker: &&Worker| {
            words
                .iter()
                .any(|word| worker.bio.contains(word) || worker.headline.contains(word))
        };
        let wrong: Vec<_> = MANY.iter().filter(who).filter(|worker| !may(worker)).collect();
        assert!(wrong.is_empty(), "{:?}", wrong.first());
        assert!(MANY.iter().any(|worker| who(&worker)), "nobody writes {words:?}");
    }
    let clears_snow = MANY.iter().filter(|worker| worker.has("Snow clearing"));
    assert!(clears_snow.clone().count() > 0 && clears_snow.clone().all(|worker| snowy.contains(&worker.state)));
}
