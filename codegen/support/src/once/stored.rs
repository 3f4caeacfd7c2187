//! The bytes that a store has for a key: a version, the fingerprint of the request, and the answer or, if that has a
//! secret, the id of what was made.

use super::Kept;
use super::fingerprint::Fingerprint;
use crate::chunks::Chunks;
use crate::exchange::Answer;

/// The first byte. Not 0, so that a store can mark values of its own.
const VERSION: u8 = 1;
const ANSWER: u8 = b'a';
const SECRET: u8 = b's';

/// What is stored for a key.
#[derive(Debug)]
pub(super) struct StoredAnswer {
    pub(super) fingerprint: Fingerprint,
    pub(super) kept: Kept,
}

impl StoredAnswer {
    /// The bytes of an answer.
    pub(super) fn encode(fingerprint: Fingerprint, kept: Kept) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(fingerprint);
        match kept {
            Kept::Answer(answer) => {
                bytes.push(ANSWER);
                bytes.extend(answer.status.to_be_bytes());
                bytes.extend(answer.body.into_text());
            }
            Kept::Secret(id) => {
                bytes.push(SECRET);
                bytes.extend(id.to_be_bytes());
            }
        }
        bytes
    }

    /// The answer of these bytes. `None` if they are malformed.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (fingerprint, rest) = bytes.strip_prefix(&[VERSION])?.split_first_chunk::<32>()?;
        let kept = match rest.split_first()? {
            (&ANSWER, rest) => {
                let (status, body) = rest.split_first_chunk()?;
                let (status, body) = (u16::from_be_bytes(*status), Chunks::from(body.to_vec()));
                Kept::Answer(Answer {
                    status,
                    body,
                    total: None,
                })
            }
            (&SECRET, id) => Kept::Secret(i64::from_be_bytes(id.try_into().ok()?)),
            _ => return None,
        };
        let fingerprint = *fingerprint;
        Some(Self { fingerprint, kept })
    }
}
