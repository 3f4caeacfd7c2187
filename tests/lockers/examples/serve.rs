//! Serves the lockers: `cargo run -p lockers --example serve [ADDRESS]`. It prints the crew's badge, which creates
//! couriers and recipients, and the address.

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
