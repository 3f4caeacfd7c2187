//! A load balancer as a process, called by curl.

use std::fmt::Debug;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tempfile::TempDir;
use test_support::process::{DEADLINE, Output, directory, shell};

/// A running load balancer.
pub(super) struct Balancer {
    child: Child,
    /// What it prints on standard error.
    pub(super) log: Output,
    directory: TempDir,
    port: u16,
}

/// The ports and the files of a load balancer that is not started yet.
pub(super) struct Place {
    pub(super) directory: TempDir,
    pub(super) http: u16,
    pub(super) https: u16,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) request_id: String,
    pub(super) body: String,
}

/// What curl prints behind each body.
const WRITTEN: &str = "\n%{http_code} %header{x-request-id}\n";

impl Place {
    /// Free ports, and a certificate for `localhost` and its key.
    pub(super) fn new() -> Place {
        let directory = directory();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
        let certificate = pem("CERTIFICATE", made.cert.der());
        let key = pem("PRIVATE KEY", &made.signing_key.serialize_der());
        for (name, content) in [
            ("cert.pem", &certificate),
            ("key.pem", &key),
            ("both.pem", &(certificate.clone() + &key)),
        ] {
            std::fs::write(directory.path().join(name), content).expect("written");
        }
        let free = || TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (http, https) = (free(), free());
        let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        Place {
            directory,
            http: port(&http),
            https: port(&https),
        }
    }

    /// The path of a file in its directory.
    pub(super) fn path(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    /// Starts it with this configuration as its last argument, and waits until it answers.
    #[track_caller]
    pub(super) fn start(self, command: &[&str], configuration: &str) -> Balancer {
        let path = self.path("configuration");
        std::fs::write(&path, configuration).expect("written");
        let mut starting = Command::new(command[0]);
        starting.args(&command[1..]).arg(&path);
        starting
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let child = starting.spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}; tests/run --install installs it"));
        let (log, _) = Output::read(child.stderr.take().expect("piped"));
        let balancer = Balancer {
            child,
            log,
            directory: self.directory,
            port: self.https,
        };
        balancer.eventually(200, &[], "/healthz");
        let plain = format!("http://localhost:{}/docs?a=b", self.http);
        let redirect = shell(&format!(
            "curl -s -o /dev/null -w '%{{http_code}} %{{redirect_url}}' '{plain}'"
        ));
        assert!(
            redirect.starts_with("308 https://localhost") && redirect.ends_with("/docs?a=b"),
            "{redirect}"
        );
        balancer
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der).into_bytes();
    let lines = text.chunks(64).map(|line| String::from_utf8_lossy(line) + "\n");
    format!(
        "-----BEGIN {label}-----\n{}-----END {label}-----\n",
        lines.collect::<String>()
    )
}

impl Balancer {
    pub(super) fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    /// The certificate that clients trust.
    pub(super) fn certificate(&self) -> PathBuf {
        self.directory.path().join("cert.pem")
    }

    /// Calls `path` with these arguments of curl.
    #[track_caller]
    pub(super) fn call(&self, arguments: &[&str], path: &str) -> Reply {
        self.curl(&[arguments, &[&self.url(path)]].concat())
            .pop()
            .expect("a reply")
    }

    /// Calls `path` once with each of these headers, on one connection.
    #[track_caller]
    pub(super) fn get_each(&self, path: &str, headers: &[String]) -> Vec<Reply> {
        let url = self.url(path);
        let calls: Vec<_> = headers.iter().map(|header| ["-H", header, &url]).collect();
        let arguments: Vec<_> = calls.join(&["--next"][..]);
        self.curl(&arguments)
    }

    /// The replies to all calls in these arguments.
    #[track_caller]
    pub(super) fn curl(&self, arguments: &[&str]) -> Vec<Reply> {
        let mut curl = Command::new("curl");
        for call in arguments.split(|argument| *argument == "--next") {
            let is_first = curl.get_args().next().is_none();
            curl.args((!is_first).then_some("--next"));
            curl.args(["-sS", "--max-time", "60", "-w", WRITTEN, "--cacert"]);
            curl.arg(self.certificate()).args(call);
        }
        let output = curl.output().expect("curl");
        let text = String::from_utf8(output.stdout).expect("text");
        let mut replies = Vec::new();
        let mut body = String::new();
        for line in text.lines() {
            match line.split_once(' ').map(|(status, id)| (status.parse(), id)) {
                Some((Ok(status @ (0 | 100..600)), id)) => replies.push(Reply {
                    status,
                    request_id: id.to_owned(),
                    body: std::mem::take(&mut body),
                }),
                _ => body += &(line.to_owned() + "\n"),
            }
        }
        replies
    }

    /// Repeats a call until it has this status.
    #[track_caller]
    pub(super) fn eventually(&self, status: u16, arguments: &[&str], path: &str) -> Reply {
        eventually(path, || {
            let reply = self.call(arguments, path);
            if reply.status == status {
                Ok(reply)
            } else {
                Err((reply, self.log.text()))
            }
        })
    }
}

/// Tries until it succeeds.
#[track_caller]
pub(super) fn eventually<T, E: Debug>(what: &str, attempt: impl Fn() -> Result<T, E>) -> T {
    let begun = Instant::now();
    loop {
        match attempt() {
            Ok(done) => return done,
            Err(error) => assert!(begun.elapsed() < DEADLINE, "{what}: {error:?}"),
        }
        thread::sleep(Duration::from_millis(20));
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // Its processes end with it, which SIGKILL would leave.
        let ended = Command::new("kill").arg(self.child.id().to_string()).status();
        drop(ended.and_then(|_| self.child.wait()));
    }
}
