//! Aims at lists longer than a page, also where a list or a member shows all records of a kind.

use super::aims::{Aims, maker};
use super::generate::Generator;
use super::known::{Knowledge, Known};
use super::wish::{Called, Wish};
use codegen::Model;
use codegen::model::{Data, Field, FilterBy, Kind, Operation, Origin};

impl<'m> Aims<'m> {
    /// Plans that a list gets more rows than a page has by default, and is read.
    pub(super) fn grow(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>) {
        for called in generator.operations.clone() {
            let name = called.0.full_name(called.1);
            if self.grown.contains(&name) {
                continue;
            }
            let Some(growth) = growth(generator, known, called, &Wish::valid()) else {
                continue;
            };
            self.grown.insert(name);
            for _ in 0..growth.missing {
                self.success(growth.maker, growth.making.clone());
            }
            self.success(called, growth.reading);
            return;
        }
    }
}

/// How a list gets longer than a page.
pub(super) struct Growth<'m> {
    pub(super) maker: Called<'m>,
    pub(super) making: Wish,
    /// How many calls make enough rows.
    pub(super) missing: usize,
    pub(super) reading: Wish,
}

/// How this list gets longer than a page, that of a record of the wish if it names one; `None` if it is none, or none of its rows
/// can be made now.
pub(super) fn growth<'m>(
    generator: &mut Generator<'m>,
    known: &Knowledge<'m>,
    (surface, operation): Called<'m>,
    wish: &Wish,
) -> Option<Growth<'m>> {
    let resource = match operation.data.as_ref()? {
        Data::Many { resource, .. } => resource,
        Data::One { resource, view } => return growth_within(generator, known, (resource, view)),
        Data::Members(_) | Data::Counts(_) | Data::Events => return None,
    };
    let size = rows_of_a_page(operation)?;
    let maker = maker(generator, resource)?;
    if operation.pages.is_none() && !maker.1.quotas.is_empty() {
        return None;
    }
    let (mut making, mut reading) = (Wish::valid(), Wish::valid());
    let mut filters = operation.filters.iter();
    let scope = filters.find(|filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_)));
    let mut has = known.records(resource).len();
    if let Some(filter) = scope {
        let Kind::Id(of) = &filter.of.kind else { return None };
        let id = match filter.by {
            FilterBy::Caller => {
                let is_living = |one: &&Known| Some(&one.kind) == surface.credential.as_ref() && !one.has_ended;
                known.credentials.iter().find(is_living)?.caller
            }
            _ => match wish.record(of) {
                Some(id) => id,
                None => generator.random.of(known.records(of))?.id,
            },
        };
        let acting = generator.model.credential_of(maker.0);
        let acting = acting.and_then(|one| one.caller.as_ref());
        match acting.is_some_and(|acting| acting.resource == *of) {
            true => making.caller = Some(id),
            false => making.records.push((of.clone(), id)),
        }
        match filter.by {
            FilterBy::Caller => reading.caller = Some(id),
            _ => reading.records.push((of.clone(), id)),
        }
        let rows = known.records(resource).iter();
        has = rows.filter(|row| row.link(filter.field.field()) == Some(id)).count();
    }
    let missing = (size + 2).saturating_sub(has);
    Some(Growth {
        maker,
        making,
        missing,
        reading,
    })
}

/// How a member of this view that shows all records of a kind gets longer than a page.
fn growth_within<'m>(
    generator: &mut Generator<'m>,
    known: &Knowledge<'m>,
    (resource, view): (&str, &str),
) -> Option<Growth<'m>> {
    let (made, via) = shown_within(generator.model, resource, view)?;
    let id = generator.random.of(known.records(resource))?.id;
    let has = known
        .records(made)
        .iter()
        .filter(|row| row.link(via) == Some(id))
        .count();
    let wish = Wish::naming(resource, id);
    Some(Growth {
        maker: maker(generator, made)?,
        making: wish.clone(),
        missing: (OF_FRAMEWORKS + 2).saturating_sub(has),
        reading: wish,
    })
}

/// The records that a member of this view shows all of, by their field with the id of the record.
fn shown_within<'m>(model: &'m Model, resource: &str, view: &str) -> Option<(&'m str, &'m str)> {
    let declared = model.resource(resource);
    let members = &model.view(resource, view).members;
    let is_shown = |field: &&Field| members.iter().any(|member| member.source.field() == field.name);
    let mut shown = declared.joined.iter().filter(is_shown);
    shown.find_map(|field| match &field.origin {
        Some(Origin::All { resource, via }) => Some((resource.as_str(), via.as_str())),
        _ => None,
    })
}

/// Whether an operation shows a list that may be longer than a page.
pub(super) fn can_grow(model: &Model, operation: &Operation) -> bool {
    match &operation.data {
        Some(Data::Many { .. }) => true,
        Some(Data::One { resource, view }) => shown_within(model, resource, view).is_some(),
        _ => false,
    }
}

/// The default size of a page in many frameworks: where a list shows all rows, it may have been left on by mistake.
const OF_FRAMEWORKS: usize = 20;

/// The number of rows that a list shows by default, or may show by mistake.
fn rows_of_a_page(operation: &Operation) -> Option<usize> {
    const LONGEST: usize = 30;
    let Some(pages) = &operation.pages else {
        return Some(OF_FRAMEWORKS);
    };
    let size = operation.query.iter().find(|field| pages.size == field.name)?;
    let size = match &size.of.default {
        Some(size) => size.parse().ok(),
        None => Some(OF_FRAMEWORKS),
    };
    size.filter(|size| *size <= LONGEST)
}
