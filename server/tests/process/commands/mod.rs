//! The operator's commands, each run as a process against a real server.

mod accounts;
mod backup;
mod check;
mod completions;
mod detour;
mod erase;
mod errors;
mod export;
mod files;
mod import;
mod import_interrupted;
mod invite;
mod open;
mod people_file;

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use test_support::process::{Launch, Service, terminal};

/// A call of `hitode` that has not been started.
pub(crate) struct Call {
    command: Command,
}

/// The output and the exit status of a call.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Call {
    /// A call with these arguments, separated by white space.
    pub(crate) fn from_line(line: &str) -> Call {
        Call::by(Command::new(env!("CARGO_BIN_EXE_hitode")), line)
    }

    /// A call by a shell that runs `first` and then executes `hitode` with these arguments.
    pub(crate) fn after(first: &str, line: &str) -> Call {
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", &format!("{first}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_hitode"));
        Call::by(shell, line)
    }

    fn by(mut command: Command, line: &str) -> Call {
        command.env_clear().args(line.split_whitespace());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Call { command }
    }

    /// Sends it to the server at `address`, with the token of the data directory `data`.
    pub(crate) fn to(self, address: SocketAddr, data: &Path) -> Call {
        self.arg("--url")
            .arg(&format!("http://{address}"))
            .arg("--data")
            .arg(&data.to_string_lossy())
    }

    pub(crate) fn at(self, service: &Service) -> Call {
        self.to(service.address, &service.data)
    }

    pub(crate) fn arg(mut self, arg: &str) -> Call {
        self.command.arg(arg);
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Call {
        self.command.env(name, value);
        self
    }

    pub(crate) fn within(mut self, directory: &Path) -> Call {
        self.command.current_dir(directory);
        self
    }

    /// Starts it without waiting for its end.
    pub(crate) fn start(mut self) -> Child {
        self.command.spawn().expect("hitode starts")
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Printed {
        Printed::from_output(self.start().wait_with_output().expect("its end"))
    }

    /// Runs it with `text` as its standard input.
    pub(crate) fn run_on(mut self, text: &str) -> Printed {
        self.command.stdin(Stdio::piped());
        let mut child = self.start();
        let mut input = child.stdin.take().expect("piped");
        let text = text.to_owned();
        let feeding = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let printed = Printed::from_output(child.wait_with_output().expect("its end"));
        let _ = feeding.join().expect("no panic");
        printed
    }

    /// Runs it with a terminal as its standard input, and types this.
    pub(crate) fn run_at_terminal(mut self, typed: &str) -> Printed {
        let (mut outer, inner) = terminal();
        self.command.stdin(inner);
        outer.write_all(typed.as_bytes()).expect("typed");
        self.run()
    }
}

impl Printed {
    fn from_output(output: Output) -> Printed {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Printed {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The one JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// Returns itself after checking that the call succeeded and wrote nothing to standard error.
    #[track_caller]
    pub(crate) fn well(self) -> Printed {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self
    }

    /// The error message of a call that failed without an answer.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err
    }
}

/// A server without limits, so that tests can read everything.
pub(crate) fn server(data: &Path) -> Service {
    Launch::on(data).arg("--rate-limits").arg("off").start()
}

/// The file `name` in `directory`, with this content.
pub(crate) fn file(directory: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, content).expect("written");
    path
}
