//! The tests that are made when a suite starts have the names of those that were generated.

use crate::language::CONTRACTS;
use codegen::emit::{TestOptions, tests};
use conformance::Suite;
use std::collections::BTreeSet;

/// The names of the generated tests: `agent::get_human::success`.
fn generated(code: &str) -> BTreeSet<String> {
    let (mut modules, mut names, mut is_test) = (Vec::<(&str, usize)>::new(), BTreeSet::new(), false);
    for line in code.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        modules.retain(|(_, at)| *at < indent || text.is_empty());
        if let Some(module) = text.strip_prefix("pub(crate) mod ") {
            modules.push((module.trim_end_matches(" {"), indent));
        }
        if let (true, Some(name)) = (is_test, text.strip_prefix("fn ")) {
            let path = modules
                .iter()
                .map(|(name, _)| *name)
                .chain([name.trim_end_matches("() {")]);
            names.insert(path.collect::<Vec<_>>().join("::"));
        }
        is_test = text == "#[test]";
    }
    names
}

#[test]
fn the_names_are_equal() {
    for (file, source) in CONTRACTS {
        let model = codegen::compile(source).expect("it is well");
        let options = TestOptions {
            file,
            library: "conformance",
            world: "crate::world::world",
        };
        let old = generated(&tests(&model, options));
        let new: BTreeSet<String> = Suite::new(model, file).tests().map(|(name, _)| name).collect();
        assert!(old.len() > 50, "{file}: {}", old.len());
        println!("{file}: {} and {}", old.len(), new.len());
        assert_eq!(old, new, "{file}");
    }
}
