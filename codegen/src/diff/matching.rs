//! What operations name, and surfaces and operations themselves, brought together over two contracts.
//!
//! A request knows an operation by method and path, whatever the parameters in it are called. So what has the same ones is
//! the same operation under another name, and only then what has the same name is the same operation at another place.

use super::matched::{Matched, match_by};
use super::renames::Renames;
use super::{errors, limits, quotas};
use crate::model::{ErrorEntry, Limit, Model, Operation, Quota, Segment, Surface};
use std::collections::{BTreeSet, HashMap};

/// The surfaces of two contracts, and what is declared for them.
pub(super) struct MatchedContracts<'m> {
    /// Those that are in both.
    pub(super) surfaces: Vec<MatchedSurface<'m>>,
    /// Only in the old one.
    pub(super) removed: Vec<&'m Surface>,
    /// Only in the new one.
    pub(super) added: Vec<&'m Surface>,
    pub(super) limits: Matched<'m, Limit>,
    pub(super) quotas: Matched<'m, Quota>,
    pub(super) errors: Matched<'m, ErrorEntry>,
    /// `surface.operation` of what is in both: the old names and the new ones.
    renamed: HashMap<String, String>,
    kept: BTreeSet<String>,
}

/// A surface that is in both contracts, with its operations.
pub(super) struct MatchedSurface<'m> {
    pub(super) old: &'m Surface,
    pub(super) new: &'m Surface,
    /// Those that are in both.
    pub(super) operations: Vec<(&'m Operation, &'m Operation)>,
    /// Only in the old one.
    pub(super) removed: Vec<&'m Operation>,
    /// Only in the new one.
    pub(super) added: Vec<&'m Operation>,
}

impl<'m> MatchedContracts<'m> {
    pub(super) fn of(old: &'m Model, new: &'m Model, names: &Renames<'m>) -> MatchedContracts<'m> {
        let mut found = match_by(&old.surfaces, &new.surfaces, |surface| surface.name.as_str());
        let same_place = found.take_renamed(|old| Some(place(old)), |new| Some(place(new)));
        let same_base = found.take_renamed(|old| Some(old.base.as_str()), |new| Some(new.base.as_str()));
        let both = [found.kept, same_place, same_base].concat();
        let surfaces: Vec<_> = both.into_iter().map(|(old, new)| matched(old, new)).collect();
        let kept = surfaces.iter().flat_map(|surface| {
            let operations = surface.operations.iter();
            operations.map(|(old, new)| (name_of(surface.old, old), name_of(surface.new, new)))
        });
        let renamed: HashMap<_, _> = kept.collect();
        MatchedContracts {
            kept: renamed.values().cloned().collect(),
            renamed,
            limits: limits::matched(old, new),
            quotas: quotas::matched(old, new, names),
            errors: errors::matched(old, new),
            surfaces,
            removed: found.removed,
            added: found.added,
        }
    }

    /// The new name of an operation of the old contract that is in both, each as `surface.operation`.
    pub(super) fn now(&self, old: &str) -> Option<&str> {
        self.renamed.get(old).map(String::as_str)
    }

    /// An operation that is new on a surface and has the name of one that is gone from another, if there is one only.
    pub(super) fn successor(&self, gone: &Operation) -> Option<(&'m Surface, &'m Operation)> {
        let come = self.surfaces.iter().flat_map(|surface| {
            let operations = surface.added.iter();
            operations.map(|operation| (surface.new, *operation))
        });
        let of_surfaces = self.added.iter().flat_map(|surface| {
            let operations = surface.operations.iter();
            operations.map(|operation| (*surface, operation))
        });
        let mut same = come.chain(of_surfaces).filter(|(_, one)| one.name == gone.name);
        let first = same.next();
        first.filter(|_| same.next().is_none())
    }

    /// The operations of the old contract for which this holds, as far as the new one has them: by their new names.
    pub(super) fn still(&self, old: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
        let names = operations(old, holds).into_iter();
        names.filter_map(|name| self.renamed.get(&name).cloned()).collect()
    }

    /// The operations of the new contract for which this holds, as far as the old one had them.
    pub(super) fn already(&self, new: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
        operations(new, holds).intersection(&self.kept).cloned().collect()
    }
}

/// The operations for which this holds, as `surface.operation`.
pub(super) fn operations(model: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
    let holds = &holds;
    let of_surfaces = model.surfaces.iter().flat_map(|surface| {
        let those = surface.operations.iter().filter(|operation| holds(surface, operation));
        those.map(|operation| name_of(surface, operation))
    });
    of_surfaces.collect()
}

/// `surface.operation`
pub(super) fn name_of(surface: &Surface, operation: &Operation) -> String {
    format!("{}.{}", surface.name, operation.name)
}

/// Where the requests of a surface go.
fn place(surface: &Surface) -> (&str, Vec<(&str, Vec<&str>)>) {
    let mut operations: Vec<_> = surface.operations.iter().map(request_line).collect();
    operations.sort();
    (&surface.base, operations)
}

fn matched<'m>(old: &'m Surface, new: &'m Surface) -> MatchedSurface<'m> {
    let mut found = match_by(&old.operations, &new.operations, request_line);
    let moved = found.take_renamed(|old| Some(&old.name), |new| Some(&new.name));
    MatchedSurface {
        old,
        new,
        operations: [found.kept, moved].concat(),
        removed: found.removed,
        added: found.added,
    }
}

/// Method and path, parameters without their names.
pub(super) fn request_line(operation: &Operation) -> (&str, Vec<&str>) {
    let pieces = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => text.as_str(),
        Segment::Parameter(_) => ":",
    });
    (&operation.method, pieces.collect())
}
