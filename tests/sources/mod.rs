//! Every fact is stated once: no handwritten Rust repeats what `api.yaml` states, and the compiler knows no contract. The
//! searched names and numbers come from the model.

mod layers;
mod rust;
mod texts;

use codegen::Model;
use codegen::model::{ErrorEntry, Operation, Piece, Template, TypeRule};
use rust::{Code, code_under};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The contract that this binary was built for.
fn contract() -> String {
    let ours = root().join("api.yaml");
    fs::read_to_string(option_env!("HITODE_API").map_or(ours, PathBuf::from)).expect("the contract is there")
}

pub(crate) fn model() -> Model {
    codegen::compile(&contract()).expect("the build understood it, too")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the workspace")
}

fn operations(model: &Model) -> impl Iterator<Item = &Operation> {
    model.surfaces.iter().flat_map(|surface| &surface.operations)
}

/// Checks every code file under these folders, without tests, and reports all findings.
#[track_caller]
fn check(folders: &[&str], is_wrong: impl Fn(&Code) -> Option<String>) {
    let code = folders.iter().flat_map(|folder| code_under(&root().join(folder)));
    let found: BTreeSet<String> = code
        .filter_map(|code| Some(format!("{}: {}: {}", code.file, is_wrong(&code)?, code.text())))
        .collect();
    assert!(found.is_empty(), "{}", Vec::from_iter(found).join("\n"));
}

const SERVER: [&str; 3] = ["server/src", "server/contract/src", "codegen/support/src"];

#[test]
fn no_path_of_the_contract_is_in_the_server() {
    let model = model();
    let bases = model.surfaces.iter().map(|surface| surface.base.clone());
    let routes = operations(&model).map(|operation| operation.route.split("/:").next().unwrap_or_default().to_owned());
    let paths: Vec<String> = bases.chain(routes).filter(|path| path.len() > 1).collect();
    check(&SERVER, |code| {
        // Those of the kernel are no paths of a server.
        let text = code.string().filter(|text| !text.starts_with("/proc/"))?;
        paths
            .iter()
            .find(|path| holds_path(text, path))
            .map(|path| format!("the path {path}"))
    });
}

/// Whether a text contains the path with its last segment whole: `/metrics` does not contain `/me`.
fn holds_path(text: &str, path: &str) -> bool {
    let is_end = |next: Option<char>| next.is_none_or(|next| !next.is_alphanumeric() && next != '_');
    text.match_indices(path)
        .any(|(at, _)| is_end(text[at + path.len()..].chars().next()))
}

#[test]
fn a_path_is_distinguished_from_a_longer_name() {
    for text in ["/me", "GET /me", "/me/x", "/me?x", "/a/me"] {
        assert!(holds_path(text, "/me"), "{text}");
    }
    for text in ["/metrics", "/me_too", "me"] {
        assert!(!holds_path(text, "/me"), "{text}");
    }
}

#[test]
fn no_header_of_the_contract_is_in_the_server() {
    let model = model();
    let of_errors = model.errors.iter().flat_map(|error| &error.headers);
    let declared = model
        .headers
        .iter()
        .chain(&model.error_headers)
        .chain(&model.limit_headers)
        .chain(of_errors)
        .map(|(name, _)| name);
    let names: Vec<&String> = declared
        .chain(model.credentials.iter().map(|credential| &credential.header))
        .collect();
    check(&SERVER, |code| {
        let text = code.string()?;
        names
            .iter()
            .find(|name| text.eq_ignore_ascii_case(name))
            .map(|name| format!("the header {name}"))
    });
}

#[test]
fn no_credential_prefix_of_the_contract_is_in_the_server() {
    let model = model();
    check(&SERVER, |code| {
        let text = code.string()?;
        model
            .credentials
            .iter()
            .find(|one| text.contains(&one.prefix))
            .map(|one| format!("the prefix {}", one.prefix))
    });
}

/// 200 and 201 are left out: they are ordinary numbers, too.
#[test]
fn no_status_of_the_contract_is_in_the_server() {
    let model = model();
    let statuses: BTreeSet<u16> = model.errors.iter().map(|error| error.status).collect();
    check(&SERVER, |code| {
        let number = code.number()?;
        statuses
            .iter()
            .find(|status| number == f64::from(**status))
            .map(|status| format!("the status {status}"))
    });
}

/// Bounds below a thousand and powers of ten look like ordinary numbers; the tests with edited copies of the contract show that
/// no such bound is repeated.
#[test]
fn no_large_bound_of_the_contract_is_in_the_server() {
    let model = model();
    let mut numbers: Vec<f64> = operations(&model).map(|operation| operation.max_bytes as f64).collect();
    for named in &model.types {
        match &named.rule {
            TypeRule::Text { min, max, .. } | TypeRule::List { min, max, .. } => {
                numbers.extend([Some(*min), *max].into_iter().flatten().map(|bound| bound as f64));
            }
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                ..
            } => numbers.extend([min, exclusive_min, max].into_iter().copied().flatten()),
            TypeRule::Integer { min, max } => {
                numbers.extend([min, max].into_iter().flatten().map(|bound| *bound as f64))
            }
            TypeRule::FreeForm { max_bytes } => numbers.push(*max_bytes as f64),
        }
    }
    numbers.extend(
        model
            .limits
            .iter()
            .flat_map(|limit| [f64::from(limit.max), f64::from(limit.window_seconds)]),
    );
    numbers.retain(|number| *number > 1000.0 && number.log10().fract() != 0.0);
    check(&SERVER, |code| {
        let number = code.number()?;
        numbers.contains(&number).then(|| format!("the bound {number}"))
    });
}

