//! What the services have in common: their options, listening, and their end.

/// The program of a contract that has no handler: the name of the generated file, and the credential that an option gives.
macro_rules! service {
    ($file:literal $(, $credential:ident)?) => {
        #[allow(dead_code, unused_imports, reason = "a program need not use all of its contract")]
        #[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
        mod contract {
            include!(concat!(env!("OUT_DIR"), $file));
        }

        #[tokio::main]
        async fn main() -> Result<(), Box<dyn std::error::Error>> {
            #[allow(unused_mut, reason = "a service may have no credential")]
            let mut plain = contract::stored::Plain::open(&serve::data()?)?;
            $(
                let secret = serve::option(concat!("--", stringify!($credential)));
                plain.$credential = secret.as_deref().map(codegen_support::Digest::from_secret);
            )?
            let plain = std::sync::Arc::new(plain);
            let settings = contract::LimitSettings {
                rate_limits: serve::option("--rate-limits").is_none_or(|limits| limits != "off"),
                ..contract::LimitSettings::default()
            };
            let limits = std::sync::Arc::new(contract::Limits::new(&settings));
            let filter = contract::service(std::sync::Arc::clone(&plain), limits);
            serve::serve(filter, || plain.store.close()).await
        }
    };
}

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
