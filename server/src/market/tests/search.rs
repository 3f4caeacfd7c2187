//! The worker search, compared with a simple model that shares no code with the store.

use std::sync::Arc;

use caseless::Caseless;
use contract::{FindHuman, Human};
use unicode_normalization::UnicodeNormalization;

use super::*;

/// Names of some prefectures, one prefecture for each entry.
const PREFECTURES: [&[&str]; 5] = [
    &["東京都", "東京", "Tokyo", "Tokyo-to", "ＴＯＫＹＯ", "tokyo"],
    &["大阪府", "大阪", "Osaka", "Osaka-fu", "ＯＳＡＫＡ"],
    &["京都府", "京都", "Kyoto", "Kyoto-fu", "KYOTO"],
    &["北海道", "Hokkaido", "hokkaido", "ＨＯＫＫＡＩＤＯ"],
    &["島根県", "島根", "Shimane", "Shimane-ken"],
];

/// States that are not prefectures, one state for each entry.
const OTHERS: [&[&str]; 3] = [
    &["Bayern", "BAYERN", "Ｂayern"],
    &["Groß Straße", "GROSS STRASSE"],
    &["Éire", "E\u{301}ire"],
];

/// Skills, one skill for each entry.
const SKILLS: [&[&str]; 6] = [
    &["Cooking", "COOKING", "ｃｏｏｋｉｎｇ"],
    &["カタカナ", "ｶﾀｶﾅ"],
    &["Dog walking", "dog  WALKING", "Dog\u{3000}walking"],
    &["Straßenbau", "STRASSENBAU"],
    &["Cookin", "cookin"],
    &["①", "1"],
];

const GENDERS: [Gender; 3] = [Gender::Male, Gender::Female, Gender::Other];
const RATES: [f64; 8] = [0.0, 1.0, 49.99, 50.0, 50.01, 999.5, 1000.0, 100_000.0];

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    fn one_in<T>(&mut self, sides: usize, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.roll(sides) == 0).then(|| value(self))
    }

    fn state(&mut self) -> String {
        let states = [&PREFECTURES[..], &OTHERS].concat();
        let names = self.pick(&states);
        self.pick(names).to_owned()
    }

    fn skills(&mut self) -> Vec<NewSkill> {
        let first = self.roll(SKILLS.len());
        (0..self.roll(3))
            .map(|at| new_skill(self.pick(SKILLS[(first + at) % SKILLS.len()]), "x"))
            .collect()
    }

    fn human(&mut self, name: usize) -> NewHuman {
        NewHuman {
            state: self.state(),
            gender: self.pick(&GENDERS),
            hourly_rate: number(self.pick(&RATES)),
            rating: number(self.one_in(2, |dice| dice.roll(501) as f64 / 100.0).unwrap_or_default()),
            is_available: self.roll(4) > 0,
            skills: self.skills(),
            ..new_human(&name.to_string())
        }
    }

    fn filter(&mut self) -> HumanFilter {
        HumanFilter {
            skill: self.one_in(3, |dice| {
                let names = dice.pick(&SKILLS);
                dice.pick(names).to_owned()
            }),
            state: self.one_in(3, Self::state),
            gender: self.one_in(3, |dice| dice.pick(&GENDERS)),
            min_rate: self.one_in(3, |dice| number(dice.pick(&RATES[..5]))),
            max_rate: self.one_in(3, |dice| number(dice.pick(&RATES[4..]))),
            only_available: self.roll(3) == 0,
            sandbox: false,
        }
    }
}

/// NFKC, case-folded, NFKC.
fn folded(text: &str) -> String {
    text.nfkc().default_case_fold().nfkc().collect()
}

/// The canonical name of a state.
fn place_of(state: &str) -> String {
    let state = folded(state);
    let known = PREFECTURES
        .iter()
        .find(|names| names.iter().any(|name| folded(name) == state));
    known.map_or(state, |names| folded(names[0]))
}

