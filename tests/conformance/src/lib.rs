//! The conformance suite of any contract: a test makes a valid request, makes one thing invalid, sends it, and compares
//! the answer with the contract.
//!
//! ```text
//! Model ─ suite ─▶ Test ─▶ Attempt ─ with, parameter, … ─▶ Request ─ World ─▶ Response ─▶ Answer ─ accepted, rejected, … ─▶ verdict
//! ```
//!
//! It knows no service: the [`Suite`] makes the [`Contract`], its [`Operation`]s and the tests from the compiler's model, and a
//! [`World`] arranges everything outside of the request (callers, resources, a clock).
//!
//! The package `lockers` beside it is a complete example: its `tests/generated.rs` runs the suite, its `tests/world`
//! arranges what its contract does not declare.

mod answer;
mod attempt;
mod call;
mod content;
mod contract;
mod declared;
mod effects;
mod failure;
mod guards;
mod held;
mod histories;
mod http_sender;
mod invalid_requests;
mod invalid_values;
mod invariants;
mod json;
mod level;
mod limits;
mod lists;
mod masks;
mod mutants;
mod network;
mod precedence;
mod query;
mod realms;
mod response_data;
mod response_headers;
mod sample;
mod scenarios;
mod server_address;
mod shape;
mod stage;
mod suite;
mod template;
mod times;
mod types;
mod value;
mod verdict;
mod world;

pub use self::contract::{Contract, Exists, Move, Operation, Transitions};
pub use answer::Answer;
pub use attempt::Attempt;
pub use call::Op;
pub use codegen::model::{Credential, Limit};
pub use declared::{DeclaredWorld, Subject};
pub use failure::Failure;
pub use held::{HeldBody, Hold};
pub use histories::{
    Histories, HistoriesReport, HistoryClock, HistoryDifference, HistoryOptions, Outcome as HistoryOutcome,
    ProbeOptions, ProbeOutcome, ProbeVerdict, Probes, Sender, Shadow, ShadowReport,
};
pub use http_sender::HttpSender;
pub use invariants::{DataLocation, ExpectedMember, IdOrigin, Reader, Trace};
pub use level::Level;
pub use limits::LimitTrial;
pub use lists::description::{Creator, Filter, List, Origin, SortKey};
pub use masks::Masks;
pub use mutants::{KnownSurvivor, KnownSurvivors, Mutant, MutationTests, Report, Run};
pub use network::Network;
pub use scenarios::Scenarios;
pub use server_address::ServerAddress;
pub use suite::{Covers, Matrix, Outcome, RunOptions, Suite, Test, TestedRule, Verdict, skip_test};
pub use types::{Member, Type};
pub use value::{Value, duplicates, list, null, of_chars, open_of_bytes, raw, text, word};
pub use world::{Access, Caller, LimitedService, Need, Request, RequestedResources, Response, World};
