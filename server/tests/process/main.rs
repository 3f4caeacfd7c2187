//! Tests of the program as a process: started for real, with its own port and an empty directory, and observed only
//! from outside.

mod backups;
mod commands;
mod console;
mod database;
mod demo;
mod deploy;
mod documents;
mod exposition;
mod lifecycle;
mod listener;
mod log;
mod metrics;
mod receiver;
mod sandbox;
mod secrets;
mod webhooks;
