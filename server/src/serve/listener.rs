//! Connections: accepting them, bounding their number and their patience, and letting them finish.
//!
//! Knows HTTP/1.1 and nothing of what is served.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinError, JoinSet};
use tracing::{debug, error, warn};

use super::signals::Stop;

/// What connections may cost.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The most connections at a time; further ones wait until one of them ends.
    pub connections: usize,
    /// How long a client may take for the head of a request, and may stay silent between two.
    pub head: Duration,
    /// How long the requests under way may take to finish once serving has to stop: longer than a body may take to come.
    pub drain: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            connections: 1_000,
            head: Duration::from_secs(30),
            drain: Duration::from_secs(35),
        }
    }
}

/// What became of connections so far.
#[derive(Debug, Default)]
pub struct Counters {
    /// Those that were accepted.
    pub accepted: AtomicU64,
    /// Those that are open.
    pub open: AtomicU64,
    /// Those that were closed at once, because there were too many.
    pub refused: AtomicU64,
}

/// How serving ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every request that was under way has its answer.
    Drained,
    /// So many connections were cut off, because time was up or the second stop came.
    CutOff(usize),
}

/// The most bytes of a request's head.
const HEAD_BYTES: usize = 32 * 1024;
/// The pause after a failure to accept, which mostly means that no file handle is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until the first stop, then lets those finish that are in the middle of a
/// request. All of them have ended, and what they held is dropped, when this returns.
///
/// `service_for` makes the service of one connection, out of the address of its client.
pub async fn run<S, B>(
    listener: TcpListener,
    service_for: impl Fn(IpAddr) -> S,
    patience: Patience,
    counters: Arc<Counters>,
    stop: Stop,
) -> Ended
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Send + 'static,
    S::Future: Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut connections = JoinSet::new();
    let mut stopped = pin!(stop.clone().first());
    loop {
        tokio::select! {
            biased;
            () = &mut stopped => break,
            Some(ended) = connections.join_next() => {
                counters.open.fetch_sub(1, Ordering::Relaxed);
                report(ended);
            }
            accepted = listener.accept(), if connections.len() < patience.connections => match accepted {
                Ok((stream, client)) => {
                    counters.accepted.fetch_add(1, Ordering::Relaxed);
                    counters.open.fetch_add(1, Ordering::Relaxed);
                    connections.spawn(connection(stream, service_for(client.ip()), patience.head, stop.clone()));
                }
                Err(fault) => pause(fault).await,
            },
        }
    }
    drop(listener);
    drain(connections, patience.drain, stop).await
}

async fn pause(fault: io::Error) {
    warn!("a connection cannot be accepted: {fault}");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}

async fn connection<S, B>(stream: TcpStream, service: S, head: Duration, stop: Stop)
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    B: Body + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Answers are small and written whole: waiting for more only delays them.
    let _ = stream.set_nodelay(true);
    let mut served = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head)
            .max_header_size(HEAD_BYTES)
            // A client that has sent everything may close its half and still wants the answer.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service)
    );
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = stop.first() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(fault) = ended {
        debug!("a connection broke: {fault}");
    }
}

async fn drain(mut connections: JoinSet<()>, patience: Duration, stop: Stop) -> Ended {
    let finished = async {
        while let Some(ended) = connections.join_next().await {
            report(ended);
        }
    };
    tokio::select! {
        () = finished => return Ended::Drained,
        () = tokio::time::sleep(patience) => {}
        () = stop.second() => {}
    }
    let cut_off = connections.len();
    connections.shutdown().await;
    Ended::CutOff(cut_off)
}

/// A connection never ends in an error of its own, so what is left is a panic in the service.
fn report(ended: Result<(), JoinError>) {
    if let Err(fault) = ended {
        error!("a connection's task failed: {fault}");
    }
}

#[cfg(test)]
mod tests {
    use hyper::service::service_fn;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::Notify;

    use super::*;
    use crate::serve::signals;

    struct Rig {
        address: std::net::SocketAddr,
        stop: signals::Stopper,
        running: tokio::task::JoinHandle<Ended>,
        /// Every request waits for one of these before it is answered.
        go: Arc<Notify>,
        /// One for every request that has reached the service.
        arrived: Arc<Notify>,
    }

