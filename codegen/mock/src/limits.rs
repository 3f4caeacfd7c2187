//! Counts of requests and of response bytes in windows of the clock, and of requests in flight.

use codegen::model::{Limit, RecordId, ResponseBytes};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Counted {
    /// A caller: by the index of its credential, and by an id.
    Caller(usize, RecordId),
    /// All credentials of a caller together: by the name of its resource.
    Owner(String, RecordId),
    /// An address.
    Address(IpAddr),
}

/// The address that limits count: all of an IPv6 network of 64 bits are one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

/// The name of the count of response bytes. No limit has it.
const RESPONSE_BYTES: &str = "response_bytes";

/// What has been let through, or sent, in the present window of each limit.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// By the name of a limit: its window, and the counts.
    counts: HashMap<String, (u64, HashMap<Counted, u32>)>,
}

/// What a limit says of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LimitDecision {
    pub(crate) is_allowed: bool,
    pub(crate) remaining: u32,
    /// Whether the rate of all credentials together is the one with less remaining.
    pub(crate) is_owners: bool,
    /// Until the window ends.
    pub(crate) seconds: u64,
    /// When the window ends.
    pub(crate) reset_unix: u64,
}

impl Windows {
    /// Counts a request, if it is allowed. `now` is in milliseconds since 1970.
    pub(crate) fn count(&mut self, limit: &Limit, of: Counted, owner: Option<Counted>, now: u64) -> LimitDecision {
        let (counts, until_end) = self.present(&limit.name, limit.window_seconds, now);
        let left = |of: &Counted, max: u32| max.saturating_sub(counts.get(of).copied().unwrap_or(0));
        let own = left(&of, limit.max);
        let owners = owner.as_ref().zip(limit.owner_max).map(|(owner, max)| left(owner, max));
        let is_allowed = own > 0 && owners != Some(0);
        let is_owners = owners.is_some_and(|owners| owners < own);
        if is_allowed {
            let owner = owner.filter(|_| limit.owner_max.is_some());
            for of in [Some(of), owner].into_iter().flatten() {
                *counts.entry(of).or_default() += 1;
            }
        }
        LimitDecision {
            is_allowed,
            remaining: if is_allowed {
                own.min(owners.unwrap_or(own)) - 1
            } else {
                0
            },
            is_owners,
            seconds: until_end.div_ceil(1000),
            reset_unix: (now + until_end) / 1000,
        }
    }

    /// The seconds until the window ends, if the maximum was sent to this caller.
    pub(crate) fn seconds_to_wait(&mut self, bytes: ResponseBytes, to: &Counted, now: u64) -> Option<u64> {
        let (counts, until_end) = self.present(RESPONSE_BYTES, bytes.window_seconds, now);
        let sent = counts.get(to).copied().unwrap_or(0);
        (sent >= bytes.max).then(|| until_end.div_ceil(1000))
    }

    /// Counts the bytes of a response.
    pub(crate) fn add_bytes(&mut self, bytes: ResponseBytes, to: Counted, number: usize, now: u64) {
        let (counts, _) = self.present(RESPONSE_BYTES, bytes.window_seconds, now);
        let sent = counts.entry(to).or_default();
        *sent = sent.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
    }

    /// The counts of the present window, and the milliseconds until it ends.
    fn present(&mut self, name: &str, seconds: u32, now: u64) -> (&mut HashMap<Counted, u32>, u64) {
        let length = u64::from(seconds.max(1)) * 1000;
        let window = now / length;
        let (known, counts) = self.counts.entry(name.to_owned()).or_default();
        if *known != window {
            counts.clear();
            *known = window;
        }
        (counts, length - now % length)
    }
}

/// The requests in flight.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashMap<InFlightKey, u32>>>);

/// A group of operations, the caller's resource, and its id.
type InFlightKey = (String, String, RecordId);

