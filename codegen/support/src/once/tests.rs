use super::*;
use crate::chunks::Chunks;
use crate::declared_headers::{DeclaredHeader, HeaderPart};

/// A store that has one entry.
#[derive(Default)]
struct OneEntry(Mutex<Option<StoredOnce>>);

impl FindAnswer for OneEntry {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        let entry = self.0.lock();
        let entry = entry.as_ref().filter(|entry| entry.id == id && entry.expires > now);
        Ok(entry.map(|entry| entry.value.clone()))
    }
}

fn request<'r>(key: &str, body: &'static str) -> KeyedRequest<'r> {
    KeyedRequest {
        key: IdempotencyKey::parse(key.as_bytes()),
        caller: ("Account", Some(1)),
        operation: "agent.create",
        ids: &[],
        query: None,
        body: Bytes::from_static(body.as_bytes()),
        keep_seconds: 60,
    }
}

fn keep(made: &mut i64) -> Kept {
    Kept::Answer(Answer {
        status: 201,
        body: Chunks::from(made.to_string().into_bytes()),
        total: None,
    })
}

fn secret(made: &mut i64) -> Kept {
    Kept::Secret(*made)
}

async fn first(keys: &RunningKeys, store: &OneEntry, key: &str, body: &'static str) -> Once<i64> {
    match keys.begin(store, request(key, body), keep).await {
        Ok(Begun::First(once)) => once,
        other => panic!("{other:?}"),
    }
}

fn write(store: &OneEntry, once: Once<i64>, made: i64) -> i64 {
    let (done, stored) = once.done(made);
    if stored.is_some() {
        *store.0.lock() = stored;
    }
    done.into_inner()
}

#[tokio::test]
async fn the_same_request_gets_the_first_answer_until_it_expires() {
    let (clock, store) = (Clock::manual(1_000), OneEntry::default());
    let keys = RunningKeys::new(clock.clone());
    assert_eq!(write(&store, first(&keys, &store, "k", "{}").await, 7), 7);
    match keys.begin(&store, request("\"k\"", " {}"), keep).await {
        Ok(Begun::Replayed(answer)) => assert_eq!((answer.status, answer.body.into_text()), (201, b"7".to_vec())),
        other => panic!("{other:?}"),
    }
    clock.advance(std::time::Duration::from_secs(60));
    first(&keys, &store, "k", "{}").await;
}

#[tokio::test]
async fn another_request_under_the_key_is_rejected() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    let running = first(&keys, &store, "k", "{}").await;
    let again = async |body| keys.begin(&store, request("k", body), keep).await.unwrap_err();
    assert_eq!(again("{}").await, KeyError::InProgress);
    assert_eq!(again("[]").await, KeyError::Reused);
    first(&keys, &store, "other", "{}").await;
    write(&store, running, 7);
    assert_eq!(again("[]").await, KeyError::Reused);
}

#[tokio::test]
async fn a_key_is_in_progress_until_the_last_clone_is_dropped_and_then_free() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    let once = first(&keys, &store, "k", "{}").await;
    let of_the_write = once.clone().map(|id: i64| id + 1);
    drop(once);
    let again = keys.begin(&store, request("k", "{}"), keep).await;
    assert_eq!(again.unwrap_err(), KeyError::InProgress);
    assert_eq!(of_the_write.done(1).0.into_inner(), 2);
    drop(of_the_write);
    first(&keys, &store, "k", "{}").await;
}

#[tokio::test]
async fn of_a_secret_only_the_id_is_stored() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    let Ok(Begun::First(once)) = keys.begin(&store, request("k", "{}"), secret).await else {
        panic!("it is the first");
    };
    write(&store, once, 7);
    let again = keys.begin(&store, request("k", "{}"), secret).await;
    assert_eq!(again.unwrap_err(), KeyError::Secret(AnyId::Number(7)));
}

#[tokio::test]
async fn the_id_of_what_was_made_can_be_a_uuid() {
    let (keys, store) = (RunningKeys::new(Clock::system()), OneEntry::default());
    let halves = [0x0190_a6f2_7b1c_7def, i64::MIN];
    let keep = |_: &mut i64| Kept::SecretWithUuid([0x0190_a6f2_7b1c_7def, i64::MIN]);
    let Ok(Begun::First(once)) = keys.begin(&store, request("k", "{}"), keep).await else {
        panic!("the key is new")
    };
    write(&store, once, 7);
    let again = keys.begin(&store, request("k", "{}"), secret).await;
    assert_eq!(again.unwrap_err(), KeyError::Secret(AnyId::Uuid(halves)));
}