/// A worker, with the normalized texts that filters compare.
struct Searched {
    human: Arc<Human>,
    state: String,
    skills: Vec<String>,
}

impl Searched {
    fn new(human: Arc<Human>) -> Self {
        let state = place_of(&human.state);
        let skills = human.skills.iter().map(|skill| folded(&skill.name)).collect();
        Searched { human, state, skills }
    }
}

/// The workers that a filter selects.
fn selected<'h>(humans: &'h [Searched], filter: &HumanFilter) -> Vec<&'h Human> {
    let (skill, state) = (
        filter.skill.as_deref().map(folded),
        filter.state.as_deref().map(place_of),
    );
    let is_wanted = |one: &&Searched| {
        skill.as_ref().is_none_or(|skill| one.skills.contains(skill))
            && state.as_ref().is_none_or(|state| one.state == *state)
            && filter.gender.is_none_or(|gender| one.human.gender == gender)
            && (one.human.is_available || !filter.only_available)
            && filter
                .min_rate
                .is_none_or(|rate| one.human.hourly_rate.get() >= rate.get())
            && filter
                .max_rate
                .is_none_or(|rate| one.human.hourly_rate.get() <= rate.get())
    };
    humans.iter().filter(is_wanted).map(|one| &*one.human).collect()
}

async fn check_against_model(place: &TestStore, dice: &mut Dice, ids: &[HumanId]) {
    place.assert_indexed();
    let mut humans = Vec::new();
    for id in ids {
        let found = place.app.find_human(*id).await.expect("an answer");
        humans.push(Searched::new(found.expect("it is there")));
    }
    humans.sort_by(|Searched { human: a, .. }, Searched { human: b, .. }| {
        b.rating.total_cmp(&a.rating).then(a.id.cmp(&b.id))
    });
    let all = (0..100).map(|_| dice.filter());
    let of_states = PREFECTURES
        .iter()
        .chain(&OTHERS)
        .copied()
        .flatten()
        .map(|state| HumanFilter {
            state: Some((*state).to_owned()),
            ..HumanFilter::default()
        });
    for filter in all.chain(of_states).collect::<Vec<_>>() {
        let (limit, offset) = (dice.roll(100), dice.pick(&[0, 0, 1, 20, 100, 1500]));
        let expected = selected(&humans, &filter);
        let window = PageRequest::new(limit.try_into().expect("small"), offset.try_into().expect("small"));
        let page = place
            .store()
            .look(|mirror| mirror.humans.of(false).find(&filter, window))
            .expect("a page");
        let names: Vec<_> = whole(page.rows).iter().map(|row| text_of(row, "name")).collect();
        let wanted: Vec<_> = expected
            .iter()
            .skip(offset)
            .take(limit)
            .map(|human| human.name.clone())
            .collect();
        assert_eq!(
            (names, usize::try_from(page.total)),
            (wanted, Ok(expected.len())),
            "{filter:?}"
        );
    }
}

#[tokio::test]
async fn filters_find_what_the_plain_model_finds() {
    let (place, mut dice) = (TestStore::new(), Dice(7));
    let humans = (0..1_000).map(|name| dice.human(name)).collect();
    let ids = place
        .store()
        .create_humans(humans, false)
        .await
        .expect("workers are entered");
    check_against_model(&place, &mut dice, &ids).await;
    for id in ids.iter().step_by(7) {
        let other = dice.human(1_000);
        let change = move |human: &mut Human| {
            human.rating = other.rating;
            human.state.clone_from(&other.state);
            human.hourly_rate = other.hourly_rate;
            human.is_available = other.is_available;
        };
        place
            .store()
            .update_human(Actor::Operator, *id, Some(other.skills), change)
            .await
            .expect("a write");
    }
    check_against_model(&place, &mut dice, &ids).await;
    check_against_model(&place.reopened().await, &mut dice, &ids).await;
}
