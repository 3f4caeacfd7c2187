//! The listener with real sockets, a test service, and short timeouts.

#[macro_use]
mod script;

mod cases;
mod pace;
mod proxies;

use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;

use contract::support::Departure;
use http_body_util::BodyExt;
use hyper::service::service_fn;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::sync::Notify;

use super::*;
use crate::shutdown;

struct Rig {
    address: SocketAddr,
    shutdown: shutdown::ShutdownTrigger,
    running: tokio::task::JoinHandle<ShutdownOutcome>,
    counters: Arc<Counters>,
    /// Each request for `/wait` waits for one notification before it is answered.
    go: Arc<Notify>,
    /// One notification for each waiting request.
    arrived: Arc<Notify>,
}

const NOW: &str = "GET /now HTTP/1.1\r\nhost: x\r\n\r\n";
const WAIT: &str = "GET /wait HTTP/1.1\r\nhost: x\r\n\r\n";
/// A timeout that no test reaches.
const LONG: Duration = Duration::from_secs(600);
/// More than the kernel buffers for a client that does not read.
const LARGE_BYTES: usize = 32 << 20;
const LARGE: &str = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n";
const DEPARTURE: &str = "GET /departure HTTP/1.1\r\nhost: x\r\n\r\n";

async fn rig(limits: ConnectionLimits) -> Rig {
    rig_behind(&[], limits).await
}

/// A listener behind these proxies.
async fn rig_behind(proxies: &[&str], limits: ConnectionLimits) -> Rig {
    let proxies = Proxies::new(proxies.iter().map(|one| one.parse().expect("a network")).collect());
    let proxies = Arc::new(proxies);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let address = listener.local_addr().expect("an address");
    let (trigger, shutdown) = shutdown::manual();
    let (go, arrived) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let handles = (go.clone(), arrived.clone());
    let service_for = move |client: Peer| {
        let (go, arrived) = handles.clone();
        service_fn(move |request: Request<Incoming>| {
            let (go, arrived) = (go.clone(), arrived.clone());
            async move {
                if request.uri().path() == "/wait" {
                    arrived.notify_one();
                    go.notified().await;
                }
                if request.uri().path() == "/departure" {
                    arrived.notify_one();
                    let departure = request.extensions().get::<Departure>().expect("it is known");
                    departure.wait().await;
                    go.notify_one();
                }
                let is_large = request.uri().path() == "/large";
                let _ = request.into_body().collect().await;
                let mut response = Response::new(match is_large {
                    true => "x".repeat(LARGE_BYTES),
                    false => "done".to_owned(),
                });
                let client = client.0.to_string().parse().expect("a value");
                response.headers_mut().insert("client", client);
                Ok(response)
            }
        })
    };
    let counters = Arc::new(Counters::default());
    let running = tokio::spawn(run(listener, service_for, limits, proxies, counters.clone(), shutdown));
    Rig {
        address,
        shutdown: trigger,
        running,
        counters,
        go,
        arrived,
    }
}

impl Rig {
    async fn send(&self, bytes: &str) -> TcpStream {
        self.send_from("127.0.0.1", bytes).await
    }

    /// Sends from another address of this machine.
    async fn send_from(&self, address: &str, bytes: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        let from = SocketAddr::new(address.parse().expect("an address"), 0);
        socket.bind(from).expect("an address of this machine");
        // So that it holds only a little of an answer.
        socket.set_recv_buffer_size(8 << 10).expect("a size");
        let mut stream = socket.connect(self.address).await.expect("connected");
        // The connection may be closed already.
        let _ = stream.write_all(bytes.as_bytes()).await;
        stream
    }

    /// Waits until one more request waits for its answer.
    async fn wait_for_arrival(&self) {
        in_time(self.arrived.notified()).await;
    }

    /// Waits until a client was cut off.
    async fn until_cut_off(&self) {
        in_time(async {
            while self.counters.cut_off.load(Ordering::Relaxed) == 0 {
                tokio::task::yield_now().await;
            }
        })
        .await;
        self.assert_counted(|counters| &counters.cut_off, 1);
    }

    #[track_caller]
    fn assert_counted(&self, counter: fn(&Counters) -> &AtomicU64, expected: u64) {
        assert_eq!(counter(&self.counters).load(Ordering::Relaxed), expected);
    }
}

/// Fails on a timeout.
async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), what)
        .await
        .expect("it happens")
}

/// Reads the answer `done` to one request, on a connection that stays open.
async fn done(stream: &mut TcpStream) {
    let mut text = String::new();
    while !text.ends_with("done") {
        let mut bytes = [0; 1024];
        match in_time(stream.read(&mut bytes)).await {
            Ok(0) | Err(_) => panic!("closed after {text:?}"),
            Ok(read) => text += &String::from_utf8_lossy(&bytes[..read]),
        }
    }
}

/// Everything received until the connection is closed or reset.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = in_time(stream.read_to_end(&mut bytes)).await;
    String::from_utf8_lossy(&bytes).into_owned()
}
