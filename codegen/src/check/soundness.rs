//! How far a file with mistakes of form can be trusted.

use crate::report::Report;
use crate::spec::{Span, Word};
use crate::tree::{Form, Node};

/// The section whose entries nothing else looks into.
const SURFACES: &str = "surfaces";

/// What is still sound in a file with mistakes of form.
pub(crate) enum Soundness {
    /// Nothing: a whole section is missing or unreadable.
    Unsound,
    /// The names of all entries.
    Names(Entries),
    /// All entries but those of surfaces.
    Definitions(Entries),
}

/// Where the entries of the file begin, and which are broken.
#[derive(Default)]
pub(crate) struct Entries {
    starts: Vec<Entry>,
}

struct Entry {
    at: Span,
    kind: Kind,
    broken: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Section,
    Definition,
    Surface,
}

impl Soundness {
    /// Judges a tree by the mistakes that were found in it.
    pub(crate) fn of(tree: &Node, reports: &[Report]) -> Soundness {
        let mut entries = Entries::of(tree);
        for report in reports {
            match entries.around(report.at) {
                Some(index) => entries.starts[index].broken = true,
                None => return Soundness::Unsound,
            }
        }
        let is_broken = |kind| entries.starts.iter().any(|entry| entry.broken && entry.kind == kind);
        if is_broken(Kind::Section) {
            Soundness::Unsound
        } else if is_broken(Kind::Definition) {
            Soundness::Names(entries)
        } else {
            Soundness::Definitions(entries)
        }
    }

    /// Whether a mistake of meaning at this place is no mere consequence of one of form.
    pub(crate) fn trusts(&self, at: Span) -> bool {
        let (Soundness::Names(entries) | Soundness::Definitions(entries)) = self else {
            return false;
        };
        entries.around(at).is_some_and(|index| !entries.starts[index].broken)
    }
}

impl Entries {
    fn of(tree: &Node) -> Entries {
        let mut entries = Entries::default();
        for (section, body) in members(tree) {
            entries.begin(section, Kind::Section);
            for (name, entry) in members(body) {
                if section.text != SURFACES {
                    entries.begin(name, Kind::Definition);
                    continue;
                }
                entries.begin(name, Kind::Surface);
                let endpoints = members(entry)
                    .iter()
                    .filter(|(_, node)| matches!(node.form, Form::Map(_)));
                for (name, _) in endpoints.flat_map(|(_, endpoints)| members(endpoints)) {
                    entries.begin(name, Kind::Surface);
                }
            }
        }
        entries
    }

    fn begin(&mut self, name: &Word, kind: Kind) {
        let at = name.at;
        self.starts.push(Entry {
            at,
            kind,
            broken: false,
        });
    }

    /// The entry that a place lies in.
    fn around(&self, at: Span) -> Option<usize> {
        self.starts.partition_point(|entry| entry.at <= at).checked_sub(1)
    }
}

fn members(node: &Node) -> &[(Word, Node)] {
    match &node.form {
        Form::Map(entries) => entries,
        _ => &[],
    }
}
