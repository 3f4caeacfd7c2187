//! Detects renames: removed and added declarations with the same content.
//!
//! Only the author of the handlers sees the name of a declaration, so its uses have not changed if only its name has.
//! Names in requests and answers are compared at their place.

use super::declared::Declared;
use super::fingerprint::Fingerprint;
use super::matched::match_by;
use super::renames::{MemberKind, Namespace, Renames};
use crate::model::{Body, Enum, Field, Model, Resource, Type, TypeRule, View};
use std::collections::HashSet;

/// Maximum number of rounds: the levels of types within types.
const DEEPEST: usize = 16;

impl<'m> Renames<'m> {
    /// Detects the renames between two contracts, the new one given with its declarations.
    pub(crate) fn detect(old: &'m Model, (new, now): (&'m Model, &Declared<'m>)) -> Renames<'m> {
        let mut names = Renames::default();
        for resource in &old.resources {
            let items = resource.fields.iter().filter_map(|field| {
                let object = old.items(&field.of)?;
                Some(((resource.name.as_str(), field.name.as_str()), object.name.as_str()))
            });
            names.items.extend(items);
        }
        // A rename can make the contents of the declarations that use it equal, so this repeats for each level of
        // types.
        let _ = (0..DEEPEST).find(|_| !names.declarations(old, new));
        names.insides(old, now);
        names
    }

    /// Whether two types are equal except for names that clients do not see.
    pub(crate) fn are_equal_types(&self, old: &Type, new: &Type) -> bool {
        Renames::content(Some(self), old) == Renames::content(None, new)
    }

    /// The same for the rules of named types.
    pub(crate) fn are_equal_rules(&self, old: &TypeRule, new: &TypeRule) -> bool {
        Fingerprint { names: Some(self) }.rule(old) == Fingerprint { names: None }.rule(new)
    }

    /// The same for enumerations, ignoring the order of their values.
    pub(crate) fn are_equal_enums(&self, old: &Enum, new: &Enum) -> bool {
        Fingerprint { names: Some(self) }.enumeration(old) == Fingerprint { names: None }.enumeration(new)
    }

    /// The same for views.
    pub(crate) fn are_equal_views(&self, (resource, old): (&str, &View), (new_resource, new): (&str, &View)) -> bool {
        Fingerprint { names: Some(self) }.view(resource, old) == Fingerprint { names: None }.view(new_resource, new)
    }

    /// The same for bodies.
    pub(crate) fn are_equal_bodies(&self, old: &Body, new: &Body) -> bool {
        Fingerprint { names: Some(self) }.body(old) == Fingerprint { names: None }.body(new)
    }

    /// A type as text, so that equal types have equal texts. A type of the old contract is written with the new names
    /// in `names`.
    pub(crate) fn content(names: Option<&Renames<'_>>, of: &Type) -> String {
        Fingerprint { names }.of(of)
    }

    /// Pairs declarations with the same content under the known renames; returns whether it found any.
    fn declarations(&mut self, old: &'m Model, new: &'m Model) -> bool {
        let before = self.declared.len();
        let types = |model: &'m Model, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let of = model.types.iter();
            of.map(|named| (named.name.as_str(), from.rule(&named.rule))).collect()
        };
        let enums = |model: &'m Model, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let of = model.enums.iter();
            of.map(|one| (one.name.as_str(), from.enumeration(one))).collect()
        };
        let objects = |model: &'m Model, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let of = model.objects.iter();
            of.map(|object| (object.name.as_str(), from.fields(&object.members)))
                .collect()
        };
        let inputs = |model: &'m Model, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let of = model.inputs.iter();
            of.map(|input| (input.name.as_str(), from.body(&input.body))).collect()
        };
        let resources = |model: &'m Model, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let of = model.resources.iter();
            of.map(|resource| (resource.name.as_str(), from.resource(resource)))
                .collect()
        };
        self.pair(Namespace::Type, (old, new), types);
        self.pair(Namespace::Enum, (old, new), enums);
        self.pair(Namespace::Object, (old, new), objects);
        self.pair(Namespace::Resource, (old, new), resources);
        self.pair(Namespace::Input, (old, new), inputs);
        self.declared.len() > before
    }

    fn pair(
        &mut self,
        sort: Namespace,
        (old, new): (&'m Model, &'m Model),
        contents: impl Fn(&'m Model, Fingerprint<'_, 'm>) -> Vec<(&'m str, String)>,
    ) {
        let old = contents(old, Fingerprint { names: Some(self) });
        let new = contents(new, Fingerprint { names: None });
        let known = |name: &str| self.declared.contains_key(&(sort, name));
        let taken: HashSet<&str> = self
            .declared
            .iter()
            .filter(|((of, _), _)| *of == sort)
            .map(|(_, new)| *new)
            .collect();
        let old = old.into_iter().filter(|(name, _)| !known(name)).collect();
        let new = new.into_iter().filter(|(name, _)| !taken.contains(name)).collect();
        for (old, new) in removed_and_added(old, new) {
            self.declared.insert((sort, old), new);
        }
    }

    fn insides(&mut self, old: &'m Model, now: &Declared<'m>) {
        for one in &old.enums {
            if let Some(other) = now.enums.get(self.enumeration(&one.name)) {
                for (from, to) in renamed_values(one, other) {
                    self.inside.insert((MemberKind::Value, &one.name, from), to);
                }
            }
        }
        for object in &old.objects {
            if let Some(other) = now.objects.get(self.declared(Namespace::Object, &object.name)) {
                self.fields(MemberKind::Member, &object.name, &object.members, &other.members);
            }
        }
        for resource in &old.resources {
            if let Some(other) = now.resources.get(self.resource(&resource.name)) {
                self.fields(MemberKind::Field, &resource.name, &resource.fields, &other.fields);
                self.fields(MemberKind::Joined, &resource.name, &resource.joined, &other.joined);
                self.views(resource, other);
            }
        }
    }

    fn fields(&mut self, part: MemberKind, owner: &'m str, old: &'m [Field], new: &'m [Field]) {
        for (from, to) in self.renamed(old, new) {
            self.inside.insert((part, owner, from), to);
        }
    }

    /// Pairs the removed and the added fields of the same type.
    pub(crate) fn renamed<'f>(&self, old: &'f [Field], new: &'f [Field]) -> Vec<(&'f str, &'f str)> {
        let contents = |fields: &'f [Field], names: Option<&Renames<'_>>| -> Vec<_> {
            let fields = fields.iter();
            fields
                .map(|field| (field.name.as_str(), Renames::content(names, &field.of)))
                .collect()
        };
        removed_and_added(contents(old, Some(self)), contents(new, None))
    }

    fn views(&mut self, old: &'m Resource, new: &'m Resource) {
        let contents = |resource: &'m Resource, from: Fingerprint<'_, 'm>| -> Vec<_> {
            let views = resource.views.iter();
            views
                .map(|view| (view.name.as_str(), from.view(&resource.name, view)))
                .collect()
        };
        let content = contents(old, Fingerprint { names: Some(self) });
        for (from, to) in removed_and_added(content, contents(new, Fingerprint { names: None })) {
            self.inside.insert((MemberKind::View, &old.name, from), to);
        }
    }
}

