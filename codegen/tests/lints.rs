//! Generated code is clean under `clippy::pedantic`, `missing_docs` and rustc's own lints, whoever includes it. What it
//! allows itself is a short list, and each entry says why where it stands.
//!
//! That it is clean shows where it is compiled: the modules that include it warn of all of these.

use std::collections::BTreeSet;

/// What generated code allows itself of clippy.
const OF_CLIPPY: [&str; 5] = [
    "clippy::manual_async_fn",
    "clippy::needless_pass_by_value",
    "clippy::too_many_lines",
    "clippy::upper_case_acronyms",
    "clippy::wildcard_imports",
];

/// What it allows itself of rustc: no contract uses all that is there for another one.
const OF_RUSTC: [&str; 2] = ["dead_code", "unused_variables"];

/// The lints of each `allow`, and whether it has a reason.
fn allowed(code: &str) -> Vec<(Vec<&str>, bool)> {
    let attributes = code.split("#[allow(").skip(1);
    let attributes = attributes.map(|rest| rest.split_once(")]").expect("attributes end").0);
    let parts = attributes.map(|inside| {
        inside
            .split_once("reason =")
            .map_or((inside, false), |(lints, _)| (lints, true))
    });
    parts
        .map(|(lints, has_reason)| {
            let lints = lints.split(',').map(str::trim).filter(|lint| !lint.is_empty());
            (lints.collect(), has_reason)
        })
        .collect()
}

#[test]
fn generated_code_allows_itself_what_is_listed_and_says_why() {
    let model = codegen::compile(include_str!("../../tests/lockers/api.yaml")).expect("the build understood it, too");
    let options = codegen::Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    let code = codegen::emit::rust(&model, options);
    let allowed = allowed(&code);
    let lints: BTreeSet<&str> = allowed.iter().flat_map(|(lints, _)| lints).copied().collect();
    let listed: BTreeSet<&str> = OF_CLIPPY.into_iter().chain(OF_RUSTC).collect();
    assert_eq!(lints, listed);
    for (lints, has_reason) in allowed {
        assert!(has_reason, "{lints:?} are allowed without a reason");
    }
}
