//! Hitode, the server: a marketplace of human workers for automated agents. Everything that a caller can see is
//! declared in `api.yaml` and generated into the crate [`contract`].
//!
//! In reading order: [`cli`] → [`serve`] (a run, from start to end) → [`http`] (paths and connections) → [`app`] and
//! `market` (business rules) → [`store`] (durable storage) → [`search`] (the index over workers); [`demo`] fills an
//! empty store, `simulation` plans what workers of the sandbox do and `simulator` does it, [`commands`] call a running
//! server, and [`offline`] are the commands that work on a data directory without one.

pub mod app;
pub mod backups;
pub mod cli;
pub mod commands;
pub mod demo;
mod duration;
mod emitted;
mod erased;
pub mod http;
pub mod images;
mod in_process;
pub mod logging;
mod market;
pub mod offline;
pub mod operator_token;
mod prefectures;
mod recent;
pub mod search;
pub mod serve;
pub mod shutdown;
mod simulation;
mod simulator;
pub mod store;
pub mod webhooks;

pub use contract::support::digest;
