//! Probes of correct servers that word their errors in another way: the mock of the contract behind a layer.

use crate::histories::MODEL;
use crate::world::roots;
use ::contract::Clock;
use conformance::{HistoryClock, Level, ProbeOptions, ProbeVerdict, Probes, Request, Response};
use mock::{Mock, Options};
use serde_json::Value;
use std::collections::BTreeSet;
use test_support::in_process::InProcess;
use test_support::judged::probes;

pub(crate) const TOKEN: &str = "hto_of_the_operator_of_this_test";

/// The mock of the contract in this process, without limits.
pub(crate) fn mocked() -> InProcess {
    let options = Options {
        rate_limits: false,
        credentials: roots(TOKEN.to_owned()),
        ..Options::default()
    };
    InProcess::mocked(Mock::new(&MODEL, options), Clock::system())
}

/// The same answer with other texts, more headers, and the choices of other frameworks.
fn foreign(mut response: Response) -> Response {
    response.headers.push(("server".to_owned(), "another".to_owned()));
    for (name, value) in &mut response.headers {
        match name.as_str() {
            "content-type" => value.push_str("; charset=utf-8"),
            "allow" => {
                *value = value
                    .rsplit(", ")
                    .chain(["HEAD", "OPTIONS"])
                    .collect::<Vec<_>>()
                    .join(",")
            }
            _ => {}
        }
    }
    if let Ok(mut body) = serde_json::from_slice::<Value>(&response.body)
        && body.get("error").is_some()
    {
        // Other words, which still name what is wrong.
        let text = body["error"].as_str().unwrap_or_default().to_owned();
        let names: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        body["error"] = format!("something is wrong: {}", names.join(" ")).into();
        response.body = body.to_string().into_bytes();
    }
    response
}

/// What probes notice of the other server at this level.
fn causes(level: Level) -> BTreeSet<String> {
    let server = mocked();
    let options = ProbeOptions {
        is_tried: &|name| name.starts_with("worker::create_application::") || name.starts_with("worker::get_me::"),
        ..probes(level)
    };
    let send = |request: &Request| Ok(foreign(server.call(request)));
    let outcomes = Probes::run(HistoryClock::Real, &MODEL, &send, roots(TOKEN.to_owned()), &options).into_iter();
    let failed = outcomes.filter_map(|outcome| match outcome.verdict {
        ProbeVerdict::Failed(found) => Some(found.cause),
        ProbeVerdict::Passed | ProbeVerdict::NotTried(_) => None,
    });
    failed.collect()
}

#[test]
fn other_texts_and_headers_are_no_failure_below_the_level_of_texts() {
    for level in [Level::Shape, Level::Values] {
        assert_eq!(causes(level), BTreeSet::new(), "{level:?}");
    }
    let causes = causes(Level::Texts);
    assert!(!causes.is_empty() && causes.len() < 5, "{causes:#?}");
}
