//! Workers: finding them, their skills, their tokens.

use contract::Human;

use super::*;
use crate::store::filter::{skill_keys, state_key};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const STATES: [&str; 6] = ["東京都", "Tokyo", "大阪", "Ōsaka-fu", "京都府", "California"];
const SKILLS: [&str; 5] = ["Cleaning", "ｃｌｅａｎｉｎｇ", "翻訳", "Photo graphy", "Driving"];
const GENDERS: [Gender; 3] = [Gender::Male, Gender::Female, Gender::Other];

fn random_human(dice: &mut Dice, name: usize) -> NewHuman {
    NewHuman {
        state: dice.pick(&STATES).to_owned(),
        gender: GENDERS[dice.roll(3)],
        hourly_rate: number([900.0, 1000.5, 1200.0, 3000.0][dice.roll(4)]),
        rating: number([0.0, 4.5, 5.0][dice.roll(3)]),
        skills: (0..dice.roll(3))
            .map(|at| new_skill(SKILLS[at + dice.roll(3)], "x"))
            .collect(),
        ..new_human(&name.to_string())
    }
}

fn random_filter(dice: &mut Dice) -> HumanFilter {
    let maybe = |dice: &mut Dice, from: &[&str]| (dice.roll(3) == 0).then(|| dice.pick(from).to_owned());
    HumanFilter {
        skill: maybe(dice, &["CLEANING", "翻訳", " photo  graphy", "none such"]),
        state: maybe(dice, &["tokyo-to", "大阪府", "Kyōto", "california", "Nagano"]),
        gender: (dice.roll(3) == 0).then(|| GENDERS[dice.roll(3)]),
        min_rate: (dice.roll(3) == 0).then(|| number([900.0, 1000.5, 1000.51][dice.roll(3)])),
        max_rate: (dice.roll(3) == 0).then(|| number([3000.0, 1200.0, 899.0][dice.roll(3)])),
    }
}

/// What a filter means, said as plainly as can be.
fn is_wanted(human: &Human, filter: &HumanFilter) -> bool {
    let fold = contract::support::text::fold;
    filter
        .skill
        .as_ref()
        .is_none_or(|skill| skill_keys(human).any(|has| has == fold(skill)))
        && filter
            .state
            .as_ref()
            .is_none_or(|state| state_key(&human.state) == state_key(state))
        && filter.gender.is_none_or(|gender| human.gender == gender)
        && filter.min_rate.is_none_or(|rate| human.hourly_rate.get() >= rate.get())
        && filter.max_rate.is_none_or(|rate| human.hourly_rate.get() <= rate.get())
}

async fn check_against_model(place: &Place, dice: &mut Dice, ids: &[HumanId]) {
    let mut humans = Vec::new();
    for id in ids {
        humans.push(
            place
                .store
                .find_human(*id)
                .await
                .expect("an answer")
                .expect("it is there"),
        );
    }
    humans.sort_by(|a, b| b.rating.total_cmp(&a.rating).then(a.id.cmp(&b.id)));
    for _ in 0..100 {
        let filter = random_filter(dice);
        let (limit, offset) = (dice.roll(30), dice.roll(60));
        let expected: Vec<_> = humans.iter().filter(|human| is_wanted(human, &filter)).collect();
        let window = PageRequest::new(limit.try_into().expect("small"), offset.try_into().expect("small"));
        let page = place.store.find_humans(filter.clone(), window).await.expect("a page");
        let shown: Vec<_> = whole(page.rows).iter().map(|row| text_of(row, "name")).collect();
        let wanted: Vec<_> = expected
            .iter()
            .skip(offset)
            .take(limit)
            .map(|human| human.name.clone())
            .collect();
        assert_eq!(
            (shown, usize::try_from(page.total)),
            (wanted, Ok(expected.len())),
            "{filter:?}"
        );
    }
}

#[tokio::test]
async fn filters_find_what_the_plain_model_finds() {
    let (place, mut dice) = (Place::new(), Dice(7));
    let humans = (0..300).map(|name| random_human(&mut dice, name)).collect();
    let ids = place.store.create_humans(humans).await.expect("workers are entered");
    check_against_model(&place, &mut dice, &ids).await;
    for id in ids.iter().step_by(7) {
        let other = random_human(&mut dice, 1000);
        let change = move |human: &mut Human| {
            human.rating = other.rating;
            human.state.clone_from(&other.state);
            human.hourly_rate = other.hourly_rate;
        };
        place
            .store
            .update_human(Actor::Operator, *id, None, change)
            .await
            .expect("a write")
            .expect("changed");
    }
    check_against_model(&place, &mut dice, &ids).await;
    check_against_model(&place.reopened().await, &mut dice, &ids).await;
}

