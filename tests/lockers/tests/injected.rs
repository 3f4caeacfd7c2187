//! Error responses that no request causes: the tests inject the failure. The contract names these tests as
//! `untestable`.

use crate::world::{BADGE, Reply, crew, op, request};
use codegen_store::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Memory, Reads, Tree};
use lockers::stored::Store;
use lockers::support::{AnswerId, Done, Failure, FindAnswer, Timestamp};
use lockers::{AdmitBadge, BadgeCaller, LimitSettings, Limits, RecipientId, StationId, depot};
use parking_lot::RwLockReadGuard;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use test_support::in_process::{Endless, InProcess, RUNTIME};

/// An engine that panics when it closes, as sled does on a disk that fails.
struct PanicsClosing(Memory);

impl Drop for PanicsClosing {
    fn drop(&mut self) {
        panic!("the disk fails");
    }
}

impl Reads for PanicsClosing {
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        self.0.get(tree, key)
    }

    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError> {
        self.0.range(tree, range, most)
    }

    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError> {
        self.0.keys(tree, range, most)
    }
}

impl Engine for PanicsClosing {
    fn commit(&self, batch: &Batch) -> Result<Committed, EngineError> {
        self.0.commit(batch)
    }

    fn last_commit(&self) -> u64 {
        self.0.last_commit()
    }

    fn still(&self) -> RwLockReadGuard<'_, ()> {
        self.0.still()
    }
}

#[test]
fn a_store_whose_engine_panics_when_it_closes_has_closed() {
    let engine = Box::new(PanicsClosing(Memory::default()));
    let store = Store::in_engine(engine, (), None).expect("the machine has threads");
    let closed = RUNTIME.block_on(store.close());
    assert!(closed.is_ok(), "{closed:?}");
}

type Created = Result<Done<depot::create_recipient::Success>, depot::create_recipient::Error>;

/// A service with one handler.
struct Creating<H>(H);

impl<H: Send + Sync + 'static> AdmitBadge for Creating<H> {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        Ok((presented == BADGE).then_some(BadgeCaller {}))
    }
}

impl<H: Send + Sync + 'static> FindAnswer for Creating<H> {
    async fn find_answer(&self, _: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
}

impl<H> depot::CreateRecipient for Creating<H>
where
    H: Fn(depot::create_recipient::Request) -> Created + Send + Sync + 'static,
{
    async fn create_recipient(&self, request: depot::create_recipient::Request) -> Created {
        (self.0)(request)
    }
}

fn service(handler: impl Fn(depot::create_recipient::Request) -> Created + Send + Sync + 'static) -> InProcess {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    InProcess::from_filter(depot::create_recipient::filter(Arc::new(Creating(handler)), limits))
}

/// Answers with a megabyte.
fn long(request: depot::create_recipient::Request) -> Created {
    let long = depot::create_recipient::Success {
        id: RecipientId::new(1),
        pass: "x".repeat(1 << 20),
    };
    Ok(request.once.done(long).0)
}

#[test]
fn a_caller_with_unread_answers_is_rejected_until_it_reads_them() {
    let service = service(long);
    let body = Some(json!({ "name": "Aoi" }));
    let request = request(&crew(), op!(depot::create_recipient), &[], "", body);
    let unread: Vec<_> = (0..9).map(|_| service.leave_unread(&request)).collect();
    let response = service.call(&request);
    let reply = Reply { request, response };
    let error_line = "503 overloaded: the server is busy, try again in a moment";
    assert_eq!(
        (reply.error_line().as_str(), reply.header("retry-after")),
        (error_line, "1")
    );
    drop(unread);
    assert_eq!(service.call(&reply.request).status, 201);
}

/// A service whose handler waits until it is released.
#[derive(Default)]
struct Waiting {
    has_begun: Meeting,
    is_released: Meeting,
    answers: Mutex<HashMap<AnswerId, Vec<u8>>>,
}

