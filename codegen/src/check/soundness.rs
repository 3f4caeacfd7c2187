//! Decides which parts of a file with structural errors can still be checked.
//!
//! A structural error breaks its entry or its whole section. Broken entries are removed before the rules that look into
//! entries run, so that each error causes one diagnostic and independent errors are still reported.

use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::rules::{Class, Needs};
use crate::syntax::{Decision, FILE, Span, Spec, Table, Word};
use crate::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// The section whose entries have entries of their own.
const SURFACES: &str = "surfaces";
/// Sections that break as a whole, because their entries are of different kinds.
const WHOLE: [&str; 2] = ["api", "envelope"];

/// The broken parts of a file.
#[derive(Default)]
pub(super) struct Damage {
    /// Sections that cannot be checked.
    sections: HashSet<String>,
    /// Broken entries: their section and name.
    entries: HashSet<(String, String)>,
    /// Broken endpoints: their surface and name.
    endpoints: HashSet<(String, String)>,
    /// Entries that are broken, or that contain a broken endpoint.
    inside: HashSet<(String, String)>,
    /// Sections that cannot be checked, or that contain a broken part.
    touched: HashSet<String>,
    /// The byte ranges of sections that cannot be checked: start → end.
    ranges: BTreeMap<usize, usize>,
    /// The positions of the names of broken entries.
    names: HashSet<Span>,
}

impl Damage {
    /// Finds the broken parts of a tree from the structural errors in it.
    pub(super) fn of(tree: &Node, diagnostics: &[Diagnostic]) -> Damage {
        let mut damage = Damage::default();
        let sections = members(tree);
        if !diagnostics.is_empty() {
            damage.missing_sections(sections);
        }
        for diagnostic in diagnostics {
            match entry_at(sections, diagnostic.at) {
                Some((key, node)) if diagnostic.at != tree.head => damage.section(key, node, diagnostic.at),
                _ => {}
            }
        }
        let of_endpoints = damage
            .endpoints
            .iter()
            .map(|(surface, _)| (SURFACES.to_owned(), surface.clone()));
        damage.inside = of_endpoints.chain(damage.entries.iter().cloned()).collect();
        let of_entries = damage.inside.iter().map(|(section, _)| section);
        damage.touched = of_entries.chain(&damage.sections).cloned().collect();
        damage
    }

    fn missing_sections(&mut self, sections: &[(Word, Node)]) {
        let is_there = |name: &&str| sections.iter().any(|(key, _)| key.text == *name);
        let missing = FILE.required().filter(|name| !is_there(name));
        self.sections.extend(missing.map(str::to_owned));
    }

    fn section(&mut self, key: &Word, node: &Node, at: Span) {
        if self.ranges.contains_key(&key.at.start) {
            return;
        }
        let entry = entry_at(members(node), at);
        match entry {
            _ if FILE.key(&key.text).is_none() => {
                self.sections
                    .extend(nearest(&key.text, FILE.names()).map(str::to_owned));
                self.ranges.insert(key.at.start, node.at.end + 1);
            }
            Some((name, entry)) if !WHOLE.contains(&key.text.as_str()) => self.entry(key, (name, entry), at),
            _ => {
                self.sections.insert(key.text.clone());
                self.ranges.insert(key.at.start, node.at.end + 1);
            }
        }
    }

    fn entry(&mut self, section: &Word, (name, entry): (&Word, &Node), at: Span) {
        if section.text == SURFACES {
            let mut endpoints = members(entry).iter().filter(|(key, _)| key.text == "endpoints");
            if let Some((endpoint, _)) = endpoints.find_map(|(_, endpoints)| entry_at(members(endpoints), at)) {
                self.names.insert(endpoint.at);
                self.endpoints.insert((name.text.clone(), endpoint.text.clone()));
                return;
            }
        }
        self.names.insert(name.at);
        self.entries.insert((section.text.clone(), name.text.clone()));
    }

    /// The specification without the broken parts. A broken surface keeps its endpoints; its credential and its limit
    /// are replaced by unknown names.
    pub(super) fn prune<'s>(&self, spec: &'s Spec) -> Cow<'s, Spec> {
        if self.touched.is_empty() {
            return Cow::Borrowed(spec);
        }
        let mut spec = spec.clone();
        self.retain("decisions", &mut spec.decisions);
        spec.decisions.retain(|(_, decision)| !self.is_about(decision));
        self.retain("errors", &mut spec.errors);
        self.retain("limits", &mut spec.limits);
        self.retain("limit_headers", &mut spec.limit_headers);
        self.retain("quotas", &mut spec.quotas);
        self.retain("credentials", &mut spec.credentials);
        self.retain("types", &mut spec.types);
        self.retain("enums", &mut spec.enums);
        self.retain("states", &mut spec.states);
        self.retain("objects", &mut spec.objects);
        self.retain("inputs", &mut spec.inputs);
        self.retain("resources", &mut spec.resources);
        for (name, surface) in spec.surfaces.iter_mut() {
            if self.is_broken(SURFACES, name) {
                surface.credential = Some(Word::default());
                surface.limits = vec![Word::default()];
            }
            let is_sound = |endpoint: &Word| !self.endpoints.contains(&(name.text.clone(), endpoint.text.clone()));
            surface.endpoints.retain(|(endpoint, _)| is_sound(endpoint));
        }
        Cow::Owned(spec)
    }

    /// Whether a decision names a broken part.
    fn is_about(&self, decision: &Decision) -> bool {
        let path = decision.at.as_ref().map_or("", |at| &at.text);
        let Some((section, rest)) = path.split_once('.') else {
            return false;
        };
        let ends = rest.match_indices('.').map(|(dot, _)| dot).chain([rest.len()]);
        let mut names = ends.map(|end| &rest[..end]);
        names.any(|name| self.inside.contains(&(section.to_owned(), name.to_owned())))
    }

    fn retain<T>(&self, section: &str, table: &mut Table<T>) {
        table.retain(|(name, _)| !self.is_broken(section, name));
    }

    fn is_broken(&self, section: &str, name: &Word) -> bool {
        self.entries.contains(&(section.to_owned(), name.text.clone()))
    }

    /// Whether a position is in a section that cannot be checked.
    fn is_unread(&self, at: Span) -> bool {
        let before = self.ranges.range(..=at.start).next_back();
        before.is_some_and(|(_, end)| at.start < *end)
    }

    /// Whether a semantic error is not just a consequence of a structural error.
    pub(super) fn trusts(&self, diagnostic: &Diagnostic) -> bool {
        if self.names.contains(&diagnostic.at) || self.is_unread(diagnostic.at) {
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
