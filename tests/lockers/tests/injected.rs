//! Error responses that no request causes: the tests inject the failure. The contract names these tests as
//! `untestable`.

use crate::world::{BADGE, Reply, crew, op, request};
use lockers::support::Failure;
use lockers::{AdmitBadge, BadgeCaller, LimitSettings, Limits, RecipientId, depot};
use serde_json::json;
use std::sync::Arc;
use test_support::in_process::{Endless, InProcess};

/// A service with one handler, which returns the given failure.
struct Faulty(fn() -> Failure);

impl AdmitBadge for Faulty {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        Ok((presented == BADGE).then_some(BadgeCaller {}))
    }
}

impl depot::CreateRecipient for Faulty {
    async fn create_recipient(
        &self,
        _: depot::create_recipient::Request,
    ) -> Result<depot::create_recipient::Success, depot::create_recipient::Error> {
        Err((self.0)().into())
    }
}

/// A service with one answer of a megabyte.
struct Long;

impl AdmitBadge for Long {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        Ok((presented == BADGE).then_some(BadgeCaller {}))
    }
}

impl depot::CreateRecipient for Long {
    async fn create_recipient(
        &self,
        _: depot::create_recipient::Request,
    ) -> Result<depot::create_recipient::Success, depot::create_recipient::Error> {
        Ok(depot::create_recipient::Success {
            id: RecipientId::new(1),
            pass: "x".repeat(1 << 20),
        })
    }
}

#[test]
fn a_caller_with_unread_answers_is_rejected_until_it_reads_them() {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let service = InProcess::of(depot::create_recipient::filter(Arc::new(Long), limits));
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

fn service(fault: fn() -> Failure) -> InProcess {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    InProcess::of(depot::create_recipient::filter(Arc::new(Faulty(fault)), limits))
}

#[track_caller]
fn rejected(fault: fn() -> Failure) -> Reply {
    let body = Some(json!({ "name": "Aoi" }));
    let request = request(&crew(), op!(depot::create_recipient), &[], "", body);
    Reply {
        response: service(fault).call(&request),
        request,
    }
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    let request = request(&crew(), op!(depot::create_recipient), &[], "", Some(json!({})));
    let (response, _) = service(|| unreachable!("the body never came")).call_in_no_time(&request, Endless);
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
    for fault in [|| Failure::Internal, || panic!("this handler is broken")] {
        assert_eq!(
            rejected(fault).error_line(),
            "500 broken: something went wrong on our side"
        );
    }
}