/// Where a handler and a test meet.
struct Meeting(tokio::sync::Barrier);

impl Default for Meeting {
    fn default() -> Self {
        Self(tokio::sync::Barrier::new(2))
    }
}

impl AdmitBadge for Waiting {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        Ok((presented == BADGE).then_some(BadgeCaller {}))
    }
}

impl FindAnswer for Waiting {
    async fn find_answer(&self, id: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.answers.lock().expect("no panic").get(&id).cloned())
    }
}

impl depot::CreateStation for Waiting {
    async fn create_station(
        &self,
        request: depot::create_station::Request,
    ) -> Result<Done<depot::create_station::Success>, depot::create_station::Error> {
        self.has_begun.0.wait().await;
        self.is_released.0.wait().await;
        let id = StationId::new(7);
        let (done, stored) = request.once.done(depot::create_station::Success { id });
        self.answers
            .lock()
            .expect("no panic")
            .extend(stored.map(|stored| (stored.id, stored.value)));
        Ok(done)
    }
}

#[test]
fn the_same_key_at_once_makes_one_record() {
    let waiting = Arc::new(Waiting::default());
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let service = InProcess::from_filter(depot::create_station::filter(Arc::clone(&waiting), limits));
    let body = Some(
        json!({ "code": "N-1", "name": "North", "city": "Bremen", "opened_on": "2026-01-31",
        "address": { "street": "Am Wall 1", "postal_code": "28195" } }),
    );
    let mut request = request(&crew(), op!(depot::create_station), &[], "", body);
    request.headers.push(("Lockers-Key".to_owned(), "k-1".to_owned()));
    let wait = |barrier: &Meeting| RUNTIME.block_on(barrier.0.wait());
    let first = std::thread::scope(|scope| {
        let first = scope.spawn(|| service.call(&request));
        wait(&waiting.has_begun);
        let response = service.call(&request);
        let reply = Reply {
            request: request.clone(),
            response,
        };
        let error_line = "409 unanswered: the first request with this key has no answer yet";
        assert_eq!(
            (reply.error_line().as_str(), reply.header("retry-after")),
            (error_line, "1")
        );
        wait(&waiting.is_released);
        first.join().unwrap()
    });
    let again = service.call(&request);
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(
        (first.header("lockers-replayed"), again.header("lockers-replayed")),
        (None, Some("true"))
    );
    assert_eq!(first.body, again.body);
}

#[track_caller]
fn rejected(fault: fn() -> Failure) -> Reply {
    let body = Some(json!({ "name": "Aoi" }));
    let request = request(&crew(), op!(depot::create_recipient), &[], "", body);
    Reply {
        response: service(move |_| Err(fault().into())).call(&request),
        request,
    }
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    let request = request(&crew(), op!(depot::create_recipient), &[], "", Some(json!({})));
    let (response, _) = service(|_| unreachable!("the body never came")).call_in_no_time(&request, Endless);
    let reply = Reply { request, response };
    assert_eq!(
        reply.error_line(),
        "408 too_slow: the body must arrive within 10 s, and without a halt"
    );
}

#[test]
fn what_cannot_be_stored_is_rejected() {
    let reply = rejected(|| Failure::Unwritable);
    let error_line = "503 read_only: nothing can be changed at the moment, try again in a minute";
    assert_eq!(
        (reply.error_line().as_str(), reply.header("retry-after")),
        (error_line, "60")
    );
}

#[test]
fn a_handler_that_panics_is_answered_for() {
    // The contract has no errors for the last two.
    let faults: [fn() -> Failure; 4] = [
        || Failure::Internal,
        || panic!("this handler is broken"),
        || Failure::Unavailable,
        || Failure::OutcomeUnknown,
    ];
    for fault in faults {
        assert_eq!(
            rejected(fault).error_line(),
            "500 broken: something went wrong on our side"
        );
    }
}
