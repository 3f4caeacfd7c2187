//! Serves the lockers: `cargo run -p lockers --example serve [ADDRESS]`. It prints the badge with which the crew lets
//! couriers and recipients in, and where to knock.
//!
//! A listener for a model: one task a connection, ended with the process. What a server at large needs besides (room,
//! patience, a good end) is a listener's matter, and no contract's.

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use lockers::support::{Clock, Peer};
use lockers::{Gate, GateSettings, Lockers, badge, service};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How often callers of former windows are forgotten.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let listener = TcpListener::bind(&address).await?;
    let badge = badge::mint();
    println!("Parcel lockers on http://{}", listener.local_addr()?);
    println!("The crew's {}: {badge}", badge::HEADER);

    let gate = Arc::new(Gate::new(&GateSettings::default()));
    let app = Arc::new(Lockers::new(badge, Clock::system()));
    tokio::spawn(sweep(Arc::clone(&gate)));
    let service = TowerToHyperService::new(warp::service(service(app, gate)));
    loop {
        let (stream, peer) = listener.accept().await?;
        let service = service.clone();
        // The limits by address ask for it.
        let with_peer = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            service.call(request)
        });
        tokio::spawn(async move {
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), with_peer);
            let _ = served.await;
        });
    }
}

async fn sweep(gate: Arc<Gate>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        gate.sweep();
    }
}