/// Pairs, in order, removed names with added names of the same content.
pub(crate) fn removed_and_added<'m>(
    old: Vec<(&'m str, String)>,
    new: Vec<(&'m str, String)>,
) -> Vec<(&'m str, &'m str)> {
    let mut found = match_by(&old, &new, |(name, _)| *name);
    let renamed = found.take_renamed(|(_, content)| Some(content), |(_, content)| Some(content));
    renamed.into_iter().map(|((old, _), (new, _))| (*old, *new)).collect()
}

/// Pairs replaced values: the only removed and the only added value or, in enumerations of equal length, those at the
/// same position.
fn renamed_values<'m>(old: &'m Enum, new: &'m Enum) -> Vec<(&'m str, &'m str)> {
    let olds: HashSet<&String> = old.values.iter().collect();
    let news: HashSet<&String> = new.values.iter().collect();
    let gone: Vec<&String> = old.values.iter().filter(|value| !news.contains(value)).collect();
    let come: Vec<&String> = new.values.iter().filter(|value| !olds.contains(value)).collect();
    if let ([old], [new]) = (gone.as_slice(), come.as_slice()) {
        return vec![(old, new)];
    }
    if old.values.len() != new.values.len() {
        return Vec::new();
    }
    let places = old.values.iter().zip(&new.values);
    let both_changed = places.filter(|(old, new)| !news.contains(old) && !olds.contains(new));
    both_changed.map(|(old, new)| (old.as_str(), new.as_str())).collect()
}
