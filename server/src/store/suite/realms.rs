//! The sandbox and what is live: neither has a record of the other in a list.

use super::*;
use crate::store::NewAccount;

#[tokio::test]
async fn each_realm_has_lists_of_its_own() {
    let place = TestStore::new();
    let cook = |name: &str| NewHuman {
        skills: vec![new_skill("Cooking", "Home")],
        ..new_human(name)
    };
    let people = |names: [&str; 2]| names.map(cook).to_vec();
    for (names, sandbox) in [(["a", "b"], false), (["c", "d"], true), (["e", "f"], false)] {
        place
            .store
            .unkeyed()
            .create_humans(people(names), sandbox)
            .await
            .expect("workers are entered");
    }
    let live = place.account("live").await;
    let account = NewAccount {
        name: "sandbox".to_owned(),
        plan: Plan::Free,
        sandbox: true,
        created_at: at(0),
    };
    let (sandbox, _) = place
        .store
        .unkeyed()
        .create_account(account, new_key("sandbox"))
        .await
        .expect("an account is made");
    place.bounty(live, "one").await;
    place.bounty(sandbox, "two").await;
    let leave = |account: &mut contract::Account| account.sandbox = false;
    let changed = place.store.update_account(sandbox, leave).await.expect("a write");
    assert_eq!(changed, Ok(()));
    let check = async |place: &TestStore| {
        for (sandbox, names, title) in [(false, &["a", "b", "e", "f"][..], "one"), (true, &["c", "d"], "two")] {
            let filter = HumanFilter {
                sandbox,
                ..HumanFilter::default()
            };
            assert_eq!(place.names(filter).await, names);
            let skills = place.store.list_skills(sandbox, all()).await.expect("a page");
            let workers: Vec<_> = whole(skills.rows).iter().map(|row| text_of(row, "workers")).collect();
            assert_eq!(workers, [names.len().to_string()]);
            let filter = BountyFilter {
                sandbox,
                ..BountyFilter::default()
            };
            let page = place.store.find_bounties(filter, all()).await.expect("a page");
            let titles: Vec<_> = whole(page.rows).iter().map(|row| text_of(row, "title")).collect();
            assert_eq!((titles, page.total), (vec![title.to_owned()], 1));
        }
        let owned = place.store.own_bounties(sandbox, None, all()).await.expect("a page");
        assert_eq!(owned.total, 1);
    };
    check(&place).await;
    check(&place.reopened().await).await;
}
