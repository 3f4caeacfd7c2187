//! Random histories of calls to the lockers, compared with the mock of their contract, as far as it declares what operations
//! do.

use crate::world::{BADGE, roots, service, unlimited};
use codegen::Model;
use conformance::{Histories, HistoriesReport, HistoryClock, HistoryOptions, HttpSender, Level, Request, Sender};
use lockers::stored::Store;
use lockers::support::Clock;
use lockers::{LimitSettings, Lockers};
use mock::{Mock, Options};
use std::net::TcpListener;
use std::sync::{Arc, LazyLock};

pub(crate) static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(include_str!("../api.yaml")).expect("the build understood it, too"));

#[test]
fn the_lockers_and_their_contract_do_not_differ() {
    let calls = std::env::var("HITODE_HISTORIES").ok();
    let options = HistoryOptions {
        calls: calls.and_then(|calls| calls.parse().ok()).unwrap_or(3000),
        level: Level::Texts,
        is_limited: false,
        ..HistoryOptions::default()
    };
    check(&compare(&options));
}

/// Histories of calls to lockers over an empty store.
fn compare(options: &HistoryOptions) -> HistoriesReport {
    let store = Store::in_memory((), None).expect("the machine has threads");
    in_time(store, |time, sender| {
        Histories::run_in_time(time, &MODEL, sender, roots(), options)
    })
}

/// Lets `run` call lockers over an empty store, and move their clock.
fn in_time<T>(store: Store, run: impl FnOnce(HistoryClock<'_>, &Sender<'_>) -> T) -> T {
    let clock = Clock::manual(1_750_000_027);
    let app = Lockers::new(store, BADGE, clock.clone());
    let settings = LimitSettings {
        clock: clock.clone(),
        ..unlimited()
    };
    let service = service(Arc::new(app), &settings);
    let sender = |request: &Request| Ok(service.call(request));
    let time = HistoryClock::Manual {
        now: &|| clock.date_millis(),
        advance: &|by| clock.advance(by),
    };
    run(time, &sender)
}

/// The mock in real time, with and without limits: a server that shares no code with the lockers. In which second a call comes
/// decides what it meets, so an outcome must be met with one of three seeds.
#[test]
fn the_mock_over_http_and_its_contract_do_not_differ() {
    for is_limited in [false, true] {
        let mut never: Option<Vec<String>> = None;
        for seed in 1..=3 {
            let report = over_http(is_limited, seed);
            print_differences(&report);
            assert!(report.differences.is_empty());
            let missed: Vec<String> = report.never_met.iter().map(ToString::to_string).collect();
            let still = never.get_or_insert_with(|| missed.clone());
            still.retain(|outcome| missed.contains(outcome));
            if still.is_empty() {
                break;
            }
        }
        assert_eq!(never.unwrap_or_default(), [""; 0]);
    }
}

fn over_http(is_limited: bool, seed: u64) -> HistoriesReport {
    let roots = roots();
    let mock = Mock::new(
        &MODEL,
        Options {
            rate_limits: is_limited,
            credentials: roots.clone(),
            ..Options::default()
        },
    );
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let origin = format!("http://{}", listener.local_addr().expect("it is bound"));
    std::thread::spawn(move || mock::serve(listener, mock));
    let http = HttpSender::new(&origin, &MODEL).expect("the machine has threads");
    let options = HistoryOptions {
        is_limited,
        seed,
        ..HistoryOptions::default()
    };
    let began = std::time::Instant::now();
    let report = Histories::run(&MODEL, &|request: &Request| http.send(request), roots, &options);
    println!("{:?}: {} calls", began.elapsed(), report.calls);
    report
}

fn print_differences(report: &HistoriesReport) {
    for difference in &report.differences {
        println!("{difference:#?}\n{}", difference.script);
    }
}

#[track_caller]
fn check(report: &HistoriesReport) {
    print_differences(report);
    let never: Vec<String> = report.never_met.iter().map(ToString::to_string).collect();
    assert!(report.differences.is_empty());
    assert_eq!(never, [""; 0]);
}
