//! Workers: their skills, their tokens, long values.

use contract::{AdmitWorkerToken, FindHuman};

use super::*;
use crate::store::Mirror;

#[tokio::test]
async fn one_skill_has_one_id_whoever_has_it() {
    let place = TestStore::new();
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
    let ids = place
        .store()
        .create_humans(humans, false)
        .await
        .expect("workers are entered");
    let place = place.reopened().await;
    let skills = Some(vec![new_skill("driving", "TRUCK"), new_skill("Cooking", "Food")]);
    place
        .store()
        .update_human(Actor::Operator, ids[1], skills, |_| ())
        .await
        .expect("a write");
    let skills_of = async |id| {
        let human = place.app.find_human(id).await.expect("an answer").expect("it is there");
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
async fn a_skill_that_nobody_has_any_more_returns_with_a_new_id() {
    let place = TestStore::new();
    let ids = [place.human("Hana").await, place.human("Ken").await];
    // Each worker with the skills, and the ids of the skills then.
    let steps: [(usize, &[&str], &[i64]); 7] = [
        (0, &["Sewing", "Cooking"], &[1, 2]),
        (1, &["COOKING"], &[2]),
        (0, &[], &[]),
        (1, &["Sewing", "cooking"], &[3, 2]),
        (0, &["sewing"], &[3]),
        (1, &["Ironing"], &[4]),
        (0, &["Cooking", "Sewing"], &[5, 3]),
    ];
    for (worker, names, expected) in steps {
        let skills = names.iter().map(|name| new_skill(name, "Home")).collect();
        let outcome = place
            .store()
            .update_human(Actor::Operator, ids[worker], Some(skills), |_| ());
        outcome.await.expect("a write");
        let human = place
            .app
            .find_human(ids[worker])
            .await
            .expect("an answer")
            .expect("it is there");
        let found: Vec<_> = human.skills.iter().map(|skill| skill.id).collect();
        assert_eq!(found, expected, "{names:?}");
    }
}

#[tokio::test]
async fn skills_are_listed_with_their_workers_before_and_after_a_change() {
    let place = TestStore::new();
    let with = |skills: &[&str]| NewHuman {
        skills: skills.iter().map(|name| new_skill(name, "Home")).collect(),
        ..new_human("Hana")
    };
    let humans = vec![
        with(&["Sewing", "Cooking"]),
        with(&["cooking", "COOKING"]),
        with(&["Ironing"]),
    ];
    let ids = place
        .store()
        .create_humans(humans, false)
        .await
        .expect("workers are entered");
    check_skills(&place, &["COOKING 2", "Ironing 1", "Sewing 1"]).await;
    let change = async |id: usize, skills: &[&str]| {
        let skills = skills.iter().map(|name| new_skill(name, "Home")).collect();
        let outcome = place
            .store()
            .update_human(Actor::Operator, ids[id], Some(skills), |_| ());
        outcome.await.expect("a write");
    };
    change(1, &["ironing", "Cooking"]).await;
    check_skills(&place, &["Cooking 2", "Ironing 2", "Sewing 1"]).await;
    change(0, &["sewing"]).await;
    check_skills(&place, &["Ironing 2", "Cooking 1", "sewing 1"]).await;
    check_skills(&place.reopened().await, &["Ironing 2", "Cooking 1", "sewing 1"]).await;
}

#[tokio::test]
async fn the_skills_nearest_to_an_unknown_one_are_those_that_somebody_has() {
    let place = TestStore::new();
    let skills = ["Cooking", "COOKING", "Baking", "Photography"];
    let cook = NewHuman {
        skills: skills
            .iter()
            .zip(["Food", "Home", "Food", "Art"])
            .map(|(name, group)| new_skill(name, group))
            .collect(),
        ..new_human("Hana")
    };
    let ids = place
        .store()
        .create_humans(vec![cook], false)
        .await
        .expect("workers are entered");
    let nearest = async |place: &TestStore, name: &str| {
        place
            .store()
            .look(|mirror| mirror.humans.of(false).nearest_skills(name))
            .expect("names")
    };
    assert_eq!(nearest(&place, "coking").await, ["COOKING", "Baking"]);
    assert_eq!(nearest(&place, "photo").await, ["Photography"]);
    for name in ["ｃｏｏｋｉｎｇ", "Welding"] {
        assert_eq!(nearest(&place, name).await, [""; 0], "{name}");
    }
    let outcome = place
        .store()
        .update_human(Actor::Operator, ids[0], Some(vec![new_skill("Baking", "Food")]), |_| ());
    outcome.await.expect("a write");
    let place = place.reopened().await;
    assert_eq!(nearest(&place, "cook").await, [""; 0]);
    assert_eq!(nearest(&place, "bakin").await, ["Baking"]);
}

/// The list is this one, on each of its pages.
async fn check_skills(place: &TestStore, wanted: &[&str]) {
    for (offset, limit) in (0..5).flat_map(|offset| (0..5).map(move |limit| (offset, limit))) {
        let page = place
            .store()
            .look(|mirror| mirror.humans.of(false).skills(PageRequest::new(limit, offset)))
            .expect("a page");
        let rows = whole(page.rows);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| format!("{} {}", text_of(row, "name"), text_of(row, "workers")))
            .collect();
        let (from, size) = (
            usize::try_from(offset).expect("positive"),
            usize::try_from(limit).expect("positive"),
        );
        let expected: Vec<_> = wanted.iter().skip(from).take(size).copied().collect();
        assert_eq!(
            (shown, page.total),
            (expected.into_iter().map(str::to_owned).collect(), 3),
            "{offset} {limit}"
        );
    }
}

#[tokio::test]
async fn a_new_token_ends_the_former_one() {
    let place = TestStore::new();
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    for (human, token) in [(hana, "old"), (ken, "ken's"), (hana, "new")] {
        place.store().set_token(human, token).await.expect("a write");
    }
    let check = async |place: &TestStore| {
        let admits = async |token| {
            place
                .app
                .admit_worker_token(token)
                .await
                .expect("an answer")
                .map(|caller| caller.id)
        };
        assert_eq!(admits("old").await, None);
        assert_eq!(admits("new").await, Some(hana));
        assert_eq!(admits("ken's").await, Some(ken));
    };
    check(&place).await;
    check(&place.reopened().await).await;
}

#[tokio::test]
async fn all_workers_of_an_import_come_in_their_order() {
    let place = TestStore::new();
    let humans = (0..1000).map(|name| new_human(&name.to_string())).collect();
    let ids = place
        .store()
        .create_humans(humans, false)
        .await
        .expect("workers are entered");
    assert_eq!(ids, (1..=1000).map(HumanId::new).collect::<Vec<_>>());
    let place = place.reopened().await;
    let names = place.names(HumanFilter::default()).await;
    assert_eq!(names, (0..1000).map(|name| name.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_store_is_empty_until_something_is_entered() {
    let place = TestStore::new();
    assert!(place.store().look(Mirror::is_empty).expect("an answer"));
    place.human("Hana").await;
    let place = place.reopened().await;
    assert!(!place.store().look(Mirror::is_empty).expect("an answer"));
}
