//! A disk that fails while the server runs: strace makes single system calls fail.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{Entries, is_of_unknown_outcome};
use crate::trace::{self, Call};
use test_support::process::{Launch, Output, Service, directory};

/// Calls of the server fail until this is dropped.
struct Fault {
    strace: Child,
}

impl Fault {
    /// Makes this call fail with this error on all present and future threads of the server.
    #[track_caller]
    fn inject(service: &Service, call: &str, error: &str, trace: &Path) -> Fault {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-tt", "-y", "-e", "trace=pwrite64,fdatasync,fsync"]);
        strace.args(["-e", &format!("inject={call}:error={error}")]);
        strace.arg("-p").arg(service.id().to_string()).arg("-o").arg(trace);
        let mut strace = strace
            .stderr(Stdio::piped())
            .spawn()
            .expect("strace; tests/run installs it");
        let (messages, _) = Output::read(strace.stderr.take().expect("piped"));
        let attached = messages.wait_for("attached");
        assert!(
            attached.is_some(),
            "run these tests as root, or with kernel.yama.ptrace_scope=0: {}",
            messages.text()
        );
        Fault { strace }
    }

    /// Removes the cause.
    fn end(mut self) {
        test_support::process::shell(&format!("kill -INT {}", self.strace.id()));
        self.strace.wait().expect("it ends");
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        let _ = self.strace.kill();
        let _ = self.strace.wait();
    }
}

/// After any failure nothing is written until the next start, even if its cause is removed.
#[track_caller]
fn one_failure_ends_writing(call: &str, error: &str) {
    let (data, traces) = (directory(), directory());
    let trace = traces.path().join("trace");
    let service = Launch::on(data.path()).start();
    let mut entries = Entries::at(&service);
    entries.enter_some();
    let fault = Fault::inject(&service, call, error, &trace);
    is_of_unknown_outcome(&entries.enter().expect("a failure"));
    entries.are_only_readable_at(&service);
    fault.end();
    entries.are_only_readable_at(&service);

    let calls = trace::parse(&std::fs::read_to_string(&trace).expect("a trace"));
    let (failed, others): (Vec<_>, Vec<_>) = calls
        .iter()
        .partition(|failed| failed.name == call && failed.result.is_none());
    // The parts of one commit may be written at the same time.
    let places: HashSet<_> = failed.iter().map(|call| place_of(call)).collect();
    assert_eq!(places.len(), failed.len(), "it is not tried again: {failed:?}");
    let first = failed.iter().map(|call| call.begun).min().expect("a failure");
    let later: Vec<_> = others.iter().filter(|call| call.begun > first).collect();
    assert!(later.is_empty(), "nothing is written any more: {later:?}");

    assert!(
        service
            .log
            .wait_for("a commit failed")
            .is_some_and(|line| line.contains("until a restart"))
    );
    assert_eq!(service.stop().code, Some(0));
    entries.are_whole_at(&Launch::on(data.path()).start());
}

/// The file and the offset of a write: its first and its last argument.
fn place_of(call: &Call) -> (&str, &str) {
    let file = call.args.split(',').next().expect("a part");
    let args = call.args.trim_end_matches(" <unfinished ...>");
    let args = args.rsplit_once(") = ").map_or(args, |(args, _)| args);
    (file, args.rsplit(", ").next().expect("a part"))
}

#[test]
fn a_failed_sync_is_not_tried_again() {
    one_failure_ends_writing("fdatasync", "EIO");
}

#[test]
fn a_failed_write_is_not_tried_again() {
    one_failure_ends_writing("pwrite64", "EIO");
}

#[test]
fn a_write_for_which_there_is_no_room_is_not_tried_again() {
    one_failure_ends_writing("pwrite64", "ENOSPC");
}

#[test]
fn the_end_of_a_server_that_cannot_write_touches_the_log_no_more() {
    let (data, traces) = (directory(), directory());
    let file = traces.path().join("trace");
    // The first commit is that of the start, which notes the day. The other syncs of the start are other calls.
    let calls = [
        "-tt",
        "-y",
        "-e",
        "trace=write,openat,pwrite64,fdatasync,fsync",
        "-e",
        "inject=fdatasync:error=EIO:when=4",
    ];
    let service = Launch::on(data.path()).under_strace(&calls, &file).start();
    let mut entries = Entries::at(&service);
    assert!(entries.enter().is_none() && entries.enter().is_none());
    is_of_unknown_outcome(&entries.enter().expect("a failure"));
    entries.are_only_readable_at(&service);
    assert_eq!(service.stop().code, Some(0));

    let calls = trace::read(&file);
    let failed = calls
        .iter()
        .position(|call| call.name == "fdatasync" && call.result.is_none());
    let failed = failed.expect("a failed sync");
    assert!(calls[..failed].iter().any(|call| call.is_on("db") && call.is_write()));
    let later: Vec<_> = calls[failed + 1..].iter().filter(|call| call.is_on("db")).collect();
    assert!(later.is_empty(), "{later:?}");
    entries.are_whole_at(&Launch::on(data.path()).start());
}
