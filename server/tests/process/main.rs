//! The program as a process: started for real, on a port of its own and an empty directory, and seen only from outside.

mod commands;
mod demo;
mod documents;
mod exposition;
mod lifecycle;
mod listener;
mod log;
mod metrics;
mod secrets;