    async fn rig(patience: Patience) -> Rig {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let address = listener.local_addr().expect("an address");
        let (stopper, stop) = signals::by_hand();
        let (go, arrived) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let handles = (go.clone(), arrived.clone());
        let service_for = move |_| {
            let (go, arrived) = handles.clone();
            service_fn(move |_| {
                let (go, arrived) = (go.clone(), arrived.clone());
                async move {
                    arrived.notify_one();
                    go.notified().await;
                    Ok(Response::new("done".to_owned()))
                }
            })
        };
        let running = tokio::spawn(run(listener, service_for, patience, Arc::default(), stop));
        Rig {
            address,
            stop: stopper,
            running,
            go,
            arrived,
        }
    }

    impl Rig {
        async fn send(&self, bytes: &str) -> TcpStream {
            let mut stream = TcpStream::connect(self.address).await.expect("connected");
            stream.write_all(bytes.as_bytes()).await.expect("sent");
            stream
        }
    }

    async fn rest(mut stream: TcpStream) -> String {
        let mut text = String::new();
        // A connection that was reset gives what came before.
        let _ = stream.read_to_string(&mut text).await;
        text
    }

    const REQUEST: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

    #[tokio::test]
    async fn a_request_under_way_is_answered_after_the_stop() {
        let rig = rig(Patience::default()).await;
        let stream = rig.send(REQUEST).await;
        rig.arrived.notified().await;
        rig.stop.stop();
        rig.go.notify_one();
        let answer = rest(stream).await;
        assert!(answer.starts_with("HTTP/1.1 2") && answer.ends_with("done"), "{answer}");
        assert_eq!(rig.running.await.expect("no panic"), Ended::Drained);
    }

    #[tokio::test]
    async fn a_request_that_outlasts_the_drain_is_cut_off() {
        let rig = rig(Patience {
            drain: Duration::from_millis(20),
            ..Patience::default()
        })
        .await;
        let stream = rig.send(REQUEST).await;
        rig.arrived.notified().await;
        rig.stop.stop();
        assert_eq!(rig.running.await.expect("no panic"), Ended::CutOff(1));
        assert_eq!(rest(stream).await, "");
    }

    #[tokio::test]
    async fn a_second_stop_does_not_wait() {
        let rig = rig(Patience::default()).await;
        let _stream = rig.send(REQUEST).await;
        rig.arrived.notified().await;
        rig.stop.stop();
        rig.stop.stop();
        assert_eq!(rig.running.await.expect("no panic"), Ended::CutOff(1));
    }

    #[tokio::test]
    async fn silent_and_halting_clients_are_let_go() {
        let rig = rig(Patience {
            head: Duration::from_millis(20),
            ..Patience::default()
        })
        .await;
        for bytes in ["", "G", "GET / HTTP/1.1\r\nhost"] {
            assert!(!rest(rig.send(bytes).await).await.contains("done"), "{bytes:?}");
        }
        // Nor may anybody stay who was answered and then says nothing more.
        rig.go.notify_one();
        assert!(rest(rig.send(REQUEST).await).await.ends_with("done"));
        rig.stop.stop();
        assert_eq!(rig.running.await.expect("no panic"), Ended::Drained);
    }

    #[tokio::test]
    async fn connections_beyond_the_cap_wait_for_their_turn() {
        let rig = rig(Patience {
            connections: 1,
            ..Patience::default()
        })
        .await;
        let first = rig.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
        rig.arrived.notified().await;
        let second = rig.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
        rig.go.notify_one();
        assert!(rest(first).await.ends_with("done"));
        rig.go.notify_one();
        assert!(rest(second).await.ends_with("done"));
    }

    #[tokio::test]
    async fn a_client_may_close_its_half_and_still_be_answered() {
        let rig = rig(Patience::default()).await;
        let mut stream = rig.send(REQUEST).await;
        stream.shutdown().await.expect("half closed");
        rig.go.notify_one();
        assert!(rest(stream).await.ends_with("done"));
    }
}
