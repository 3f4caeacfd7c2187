//! Resolves where the values of fields come from, and checks that they have the type of the field.

use super::{conditions, credential, field, link, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Field, FileFact, Kind, Model, Origin, Resource, Type, TypeRule};
use crate::syntax::{self, Spec, Table, TypeUse, Word};

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    for ((_, resource), (of, found)) in spec
        .resources
        .iter()
        .zip(seen.resources.iter().zip(&mut model.resources))
    {
        let mut one = Declaring {
            model: &seen,
            of: Some(of),
            diagnostics,
        };
        one.fields(&resource.fields, &mut found.fields);
        one.fields(&resource.joined, &mut found.joined);
    }
    for ((_, members), found) in spec.objects.iter().zip(&mut model.objects) {
        let mut one = Declaring {
            model: &seen,
            of: None,
            diagnostics,
        };
        one.fields(members, &mut found.members);
    }
}

struct Declaring<'m, 'd> {
    model: &'m Model,
    /// The resource of the fields. `None` for an object.
    of: Option<&'m Resource>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// What a value must be, for a diagnostic.
type Misfit = Option<String>;

impl Declaring<'_, '_> {
    fn fields(&mut self, declared: &Table<TypeUse>, found: &mut [Field]) {
        for ((name, used), found) in declared.iter().zip(found) {
            let Some(origin) = &used.origin else { continue };
            let Some((origin, misfit)) = self.origin(origin, &found.of, declared, name) else {
                continue;
            };
            if let Some(expected) = misfit {
                let message = format!("`{}` has another type than its source: {expected}", name.text);
                self.diagnostics
                    .push(Diagnostic::new(Rule::OriginType, used.name.at, message));
            }
            found.origin = Some(origin);
        }
    }

    fn origin(
        &mut self,
        origin: &syntax::Origin,
        of: &Type,
        members: &Table<TypeUse>,
        name: &Word,
    ) -> Option<(Origin, Misfit)> {
        if let syntax::Origin::NumberOf(parts) = origin {
            return self.number_of(parts, of, members, name);
        }
        let Some(here) = self.of else {
            let message = format!("`{}` is a member of an object, which has no such source", name.text);
            let help = "objects have `number of [member, …]` only";
            self.diagnostics
                .push(Diagnostic::new(Rule::OriginType, name.at, message).help(help));
            return None;
        };
        Some(match origin {
            syntax::Origin::Now => (
                Origin::Now,
                (of.list || of.optional).then(|| "`now` is a `timestamp`".to_owned()),
            ),
            syntax::Origin::Count(counted, only) => {
                let from = resource(self.model, counted, self.diagnostics)?;
                let of_items = here.distinct.as_ref().filter(|distinct| distinct.resource == from.name);
                let via = match of_items {
                    Some(distinct) => distinct.list.clone(),
                    None => link(from, &here.name, counted.at, self.diagnostics)?,
                };
                let only = match only {
                    Some(only) => Some(conditions::field_is(self.model, from, only, self.diagnostics)?),
                    None => None,
                };
                let resource = counted.text.clone();
                (Origin::Count { resource, via, only }, self.not_a_count(of))
            }
            syntax::Origin::Left(counted) => self.left(here, counted, of)?,
            syntax::Origin::Rate(method) => self.rate(here, method, of)?,
            syntax::Origin::Latest {
                resource: of_name,
                field: shown,
            } => {
                let from = resource(self.model, of_name, self.diagnostics)?;
                let via = link(from, &here.name, of_name.at, self.diagnostics)?;
                let source = field(from, shown, self.diagnostics)?;
                let misfit = differs(of, &source.of);
                let (resource, field) = (of_name.text.clone(), shown.text.clone());
                (Origin::Latest { resource, via, field }, misfit)
            }
            syntax::Origin::All(rows) => {
                let from = resource(self.model, rows, self.diagnostics)?;
                let via = link(from, &here.name, rows.at, self.diagnostics)?;
                let is_view = of.list && matches!(&of.kind, Kind::View(resource, _) if *resource == rows.text);
                let misfit = (!is_view).then(|| format!("write a list of a view, such as `[{}.item]`", rows.text));
                let resource = rows.text.clone();
                (Origin::All { resource, via }, misfit)
            }
            syntax::Origin::Follow(path) => self.follow(here, path, of)?,
            syntax::Origin::File(fact) => {
                let misfit = match fact {
                    FileFact::Bytes => self.not_a_count(of),
                    FileFact::Type | FileFact::Digest => not_stored(of),
                };
                (Origin::File(*fact), misfit)
            }
            other => self.of_credential(here, other, of)?,
        })
    }

    fn left(&mut self, here: &Resource, counted: &Word, of: &Type) -> Option<(Origin, Misfit)> {
        let from = resource(self.model, counted, self.diagnostics)?;
        if self.model.quota_of(&from.name, &here.name).is_none() {
            let message = format!("no quota alone counts `{}` for each `{}`", from.name, here.name);
            self.diagnostics
                .push(Diagnostic::new(Rule::OriginLink, counted.at, message));
            return None;
        }
        let via = link(from, &here.name, counted.at, self.diagnostics)?;
        let resource = counted.text.clone();
        Some((Origin::Left { resource, via }, self.not_a_count(of)))
    }

