//! What a start with the demo prints: credentials that are shown once, and commands that work when they are pasted.

use std::path::Path;

use contract::{agent, api_key, operator, operator_token, worker, worker_token};

use super::Demo;
use crate::operator_token::{Source, VARIABLE};

/// After the demo was entered. `url` is where the service listens.
pub fn of_first_start(demo: &Demo, url: &str) -> String {
    let Demo {
        key,
        worker,
        worker_token,
        workers,
        bounties,
    } = demo;
    format!(
        "\
Demo: {workers} made-up workers in all 47 prefectures and {bounties} open bounties are entered. Rates are in yen.
An agent's API key (verified plan), shown only this once:
  {key}
The token of the worker {worker}, shown only this once:
  {worker_token}
Try, as the agent and as the worker:
  {}
  {}",
        call(api_key::HEADER, key, agent::list_humans::PATH, url),
        call(worker_token::HEADER, worker_token, worker::list_bounties::PATH, url),
    )
}

/// Where there was something before. `source` tells where the operator's token is.
pub fn of_filled_store(source: &Source, url: &str) -> String {
    let token = match source {
        Source::Environment => format!("${VARIABLE}"),
        Source::File(path) => format!("$(cat {})", quoted(path)),
    };
    let operation = operator::create_account::PATH;
    format!(
        "\
Demo: there is something in the store already, so nothing was added.
If a first start was cut short, the demo in it is not whole: for a whole one, start with another --data DIR.
A new agent with a key of its own comes of:
  curl -sS -X {} -H \"{}: {token}\" -H \"Content-Type: application/json\" -d '{BODY}' {url}{operation}",
        operator::create_account::METHOD,
        operator_token::HEADER,
    )
}

const BODY: &str = r#"{"name":"My agent","plan":"verified"}"#;

fn call(header: &str, secret: &str, path: &str, url: &str) -> String {
    format!("curl -sS -H \"{header}: {secret}\" {url}{path}")
}

/// The path as a shell reads it from any directory.
fn quoted(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_shell() {
        assert_eq!(quoted(Path::new("/a b/it's $1/t")), r"'/a b/it'\''s $1/t'");
        assert!(quoted(Path::new("t")).starts_with("'/"));
    }

    #[test]
    fn a_token_of_the_environment_is_not_sought_in_a_file() {
        let text = of_filled_store(&Source::Environment, "http://127.0.0.1:1");
        assert!(text.contains(": $HITODE_OPERATOR_TOKEN\""), "{text}");
    }

    #[test]
    fn whoever_finds_half_a_demo_is_told_how_to_start_anew() {
        let text = of_filled_store(&Source::Environment, "http://127.0.0.1:1");
        assert!(text.contains("start with another --data DIR"), "{text}");
    }
}
