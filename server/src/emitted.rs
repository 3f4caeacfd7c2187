//! What follows from `api.yaml` and is not written by hand: handlers, and records with their trees. A trait that a source
//! implements is not emitted. `codegen list api.yaml --handlers` says which operations the contract says whole.

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));