    fn rate(&mut self, here: &Resource, method: &Word, of: &Type) -> Option<(Origin, Misfit)> {
        let Some(limit) = self.model.rate_of(&method.text, &here.name) else {
            let message = format!(
                "no limit alone counts the `{}` requests of a `{}`",
                method.text, here.name
            );
            self.diagnostics
                .push(Diagnostic::new(Rule::OriginLink, method.at, message));
            return None;
        };
        let (method, max) = (method.text.clone(), limit.max);
        Some((Origin::Rate { method, max }, self.not_a_count(of)))
    }

    /// A value that follows from the record's own credential.
    fn of_credential(&mut self, here: &Resource, origin: &syntax::Origin, of: &Type) -> Option<(Origin, Misfit)> {
        Some(match origin {
            syntax::Origin::Digest(name) => {
                self.own_credential(here, name)?;
                (Origin::Digest(name.text.clone()), not_stored(of))
            }
            syntax::Origin::Start(name) => {
                self.own_credential(here, name)?;
                (Origin::Start(name.text.clone()), not_stored(of))
            }
            syntax::Origin::Has(name) => {
                self.own_credential(here, name)?;
                let is_boolean = of.kind == Kind::Boolean && !of.list && !of.optional;
                (
                    Origin::Has(name.text.clone()),
                    (!is_boolean).then(|| "it is a `boolean`".to_owned()),
                )
            }
            syntax::Origin::LastUse {
                credential: name,
                seconds,
            } => {
                self.own_credential(here, name)?;
                let is_time = of.kind == Kind::Timestamp && of.optional && !of.list;
                let last_use = Origin::LastUse {
                    credential: name.text.clone(),
                    seconds: *seconds,
                };
                (
                    last_use,
                    (!is_time).then(|| "the last use is a `timestamp?`".to_owned()),
                )
            }
            _ => return None,
        })
    }

    fn number_of(
        &mut self,
        parts: &[Word],
        of: &Type,
        members: &Table<TypeUse>,
        name: &Word,
    ) -> Option<(Origin, Misfit)> {
        if let Some(resource) = self.of {
            let message = format!(
                "only members of objects are numbered, not fields of `{}`",
                resource.name
            );
            self.diagnostics
                .push(Diagnostic::new(Rule::OriginType, name.at, message));
            return None;
        }
        let mut is_known = true;
        for part in parts {
            if members.get(&part.text).is_none() || part.text == name.text {
                let known = members.iter().map(|(name, _)| name.text.as_str());
                let message = format!("there is no other member `{}`", part.text);
                let diagnostic = Diagnostic::new(Rule::UnknownField, part.at, message);
                self.diagnostics.push(diagnostic.propose(&part.text, known));
                is_known = false;
            }
        }
        let parts = parts.iter().map(|part| part.text.clone()).collect();
        is_known.then(|| (Origin::NumberOf(parts), self.not_a_count(of)))
    }

    fn follow(&mut self, here: &Resource, path: &[Word], of: &Type) -> Option<(Origin, Misfit)> {
        let (last, ids) = path.split_last()?;
        let (mut at, mut steps, mut is_optional) = (here, Vec::new(), false);
        for id in ids {
            let held = field(at, id, self.diagnostics)?;
            let Kind::Id(next) = &held.of.kind else {
                let message = format!("`{}` of `{}` is not the id of another record", id.text, at.name);
                self.diagnostics.push(Diagnostic::new(Rule::OriginLink, id.at, message));
                return None;
            };
            is_optional |= held.of.optional;
            steps.push((id.text.clone(), next.clone()));
            at = self.model.resource(next);
        }
        let source = field(at, last, self.diagnostics)?;
        let misfit = match differs(of, &source.of) {
            None if is_optional && !of.optional => Some("an id on the way may be null: add `?`".to_owned()),
            misfit => misfit,
        };
        let field = last.text.clone();
        Some((Origin::Follow { ids: steps, field }, misfit))
    }

    /// Checks that records of this resource have credentials of this kind.
    fn own_credential(&mut self, here: &Resource, name: &Word) -> Option<()> {
        let found = credential(self.model, name, self.diagnostics)?;
        let whose = found.caller.as_ref().map(|caller| caller.limited_by.as_str());
        if whose == Some(here.name.as_str()) {
            return Some(());
        }
        let message = match whose {
            Some(whose) => format!("a `{}` is of a `{whose}`, not of a `{}`", name.text, here.name),
            None => format!("a `{}` is of no record", name.text),
        };
        let help = "the resource that a limit counts by (`limited_by`, or the caller) keeps the credential";
        self.diagnostics
            .push(Diagnostic::new(Rule::OriginType, name.at, message).help(help));
        None
    }

    fn not_a_count(&self, of: &Type) -> Misfit {
        let is_whole = matches!(&of.kind, Kind::Named(name)
            if matches!(self.model.named_type(name).rule, TypeRule::Integer { min, .. } if min.is_none_or(|min| min <= 0)));
        (!is_whole || of.list || of.optional).then(|| "it is a whole number that can be 0".to_owned())
    }
}

fn not_stored(of: &Type) -> Misfit {
    (of.kind != Kind::Stored || of.list).then(|| "it is a `string`".to_owned())
}

/// What the type of a field must be to hold the value of another one.
fn differs(of: &Type, source: &Type) -> Misfit {
    if of.kind != source.kind || of.list != source.list {
        return Some("give both the same type".to_owned());
    }
    (source.optional && !of.optional).then(|| "the source may be null: add `?`".to_owned())
}
