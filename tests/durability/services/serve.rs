//! What the services have in common: their options, listening, and their end.

use std::error::Error;
use std::future::Future;
use std::path::PathBuf;

use codegen_support::Response;
use codegen_support::warp::filters::BoxedFilter;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// The value of an option.
pub(crate) fn option(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1)
}

/// The data directory.
pub(crate) fn data() -> Result<PathBuf, Box<dyn Error>> {
    Ok(option("--data").ok_or("use --data DIR")?.into())
}

/// Serves until SIGTERM, and then waits for `close`.
pub(crate) async fn serve<C: Future<Output = Result<(), codegen_store::StoreError>>>(
    service: BoxedFilter<(Response,)>,
    close: impl FnOnce() -> C,
) -> Result<(), Box<dyn Error>> {
    let address = option("--listen").unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address).await?;
    let mut ends = signal(SignalKind::terminate())?;
    println!("the service listens on http://{}", listener.local_addr()?);
    tokio::select! {
        never = codegen_support::serve(listener, service) => never,
        _ = ends.recv() => {}
    }
    Ok(close().await?)
}
