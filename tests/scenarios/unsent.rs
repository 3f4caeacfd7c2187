//! Long answers: those that clients do not read wait in memory, within a bound, and those that they read are counted.

use super::request;
use conformance::Caller;
use contract::agent::{self, list_keys};
use contract::support::{Failure, HeaderValue};
use contract::{
    AccountId, AdmitApiKey, ApiKey, ApiKeyCaller, ApiKeyId, ApiKeySeed, Available, Clock, LimitSettings, Limits, Plan,
    Response, Rows, Timestamp,
};

use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::Duration;
use test_support::in_process::{InProcess, RUNTIME};

use crate::world::op;

/// The caller with the key `n`, or `n.m`, is the account `n`, and each of its lists has a megabyte.
struct Long;

const ROW: usize = 64 << 10;
const ROWS: i64 = 16;

impl Available for Long {
    fn can_answer(&self) -> bool {
        true
    }
}

impl AdmitApiKey for Long {
    async fn admit_api_key(&self, presented: &str) -> Result<Option<ApiKeyCaller>, Failure> {
        let (account, key) = presented.split_once('.').unwrap_or((presented, "0"));
        let [account, key] = [account, key].map(|number| number.parse::<i64>().expect("keys are numbers"));
        Ok(Some(ApiKeyCaller {
            id: AccountId::new(account),
            limited_by: ApiKeyId::new(1_000 * account + key),
            plan: Plan::Free,
            suspended: false,
            realm: false,
        }))
    }
}

impl agent::ListKeys for Long {
    async fn list_keys(&self, request: list_keys::Request) -> Result<Rows<contract::ApiKeyItem>, list_keys::Error> {
        let key = |id| {
            ApiKey::from(ApiKeySeed {
                id: ApiKeyId::new(id),
                account_id: request.caller.id,
                name: "x".repeat(ROW),
                key_prefix: String::new(),
                digest: String::new(),
                created_at: Timestamp::from_unix(0),
            })
        };
        Ok((0..ROWS).map(|id| key(id).item()).collect())
    }
}

/// The answer to an account, whose body is not read.
fn ask(limits: &Arc<Limits>, account: i64) -> Response {
    ask_with(limits, &account.to_string())
}

fn ask_with(limits: &Arc<Limits>, key: &str) -> Response {
    let caller = Caller {
        secret: key.to_owned(),
        id: 0,
        kind: "api_key",
    };
    InProcess::from_filter(list_keys::filter(Arc::new(Long), limits.clone())).leave_unread(&request(
        &caller,
        op!(agent::list_keys),
        &[],
        "",
        None,
    ))
}

fn limits() -> Arc<Limits> {
    Arc::new(Limits::new(&LimitSettings {
        rate_limits: false,
        ..LimitSettings::default()
    }))
}

#[track_caller]
fn is_busy(response: Response) -> bool {
    if response.status() == 200 {
        return false;
    }
    assert_eq!(
        (response.status().as_u16(), &response.headers()["retry-after"]),
        (503, &"1".parse().expect("a value"))
    );
    let body = RUNTIME
        .block_on(response.into_body().collect())
        .expect("a body")
        .to_bytes();
    assert_eq!(
        body,
        r#"{"success":false,"error":"the server is busy, try again in a moment"}"#
    );
    true
}

#[test]
fn a_caller_who_leaves_its_answers_is_rejected_and_others_are_served() {
    let limits = limits();
    let mut held: Vec<_> = (0..8).map(|_| ask(&limits, 1)).collect();
    assert!(held.iter().all(|response| response.status() == 200));
    assert!(is_busy(ask(&limits, 1)) && !is_busy(ask(&limits, 2)));
    drop(held.pop());
    assert!(!is_busy(ask(&limits, 1)));
    drop(held);
    assert_eq!(limits.unsent_bytes(), 0);
}

#[test]
fn no_number_of_callers_together_has_more_than_the_process_may_hold() {
    let limits = limits();
    let mut held: Vec<_> = (0..80).map(|account| ask(&limits, account)).collect();
    let served = held.iter().filter(|response| response.status() == 200).count();
    assert!((60..=64).contains(&served), "{served}");
    assert!(limits.unsent_bytes() < 66 << 20, "{}", limits.unsent_bytes());
    held.clear();
    assert!(!is_busy(ask(&limits, 1)));
}

/// A part of an answer that is read no longer counts as waiting, and it arrives complete.
#[test]
fn a_body_that_is_taken_gives_its_room_back_chunk_by_chunk() {
    let limits = limits();
    let response = ask(&limits, 1);
    let waiting = limits.unsent_bytes();
    let length = response.headers()["content-length"]
        .to_str()
        .expect("a number")
        .to_owned();
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) = RUNTIME.block_on(body.frame()) {
        bytes.extend(frame.expect("a frame").into_data().expect("bytes"));
        assert!(limits.unsent_bytes() <= waiting - bytes.len().min(waiting) + ROW);
    }
    assert_eq!((limits.unsent_bytes(), bytes.len().to_string()), (0, length));
    let json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(json["data"].as_array().map(Vec::len), usize::try_from(ROWS).ok());
}

/// Limits that are on, and their clock.
fn limits_on() -> (Arc<Limits>, Clock) {
    let clock = Clock::manual(1_750_000_027);
    let settings = LimitSettings {
        clock: clock.clone(),
        ..LimitSettings::default()
    };
    (Arc::new(Limits::new(&settings)), clock)
}

/// Reads an answer and returns its length; `None` if it says that enough was sent.
#[track_caller]
fn read(response: Response) -> Option<usize> {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = RUNTIME
        .block_on(response.into_body().collect())
        .expect("a body")
        .to_bytes();
    if status == 200 {
        return Some(body.len());
    }
    assert_eq!(
        (status, &headers["x-error-code"]),
        (429, &HeaderValue::from_static("response_bytes"))
    );
    assert_eq!(headers["retry-after"], "53");
    let text = r#"{"success":false,"error":"67108864 bytes were sent to you in this minute, try again in 53 s"}"#;
    assert_eq!(body, text);
    None
}

#[test]
fn an_account_is_sent_so_many_bytes_a_minute_and_then_no_more() {
    let (limits, clock) = limits_on();
    let length = read(ask(&limits, 1)).expect("the first answer");
    let mut sent = length;
    while sent < 64 << 20 {
        // The last one is longer than what is left, and whole.
        assert_eq!(read(ask(&limits, 1)), Some(length), "after {sent} bytes");
        sent += length;
    }
    assert_eq!(read(ask(&limits, 1)), None);
    assert_eq!(read(ask_with(&limits, "1.7")), None, "another key of the account");
    assert_eq!(read(ask(&limits, 2)), Some(length));
    clock.advance(Duration::from_secs(53));
    assert_eq!(read(ask(&limits, 1)), Some(length));
}

#[test]
fn what_a_client_does_not_take_is_not_counted() {
    let (limits, _) = limits_on();
    for key in 0..3 {
        for _ in 0..99 {
            assert_eq!(ask_with(&limits, &format!("1.{key}")).status(), 200);
        }
    }
    assert!(read(ask_with(&limits, "1.0")).is_some());
}

#[test]
fn without_limits_no_bytes_are_counted() {
    let limits = limits();
    assert!((0..70).all(|_| read(ask(&limits, 1)).is_some()));
}
