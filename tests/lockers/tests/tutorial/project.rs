//! The reader's folder, outside of this repository.

use crate::outside;
use mock::{Journal, Mock, Options};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::spawn;
use test_support::process::build;

/// The server's address in the tutorial.
const PRINTED: &str = "http://127.0.0.1:8080";
const ASKED: &str = "localhost:8080";

/// The secret of the tutorial's server, and its credential.
const SECRET: (&str, &str) = ("admin_key", "admin_secret");

pub(crate) struct Project {
    folder: PathBuf,
    /// Of the running server.
    address: Option<String>,
    process: Option<Process>,
}

/// A running server. Dropping this ends it.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Project {
    /// An empty folder beside the clone.
    pub(crate) fn beside_clone() -> Self {
        Self::in_folder(outside::package("notes"))
    }

    /// An empty folder without a clone.
    pub(crate) fn alone() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mocked/notes");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the target directory can be written");
        Self::in_folder(folder)
    }

    fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder,
            address: None,
            process: None,
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
        if let Some(environment) = line.strip_suffix("cargo run") {
            return self.serve(environment);
        }
        if line.starts_with("cargo install") {
            return String::new();
        }
        if let Some(arguments) = line.strip_prefix("codegen new ") {
            let codegen = build("--bin codegen").join("codegen");
            let mut made = self.shell(&format!("'{}' new {arguments}", codegen.display()));
            made.current_dir(self.folder.parent().expect("it is below another one"));
            let made = made.output().expect("the shell starts");
            return String::from_utf8(made.stdout).expect("text");
        }
        let line = match &self.address {
            Some(address) => line.replace(ASKED, address),
            None => line.to_owned(),
        };
        let ended = self.shell(&line).output().expect("the shell starts");
        let mut printed = String::from_utf8(ended.stdout).expect("text");
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push('\n');
        }
        printed
    }

    /// Restarts the server, and returns its output until it listens or ends, including warnings of the compiler.
    #[track_caller]
    fn serve(&mut self, environment: &str) -> String {
        self.process = None;
        let mut run = self.shell(&format!("exec env {environment} cargo run --quiet -- 127.0.0.1:0 2>&1"));
        let mut process = run.stdout(Stdio::piped()).spawn().expect("the shell starts");
        let mut printed = String::new();
        for line in BufReader::new(process.stdout.take().expect("it is piped")).lines() {
            let line = line.expect("text");
            if let Some(address) = line.strip_prefix("http://") {
                self.address = Some(address.to_owned());
                self.process = Some(Process(process));
                return format!("{printed}{PRINTED}\n");
            }
            printed.push_str(&line);
            printed.push('\n');
        }
        assert_eq!(process.wait().expect("it ends").code(), Some(1), "{printed}");
        printed
    }

    /// Starts the mock of the contract, of which the calls then ask. It runs as long as the tests.
    #[track_caller]
    pub(crate) fn mock(&mut self) {
        let contract = fs::read_to_string(self.folder.join("api.yaml")).expect("the contract can be read");
        let model = codegen::compile(&contract).expect("the contract is valid");
        let has_keys = model.credentials.iter().any(|one| one.name == SECRET.0);
        let options = Options {
            credentials: has_keys
                .then(|| (SECRET.0.to_owned(), SECRET.1.to_owned()))
                .into_iter()
                .collect(),
            journal: Some(self.journal(&model.name)),
            ..Options::default()
        };
        let mock = Mock::new(Box::leak(Box::new(model)), options);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        self.address = Some(listener.local_addr().expect("it is bound").to_string());
        spawn(|| mock::serve(listener, mock).expect("it serves"));
    }

    /// What the former mock has kept. That still runs and has its file, so this is a copy in its place.
    fn journal(&self, contract: &str) -> Journal {
        let file = self.folder.join("data");
        if let Ok(former) = fs::read(&file) {
            fs::remove_file(&file).expect("it is there");
            fs::write(&file, former).expect("the folder can be written");
        }
        Journal::open(&file, contract).expect("it is the state of a mock of this contract")
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
