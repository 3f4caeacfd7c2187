//! `codegen diff`: what has changed between two contracts, whom it affects, and whether it breaks the old contract.
//!
//! ```text
//! two contracts ─ codegen::diff ─▶ changes ─ allowances ─▶ Comparison ─▶ text, Markdown or JSON
//! ```
//!
//! [`codegen::diff`] finds the changes, and [`codegen::rules`] defines their severity.

mod affected;
mod allowances;
mod json;
mod markdown;
mod place;
mod text;

use crate::input::Input;
use crate::output::{Output, Status, counted};
use affected::Affected;
use allowances::Allowances;
use clap::{Args, ValueEnum};
use codegen::Model;
use codegen::diff::Change;
use codegen::rules::{Rule, Severity};
use codegen::yaml::{self, Node};
use place::{SourceLocation, What};
use std::path::{Path, PathBuf};

/// The two contracts, the format of the output, and the allowed changes.
#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The old contract, which clients rely on; `-` is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The new contract; `-` is standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Allow a breaking change: RULE@PATH: REASON, with RULE@PATH as the output names it (can be repeated)
    #[arg(long, value_name = "ALLOWANCE")]
    allow: Vec<String>,

    /// Read allowances from a file, one per line; lines that begin with `#` are comments
    #[arg(long, value_name = "FILE")]
    allow_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each change with its old and its new place, for a terminal
    Text,
    /// A page for the affected clients
    Markdown,
    /// For scripts
    Json,
}

/// A contract with its text.
struct Contract {
    input: Input,
    model: Model,
    tree: Node,
}

/// Two contracts, and what has changed.
struct Comparison<'c> {
    old: &'c Contract,
    new: &'c Contract,
    /// The most severe first; within a severity in the order of a contract.
    found: Vec<Found>,
}

/// A change with its context for the outputs.
struct Found {
    change: Change,
    rule: Rule,
    old: Option<SourceLocation>,
    new: Option<SourceLocation>,
    affected: Affected,
    /// The reason of its allowance.
    allowed: Option<String>,
}

/// A number of changes.
#[derive(Clone, Copy)]
struct Count {
    all: usize,
    /// How many of them are allowed.
    allowed: usize,
}

pub(crate) fn run(arguments: &DiffArguments) -> Output {
    compared(arguments).unwrap_or_else(|failure| failure)
}

fn compared(arguments: &DiffArguments) -> Result<Output, Output> {
    let allowances = Allowances::read(&arguments.allow, arguments.allow_file.as_deref()).map_err(failed)?;
    let (old, new) = contracts(&arguments.old, &arguments.new)?;
    let changes = codegen::diff::compare(&old.model, &new.model);
    let unused = allowances.unused(&changes);
    let comparison = Comparison::new(&old, &new, changes, &allowances);
    let mut output = Output::from_text(match arguments.format {
        Format::Text => text::draw(&comparison),
        Format::Markdown => markdown::page(&comparison),
        Format::Json => json::object(&comparison),
    });
    if comparison.found.iter().any(Found::breaks) {
        output.status = Status::Wrong;
    }
    unused.iter().for_each(|message| output.fail(message));
    Ok(output)
}

fn failed(messages: Vec<String>) -> Output {
    let mut output = Output::default();
    messages.iter().for_each(|message| output.fail(message));
    output
}

/// Reads and compiles both contracts; the error is the diagnostics of either.
fn contracts(old: &Path, new: &Path) -> Result<(Contract, Contract), Output> {
    let standard = Path::new("-");
    if old == standard && new == standard {
        let message = "only one of the two contracts can be `-` (standard input): name a file for the other";
        return Err(Output::failed(message));
    }
    match (Contract::read(old), Contract::read(new)) {
        (Ok(old), Ok(new)) => Ok((old, new)),
        (Err(old), Err(new)) => Err(old.and(new)),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

impl Contract {
    fn read(file: &Path) -> Result<Self, Output> {
        let input = Input::read(file).map_err(|message| Output::failed(&message))?;
        let model = input.compile()?;
        let tree = yaml::parse(&input.text, &mut Vec::new()).expect("a contract that compiles has a tree");
        Ok(Contract { input, model, tree })
    }
}

impl<'c> Comparison<'c> {
    fn new(old: &'c Contract, new: &'c Contract, changes: Vec<Change>, allowances: &Allowances) -> Self {
        let found = changes.into_iter().map(|change| {
            let what = what_changed(&change, old, new);
            let place =
                |path: &Option<String>, contract| Some(SourceLocation::from_path(path.as_ref()?, contract, what));
            Found {
                rule: change.rule,
                old: place(&change.old, old),
                new: place(&change.new, new),
                affected: Affected::from_names(&change.operations, &old.model, &new.model),
                allowed: allowances.reason(&change).map(str::to_owned),
                change,
            }
        });
        let mut found: Vec<Found> = found.collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.rule.severity()));
        Comparison { old, new, found }
    }

    /// The number of changes of a severity.
    fn count(&self, severity: Severity) -> Count {
        let found = self.found.iter();
        Count::from_changes(found.filter(|found| found.rule.severity() == severity))
    }

    /// The number of changes, the most severe first, each severity rendered by `render`; `None` if there is no change.
    fn verdict(&self, render: impl Fn(Severity, &str) -> String) -> Option<String> {
        let severities = [Severity::Breaking, Severity::Risky, Severity::Compatible];
        let counts = severities.map(|severity| (severity, self.count(severity)));
        let parts = counts.into_iter().filter(|(_, count)| count.all > 0);
        let parts = parts.map(|(severity, count)| {
            let changes = counted(count.all, &format!("{} change", severity.label()));
            format!("{}{}", render(severity, &changes), count.allowed_in_brackets())
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The places of a change in the old and in the new contract, each with its contract.
    fn places<'f>(&self, found: &'f Found) -> [Option<(&'f SourceLocation, &'c Contract)>; 2] {
        [
            found.old.as_ref().map(|place| (place, self.old)),
            found.new.as_ref().map(|place| (place, self.new)),
        ]
    }
}

/// Whether the name has changed, been added or been removed, or else the value.
fn what_changed(change: &Change, old: &Contract, new: &Contract) -> What {
    let name = |path: &Option<String>, contract: &Contract| {
        let key = contract.tree.key(path.as_deref()?)?;
        Some(key.text.clone())
    };
    match (&change.old, &change.new) {
        (Some(_), Some(_)) if name(&change.old, old) == name(&change.new, new) => What::Value,
        _ => What::Name,
    }
}

impl Found {
    /// Whether it breaks something, and is not allowed.
    fn breaks(&self) -> bool {
        self.rule.severity() == Severity::Breaking && self.allowed.is_none()
    }

    /// The affected operations, in at most `most` words; `None` if the message names them.
    fn concerns(&self, most: usize) -> Option<String> {
        let words = self.affected.words(most)?;
        (!self.change.message().contains(&words)).then_some(words)
    }
}

impl Count {
    fn from_changes<'f>(found: impl Iterator<Item = &'f Found>) -> Self {
        let nothing = Count { all: 0, allowed: 0 };
        found.fold(nothing, |count, found| Count {
            all: count.all + 1,
            allowed: count.allowed + usize::from(found.allowed.is_some()),
        })
    }

    /// ` (2 allowed)`, with a leading blank; empty if none is allowed.
    fn allowed_in_brackets(self) -> String {
        match self.allowed {
            0 => String::new(),
            allowed if allowed == self.all => " (allowed)".to_owned(),
            allowed => format!(" ({allowed} allowed)"),
        }
    }
}
