//! The requests that take long. If there are too many, one of the account that has the most is given up, so that
//! others can go on. Must not know what is requested.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use contract::AccountId;
use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Whom a request is sent for, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parties {
    pub(super) account: AccountId,
    pub(super) host: String,
}

/// At most so many requests.
#[derive(Clone)]
pub(super) struct Overdue {
    max: usize,
    requests: Arc<Mutex<Requests>>,
}

/// The requests, the oldest first.
#[derive(Default)]
struct Requests {
    last_number: u64,
    running: Vec<Running>,
}

struct Running {
    number: u64,
    parties: Parties,
    /// Gives it up when it is dropped.
    _keep: oneshot::Sender<()>,
}

/// A request, until this is dropped.
pub(super) struct Stay {
    overdue: Overdue,
    number: u64,
    given_up: oneshot::Receiver<()>,
}

impl Overdue {
    pub(super) fn new(max: usize) -> Self {
        let requests = Arc::default();
        Self { max, requests }
    }

    /// Adds a request, if need be in the place of another one.
    pub(super) fn add(&self, parties: Parties) -> Stay {
        let (keep, given_up) = oneshot::channel();
        let mut requests = self.requests.lock();
        requests.last_number += 1;
        let number = requests.last_number;
        requests.running.push(Running {
            number,
            parties,
            _keep: keep,
        });
        if requests.running.len() > self.max {
            let place = requests.most_dispensable(self.max / 2);
            requests.running.remove(place);
        }
        drop(requests);
        let overdue = self.clone();
        Stay {
            overdue,
            number,
            given_up,
        }
    }
}

impl Requests {
    /// The place of the oldest request of the account that has the most. If there are more than `max_each` to one host,
    /// it is one of these, so that a host with many accounts leaves places to others.
    fn most_dispensable(&self, max_each: usize) -> usize {
        let hosts = count(self.running.iter().map(|running| running.parties.host.as_str()));
        let crowded = hosts.into_iter().find(|(_, many)| *many > max_each);
        let is_meant = |running: &Running| crowded.is_none_or(|(host, _)| running.parties.host == host);
        let meant = || self.running.iter().enumerate().filter(|(_, running)| is_meant(running));
        let accounts = count(meant().map(|(_, running)| running.parties.account));
        let greediest = meant()
            .rev()
            .max_by_key(|(_, running)| accounts[&running.parties.account]);
        greediest.map_or(0, |(place, _)| place)
    }
}

fn count<T: Eq + Hash>(all: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    counts
}

impl Stay {
    /// Resolves if the request is given up.
    pub(super) async fn is_given_up(&mut self) {
        let _ = (&mut self.given_up).await;
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let number = self.number;
        self.overdue
            .requests
            .lock()
            .running
            .retain(|running| running.number != number);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Adds requests of these accounts to these hosts where there is room for six. Returns which of them are given up.
    #[track_caller]
    fn check(requests: &[(i64, &str)], given_up: &[usize]) {
        let overdue = Overdue::new(6);
        let add = |(account, host): &(i64, &str)| {
            overdue.add(Parties {
                account: AccountId::new(*account),
                host: (*host).to_owned(),
            })
        };
        let stays: Vec<_> = requests.iter().map(add).collect();
        let ended = stays.into_iter().enumerate();
        let ended = ended.filter_map(|(place, mut stay)| stay.is_given_up().now_or_never().map(|()| place));
        assert_eq!(ended.collect::<Vec<_>>(), given_up);
    }

    #[test]
    fn the_oldest_of_the_account_that_has_the_most_is_given_up() {
        let full = [(1, "a"), (2, "b"), (2, "c"), (3, "d"), (3, "e"), (3, "f")];
        check(&full, &[]);
        check(&[&full[..], &[(4, "g")]].concat(), &[3]);
        check(&[&full[..], &[(2, "g")]].concat(), &[1]);
    }

    #[test]
    fn of_accounts_with_one_each_the_oldest_is_given_up() {
        let each = [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (6, "f"), (7, "g")];
        check(&each, &[0]);
    }

    #[test]
    fn a_host_of_many_accounts_leaves_places_to_others() {
        let full = [(1, "a"), (2, "b"), (3, "b"), (4, "b"), (5, "b"), (6, "c")];
        check(&[&full[..], &[(7, "d")]].concat(), &[1]);
        check(&[&full[..], &[(7, "b")]].concat(), &[1]);
    }

    #[test]
    fn a_request_that_ends_leaves_its_place() {
        let overdue = Overdue::new(1);
        let parties = |account| Parties {
            account: AccountId::new(account),
            host: "a".to_owned(),
        };
        drop(overdue.add(parties(1)));
        let mut second = overdue.add(parties(2));
        assert_eq!(second.is_given_up().now_or_never(), None);
    }
}
