//! Matches surfaces, operations, and the declarations that operations name, over two contracts.
//!
//! Clients identify an operation by method and whole path, whatever the names of its parameters. So operations match first
//! by these, then by method and route below the base path, and only then by name.

use super::identity;
use super::matched::{Matched, match_by};
use super::renames::Renames;
use crate::model::{ErrorEntry, Limit, Model, Operation, Quota, Segment, Surface};
use std::collections::{BTreeSet, HashMap};

/// The matched surfaces of two contracts, and the declarations that they name.
pub(crate) struct MatchedContracts<'m> {
    /// In both contracts.
    pub(crate) surfaces: Vec<MatchedSurface<'m>>,
    /// Only in the old contract.
    pub(crate) removed: Vec<&'m Surface>,
    /// Only in the new contract.
    pub(crate) added: Vec<&'m Surface>,
    pub(crate) limits: Matched<'m, Limit>,
    pub(crate) quotas: Matched<'m, Quota>,
    pub(crate) errors: Matched<'m, ErrorEntry>,
    /// `surface.operation` of operations in both contracts: the new names by the old ones.
    renamed: HashMap<String, String>,
    kept: BTreeSet<String>,
}

/// A surface that is in both contracts, with its operations.
pub(crate) struct MatchedSurface<'m> {
    pub(crate) old: &'m Surface,
    pub(crate) new: &'m Surface,
    /// In both contracts.
    pub(crate) operations: Vec<(&'m Operation, &'m Operation)>,
    /// Only in the old contract.
    pub(crate) removed: Vec<&'m Operation>,
    /// Only in the new contract.
    pub(crate) added: Vec<&'m Operation>,
}

impl<'m> MatchedContracts<'m> {
    pub(crate) fn from_models(old: &'m Model, new: &'m Model, names: &Renames<'m>) -> MatchedContracts<'m> {
        let mut found = match_by(&old.surfaces, &new.surfaces, |surface| surface.name.as_str());
        let same_place = found.take_renamed(|old| Some(addresses(old)), |new| Some(addresses(new)));
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
            limits: identity::limits(old, new),
            quotas: identity::quotas(old, new, names),
            errors: identity::errors(old, new),
            surfaces,
            removed: found.removed,
            added: found.added,
        }
    }

    /// The new name of an old operation that is in both contracts, each as `surface.operation`.
    pub(crate) fn now(&self, old: &str) -> Option<&str> {
        self.renamed.get(old).map(String::as_str)
    }

    /// The added operation on another surface with the name of a removed one; `None` if there are several.
    pub(crate) fn successor(&self, gone: &Operation) -> Option<(&'m Surface, &'m Operation)> {
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

    /// The matching operations of the old contract that are in both, by their new names.
    pub(crate) fn still(&self, old: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
        let names = operations(old, holds).into_iter();
        names.filter_map(|name| self.renamed.get(&name).cloned()).collect()
    }

    /// The matching operations of the new contract that are in both.
    pub(crate) fn already(&self, new: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
        operations(new, holds).intersection(&self.kept).cloned().collect()
    }
}

/// The operations for which `holds` is true, as `surface.operation`.
pub(crate) fn operations(model: &Model, holds: impl Fn(&Surface, &Operation) -> bool) -> BTreeSet<String> {
    let holds = &holds;
    let of_surfaces = model.surfaces.iter().flat_map(|surface| {
        let those = surface.operations.iter().filter(|operation| holds(surface, operation));
        those.map(|operation| name_of(surface, operation))
    });
    of_surfaces.collect()
}

/// `surface.operation`
pub(crate) fn name_of(surface: &Surface, operation: &Operation) -> String {
    format!("{}.{}", surface.name, operation.name)
}

/// The addresses of a surface's operations, in no order.
fn addresses(surface: &Surface) -> BTreeSet<RequestLine<'_>> {
    let operations = surface.operations.iter();
    operations.map(|operation| address(surface, operation)).collect()
}

fn matched<'m>(old: &'m Surface, new: &'m Surface) -> MatchedSurface<'m> {
    let mut found = Matched {
        kept: Vec::new(),
        removed: old.operations.iter().collect(),
        added: new.operations.iter().collect(),
    };
    let stayed = found.take_renamed(|one| Some(address(old, one)), |one| Some(address(new, one)));
    let same_route = found.take_renamed(|one| Some(request_line(one)), |one| Some(request_line(one)));
    let moved = found.take_renamed(|old| Some(&old.name), |new| Some(&new.name));
    let mut operations = [stayed, same_route].concat();
    operations.sort_by_key(|(_, new)| new.at.start);
    MatchedSurface {
        old,
        new,
        operations: [operations, moved].concat(),
        removed: found.removed,
        added: found.added,
    }
}

/// A method, and the pieces of a path with parameter names removed.
type RequestLine<'m> = (&'m str, Vec<&'m str>);

/// The request line with the whole path, as clients know it.
pub(crate) fn address<'m>(surface: &'m Surface, operation: &'m Operation) -> RequestLine<'m> {
    let (method, route) = request_line(operation);
    let base = surface.base.split('/').filter(|piece| !piece.is_empty());
    (method, base.chain(route).collect())
}

/// The request line below the base path.
pub(crate) fn request_line(operation: &Operation) -> RequestLine<'_> {
    let pieces = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => text.as_str(),
        Segment::Parameter(_) => ":",
    });
    (&operation.method, pieces.collect())
}
