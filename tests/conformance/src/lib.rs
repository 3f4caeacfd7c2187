//! The verifier of any contract: it calls a server, and compares its answers with the contract.
//!
//! ```text
//! Model ─▶ Probes, Histories: Call ─▶ server ─▶ answer ◀─ compare ─▶ interpreter (codegen-mock)
//! Model ─▶ Suite: Test ─▶ Attempt ─▶ World ─▶ Answer ─▶ verdict
//! ```
//!
//! [`Probes`] change one thing of a call that works, [`Histories`] are random calls: the interpreter says what the answer must be.
//! The [`Suite`] tests what one answer does not show: limits over time, quotas that take many requests, requests that are sent at
//! once or held. It knows no service: a [`World`] arranges everything outside of a request (callers, resources, a clock).
//!
//! The package `lockers` beside it is a complete example: its `tests/generated.rs` runs probes and suite, its `tests/world`
//! arranges what its contract does not declare.

mod answer;
mod attempt;
mod call;
mod content;
mod contract;
mod declared;
mod ended_while_held;
mod failure;
mod held;
mod histories;
mod http_sender;
mod json;
mod level;
mod limits;
mod masks;
mod network;
mod query;
mod quotas;
mod races;
mod response_headers;
mod sample;
mod scenarios;
mod server_address;
mod shape;
mod stage;
mod states;
mod suite;
mod template;
mod times;
mod types;
mod value;
mod verdict;
mod world;

pub use call::Op;
pub use codegen::model::{Credential, Limit};
pub use contract::{Contract, Operation};
pub use declared::{DeclaredWorld, Subject};
pub use failure::Failure;
pub use held::{HeldBody, Hold};
pub use histories::{
    Histories, HistoriesReport, HistoryClock, HistoryDifference, HistoryOptions, Outcome as HistoryOutcome,
    ProbeOptions, ProbeOutcome, ProbeVerdict, Probes, Sender,
};
pub use http_sender::HttpSender;
pub use level::Level;
pub use masks::Masks;
pub use network::Network;
pub use scenarios::Scenarios;
pub use server_address::ServerAddress;
pub use suite::{Covers, Matrix, Outcome, RunOptions, Suite, Test, TestedRule, Verdict, skip_test};
pub use world::{Access, Caller, LimitedService, Need, Request, RequestedResources, Response, World};
