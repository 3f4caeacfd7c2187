//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use contract::support::Departure;
use futures_util::FutureExt;
use futures_util::future::{Either, pending};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tracing::debug;

use super::activity::Activity;
use super::counters::Counters;
use super::limits::{ConnectionLimits, HEAD_BYTES, READ_BYTES};
use super::stream::{Pace, Stream};
use crate::shutdown::Shutdown;

/// An accepted connection.
pub(super) struct Connection {
    pub(super) socket: TcpStream,
    pub(super) limits: ConnectionLimits,
    pub(super) activity: Arc<Activity>,
    pub(super) counters: Arc<Counters>,
    pub(super) shutdown: Shutdown,
}

impl Connection {
    /// Serves its requests until either side closes it or, on shutdown, until the current request is answered.
    pub(super) async fn serve<S, B>(self, service: S)
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
        B: Body + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let Connection {
            socket,
            limits,
            activity,
            counters,
            shutdown,
        } = self;
        // Answers are written as a whole, so waiting for more bytes only delays them.
        let _ = socket.set_nodelay(true);
        let pace = Pace {
            timeout: limits.write_timeout,
            min_rate: limits.min_rate,
        };
        let stream = Stream::new(socket, pace, activity.clone());
        let reader = stream.reader();
        let departure = Departure::new(move || reader.clone().ended());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(departure.clone());
            // The connection was evicted; its task ends.
            let Some(under_way) = activity.request() else {
                return Either::Right(pending());
            };
            Either::Left(service.call(request).inspect(move |_| drop(under_way)))
        });
        let mut served = pin!(
            http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head_timeout)
                .max_header_size(HEAD_BYTES)
                .max_buf_size(READ_BYTES)
                // A client that has sent everything may close its half of the connection and still read the answer.
                .half_close(true)
                .serve_connection(TokioIo::new(stream), service)
        );
        let ended = tokio::select! {
            ended = served.as_mut() => ended,
            () = shutdown.requested() => {
                served.as_mut().graceful_shutdown();
                served.await
            }
        };
        if let Err(error) = ended {
            if is_slow_reader(&error) {
                counters.cut_off.fetch_add(1, Ordering::Relaxed);
            }
            debug!("a connection failed: {error}");
        }
    }
}

fn is_slow_reader(error: &hyper::Error) -> bool {
    error
        .source()
        .and_then(|cause| cause.downcast_ref::<io::Error>())
        .is_some_and(|cause| cause.kind() == ErrorKind::TimedOut)
}
