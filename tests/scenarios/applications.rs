//! Applications: one a worker and bounty, decided by the bounty's owner, who may change its mind.

use super::*;
use serde_json::{Value, json};

#[test]
fn a_worker_applies_once_however_often_at_once() {
    let market = market();
    for _ in 0..20 {
        let agent = market.agent("free");
        let bounty = market.bounty_of(&agent);
        let worker = market.worker();
        let body = Some(json!({ "message": "Me" }));
        let request = request(&worker, op!(worker::create_application), &[bounty], "", body);
        let replies = at_once(market.service(), vec![request; 12]);
        let made = replies.iter().filter(|reply| reply.status == 201).count();
        let refused = replies.iter().filter(|reply| reply.status == 400).count();
        assert_eq!((made, refused), (1, 11));
        assert_eq!(
            market.get(&agent, op!(agent::get_bounty), &[bounty], "").data()["applications_count"],
            1
        );
        assert_eq!(
            ids(&market.get(&agent, op!(agent::list_applications), &[bounty], "")).len(),
            1
        );
    }
}

#[test]
fn workers_who_apply_together_are_all_counted() {
    let market = market();
    let agent = market.agent("free");
    let bounty = market.bounty_of(&agent);
    let workers: Vec<Caller> = (0..12).map(|_| market.worker()).collect();
    let apply = |worker| {
        request(
            worker,
            op!(worker::create_application),
            &[bounty],
            "",
            Some(json!({ "message": "Me" })),
        )
    };
    let replies = at_once(market.service(), workers.iter().map(apply).collect());
    assert!(replies.iter().all(|reply| reply.status == 201));
    assert_eq!(
        market.get(&agent, op!(agent::get_bounty), &[bounty], "").data()["applications_count"],
        12
    );
    let listed = ids(&market.get(&agent, op!(agent::list_applications), &[bounty], ""));
    assert!(listed.len() == 12 && listed.is_sorted(), "{listed:?}");
}

#[test]
fn a_decision_can_be_changed_and_touches_nothing_else() {
    let market = market();
    let agent = market.agent("free");
    let bounty = market.bounty_of(&agent);
    let workers = [market.worker(), market.worker()];
    let applications = workers.each_ref().map(|worker| market.application_to(bounty, worker));
    let before = market.get(&agent, op!(agent::get_bounty), &[bounty], "").data();
    for status in ["accepted", "rejected", "accepted", "accepted"] {
        let op = op!(agent::decide_application);
        market
            .send(&agent, op, &[bounty, applications[0]], json!({ "status": status }))
            .data();
        let received = market.get(&agent, op!(agent::list_applications), &[bounty], "").data();
        assert_eq!(
            (&received[0]["status"], &received[1]["status"]),
            (&json!(status), &json!("pending"))
        );
        let sent = market.get(&workers[0], op!(worker::list_applications), &[], "").data();
        assert_eq!(
            (&sent[0]["status"], &sent[0]["bounty_status"]),
            (&json!(status), &json!("open"))
        );
    }
    assert_eq!(market.get(&agent, op!(agent::get_bounty), &[bounty], "").data(), before);
}

#[test]
fn an_application_shows_its_worker_as_it_is_now() {
    let market = market();
    let agent = market.agent("free");
    let bounty = market.bounty_of(&agent);
    let worker = market.worker();
    let application = market.application_to(bounty, &worker);
    let change = json!({ "name": "New name", "rating": 4.75 });
    market
        .send(&market.operator(), op!(operator::update_human), &[worker.id], change)
        .data();
    let shown = market.get(&agent, op!(agent::list_applications), &[bounty], "").data()[0].take();
    let wanted = json!([application, worker.id, "New name", 4.75, "I can do this", "pending"]);
    let came = ["id", "user_id", "name", "rating", "message", "status"].map(|name| shown[name].clone());
    assert_eq!(Value::from(came.to_vec()), wanted);
}

#[test]
fn a_worker_sees_its_own_applications_and_only_those_with_the_bounty_as_it_is_now() {
    let market = market();
    let agent = market.agent("free");
    let bounties = [
        market.bounty_of(&agent),
        market.bounty_of(&agent),
        market.bounty_of(&agent),
    ];
    let (worker, other) = (market.worker(), market.worker());
    let sent: Vec<i64> = bounties
        .iter()
        .map(|bounty| market.application_to(*bounty, &worker))
        .collect();
    market.application_to(bounties[0], &other);
    market.set_status(bounties[1], "cancelled");
    let reply = market.get(&worker, op!(worker::list_applications), &[], "");
    assert_eq!((ids(&reply), &reply.json()["total"]), (sent.clone(), &json!(3)));
    assert_eq!(reply.data()[1]["bounty_status"], "cancelled");
    let page = market.get(&worker, op!(worker::list_applications), &[], "limit=1&offset=2");
    assert_eq!((ids(&page), &page.json()["total"]), (vec![sent[2]], &json!(3)));
    let past = market.get(&worker, op!(worker::list_applications), &[], "offset=3");
    assert_eq!((ids(&past), &past.json()["total"]), (vec![], &json!(3)));
}

#[test]
fn only_an_open_bounty_takes_applications_and_one_opened_again_does() {
    let market = market();
    let agent = market.agent("free");
    let worker = market.worker();
    let apply = |bounty| {
        let body = json!({ "message": "Me" });
        market.send(&worker, op!(worker::create_application), &[bounty], body)
    };
    for closed in ["completed", "cancelled"] {
        let bounty = market.bounty_of(&agent);
        market.set_status(bounty, closed);
        apply(bounty).refused(400);
    }
    let bounty = market.bounty_of(&agent);
    market.set_status(bounty, "in_progress");
    apply(bounty).refused(400);
    market.set_status(bounty, "open");
    apply(bounty).data();
    market.set_status(bounty, "in_progress");
    let said = apply(bounty).refused(400);
    assert!(said.contains("not open"), "of two rules the upper row answers: {said}");
}
