//! The stages of the compiler depend in one direction: emitters know the model and their shared helpers, but not each
//! other. A function fits a screen.

mod source;

use source::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most lines of a function, without those inside `quote!`.
const MOST_LINES: usize = 70;

/// Checks every source that `is_meant` selects, and reports all errors.
#[track_caller]
fn check(is_meant: impl Fn(&Source) -> bool, wrong: impl Fn(&Source) -> Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let meant: Vec<Source> = sources(&root).into_iter().filter(is_meant).collect();
    assert!(meant.len() > 3, "the sources are looked for in the wrong place");
    let found = meant.iter().flat_map(|source| {
        let name = source.name();
        wrong(source).into_iter().map(move |wrong| format!("{name}: {wrong}"))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The paths that a source names outside of these modules.
fn outside(source: &Source, modules: &[&str]) -> Vec<String> {
    let is_within = |path: &String| modules.iter().any(|module| is_below(path, module));
    let named = source.named().into_iter().filter(|path| !is_within(path));
    named.map(|path| format!("names {path}")).collect()
}

fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn is_emitter(source: &Source) -> bool {
    let name = source.name();
    name != "emit" && is_below(&name, "emit") && !is_shared(source)
}

fn is_shared(source: &Source) -> bool {
    is_below(&source.name(), "emit") && source.module.iter().skip(1).any(|part| part == "shared")
}

#[test]
fn an_emitter_knows_the_model_and_no_other_emitter() {
    let shared = ["model", "step", "emit::shared"];
    check(is_emitter, |source| outside(source, &shared));
}

#[test]
fn what_emitters_share_knows_no_emitter() {
    let shared = [
        "formats",
        "model",
        "names",
        "step",
        "nearest",
        "parallel",
        "emit::shared",
    ];
    check(is_shared, |source| outside(source, &shared));
}

#[test]
fn emitters_lean_on_no_crate_but_those_that_write_tokens() {
    check(is_emitter, |source| {
        let known = ["std", "proc_macro2", "quote"];
        let others = source.crates().into_iter();
        others.filter(|name| !known.contains(&name.as_str())).collect()
    });
}

#[test]
fn the_model_knows_the_steps_and_places_and_no_stage() {
    let is_model = |source: &Source| is_below(&source.name(), "model");
    // Sections in which nothing is to resolve.
    let flat = [
        "Contact",
        "Decision",
        "EnvelopeValue",
        "FileFact",
        "Idempotency",
        "License",
        "MinRate",
        "Nulls",
        "Pages",
        "Table",
        "Untestable",
        "period_in_words",
    ];
    let flat = flat.map(|section| format!("syntax::{section}"));
    let flat = flat.iter().map(String::as_str);
    let modules: Vec<&str> = flat
        .chain(["model", "formats", "json", "step", "matching", "span", "units"])
        .collect();
    check(is_model, |source| outside(source, &modules));
}

#[test]
fn the_diff_knows_the_model_and_the_rules_and_no_stage() {
    let is_diff = |source: &Source| is_below(&source.name(), "diff");
    check(is_diff, |source| outside(source, &["diff", "model", "rules", "step"]));
}

#[test]
fn the_folders_of_the_diff_depend_in_one_direction() {
    let layers = ["matching", "relations", "output", "sections"].map(|folder| format!("diff::{folder}"));
    for (layer, folder) in layers.iter().enumerate() {
        let above = &layers[layer + 1..];
        let is_above = |path: &String| above.iter().any(|module| is_below(path, module));
        check(
            |source| is_below(&source.name(), folder),
            |source| source.named().into_iter().filter(is_above).collect(),
        );
    }
}

#[test]
fn no_two_files_of_the_diff_need_each_other() {
    has_no_cycle("src", |name| is_below(name, "diff"), false);
}

#[test]
fn no_two_files_of_the_language_need_each_other() {
    has_no_cycle("src", |name| is_below(name, "syntax"), false);
}

/// A module and its submodules may: the module often has what all of these share.
#[test]
fn no_two_files_of_a_crate_need_each_other() {
    for folder in ["src", "cli/src", "mock/src", "store/src", "support/src"] {
        has_no_cycle(folder, |_| true, true);
    }
}

/// The selected files of a crate have no import cycle. `within_modules` allows those of a module and its submodules.
#[track_caller]
fn has_no_cycle(folder: &str, is_meant: impl Fn(&str) -> bool, within_modules: bool) {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let meant: Vec<&Source> = sources.iter().filter(|one| is_meant(&one.name())).collect();
    let names: Vec<String> = meant.iter().map(|source| source.name()).collect();
    assert!(names.len() > 3, "the sources are looked for in the wrong place");
    let file_of = |path: String| {
        let modules = names.iter().filter(|name| is_below(&path, name));
        modules.max_by_key(|name| name.len())
    };
    let needs = meant.iter().zip(&names).map(|(source, name)| {
        // The `mod.rs` of a folder needs the files in it.
        let children = names.iter().filter(|other| is_below(other, name));
        let named = source.named().into_iter().filter_map(file_of);
        let is_other = |other: &&String| match within_modules {
            true => !is_below(other, name) && !is_below(name, other),
            false => *other != name,
        };
        let others: BTreeSet<&String> = named.chain(children).filter(is_other).collect();
        (name, others)
    });
    let mut needs: BTreeMap<&String, BTreeSet<&String>> = needs.collect();
    // Removes the files that need no other, again and again: a cycle is left.
    loop {
        let left: BTreeSet<&String> = needs.keys().copied().collect();
        needs.retain(|_, others| !others.is_disjoint(&left));
        if needs.len() == left.len() {
            break;
        }
    }
    assert!(
        needs.is_empty(),
        "{folder}: these files are in a cycle, or need one that is: {:#?}",
        needs.keys()
    );
}

#[test]
fn a_document_knows_the_model_and_no_other_document() {
    let shared = [
        "documents::file",
        "documents::shared",
        "fault_codes",
        "formats",
        "json",
        "model",
        "names",
        "parallel",
        "step",
    ];
    check(is_document, |source| {
        let own = source.module[..2].join("::");
        outside(source, &[&shared[..], &[own.as_str()]].concat())
    });
    check(is_document, |source| {
        // The crate that writes HTML escapes all text; the viewer is kept compressed.
        let known = match source.module[1].as_str() {
            "page" => ["std", "maud", "flate2"].as_slice(),
            "site" => &["std", "sha2"],
            _ => &["std"],
        };
        let others = source.crates().into_iter();
        others.filter(|name| !known.contains(&name.as_str())).collect()
    });
}

fn is_document(source: &Source) -> bool {
    is_below(&source.name(), "documents") && source.module.len() > 1
}

#[test]
fn no_function_is_longer_than_a_screen() {
    check(
        |_| true,
        |source| {
            let long = source.functions().into_iter().filter(|one| one.lines > MOST_LINES);
            long.map(|one| format!("{} has {} lines outside of quote!", one.name, one.lines))
                .collect()
        },
    );
}
