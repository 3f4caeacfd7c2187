//! Idempotency keys beyond the probes: a request that is repeated while the first one is in progress, an expiry,
//! and a caller that ends in between.

use super::*;
use conformance::{Caller, Request, Response};
use contract::agent::create_bounty::{self, Success};
use contract::support::{AnswerId, Done, Failure, FindAnswer, Once};
use contract::{
    AccountId, AdmitApiKey, ApiKeyCaller, ApiKeyId, Available, BountyId, Clock, LimitSettings, Limits, Plan, Timestamp,
    agent,
};
use serde_json::Value;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use test_support::in_process::{InProcess, RUNTIME};
use tokio::sync::Barrier;

/// A service that stores answers, with a handler that does `H`.
struct Keyed<H> {
    handler: H,
    answers: Mutex<HashMap<AnswerId, Vec<u8>>>,
}

impl<H> Keyed<H> {
    fn new(handler: H) -> Self {
        let answers = Mutex::default();
        Self { handler, answers }
    }

    /// What the transaction of a write does.
    fn commit(&self, once: &Once<Success>) -> Done<Success> {
        let (done, stored) = once.done(Success { id: BountyId::new(7) });
        let stored = stored.map(|stored| (stored.id, stored.value));
        self.answers.lock().expect("no panic").extend(stored);
        done
    }
}

impl<H> Available for Keyed<H> {
    fn can_answer(&self) -> bool {
        true
    }
}

impl<H: Send + Sync> AdmitApiKey for Keyed<H> {
    async fn admit_api_key(&self, _: &str) -> Result<Option<ApiKeyCaller>, Failure> {
        Ok(Some(ApiKeyCaller {
            id: AccountId::new(1),
            limited_by: ApiKeyId::new(1),
            plan: Plan::Free,
            suspended: false,
            realm: false,
        }))
    }
}

impl<H: Send + Sync> FindAnswer for Keyed<H> {
    async fn find_answer(&self, id: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.answers.lock().expect("no panic").get(&id).cloned())
    }
}

/// A handler that waits until it is released.
struct Waiting {
    has_begun: Barrier,
    is_released: Barrier,
}

impl agent::CreateBounty for Keyed<Waiting> {
    async fn create_bounty(&self, request: create_bounty::Request) -> Result<Done<Success>, create_bounty::Error> {
        self.handler.has_begun.wait().await;
        self.handler.is_released.wait().await;
        Ok(self.commit(&request.once))
    }
}

/// A handler whose first write has an unknown outcome.
struct Unknown {
    /// Whether that write takes effect.
    takes_effect: bool,
    writes: AtomicUsize,
}

impl agent::CreateBounty for Keyed<Unknown> {
    async fn create_bounty(&self, request: create_bounty::Request) -> Result<Done<Success>, create_bounty::Error> {
        let is_first = self.handler.writes.fetch_add(1, Ordering::Relaxed) == 0;
        if is_first && !self.handler.takes_effect {
            return Err(Failure::OutcomeUnknown.into());
        }
        let done = self.commit(&request.once);
        match is_first {
            true => Err(Failure::OutcomeUnknown.into()),
            false => Ok(done),
        }
    }
}

/// A request with this key.
fn keyed(caller: &Caller, op: conformance::Op, ids: &[i64], body: Value, key: &str) -> Request {
    let mut request = request(caller, op, ids, "", Some(body));
    request.headers.push(("Idempotency-Key".to_owned(), key.to_owned()));
    request
}

fn bounty(title: &str) -> Value {
    json!({ "title": title, "description": "Three photos", "budget": 45 })
}

/// A caller that a [`Keyed`] service admits.
fn stand_in() -> Caller {
    Caller {
        secret: contract::api_key::mint(false),
        id: 1,
        kind: "api_key",
    }
}

fn human() -> Value {
    json!({ "name": "Aoi", "headline": "Ready", "bio": "", "city": "Osaka", "state": "Osaka", "gender": "other", "hourly_rate": 1000, "skills": [] })
}

fn is_replayed(response: &Response) -> bool {
    response.header("idempotent-replayed") == Some("true")
}

