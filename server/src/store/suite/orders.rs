//! The lists whose order is that of an index on disk: it must be the order that `sort` of the operation declares. In
//! each test, every field that could determine the order gives a different order.

use std::cmp::Ordering;

use contract::{
    Application, ApplicationId, ApplicationStatus, Conversation, ConversationId, Number, agent, operator, worker,
};

use super::*;
use crate::store::{NewApplication, NewConversation, NewMessage, Party};

/// Checks that `listed` has the ids of `records` in this order, which must be strict.
#[track_caller]
fn check<R, I: ToString>(mut records: Vec<R>, order: fn(&R, &R) -> Ordering, id: fn(&R) -> I, listed: &[String]) {
    records.sort_by(order);
    assert!(records.is_sorted_by(|a, b| order(a, b).is_lt()), "records are equal");
    let expected: Vec<_> = records.iter().map(|record| id(record).to_string()).collect();
    assert_eq!(listed, expected);
}

fn ids<V>(rows: &[Encoded<V>]) -> Vec<String> {
    rows.iter().map(|row| text_of(row, "id")).collect()
}

impl TestStore {
    /// Conversations of the four given pairs: one account with four workers, or one worker with four accounts.
    async fn talks(&self, pairs: [(AccountId, HumanId); 4]) -> Vec<Conversation> {
        let mut ids = Vec::new();
        for ((account_id, human_id), unix) in pairs.into_iter().zip([100, 400, 300, 200]) {
            let new = NewConversation {
                account_id,
                human_id,
                message: "hello".to_owned(),
                created_at: at(unix),
                steps: vec![],
            };
            let created = self
                .store
                .unkeyed().create_conversation(Actor::Operator, new)
                .await
                .expect("a write");
            ids.push(created.expect("a conversation").0);
        }
        // The first gets the same time as the second. The last has the latest message, although its clock was slow.
        for (at_place, unix) in [(0, 400), (3, 50)] {
            let new = NewMessage {
                conversation_id: ids[at_place],
                sender: Party::Human(pairs[at_place].1),
                content: "hello".to_owned(),
                created_at: at(unix),
                steps: vec![],
            };
            let sent = self.store.unkeyed().create_message(Actor::Operator, new).await.expect("a write");
            sent.expect("a message");
        }
        let mut found = Vec::new();
        for id in ids {
            found.push(self.conversation_record(id).await);
        }
        found
    }

    async fn conversation_record(&self, id: ConversationId) -> Conversation {
        let found = self.store.find_conversation(id).await.expect("an answer");
        Conversation::clone(&found.expect("it is there"))
    }

    async fn application_record(&self, id: ApplicationId) -> Application {
        let found = self.store.find_application(id).await.expect("an answer");
        Application::clone(&found.expect("it is there"))
    }
}

#[tokio::test]
async fn an_agents_conversations_come_as_the_contract_sorts_them() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let mut pairs = [(account, HumanId::new(0)); 4];
    for at_place in [2, 0, 3, 1] {
        pairs[at_place].1 = place.human("h").await;
    }
    let talks = place.talks(pairs).await;
    let listed = place.store.agent_conversations(account, PageRequest::new(20, 0)).await.expect("a list");
    check(
        talks,
        agent::list_conversations::order,
        |talk| talk.id,
        &ids(&whole(listed)),
    );
}

#[tokio::test]
async fn a_workers_conversations_come_as_the_contract_sorts_them() {
    let place = TestStore::new();
    let human = place.human("h").await;
    let mut pairs = [(AccountId::new(0), human); 4];
    for at_place in [2, 0, 3, 1] {
        pairs[at_place].0 = place.account(["a", "b", "c", "d"][at_place]).await;
    }
    let talks = place.talks(pairs).await;
    let listed = place.store.worker_conversations(human, PageRequest::new(20, 0)).await.expect("a list");
    check(
        talks,
        worker::list_conversations::order,
        |talk| talk.id,
        &ids(&whole(listed)),
    );
}

impl TestStore {
    /// Applications of these workers to these bounties of `owner`. The first is rejected.
    async fn applied(&self, owner: AccountId, pairs: [(BountyId, HumanId); 3]) -> Vec<Application> {
        let mut created = Vec::new();
        for ((bounty_id, human_id), (unix, message)) in pairs.into_iter().zip([(200, "b"), (300, "c"), (100, "a")]) {
            let new = NewApplication {
                bounty_id,
                human_id,
                message: message.to_owned(),
                created_at: at(unix),
            };
            let id = self.store.unkeyed().create_application(Actor::Operator, new).await.expect("a write");
            created.push(id.expect("an application"));
        }
        let rejected = ApplicationStatus::Rejected;
        let decided = self.store.decide_application(Actor::Operator, owner, created[0], rejected, at(1), vec![]);
        decided.await.expect("a write").expect("decided");
        let mut records = Vec::new();
        for id in created {
            records.push(self.application_record(id).await);
        }
        records
    }
}

#[tokio::test]
async fn a_workers_applications_come_as_the_contract_sorts_them() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let mut bounties = Vec::new();
    for title in ["one", "two", "three"] {
        bounties.push(place.bounty(account, title).await);
    }
    let records = place.applied(account, [2, 0, 1].map(|at| (bounties[at], human))).await;
    let page = place.store.sent_applications(human, all()).await.expect("a page");
    check(
        records,
        worker::list_applications::order,
        |one| one.id,
        &ids(&whole(page.rows)),
    );
}

#[tokio::test]
async fn applications_to_a_bounty_come_as_the_contract_sorts_them() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let bounty = place.bounty(account, "one").await;
    let mut humans = Vec::new();
    for name in ["b", "c", "a"] {
        humans.push(place.human(name).await);
    }
    let records = place.applied(account, [2, 0, 1].map(|at| (bounty, humans[at]))).await;
    let rows = place.store.received_applications(bounty, PageRequest::new(i64::MAX, 0)).await.expect("a list");
    check(
        records,
        agent::list_applications::order,
        |one| one.id,
        &ids(&whole(rows)),
    );
}

#[tokio::test]
async fn accounts_come_as_the_contract_sorts_them() {
    let place = TestStore::new();
    let mut records = Vec::new();
    for name in ["b", "c", "a"] {
        let id = place.account(name).await;
        let found = place.store.find_account(id).await.expect("an answer");
        records.push(Account::clone(&found.expect("it is there")));
    }
    let page = place.store.list_accounts(all()).await.expect("a page");
    check(
        records,
        operator::list_accounts::order,
        |one| one.id,
        &ids(&whole(page.rows)),
    );
}

/// Both lists share one order in memory, that of the list for agents.
#[test]
fn workers_and_agents_find_bounties_in_the_same_order() {
    let varied = [(1, 3, 2), (2, 1, 3), (3, 2, 1), (4, 3, 3)].map(|(id, first, second)| Bounty {
        id: BountyId::new(id),
        title: format!("{first}"),
        description: format!("{second}"),
        budget: Number::new(f64::from(second)).expect("a finite number"),
        applications_count: first.into(),
        upvotes: second.into(),
        downvotes: first.into(),
        is_remote: first == 3,
        ..plain_bounty(AccountId::new(second.into()))
    });
    for (a, b) in varied.iter().flat_map(|a| varied.iter().map(move |b| (a, b))) {
        let orders = (agent::list_bounties::order(a, b), worker::list_bounties::order(a, b));
        assert_eq!(orders.0, orders.1, "{a:?} and {b:?}");
    }
}
