//! Connections of proxies: each has a slot before its client is known, and gets the client's service after that.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use contract::Peer;
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::task::Id;

use super::connection::Connection;
use super::proxies::{self, Proxies};

/// Serves connections of proxies.
pub(super) struct Proxied<S> {
    proxies: Arc<Proxies>,
    identified: mpsc::Sender<Identified<S>>,
}

/// A connection whose client is known from now on.
pub(super) struct Identified<S> {
    pub(super) connection: Id,
    pub(super) client: Peer,
    /// Takes the client's service. It is dropped if the client may not have the connection.
    pub(super) service: oneshot::Sender<S>,
}

impl<S> Proxied<S> {
    /// For connections of `proxies`, whose clients are sent to the receiver.
    pub(super) fn new(proxies: Arc<Proxies>) -> (Proxied<S>, mpsc::Receiver<Identified<S>>) {
        let (identified, receiver) = mpsc::channel(1);
        (Proxied { proxies, identified }, receiver)
    }

    /// The same for one connection.
    pub(super) fn for_one(&self) -> Proxied<S> {
        Proxied {
            proxies: self.proxies.clone(),
            identified: self.identified.clone(),
        }
    }

    /// Serves a connection that `proxy` opened, in the current task.
    pub(super) async fn serve<B>(self, mut connection: Connection, proxy: Peer)
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
        B: Body + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if let Some(service) = self.service(&mut connection, proxy).await {
            connection.serve(service).await;
        }
    }

    /// The service of the client that the header states. `None` if there is no valid header, if the client has too many
    /// connections, and on shutdown.
    async fn service(self, connection: &mut Connection, proxy: Peer) -> Option<S> {
        let (timeout, stopped) = (connection.limits.proxy_timeout, connection.shutdown.clone());
        let client = tokio::select! {
            client = proxies::client(&mut connection.socket, proxy, &connection.activity, timeout) => client,
            () = stopped.requested() => return None,
        };
        let client = client.inspect_err(|error| {
            connection.counters.unidentified.fetch_add(1, Ordering::Relaxed);
            self.proxies.log(proxy, error);
        });
        let (sender, service) = oneshot::channel();
        let identified = Identified {
            connection: tokio::task::id(),
            client: client.ok()?,
            service: sender,
        };
        self.identified.send(identified).await.ok()?;
        service.await.ok()
    }
}
