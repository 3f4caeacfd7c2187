//! The texts that a start prints: credentials that are displayed once, and commands to paste.

use std::io::IsTerminal;
use std::path::Path;

use codegen_store::files::replace_private;
use contract::{agent, api_key, operator, operator_token, worker, worker_token};

use super::listen::Addresses;
use crate::demo::Demo;
use crate::operator_token::{Source, VARIABLE};

/// The text after the demo was entered. `source` is where the operator's token is, `addresses` are where the service listens,
/// `currency` is that of the workers' rates.
pub(super) fn of_demo(demo: &Demo, source: &Source, addresses: Addresses, currency: &str) -> String {
    let Demo {
        key,
        sandbox_key,
        worker,
        worker_token,
        invited,
        code,
        workers,
        bounties,
        last_bounty,
    } = demo;
    let place = match source {
        Source::Environment => format!("the environment variable {VARIABLE}"),
        Source::File(path) => path.display().to_string(),
    };
    let (url, operator_url) = (addresses.url(), addresses.operator_url());
    let search = format!("{}?{SEARCH}", agent::list_humans::PATH);
    let apply = worker::create_application::PATH.replace(":id", &last_bounty.to_string());
    format!(
        "\
Demo: created {workers} made-up workers in all 47 prefectures and {bounties} open bounties.
The hourly rates of workers are in {currency}, the budgets of bounties in USD.
The API key of an agent with the verified plan (shown only once):
  {key}
The token of worker {worker} (shown only once):
  {worker_token}
The page of worker {invited}, for a browser (the link signs in once, within 24 hours):
  {url}/jobs/#{code}
The operator's token is in {place}; the console asks for it: {operator_url}/console
As the agent, search for a cook in Tokyo:
  {}
As the worker, apply to the latest bounty:
  {}
As the operator, list the accounts:
  {}
The API key of an agent in the sandbox, where simulated workers answer within seconds (shown only once):
  {sandbox_key}
There, post a bounty. Three seconds later, `GET {}` shows who has applied:
  {}",
        curl(api_key::HEADER, key, "", &format!("'{url}{search}'")),
        curl(
            worker_token::HEADER,
            worker_token,
            &sending(worker::create_application::METHOD, APPLICATION),
            &format!("{url}{apply}")
        ),
        curl(
            operator_token::HEADER,
            &operator_secret(source),
            "",
            &format!("{operator_url}{}", operator::list_accounts::PATH)
        ),
        agent::list_applications::PATH,
        curl(
            api_key::HEADER,
            sandbox_key,
            &sending(agent::create_bounty::METHOD, BOUNTY),
            &format!("{url}{}", agent::create_bounty::PATH)
        ),
    )
}

/// The name of the file with the credentials of the demo, in the data directory.
pub(super) const CREDENTIALS: &str = "demo-credentials";

/// The text of the demo, if standard output is a terminal. What else reads it may keep it, as a log does. Then the text is
/// in a file of the data directory for its owner only, and this is its first sentence and the path.
pub(super) fn without_credentials_in_a_log(text: String, data: &Path) -> String {
    match std::io::stdout().is_terminal() {
        true => text,
        false => in_file(&text, data),
    }
}

fn in_file(text: &str, data: &Path) -> String {
    let path = data.join(CREDENTIALS);
    let path = std::path::absolute(&path).unwrap_or(path);
    let first = text.lines().next().unwrap_or_default();
    let path_shown = path.display();
    match replace_private(&path, text) {
        Ok(()) => {
            format!("{first}\nIts credentials, and calls to try, are in {path_shown}, for the owner of the file only.")
        }
        Err(error) => format!(
            "{first}\nIts credentials cannot be written to {path_shown} ({error}): create others as the operator."
        ),
    }
}

/// The text after a start with a demo on a store that was not empty, in the directory `data`.
pub(super) fn of_filled_store(source: &Source, data: &Path, addresses: Addresses) -> String {
    format!(
        "\
Demo: the store is not empty, so no demo data was added.
{}
or:
  {}",
        without_demo(source, data, addresses),
        curl(
            operator_token::HEADER,
            &operator_secret(source),
            &sending(operator::create_account::METHOD, ACCOUNT),
            &format!("{}{}", addresses.operator_url(), operator::create_account::PATH)
        ),
    )
}

/// The text after any other start on the directory `data`.
pub(super) fn without_demo(source: &Source, data: &Path, addresses: Addresses) -> String {
    let token_file = match source {
        Source::Environment => String::new(),
        Source::File(_) => format!(" --data {}", quoted(data)),
    };
    format!(
        "\
Create an account with an API key for an agent:
  {} account create --name \"My agent\" --plan verified --url {}{token_file}",
        program(),
        addresses.operator_url()
    )
}

/// The last part of each text.
pub(super) fn documents(addresses: Addresses) -> String {
    let (url, operator_url) = (addresses.url(), addresses.operator_url());
    let pages = match addresses.are_two() {
        false => format!("{url}/ leads to the pages for workers and the operator"),
        true => format!("{url}/ leads to the pages for workers, {operator_url}/console is for the operator"),
    };
    format!("\nIn a browser: {pages}. API reference: {url}/docs")
}

const SEARCH: &str = "skill=Cooking&state=Tokyo&limit=3";
const APPLICATION: &str = r#"{"message":"I can be there tomorrow."}"#;
const BOUNTY: &str = r#"{"title":"Photograph a shop front","description":"Three photos by daylight.","budget":45}"#;
const ACCOUNT: &str = r#"{"name":"My agent","plan":"verified"}"#;

fn curl(header: &str, secret: &str, sending: &str, target: &str) -> String {
    format!("curl -sS -H \"{header}: {secret}\"{sending} {target}")
}

fn sending(method: &str, body: &str) -> String {
    format!(" -X {method} -H \"Content-Type: application/json\" -d '{body}'")
}

/// The shell expression for the operator's token.
fn operator_secret(source: &Source) -> String {
    match source {
        Source::Environment => format!("${VARIABLE}"),
        Source::File(path) => format!("$(cat {})", quoted(path)),
    }
}

/// The command of this process, usable again from the same directory.
fn program() -> String {
    let called = std::env::args_os().next();
    called.map_or_else(|| "hitode".to_owned(), |called| shell_word(&called.to_string_lossy()))
}

/// The path quoted for a shell, valid in any directory.
fn quoted(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    in_quotes(&path.display().to_string())
}

fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else {
        in_quotes(text)
    }
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_shell() {
        assert_eq!(quoted(Path::new("/a b/it's $1/t")), r"'/a b/it'\''s $1/t'");
        assert!(quoted(Path::new("t")).starts_with("'/"));
        assert_eq!(shell_word("target/release/hitode"), "target/release/hitode");
        assert_eq!(shell_word("my $HOME/hitode"), "'my $HOME/hitode'");
    }

    fn addresses() -> Addresses {
        Addresses::new("127.0.0.1:1", Some("127.0.0.1:2"))
    }

    #[test]
    fn a_token_of_the_environment_is_not_sought_in_a_file() {
        let text = of_filled_store(&Source::Environment, Path::new("/d"), addresses());
        assert!(text.contains(": $HITODE_OPERATOR_TOKEN\""), "{text}");
        assert!(!text.contains("--data"), "{text}");
    }

    #[test]
    fn the_greeting_for_a_filled_store_says_how_to_create_a_key() {
        let source = Source::File("/d/token".into());
        let text = of_filled_store(&source, Path::new("/d"), addresses());
        let line = "account create --name \"My agent\" --plan verified --url http://127.0.0.1:2 --data '/d'";
        assert!(text.contains(line), "{text}");
    }
}
