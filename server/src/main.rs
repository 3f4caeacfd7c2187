//! The program `hitode`.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use hitode::cli::Cli;
use visible::visible_lines;

/// Returns freed memory to the system, unlike the system's own allocator.
#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

fn main() -> ExitCode {
    allocator::reserve_c_memory_once();
    Cli::parse().command.run().unwrap_or_else(|error| {
        // Standard error may be closed.
        let _ = writeln!(std::io::stderr(), "hitode: {}", visible_lines(&error.to_string()));
        ExitCode::FAILURE
    })
}
