//! The roles: the measured servers, and those that they are compared with.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clap::{Parser, ValueEnum};
use contract::{Clock, Peer};
use hitode::app::Hitode;
use hitode::cli::{Cli, Command};
use hitode::http::{listener, routes};
use hitode::logging::LogFormat;
use hitode::operator_token::OperatorToken;
use hitode::store::{Durability, Store};
use hitode::{serve, shutdown};
use http_body_util::Full;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use lockers::Lockers;
use tokio::net::TcpListener;
use warp::filters::BoxedFilter;

use crate::emitted;

/// The limiters' clock advances by this with each request: 15 requests fall into a minute, fewer than any limit, so
/// that each is counted and none rejected.
const STEP: Duration = Duration::from_secs(4);

/// Serves in a role until the process is killed. The first line on standard output has the address.
///
/// - `bare <bytes>`: hyper, with a body of this size.
/// - `empty`: an empty generated operation over the same loop as `bare`.
/// - `emitted`, `handwritten`: three operations over the same loop, with handlers of one kind.
/// - `synced`, `unsynced`: the service with its limits; only the store's sync differs.
/// - `program`, `logged text`, `logged json`, `logged short`: the same as `hitode serve`, without limits; the last three also write
///   their log in this form.
pub(crate) fn serve(role: &str, folder: &Path) {
    let (role, detail) = role.split_once(' ').unwrap_or((role, ""));
    // As `hitode serve` has it.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(32)
        .build();
    runtime.expect("a runtime").block_on(async {
        match role {
            "bare" => bare(detail.parse().expect("a number")).await,
            "empty" => empty().await,
            "emitted" => filtered(emitted::emitted().await).await,
            "handwritten" => filtered(emitted::handwritten().await).await,
            "synced" => service(folder, Durability::Synced).await,
            "unsynced" => service(folder, Durability::Unsynced).await,
            "program" => program(folder).await,
            "logged" => {
                let format = LogFormat::from_str(detail, false).expect("a form of the log");
                hitode::logging::start(None, Some(format)).expect("a log");
                program(folder).await;
            }
            _ => panic!("no such role: {role}"),
        }
    });
}

async fn bare(bytes: usize) {
    let body = Bytes::from(vec![b'x'; bytes]);
    let answer = move |_| {
        let mut response = Response::new(Full::new(body.clone()));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        async { Ok::<_, Infallible>(response) }
    };
    accept(service_fn(answer)).await;
}

async fn empty() {
    let limits = Arc::new(lockers::Limits::new(&lockers::LimitSettings {
        rate_limits: false,
        ..lockers::LimitSettings::default()
    }));
    let app = Arc::new(Lockers::in_memory("badge", Clock::system()));
    filtered(lockers::service_filter(app, limits)).await;
}

async fn filtered(filter: BoxedFilter<(lockers::support::Response,)>) {
    let service = TowerToHyperService::new(warp::service(filter));
    let service = service_fn(move |mut request: Request<Incoming>| {
        lockers::support::arrived(&mut request, Peer(Ipv4Addr::LOCALHOST.into()));
        service.call(request)
    });
    accept(service).await;
}

async fn service(folder: &Path, durability: Durability) {
    let store = Store::open(folder, durability).expect("the folder opens");
    let app = Arc::new(Hitode::new(
        store,
        OperatorToken::from_text("operator"),
        Clock::system(),
    ));
    let clock = Clock::manual(0);
    let limits = Arc::new(contract::Limits::new(&contract::LimitSettings {
        rate_limits: true,
        clock: clock.clone(),
        ..contract::LimitSettings::default()
    }));
    let service = TowerToHyperService::new(warp::service(routes(app, limits)));
    let (listener, address) = listen().await;
    println!("{address}");
    let service_for = |client: Peer| {
        let (service, clock) = (service.clone(), clock.clone());
        service_fn(move |mut request: Request<Incoming>| {
            clock.advance(STEP);
            contract::support::arrived(&mut request, client);
            service.call(request)
        })
    };
    let (_trigger, shutdown) = shutdown::manual();
    listener::run(
        listener,
        service_for,
        listener::ConnectionLimits::default(),
        Arc::default(),
        Arc::default(),
        shutdown,
    )
    .await;
}

async fn program(folder: &Path) {
    let flags = "hitode serve --listen 127.0.0.1:0 --rate-limits off --connections 2000 --data";
    let arguments = flags.split(' ').map(OsStr::new);
    let Command::Serve(options) = Cli::parse_from(arguments.chain([folder.as_os_str()])).command else {
        panic!("these arguments serve");
    };
    serve::serve(options, Some("operator".into())).await.expect("it serves");
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

/// The minimal server: every connection is a task, without counts and limits.
async fn accept<S, B>(service: S)
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Future + Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (listener, address) = listen().await;
    println!("{address}");
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            let _ = connection.await;
        });
    }
}