impl InFlight {
    /// One more, unless `max` are in flight.
    pub(crate) fn begin(&self, of: InFlightKey, max: u32) -> Option<Permit> {
        let mut counts = self.0.lock();
        let count = counts.entry(of.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Permit(Arc::new(OneInFlight { all: self.clone(), of })))
    }
}

/// A request in flight, until all of its permits are dropped.
#[derive(Clone, Debug)]
pub struct Permit(#[allow(dead_code, reason = "held until it is dropped")] Arc<OneInFlight>);

#[derive(Debug)]
struct OneInFlight {
    all: InFlight,
    of: InFlightKey,
}

impl Drop for OneInFlight {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock();
        if let Some(count) = counts.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.of);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codegen::model::{Counts, Per, Span};

    fn limit(max: u32, owner_max: Option<u32>) -> Limit {
        let methods = vec!["GET".to_owned()];
        Limit {
            name: "reads".to_owned(),
            counts: Counts::Methods {
                methods,
                per: Per::Caller,
            },
            max,
            owner_max,
            window_seconds: 60,
            at: Span::default(),
        }
    }

    #[test]
    fn a_window_lets_so_many_through_and_the_next_one_as_many_again() {
        let (limit, mut windows) = (limit(2, None), Windows::default());
        let mut asked = |now| {
            let decision = windows.count(&limit, Counted::Caller(0, RecordId::Number(1)), None, now);
            (
                decision.is_allowed,
                decision.remaining,
                decision.seconds,
                decision.reset_unix,
            )
        };
        assert_eq!(asked(1_000), (true, 1, 59, 60));
        assert_eq!(asked(59_001), (true, 0, 1, 60));
        assert_eq!(asked(59_999), (false, 0, 1, 60));
        assert_eq!(asked(60_000), (true, 1, 60, 120));
    }

    #[test]
    fn what_one_rate_rejects_the_other_does_not_count() {
        let (limit, mut windows) = (limit(2, Some(3)), Windows::default());
        let mut asked = |caller| {
            let owner = Some(Counted::Owner("Reader".to_owned(), RecordId::Number(9)));
            let decision = windows.count(&limit, Counted::Caller(0, RecordId::Number(caller)), owner, 0);
            (decision.is_allowed, decision.remaining, decision.is_owners)
        };
        assert_eq!(asked(1), (true, 1, false));
        assert_eq!(asked(1), (true, 0, false));
        assert_eq!(asked(1), (false, 0, false));
        assert_eq!(asked(2), (true, 0, true));
        assert_eq!(asked(2), (false, 0, true));
    }

    #[test]
    fn a_response_counts_after_it_was_sent_and_may_exceed_the_maximum() {
        let (bytes, mut windows) = (
            ResponseBytes {
                max: 1_000,
                window_seconds: 60,
            },
            Windows::default(),
        );
        let caller = || Counted::Owner("Reader".to_owned(), RecordId::Number(1));
        windows.add_bytes(bytes, caller(), 999, 0);
        assert_eq!(windows.seconds_to_wait(bytes, &caller(), 0), None);
        windows.add_bytes(bytes, caller(), 5_000, 0);
        assert_eq!(windows.seconds_to_wait(bytes, &caller(), 59_001), Some(1));
        assert_eq!(windows.seconds_to_wait(bytes, &caller(), 60_000), None);
    }

    #[test]
    fn a_request_is_in_flight_until_its_permits_are_dropped() {
        let in_flight = InFlight::default();
        let key = || (String::new(), "Reader".to_owned(), RecordId::Number(1));
        let permit = in_flight.begin(key(), 1).unwrap();
        let again = permit.clone();
        drop(permit);
        assert!(in_flight.begin(key(), 1).is_none());
        drop(again);
        assert!(in_flight.begin(key(), 1).is_some());
    }

    #[test]
    fn a_host_is_counted_once() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2::1"), "2001:db8:1:2::");
    }
}
