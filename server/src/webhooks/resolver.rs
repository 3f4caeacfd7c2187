//! Names to addresses.

use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

/// Finds the addresses of a name.
pub(crate) trait Resolve: Send + Sync + 'static {
    /// All addresses of the name at this moment.
    fn resolve(&self, name: &str) -> impl Future<Output = io::Result<Vec<IpAddr>>> + Send;
}

/// The resolver of the system. It has threads of its own: a name server that does not answer holds one for half a
/// minute, and the store needs the runtime's.
pub(crate) struct SystemResolver {
    threads: Arc<Semaphore>,
}

impl SystemResolver {
    /// As many threads as there can be attempts, and some more, since a thread outlives an attempt that times out.
    const MAX_THREADS: usize = 128;

    pub(crate) fn new() -> Self {
        Self {
            threads: Arc::new(Semaphore::new(Self::MAX_THREADS)),
        }
    }
}

impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let permit = Arc::clone(&self.threads).acquire_owned().await;
        let (answer, addresses) = oneshot::channel();
        let name = name.to_owned();
        std::thread::Builder::new().name("resolver".to_owned()).spawn(move || {
            let found = (name.as_str(), 0).to_socket_addrs();
            // Fails if the attempt has timed out.
            let _ = answer.send(found.map(|found| found.map(|address| address.ip()).collect()));
            drop(permit);
        })?;
        addresses.await.unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_system_knows_this_machine() {
        let found = SystemResolver::new().resolve("localhost").await.expect("addresses");
        assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback));
    }
}
