//! Three `hitode serve` over one database, each with a network of its own to it, and HAProxy in front of them.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::cluster::Cluster;
use super::link::Link;
use test_support::http::{Answer, Connection};
use test_support::people::Caller;
use test_support::process::{DEADLINE, Launch, Service, directory};

pub(super) const SERVERS: usize = 3;

/// Of the servers, the clock of the second is an hour ahead, and that of the third one behind.
const CLOCKS: [&str; SERVERS] = ["+0", "+3600", "-3600"];

/// The library that changes a clock. Debian's package `faketime` installs it.
const FAKETIME: &str = "/usr/$LIB/faketime/libfaketimeMT.so.1";

const OPERATOR: &str = "the-operator-of-all-servers";

pub(super) struct Fleet<'c> {
    links: &'c [Link],
    database: String,
    servers: Vec<Server>,
    balancer: Balancer,
    /// An account that is changed when a server shall catch up.
    pub(super) account: i64,
}

struct Server {
    data: TempDir,
    address: SocketAddr,
    service: Mutex<Service>,
}

impl<'c> Fleet<'c> {
    /// Starts the servers on a new database.
    pub(super) fn start(cluster: &Cluster, links: &'c [Link], database: &str) -> Fleet<'c> {
        cluster.sql(&format!("CREATE DATABASE {database}"));
        let start = |number: usize| {
            let data = directory();
            let token = data.path().join("operator-token");
            fs::write(&token, OPERATOR).expect("a file");
            fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).expect("its owner's");
            let service = launch(&links[number], database, number, data.path(), "127.0.0.1:0").start();
            Server {
                data,
                address: service.address,
                service: Mutex::new(service),
            }
        };
        let servers: Vec<_> = (0..SERVERS).map(start).collect();
        let addresses: Vec<_> = servers.iter().map(|server| server.address).collect();
        let account = Caller::operator(addresses[0], OPERATOR).post("/accounts", account("#0 account"));
        Fleet {
            links,
            database: database.to_owned(),
            servers,
            balancer: Balancer::start(&addresses),
            account: account.id(),
        }
    }

    pub(super) fn link(&self, server: usize) -> &Link {
        &self.links[server]
    }

    pub(super) fn service(&self, server: usize) -> MutexGuard<'_, Service> {
        self.servers[server].service.lock().expect("a lock")
    }

    /// Where the servers can be called.
    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.servers.iter().map(|server| server.address).collect()
    }

    /// The same, and where the balancer can.
    pub(super) fn targets(&self) -> Vec<SocketAddr> {
        let mut targets = self.addresses();
        targets.push(self.balancer.address);
        targets
    }

    pub(super) fn operator(&self) -> Caller {
        Caller::operator(self.servers[0].address, OPERATOR)
    }

    pub(super) fn signal(&self, server: usize, name: &str) {
        self.service(server).signal(name);
    }

    /// Starts a server again that has ended, or was killed.
    pub(super) fn start_again(&self, server: usize) {
        let Server { data, address, service } = &self.servers[server];
        let mut service = service.lock().expect("a lock");
        service.end();
        let begun = Instant::now();
        loop {
            let address = address.to_string();
            match launch(&self.links[server], &self.database, server, data.path(), &address).try_start() {
                Ok(started) => return *service = started,
                // The database may be away.
                Err(ended) => assert!(begun.elapsed() < DEADLINE, "it does not start again: {}", ended.log),
            }
        }
    }

    /// Waits until a server has committed something: then it has taken in all that was committed before. One that has ended,
    /// because its copy does not follow from the database any more, is started again, as a service manager would.
    pub(super) fn catch_up(&self, server: usize) {
        let (begun, path) = (Instant::now(), format!("/accounts/{}", self.account));
        let change = json!({ "suspended": false });
        loop {
            let answer = Connection::to(self.servers[server].address)
                .and_then(|mut connection| self.operator().over(&mut connection, "PATCH", &path, Some(&change)));
            match answer {
                Ok(answer) if answer.status == 200 => return,
                Ok(answer) => assert_eq!(answer.status, 503, "{}", answer.text()),
                Err(_) => self.start_again(server),
            }
            let late = begun.elapsed() > DEADLINE;
            assert!(
                !late,
                "server {server} does not recover: {}",
                self.service(server).log.text()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The last lines of the logs.
    pub(super) fn logs(&self) -> String {
        let last = |server| {
            let log = self.service(server).log.text();
            let lines: Vec<_> = log
                .lines()
                .rev()
                .filter(|line| !line.contains("INFO"))
                .take(12)
                .collect();
            format!("server {server}:\n{}\n", lines.join("\n"))
        };
        (0..SERVERS).map(last).collect()
    }

    /// What a server answers to a read, unless it ends meanwhile.
    pub(super) fn read(&self, server: usize) -> Option<Answer> {
        let mut connection = Connection::to(self.servers[server].address).ok()?;
        self.operator()
            .over(&mut connection, "GET", "/accounts?limit=1", None)
            .ok()
    }
}

pub(super) fn account(name: &str) -> serde_json::Value {
    json!({ "name": name, "plan": "verified" })
}

fn launch(link: &Link, database: &str, number: usize, data: &Path, listen: &str) -> Launch {
    let launch = Launch::on(data).listen(listen).arg("--rate-limits").arg("off");
    let launch = launch.variable("HITODE_DATABASE_URL", &Cluster::url(&link.ports, database));
    match CLOCKS[number] {
        "+0" => launch,
        offset => launch
            .variable("LD_PRELOAD", FAKETIME)
            .variable("FAKETIME", offset)
            // What measures durations is right on every machine.
            .variable("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .variable("DONT_FAKE_MONOTONIC", "1"),
    }
}

/// HAProxy, which sends all requests with one credential to one server.
struct Balancer {
    process: Child,
    address: SocketAddr,
    _directory: TempDir,
}

const CONFIGURATION: &str = "
defaults
    mode http
    timeout client 60s
    timeout server 60s
    timeout connect 2s
    timeout queue 5s
backend servers
    http-request set-var(txn.caller) src
    http-request set-var(txn.caller) req.hdr(X-Operator-Token) if { req.hdr(X-Operator-Token) -m found }
    http-request set-var(txn.caller) req.hdr(X-Worker-Token) if { req.hdr(X-Worker-Token) -m found }
    http-request set-var(txn.caller) req.hdr(X-API-Key) if { req.hdr(X-API-Key) -m found }
    balance hash var(txn.caller)
    hash-type consistent
    option httpchk GET /healthz
    option redispatch 1
    retries 2
    retry-on conn-failure empty-response 503
    http-request disable-l7-retry if !{ method GET HEAD } !{ req.hdr(Idempotency-Key) -m found }
    default-server check inter 500ms fall 2 rise 1
";

impl Balancer {
    fn start(servers: &[SocketAddr]) -> Balancer {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = free.expect("a port");
        let mut configuration = CONFIGURATION.to_owned();
        for (number, server) in servers.iter().enumerate() {
            configuration += &format!("    server node{number} {server}\n");
        }
        configuration += &format!("frontend clients\n    bind {address}\n    default_backend servers\n");
        let directory = directory();
        let file = directory.path().join("haproxy.cfg");
        fs::write(&file, configuration).expect("a file");
        let mut haproxy = Command::new("haproxy");
        haproxy
            .arg("-db")
            .arg("-f")
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Balancer {
            process: haproxy.spawn().expect("haproxy; tests/run --install installs it"),
            address,
            _directory: directory,
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
