//! Serves the contract `api.yaml`. The folder `data` has its records.

/// What the build makes of `api.yaml`.
#[allow(dead_code, unused_imports, reason = "a program need not use all of its contract")]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
    include!(concat!(env!("OUT_DIR"), "/documents.rs"));
}

use codegen_support::documents;
use codegen_support::warp::Filter;
use contract::stored::Plain;
use contract::{DOCUMENTS, Limits, fallback, service_filter};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

#[tokio::main]
async fn main() {
    // Why a request failed with 500 is logged, not answered.
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.with_max_level(tracing_subscriber::filter::LevelFilter::WARN).init();
    if let Err(error) = serve().await {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    // Reads and verifies all records; creates the folder if there is none.
    let service = Arc::new(Plain::open(Path::new("data"))?);
    let limits = Arc::new(Limits::default());
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8080".into());
    let listener = tokio::net::TcpListener::bind(&address).await;
    let listener = listener.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    println!("http://{}", listener.local_addr()?);
    // Requests go first to the endpoints, then to the documents, then to the 404 response.
    let others = documents::filter(DOCUMENTS).or(fallback(limits.clone())).unify();
    let served = service_filter(service, limits).or(others).unify();
    codegen_support::serve(listener, served).await
}
