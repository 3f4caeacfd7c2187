//! Decides which parts of a file with structural errors can still be checked.
//!
//! A structural error breaks its entry or its whole section. Broken entries are removed before the rules that look into
//! entries run, so that each error causes one diagnostic and independent errors are still reported.

use crate::diagnostic::{Diagnostic, Rule};
use crate::nearest::nearest;
use crate::rules::{Class, Needs};
use crate::syntax::{Decision, FILE, Names, Span, Spec, Table, Word};
use crate::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// The section whose entries have entries of their own.
const SURFACES: &str = "surfaces";
/// Sections that break as a whole, because their entries are of different kinds.
const WHOLE: [&str; 3] = ["api", "envelope", "events"];

/// The broken parts of a file.
#[derive(Default)]
pub(super) struct Damage {
    /// Sections that cannot be checked.
    sections: HashSet<String>,
    /// Entries that are broken, or that contain a broken endpoint: their section and name.
    entries: HashSet<(String, String)>,
    /// The sections of these entries.
    touched: HashSet<String>,
    /// The byte ranges of sections that cannot be checked: start → end.
    ranges: BTreeMap<usize, usize>,
    /// The positions of the names of broken entries and endpoints, and the bytes after these. Of a broken surface just its
    /// name, since its endpoints are checked.
    broken: BTreeMap<Span, usize>,
}

impl Damage {
    /// Finds the broken parts of a tree from the structural errors in it.
    pub(super) fn from_diagnostics(tree: &Node, diagnostics: &[Diagnostic]) -> Damage {
        let mut damage = Damage::default();
        let sections = members(tree);
        if !diagnostics.is_empty() {
            damage.missing_sections(sections);
        }
        for diagnostic in diagnostics {
            match entry_at(sections, diagnostic.at) {
                Some((key, node)) if diagnostic.at != tree.head => damage.section(key, node, diagnostic),
                _ => {}
            }
        }
        damage
    }

    fn missing_sections(&mut self, sections: &[(Word, Node)]) {
        let is_there = |name: &&str| sections.iter().any(|(key, _)| key.text == *name);
        let missing = FILE.required().filter(|name| !is_there(name));
        self.sections.extend(missing.map(str::to_owned));
    }

    fn section(&mut self, key: &Word, node: &Node, diagnostic: &Diagnostic) {
        if self.ranges.contains_key(&key.at.start) {
            return;
        }
        // The reader keeps the first of several entries with one name.
        let at = match diagnostic.related.first() {
            Some((first, _)) if diagnostic.rule == Rule::DuplicateKey => *first,
            _ => diagnostic.at,
        };
        match entry_at(members(node), at) {
            _ if FILE.key(&key.text).is_none() => {
                self.sections
                    .extend(nearest(&key.text, FILE.names()).map(str::to_owned));
                self.ranges.insert(key.at.start, node.at.end + 1);
            }
            Some((name, entry)) if !WHOLE.contains(&key.text.as_str()) => {
                self.touched.insert(key.text.clone());
                self.entries.insert((key.text.clone(), name.text.clone()));
                self.entry(key.text == SURFACES, (name, entry), at);
            }
            _ => {
                self.sections.insert(key.text.clone());
                self.ranges.insert(key.at.start, node.at.end + 1);
            }
        }
    }

    fn entry(&mut self, is_surface: bool, (name, entry): (&Word, &Node), at: Span) {
        let mut inside = members(entry).iter().filter(|(key, _)| key.text == "endpoints");
        let mut endpoint = || inside.find_map(|(_, endpoints)| entry_at(members(endpoints), at));
        let (name, end) = match is_surface {
            true => endpoint().map_or((name, name.at.end), |(name, node)| (name, node.at.end)),
            false => (name, entry.at.end),
        };
        self.broken.insert(name.at, end.max(name.at.end));
    }

    /// The specification and its names without the broken parts. A broken surface keeps its endpoints; its credential and
    /// its limit are replaced by unknown names.
    pub(super) fn prune<'s>(&self, spec: &'s Spec, names: &'s Names) -> (Cow<'s, Spec>, Cow<'s, Names>) {
        if self.touched.is_empty() && self.sections.is_empty() {
            return (Cow::Borrowed(spec), Cow::Borrowed(names));
        }
        let (mut spec, mut names) = (spec.clone(), names.clone());
        names.retain(|at| self.is_sound(at));
        self.retain(&mut spec.decisions);
        spec.decisions.retain(|(_, decision)| !self.is_about(decision));
        self.retain(&mut spec.errors);
        self.retain(&mut spec.limits);
        self.retain(&mut spec.limit_headers);
        self.retain(&mut spec.quotas);
        self.retain(&mut spec.credentials);
        self.retain(&mut spec.types);
        self.retain(&mut spec.enums);
        self.retain(&mut spec.states);
        self.retain(&mut spec.objects);
        self.retain(&mut spec.inputs);
        self.retain(&mut spec.resources);
        for (name, surface) in spec.surfaces.iter_mut() {
            if !self.is_sound(name.at) {
                surface.credential = Some(Word::default());
                surface.limits = vec![Word::default()];
            }
            self.retain(&mut surface.endpoints);
        }
        (Cow::Owned(spec), Cow::Owned(names))
    }

    /// Whether a decision names a broken part.
    fn is_about(&self, decision: &Decision) -> bool {
        let path = decision.at.as_ref().map_or("", |at| &at.text);
        let Some((section, rest)) = path.split_once('.') else {
            return false;
        };
        let ends = rest.match_indices('.').map(|(dot, _)| dot).chain([rest.len()]);
        let mut names = ends.map(|end| &rest[..end]);
        names.any(|name| self.entries.contains(&(section.to_owned(), name.to_owned())))
    }

    fn retain<T>(&self, table: &mut Table<T>) {
        table.retain(|(name, _)| self.is_sound(name.at));
    }

    /// Whether a position is outside of broken entries.
    fn is_sound(&self, at: Span) -> bool {
        let before = self.broken.range(..=at).next_back();
        before.is_none_or(|(_, end)| at.start >= *end)
    }

    /// Whether a position is in a section that cannot be checked.
    fn is_unread(&self, at: Span) -> bool {
        let before = self.ranges.range(..=at.start).next_back();
        before.is_some_and(|(_, end)| at.start < *end)
    }

    /// Whether a semantic error is not just a consequence of a structural error.
    pub(super) fn trusts(&self, diagnostic: &Diagnostic) -> bool {
        if self.broken.contains_key(&diagnostic.at) || self.is_unread(diagnostic.at) {
            return false;
        }
        let Class::Mistake(needs) = diagnostic.rule.class() else {
            return true;
        };
        match needs {
            Needs::Nothing => true,
            Needs::Names(sections) => !sections.iter().any(|section| self.sections.contains(*section)),
            Needs::AnyName | Needs::AllSections => self.sections.is_empty(),
            Needs::Entries(sections) => {
                self.sections.is_empty() && !sections.iter().any(|section| self.touched.contains(*section))
            }
        }
    }
}

/// The entry that contains a position. Entries do not overlap and are in order.
fn entry_at(entries: &[(Word, Node)], at: Span) -> Option<&(Word, Node)> {
    let behind = entries.partition_point(|(key, _)| key.at.start <= at.start);
    let (key, node) = entries[..behind].last()?;
    (at.start <= node.at.end.max(key.at.end)).then_some(&entries[behind - 1])
}

fn members(node: &Node) -> &[(Word, Node)] {
    match &node.form {
        Value::Map(entries) => entries,
        _ => &[],
    }
}
