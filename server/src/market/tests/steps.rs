//! Steps of simulated workers: due in order, replaced in one write, and sooner for an account whose clock is advanced.

use super::*;
use crate::store::{DueSteps, NewStep};

fn step(account: AccountId, due: u64, step: &str) -> NewStep {
    let (about, step) = (7, step.to_owned());
    NewStep {
        due,
        account,
        about,
        step,
    }
}

/// What is due, and when the next step is.
async fn due(place: &TestStore, at: u64, most: usize) -> (Vec<String>, Option<u64>) {
    let DueSteps { due, next } = place.app.due_steps(at, most).await.expect("an answer");
    (due.into_iter().map(|due| due.step).collect(), next)
}

#[tokio::test]
async fn steps_are_due_in_the_order_of_their_times() {
    let place = TestStore::new();
    let (a, b) = (place.account("a").await, place.account("b").await);
    assert_eq!(due(&place, u64::MAX, 9).await, (vec![], None));
    let steps = vec![
        step(b, 30, "third"),
        step(a, 10, "first"),
        step(a, 20, "second"),
        step(b, 20, "again"),
    ];
    place.app.replace_steps(vec![], steps).await.expect("a write");
    assert_eq!(due(&place, 9, 9).await, (vec![], Some(10)));
    assert_eq!(
        due(&place, 29, 2).await,
        (vec!["first".to_owned(), "second".to_owned()], Some(20))
    );
    let place = place.reopened().await;
    let first = place.app.due_steps(10, 9).await.expect("an answer").due.remove(0);
    let later = vec![step(a, 40, "later")];
    place.app.replace_steps(vec![first.key], later).await.expect("a write");
    let all = ["second", "again", "third", "later"].map(str::to_owned).to_vec();
    assert_eq!(due(&place, 40, 9).await, (all, None));
}

#[tokio::test]
async fn an_advanced_clock_is_that_of_one_account() {
    let place = TestStore::new();
    let (a, b) = (place.account("a").await, place.account("b").await);
    let steps = vec![step(a, 1_000, "of a"), step(b, 1_000, "of b"), step(a, 5_000, "later")];
    place.app.replace_steps(vec![], steps).await.expect("a write");
    place.app.advance_steps(a, 900).await.expect("a write");
    assert_eq!(due(&place, 100, 9).await, (vec!["of a".to_owned()], Some(1_000)));
    place.app.advance_steps(a, 60_000).await.expect("a write");
    let place = place.reopened().await;
    assert_eq!(
        due(&place, 0, 9).await,
        (vec!["of a".to_owned(), "later".to_owned()], Some(1_000))
    );
}
