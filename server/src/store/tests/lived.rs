//! A store in which all kinds of writes were made.

use contract::{ApplicationStatus, Sender};

use super::*;

/// Makes every kind of write, `times` times.
pub(super) async fn live(place: &TestStore, times: i64) {
    let account = place.account(&times.to_string()).await;
    for round in 0..times {
        let (human, bounty) = (place.human("Hana").await, place.bounty(account, "A task").await);
        let bio = format!("{round}").repeat(6_000);
        let change = move |human: &mut contract::Human| human.bio = bio.clone();
        let changed = place.store().update_human(Actor::Operator, human, None, change);
        changed.await.expect("a write");
        let application = place.apply(bounty, human).await;
        let accepted = ApplicationStatus::Accepted;
        let decided = place.store().decide_application(Actor::Operator, application, accepted);
        decided.await.expect("a write").expect("decided");
        let talk = place.talk(account, human, "Hello", round).await;
        place.say(talk, Sender::Human, "Good day", round).await;
        let moved = place
            .store()
            .set_status(Actor::Operator, bounty, BountyStatus::Completed);
        moved.await.expect("a write").expect("moved");
    }
}
