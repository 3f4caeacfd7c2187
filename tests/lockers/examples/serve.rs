//! Serves the lockers: `cargo run -p lockers --example serve [ADDRESS]`. It prints the badge with which the crew lets
//! couriers and recipients in, and where to knock.

use lockers::support::{self, Clock};
use lockers::{Limits, Lockers, badge, routes};
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

    let limits = Arc::new(Limits::default());
    let app = Arc::new(Lockers::new(badge, Clock::system()));
    tokio::spawn(evict_idle(Arc::clone(&limits)));
    support::serve(listener, routes(app, limits)).await
}

async fn evict_idle(limits: Arc<Limits>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        limits.evict_idle();
    }
}