#[test]
fn no_text_of_the_contract_is_in_the_server() {
    let model = model();
    let pieces = |template: &Template| {
        let text = |piece: &Piece| {
            if let Piece::Text(text) = piece {
                Some(text.trim().to_owned())
            } else {
                None
            }
        };
        template.0.iter().filter_map(text).collect::<Vec<_>>()
    };
    let texts_of_errors = model.errors.iter().flat_map(|error: &ErrorEntry| pieces(&error.text));
    let messages = operations(&model).filter_map(|operation| operation.message.clone());
    let texts: Vec<String> = texts_of_errors
        .chain(messages)
        .filter(|text| text.contains(' ') && text.len() >= 10)
        .collect();
    check(&SERVER, |code| {
        let string = code.string()?;
        texts
            .iter()
            .find(|text| string.contains(*text))
            .map(|text| format!("the text {text:?}"))
    });
}

/// A transition needs the names of two states: code without these names can use only the generated constants.
#[test]
fn no_state_of_the_contract_is_a_text_in_the_server_nor_a_move_a_match() {
    let model = model();
    let states: Vec<_> = model.enums.iter().filter(|one| one.states.is_some()).collect();
    let words: BTreeSet<&str> = states.iter().flat_map(|one| &one.values).map(String::as_str).collect();
    check(&SERVER, |code| {
        let text = code.string()?;
        words.contains(text).then(|| "a state".to_owned())
    });
}

/// Names that are also words of the contract language or of any program are left out. Left are names of resources,
/// operations, credentials and enumerations, and names of several words.
#[test]
fn no_name_of_the_contract_is_in_the_compiler() {
    let model = model();
    let resources = model.resources.iter().map(|one| one.name.as_str());
    let of_enums = model.enums.iter().map(|one| one.name.as_str());
    let of_objects = model.objects.iter().map(|one| one.name.as_str());
    let of_inputs = model.inputs.iter().map(|one| one.name.as_str());
    let of_credentials = model
        .credentials
        .iter()
        .flat_map(|one| [&one.name, &one.header, &one.prefix])
        .map(String::as_str);
    let fields = model
        .resources
        .iter()
        .flat_map(|one| one.fields.iter().chain(&one.joined))
        .map(|field| field.name.as_str());
    let types = model.types.iter().map(|one| one.name.as_str());
    let several = fields.chain(types).filter(|name| name.contains('_'));
    let names: BTreeSet<String> = resources
        .chain(of_enums)
        .chain(of_objects)
        .chain(of_inputs)
        .chain(of_credentials)
        .chain(several)
        .chain(operations(&model).map(|operation| operation.name.as_str()))
        .map(plain)
        .filter(|name| !ORDINARY.contains(&name.as_str()))
        .collect();
    check(&["codegen/src", "codegen/mock/src"], |code| {
        let word = code.word().filter(|word| *word != OF_OPENAPI)?;
        names.contains(&plain(word)).then(|| "a name".to_owned())
    });
}

/// OpenAPI's type of a credential in a header.
const OF_OPENAPI: &str = "apiKey";

/// Names of the contract that are words of its language, too: `message` of a success, `guards: [plan …]`, `decisions`;
/// `webhooks` of OpenAPI; and what every program has.
const ORDINARY: [&str; 7] = [
    "message",
    "plan",
    "decision",
    "webhook",
    "file",
    "filename",
    "mediatype",
];

/// `ApiKey`, `api_key` and `X-Api-Key` are equal.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[test]
fn every_test_that_a_decision_or_an_error_names_exists() {
    let model = model();
    let decided = model.decisions.iter().filter_map(|(_, decision)| decision.test.clone());
    let untestable = model.errors.iter().filter_map(|error| error.untestable.as_ref());
    let tests = decided.chain(untestable.map(|untestable| untestable.test.clone()));
    check_tests(tests.map(|test| test.text).collect());
}

/// A guarantee is an entry of the list; its tests are at its end, in parentheses.
#[test]
fn every_guarantee_names_the_tests_that_show_it() {
    let page = fs::read_to_string(root().join("server/GUARANTEES.md")).expect("the page");
    let guarantees: Vec<&str> = page.split("\n- ").skip(1).collect();
    let named = |guarantee: &&str| {
        let (_, tests) = guarantee.rsplit_once("(`")?;
        Some(quoted(&format!("`{tests}")))
    };
    let without: Vec<_> = guarantees
        .iter()
        .filter(|guarantee| named(guarantee).is_none())
        .collect();
    assert!(without.is_empty(), "no test is named for: {without:#?}");
    assert!(guarantees.len() > 3, "the list is read wrongly");
    check_tests(guarantees.iter().filter_map(named).flatten().collect());
}

/// The texts between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The folder of another service, whose tests do not count for this one.
const OTHER_SERVICE: &str = "lockers";

#[track_caller]
fn check_tests(named: Vec<String>) {
    let code: Vec<Code> = ["tests", "server", "codegen"]
        .iter()
        .flat_map(|folder| rust::tests_under(&root().join(folder), OTHER_SERVICE))
        .collect();
    let scenarios = fs::read_to_string(root().join("tests/scenarios.yaml")).expect("the scenarios");
    let scenarios = scenarios.lines().filter_map(|line| line.strip_suffix(':'));
    let tests: BTreeSet<&str> = code.iter().filter_map(Code::word).chain(scenarios).collect();
    let missing: Vec<&String> = named.iter().filter(|name| !tests.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no tests of these names: {missing:#?}");
}
