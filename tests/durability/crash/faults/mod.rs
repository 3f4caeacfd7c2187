//! Disks that fail, and too little memory. The disk fails for the process only (`fault`): the start after that finds it
//! well again, with all that was acknowledged and no half of anything else.
//!
//! - `running`: calls fail at random, in starts and under load, repeated on one directory.
//! - `starting`: each read of a start fails.
//! - `memory`: the process gets less memory than it needs.

mod fault;
mod memory;
mod running;
mod starting;

use fault::{EIO, ENOSPC, Fault};
