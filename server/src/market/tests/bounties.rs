//! Bounties: who may change their status, and which are listed.

use contract::agent::list_bounties::Query;
use contract::agent::update_bounty::Error;

use super::*;

#[tokio::test]
async fn only_open_bounties_are_listed_and_all_are_found() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let (one, two) = (place.bounty(account, "one").await, place.bounty(account, "two").await);
    let set = async |place: &TestStore, id, to| {
        place
            .store()
            .set_status(Actor::Operator, id, to)
            .await
            .expect("a write")
    };
    assert_eq!(set(&place, one, BountyStatus::Completed).await, Ok(()));
    assert_eq!(set(&place, one, BountyStatus::Completed).await, Ok(()));
    let place = place.reopened().await;
    assert_eq!(place.open_titles().await, ["two"]);
    let found = place
        .app
        .find_bounty(one)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(found.status, BountyStatus::Completed);
    assert_eq!(set(&place, one, BountyStatus::Open).await, Ok(()));
    assert_eq!(set(&place, two, BountyStatus::Cancelled).await, Ok(()));
    assert_eq!(place.open_titles().await, ["one"]);
    assert!(
        place
            .app
            .find_bounty(BountyId::new(-1))
            .await
            .expect("an answer")
            .is_none()
    );
}

#[tokio::test]
async fn the_operator_hides_a_bounty_and_locks_it() {
    let place = TestStore::new();
    let owner = place.account("a").await;
    let (bounty, _) = (place.bounty(owner, "one").await, place.bounty(owner, "two").await);
    let change = async |place: &TestStore, change: fn(&mut Bounty)| {
        let changed = place.store().update_bounty(bounty, change).await;
        changed.expect("a write");
    };
    let open = async |place: &TestStore| {
        let moved = place.store().set_status(Actor::Operator, bounty, BountyStatus::Open);
        moved.await.expect("a write")
    };
    change(&place, |bounty| bounty.hidden = true).await;
    assert_eq!(place.open_titles().await, ["two"]);
    let place = place.reopened().await;
    assert_eq!(place.open_titles().await, ["two"]);
    change(&place, |bounty| {
        (bounty.hidden, bounty.locked, bounty.status) = (false, true, BountyStatus::Cancelled);
    })
    .await;
    assert_eq!(open(&place).await, Err(Error::Locked));
    let place = place.reopened().await;
    assert_eq!(open(&place).await, Err(Error::Locked));
    change(&place, |bounty| bounty.locked = false).await;
    assert_eq!(open(&place).await, Ok(()));
    assert_eq!(place.open_titles().await, ["two", "one"]);
}

#[tokio::test]
async fn an_account_finds_its_own_bounties_in_any_status() {
    let place = TestStore::new();
    let (owner, other) = (place.account("a").await, place.account("b").await);
    for title in ["one", "two", "three"] {
        place.bounty(owner, title).await;
    }
    let closed = place.bounty(owner, "closed").await;
    place.bounty(other, "of b").await;
    let moved = place
        .store()
        .set_status(Actor::Operator, closed, BountyStatus::Completed);
    assert_eq!(moved.await.expect("a write"), Ok(()));
    let place = place.reopened().await;
    let own = async |status, window| {
        let page = place.app.own_bounties(owner, status, window).await.expect("a page");
        let titles: Vec<_> = whole(page.rows).iter().map(|row| text_of(row, "title")).collect();
        (titles.join(" "), page.total)
    };
    assert_eq!(own(None, all()).await, ("closed three two one".to_owned(), 4));
    let open = own(Some(BountyStatus::Open), PageRequest::new(1, 1)).await;
    assert_eq!(open, ("two".to_owned(), 3));
    assert_eq!(
        own(Some(BountyStatus::Completed), all()).await,
        ("closed".to_owned(), 1)
    );
    assert_eq!(own(Some(BountyStatus::Cancelled), all()).await, (String::new(), 0));
}

