//! A board of notes on disk. The contract says it whole, so it has no handler: `notes --data DIR --listen ADDRESS`.

#[allow(dead_code, unused_imports, reason = "a program need not use all of its contract")]
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/notes.rs"));
}
mod serve;

use std::error::Error;
use std::sync::Arc;

use contract::stored::Plain;
use contract::{Limits, service};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let board = Arc::new(Plain::open(&serve::data()?)?);
    let filter = service(Arc::clone(&board), Arc::new(Limits::default()));
    serve::serve(filter, || board.store.close()).await
}
