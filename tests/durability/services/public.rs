//! Operations of public APIs, on disk and without a handler: `public --data DIR --listen ADDRESS --desk SECRET`.

#[allow(dead_code, unused_imports, reason = "a program need not use all of its contract")]
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/public.rs"));
}
mod serve;

use std::error::Error;
use std::sync::Arc;

use codegen_support::Digest;
use contract::stored::Plain;
use contract::{Limits, service};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut public = Plain::open(&serve::data()?)?;
    public.desk = serve::option("--desk").as_deref().map(Digest::from_secret);
    let public = Arc::new(public);
    let filter = service(Arc::clone(&public), Arc::new(Limits::default()));
    serve::serve(filter, || public.store.close()).await
}
