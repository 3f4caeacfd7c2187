//! The program as a process: started for real, on a port of its own and an empty directory, and seen only from outside.

mod commands;
mod crash;
mod demo;
mod disks;
mod documents;
mod durability;
mod exposition;
mod hostile;
mod lifecycle;
mod listener;
mod log;
mod restart;
mod secrets;
mod seen;
mod trace;
