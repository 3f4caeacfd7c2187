//! Small jobs that members offer and take, on disk and without a handler: `work --data DIR --listen ADDRESS --desk SECRET`.

#[allow(dead_code, unused_imports, reason = "a program need not use all of its contract")]
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/work.rs"));
}
mod serve;

use std::error::Error;
use std::sync::Arc;

use codegen_support::Digest;
use contract::stored::Plain;
use contract::{Limits, service};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut work = Plain::open(&serve::data()?)?;
    work.desk = serve::option("--desk").as_deref().map(Digest::from_secret);
    let work = Arc::new(work);
    let filter = service(Arc::clone(&work), Arc::new(Limits::default()));
    serve::serve(filter, || work.store.close()).await
}
