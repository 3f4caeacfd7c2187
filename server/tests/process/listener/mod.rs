//! The listener of the real process with slow, numerous, unusual or hostile clients: what each of them gets, and that
//! others are served meanwhile.

mod addresses;
mod crowd;
mod held_connections;
mod hostile;
mod memory;
mod pipelining;
mod rejected;
mod shapes;
mod slow;
mod slowhttptest;
mod uploads;

use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::fd::OwnedFd;

use serde_json::Value;
use socket2::{Domain, Socket, Type};

use test_support::http::{Answer, call, connect, rest};
use test_support::people::{Caller, People, bounty};
use test_support::process::{DEADLINE, Launch, Service};

/// A service without rate limits, and people who use it.
struct Scene {
    service: Service,
    people: People,
}

impl Scene {
    fn set() -> Scene {
        Scene::set_with(|launch| launch)
    }

    fn set_with(options: impl FnOnce(Launch) -> Launch) -> Scene {
        let service = options(Launch::anywhere().arg("--rate-limits").arg("off")).start();
        let people = People::enter(&service, Caller::operator_of(&service));
        Scene { service, people }
    }

    /// Checks that a client which reads and writes on its own connections is served as usual.
    #[track_caller]
    fn assert_others_are_served(&self) {
        assert_eq!(call(self.service.address, "GET", "/healthz", &[], None).status, 200);
        assert_eq!(self.people.agent.get("/humans").status, 200);
        let reply = self.people.agent.post("/bounties", bounty("Meanwhile"));
        assert_eq!(reply.status, 201);
    }

    /// Checks that the service still works.
    #[track_caller]
    fn assert_unharmed(self) {
        self.assert_others_are_served();
        let ended = self.service.stop();
        assert_eq!(ended.code, Some(0));
        assert!(
            !ended.log.contains("panicked") && !ended.log.contains("ERROR"),
            "{}",
            ended.log
        );
    }

    /// A request of the agent on a connection that stays open.
    fn agents(&self, method: &str, path: &str, rest_of_head: &str) -> String {
        format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\n{rest_of_head}\r\n",
            self.people.agent.secret
        )
    }
}

/// Sends `bytes`, closes the sending half, and returns what comes back.
fn throw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(address);
    // The server may already have closed the connection.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    rest(stream)
}

/// The statuses of all answers, with or without a body.
fn statuses(bytes: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(bytes);
    text.split("HTTP/1.")
        .skip(1)
        .map(|answer| answer[2..5].parse().expect("a status"))
        .collect()
}

/// Raises this process's limit of open files for the tests' connections.
#[track_caller]
fn allow_files() {
    let files = rlimit::increase_nofile_limit(8_192).expect("a limit");
    assert!(
        files >= 3_000,
        "only {files} files may be open here: raise the limit (`ulimit -Hn 8192`)"
    );
}

/// A connection from another local address, whose receive buffer holds only `takes` bytes.
fn connect_from(from: &str, to: SocketAddr, takes: usize) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let from = SocketAddr::new(from.parse().expect("an address"), 0);
    socket.bind(&from.into()).expect("an address of this machine");
    socket.set_recv_buffer_size(takes).expect("a size");
    socket.connect(&to.into()).expect("connected");
    let stream = TcpStream::from(OwnedFd::from(socket));
    stream.set_read_timeout(Some(DEADLINE)).expect("a timeout");
    stream.set_write_timeout(Some(DEADLINE)).expect("a timeout");
    stream
}

/// The head and the chunked body of a POST of the agent.
fn chunked(scene: &Scene, body: &str) -> Vec<u8> {
    let head = scene.agents(
        "POST",
        "/bounties",
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n",
    );
    (head + body).into_bytes()
}

/// A bounty as text.
fn text(bounty: &Value) -> String {
    bounty.to_string()
}

/// Whether attacks on memory run at the length that found the original defects.
pub(crate) fn is_long() -> bool {
    std::env::var_os("HITODE_MEMORY").is_some_and(|value| value == "long")
}
