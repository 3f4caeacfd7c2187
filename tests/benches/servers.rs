//! The servers that are measured, each in a process of its own: the benchmark starts itself again with a role.

use bytes::Bytes;
use conformance::lighthouse::{self, Gate, GateSettings, handlers::Lighthouse};
use contract::operator::{CreateAccount, create_account};
use contract::{Clock, Plan};
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::sled::{Durability, SledStore};
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The environment variable that makes this program one of the servers.
pub(crate) const ROLE: &str = "SPEED_ROLE";
const FOLDER: &str = "SPEED_FOLDER";

/// A server in a process of its own; it ends with this value.
pub(crate) struct Child {
    process: std::process::Child,
    pub(crate) address: SocketAddr,
    /// What it printed behind its address.
    pub(crate) greeting: String,
}

impl Child {
    pub(crate) fn start(role: &str, folder: Option<&Path>) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.env(ROLE, role).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(folder) = folder {
            command.env(FOLDER, folder);
        }
        let mut process = command.spawn().expect("this program starts again");
        let mut line = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("the server greets");
        let (address, greeting) = line
            .trim_end_matches('\n')
            .split_once(' ')
            .expect("address and greeting");
        Self {
            process,
            address: address.parse().expect("an address"),
            greeting: greeting.to_owned(),
        }
    }

    /// User and system time so far (`proc(5)`, clock ticks of 10 ms).
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).expect("the process lives");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |field: usize| fields[field].parse::<u64>().expect("clock ticks");
        Duration::from_millis((ticks(11) + ticks(12)) * 10)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves in a role until the process is killed.
pub(crate) fn serve(role: &str) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        match role {
            "bare" => {
                listen(
                    "",
                    hyper::service::service_fn(|_| async { Ok::<_, Infallible>(bare()) }),
                )
                .await
            }
            "generated" => {
                let gate = Arc::new(Gate::new(&GateSettings {
                    rate_limits: false,
                    ..GateSettings::default()
                }));
                let filter = lighthouse::service_filter(Arc::new(Lighthouse::default()), gate);
                listen("", TowerToHyperService::new(warp::service(filter))).await;
            }
            _ => hitode().await,
        }
    });
}

fn bare() -> hyper::Response<Full<Bytes>> {
    let mut response = hyper::Response::new(Full::new(Bytes::from_static(br#"{"ok":true}"#)));
    response.headers_mut().insert(
        "content-type",
        hyper::header::HeaderValue::from_static("application/json"),
    );
    response
}

async fn hitode() {
    let folder = std::env::var_os(FOLDER)
        .map(PathBuf::from)
        .expect("a folder")
        .join("hitode");
    let store = SledStore::open(&folder, Durability::Synced).expect("an empty folder opens");
    let app = Arc::new(Hitode::new(store, OperatorToken::of("operator"), Clock::system()));
    let body = create_account::Body {
        name: "Speed".to_owned(),
        plan: Plan::Verified,
    };
    let account = app
        .create_account(create_account::Request { body })
        .await
        .expect("an account");
    let gate = Arc::new(contract::Gate::new(&contract::GateSettings {
        rate_limits: false,
        ..contract::GateSettings::default()
    }));
    listen(
        &account.key,
        TowerToHyperService::new(warp::service(contract::service_filter(app, gate))),
    )
    .await;
}

async fn listen<S, B>(greeting: &str, service: S)
where
    S: hyper::service::Service<
            hyper::Request<hyper::body::Incoming>,
            Response = hyper::Response<B>,
            Error = Infallible,
        > + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: hyper::body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{} {greeting}", listener.local_addr().expect("an address"));
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