#[tokio::test]
async fn bounties_of_a_suspended_account_are_hidden_and_renames_show() {
    let place = TestStore::new();
    let (a, b) = (place.account("a").await, place.account("b").await);
    let hidden = place.bounty(a, "of a").await;
    place.bounty(b, "of b").await;
    let change = async |place: &TestStore, name: &'static str, suspended| {
        let change = move |account: &mut Account| {
            account.name = name.to_owned();
            account.suspended = suspended;
        };
        place.store().update_account(a, change).await.expect("a write");
    };
    change(&place, "a", true).await;
    assert_eq!(place.open_titles().await, ["of b"]);
    let found = place.app.find_bounty(hidden).await.expect("an answer");
    assert!(found.is_some(), "it can still be read");
    place.bounty(a, "more of a").await;
    let place = place.reopened().await;
    assert_eq!(place.open_titles().await, ["of b"]);
    change(&place, "renamed", false).await;
    assert_eq!(place.open_titles().await, ["more of a", "of b", "of a"]);
    let page = place
        .app
        .search_bounties::<BountyList>(BountyFilter::default(), all())
        .await
        .expect("a page");
    let posters: Vec<_> = whole(page.rows).iter().map(|row| text_of(row, "poster_name")).collect();
    assert_eq!(posters, ["renamed", "b", "renamed"]);
}

#[tokio::test]
async fn filters_of_bounties_restrict_together() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let kinds = [
        ("1", "moving", "東京都港区", false),
        ("2", "moving", "OSAKA Umeda", true),
        ("3", "it", "", true),
    ];
    for (title, category, location, is_remote) in kinds {
        let draft = Bounty {
            title: title.to_owned(),
            category: Some(category.to_owned()),
            location: (!location.is_empty()).then(|| location.to_owned()),
            is_remote,
            ..plain_bounty(account)
        };
        place
            .store()
            .create_bounty(Actor::Operator, draft)
            .await
            .expect("a bounty is made");
    }
    let check = async |category: Option<&str>, remote_only, location: Option<&str>, expected: &[&str]| {
        let query = Query {
            category: category.map(str::to_owned),
            is_remote: Some(remote_only),
            location: location.map(str::to_owned),
            ..Query::parse("").expect("all are optional")
        };
        let filter = BountyFilter {
            conditions: query.conditions(),
            ..BountyFilter::default()
        };
        let page = place
            .app
            .search_bounties::<BountyList>(filter, all())
            .await
            .expect("a page");
        assert_eq!(
            whole(page.rows)
                .iter()
                .map(|row| text_of(row, "title"))
                .collect::<Vec<_>>(),
            expected
        );
    };
    check(None, false, None, &["3", "2", "1"]).await;
    check(Some("MOVING"), false, None, &["2", "1"]).await;
    check(Some("mov"), false, None, &[]).await;
    check(None, true, None, &["3", "2"]).await;
    check(None, false, Some("ｕｍｅ"), &["2"]).await;
    check(Some("moving"), false, Some("港"), &["1"]).await;
    check(Some("moving"), true, Some("港"), &[]).await;
}

#[tokio::test]
async fn a_long_bounty_can_be_moved_while_it_is_read() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let description = "長".repeat(10_000);
    let draft = Bounty {
        description: description.clone(),
        ..plain_bounty(account)
    };
    let bounty = place
        .store()
        .create_bounty(Actor::Operator, draft)
        .await
        .expect("a bounty is made");
    let moves = async {
        for to in [BountyStatus::InProgress, BountyStatus::Completed]
            .into_iter()
            .cycle()
            .take(40)
        {
            place
                .store()
                .set_status(Actor::Operator, bounty, to)
                .await
                .expect("a write")
                .expect("moved");
        }
    };
    let reads = async {
        for _ in 0..200 {
            let found = place
                .app
                .find_bounty(bounty)
                .await
                .expect("never torn")
                .expect("it is there");
            assert_eq!(found.description, description);
        }
    };
    tokio::join!(moves, reads);
}

#[tokio::test]
async fn what_is_no_title_any_more_stays_where_it_is_stored() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let titles = ["a \u{202e}txt.exe", "\u{200b}"];
    for title in titles {
        place.bounty(account, title).await;
    }
    place.human("\u{2066}b").await;
    let place = place.reopened().await;
    assert_eq!(place.open_titles().await, [titles[1], titles[0]]);
    assert_eq!(place.names(HumanFilter::default()).await, ["\u{2066}b"]);
}

#[tokio::test]
async fn ids_count_up_and_go_on_after_a_reopen() {
    let place = TestStore::new();
    let account = place.account("a").await;
    assert_eq!(place.bounty(account, "one").await, BountyId::new(1));
    assert_eq!(place.bounty(account, "two").await, BountyId::new(2));
    let place = place.reopened().await;
    assert_eq!(place.bounty(account, "three").await, BountyId::new(3));
    assert_eq!(place.account("b").await.get(), 2);
    assert_eq!(place.open_titles().await, ["three", "two", "one"]);
}
