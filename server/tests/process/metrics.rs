//! `/metrics`: exact counts, and no name that a client chose.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use serde_json::json;

use crate::exposition::{Exposition, Format};
use test_support::http::{call, connect, request, rest};
use test_support::people::{Caller, People, bounty};
use test_support::process::{Launch, Service};

fn launch() -> Service {
    Launch::anywhere().arg("--rate-limits").arg("off").start()
}

/// The number of requests counted for each operation, with any result.
fn by_operation(metrics: &Exposition) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for (labels, count) in metrics.all("hitode_requests_total") {
        let (operation, _status) = labels.rsplit_once(' ').expect("several labels");
        *counts.entry(operation.to_owned()).or_default() += count;
    }
    counts
}

#[test]
fn known_traffic_is_counted_exactly() {
    let service = launch();
    assert!(Exposition::scrape(&service).all("hitode_requests_total").is_empty());
    let people = People::enter(&service, Caller::operator_of(&service));
    for title in ["One", "Two", "Three"] {
        people.agent.post("/bounties", bounty(title)).id();
    }
    people.agent.patch("/bounties/3", json!({ "status": "completed" }));
    for _ in 0..4 {
        people.agent.get("/humans");
        people.worker.get("/bounties");
    }
    people.agent.get("/humans?limit=0");
    people.agent.get("/humans/99");
    Caller::agent(&service, "no-such-key").get("/humans");
    for (method, path) in [("GET", "/nothing"), ("PUT", "/api/v1/humans"), ("GET", "/api/v1/human")] {
        call(service.address, method, path, &[], None);
    }

    let metrics = Exposition::scrape(&service);
    let expected = [
        ("surface=agent operation=create_bounty status=201", 3.0),
        ("surface=agent operation=get_human status=404", 1.0),
        ("surface=agent operation=list_humans status=200", 4.0),
        ("surface=agent operation=list_humans status=400", 1.0),
        ("surface=agent operation=list_humans status=401", 1.0),
        ("surface=agent operation=none status=404", 1.0),
        ("surface=agent operation=none status=405", 1.0),
        ("surface=agent operation=update_bounty status=200", 1.0),
        ("surface=none operation=none status=404", 1.0),
        ("surface=operator operation=create_account status=201", 1.0),
        ("surface=operator operation=create_human status=201", 1.0),
        ("surface=operator operation=create_human_token status=201", 1.0),
        ("surface=worker operation=list_bounties status=200", 4.0),
    ];
    assert_eq!(metrics.all("hitode_requests_total"), expected.into());
    let durations = metrics.all("hitode_request_duration_seconds_count");
    let counts = by_operation(&metrics);
    assert_eq!(
        durations,
        counts
            .iter()
            .map(|(operation, count)| (operation.as_str(), *count))
            .collect()
    );
    assert_eq!(metrics.value("hitode_requests_in_flight"), 0.0);
    // Each call had its own connection, and so had both scrapes.
    assert_eq!(
        metrics.value("hitode_connections_accepted_total"),
        expected.iter().map(|(_, count)| count).sum::<f64>() + 2.0
    );

    for (kind, count) in [
        ("account", 1.0),
        ("active_key", 1.0),
        ("human", 1.0),
        ("open_bounty", 2.0),
    ] {
        assert_eq!(metrics.value(&format!("hitode_records kind={kind}")), count, "{kind}");
    }
    assert_eq!(
        (
            metrics.value("hitode_writable"),
            metrics.value("hitode_commits_failed_total")
        ),
        (1.0, 0.0)
    );
    assert!(metrics.value("hitode_store_bytes") > 0.0);
}

#[test]
fn each_acknowledged_write_is_in_a_commit_that_was_flushed_and_synced() {
    let service = launch();
    let people = People::enter(&service, Caller::operator_of(&service));
    let writers = 8;
    std::thread::scope(|scope| {
        for _ in 0..writers {
            scope.spawn(|| people.agent.post("/bounties", bounty("At once")).id());
        }
    });
    let metrics = Exposition::scrape(&service);
    let of_commits =
        ["writes", "flush_seconds", "sync_seconds"].map(|of| metrics.value(&format!("hitode_commit_{of}_count")));
    let [commits, flushes, syncs] = of_commits;
    assert_eq!((flushes, syncs), (commits, commits));
    // Account, worker, token and the bounties; recording the last use of keys may add a write later.
    let writes = metrics.value("hitode_commit_writes_sum");
    assert!(
        writes >= f64::from(3 + writers) && commits <= writes && commits >= 4.0,
        "{writes} in {commits}"
    );
    assert!(metrics.value("hitode_commit_sync_seconds_sum") > 0.0);
}

