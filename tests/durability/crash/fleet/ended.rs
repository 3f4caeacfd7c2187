//! Credentials whose end was acknowledged. From then on, they open nothing on any server.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rand::RngExt as _;
use rand::rngs::StdRng;

use test_support::http::Connection;
use test_support::people::Caller;

/// How many of the last ended credentials are tried as often as all others together.
const LATEST: usize = 4;

/// A credential, and a path that it opened.
#[derive(Clone)]
pub(super) struct Credential {
    pub(super) caller: Caller,
    pub(super) path: &'static str,
}

#[derive(Default)]
pub(super) struct Ended {
    all: Mutex<Vec<(Credential, Instant)>>,
    /// How often they were rejected.
    pub(super) rejected: AtomicUsize,
    /// Those that opened something.
    pub(super) opened: Mutex<Vec<String>>,
}

impl Credential {
    pub(super) fn key(secret: &str) -> Credential {
        let (caller, path) = (Caller::agent(NOWHERE, secret), "/keys");
        Credential { caller, path }
    }

    pub(super) fn token(secret: &str) -> Credential {
        let (caller, path) = (Caller::worker(NOWHERE, secret), "/me");
        Credential { caller, path }
    }

    /// The status of an answer to it; `None` without one.
    pub(super) fn status(&self, at: SocketAddr) -> Option<u16> {
        let mut connection = Connection::to(at).ok()?;
        let answer = self.caller.over(&mut connection, "GET", self.path, None);
        answer.ok().map(|answer| answer.status)
    }
}

/// The callers here are used on connections that are open.
const NOWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

impl Ended {
    /// The end of this one was acknowledged.
    pub(super) fn add(&self, credential: Credential) {
        self.all.lock().expect("a lock").push((credential, Instant::now()));
    }

    pub(super) fn count(&self) -> usize {
        self.all.lock().expect("a lock").len()
    }

    /// Tries a credential that has ended; waits for the answer.
    pub(super) fn is_rejected(&self, at: SocketAddr, credential: &Credential, since: Instant) {
        let waited = since.elapsed();
        match credential.status(at) {
            Some(status @ 200..300) => self.opened.lock().expect("a lock").push(format!(
                "{status} of {at} to GET {} {waited:?} after the end of the credential was acknowledged",
                credential.path
            )),
            Some(401 | 403) => drop(self.rejected.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        }
    }

    /// Tries one of them, often one of the latest.
    pub(super) fn try_one(&self, at: SocketAddr, chance: &mut StdRng) {
        let drawn = {
            let all = self.all.lock().expect("a lock");
            let first = if chance.random() {
                0
            } else {
                all.len().saturating_sub(LATEST)
            };
            (first < all.len()).then(|| all[chance.random_range(first..all.len())].clone())
        };
        if let Some((credential, since)) = drawn {
            self.is_rejected(at, &credential, since);
        }
    }
}
