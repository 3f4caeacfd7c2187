//! A contract of another service, with an envelope, a credential and an error table of its own, and its handlers in
//! memory. It shows that `codegen` knows no service, and it is what the benchmark measures.

include!(concat!(env!("OUT_DIR"), "/lighthouse.rs"));

pub mod handlers;