#[test]
fn paths_of_all_kinds_add_no_series() {
    let service = launch();
    let people = People::enter(&service, Caller::operator_of(&service));
    let visit = |number: u32| {
        let noise = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
        let (method, path) = match number % 5 {
            0 => ("GET", format!("/{noise:x}")),
            1 => ("BREW", format!("/{noise}/{noise:x}?{noise}")),
            2 => ("GET", format!("/api/v1/humans/{noise}")),
            3 => ("GET", format!("/worker/v1/{noise:x}%0a%22/{noise}")),
            _ => ("DELETE", format!("/api/v1/bounties/{noise}")),
        };
        let key = [("X-API-Key", people.agent.secret.as_str())];
        let answer = call(service.address, method, &path, &key, None);
        assert!(
            [404, 405].contains(&answer.status),
            "{method} {path}: {}",
            answer.status
        );
    };
    (0..5).for_each(visit);
    let first = Exposition::scrape(&service);
    (5..1_000).for_each(visit);
    let last = Exposition::scrape(&service);
    assert_eq!(last.series(), first.series());
    assert_eq!(
        last.value("hitode_requests_total surface=none operation=none status=404"),
        400.0
    );
    assert_eq!(
        last.value("hitode_requests_total surface=agent operation=get_human status=404"),
        200.0
    );
    assert_eq!(
        last.value("hitode_requests_total surface=agent operation=none status=405"),
        200.0
    );
}

#[test]
fn a_scrape_is_sound_while_requests_are_under_way() {
    let service = launch();
    let people = People::enter(&service, Caller::operator_of(&service));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| drop(people.agent.get("/humans"))));
        }
        let mut before = 0.0;
        for _ in 0..20 {
            let counts = by_operation(&Exposition::scrape(&service));
            let total: f64 = counts.values().sum();
            assert!(total >= before, "{total} after {before}");
            before = total;
        }
    });
    let metrics = Exposition::scrape(&service);
    assert_eq!(
        metrics.value("hitode_requests_total surface=agent operation=list_humans status=200"),
        200.0
    );
    assert_eq!(metrics.value("hitode_requests_in_flight"), 0.0);
}

#[test]
fn it_lies_outside_of_the_contract_and_does_not_count_itself() {
    let service = launch();
    for _ in 0..2 {
        let answer = call(service.address, "GET", "/metrics", &[], None);
        assert_eq!((answer.status, answer.header("x-request-id")), (200, None));
        let mut stream = connect(service.address);
        stream.write_all(&request("HEAD", "/metrics", &[], None)).expect("sent");
        let head = String::from_utf8(rest(stream)).expect("text");
        assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    }
    assert!(Exposition::scrape(&service).all("hitode_requests_total").is_empty());
    let other = call(service.address, "POST", "/metrics", &[], None);
    assert_eq!((other.status, other.header("allow")), (405, Some("GET, HEAD")));
}

#[test]
fn the_process_has_metrics() {
    let service = launch();
    let metrics = Exposition::scrape(&service);
    let version = format!("hitode_build_info version={}", env!("CARGO_PKG_VERSION"));
    assert_eq!(metrics.value(&version), 1.0);
    assert!(metrics.value("process_resident_memory_bytes") > 1e6);
    assert!(metrics.value("process_open_fds") > 3.0);
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970");
    let age = now.as_secs_f64() - metrics.value("process_start_time_seconds");
    assert!((0.0..3_600.0).contains(&age), "{age} s");
}

/// Of the example dashboard and the alert rules. What they mean, `promtool` tests in `tests/external/lint`.
#[test]
fn the_dashboard_and_the_alerts_name_metrics_that_there_are() {
    let service = launch();
    let people = People::enter(&service, Caller::operator_of(&service));
    people.agent.post("/bounties", bounty("One")).id();
    let metrics = Exposition::scrape(&service);
    let there_are: BTreeSet<&str> = metrics
        .series()
        .into_iter()
        .filter_map(|one| one.split([' ', '{']).next())
        .collect();
    let only_with = [
        // A database.
        "hitode_copy_staleness_seconds",
        "hitode_leader",
        // A request to a webhook.
        "hitode_webhook_requests_total",
    ];
    for file in ["dashboard.json", "alerts.yaml"] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/").to_owned() + file;
        let text = std::fs::read_to_string(path).expect("the file");
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named = words.filter(|word| word.starts_with("hitode_") || word.starts_with("process_"));
        let unknown: BTreeSet<&str> = named
            .filter(|name| !there_are.contains(name) && !only_with.contains(name))
            .collect();
        assert_eq!(unknown, BTreeSet::new(), "{file}: {there_are:?}");
    }
}

#[test]
fn open_metrics_is_for_those_who_ask_for_it_and_says_the_same() {
    let service = launch();
    People::enter(&service, Caller::operator_of(&service));
    let plain = Exposition::scrape(&service);
    for accept in [
        &["application/openmetrics-text;q=0.5,text/plain;q=0.2"][..],
        &["text/plain", "application/openmetrics-text"],
    ] {
        let (format, metrics) = Exposition::accepting(&service, accept);
        assert_eq!(
            (format, metrics.series()),
            (Format::OpenMetrics, plain.series()),
            "{accept:?}"
        );
    }
    for accept in [
        "*/*",
        "text/html,*/*;q=0.8",
        "application/openmetrics-text;version=0.0.1",
    ] {
        assert_eq!(
            Exposition::accepting(&service, &[accept]).0,
            Format::Prometheus,
            "{accept}"
        );
    }
}
