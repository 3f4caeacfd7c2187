//! The runtime library of generated code. It contains no path, header name, status, bound or error text of a contract;
//! these are arguments.

pub mod accept;
pub mod arrival;
pub mod body;
pub mod budget;
mod chunks;
pub mod clock;
pub mod conditions;
pub mod counts;
pub mod declared_headers;
pub mod decode;
pub mod derived;
pub mod description;
pub mod digest;
#[cfg(feature = "documents")]
pub mod documents;
pub mod encoded;
pub mod exchange;
mod failure;
pub mod fault;
pub mod feed;
pub mod file;
pub mod headers;
mod id;
pub mod in_flight;
pub mod index;
pub mod json;
pub mod key;
pub mod limiter;
pub mod mcp;
pub mod members;
pub mod near_names;
pub mod observer;
pub mod once;
pub mod quota;
mod request_id;
pub mod rows;
pub mod scalar;
pub mod secret;
mod sending;
#[cfg(feature = "serve")]
pub mod serve;
pub mod stored;
pub mod text;
pub mod validation_errors;
pub mod value;
pub mod word;

pub use arrival::{Departure, EndOfWait, HostError, Peer, Unserved, arrived};
pub use body::{BodyBounds, BodyError, MinRate, decode_json, or_empty_object};
pub use budget::{Budget, Payer};
pub use bytes::Bytes;
pub use chunks::Chunks;
pub use clock::Clock;
pub use declared_headers::{DeclaredHeader, DeclaredHeaders, HeaderPart, ReplyHeaders};
pub use digest::Digest;
pub use encoded::{Encoded, ObjectWriter, Streamed, View, WriteJson, write_json};
pub use exchange::{
    Answer, Available, ErrorResponse, Exchange, Response, Steps, catch_unwind, filter, is_under, segments_under,
};
pub use failure::Failure;
pub use fault::{Code, Fault, ListedFault};
pub use file::{FileDirectory, FileError, KeepFiles, ReadError, ReceivedFile, StoredFile, Upload};
pub use headers::single_header;
pub use http::{HeaderMap, HeaderName, HeaderValue, Method};
pub use id::{AnyId, Id, IdValue, Uuid};
pub use in_flight::{InFlightKey, InFlightPermit, InFlightRequests};
pub use key::{Key, KeyBytes, NewId};
pub use limiter::{ExchangeCounts, LimitDecision, Limiter, SentBytes, SentTo, SharedCount};
pub use members::Members;
pub use observer::{Ended, Observer};
pub use once::{
    AnswerId, Begun, Done, FindAnswer, IdempotencyKey, Kept, KeyError, KeyedRequest, Once, RunningKeys, StoredOnce,
};
pub use quota::{Amount, OverQuota, Quota, QuotaUse, Usage};
pub use request_id::RequestId;
pub use rows::{Batch, Page, Rows};
pub use scalar::{Date, DateTime, Number, OpenObject, Timestamp};
pub use secret::{NOT_ACCEPTED, PresentedCredential, abbreviate, credential_problem, mint};
#[cfg(feature = "serve")]
pub use serve::serve;
pub use stored::{Stored, StoredMembers, read_stored};
pub use text::did_you_mean;
pub use validation_errors::{SentId, ValidationErrors};
pub use value::Value;
pub use word::word;
pub use {serde, warp};
