//! A server as a separate process: the benchmark starts itself again with a role.
//!
//! It does not use `test_support`: the logs of a measured server must not be read, and its core is chosen.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::machine::{self, Cores};
use crate::servers;

const ROLE: &str = "SPEED_ROLE";
const FOLDER: &str = "SPEED_FOLDER";
const CORE: &str = "SPEED_CORE";

/// A server. Dropping this ends it.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) address: SocketAddr,
}

/// Serves in the role that the environment names, if it names one.
pub(crate) fn serve_if_told() -> bool {
    let Ok(role) = std::env::var(ROLE) else { return false };
    let variable = |name| std::env::var(name).expect("the benchmark sets it");
    machine::stay_on(variable(CORE).parse().expect("a number"));
    servers::serve(&role, Path::new(&variable(FOLDER)));
    true
}

impl Server {
    /// Starts the role on the servers' core and waits until it listens. The server writes to `folder`.
    pub(crate) fn start(role: &str, folder: &Path, cores: Cores) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command
            .env(ROLE, role)
            .env(FOLDER, folder)
            .env(CORE, cores.server.to_string());
        Self::run(command, cores)
    }

    /// Starts a program on the servers' core and waits until it prints its address.
    pub(crate) fn run(mut command: Command, cores: Cores) -> Self {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // A process starts on the core of the thread that starts it.
        let start = move || {
            machine::stay_on(cores.server);
            command.spawn().expect("the program starts")
        };
        let mut process = thread::spawn(start).join().expect("it does not panic");
        let mut line = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("the server greets");
        let address = |word: &str| word.trim_start_matches("http://").parse().ok();
        Self {
            process,
            address: line.split_whitespace().find_map(address).expect("an address"),
        }
    }

    /// User and system time so far (`proc(5)`, clock ticks of 10 ms).
    pub(crate) fn cpu(&self) -> Duration {
        cpu(&self.proc_file("stat"), 11)
    }

    /// Its present memory, in bytes.
    pub(crate) fn resident(&self) -> f64 {
        self.status("VmRSS:")
    }

    /// The part of its present memory that is mapped from files, in bytes.
    pub(crate) fn mapped(&self) -> f64 {
        self.status("RssFile:")
    }

    /// Its peak memory, in bytes.
    pub(crate) fn peak(&self) -> f64 {
        self.status("VmHWM:")
    }

    /// How many files it has open.
    pub(crate) fn open_files(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fd", self.process.id()));
        files.expect("the process lives").count()
    }

    fn status(&self, name: &str) -> f64 {
        let status = self.proc_file("status");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .expect("Linux tells it");
        let kib: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kib * 1024.0
    }

    fn proc_file(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).expect("the process lives")
    }
}

/// User and system time of the ended child processes.
pub(crate) fn cpu_of_children() -> Duration {
    cpu(&fs::read_to_string("/proc/self/stat").expect("this process lives"), 13)
}

fn cpu(stat: &str, field: usize) -> Duration {
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<u64>().expect("clock ticks");
    Duration::from_millis((ticks(field) + ticks(field + 1)) * 10)
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
