//! The verifier of any contract: it calls a server, and compares its answers with the contract.
//!
//! ```text
//! Model ─▶ Probes, Histories: Call ─▶ server ─▶ answer ◀─ compare ─▶ interpreter (codegen-mock)
//! ```
//!
//! [`Probes`] change one thing of a call that works, exhaust limits and fill quotas; [`Histories`] are random calls. The interpreter
//! says what each answer must be. [`Scenarios`] are handwritten: they say what no declaration can. A [`Program`] tries the probes of
//! a service in its process.
//!
//! The package `lockers` beside it is a complete example: see its `tests/generated.rs`.

mod call;
mod contract;
mod description;
mod exchange;
mod held;
mod histories;
mod http_sender;
mod json;
mod level;
mod masks;
mod matrix;
mod program;
mod query;
mod receiver;
mod response_headers;
mod sample;
mod scenarios;
mod server_address;
mod shape;
mod template;
mod times;
mod types;
mod value;

pub use call::Op;
pub use contract::Contract;
pub use exchange::{Caller, Request, Response};
pub use held::{HeldBody, Hold};
pub use histories::{
    HeldSender, Histories, HistoriesReport, HistoryClock, HistoryDifference, HistoryOptions, Outcome as HistoryOutcome,
    ProbeOptions, ProbeOutcome, ProbeVerdict, Probes, Sender,
};
pub use http_sender::HttpSender;
pub use level::Level;
pub use masks::Masks;
pub use matrix::Matrix;
pub use program::{Program, Server, one_in};
pub use receiver::Receiver;
pub use scenarios::{Failure, ScenarioVerdict, Scenarios};
pub use server_address::ServerAddress;
