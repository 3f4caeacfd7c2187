//! Serves the lockers: `cargo run -p lockers --example serve [ADDRESS [DIR]]`. It prints the crew's badge, which creates
//! couriers and recipients, and the address. Without a data directory everything ends with the process.

use codegen_store::Durability;
use lockers::stored::Store;
use lockers::support::{self, Clock};
use lockers::{Limits, Lockers, badge, routes};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How often idle entries of the limits are evicted.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let address = args.next().unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let store = match args.next() {
        Some(directory) => Store::open(directory.as_ref(), Durability::Synced)?,
        None => Store::in_memory((), None)?,
    };
    let listener = TcpListener::bind(&address).await?;
    let badge = badge::mint();
    println!("Parcel lockers on http://{}", listener.local_addr()?);
    println!("The crew's {}: {badge}", badge::HEADER);

    let limits = Arc::new(Limits::default());
    let app = Arc::new(Lockers::new(store, &badge, Clock::system()));
    tokio::spawn(evict_idle(Arc::clone(&limits)));
    support::serve(listener, routes(app, limits)).await
}

async fn evict_idle(limits: Arc<Limits>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        limits.evict_idle();
    }
}
