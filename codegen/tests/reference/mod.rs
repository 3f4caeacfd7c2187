//! `codegen/REFERENCE.md`: the reference of the language, generated from the tables of the language and the catalogue of
//! rules. `REWRITE=1 cargo test -p hitode-codegen reference` writes it.

mod forms;
mod keys;
mod page;
mod rules;

use page::Page;
use similar::TextDiff;
use std::fs;
use std::path::PathBuf;

#[test]
fn the_reference_is_current() {
    let (file, current) = (folder().join("REFERENCE.md"), reference());
    if std::env::var_os("REWRITE").is_some() {
        fs::write(file, current).expect("the reference can be written");
        return;
    }
    let stored = fs::read_to_string(file).unwrap_or_default();
    if stored != current {
        let difference = TextDiff::from_lines(&stored, &current).unified_diff().to_string();
        panic!("REFERENCE.md is not current; REWRITE=1 writes it\n{difference}");
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_link_within_a_page_leads_to_one_heading() {
    for page in ["README.md", "REFERENCE.md"] {
        check_links(&fs::read_to_string(folder().join(page)).expect(page));
    }
}

#[track_caller]
fn check_links(text: &str) {
    let code = text.split("\n```").skip(1).step_by(2);
    let prose = code.fold(text.to_owned(), |prose, code| prose.replacen(code, "", 1));
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let mut anchors: Vec<String> = headings
        .map(|line| page::anchor(line.trim_start_matches('#')))
        .collect();
    let links = prose.split("](#").skip(1).filter_map(|rest| rest.split_once(')'));
    let is_broken = |link: &&str| !anchors.iter().any(|anchor| anchor == link);
    let broken: Vec<&str> = links.map(|(link, _)| link).filter(is_broken).collect();
    assert!(broken.is_empty(), "{broken:?}");
    anchors.sort();
    let twice: Vec<_> = anchors.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "two headings have one anchor: {twice:?}");
}

fn reference() -> String {
    let mut page = Page::default();
    page.heading(1, "The contract language");
    page.comment(
        "Generated from `src/language` and `src/rules` by `REWRITE=1 cargo test -p hitode-codegen reference`.",
    );
    page.paragraph(
        "A contract is a UTF-8 file of at most 1 MiB, in plain YAML: maps, lists and scalars, as blocks or in one \
         line (`{ key: value }`, `[item]`). There are no anchors, aliases, tags or second documents, and no key \
         occurs twice in a map. Unknown keys are errors, and so are declarations that do not fit together: `codegen \
         check` reports all errors at once, each with its line and how to fix it.",
    );
    page.paragraph(
        "An editor with a YAML language server completes, explains and validates a contract if the first line names \
         the schema: `# yaml-language-server: $schema=…/codegen/schema.json`. `codegen schema` writes it.",
    );
    contents(&mut page);
    keys::write(&mut page);
    forms::write(&mut page);
    rules::write(&mut page);
    page.text()
}

fn contents(page: &mut Page) {
    let chapters = keys::chapters().map(|key| page::link(&format!("`{}`", key.name), key.name));
    let chapters: Vec<String> = chapters.collect();
    page.item(0, &format!("The sections of a contract: {}", chapters.join(", ")));
    let forms = forms::titles().into_iter().map(|title| page::link(title, title));
    let forms: Vec<String> = forms.collect();
    page.item(
        0,
        &format!(
            "{}: {}",
            page::link("The syntax of values", "The syntax of values"),
            forms.join(", ")
        ),
    );
    page.item(
        0,
        &format!("{}, and where each is explained", page::link("The rules", "The rules")),
    );
    page.end_of_list();
}
