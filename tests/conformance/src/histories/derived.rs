//! Aims at what is derived: a view is read, a source of it changes, and it is read again.

use super::aims::{Aims, maker};
use super::call::Call;
use super::generate::Generator;
use super::known::{Knowledge, Known};
use super::wish::{Called, Wish};
use codegen::model::{Condition, Data, Effect, Field, FilterBy, Origin, RecordId};

impl<'m> Aims<'m> {
    /// Plans: a read that succeeded, a change of something that it shows from elsewhere, and the same read.
    pub(super) fn derive(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>) {
        let Some(read) = generator.random.recent(&generator.reads).cloned() else {
            return;
        };
        let Some((resource, view)) = shown(&read) else { return };
        let declared = generator.model.resource(resource);
        let members = &generator.model.view(resource, view).members;
        let fields = declared.fields.iter().chain(&declared.joined);
        let is_shown = |field: &&'m Field| members.iter().any(|member| member.source.field() == field.name);
        let derived: Vec<&Field> = fields.filter(is_shown).filter(|field| field.origin.is_some()).collect();
        let (Some(field), Some(id)) = (
            generator.random.of(&derived).copied(),
            record(generator, known, &read, resource),
        ) else {
            return;
        };
        let same: Vec<Call<'m>> = generator
            .reads
            .iter()
            .filter(|other| shown(other).is_some_and(|(of, _)| of == resource))
            .cloned()
            .collect();
        self.call(read.clone());
        self.change_source(generator, known, (resource, id), field.origin.as_ref());
        self.call(read);
        for _ in 0..2 {
            if let Some(other) = generator.random.recent(&same) {
                self.call(other.clone());
            }
        }
    }

    /// Plans, often, to read the record that a call has changed, or to try what the end of a record makes possible or
    /// impossible; at times, to make the same record once more.
    pub(super) fn look(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>, call: &Call<'m>) {
        const OFTEN: usize = 40;
        const AT_TIMES: usize = 10;
        let Some((surface, operation)) = call.operation else {
            return;
        };
        let makes = |effect: &Effect| matches!(effect, Effect::Make { .. });
        if operation.effects.iter().any(makes) && generator.random.percent(AT_TIMES) {
            self.call(call.clone());
            return;
        }
        let ended = operation.effects.iter().find_map(|effect| match effect {
            Effect::End { resource, .. } => Some(resource.as_str()),
            _ => None,
        });
        if let Some(resource) = ended.filter(|_| generator.random.percent(OFTEN)) {
            self.ended_credential(generator, known, resource);
            let makes = |called: &&Called<'m>| called.0.name == surface.name && called.1.makes(resource);
            if let Some(maker) = generator.operations.iter().find(makes).copied() {
                let caller = call.credential.map(|index| known.credentials[index].caller);
                self.success(
                    maker,
                    Wish {
                        caller,
                        ..Wish::valid()
                    },
                );
            }
            return;
        }
        let changed = operation.effects.iter().find_map(|effect| match effect {
            Effect::Change { resource, .. } => Some(resource.as_str()),
            _ => None,
        });
        let moved = operation.transitions.as_ref().map(|moved| moved.resource.as_str());
        let Some(resource) = changed.or(moved) else { return };
        let Some(id) = record(generator, known, call, resource).filter(|_| generator.random.percent(OFTEN)) else {
            return;
        };
        self.make_again(generator, known, resource, id);
        let shows = |called: &&Called<'m>| {
            let is_it = matches!(&called.1.data, Some(Data::One { resource: of, .. }) if of == resource);
            is_it && called.1.finds(resource)
        };
        let all: Vec<Called<'m>> = generator.operations.iter().filter(shows).copied().collect();
        if let Some(called) = generator.random.of(&all) {
            self.success(*called, Wish::naming(resource, id));
        }
    }

    /// Plans to make once more what a record makes impossible: whatever its state is.
    fn make_again(&mut self, generator: &Generator<'m>, known: &Knowledge<'m>, resource: &str, id: RecordId) {
        let (model, record) = (generator.model, known.record(resource, id));
        for (surface, operation) in generator.operations.iter().filter(|called| called.1.makes(resource)) {
            for error in model.errors_of(surface, operation) {
                let Some(Condition::Exists {
                    resource: of,
                    none: false,
                    within,
                }) = &error.when
                else {
                    continue;
                };
                if let Some(record) = record.filter(|_| of == resource) {
                    self.goal((surface, operation, Some(error)), Wish::within(within, record));
                }
            }
        }
    }

    /// Plans a read with the credential that a record of this resource kept until it ended.
    fn ended_credential(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>, resource: &str) {
        let model = generator.model;
        let is_kept_by = |one: &&Known| {
            let caller = model.credential(&one.kind).caller.as_ref();
            one.has_ended && caller.is_some_and(|caller| caller.limited_by == resource)
        };
        let Some(ended) = known.credentials.iter().rev().find(is_kept_by) else {
            return;
        };
        let needs_it = |read: &&Call<'m>| {
            let mut surface = read.operation.iter().map(|(surface, _)| surface);
            surface.any(|surface| surface.credential.as_ref() == Some(&ended.kind))
        };
        let reads: Vec<Call<'m>> = generator.reads.iter().filter(needs_it).cloned().collect();
        if let Some(read) = generator.random.recent(&reads).cloned() {
            let header = model.credential(&ended.kind).header.clone();
            self.call(Call {
                credential: None,
                other_secret: Some((header, ended.secret.clone())),
                ..read
            });
        }
    }

    fn change_source(
        &mut self,
        generator: &mut Generator<'m>,
        known: &Knowledge<'m>,
        (resource, id): (&'m str, RecordId),
        origin: Option<&'m Origin>,
    ) {
        match origin {
            Some(Origin::Follow { ids, field }) => {
                let end = ids.iter().try_fold((resource, id), |(of, id), (step, next)| {
                    Some((next.as_str(), known.record(of, id)?.link(step)?))
                });
                if let Some((of, id)) = end {
                    self.change(generator, of, id, field);
                }
            }
            Some(
                Origin::Count { resource: of, via, .. }
                | Origin::Left { resource: of, via }
                | Origin::All { resource: of, via }
                | Origin::Latest { resource: of, via, .. },
            ) => {
                let mut parts = known.records(of).iter().filter(|part| part.link(via) == Some(id));
                let last = parts.next_back().map(|part| part.id);
                let end = generator.operations.iter().find(|called| called.1.ends(of)).copied();
                match (end, last) {
                    (Some(end), Some(last)) if generator.random.percent(50) => {
                        self.success(end, Wish::naming(of, last));
                    }
                    _ => {
                        if let Some(maker) = maker_naming(generator, of, resource) {
                            self.success(maker, Wish::naming(resource, id));
                        }
                    }
                }
            }
            Some(Origin::Has(credential)) => {
                let ends = |called: &&Called<'m>| called.1.ends_credential(credential).is_some();
                let all: Vec<_> = generator.operations.iter().filter(ends).copied().collect();
                if let Some(end) = generator.random.of(&all).copied() {
                    self.success(end, Wish::naming(resource, id));
                }
            }
            _ => {}
        }
    }

    /// Plans a search: one or two filters with values that rows have.
    pub(super) fn search(&mut self, generator: &mut Generator<'m>) {
        let filters = |called: &Called<'m>| -> Vec<String> {
            let named = called.1.filters.iter().filter_map(|filter| match &filter.by {
                FilterBy::Query(name, _) => Some(name.clone()),
                _ => None,
            });
            named.collect()
        };
        let lists: Vec<(Called<'m>, Vec<String>)> = generator
            .operations
            .iter()
            .map(|called| (*called, filters(called)))
            .collect();
        let lists: Vec<_> = lists.into_iter().filter(|(_, filters)| !filters.is_empty()).collect();
        let model = generator.model;
        let has_synonyms = |(surface, operation): &Called<'m>| {
            operation.filters.iter().find_map(|filter| match &filter.by {
                FilterBy::Query(name, _) => {
                    model.synonyms_of(operation.listed()?, filter)?;
                    Some(((*surface, *operation), vec![name.clone()]))
                }
                _ => None,
            })
        };
        let by_synonym: Vec<_> = generator.operations.iter().filter_map(has_synonyms).collect();
        let lists = if by_synonym.is_empty() || generator.random.percent(65) {
            lists
        } else {
            by_synonym
        };
        let Some((called, filters)) = generator.random.of(&lists).cloned() else {
            return;
        };
        let count = 1 + usize::from(generator.random.percent(30));
        let filters = (0..count).filter_map(|_| generator.random.of(&filters).cloned());
        let filters: Vec<String> = filters.collect();
        self.success(
            called,
            Wish {
                filters,
                ..Wish::valid()
            },
        );
    }
}

