//! The fixed tests against the mock of the contract, which shares no code with the server. And probes of correct servers that word
//! their errors in another way.

use crate::histories::MODEL;
use crate::world::{roots, suite};
use conformance::{
    DeclaredWorld, HistoryClock, Level, LimitedService, ProbeOptions, ProbeVerdict, Probes, Request, Response,
    RunOptions, Subject, Verdict,
};
use serde_json::Value;
use std::collections::BTreeSet;
use test_support::in_process::MockSubject;
use test_support::judged::{expect_suite, probes};

const TOKEN: &str = "hto_of_the_operator_of_this_test";

#[test]
fn the_mock_passes_the_suite() {
    let roots = roots(TOKEN.to_owned());
    expect_suite(suite(), MockSubject::world(suite().contract, roots).at(Level::Texts));
}

/// The mock with other texts, more headers, and the choices of other frameworks.
struct Foreign(MockSubject);

impl Subject for Foreign {
    fn call(&self, request: &Request) -> Response {
        foreign(self.0.call(request))
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        foreign(self.0.call_held(request, meanwhile))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.0.limited_service()
    }
}

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
    let roots = roots(TOKEN.to_owned());
    let server = Foreign(MockSubject::new(suite().contract, roots.clone()));
    let options = ProbeOptions {
        is_tried: &|name| name.starts_with("worker::create_application::") || name.starts_with("worker::get_me::"),
        ..probes(level)
    };
    let send = |request: &Request| Ok(server.call(request));
    let outcomes = Probes::run(HistoryClock::Real, &MODEL, &send, roots, &options).into_iter();
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

#[test]
fn without_a_root_credential_tests_are_skipped_with_the_reason() {
    let world = MockSubject::new(suite().contract, roots(TOKEN.to_owned()));
    let world = DeclaredWorld::new(suite().contract, Box::new(world), Vec::new());
    let options = RunOptions {
        is_tried: &|name| name == "agent::get_human::success",
        ..RunOptions::default()
    };
    let outcomes = suite().run(Box::leak(Box::new(world)), &options);
    let [Verdict::Skipped(reason)] = [&outcomes[0].verdict] else {
        panic!("{outcomes:?}")
    };
    assert_eq!(
        reason,
        "there is no secret for operator_token, and no operation creates one"
    );
}
