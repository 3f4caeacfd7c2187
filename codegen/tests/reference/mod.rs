//! The reference of the language in `codegen/README.md`: the part of that file between two marks is made of the tables
//! of the language and of the catalogue of rules, and kept current here.
//!
//! `REWRITE=1 cargo test -p hitode-codegen reference` writes it anew; a file without the marks gets them at its end.

mod forms;
mod keys;
mod page;
mod rules;

use page::Page;
use similar::TextDiff;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- reference: begin -->\n";
const END: &str = "<!-- reference: end -->\n";

#[test]
fn the_reference_is_current() {
    let text = readme();
    let (before, kept, after) = parts(&text);
    let made = reference();
    if std::env::var_os("REWRITE").is_some() {
        fs::write(file(), [before, BEGIN, &made, END, after].concat()).expect("the README can be written");
    } else if kept != made {
        let difference = TextDiff::from_lines(kept, &made).unified_diff().to_string();
        panic!("the reference is another one than is kept; REWRITE=1 takes it as it is now\n{difference}");
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(file()).expect("codegen has a README")
}

/// What stands before the reference, the reference, and what stands behind it.
fn parts(text: &str) -> (&str, &str, &str) {
    let Some((before, rest)) = text.split_once(BEGIN) else {
        return (text, "", "");
    };
    let (kept, after) = rest.split_once(END).expect("the reference has an end");
    (before, kept, after)
}

/// Links within the page lead to a heading of it, and only to one.
#[test]
fn every_link_of_the_page_leads_to_a_heading() {
    let text = readme();
    let code = text.split("\n```").skip(1).step_by(2);
    let prose = code.fold(text.clone(), |prose, code| prose.replacen(code, "", 1));
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
    page.comment(
        "Written by `REWRITE=1 cargo test -p hitode-codegen reference`; what it says stands in `src/language`.",
    );
    page.heading(2, "The language");
    page.paragraph(
        "A contract is a file of UTF-8 with at most 1 MiB, in plain YAML: maps, lists and scalars, as blocks or in one line \
         (`{ key: value }`, `[item]`). There are no anchors, aliases, tags or second documents, and no key stands twice. \
         What the language does not have is a mistake, and so is what does not fit together: `codegen check` tells all \
         of them at once, each with its place and what to do.",
    );
    page.paragraph(
        "An editor with a YAML language server completes, explains and underlines a contract whose first line names the \
         schema: `# yaml-language-server: $schema=…/codegen/schema.json`. `codegen schema` writes it.",
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
            page::link("The forms of values", "The forms of values"),
            forms.join(", ")
        ),
    );
    page.item(
        0,
        &format!("{}, and where each is explained", page::link("The rules", "The rules")),
    );
    page.end_of_list();
}
