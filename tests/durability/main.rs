//! What was acknowledged outlasts kills, power cuts and bad disks: the server as a process, on directories and file systems
//! that tests break.

mod acknowledged;
mod crash;
mod disks;
mod trace;