#[test]
fn the_same_key_at_once_makes_one_record() {
    let (has_begun, is_released) = (Barrier::new(2), Barrier::new(2));
    let waiting = Arc::new(Keyed::new(Waiting { has_begun, is_released }));
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let service = InProcess::from_filter(create_bounty::filter(Arc::clone(&waiting), limits));
    let request = keyed(
        &stand_in(),
        op!(agent::create_bounty),
        &[],
        bounty("A shop front"),
        "k-1",
    );
    let first = std::thread::scope(|scope| {
        let first = scope.spawn(|| service.call(&request));
        RUNTIME.block_on(waiting.handler.has_begun.wait());
        let second = service.call(&request);
        let text =
            json!({ "success": false, "error": "the first request with this idempotency key has no answer yet" });
        assert_eq!(serde_json::from_slice::<Value>(&second.body).expect("JSON"), text);
        assert_eq!((second.status, second.header("retry-after")), (409, Some("1")));
        RUNTIME.block_on(waiting.handler.is_released.wait());
        first.join().expect("it is answered")
    });
    let again = service.call(&request);
    assert_eq!((first.status, is_replayed(&first)), (201, false));
    assert_eq!((again.status, is_replayed(&again)), (201, true));
    assert_eq!(first.body, again.body);
}

#[test]
fn a_write_of_unknown_outcome_can_be_repeated_with_its_key() {
    for takes_effect in [false, true] {
        let writes = AtomicUsize::new(0);
        let store = Arc::new(Keyed::new(Unknown { takes_effect, writes }));
        let limits = Arc::new(Limits::new(&LimitSettings::default()));
        let service = InProcess::from_filter(create_bounty::filter(Arc::clone(&store), limits));
        let request = keyed(
            &stand_in(),
            op!(agent::create_bounty),
            &[],
            bounty("A shop front"),
            "k-1",
        );
        let first = service.call(&request);
        assert_eq!(
            (first.status, first.header("x-error-code")),
            (503, Some("unknown_outcome"))
        );
        // What has taken effect is not done again.
        let again = service.call(&request);
        assert_eq!((again.status, is_replayed(&again)), (201, takes_effect));
        let writes = store.handler.writes.load(Ordering::Relaxed);
        assert_eq!(writes, if takes_effect { 1 } else { 2 });
    }
}

#[test]
fn an_answer_is_kept_for_a_day_and_that_of_an_import_for_thirty() {
    const DAY: Duration = Duration::from_secs(86_400);
    let clock = Clock::manual(1_750_000_027);
    let market = Market::open(clock.clone());
    let (agent, operator) = (market.agent("free"), market.operator());
    let create = keyed(&agent, op!(agent::create_bounty), &[], bounty("A shop front"), "k-1");
    let workers = json!({ "humans": [human()] });
    let import = keyed(&operator, op!(operator::import_humans), &[], workers, "k-1");
    let firsts = [&create, &import].map(|request| market.answer(request));
    clock.advance(DAY - Duration::from_secs(1));
    for (request, first) in [&create, &import].into_iter().zip(&firsts) {
        let again = market.answer(request);
        assert!(is_replayed(&again) && again.body == first.body, "{again:?}");
    }
    clock.advance(Duration::from_secs(1));
    assert!(!is_replayed(&market.answer(&create)));
    clock.advance(29 * DAY - Duration::from_secs(1));
    assert!(is_replayed(&market.answer(&import)));
    clock.advance(Duration::from_secs(1));
    assert!(!is_replayed(&market.answer(&import)));
}

#[test]
fn a_key_belongs_to_the_account_and_its_credential_must_be_valid() {
    let market = Market::open(Clock::system());
    let agent = market.agent("verified");
    let first = market.answer(&keyed(
        &agent,
        op!(agent::create_bounty),
        &[],
        bounty("A shop front"),
        "k-1",
    ));
    let another = market.another_key(&agent);
    let other_key = keyed(&another, op!(agent::create_bounty), &[], bounty("A shop front"), "k-1");
    let again = market.answer(&other_key);
    assert!(is_replayed(&again) && again.body == first.body, "{again:?}");
    let id = market.id_of_key(&another);
    market.send(&another, op!(agent::delete_key), &[id], json!(null));
    assert_eq!(market.answer(&other_key).status, 401);
}
