//! The cost of a start on a large store. Not run with the other tests: it takes a minute, and a person has to read its
//! numbers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use contract::ConversationId;
use contract::support::{Done, Once};

use super::*;
use crate::store::mirror::{Change, Mirror, Update};
use crate::store::rules::humans::Draft;
use crate::store::sled::record::Record;
use crate::store::sled::transaction::{Abort, Tx};
use crate::store::sled::verify::verify;
use crate::store::sled::writes;
use crate::store::tables;
use crate::store::{NewApplication, NewConversation, NewMessage, Party};

/// The number of workers. There are as many bounties, twice as many applications, half as many conversations, and
/// three times as many messages.
const WORKERS: i64 = 100_000;

impl TestStore {
    /// Runs one write for each of `0..count`, some thousands in one transaction.
    async fn write_each(&self, count: i64, one: fn(&mut Tx<'_>, i64) -> Result<(), Abort<Infallible>>) {
        for first in (0..count).step_by(5_000) {
            let group = move |tx: &mut Tx<'_>| (first..count.min(first + 5_000)).try_for_each(|number| one(tx, number));
            self.store
                .commit_infallible(Actor::Operator, Once::without_key(), group)
                .await
                .map(Done::into_inner)
                .expect("a group is written");
        }
    }
}

fn surely<T, D: std::fmt::Debug>(done: Result<T, Abort<D>>) -> Result<(), Abort<Infallible>> {
    done.expect("no rule rejects it");
    Ok(())
}

fn worker(tx: &mut Tx<'_>, number: i64) -> Result<(), Abort<Infallible>> {
    let skill = |at: i64| new_skill(&format!("Skill {}", at % 60), "Work");
    let human = NewHuman {
        bio: "A person who has done this for years, and likes to. ".repeat(4),
        skills: [number, number / 60, number / 3600 + 7].map(skill).to_vec(),
        ..new_human(&format!("Worker {number}"))
    };
    surely::<_, Infallible>(writes::create_humans(tx, &[Draft::new(human, false)]))
}

fn bounty(tx: &mut Tx<'_>, _: i64) -> Result<(), Abort<Infallible>> {
    let draft = Bounty {
        description: "Go there, look at it, and write down what you see. ".repeat(4),
        ..plain_bounty(AccountId::new(1))
    };
    let by = Actor::Operator.into();
    surely::<_, Infallible>(writes::create_bounty(tx, &by, &draft, &[]))
}

fn application(tx: &mut Tx<'_>, number: i64) -> Result<(), Abort<Infallible>> {
    surely(writes::create_application(
        tx,
        &NewApplication {
            bounty_id: BountyId::new(number / 2 + 1),
            human_id: HumanId::new((number * 7919) % WORKERS + 1),
            message: "I live around the corner, and can do it tomorrow.".to_owned(),
            created_at: at(number),
        },
    ))
}

fn conversation(tx: &mut Tx<'_>, number: i64) -> Result<(), Abort<Infallible>> {
    surely(writes::create_conversation(
        tx,
        &NewConversation {
            account_id: AccountId::new(1),
            human_id: HumanId::new(number + 1),
            message: "When could you come, and what would it cost?".to_owned(),
            created_at: at(number),
            steps: vec![],
        },
    ))
}

fn message(tx: &mut Tx<'_>, number: i64) -> Result<(), Abort<Infallible>> {
    surely(writes::create_message(
        tx,
        &NewMessage {
            conversation_id: ConversationId::new(number / 5 + 1),
            sender: Party::Agent(AccountId::new(1)),
            content: "Yes, that would suit us, thank you.".to_owned(),
            created_at: at(number),
            steps: vec![],
        },
    ))
}

/// A closed store with records of all kinds.
async fn large() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = SledStore::open(dir.path(), Durability::Unsynced).expect("the directory opens");
    let place = TestStore { store, dir };
    place.account("a").await;
    place.write_each(WORKERS, worker).await;
    place.write_each(WORKERS, bounty).await;
    place.write_each(2 * WORKERS, application).await;
    place.write_each(WORKERS / 2, conversation).await;
    place.write_each(WORKERS / 2 * 5, message).await;
    place.store.close().await.expect("the store closes");
    place.dir
}

/// The result of `work` and its CPU seconds, which do not depend on other load.
fn took<T>(what: &str, work: impl FnOnce() -> T) -> (T, f64) {
    let on_cpu = || -> f64 {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
        let nanos = stat.split(' ').next().expect("the first number");
        nanos.parse::<f64>().expect("a number") / 1e9
    };
    let (began, before) = (Instant::now(), on_cpu());
    let done = work();
    let (secs, cpu_secs) = (began.elapsed().as_secs_f64(), on_cpu() - before);
    println!("{what}: {cpu_secs:.2} s of CPU in {secs:.2} s");
    (done, cpu_secs)
}

/// The content of the mirror, read without any verification.
fn unverified(raw: &Raw) -> Vec<Change> {
    const ALL: (Bound<Vec<u8>>, Bound<Vec<u8>>) = (Bound::Unbounded, Bound::Unbounded);
    fn all<R: Record>(raw: &Raw) -> impl Iterator<Item = R> {
        let entries = codegen_store::scan(raw.reads(), R::TREE, ALL, 256);
        entries.map(|entry| R::decode(&entry.expect("an entry").1).expect("a record"))
    }
    let open = codegen_store::keys(raw.reads(), tables::OPEN_BOUNTIES, ALL, 256).map(|key| {
        let value = raw.reads().get(tables::BOUNTIES, &key.expect("a key")).expect("a read");
        Bounty::decode(&value.expect("it is there")).expect("a record")
    });
    let accounts = all(raw).map(|account| Change::Account(Arc::new(account)));
    let keys = all(raw).map(|key| Change::Key(Arc::new(key)));
    let humans = all(raw).map(|human| Change::Human(Arc::new(human)));
    let bounties = open.map(|bounty| Change::Bounty((&bounty).into()));
    accounts.chain(keys).chain(humans).chain(bounties).collect()
}

fn verified(raw: &Raw) -> Vec<Change> {
    let mut changes = Vec::new();
    let findings = raw.load(|reader| verify(reader, &mut |change| changes.push(change)));
    let findings = findings.expect("all is read");
    assert!(findings.is_empty(), "{findings}");
    changes
}

/// Each variant opens its own sled, since the first reader waits for the disk.
#[tokio::test]
#[ignore = "a measurement: cargo test --release -p hitode --lib large -- --ignored --nocapture"]
async fn what_a_verified_start_of_a_large_store_costs() {
    let dir = large().await;
    for round in 1..=3 {
        let mut total = [0.0; 2];
        for (total, (name, read)) in total.iter_mut().zip([
            ("what the memory holds is read", unverified as fn(&Raw) -> _),
            ("all is verified", verified),
        ]) {
            let (raw, opening) = took("sled opens", || Raw::open(dir.path(), &tables::SCHEMA));
            let (changes, reading) = took(name, || read(&raw));
            let (mirror, filling) = took("the memory is filled", || {
                let mut mirror = Mirror::default();
                mirror.apply(Update::from_changes(changes));
                mirror
            });
            assert_eq!(
                mirror.bounties.open(),
                usize::try_from(WORKERS).expect("a small number")
            );
            *total = opening + reading + filling;
        }
        let [plain, verified] = total;
        println!(
            "round {round}: {plain:.2} s, verified {verified:.2} s, {:.2} times as long",
            verified / plain
        );
    }
}
