//! HTTP: routes, connections, health and metrics. It knows the application and the generated contract; must not know
//! how a run is composed.

mod backup;
mod health;
pub mod listener;
pub(crate) mod metrics;
mod page;
mod pages;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use contract::support::Unserved;
use contract::{Limits, Peer, join, operator, worker};
use futures_util::{FutureExt, TryFutureExt};
use http::HeaderMap;
use http::header::CACHE_CONTROL;
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
pub use self::pages::Pages;
use crate::app::Hitode;
use crate::shutdown::Shutdown;

/// Where the service listens.
pub(crate) struct Listeners {
    /// The address for all.
    pub(crate) main: TcpListener,
    /// The address for the operator, if it is another one.
    pub(crate) operator: Option<TcpListener>,
}

/// What is served at one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The whole service.
    Whole,
    /// What is not for the operator: neither the console nor the operator's API nor backups.
    WithoutOperator,
}

impl Part {
    /// What requests with these headers do not reach. A page of another origin has no business with people's APIs.
    fn unserved(self, headers: &HeaderMap) -> Unserved {
        match self {
            _ if is_of_another_origin(headers) => Unserved(&[operator::PATHS, worker::PATHS, join::PATHS]),
            Part::Whole => Unserved::default(),
            Part::WithoutOperator => Unserved(&[operator::PATHS]),
        }
    }
}

/// Whether a browser says that a page of another origin makes the request (Fetch Metadata, `Sec-Fetch-Site`). Others say
/// nothing. Unlike `Origin`, this does not depend on the host that a proxy passes on.
fn is_of_another_origin(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    sites.any(|site| site != "same-origin" && site != "none")
}

/// How the routes are served.
pub(crate) struct Serving {
    /// How many connections there may be at each address.
    pub(crate) connections: ConnectionLimits,
    /// Whose connections begin with the address of the client.
    pub(crate) proxies: Proxies,
    /// The pages for people.
    pub(crate) pages: Pages,
}

/// Serves all [`routes`], `/metrics` and `/backup` on `listeners` until the shutdown. If the operator has an address of
/// their own, the main one does not serve what is for them.
pub(crate) async fn serve(
    listeners: Listeners,
    app: Arc<Hitode>,
    limits: Arc<Limits>,
    metrics: Metrics,
    serving: Serving,
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
    let monitoring = monitoring.boxed();
    let proxies = Arc::new(serving.proxies);
    let serve = |listener, part| {
        let routes = routes_with(monitoring.clone(), serving.pages, part, app.clone(), limits.clone());
        let service = TowerToHyperService::new(warp::service(routes));
        let (app, limits) = (app.clone(), limits.clone());
        let service_for = move |client| of_client(service.clone(), part, app.clone(), limits.clone(), client);
        let (proxies, counters) = (proxies.clone(), counters.clone());
        listener::run(
            listener,
            service_for,
            serving.connections,
            proxies,
            counters,
            shutdown.clone(),
        )
    };
    match listeners.operator {
        None => serve(listeners.main, Part::Whole).await,
        Some(operator) => {
            let main = serve(listeners.main, Part::WithoutOperator);
            let (main, operator) = tokio::join!(main, serve(operator, Part::Whole));
            main.and(operator)
        }
    }
}

/// All routes of `app`: the contract's surfaces and documents, the pages for people, `/healthz`, and the contract's
/// response to any other path.
pub fn routes(
    app: Arc<Hitode>,
    limits: Arc<Limits>,
) -> impl Filter<Extract = (contract::Response,), Error = Rejection> + Clone {
    routes_with(health::filter(app.clone()), Pages::On, Part::Whole, app, limits)
}

fn routes_with(
    monitoring: BoxedFilter<(contract::Response,)>,
    pages: Pages,
    part: Part,
    app: Arc<Hitode>,
    limits: Arc<Limits>,
) -> impl Filter<Extract = (contract::Response,), Error = Rejection> + Clone {
    let surfaces = contract::service_filter(app, limits.clone());
    let documents = pages.files().chain(contract::DOCUMENTS);
    let documents = documents.filter(|document| document.when.holds(part == Part::Whole));
    let documents = contract::support::documents::filter(documents);
    let fallback = contract::fallback(limits);
    let others = monitoring.or(documents).unify().or(fallback).unify();
    surfaces.or(others).unify()
}

/// Whether a client accepts what this process last heard of the writes of others: unless it says `Cache-Control: no-cache`
/// or `max-age=0` (RFC 9111 §5.2.1).
fn accepts_stale(headers: &HeaderMap) -> bool {
    let values = headers.get_all(CACHE_CONTROL).iter();
    let mut directives = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    let asks = |directive: &str| {
        ["no-cache", "max-age=0"]
            .iter()
            .any(|known| directive.eq_ignore_ascii_case(known))
    };
    !directives.any(|directive| asks(directive.trim()))
}

/// The service for the requests of one client. It marks each with the client's address, with the result of the host check and
/// with what is not served to it, and catches up with other processes first if the client asks for that. Backups are answered
/// here, since warp has no bodies that are streams.
fn of_client<W, B>(
    service: W,
    part: Part,
    app: Arc<Hitode>,
    limits: Arc<Limits>,
    client: Peer,
) -> impl Service<Request<Incoming>, Response = Response<Either<B, backup::Body>>, Error = Infallible, Future: Send>
where
    W: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send> + Clone + Send,
    B: Body<Data = Bytes, Error: std::error::Error + Send + Sync + 'static>,
{
    service_fn(move |mut request: Request<Incoming>| {
        let is_whole = part == Part::Whole;
        let is_backup = request.uri().path() == BACKUP_PATH && request.method() == Method::GET;
        if is_whole && is_backup && !is_of_another_origin(request.headers()) {
            let headers = request.into_parts().0.headers;
            let answered = backup::answer(app.clone(), limits.clone(), client, headers);
            return answered.map_ok(|response| response.map(Either::Right)).left_future();
        }
        let unserved = part.unserved(request.headers());
        request.extensions_mut().insert(unserved);
        contract::support::arrived(&mut request, client);
        if accepts_stale(request.headers()) {
            let answered = service.call(request);
            return answered
                .map_ok(|response| response.map(Either::Left))
                .left_future()
                .right_future();
        }
        let (app, service) = (app.clone(), service.clone());
        let answered = async move {
            app.store().catch_up().await;
            service.call(request).await
        };
        answered
            .map_ok(|response| response.map(Either::Left))
            .right_future()
            .right_future()
    })
}
