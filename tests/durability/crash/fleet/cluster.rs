//! A primary and two standbys of PostgreSQL, which `tests/with-postgres` starts, promotes and rebuilds.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use test_support::process::{DEADLINE, shell};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../with-postgres");

/// How many there are. They have the numbers from 1 on, here and in the script.
pub(super) const NODES: usize = 3;

pub(super) struct Cluster {
    /// It ends, and the servers with it, when its standard input does.
    script: Child,
    /// The directory of the data directories.
    data: String,
    /// The ports of the nodes.
    pub(super) ports: [u16; NODES],
    primary: AtomicUsize,
}

impl Cluster {
    pub(super) fn start() -> Cluster {
        let mut script = Command::new(SCRIPT);
        let report = "echo $HITODE_TEST_POSTGRES $HITODE_TEST_POSTGRES_DATA; exec cat";
        script.args(["--replicated", "sh", "-c", report]);
        let script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut script = script.expect("a shell");
        let mut line = String::new();
        let mut out = BufReader::new(script.stdout.take().expect("piped"));
        out.read_line(&mut line).expect("text");
        let (hosts, data) = line.trim().split_once(' ').expect("PostgreSQL starts");
        let ports = hosts.split(',').map(|host| host.rsplit(':').next()?.parse().ok());
        let ports: Option<Vec<u16>> = ports.collect();
        Cluster {
            script,
            data: data.to_owned(),
            ports: ports.and_then(|ports| ports.try_into().ok()).expect("three ports"),
            primary: AtomicUsize::new(1),
        }
    }

    /// The URL of a database on these ports, of which the client finds the one of the primary.
    pub(super) fn url(ports: &[u16], database: &str) -> String {
        let hosts: Vec<_> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!(
            "postgres://hitode@{}/{database}?target_session_attrs=read-write",
            hosts.join(",")
        )
    }

    pub(super) fn primary(&self) -> usize {
        self.primary.load(Ordering::Relaxed)
    }

    pub(super) fn standbys(&self) -> impl Iterator<Item = usize> {
        let primary = self.primary();
        (1..=NODES).filter(move |node| *node != primary)
    }

    /// Executes a statement on the primary.
    pub(super) fn sql(&self, statement: &str) {
        let port = self.ports[self.primary() - 1];
        shell(&format!(
            "psql postgres://hitode@127.0.0.1:{port}/postgres -qc \"{statement}\""
        ));
    }

    /// Ends all connections of Hitode's servers.
    pub(super) fn end_connections(&self) {
        self.interrupt("terminate", "");
    }

    /// Interrupts those that wait for a standby: `terminate` ends them, and `cancel` lets them report success with a warning.
    /// What they have committed is visible then.
    pub(super) fn interrupt_waiting(&self, how: &str) {
        self.interrupt(how, "AND wait_event = 'SyncRep'");
    }

    fn interrupt(&self, how: &str, which: &str) {
        self.sql(&format!(
            "SELECT pg_{how}_backend(pid) FROM pg_stat_activity WHERE application_name = 'hitode' {which}"
        ));
    }

    /// Sends a signal to all processes of a node.
    pub(super) fn signal(&self, node: usize, name: &str) {
        let file = format!("{}/{node}/postmaster.pid", self.data);
        shell(&format!(
            "pid=$(head -1 {file}); kill -{name} $pid $(ps -o pid= --ppid $pid) || true"
        ));
    }

    fn script(&self, arguments: &str) -> String {
        shell(&format!("HITODE_TEST_POSTGRES_DATA={} {SCRIPT} {arguments}", self.data))
    }

    /// Starts a standby that was killed.
    pub(super) fn start_again(&self, node: usize) {
        // Its former processes may take a moment to end.
        let line = format!("until {SCRIPT} --start 2>/dev/null; do sleep 0.05; done");
        shell(&format!(
            "export HITODE_TEST_POSTGRES_DATA={}/{node}; {line}",
            self.data
        ));
    }

    /// Promotes a standby after the primary was killed. Returns the former primary.
    pub(super) fn promote(&self) -> usize {
        let dead = self.primary();
        let promoted = self.script(&format!("--promote {dead}")).trim().parse();
        self.primary.store(promoted.expect("a number"), Ordering::Relaxed);
        dead
    }

    /// Makes a former primary a standby, and waits until it and the other one receive.
    pub(super) fn rebuild(&self, dead: usize) {
        self.script(&format!("--rebuild {dead} {}", self.primary()));
        let begun = Instant::now();
        let port = self.ports[self.primary() - 1];
        let count = format!(
            "psql postgres://hitode@127.0.0.1:{port}/postgres -Atqc \
             \"SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'\""
        );
        while shell(&count).trim() != "2" {
            assert!(begun.elapsed() < DEADLINE, "the standbys do not follow");
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // What is frozen cannot be stopped.
        (1..=NODES).for_each(|node| self.signal(node, "CONT"));
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}
