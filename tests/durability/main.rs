//! Acknowledged data survives kills, power cuts and bad disks: tests run the server as a process on directories and file
//! systems that they damage.

mod acknowledged;
mod conform;
mod crash;
mod disks;
mod trace;
