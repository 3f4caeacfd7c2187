//! The bytes that a store has for a key: a version, the fingerprint of the request, and the answer with its declared headers
//! or, if the answer has a secret, the id of what was made.

use super::fingerprint::Fingerprint;
use super::{Claim, Kept};
use crate::chunks::Chunks;
use crate::declared_headers::ReplyHeaders;
use crate::exchange::Answer;
use crate::id::AnyId;
use http::{HeaderName, HeaderValue};

/// The first byte. Not 0, so that a store can mark values of its own. Only an answer with declared headers needs the version 2: all
/// else stays readable for programs that do not know it, in a fleet that is being upgraded and after a step back.
const WITH_HEADERS: u8 = 2;
const WITHOUT_HEADERS: u8 = 1;
const ANSWER: u8 = b'a';
const SECRET: u8 = b's';

/// What is stored for a key.
#[derive(Debug)]
pub(super) struct StoredAnswer {
    pub(super) fingerprint: Fingerprint,
    pub(super) content: Content,
}

/// What an answer was stored as.
#[derive(Debug)]
pub(super) enum Content {
    /// The answer, and its headers if they were stored.
    Answer(Answer, Option<ReplyHeaders>),
    /// The id of what was made: eight bytes, or sixteen of a UUID.
    Secret(AnyId),
}

impl StoredAnswer {
    /// The bytes of an answer.
    pub(super) fn encode(claim: &Claim, kept: Kept) -> Vec<u8> {
        let begin = |version, kind| [&[version][..], &claim.fingerprint, &[kind]].concat();
        match kept {
            Kept::Secret(id) => {
                let mut bytes = begin(WITHOUT_HEADERS, SECRET);
                bytes.extend(id.to_be_bytes());
                bytes
            }
            Kept::SecretWithUuid(halves) => {
                let mut bytes = begin(WITHOUT_HEADERS, SECRET);
                halves.iter().for_each(|half| bytes.extend(half.to_be_bytes()));
                bytes
            }
            Kept::Answer(answer) => {
                let mut bytes = begin(WITHOUT_HEADERS, ANSWER);
                bytes.extend(answer.status.to_be_bytes());
                bytes.extend(answer.body.into_text());
                bytes
            }
            Kept::AnswerWithHeaders(answer, declared) => {
                let headers = declared.of_answer(&answer, &claim.ids);
                let mut bytes = begin(WITH_HEADERS, ANSWER);
                bytes.extend(answer.status.to_be_bytes());
                bytes.extend(length(headers.len()));
                for (name, value) in &headers {
                    for text in [name.as_ref(), value.as_bytes()] {
                        bytes.extend(length(text.len()));
                        bytes.extend(text);
                    }
                }
                bytes.extend(answer.body.into_text());
                bytes
            }
        }
    }

    /// The answer of these bytes. `None` if they are malformed.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (fingerprint, rest) = rest.split_first_chunk::<32>()?;
        let content = match (*version, rest.split_first()?) {
            (WITHOUT_HEADERS, (&SECRET, id)) => {
                let half = |bytes: &[u8]| bytes.try_into().ok().map(i64::from_be_bytes);
                Content::Secret(match id.split_at_checked(8)? {
                    (number, []) => AnyId::Number(half(number)?),
                    (high, low) => AnyId::Uuid([half(high)?, half(low)?]),
                })
            }
            (WITHOUT_HEADERS, (&ANSWER, rest)) => {
                let (status, body) = rest.split_first_chunk()?;
                Content::Answer(answer(*status, body), None)
            }
            (WITH_HEADERS, (&ANSWER, rest)) => {
                let (status, rest) = rest.split_first_chunk()?;
                let (headers, body) = headers(rest)?;
                Content::Answer(answer(*status, body), Some(headers))
            }
            _ => return None,
        };
        let fingerprint = *fingerprint;
        Some(Self { fingerprint, content })
    }
}

fn answer(status: [u8; 2], body: &[u8]) -> Answer {
    Answer {
        status: u16::from_be_bytes(status),
        body: Chunks::from(body.to_vec()),
        total: None,
    }
}

/// A number of headers or of bytes.
fn length(length: usize) -> [u8; 8] {
    (length as u64).to_be_bytes()
}

/// The headers, and what comes after them.
fn headers(bytes: &[u8]) -> Option<(ReplyHeaders, &[u8])> {
    let (count, mut rest) = bytes.split_first_chunk()?;
    let mut text = || {
        let (length, after) = rest.split_first_chunk()?;
        let (text, after) = after.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        rest = after;
        Some(text)
    };
    let headers = (0..u64::from_be_bytes(*count)).map(|_| {
        let (name, value) = (text()?, text()?);
        Some((HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?))
    });
    let headers: Option<ReplyHeaders> = headers.collect();
    Some((headers?, rest))
}
