//! Error responses that no request causes: the tests inject the failure. `api.yaml` names these tests as `untestable`.
//! (`tests/durability` shows failing writes on a full disk.)

use super::request;
use conformance::{Caller, Request};
use contract::operator::{self, create_account};
use contract::support::{AnswerId, Done, Failure, FindAnswer};
use contract::{AdmitOperatorToken, Available, LimitSettings, Limits, OperatorTokenCaller, Timestamp, operator_token};
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::in_process::{Endless, InProcess};

use crate::world::op;

/// A service with one handler, which returns the given failure.
struct Faulty(fn() -> Failure);

impl AdmitOperatorToken for Faulty {
    async fn admit_operator_token(&self, _: &str) -> Result<Option<OperatorTokenCaller>, Failure> {
        Ok(Some(OperatorTokenCaller {}))
    }
}

impl Available for Faulty {
    fn can_answer(&self) -> bool {
        true
    }
}

impl FindAnswer for Faulty {
    async fn find_answer(&self, _: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
}

impl operator::CreateAccount for Faulty {
    async fn create_account(
        &self,
        _: create_account::Request,
    ) -> Result<Done<create_account::Success>, create_account::Error> {
        Err((self.0)().into())
    }
}

fn service(fault: fn() -> Failure) -> InProcess {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    InProcess::from_filter(create_account::filter(Arc::new(Faulty(fault)), limits))
}

fn create(body: Value) -> Request {
    let caller = Caller {
        secret: operator_token::mint(),
        id: 0,
        kind: "operator_token",
    };
    request(&caller, op!(operator::create_account), &[], "", Some(body))
}

#[track_caller]
fn error(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("JSON")
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    let service = service(|| unreachable!("the body never came"));
    let (answer, waited) = service.call_in_no_time(&create(json!({})), Endless);
    let text = "the body did not arrive within 30 s, or came too slowly";
    assert_eq!(
        (answer.status, error(&answer.body)),
        (408, json!({ "success": false, "error": text }))
    );
    // The body stops, so that the request is ended before its time limit.
    assert_eq!(waited.as_secs(), 10);
}

#[test]
fn a_handler_that_panics_is_answered_for() {
    for fault in [|| Failure::Internal, || panic!("this handler is broken")] {
        let answer = service(fault).call(&create(json!({ "name": "Agent", "plan": "free" })));
        let expected = json!({ "success": false, "error": "internal error" });
        assert_eq!((answer.status, error(&answer.body)), (500, expected));
    }
}

/// The code, whether the client is asked to wait, and the text of the answer to a failure of the store.
#[track_caller]
fn answered_with(fault: fn() -> Failure, status: u16, code: &str, text: &str) {
    let answer = service(fault).call(&create(json!({ "name": "Agent", "plan": "free" })));
    assert_eq!((answer.status, answer.header("x-error-code")), (status, Some(code)));
    assert_eq!(error(&answer.body), json!({ "success": false, "error": text }));
    assert!(answer.header("retry-after").is_some(), "{answer:?}");
}

#[test]
fn each_failure_of_the_store_has_an_error_of_its_own() {
    let unavailable = "the service is not available, try again in a moment";
    answered_with(|| Failure::Unavailable, 503, "unavailable", unavailable);
    let unwritable = "nothing can be written at the moment, try again later";
    answered_with(|| Failure::Unwritable, 503, "unwritable", unwritable);
    let unknown = "this may or may not have taken effect";
    answered_with(|| Failure::OutcomeUnknown, 503, "unknown_outcome", unknown);
}
