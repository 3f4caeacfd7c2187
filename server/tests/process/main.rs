//! The program as a process: started for real, on a port of its own and an empty directory, and seen only from outside.

mod demo;
mod disks;
mod durability;
mod hostile;
mod http;
mod lifecycle;
mod log;
mod people;
mod restart;
mod secrets;
mod service;
mod trace;
