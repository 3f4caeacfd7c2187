//! Reads cases of the compiler from Markdown pages, compares the diagnostics with what each case expects, and rewrites
//! the expected text with `REWRITE=1`.
//!
//! A case is a section (`##`) with two blocks: the input, which is an edit of the base (`diff`) or a whole contract
//! (`yaml`), and the expected text (`text`). `diff old` edits the base first, for one case or, above the first section,
//! for all cases of a page.

use similar::TextDiff;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An input and the expected diagnostics.
pub(crate) struct Case {
    page: PathBuf,
    pub(crate) heading: String,
    /// Edits of the base that are applied before the case.
    pub(crate) old: Vec<String>,
    pub(crate) input: Input,
    pub(crate) expected: String,
    /// The position of the expected text in the page.
    place: Range<usize>,
}

pub(crate) enum Input {
    /// Unchanged (` `), removed (`-`) and added (`+`) lines; a blank line marks omitted lines.
    Edit(String),
    Contract(String),
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "codegen/{}, `{}`", self.page.display(), self.heading)
    }
}

impl Case {
    /// Whether the case belongs to this page or folder of the crate.
    pub(crate) fn is_in(&self, path: &str) -> bool {
        self.page.starts_with(path)
    }

    fn rewrite(&self, actual: &str) {
        let mut page = read(&self.page);
        page.replace_range(self.place.clone(), actual);
        fs::write(in_crate(&self.page), page).expect("the page can be written");
    }
}

/// Compares the actual text of each case with its expected text. An error means that the input is not valid.
#[track_caller]
pub(crate) fn check(cases: &[Case], actual: impl Fn(&Case) -> Result<String, String>) {
    let rewrite = std::env::var_os("REWRITE").is_some();
    let mut wrong = Vec::new();
    // From the end of each page, so that the earlier positions stay valid.
    for case in cases.iter().rev() {
        match actual(case) {
            Ok(actual) if actual == case.expected => {}
            Ok(actual) if rewrite => case.rewrite(&actual),
            Ok(actual) => wrong.push(format!("{case}\n{}", difference(&case.expected, &actual))),
            Err(error) => wrong.push(format!("{case}\n{error}")),
        }
    }
    wrong.reverse();
    assert!(
        wrong.is_empty(),
        "not as expected (`REWRITE=1` writes it):\n\n{}",
        wrong.join("\n")
    );
}

/// What is found once for each text, and then shared by the tests.
pub(crate) struct Found<T>(Mutex<BTreeMap<String, Arc<T>>>);

impl<T> Found<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// What `find` finds for `text`. Two tests that ask at the same time may both find it.
    pub(crate) fn of(&self, text: &str, find: impl FnOnce() -> T) -> Arc<T> {
        let known = self.0.lock().expect("no test panics in here").get(text).cloned();
        known.unwrap_or_else(|| {
            let found = Arc::new(find());
            let mut all = self.0.lock().expect("no test panics in here");
            all.insert(text.to_owned(), Arc::clone(&found));
            found
        })
    }
}

/// Checks that no two cases have the same input, as `input` gives it.
#[track_caller]
pub(crate) fn check_distinct<I: Ord>(cases: &[Case], input: impl Fn(&Case) -> I) {
    let mut first = BTreeMap::new();
    for case in cases {
        if let Some(other) = first.insert(input(case), case) {
            panic!("{case} has the input of {other}");
        }
    }
}

fn difference(expected: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(expected, actual);
    diff.unified_diff().header("expected", "reported").to_string()
}

/// The cases of all pages in these folders of the crate.
pub(crate) fn cases(folders: &[&str]) -> Vec<Case> {
    let mut pages: Vec<PathBuf> = folders.iter().flat_map(|folder| pages(Path::new(folder))).collect();
    pages.sort();
    pages.iter().flat_map(|page| cases_of(page)).collect()
}

fn pages(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(in_crate(folder)).expect("the folder is there");
    let pages = entries.map(|entry| folder.join(entry.expect("the folder can be read").file_name()));
    pages.filter(|page| page.extension().is_some_and(|own| own == "md"))
}

fn in_crate(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(page: &Path) -> String {
    fs::read_to_string(in_crate(page)).expect("the page can be read")
}

fn cases_of(page: &Path) -> Vec<Case> {
    let text = read(page);
    let mut sections = sections(&text).into_iter();
    let (_, above) = sections.next().expect("what stands above the first heading");
    let old: Vec<String> = above.iter().map(|block| text[block.place.clone()].to_owned()).collect();
    let case = |(heading, blocks): (&str, Vec<Block>)| {
        let case = case(page, &text, heading, &blocks, &old);
        case.unwrap_or_else(|| panic!("{}, `{heading}`: not one input and one `text`", page.display()))
    };
    sections.map(case).collect()
}

fn case(page: &Path, text: &str, heading: &str, blocks: &[Block], old: &[String]) -> Option<Case> {
    let content = |block: &Block| text[block.place.clone()].to_owned();
    let (before, blocks): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.kind == "diff old");
    let [input, expected] = blocks[..] else { return None };
    if expected.kind != "text" {
        return None;
    }
    Some(Case {
        page: page.to_owned(),
        heading: heading.to_owned(),
        old: old.iter().cloned().chain(before.into_iter().map(content)).collect(),
        input: match input.kind {
            "diff" => Input::Edit(content(input)),
            "yaml" => Input::Contract(content(input)),
            _ => return None,
        },
        expected: content(expected),
        place: expected.place.clone(),
    })
}

/// A fenced block of a page.
struct Block<'a> {
    kind: &'a str,
    /// The lines between the fences.
    place: Range<usize>,
}

/// The sections of a page, each with its heading and blocks. The text above the first section has no heading.
fn sections(page: &str) -> Vec<(&str, Vec<Block<'_>>)> {
    let mut sections = vec![("", Vec::new())];
    let mut opened = None;
    let mut end = 0;
    for line in page.split_inclusive('\n') {
        let start = end;
        end += line.len();
        match (opened, line.trim_end().strip_prefix("```")) {
            (None, Some(kind)) => opened = Some((kind, end)),
            (Some((kind, from)), Some("")) => {
                let (_, blocks) = sections.last_mut().expect("it is never empty");
                blocks.push(Block {
                    kind,
                    place: from..start,
                });
                opened = None;
            }
            (None, None) => sections.extend(line.strip_prefix("## ").map(|heading| (heading.trim(), Vec::new()))),
            (Some(_), _) => {}
        }
    }
    assert!(opened.is_none(), "a block is not closed:\n{page}");
    sections
}

/// Applies the hunks of an edit to a contract. It is an error if the old side of a hunk does not occur exactly once.
pub(crate) fn edited(contract: &str, edit: &str) -> Result<String, String> {
    edit.split("\n\n").try_fold(contract.to_owned(), |contract, hunk| {
        let side = |without: char| -> String {
            let lines = hunk.lines().filter(|line| !line.starts_with(without));
            lines.map(|line| format!("{}\n", &line[1..])).collect()
        };
        let (old, new) = (side('+'), side('-'));
        match contract.matches(&old).count() {
            1 => Ok(contract.replacen(&old, &new, 1)),
            count => Err(format!("this stands {count} times in the contract, not once:\n{old}")),
        }
    })
}

/// The edit that reverts an edit.
pub(crate) fn inverted(edit: &str) -> String {
    let invert = |line: &str| match line.split_at_checked(1) {
        Some(("-", text)) => format!("+{text}\n"),
        Some(("+", text)) => format!("-{text}\n"),
        _ => format!("{line}\n"),
    };
    edit.lines().map(invert).collect()
}
