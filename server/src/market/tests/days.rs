//! What each day brought.

use contract::DayCounts;

use super::*;
use crate::market::days;

const DAY: i64 = 24 * 60 * 60;

async fn noted(place: &TestStore, unix: i64) {
    let noted = place.store().write(Actor::Operator, move |tx| days::note(tx, at(unix)));
    noted.await.expect("a write").expect("it is noted");
}

async fn last(place: &TestStore, unix: i64) -> Vec<DayCounts> {
    let days = place.store().read(move |trees, _| days::last(trees, at(unix), 4));
    days.await.expect("the days")
}

fn workers(days: &[DayCounts]) -> Vec<(String, i64)> {
    days.iter().map(|day| (day.day.to_string(), day.workers)).collect()
}

#[tokio::test]
async fn each_day_has_what_was_made_in_it() {
    let place = TestStore::new();
    place.human("before all").await;
    noted(&place, 100).await;
    let account = place.account("Agent").await;
    let human = place.human("Hana").await;
    noted(&place, 200).await;
    place.human("Ken").await;
    noted(&place, DAY).await;
    let bounty = place.bounty(account, "Photos").await;
    place.apply(bounty, human).await;
    place.talk(account, human, "Hello", DAY + 1).await;
    // Nobody noted the third day.
    let place = place.reopened().await;
    noted(&place, 3 * DAY).await;
    place.human("Mei").await;

    let days = last(&place, 3 * DAY + 5).await;
    let expected = [
        ("1970-01-04", 1),
        ("1970-01-03", 0),
        ("1970-01-02", 0),
        ("1970-01-01", 2),
    ];
    assert_eq!(workers(&days), expected.map(|(day, count)| (day.to_owned(), count)));
    let second = &days[2];
    assert_eq!(
        (
            second.accounts,
            second.bounties,
            second.applications,
            second.messages,
            second.decisions
        ),
        (0, 1, 1, 1, 0)
    );
    assert_eq!(days[3].accounts, 1);
    assert_eq!(
        last(&place, 5 * DAY).await[0].workers,
        0,
        "a day that has not been noted yet"
    );
}

#[tokio::test]
async fn an_application_is_decided_for_the_first_time_once() {
    let place = TestStore::new();
    let account = place.account("Agent").await;
    let human = place.human("Hana").await;
    let bounty = place.bounty(account, "Photos").await;
    let application = place.apply(bounty, human).await;
    for to in [
        ApplicationStatus::Accepted,
        ApplicationStatus::Rejected,
        ApplicationStatus::Accepted,
    ] {
        let decided = place.store().decide_application(Actor::Operator, application, to);
        decided.await.expect("a write").expect("it is decided");
    }
    assert_eq!(last(&place, 8).await[0].decisions, 1);
}
