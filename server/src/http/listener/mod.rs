//! Connections: accepting them, bounding their number, time and memory, and letting them finish. Knows HTTP/1.1 and nothing
//! of what is served.
//!
//! One connection holds at most `READ_BYTES` that it has read and as many on their way to the service, one request with
//! what its service makes of it, and one answer: what a client sends behind a request is not worked on before that one's
//! answer has gone out. What the kernel holds for a socket comes on top.

mod activity;
mod connection;
mod connection_table;
mod counters;
mod limits;
mod linger;
mod stream;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use contract::Peer;
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use self::activity::Activity;
use self::connection_table::{ConnectionSlot, ConnectionTable, log_panic};
pub use self::counters::Counters;
pub use self::limits::{ConnectionLimits, PerAddress};
use crate::shutdown::Shutdown;

/// How serving ended.
#[derive(Debug, PartialEq, Eq)]
pub enum ShutdownOutcome {
    /// Every request that was under way has its answer.
    Drained,
    /// So many connections were cut off, because time was up or a second request to shut down came.
    CutOff(usize),
}

/// How many new connections the kernel may hold before they are accepted; it has a bound of its own.
const BACKLOG: i32 = 4096;
/// The pause after a failure to accept, which mostly means that no file handle is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often a connection is looked for that can be evicted, while a new one waits.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Serves connections until the first request to shut down, then lets those finish that are in the middle of a
/// request. All of them have ended, and what they held is dropped, when this returns.
///
/// `service_for` makes the service of one connection, out of its client.
pub async fn run<S, B>(
    listener: TcpListener,
    service_for: impl Fn(Peer) -> S,
    limits: ConnectionLimits,
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
    let mut stopped = pin!(shutdown.clone().requested());
    loop {
        if let Some((stream, address)) = newcomer.take() {
            let client = Peer(address.ip());
            match connections.slot_for(client) {
                ConnectionSlot::Free => {
                    let activity = Arc::new(Activity::new(limits.min_rate));
                    let served = connection::serve(
                        stream,
                        service_for(client),
                        limits,
                        activity.clone(),
                        counters.clone(),
                        shutdown.clone(),
                    );
                    connections.start(client, activity, served);
                }
                ConnectionSlot::Wait => newcomer = Some((stream, address)),
                ConnectionSlot::Rejected => drop(stream),
            }
        }
        tokio::select! {
            biased;
            () = &mut stopped => break,
            Some(()) = connections.one_ended() => {}
            accepted = listener.accept(), if newcomer.is_none() => match accepted {
                Ok(accepted) => {
                    counters.accepted.fetch_add(1, Ordering::Relaxed);
                    newcomer = Some(accepted);
                }
                Err(fault) => pause(fault).await,
            },
            () = tokio::time::sleep(LOOK_EVERY), if newcomer.is_some() => {}
        }
    }
    drop((listener, newcomer));
    drain(
        connections.into_connections(),
        limits.drain_timeout,
        shutdown,
        &counters,
    )
    .await
}

/// Has the kernel hold a burst of new connections, of which it otherwise turns away those beyond 128 for a second or more;
/// and has it forget clients to whom nothing gets through any more, also where our side is closed already and only the kernel
/// still keeps bytes for them. Accepted connections inherit that.
fn prepare(listener: &TcpListener, timeout: Duration) {
    let socket = SockRef::from(listener);
    let prepared = socket.listen(BACKLOG);
    #[cfg(target_os = "linux")]
    let prepared = prepared.and(socket.set_tcp_user_timeout(Some(timeout)));
    if let Err(fault) = prepared {
        debug!("the socket stays as the system made it: {fault}");
    }
}

async fn pause(fault: io::Error) {
    warn!("a connection cannot be accepted: {fault}");
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
    counters.open.store(0, Ordering::Relaxed);
    ShutdownOutcome::CutOff(cut_off)
}

#[cfg(test)]
mod tests;
