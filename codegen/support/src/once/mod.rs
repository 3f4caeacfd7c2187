//! Requests with an idempotency key: each is done once, however often it is sent. [`RunningKeys`] decides whether a
//! request is done or answered again; [`Once`] takes its answer into the transaction of its write. Must not know any
//! header, status or text of the contract.

mod fingerprint;
mod key;
mod stored;

use crate::body::SMALL;
use crate::clock::Clock;
use crate::declared_headers::{DeclaredHeaders, ReplyHeaders};
use crate::exchange::Answer;
use crate::failure::Failure;
use crate::id::AnyId;
use crate::scalar::Timestamp;
use bytes::Bytes;
use fingerprint::Fingerprint;
pub use key::IdempotencyKey;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;
use stored::{Content, StoredAnswer};

/// The place of an answer in the store: the SHA-256 digest of the caller and the key.
pub type AnswerId = [u8; 32];

/// Finds the answers that the store has for idempotency keys.
#[diagnostic::on_unimplemented(
    message = "nothing finds the answers that are stored for idempotency keys",
    note = "implement `support::FindAnswer` for `{Self}`"
)]
pub trait FindAnswer: Send + Sync {
    /// The value of the [`StoredOnce`] with this id, unless it had expired at `now`.
    fn find_answer(
        &self,
        id: AnswerId,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>> + Send;
}

/// A request of an operation that takes idempotency keys.
#[derive(Debug)]
pub struct KeyedRequest<'r> {
    /// The key, if one was sent.
    pub key: Option<IdempotencyKey>,
    /// The kind of the caller, and its id if there are several.
    pub caller: (&'static str, Option<i64>),
    /// The operation, with its surface.
    pub operation: &'static str,
    /// The ids in the path, in order: a number for each, two for a UUID.
    pub ids: &'r [i64],
    /// The query.
    pub query: Option<&'r str>,
    /// The body.
    pub body: Bytes,
    /// For how many seconds the answer is kept.
    pub keep_seconds: i64,
}

/// What an answer is stored as.
#[derive(Debug)]
pub enum Kept {
    /// The whole answer.
    Answer(Answer),
    /// The whole answer, with the headers that its operation declares.
    AnswerWithHeaders(Answer, &'static DeclaredHeaders),
    /// The id of what was made, a number. The answer has a secret, which is not stored.
    Secret(i64),
    /// The same if the id is a UUID: its halves.
    SecretWithUuid([i64; 2]),
}

/// How a request is answered.
#[derive(Debug)]
pub enum Begun<S> {
    /// By its handler.
    First(Once<S>),
    /// With the stored answer.
    Replayed(Answer),
}

/// Why a request with a key is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The key was sent with another request.
    Reused,
    /// The first request with this key has no answer yet.
    InProgress,
    /// The answer had a secret. This is the id of what was made.
    Secret(AnyId),
    /// The store failed.
    Failed(Failure),
}

/// The keys whose first request has no answer yet. Clones share them.
#[derive(Clone, Debug)]
pub struct RunningKeys {
    keys: Arc<Mutex<HashMap<AnswerId, Fingerprint>>>,
    clock: Clock,
}

impl RunningKeys {
    /// No keys.
    pub fn new(clock: Clock) -> Self {
        let keys = Arc::default();
        Self { keys, clock }
    }

    /// Claims the key of a request, unless the request was done before or is in progress. `keep` makes what is stored
    /// of a success.
    ///
    /// # Errors
    /// If the request is rejected for its key.
    pub async fn begin<S: 'static>(
        &self,
        app: &impl FindAnswer,
        request: KeyedRequest<'_>,
        keep: fn(&mut S) -> Kept,
    ) -> Result<Begun<S>, KeyError> {
        let begun = self.begin_with_headers(app, request, keep).await;
        begun.map(|(begun, _)| begun)
    }

