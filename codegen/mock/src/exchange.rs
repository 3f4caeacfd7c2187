//! A request in progress: what is known of it so far.

use crate::content::Content;
use crate::decode::Input;
use crate::limits::{Counted, Permit};
use crate::store::Record;
use bytes::Bytes;
use codegen::Model;
use codegen::model::{Operation, RecordId, Surface, Target};
use http::request::Parts;
use std::net::IpAddr;

/// A whole response.
pub type Response = http::Response<Bytes>;

/// A request whose body is needed.
#[derive(Debug)]
pub struct Exchange {
    pub(crate) surface: &'static Surface,
    pub(crate) operation: &'static Operation,
    pub(crate) parts: Parts,
    pub(crate) segments: Vec<String>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) request_id: String,
    /// The next check.
    pub(crate) at: usize,
    pub(crate) has_body: bool,
    pub(crate) caller: Option<Caller>,
    pub(crate) input: Input,
    /// The records that guards have found.
    pub(crate) found: Vec<(String, RecordId)>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) permit: Option<Permit>,
    /// To whom the response is counted.
    pub(crate) sent_to: Option<Counted>,
    /// The idempotency key, until it is looked up.
    pub(crate) key: Option<String>,
    pub(crate) claimed: Option<Claimed>,
    /// What it counts towards quotas over time.
    pub(crate) uses: Vec<Use>,
    /// The body of the answer that is kept for the key.
    pub(crate) replayed: Option<String>,
    /// The file that is its body.
    pub(crate) content: Option<Content>,
}

/// What an error response may say of its request.
#[derive(Debug, Default)]
pub(crate) struct Asked<'r> {
    pub(crate) request_id: &'r str,
    pub(crate) path: &'r str,
    /// In milliseconds since 1970.
    pub(crate) now: u64,
}

impl Exchange {
    pub(crate) fn asked(&self, now: u64) -> Asked<'_> {
        Asked {
            request_id: &self.request_id,
            path: self.parts.uri.path(),
            now,
        }
    }

    pub(crate) fn new(
        surface: &'static Surface,
        operation: &'static Operation,
        parts: Parts,
        segments: Vec<String>,
        address: Option<IpAddr>,
        request_id: String,
    ) -> Self {
        Self {
            surface,
            operation,
            parts,
            segments,
            address,
            request_id,
            at: 0,
            has_body: !operation.takes_body(),
            caller: None,
            input: Input::default(),
            found: Vec::new(),
            headers: Vec::new(),
            permit: None,
            sent_to: None,
            key: None,
            claimed: None,
            uses: Vec::new(),
            replayed: None,
            content: None,
        }
    }

    /// Maximum bytes of the body.
    pub fn max_bytes(&self) -> u64 {
        self.operation.max_bytes
    }

    /// Maximum seconds until the body has arrived.
    pub(crate) fn max_seconds(&self, model: &Model) -> u64 {
        model.max_seconds(self.operation)
    }

    /// The resource and the id of a record that is found or calls.
    pub(crate) fn id_of(&self, target: &Target) -> Option<(&str, RecordId)> {
        match target {
            Target::Found(resource) => {
                let found = self.found.iter().find(|(known, _)| known == resource);
                found.map(|(resource, id)| (resource.as_str(), *id))
            }
            Target::Caller => {
                let (resource, id) = self.caller.as_ref()?.record.as_ref()?;
                Some((resource, *id))
            }
            Target::Made(_) => None,
        }
    }

    /// The id of the record of this resource that a guard has found.
    pub(crate) fn found(&self, resource: &str) -> Option<RecordId> {
        self.id_of(&Target::Found(resource.to_owned())).map(|(_, id)| id)
    }

    /// The id of the caller, if it is a record of this resource.
    pub(crate) fn caller_as(&self, resource: &str) -> Option<RecordId> {
        let caller = self.id_of(&Target::Caller).filter(|(known, _)| *known == resource);
        caller.map(|(_, id)| id)
    }
}

/// The caller of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Caller {
    /// The resource and the id; `None` for a credential that identifies no caller.
    pub(crate) record: Option<(String, RecordId)>,
    /// The id that limits count by.
    pub(crate) limited_by: RecordId,
    /// The record that holds the credential.
    pub(crate) holder: Option<(String, RecordId)>,
}

/// The key of a request that is done now, with the digest of the request.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) key: String,
    pub(crate) request: String,
}

/// What an accepted request counts towards a quota over time.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) table: String,
    pub(crate) owner: RecordId,
    pub(crate) record: Record,
}

/// What comes of the head of a request.
pub enum Begun {
    /// The response, which needs no body.
    Answered(Response),
    /// The request goes on when its body has arrived.
    NeedsBody(Box<Exchange>),
}

/// Why a body has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// It has too many bytes.
    TooLarge,
    /// It takes too long.
    TooSlow,
    /// The connection broke off.
    Broken,
}
