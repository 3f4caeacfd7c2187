//! The generated suite against the mock of the contract, which shares no code with the server: another mock judges the same
//! answers. And against correct servers that word their errors in another way.

use crate::world::{roots, suite};
use conformance::{DeclaredWorld, Level, LimitedService, Request, Response, RunOptions, Subject, Verdict};
use serde_json::Value;
use test_support::in_process::MockSubject;
use test_support::judged::expect_shadowed;

const TOKEN: &str = "hto_of_the_operator_of_this_test";

#[test]
fn the_mock_passes_the_suite() {
    let roots = roots(TOKEN.to_owned());
    let mock = MockSubject::new(suite().contract, roots.clone());
    expect_shadowed(suite(), Box::new(mock), roots, (Level::Texts, 1));
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

/// The verdicts on the other server at this level.
fn verdicts(level: Level) -> Vec<Verdict> {
    let roots = roots(TOKEN.to_owned());
    let subject = Foreign(MockSubject::new(suite().contract, roots.clone()));
    let world = DeclaredWorld::new(suite().contract, Box::new(subject), roots).at(level);
    let options = RunOptions {
        is_tried: &|name| name.starts_with("worker::create_application::") || name.starts_with("worker::get_me::"),
        ..RunOptions::default()
    };
    let outcomes = suite().run(Box::leak(Box::new(world)), &options);
    outcomes.into_iter().map(|outcome| outcome.verdict).collect()
}

#[test]
fn other_texts_and_headers_are_no_failure_below_the_level_of_texts() {
    for level in [Level::Shape, Level::Values] {
        let failed = verdicts(level)
            .into_iter()
            .filter_map(|verdict| Some(verdict.failure()?.to_string()));
        assert_eq!(failed.collect::<Vec<_>>(), [""; 0], "{level:?}");
    }
    let mut causes: Vec<String> = verdicts(Level::Texts)
        .into_iter()
        .filter_map(|one| Some(one.failure()?.cause))
        .collect();
    causes.sort();
    causes.dedup();
    assert!(
        causes.contains(&"header Content-Type has another value".to_owned()),
        "{causes:#?}"
    );
    assert!(causes.len() < 5, "{causes:#?}");
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
