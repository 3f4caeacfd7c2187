//! The program `hitode`: reads the command line, and serves or does what else was asked for.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use hitode::cli::{Cli, Serve, Task};
use hitode::operator_token::VARIABLE;
use hitode::{commands, logging, serve};
use visible::visible_lines;

/// How many reads of the disk and searches go on at a time. Each holds memory, and more would not be faster.
const BLOCKING_THREADS: usize = 32;
/// How long searches that nobody waits for any more may hold up the end.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// Gives freed memory back to the system, which the system's own allocator does not.
#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

fn main() -> ExitCode {
    allocator::give_back_at_once();
    match Cli::parse().task {
        Task::Serve(options) => run_server(options),
        Task::Command(command) => commands::run(command).unwrap_or_else(|fault| fail(&fault)),
    }
}

fn run_server(options: Serve) -> ExitCode {
    let filter = std::env::var("HITODE_LOG").ok();
    if let Err(fault) = logging::start(filter.as_deref(), options.log_format) {
        return fail(&fault);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(fault) => return fail(&fault),
    };
    let served = runtime.block_on(serve::serve(options, std::env::var_os(VARIABLE)));
    runtime.shutdown_timeout(LEFTOVERS);
    logging::flush();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fail(&fault),
    }
}

fn fail(fault: &dyn Display) -> ExitCode {
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "hitode: {}", visible_lines(&fault.to_string()));
    ExitCode::FAILURE
}
