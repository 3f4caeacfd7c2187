//! Generated code is clean under `clippy::pedantic`, `missing_docs` and rustc's own lints in every crate that includes
//! it. The modules that include it enable these lints. The few lints that it allows are listed here, each with a reason
//! in the code.

use std::collections::BTreeSet;

/// The clippy lints that generated code allows.
const OF_CLIPPY: [&str; 5] = [
    "clippy::manual_async_fn",
    "clippy::missing_panics_doc",
    "clippy::needless_pass_by_value",
    "clippy::too_many_lines",
    "clippy::wildcard_imports",
];

/// The rustc lints that it allows: no contract uses everything that is generated.
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
