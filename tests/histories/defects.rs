//! Defects that requests and answers of one call cannot show: the declaration, and a wrong one in its place.

use super::{MODEL, compare, shown};
use crate::world::contract_source;
use codegen::Model;
use conformance::Level;
use test_support::planted::{LATER_SEEDS, SEEDS, until_noticed};

const DEFECTS: [(&str, &str); 9] = [
    ("account_id.suspended is false, ", ""),
    ("sender_type: human }", "sender_type: agent }"),
    (
        "applications_count: count = count Application",
        "applications_count: count = 0",
    ),
    (
        "bidi_controls: refused, alike: nfkc_casefold }, doc: A name",
        "bidi_controls: refused, alike: casefold }, doc: A name",
    ),
    ("青森県: [青森, Aomori, ", "青森県: [青森, Blue Wood, Aomori, "),
    ("sort: [rating desc, id asc]", "sort: [rating desc, id desc]"),
    ("max: 3, of: ApiKey", "max: 4, of: ApiKey"),
    ("number of [name, category]", "number of [name]"),
    ("exists Application in Bounty of caller", "exists Application in Bounty"),
];

#[test]
fn planted_defects_are_noticed() {
    for (declared, planted) in DEFECTS {
        let source = contract_source();
        assert!(source.contains(declared), "{declared}");
        let wrong = codegen::compile(&source.replace(declared, planted)).expect("the defect is valid");
        let wrong: &Model = Box::leak(Box::new(wrong));
        let is_noticed = |seed: &u64| {
            let report = compare(wrong, &|_, response| response, &until_noticed(*seed, Level::Values));
            println!("{planted:?}, seed {seed}: {}", shown(&report));
            !report.differences.is_empty()
        };
        assert!(SEEDS.iter().chain(&LATER_SEEDS).any(is_noticed), "{planted}");
    }
    assert!(MODEL.operations().count() > 30);
}