#[test]
fn callers_with_uuids_do_not_share_keys() {
    let key = |halves| {
        IdempotencyKey::parse(b"k")
            .expect("a key")
            .of_caller_with_uuid(halves)
            .of_caller(("m", Some(0)))
    };
    assert_eq!(key([1, 2]), key([1, 2]));
    assert_ne!(key([1, 2]), key([2, 1]));
}

const LOCATION: &DeclaredHeaders = &DeclaredHeaders {
    all: &[DeclaredHeader {
        name: "location",
        parts: &[
            HeaderPart::Text("/things/"),
            HeaderPart::Id(0),
            HeaderPart::Text("/"),
            HeaderPart::Member("id"),
        ],
    }],
    data: None,
};

fn with_headers(made: &mut i64) -> Kept {
    let answer = Answer {
        status: 201,
        body: Chunks::from(format!(r#"{{"id":{made}}}"#).into_bytes()),
        total: None,
    };
    Kept::AnswerWithHeaders(answer, LOCATION)
}

#[tokio::test]
async fn a_repetition_gets_the_status_the_headers_and_the_body_of_the_first_answer() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    let of_path = || KeyedRequest {
        ids: &[3],
        ..request("k", "{}")
    };
    let Ok(Begun::First(once)) = keys.begin(&store, of_path(), with_headers).await else {
        panic!("it is the first");
    };
    write(&store, once, 7);
    match keys.begin_with_headers(&store, of_path(), with_headers).await {
        Ok((Begun::Replayed(answer), Some(headers))) => {
            assert_eq!((answer.status, answer.body.into_text()), (201, br#"{"id":7}"#.to_vec()));
            let location = (http::header::LOCATION, http::HeaderValue::from_static("/things/3/7"));
            assert_eq!(headers, [location]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_answer_of_the_version_without_headers_is_readable() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    write(&store, first(&keys, &store, "k", "{}").await, 7);
    // As version 1 wrote it: the fingerprint, the kind, the status, and the body.
    let of_version_1 = |stored: &StoredOnce| {
        let fingerprint = &stored.value[1..33];
        [&[1], fingerprint, b"a", &201_u16.to_be_bytes(), br#"{"id":7}"#].concat()
    };
    let entry = store.0.lock().take().map(|stored| StoredOnce {
        value: of_version_1(&stored),
        ..stored
    });
    *store.0.lock() = entry;
    match keys.begin_with_headers(&store, request("k", "{}"), keep).await {
        Ok((Begun::Replayed(answer), headers)) => {
            assert_eq!((answer.status, headers), (201, None));
            assert_eq!(LOCATION.of_answer(&answer, &[3])[0].1, "/things/3/7");
            assert_eq!(answer.body.into_text(), br#"{"id":7}"#);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_stored() {
    let (keys, store) = (RunningKeys::new(Clock::manual(1_000)), OneEntry::default());
    let without = KeyedRequest {
        key: None,
        ..request("k", "{}")
    };
    let Ok(Begun::First(once)) = keys.begin(&store, without, keep).await else {
        panic!("it has no key");
    };
    assert_eq!(write(&store, once, 7), 7);
    assert!(store.0.lock().is_none());
}

#[test]
fn bytes_that_nothing_wrote_are_no_answer() {
    for bytes in [
        &b""[..],
        &[0; 40],
        &[1; 33],
        &[1; 34],
        &[[1; 33].as_slice(), b"s123"].concat(),
        &[[2; 33].as_slice(), b"s123"].concat(),
        &[[2; 33].as_slice(), b"a", &[0, 200]].concat(),
        &[[2; 33].as_slice(), b"a", &[0, 200, 0, 1, 0, 1]].concat(),
        &[[2; 33].as_slice(), b"a", &[0, 200, 0, 1, 0, 1, b'x', 0, 1, b'\n']].concat(),
        &[[3; 33].as_slice(), b"a", &[0, 200, 0, 0]].concat(),
    ] {
        assert!(StoredAnswer::decode(bytes).is_none(), "{bytes:?}");
    }
}
