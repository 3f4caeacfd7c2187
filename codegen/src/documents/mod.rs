//! From the model to what others read: documents for tools, for people and for agents.
//!
//! ```text
//! Model ─ shared: sentences, examples ─▶ openapi
//! ```
//!
//! What the contract does not say, a document does not say either. Each document is written by a module of its own, which
//! knows the model and what they share, and no other document.

pub mod openapi;
mod shared;
