//! A minimal listener for services without their own: HTTP/1.1, one task for each connection. Unlike `warp::serve` it
//! passes on the client's address, so that limits by address work. It has no connection limits, no protection against
//! slow clients, and no graceful shutdown.

use super::arrival::{Peer, arrived};
use super::exchange::Response;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::TcpListener;
use tracing::warn;
use warp::{Filter, Rejection};

/// The pause after an accept error, usually because no file handle is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves `filter` for as long as it is awaited. Connections that are open at the end continue until their clients or
/// the runtime end them. A client has 30 seconds for the head of a request.
pub async fn serve<F>(listener: TcpListener, filter: F) -> !
where
    F: Filter<Extract = (Response,), Error = Rejection> + Clone + Send + Sync + 'static,
    F::Future: Send,
{
    let service = TowerToHyperService::new(warp::service(filter));
    loop {
        let (stream, client) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                warn!("cannot accept a connection: {error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let service = service.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            arrived(&mut request, Peer(client.ip()));
            service.call(request)
        });
        // If a client disconnects, there is no error to report.
        tokio::spawn(
            http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::exchange::filter;
    use super::*;
    use bytes::Bytes;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    /// Checks the first line and the body of the answer to this request.
    #[track_caller]
    fn check(head: &str, expected: (&str, &str)) {
        let runtime = tokio::runtime::Runtime::new().expect("the machine has threads");
        let answer = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            let address = listener.local_addr().expect("it is bound");
            let filter = filter(
                |_, _| true,
                None,
                async |exchange| {
                    let body = format!("{:?} {}", exchange.peer, exchange.path());
                    Response::new(Bytes::from(body).into())
                },
            );
            tokio::spawn(serve(listener, filter));
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            stream.write_all(head.as_bytes()).await.expect("it reads");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("it answers");
            answer
        });
        let (first, body) = (answer.lines().next(), answer.rsplit("\r\n\r\n").next());
        assert_eq!((first, body), (Some(expected.0), Some(expected.1)));
    }

    #[test]
    fn a_service_gets_the_address_of_a_request() {
        let ours = "Some(127.0.0.1) /here";
        check(
            "GET /here HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            ("HTTP/1.1 200 OK", ours),
        );
    }

    /// Clients expect no body in the response that accepts a CONNECT.
    #[test]
    fn a_request_without_a_path_is_answered() {
        check(
            "CONNECT a:80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            ("HTTP/1.1 200 OK", ""),
        );
    }
}
