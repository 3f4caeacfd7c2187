//! `codegen mock`: serves a contract without handlers.

use crate::credentials::credentials;
use crate::input::Input;
use crate::output::{Output, STRONG, styled};
use clap::{Args, ValueEnum};
use codegen::Model;
use mock::{Journal, Mock, Options, serve};
use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;

/// What the command is called with.
#[derive(Debug, Args)]
pub(crate) struct MockArguments {
    /// The contract; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where to listen; port 0 is any free port
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,

    /// The secret of a credential that no operation creates; without it, one is made and printed
    #[arg(long, value_name = "NAME=VALUE")]
    credential: Vec<String>,

    /// Whether rates and requests in flight are limited
    #[arg(long, value_name = "on|off", default_value = "on")]
    rate_limits: Switch,

    /// Keep the state in this file; without it, the state ends with the command
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// Make the same credentials and made-up values at each start
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The value of a flag such as `--rate-limits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

/// Serves until a signal.
pub(crate) fn run(arguments: &MockArguments) -> Output {
    let compiled = Input::read(&arguments.file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| input.compile_with_warnings());
    match compiled {
        Ok((model, warnings)) => {
            // The command ends with a signal. A closed standard error is no failure.
            let _ = write!(anstream::stderr().lock(), "{warnings}");
            match start(arguments, model) {
                Ok(()) => Output::default(),
                Err(message) => Output::failed(&message),
            }
        }
        Err(failure) => failure,
    }
}

fn start(arguments: &MockArguments, model: Model) -> Result<(), String> {
    let credentials = credentials(&model, &arguments.credential)?;
    let journal = match &arguments.data {
        Some(file) => {
            let opened = Journal::open(file, &model.name);
            Some(opened.map_err(|error| format!("cannot keep the state in {}: {error}", file.display()))?)
        }
        None => None,
    };
    let listen = &arguments.listen;
    let listener = TcpListener::bind(listen).map_err(|error| {
        format!("cannot listen on {listen}: {error}; choose another address with --listen HOST:PORT")
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let options = Options {
        rate_limits: arguments.rate_limits == Switch::On,
        seed: arguments.seed,
        credentials,
        journal,
    };
    // The command serves one contract, until it ends.
    let mock = Mock::new(Box::leak(Box::new(model)), options);
    announce(&mock, &address.to_string());
    serve(listener, mock).map_err(|error| format!("cannot serve: {error}"))
}

/// Prints the address, the credentials, and calls to try. A closed standard output is no failure.
fn announce(mock: &Mock, address: &str) {
    let mut out = anstream::stdout().lock();
    let _ = writeln!(out, "{}", styled(STRONG, &format!("http://{address}")));
    for (name, secret) in mock.root_credentials() {
        let _ = writeln!(out, "{name}: {secret}");
    }
    for tools in mock.tools() {
        let _ = writeln!(out, "tools of {} (MCP): http://{address}{}", tools.surface, tools.path);
    }
    for call in mock.calls_to_try(address) {
        let _ = writeln!(out, "{call}");
    }
    let _ = out.flush();
}
