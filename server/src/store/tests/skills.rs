//! The dictionary of skills has those that a worker has, and no others.

use std::collections::BTreeMap;
use std::convert::Infallible;

use contract::Skill;

use super::*;
use crate::store::named;
use crate::store::{Abort, Trees, Tx};
use codegen_store::decode;

/// The skills on disk: names and ids.
fn on_disk(trees: &Trees) -> BTreeMap<String, i64> {
    let entries = trees.entries(tables::SKILLS);
    let skills = entries.map(|entry| decode::<Skill>(&entry.expect("the tree can be read").1).expect("a skill"));
    skills.map(|skill| (skill.name, skill.id)).collect()
}

impl TestStore {
    async fn skills(&self) -> BTreeMap<String, i64> {
        self.store()
            .read(|trees, _| Ok(on_disk(trees)))
            .await
            .expect("the trees are read")
    }

    async fn set_skills(&self, id: HumanId, names: impl Iterator<Item = String>) {
        let skills = names.map(|name| new_skill(&name, "Home")).collect();
        let outcome = self.store().update_human(Actor::Operator, id, Some(skills), |_| ());
        outcome.await.expect("a write");
    }
}

#[tokio::test]
async fn names_that_are_replaced_again_and_again_are_not_kept() {
    let place = TestStore::new();
    let ids = [place.human("Hana").await, place.human("Ken").await];
    for round in 0..100 {
        // Both workers have some of the names, which the second one loses later.
        for (id, from) in ids.into_iter().zip([0, 5]) {
            place
                .set_skills(id, (from..from + 10).map(|name| format!("{round} {name}")))
                .await;
        }
    }
    let names: Vec<String> = (0..15).map(|name| format!("99 {name}")).collect();
    let check = async |place: &TestStore| {
        let mut kept: Vec<_> = place.skills().await.into_keys().collect();
        kept.sort_by_key(|name| name[3..].parse::<u32>().ok());
        assert_eq!(kept, names);
        place.assert_indexed();
    };
    check(&place).await;
    let place = place.reopened().await;
    check(&place).await;
    let former = place.skills().await;
    for id in ids {
        place.set_skills(id, std::iter::empty()).await;
    }
    assert!(place.skills().await.is_empty());
    place.set_skills(ids[0], names.iter().cloned()).await;
    let last = former.into_values().max();
    assert!(place.skills().await.into_values().min() > last, "they have new ids");
}

#[tokio::test]
async fn writes_that_share_a_commit_count_each_others_skills() {
    let place = TestStore::new();
    let ids = [place.human("Hana").await, place.human("Ken").await];
    for round in 0..20 {
        let skills = |name: &str| Some(vec![new_skill(name, "Home")]);
        let (own, other) = (format!("{round}"), format!("{}", round - 1));
        let writes = [
            (ids[0], &own),
            (ids[1], &own),
            (ids[0], &other),
            (ids[1], &other),
            (ids[1], &own),
        ];
        let writes = writes.map(|(id, name)| place.store().update_human(Actor::Operator, id, skills(name), |_| ()));
        for written in futures_util::future::join_all(writes).await {
            written.expect("a write");
        }
        let known = place.skills().await;
        let both = [&own, &other].map(|name| known.contains_key(name));
        assert_eq!((known.len(), both), (2, [true; 2]), "{known:?}");
    }
    place.reopened().await.assert_indexed();
}

/// A closed store with a worker who cooks, and entries of skills that no worker has, as earlier versions left them.
async fn store_of_an_earlier_version(unused: i64) -> TempDir {
    let place = TestStore::new();
    let id = place.human("Hana").await;
    place.set_skills(id, ["Cooking".to_owned()].into_iter()).await;
    let left_behind = move |tx: &mut Tx<'_>| {
        let names = (0..unused).map(|name| new_skill(&name.to_string(), "Home"));
        for (number, skill) in (2..).zip(named(names.collect())) {
            let value = serde_json::to_vec(&skill.with_id(number)).expect("a skill");
            tx.write(tables::SKILLS, skill.key.bytes(), Some(value.into()));
        }
        tx.advance(tables::SKILLS, unused + 1)?;
        Ok::<_, Abort<Infallible>>(())
    };
    let Ok(()) = place
        .store()
        .write(Actor::Operator, left_behind)
        .await
        .expect("a write");
    let (store, dir) = place.into_parts();
    store.close().await.expect("it closes");
    dir
}

#[tokio::test]
async fn names_that_an_earlier_version_left_behind_go_with_the_next_writes() {
    let dir = store_of_an_earlier_version(1_500).await;
    let place = TestStore::over(open(&dir), dir);
    // A start writes nothing.
    assert_eq!(place.skills().await.len(), 1_501);
    // One that returns before it is removed keeps its id.
    place
        .set_skills(HumanId::new(1), ["Cooking", "1499"].map(str::to_owned).into_iter())
        .await;
    assert_eq!(place.skills().await.len(), 502);
    place.human("Ken").await;
    let kept = BTreeMap::from([("Cooking".to_owned(), 1), ("1499".to_owned(), 1_501)]);
    assert_eq!(place.skills().await, kept);
    let place = place.reopened().await;
    assert_eq!(place.skills().await, kept);
    place.human("Jun").await;
    assert_eq!(place.skills().await, kept);
}
