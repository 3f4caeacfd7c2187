//! The listener: accepts connections, limits their number, time and memory, and lets them finish on shutdown. Knows
//! HTTP/1.1; must not know what is served.
//!
//! One connection holds at most twice `READ_BYTES` of input, one request with the memory of its execution, one
//! answer, and the kernel's socket buffers: a pipelined request is not processed before the previous answer is sent.

mod activity;
mod connection;
mod connection_table;
mod counters;
mod limits;
mod linger;
mod proxied;
mod proxies;
mod reader;
mod stream;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use contract::Peer;
use futures_util::FutureExt;
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use self::activity::Activity;
use self::connection::Connection;
use self::connection_table::{ConnectionSlot, ConnectionTable, log_panic};
pub use self::counters::Counters;
pub use self::limits::{ConnectionLimits, PerAddress};
use self::proxied::Proxied;
pub use self::proxies::Proxies;
use crate::shutdown::Shutdown;

/// How serving ended.
#[derive(Debug, PartialEq, Eq)]
pub enum ShutdownOutcome {
    /// Every current request was answered.
    Drained,
    /// This many connections were cut off, because of a timeout or a second shutdown request.
    CutOff(usize),
}

impl ShutdownOutcome {
    /// How serving at two addresses ended.
    pub fn and(self, other: ShutdownOutcome) -> ShutdownOutcome {
        match (self, other) {
            (ShutdownOutcome::CutOff(one), ShutdownOutcome::CutOff(other)) => ShutdownOutcome::CutOff(one + other),
            (ShutdownOutcome::Drained, other) => other,
            (one, ShutdownOutcome::Drained) => one,
        }
    }
}

/// How many new connections the kernel may hold before they are accepted. The kernel has a limit of its own.
const BACKLOG: i32 = 4096;
/// The pause after an accept error, usually because no file handle is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often the table is searched for a connection to evict while a new one waits.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Serves connections until the first shutdown request, then lets current requests finish. All connections have ended,
/// and their memory is released, when this returns.
///
/// `service_for` makes the service of one connection for its client. The client of a connection from `proxies` is the
/// one that the header at its beginning states.
pub async fn run<S, B>(
    listener: TcpListener,
    service_for: impl Fn(Peer) -> S,
    limits: ConnectionLimits,
    proxies: Arc<Proxies>,
    counters: Arc<Counters>,
    shutdown: Shutdown,
) -> ShutdownOutcome
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Send + 'static,
    S::Future: Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    prepare(&listener, limits.write_timeout);
    let mut connections = ConnectionTable::new(limits, counters.clone());
    let mut newcomer: Option<(TcpStream, SocketAddr)> = None;
    let (proxied, mut identified) = Proxied::new(proxies.clone());
    let mut stopped = pin!(shutdown.clone().requested());
    loop {
        if let Some((socket, address)) = newcomer.take() {
            let peer = Peer(address.ip());
            let client = (!proxies.contains(peer.0)).then_some(peer);
            match connections.slot_for(client) {
                ConnectionSlot::Free => {
                    let activity = Arc::new(Activity::new(limits.min_rate));
                    let connection = Connection {
                        socket,
                        limits,
                        activity: activity.clone(),
                        counters: counters.clone(),
                        shutdown: shutdown.clone(),
                    };
                    let served = match client {
                        Some(client) => connection.serve(service_for(client)).left_future(),
                        None => proxied.for_one().serve(connection, peer).right_future(),
                    };
                    connections.start(client, activity, served);
                }
                ConnectionSlot::Wait => newcomer = Some((socket, address)),
                ConnectionSlot::Rejected => drop(socket),
            }
        }
        tokio::select! {
            biased;
            () = &mut stopped => break,
            Some(()) = connections.one_ended() => {}
            Some(one) = identified.recv() => if connections.identify(one.connection, one.client) {
                drop(one.service.send(service_for(one.client)));
            },
            accepted = listener.accept(), if newcomer.is_none() => match accepted {
                Ok(accepted) => {
                    counters.accepted.fetch_add(1, Ordering::Relaxed);
                    newcomer = Some(accepted);
                }
                Err(error) => pause(error).await,
            },
            () = tokio::time::sleep(LOOK_EVERY), if newcomer.is_some() => {}
        }
    }
    drop((listener, newcomer, identified));
    let connections = connections.into_connections();
    drain(connections, limits.drain_timeout, shutdown, &counters).await
}

/// Lets the kernel hold a burst of new connections; by default it delays those beyond 128 for a second or more. Also
/// lets it drop unreachable clients, even if our side is closed and only the kernel still holds bytes for them.
/// Accepted connections inherit these settings.
fn prepare(listener: &TcpListener, timeout: Duration) {
    let socket = SockRef::from(listener);
    let prepared = socket.listen(BACKLOG);
    #[cfg(target_os = "linux")]
    let prepared = prepared.and(socket.set_tcp_user_timeout(Some(timeout)));
    if let Err(error) = prepared {
        debug!("cannot set the options of a socket: {error}");
    }
}

async fn pause(error: io::Error) {
    warn!("cannot accept a connection: {error}");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}

async fn drain(
    mut connections: JoinSet<()>,
    timeout: Duration,
    shutdown: Shutdown,
    counters: &Counters,
) -> ShutdownOutcome {
    let finished = async {
        while let Some(ended) = connections.join_next().await {
            counters.open.fetch_sub(1, Ordering::Relaxed);
            log_panic(ended);
        }
    };
    tokio::select! {
        () = finished => return ShutdownOutcome::Drained,
        () = tokio::time::sleep(timeout) => {}
        () = shutdown.forced() => {}
    }
    let cut_off = connections.len();
    connections.shutdown().await;
    counters.open.fetch_sub(cut_off as u64, Ordering::Relaxed);
    ShutdownOutcome::CutOff(cut_off)
}

#[cfg(test)]
mod tests;
