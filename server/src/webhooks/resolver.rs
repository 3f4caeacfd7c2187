//! Names to addresses.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;

use contract::AccountId;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Finds the addresses of a name.
pub(crate) trait Resolve: Send + Sync + 'static {
    /// All addresses of the name at this moment, for a webhook of this account.
    fn resolve(&self, name: &str, account: AccountId) -> impl Future<Output = io::Result<Vec<IpAddr>>> + Send;
}

/// The resolver of the system. It has threads of its own: a name server that does not answer holds one for half a
/// minute, and the store needs the runtime's.
pub(crate) struct SystemResolver {
    threads: Arc<Semaphore>,
    by_account: ThreadsByAccount,
}

/// How many threads each account has. Accounts without one take no memory.
type ThreadsByAccount = Arc<Mutex<HashMap<AccountId, usize>>>;

/// A thread, until this is dropped.
struct Thread {
    account: AccountId,
    by_account: ThreadsByAccount,
    _permit: OwnedSemaphorePermit,
}

impl SystemResolver {
    /// As many threads as there can be attempts, and as many more, since a thread outlives an attempt that times out.
    const MAX_THREADS: usize = 512;
    /// How many of them one account may have, so that name servers that do not answer cost others nothing: as many as
    /// it has webhooks, and some more.
    const MAX_THREADS_EACH: usize = 8;
    /// In bytes. The default of 2 MiB would be reserved for each thread.
    const STACK_SIZE: usize = 512 * 1024;

    pub(crate) fn new() -> Self {
        Self {
            threads: Arc::new(Semaphore::new(Self::MAX_THREADS)),
            by_account: Arc::default(),
        }
    }

    /// A thread for this account. Fails if it has too many.
    async fn thread(&self, account: AccountId) -> io::Result<Thread> {
        let permit = Arc::clone(&self.threads).acquire_owned().await;
        let permit = permit.map_err(io::Error::other)?;
        let mut by_account = lock(&self.by_account);
        let threads = by_account.entry(account).or_default();
        if *threads >= Self::MAX_THREADS_EACH {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        *threads += 1;
        Ok(Thread {
            account,
            by_account: Arc::clone(&self.by_account),
            _permit: permit,
        })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        let mut by_account = lock(&self.by_account);
        if let Some(threads) = by_account.get_mut(&self.account) {
            *threads -= 1;
            if *threads == 0 {
                by_account.remove(&self.account);
            }
        }
    }
}

/// No code panics while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str, account: AccountId) -> io::Result<Vec<IpAddr>> {
        let thread = self.thread(account).await?;
        let (answer, addresses) = oneshot::channel();
        let name = name.to_owned();
        let builder = std::thread::Builder::new().name("resolver".to_owned());
        builder.stack_size(Self::STACK_SIZE).spawn(move || {
            let found = (name.as_str(), 0).to_socket_addrs();
            // Fails if the attempt has timed out.
            let _ = answer.send(found.map(|found| found.map(|address| address.ip()).collect()));
            drop(thread);
        })?;
        addresses.await.unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_system_knows_this_machine() {
        let found = SystemResolver::new().resolve("localhost", AccountId::new(1)).await;
        let found = found.expect("addresses");
        assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback));
    }

    #[tokio::test]
    async fn an_account_has_its_share_of_the_threads() {
        let resolver = SystemResolver::new();
        let (account, other) = (AccountId::new(1), AccountId::new(2));
        let mut threads = Vec::new();
        for _ in 0..SystemResolver::MAX_THREADS_EACH {
            threads.push(resolver.thread(account).await.expect("a thread"));
        }
        assert!(resolver.thread(account).await.is_err());
        assert!(resolver.resolve("localhost", other).await.is_ok());
        threads.pop();
        assert!(resolver.thread(account).await.is_ok());
        drop(threads);
        assert!(lock(&resolver.by_account).get(&account).is_none());
    }
}