/// The view that a call reads.
fn shown<'m>(call: &Call<'m>) -> Option<(&'m str, &'m str)> {
    match call.operation?.1.data.as_ref()? {
        Data::One { resource, view } | Data::Many { resource, view } => Some((resource, view)),
        Data::Members(_) | Data::Counts(_) | Data::Events => None,
    }
}

/// A record that a read shows, perhaps.
fn record<'m>(
    generator: &mut Generator<'m>,
    known: &Knowledge<'m>,
    read: &Call<'m>,
    resource: &str,
) -> Option<RecordId> {
    let (surface, operation) = read.operation?;
    let mut mentions = read.mentions(generator.model).into_iter();
    if let Some(mention) = mentions.find(|mention| mention.resource == resource) {
        return Some(mention.id);
    }
    let caller = read.credential.map(|index| known.credentials[index].caller);
    let acting = generator.model.credential_of(surface)?.caller.as_ref();
    if matches!(operation.data, Some(Data::One { .. })) && acting.is_some_and(|acting| acting.resource == resource) {
        return caller;
    }
    let by_caller = operation.filters.iter().find(|filter| filter.by == FilterBy::Caller);
    let own =
        |record: &&super::known::Record| by_caller.is_none_or(|filter| record.link(filter.field.field()) == caller);
    let ids: Vec<RecordId> = known
        .records(resource)
        .iter()
        .filter(own)
        .map(|record| record.id)
        .collect();
    generator.random.recent(&ids).copied()
}

/// An operation that makes a record of one resource and names one of another.
fn maker_naming<'m>(generator: &mut Generator<'m>, resource: &str, named: &str) -> Option<Called<'m>> {
    let makes = |called: &&Called<'m>| called.1.finds(named) && called.1.makes(resource);
    let makers: Vec<Called<'m>> = generator.operations.iter().filter(makes).copied().collect();
    let found = generator.random.of(&makers).copied();
    found.or_else(|| maker(generator, resource))
}
