//! The layers of the server: its modules depend on each other in one direction only, and so do its files.

#[path = "../../codegen/tests/architecture/source.rs"]
mod source;

use proc_macro2::{TokenStream, TokenTree};
use source::{Source, sources};
use std::collections::BTreeSet;

/// The first depends on the second.
type Need = (String, String);

/// Most lines of a function.
const MOST_LINES: usize = 70;

/// The files of the server, without tests.
fn server() -> Vec<Source> {
    let all = sources(&super::root().join("server/src"));
    let is_test = |part: &String| part == "tests";
    let is_code = |source: &Source| !source.module.iter().any(is_test);
    let mut code: Vec<Source> = all.into_iter().filter(is_code).collect();
    for file in &mut code {
        file.tokens = without_tests(std::mem::take(&mut file.tokens));
    }
    assert!(code.len() > 50, "the sources are looked for in the wrong place");
    code
}

/// The tokens without the content of `mod tests { … }`.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_of_tests = |at: usize| at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(word) if word == "tests");
    let kept = (0..tokens.len()).filter(|at| !(is_of_tests(*at) && matches!(tokens[*at], TokenTree::Group(_))));
    kept.map(|at| tokens[at].clone()).collect()
}

/// The dependencies between files, by their modules.
fn needs(files: &[Source]) -> BTreeSet<Need> {
    let modules: BTreeSet<String> = files.iter().map(Source::name).collect();
    let file_of = |path: &str| {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        let prefixes: Vec<&str> = ends.map(|end| &path[..end]).collect();
        prefixes
            .into_iter()
            .rev()
            .find(|prefix| modules.contains(*prefix))
            .map(str::to_owned)
    };
    let mut needs = BTreeSet::new();
    for file in files {
        let named = file.named().into_iter().filter_map(|path| file_of(&path));
        let children = modules.iter().filter(|module| {
            let child = module.strip_prefix(&format!("{}::", file.name()));
            child.is_some_and(|child| uses_child(file.tokens.clone(), child))
        });
        needs.extend(named.chain(children.cloned()).map(|other| (file.name(), other)));
    }
    needs.retain(|(one, other)| one != other);
    needs
}

/// Whether the tokens name something in the submodule `child`, as `child::a` or `self::child::a`.
fn uses_child(tokens: TokenStream, child: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    let is_word = |at: usize, word: &str| matches!(&tokens[at], TokenTree::Ident(found) if *found == word);
    (0..tokens.len()).any(|at| match &tokens[at] {
        TokenTree::Group(group) => uses_child(group.stream(), child),
        _ => {
            let begins = at < 3 || !is_colon(at - 1) || is_word(at - 3, "self");
            begins && is_word(at, child) && is_colon(at + 1) && is_colon(at + 2)
        }
    })
}

/// The dependencies on a cycle, or between two cycles.
fn cyclic(mut needs: BTreeSet<Need>) -> BTreeSet<Need> {
    loop {
        let ones: BTreeSet<String> = needs.iter().map(|(one, _)| one.clone()).collect();
        let others: BTreeSet<String> = needs.iter().map(|(_, other)| other.clone()).collect();
        let before = needs.len();
        needs.retain(|(one, other)| others.contains(one) && ones.contains(other));
        if needs.len() == before {
            return needs;
        }
    }
}

#[test]
fn no_modules_of_the_server_need_each_other() {
    let top = |module: &str| module.split("::").next().unwrap_or(module).to_owned();
    let needs = needs(&server())
        .into_iter()
        .map(|(one, other)| (top(&one), top(&other)));
    let cyclic = cyclic(needs.filter(|(one, other)| one != other).collect());
    assert!(cyclic.is_empty(), "{cyclic:#?}");
}

#[test]
fn no_files_of_the_server_need_each_other() {
    let cyclic = cyclic(needs(&server()));
    assert!(cyclic.is_empty(), "{cyclic:#?}");
}

/// All paths of selected files of the server that are wrong.
#[track_caller]
fn check(is_meant: impl Fn(&Source) -> bool, wrong: impl Fn(&Source) -> Vec<String>) {
    let found = server().into_iter().filter(is_meant).flat_map(|file| {
        let name = file.name();
        wrong(&file).into_iter().map(move |wrong| format!("{name}: {wrong}"))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether one of these modules or crates is the first of the path.
fn begins_with_one_of(path: &str, names: &[&str]) -> bool {
    names.contains(&path.split("::").next().unwrap_or(path))
}

#[test]
fn the_market_knows_the_contract_and_the_store_and_neither_http_nor_an_engine() {
    let modules = [
        "app",
        "digest",
        "images",
        "market",
        "recent",
        "simulation",
        "store",
        "webhooks",
    ];
    let engines = ["http", "hyper", "sled", "warp"];
    check(
        |file| file.module[0] == "market",
        |file| {
            let is_strange = |path: &String| !begins_with_one_of(path, &modules);
            let named = file.named().into_iter().filter(is_strange);
            let crates = file
                .crates()
                .into_iter()
                .filter(|path| begins_with_one_of(path, &engines));
            named.chain(crates).collect()
        },
    );
}

#[test]
fn the_store_knows_no_http_and_no_handler() {
    check(
        |file| file.module[0] == "store",
        |file| {
            let modules = [
                "app", "cli", "commands", "demo", "market", "http", "logging", "serve", "shutdown",
            ];
            let named = file
                .named()
                .into_iter()
                .filter(|path| begins_with_one_of(path, &modules));
            let crates = file.crates().into_iter();
            named
                .chain(crates.filter(|path| begins_with_one_of(path, &["http", "hyper", "warp"])))
                .collect()
        },
    );
}

#[test]
fn the_mirror_knows_no_engine() {
    let strange = ["chrono", "governor", "rand", "sled", "tokio", "tracing", "serde_json"];
    check(
        |file| file.module.starts_with(&["store".to_owned(), "mirror".to_owned()]),
        |file| {
            let crates = file.crates().into_iter();
            crates
                .filter(|path| begins_with_one_of(path, &strange) || path.starts_with("std::time"))
                .collect()
        },
    );
}

#[test]
fn no_function_of_the_server_is_longer_than_a_screen() {
    check(
        |_| true,
        |file| {
            let long = file.functions().into_iter().filter(|one| one.lines > MOST_LINES);
            long.map(|one| format!("{} has {} lines", one.name, one.lines))
                .collect()
        },
    );
}

#[test]
fn a_cycle_is_found_and_what_leads_to_it_is_not_part_of_it() {
    let needs = |pairs: &[(&str, &str)]| -> BTreeSet<Need> {
        pairs
            .iter()
            .map(|(one, other)| ((*one).to_owned(), (*other).to_owned()))
            .collect()
    };
    let found = cyclic(needs(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]));
    assert_eq!(found, needs(&[("b", "c"), ("c", "b")]));
    assert_eq!(cyclic(needs(&[("a", "b"), ("b", "c"), ("a", "c")])), needs(&[]));
}

#[test]
fn a_child_is_distinguished_from_other_names() {
    let uses = |text: &str| uses_child(text.parse().expect("it is Rust"), "child");
    for text in ["use self::child::A;", "fn f() { a(child::b()) }", "use child::{A, B};"] {
        assert!(uses(text), "{text}");
    }
    for text in [
        "mod child;",
        "use crate::child::A;",
        "fn f(child: u8) { other::child::a(child) }",
    ] {
        assert!(!uses(text), "{text}");
    }
}
