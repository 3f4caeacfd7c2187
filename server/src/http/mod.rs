//! HTTP: routes, connections, health and metrics. It knows the application and the generated contract; must not know
//! how a run is composed.

mod backup;
mod health;
pub mod listener;
pub(crate) mod metrics;
mod page;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use contract::{Limits, Peer};
use futures_util::{FutureExt, TryFutureExt};
use http_body_util::Either;
use hyper::body::{Body, Incoming};
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, Response};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use warp::filters::BoxedFilter;
use warp::{Filter, Rejection};

pub(crate) use self::backup::PATH as BACKUP_PATH;
use self::listener::{ConnectionLimits, Counters, Proxies, ShutdownOutcome};
use self::metrics::{Metrics, Sources};
use crate::app::Hitode;
use crate::shutdown::Shutdown;
use crate::store::Engine;
use crate::store::backup::BackUp;

/// Serves all [`routes`], `/metrics` and `/backup` on `listener` until the shutdown.
pub(crate) async fn serve<S: Engine + BackUp>(
    listener: TcpListener,
    app: Arc<Hitode<S>>,
    limits: Arc<Limits>,
    metrics: Metrics,
    connection_limits: ConnectionLimits,
    proxies: Proxies,
    shutdown: Shutdown,
) -> ShutdownOutcome {
    let counters = Arc::new(Counters::default());
    let sources = Sources {
        app: app.clone(),
        limits: limits.clone(),
        connections: counters.clone(),
    };
    let monitoring = health::filter(app.clone())
        .or(metrics::filter(metrics, sources))
        .unify();
    let routes = routes_with(monitoring.boxed(), app.clone(), limits);
    let service = TowerToHyperService::new(warp::service(routes));
    let service_for = |client| of_client(service.clone(), app.clone(), client);
    listener::run(listener, service_for, connection_limits, proxies, counters, shutdown).await
}

/// All routes of `app`: the contract's surfaces and documents, `/healthz`, and the contract's response to any other
/// path.
pub fn routes<S: Engine>(
    app: Arc<Hitode<S>>,
    limits: Arc<Limits>,
) -> impl Filter<Extract = (contract::Response,), Error = Rejection> + Clone {
    routes_with(health::filter(app.clone()), app, limits)
}

fn routes_with<S: Engine>(
    monitoring: BoxedFilter<(contract::Response,)>,
    app: Arc<Hitode<S>>,
    limits: Arc<Limits>,
) -> impl Filter<Extract = (contract::Response,), Error = Rejection> + Clone {
    let surfaces = contract::service_filter(app, limits.clone());
    let documents = contract::support::documents::filter(contract::DOCUMENTS);
    let fallback = contract::fallback(limits);
    let others = monitoring.or(documents).unify().or(fallback).unify();
    surfaces.or(others).unify()
}

/// The service for the requests of one client. It marks each with the client's address and with the result of the host
/// check. Backups are answered here, since warp has no bodies that are streams.
fn of_client<S, W, B>(
    service: W,
    app: Arc<Hitode<S>>,
    client: Peer,
) -> impl Service<Request<Incoming>, Response = Response<Either<B, backup::Body>>, Error = Infallible, Future: Send>
where
    S: Engine + BackUp,
    W: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send>,
    B: Body<Data = Bytes, Error: std::error::Error + Send + Sync + 'static>,
{
    service_fn(move |mut request: Request<Incoming>| {
        if request.uri().path() == BACKUP_PATH && request.method() == Method::GET {
            let answered = backup::answer(app.clone(), request.into_parts().0.headers);
            return answered.map_ok(|response| response.map(Either::Right)).left_future();
        }
        contract::support::arrived(&mut request, client);
        let answered = service.call(request);
        answered.map_ok(|response| response.map(Either::Left)).right_future()
    })
}
