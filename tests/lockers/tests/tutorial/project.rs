//! The reader's folder, outside of this repository.

use crate::outside;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The server's address in the tutorial.
const PRINTED: &str = "http://127.0.0.1:8080";
const ASKED: &str = "localhost:8080";

pub(crate) struct Project {
    folder: PathBuf,
    server: Option<Server>,
}

/// A running server. Dropping this ends it.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Project {
    /// An empty folder beside the clone.
    pub(crate) fn new() -> Self {
        Self {
            folder: outside::package("notes"),
            server: None,
        }
    }

    #[track_caller]
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }

    #[track_caller]
    pub(crate) fn patch(&self, text: &str) {
        let mut git = Command::new("git")
            .args(["apply", "-"])
            .current_dir(&self.folder)
            // Git must not find the repository above.
            .env("GIT_CEILING_DIRECTORIES", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .spawn()
            .expect("git starts");
        let mut input = git.stdin.take().expect("it is piped");
        input.write_all(text.as_bytes()).expect("git reads");
        drop(input);
        assert!(git.wait().expect("git ends").success(), "this does not apply:\n{text}");
    }

    /// Runs a command, and returns its output in whole lines.
    #[track_caller]
    pub(crate) fn run(&mut self, line: &str) -> String {
        if line == "cargo run" {
            return self.serve();
        }
        let line = match &self.server {
            Some(server) => line.replace(ASKED, &server.address),
            None => line.to_owned(),
        };
        let ended = self.shell(&line).output().expect("the shell starts");
        let mut printed = String::from_utf8(ended.stdout).expect("text");
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push('\n');
        }
        printed
    }

    /// Restarts the server, and returns its output until it listens, including warnings of the compiler.
    #[track_caller]
    fn serve(&mut self) -> String {
        self.server = None;
        let mut run = self.shell("exec cargo run --quiet -- 127.0.0.1:0 2>&1");
        let mut process = run.stdout(Stdio::piped()).spawn().expect("the shell starts");
        let mut printed = String::new();
        for line in BufReader::new(process.stdout.take().expect("it is piped")).lines() {
            let line = line.expect("text");
            if let Some(address) = line.strip_prefix("http://") {
                let address = address.to_owned();
                self.server = Some(Server { process, address });
                return format!("{printed}{PRINTED}\n");
            }
            printed.push_str(&line);
            printed.push('\n');
        }
        panic!("the server does not start: {:?}", process.wait());
    }

    fn shell(&self, line: &str) -> Command {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(&self.folder)
            .env("PATH", path())
            .env("LC_ALL", "C")
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_TARGET_DIR", outside::target());
        shell
    }
}

/// The search path of programs: it begins with the folder of the cargo that built this.
fn path() -> OsString {
    let mut path = OsString::from(Path::new(env!("CARGO")).parent().expect("cargo lies in a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}
