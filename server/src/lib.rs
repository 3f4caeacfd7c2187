//! Hitode, the service: a marketplace of human workers for automated agents.
//!
//! What a caller can see is stated in `api.yaml` and generated into the crate [`contract`]; here stands the rest.
//! In reading order: [`cli`] → [`serve`] (a run, from its start to its end) → [`http`] (paths and connections) → [`app`] and
//! its handlers (the rules of the business) → [`store`] (what is kept, durably). [`demo`] fills an empty store; [`commands`]
//! call a running server from outside.

pub mod app;
pub mod cli;
pub mod commands;
pub mod demo;
pub mod digest;
mod files;
mod handlers;
pub mod http;
pub mod logging;
pub mod operator_token;
mod panics;
mod prefectures;
pub mod serve;
pub mod shutdown;
pub mod store;