    /// The same, with the declared headers of a stored answer. `None`: they were not stored.
    ///
    /// # Errors
    /// If the request is rejected for its key.
    pub async fn begin_with_headers<S: 'static>(
        &self,
        app: &impl FindAnswer,
        request: KeyedRequest<'_>,
        keep: fn(&mut S) -> Kept,
    ) -> Result<(Begun<S>, Option<ReplyHeaders>), KeyError> {
        let Some(key) = &request.key else {
            return Ok((Begun::First(Once::without_key()), None));
        };
        let (id, now) = (key.of_caller(request.caller), self.clock.now());
        let expires = Timestamp::from_unix(now.unix().saturating_add(request.keep_seconds));
        let fingerprint = fingerprint_of(&request).await;
        let claim = Arc::new(self.claim(id, fingerprint, request.ids)?);
        let stored = app.find_answer(id, now).await.map_err(KeyError::Failed)?;
        let Some(stored) = stored else {
            let key = ClaimedKey {
                claim,
                now,
                expires,
                keep,
            };
            let once = Once {
                key: Some(key),
                ..Once::without_key()
            };
            return Ok((Begun::First(once), None));
        };
        let stored = StoredAnswer::decode(&stored).ok_or(KeyError::Failed(Failure::Internal))?;
        if stored.fingerprint != fingerprint {
            return Err(KeyError::Reused);
        }
        match stored.content {
            Content::Answer(answer, headers) => Ok((Begun::Replayed(answer), headers)),
            Content::Secret(id) => Err(KeyError::Secret(id)),
        }
    }

    /// Whether a request with this key was done before or is in progress. Then it will not be done again, whatever it is.
    ///
    /// # Errors
    /// That of the store.
    pub async fn is_known(
        &self,
        app: &impl FindAnswer,
        key: Option<&IdempotencyKey>,
        caller: (&'static str, Option<i64>),
    ) -> Result<bool, Failure> {
        let Some(id) = key.map(|key| key.of_caller(caller)) else {
            return Ok(false);
        };
        let is_running = self.keys.lock().contains_key(&id);
        Ok(is_running || app.find_answer(id, self.clock.now()).await?.is_some())
    }

    fn claim(&self, id: AnswerId, fingerprint: Fingerprint, ids: &[i64]) -> Result<Claim, KeyError> {
        match self.keys.lock().entry(id) {
            Entry::Occupied(running) if *running.get() != fingerprint => Err(KeyError::Reused),
            Entry::Occupied(_) => Err(KeyError::InProgress),
            Entry::Vacant(free) => {
                free.insert(fingerprint);
                let running = self.clone();
                Ok(Claim {
                    running,
                    id,
                    fingerprint,
                    ids: ids.into(),
                })
            }
        }
    }
}

async fn fingerprint_of(request: &KeyedRequest<'_>) -> Fingerprint {
    let body = request.body.clone();
    let body = match body.len() <= SMALL {
        true => fingerprint::of_json(&body),
        false => tokio::task::spawn_blocking(move || fingerprint::of_json(&body))
            .await
            .expect("the visitor does not panic"),
    };
    fingerprint::of_request(request.operation, request.ids, request.query, &body)
}

/// A key whose first request is in progress, until this is dropped.
#[derive(Debug)]
struct Claim {
    running: RunningKeys,
    id: AnswerId,
    fingerprint: Fingerprint,
    /// The ids in the path of the request.
    ids: Box<[i64]>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.running.keys.lock().remove(&self.id);
    }
}

struct ClaimedKey<S> {
    claim: Arc<Claim>,
    now: Timestamp,
    expires: Timestamp,
    keep: fn(&mut S) -> Kept,
}

impl<S> Clone for ClaimedKey<S> {
    fn clone(&self) -> Self {
        let claim = Arc::clone(&self.claim);
        Self { claim, ..*self }
    }
}

/// What a handler passes to the write of its store: how the success `S` of the operation is made from the outcome `T`
/// of the write, and under which key it is stored. The key is in progress until the last clone is dropped. So the write
/// owns it, also if the client disconnects meanwhile.
pub struct Once<S, T = S> {
    success: Arc<dyn Fn(T) -> S + Send + Sync>,
    key: Option<ClaimedKey<S>>,
}

impl<S: 'static> Once<S> {
    /// Without a key: nothing is stored.
    pub fn without_key() -> Self {
        let success = Arc::new(|success| success);
        Self { success, key: None }
    }
}

impl<S: 'static, T: 'static> Once<S, T> {
    /// The same for an outcome from which `outcome` makes this one. It may be called more than once.
    pub fn map<U>(self, outcome: impl Fn(U) -> T + Send + Sync + 'static) -> Once<S, U> {
        let Self { success, key } = self;
        let success = Arc::new(move |of| success(outcome(of)));
        Once { success, key }
    }
}

impl<S, T> Once<S, T> {
    /// The time of the request, if it has a key.
    pub fn now(&self) -> Option<Timestamp> {
        self.key.as_ref().map(|key| key.now)
    }

    /// The success for the outcome of the write, and what the transaction of the write must store.
    #[must_use]
    pub fn done(&self, outcome: T) -> (Done<S>, Option<StoredOnce>) {
        let mut success = (self.success)(outcome);
        let stored = self.key.as_ref().map(|key| StoredOnce {
            id: key.claim.id,
            value: StoredAnswer::encode(&key.claim, (key.keep)(&mut success)),
            now: key.now,
            expires: key.expires,
        });
        (Done(success), stored)
    }
}

impl<S, T> Clone for Once<S, T> {
    fn clone(&self) -> Self {
        let (success, key) = (Arc::clone(&self.success), self.key.clone());
        Self { success, key }
    }
}

impl<S, T> fmt::Debug for Once<S, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Once")
            .field("has_key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

/// The success of an operation that takes idempotency keys. Only [`Once::done`] makes one, where the write commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done<S>(S);

impl<S> Done<S> {
    /// The success.
    pub fn into_inner(self) -> S {
        self.0
    }
}

/// An entry of the store for the answer of a request with a key. Its value is opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredOnce {
    /// Where it is stored. There is no unexpired entry with this id.
    pub id: AnswerId,
    /// What is stored.
    pub value: Vec<u8>,
    /// The time of the request. Entries that expired before can be removed.
    pub now: Timestamp,
    /// When it expires.
    pub expires: Timestamp,
}

#[cfg(test)]
mod tests;