#[tokio::test]
async fn one_skill_has_one_id_whoever_has_it() {
    let place = Place::new();
    let with = |name: &str, skills: &[(&str, &str)]| NewHuman {
        skills: skills
            .iter()
            .map(|(name, category)| new_skill(name, category))
            .collect(),
        ..new_human(name)
    };
    let humans = vec![
        with("a", &[("Driving", "Car"), ("Driving", "Truck")]),
        with("b", &[("DRIVING", "car")]),
    ];
    let ids = place.store.create_humans(humans).await.expect("workers are entered");
    let place = place.reopened().await;
    let skills = Some(vec![new_skill("driving", "TRUCK"), new_skill("Cooking", "Food")]);
    place
        .store
        .update_human(Actor::Operator, ids[1], skills, |_| ())
        .await
        .expect("a write")
        .expect("changed");
    let skills_of = async |id| {
        let human = place
            .store
            .find_human(id)
            .await
            .expect("an answer")
            .expect("it is there");
        human
            .skills
            .iter()
            .map(|skill| (skill.id, skill.name.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        skills_of(ids[0]).await,
        [(1, "Driving".to_owned()), (2, "Driving".to_owned())]
    );
    assert_eq!(
        skills_of(ids[1]).await,
        [(2, "driving".to_owned()), (3, "Cooking".to_owned())]
    );
}

#[tokio::test]
async fn a_worker_is_shown_as_it_is_now() {
    let place = Place::new();
    let human = place.human("Hana").await;
    let shown = async || {
        place
            .store
            .show_human(human)
            .await
            .expect("an answer")
            .expect("it is there")
    };
    assert!(shown().await.as_str().contains("\"Hana\""));
    let change = |human: &mut Human| human.name = "Ken".to_owned();
    let changed = place.store.update_human(Actor::Operator, human, None, change).await;
    changed.expect("a write").expect("changed");
    assert!(shown().await.as_str().contains("\"Ken\""));
    assert!(
        place
            .store
            .show_human(HumanId::new(9))
            .await
            .expect("an answer")
            .is_none()
    );
}

#[tokio::test]
async fn a_new_token_ends_the_former_one() {
    let place = Place::new();
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    let give = async |human, token| place.store.create_human_token(human, Digest::of(token)).await;
    give(hana, "old").await.expect("a write").expect("given");
    give(ken, "ken's").await.expect("a write").expect("given");
    give(hana, "new").await.expect("a write").expect("given");
    assert!(give(HumanId::new(9), "x").await.expect("a write").is_err());
    let change = |human: &mut Human| human.token_digest = None;
    place
        .store
        .update_human(Actor::Operator, hana, None, change)
        .await
        .expect("a write")
        .expect("changed");
    let check = async |place: &Place| {
        let admits = async |token| place.store.admit_human(Digest::of(token)).await.expect("an answer");
        assert_eq!(admits("old").await, None);
        assert_eq!(admits("new").await, Some(hana));
        assert_eq!(admits("ken's").await, Some(ken));
    };
    check(&place).await;
    check(&place.reopened().await).await;
}

#[tokio::test]
async fn long_values_are_whole_again_and_leave_no_pieces_behind() {
    let place = Place::new();
    let bio: String = "人手\"".chars().cycle().take(10_000).collect();
    let human = place.store.create_humans(vec![NewHuman {
        bio: bio.clone(),
        ..new_human("a")
    }]);
    let human = human.await.expect("a worker is entered")[0];
    let place = place.reopened().await;
    let pieces = async || {
        place
            .store
            .read(|trees, _| Ok(trees.pieces()))
            .await
            .expect("an answer")
    };
    let found = place
        .store
        .find_human(human)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(found.bio, bio);
    assert!(pieces().await > 4);
    place
        .store
        .update_human(Actor::Operator, human, None, |human| human.bio.truncate(0))
        .await
        .expect("a write")
        .expect("changed");
    assert_eq!(pieces().await, 0);
}

#[tokio::test]
async fn all_workers_of_an_import_come_in_their_order() {
    let place = Place::new();
    let humans = (0..1000).map(|name| new_human(&name.to_string())).collect();
    let ids = place.store.create_humans(humans).await.expect("workers are entered");
    assert_eq!(ids, (1..=1000).map(HumanId::new).collect::<Vec<_>>());
    let place = place.reopened().await;
    let names = place.names(HumanFilter::default()).await;
    assert_eq!(names, (0..1000).map(|name| name.to_string()).collect::<Vec<_>>());
}
