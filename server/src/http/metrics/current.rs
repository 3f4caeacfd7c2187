//! Metrics of the present state: records, bytes, callers in the rate limiters, connections.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use contract::Limits;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::{Registry, Unit};

use super::gauge::set;
use crate::app::Hitode;
use crate::http::listener::Counters;
use crate::store::{Counts, Role, Sizes, Staleness, sizes};

/// The sources of the present values.
pub(crate) struct Sources {
    pub(crate) app: Arc<Hitode>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) connections: Arc<Counters>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabel {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabel {
    limit: &'static str,
}

pub(super) fn register(registry: &mut Registry, sources: &Sources, counts: Option<&Counts>) {
    let store = sources.app.store();
    registry.register(
        "writable",
        "1 if the store can be written, 0 after a failed commit or after the store was closed",
        ConstGauge::new(i64::from(store.is_writable())),
    );
    if let Some(staleness) = store.staleness() {
        registry.register_with_unit(
            "copy_staleness",
            "How far reads may be behind what other servers have written; +Inf if the database cannot be reached",
            Unit::Seconds,
            ConstGauge::new(match staleness {
                Staleness::AtMost(time) => time.as_secs_f64(),
                Staleness::Unknown => f64::INFINITY,
            }),
        );
        let leads = *store.role().borrow() == Role::Leader;
        registry.register(
            "leader",
            "1 if this server sends webhooks, acts for simulated workers and writes rotating backups",
            ConstGauge::new(i64::from(leads)),
        );
    }
    // A store that is closed or poisoned has no sizes.
    if let Ok(sizes) = sizes(store) {
        records(registry, &sizes, counts);
    }
    limits(registry, &sources.limits.sizes());
    connections(registry, &sources.connections);
}

fn records(registry: &mut Registry, sizes: &Sizes, counts: Option<&Counts>) {
    let records = Family::<KindLabel, Gauge>::default();
    for (kind, count) in [
        ("account", sizes.accounts),
        ("active_key", sizes.active_keys),
        ("human", sizes.humans),
        ("open_bounty", sizes.open_bounties),
    ] {
        set(&records.get_or_create(&KindLabel { kind }), count);
    }
    for (kind, count) in counts.into_iter().flat_map(|counts| {
        [
            ("bounty", counts.bounties),
            ("application", counts.applications),
            ("conversation", counts.conversations),
            ("message", counts.messages),
        ]
    }) {
        records.get_or_create(&KindLabel { kind }).set(count);
    }
    registry.register("records", "Records, by kind", records);
    registry.register_with_unit(
        "store",
        "Size of the store on the disk",
        Unit::Bytes,
        ConstGauge::new(sizes.disk_bytes),
    );
}

fn limits(registry: &mut Registry, sizes: &[(&'static str, usize)]) {
    let callers = Family::<LimitLabel, Gauge>::default();
    for (limit, count) in sizes {
        set(&callers.get_or_create(&LimitLabel { limit }), *count);
    }
    registry.register(
        "limiter_callers",
        "Keys, tokens or addresses that a limit tracks",
        callers,
    );
}

fn connections(registry: &mut Registry, counters: &Counters) {
    for (name, help, count) in [
        ("connections_accepted", "Accepted connections", &counters.accepted),
        (
            "connections_refused",
            "Connections that were closed at once because their address had too many",
            &counters.rejected,
        ),
        (
            "connections_made_room",
            "Idle or slow connections that were closed in favour of others",
            &counters.evicted,
        ),
        (
            "connections_cut_off",
            "Connections that were closed because their client did not read its response",
            &counters.cut_off,
        ),
        (
            "connections_unidentified",
            "Connections of proxies that were closed because they did not begin with a valid PROXY protocol header",
            &counters.unidentified,
        ),
    ] {
        registry.register(name, help, ConstCounter::new(count.load(Ordering::Relaxed)));
    }
    let open = counters.open.load(Ordering::Relaxed);
    registry.register("connections", "Open connections", ConstGauge::new(open));
}
