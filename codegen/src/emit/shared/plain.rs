//! Which operations the contract says whole, so that their handlers can be emitted, and why not the others.

use super::caused::{Caused, Parameter};
use super::keeping::{apart, digest_of, stored};
use super::loading::{Loading, Reader};
use super::{Context, OperationContext, joined, names};
use crate::model::{
    AnswerFrom, Body, BodyMember, Condition, Data, Effect, Field, Fill, FilterBy, Kind, Model, Origin, Recipient,
    Resource, Source, Target, Type, Word, find,
};

/// The handler of an operation.
#[derive(Clone, Debug)]
pub struct Handler {
    /// Its trait: `agent::CreateBooking`.
    pub name: String,
    /// Why it has to be written by hand. `None`: it is emitted.
    pub by_hand: Option<String>,
}

impl Handler {
    /// `emitted`, or why it has to be written by hand.
    #[must_use]
    pub fn origin(&self) -> String {
        match &self.by_hand {
            None => "emitted".to_owned(),
            Some(reason) => format!("by hand: {reason}"),
        }
    }
}

/// The handlers of a contract, in its order.
#[must_use]
pub fn handlers(model: &Model) -> Vec<Handler> {
    let context = Context::new(model, "", Vec::new());
    let operations = model.operations().map(|(surface, operation)| {
        let subject = OperationContext {
            context: &context,
            surface,
            operation,
        };
        Handler {
            name: name(&subject),
            by_hand: why_not(&subject).err(),
        }
    });
    operations.collect()
}

/// `agent::CreateBooking`
pub(crate) fn name(subject: &OperationContext<'_>) -> String {
    format!("{}::{}", names::value(&subject.surface.name), subject.handler())
}

type Verdict = Result<(), String>;

fn no(reason: impl Into<String>) -> Verdict {
    Err(reason.into())
}

/// Why a handler cannot be emitted.
pub(crate) fn why_not(subject: &OperationContext<'_>) -> Verdict {
    let operation = subject.operation;
    if let Some(reason) = &operation.undeclared {
        return no(format!("it does what the contract does not declare ({reason})"));
    }
    if operation.feed.is_some() {
        return Ok(());
    }
    if let Some(tried) = subject.tried() {
        why_not(&tried).map_err(|reason| format!("so is that of `{}`: {reason}", tried.operation.name))?;
    }
    if operation.moves_file() {
        return no("it receives or sends a file");
    }
    if operation.waits_at_once.is_some() {
        return no("it waits");
    }
    for rule in &operation.rules {
        if !is_decided(subject, rule) {
            return no(format!("it has the rule `{}`", rule.text));
        }
    }
    if !operation.nearest.is_empty() {
        return no("it proposes the nearest names");
    }
    if let Some(caused) = Caused::by(subject) {
        events(subject, &caused)?;
    }
    quotas(subject)?;
    if operation.listed().is_some() {
        return list(subject);
    }
    if let Some(idle) = operation.query.first() {
        return no(format!("the contract does not say what `{}` does", idle.name));
    }
    for effect in &operation.effects {
        changes(subject, effect)?;
        mean(subject.context.model, effect)?;
    }
    if let Some(moved) = &operation.transitions {
        let model = subject.context.model;
        let states = model.enumeration(&moved.states).states.as_ref();
        states.map_or(Ok(()), |states| {
            is_kept_elsewhere(model, model.resource(&moved.resource), &states.of.1)
        })?;
    }
    answers(subject)
}

/// Whether an effect leaves all means as they are.
fn mean(model: &Model, effect: &Effect) -> Verdict {
    let (Effect::Make { resource, .. } | Effect::Change { resource, .. } | Effect::End { resource, .. }) = effect
    else {
        return Ok(());
    };
    let averages = |one: &&Resource| {
        let average = one.average.as_ref();
        average.is_some_and(|average| one.name == *resource || average.resource == *resource)
    };
    match model.resources.iter().find(averages) {
        Some(one) => no(format!("a mean of `{}` follows from it", one.name)),
        None => Ok(()),
    }
}

/// Whether all that the events of an operation need can be read.
fn events(subject: &OperationContext<'_>, caused: &Caused<'_>) -> Verdict {
    if target_of_events(subject).is_none() {
        return no("it causes events about several records");
    }
    for (_, parameter) in caused.parameters() {
        if let Parameter::Each(to, _) = parameter
            && index_of_recipients(subject.context.model, to).is_none()
        {
            return no("it causes events for many whom no list shows");
        }
    }
    Ok(())
}

/// The record that all events of an operation are about.
pub(crate) fn target_of_events<'s>(subject: &OperationContext<'s>) -> Option<&'s Target> {
    let caused = subject.context.model.events_of(subject.surface, subject.operation);
    let mut targets = caused.map(|(_, target)| target);
    let first = targets.next()?;
    targets.all(|other| other == first).then_some(first)
}

/// The resource with an event's recipients, and the place of the index that has them in the order of their ids.
pub(crate) fn index_of_recipients<'m>(model: &'m Model, to: &Recipient) -> Option<(&'m Resource, usize)> {
    let (each, via) = to.each.as_ref()?;
    if !to.path.ids.is_empty() {
        return None;
    }
    let each = model.resource(each);
    Some((each, model.index_by_id(each, via, None)?))
}

/// Whether a record that the operation knows, or an index, decides a rule.
fn is_decided(subject: &OperationContext<'_>, rule: &Word) -> bool {
    let (model, operation) = (subject.context.model, subject.operation);
    match &model.error(rule).when {
        _ if subject.is_read() => false,
        None => false,
        Some(Condition::Field { resource, .. }) => {
            let is_caller = subject.caller().is_some_and(|caller| caller.resource == *resource);
            is_caller || operation.always_finds(resource)
        }
        Some(condition @ Condition::Exists { .. }) => index_of_rule(model, condition).is_some(),
        Some(Condition::Taken { resource, field }) => model.given(operation, resource, field).is_some(),
    }
}

/// The resource and the place of the index whose rows begin with the fields of a rule about other records.
pub(crate) fn index_of_rule<'m>(model: &'m Model, condition: &'m Condition) -> Option<(&'m Resource, usize)> {
    let Condition::Exists { resource, within, .. } = condition else {
        return None;
    };
    let resource = model.resource(resource);
    let fields = within.iter().map(|(_, field)| field.as_str());
    Some((resource, model.index_beginning(resource, fields)?))
}

fn quotas(subject: &OperationContext<'_>) -> Verdict {
    for quota in subject.quotas() {
        let Some(counted) = quota.records().map(|of| subject.context.model.resource(of)) else {
            continue;
        };
        if counted.distinct.is_some() {
            return no(format!("the quota `{}` counts what is new", quota.name));
        }
        if quota.window_seconds.is_some() {
            continue;
        }
        let is_owner = |(owner, field): &(String, String)| *owner == quota.per && !counted.field(field).of.optional;
        if !counted.owner.iter().any(is_owner) {
            return no(format!("the quota `{}` counts some records only", quota.name));
        }
        let is_each = |effect: &Effect| matches!(effect, Effect::Make { resource, each: Some(_), .. } if *resource == counted.name);
        if subject.operation.decisive_effects().iter().any(is_each) {
            return no(format!("the quota `{}` counts several records at once", quota.name));
        }
    }
    Ok(())
}

fn list(subject: &OperationContext<'_>) -> Verdict {
    let (model, operation) = (subject.context.model, subject.operation);
    let Some(resource) = operation.listed() else {
        return Ok(());
    };
    let resource = model.resource(resource);
    if resource.stored_id().is_none() {
        return no("its rows are no records");
    }
    if !operation.effects.is_empty() {
        return no("it lists and changes");
    }
    let counted = subject.counted();
    let list = counted.as_ref().map_or(operation, |counted| counted.operation);
    if model.indexes_of_list(list).is_none() {
        return no("its order is of what is not stored");
    }
    if let Some(Data::Many { view, .. }) = &operation.data {
        let view = find(&resource.views, |one| one.name == *view);
        if Loading::of_view(subject.context, Reader::Trees, resource, view).is_none() {
            return no("its rows show what only a handler knows");
        }
    }
    if filter_loading(subject, resource).is_none() {
        return no("a filter compares what only a handler knows");
    }
    let filters = |name: &str| {
        let mut filters = operation.filters.iter();
        filters.any(|filter| matches!(&filter.by, FilterBy::Query(by, _) if by == name))
    };
    let mut query = operation.query.iter();
    match query
        .find(|field| !filters(&field.name) && !operation.pages_by(&field.name) && !operation.sorts_by(&field.name))
    {
        Some(idle) => no(format!("the contract does not say what `{}` does", idle.name)),
        None => Ok(()),
    }
}

/// What the filters of a list need beside the record, and how many of its arguments come before those of the realm.
pub(crate) fn filter_loading(subject: &OperationContext<'_>, resource: &Resource) -> Option<(Loading, usize)> {
    use joined::Place;
    let context = subject.context;
    let mut loading = Loading::new(Reader::Trees);
    for filter in &subject.operation.filters {
        match (&filter.through, &filter.field) {
            (Some(id), field) => {
                let ids = std::slice::from_ref(id);
                let place = Place::followed(context, resource, ids, field.field());
                loading.followed(context, resource, ids, &place)?;
            }
            (None, Source::Joined(name)) => {
                let joined = find(&resource.joined, |field| field.name == *name);
                loading.joined(context, resource, joined)?;
            }
            (None, _) => {}
        }
    }
    let of_filters = loading.arguments.len();
    if let Some(realm) = subject.realm_of_list()
        && let Some(id) = &realm.through
    {
        let ids = std::slice::from_ref(id);
        let place = Place::followed(context, resource, ids, &realm.field);
        loading.followed(context, resource, ids, &place)?;
    }
    Some((loading, of_filters))
}

fn changes(subject: &OperationContext<'_>, effect: &Effect) -> Verdict {
    let model = subject.context.model;
    match effect {
        Effect::Make {
            resource,
            each,
            fills,
            one_for,
            ..
        } => {
            if !one_for.is_empty() && Caused::by(subject).is_some() {
                return no("an event follows from what it makes or changes");
            }
            let mut shown = stored(model).flat_map(|parent| &parent.fields);
            if !one_for.is_empty()
                && shown
                    .any(|field| matches!(&field.origin, Some(Origin::Latest { resource: of, .. }) if of == resource))
            {
                return no(format!("another record keeps the latest `{resource}`"));
            }
            let resource = model.resource(resource);
            fills.iter().try_for_each(|(field, fill)| {
                let field = resource.field(field);
                filled(subject, field, (fill, each.as_deref()))
            })
        }
        Effect::Change { resource, target, .. } => {
            let Some(body) = model.body(subject.operation) else {
                return no("it has no body");
            };
            if matches!(target, Target::Made(_)) {
                return no("it changes what it makes");
            }
            let resource = model.resource(resource);
            let changed = body.members.iter().filter_map(|member| {
                let field = resource.fields.iter().find(|field| field.name == member.field.name)?;
                Some((member, field))
            });
            for (member, field) in changed {
                if matches!(field.of.kind, Kind::Id(_)) {
                    return no("it changes to which record another one belongs");
                }
                let name = &field.name;
                is_kept_elsewhere(model, resource, name)?;
                let is_of_record = member.of_record && body.resource.as_ref() == Some(&resource.name);
                let is_part =
                    matches!(&member.field.of.kind, Kind::Enum(name) if model.enumeration(name).part_of.is_some());
                if !is_of_record && !is_alike(member, field) && !is_part {
                    return no(format!("`{name}` is another type in the body"));
                }
                // A default cannot be told from absence.
                if !body.partial && !member.required && !member.field.of.optional {
                    return no(format!("`{name}` may be absent from the body"));
                }
            }
            Ok(())
        }
        Effect::End { resource, .. } => ends(model, model.resource(resource)),
        Effect::Renew { credential, .. } | Effect::Revoke { credential, .. } => {
            if digest_of(model, model.credential(credential)).is_none() {
                return no("its credentials are not part of it");
            }
            match matches!(effect, Effect::Revoke { .. }) || mints(subject, credential) {
                true => Ok(()),
                false => no("it renews a credential that it does not show"),
            }
        }
    }
}

fn ends(model: &Model, resource: &Resource) -> Verdict {
    let mut fields = stored(model).flat_map(|parent| &parent.fields);
    let is_latest =
        |field: &Field| matches!(&field.origin, Some(Origin::Latest { resource: of, .. }) if *of == resource.name);
    if fields.any(is_latest) {
        return no("another record shows the latest one");
    }
    let all = stored(model).filter(|other| other.name != resource.name);
    if all.into_iter().any(|other| follows(other, &resource.name)) {
        return no("other records show what it ends");
    }
    if apart(model).any(|one| one.caller.as_ref().is_some_and(|by| by.limited_by == resource.name)) {
        return no("its credentials are not part of it");
    }
    Ok(())
}

/// A field whose latest value another record keeps cannot be changed without that record.
fn is_kept_elsewhere(model: &Model, resource: &Resource, changed: &str) -> Verdict {
    let mut fields = stored(model).flat_map(|parent| &parent.fields);
    let is_it = |field: &Field| matches!(&field.origin, Some(Origin::Latest { resource: of, field, .. }) if *of == resource.name && field == changed);
    if fields.any(is_it) {
        return no(format!("another record keeps the latest `{changed}`"));
    }
    let mut fields = stored(model).flat_map(|parent| &parent.fields);
    let counts = |field: &Field| match &field.origin {
        Some(Origin::Count { resource: of, only, .. }) => {
            *of == resource.name && only.as_ref().is_some_and(|only| only.field == changed)
        }
        _ => false,
    };
    match fields.any(counts) {
        true => no(format!("another record counts by `{changed}`")),
        false => Ok(()),
    }
}

/// Whether a record shows, or is in the realm of, a record of another resource.
fn follows(resource: &Resource, other: &str) -> bool {
    let shown = resource.joined.iter().filter_map(|field| match &field.origin {
        Some(Origin::Follow { ids, .. }) => Some(ids.as_slice()),
        _ => None,
    });
    let realm = resource.realm.as_ref().and_then(|realm| realm.through.as_ref());
    let realm = realm.map(std::slice::from_ref);
    shown.chain(realm).flatten().any(|(_, next)| next == other)
}

/// Whether a field of a new record can be filled.
fn filled(subject: &OperationContext<'_>, field: &Field, (fill, each): (&Fill, Option<&str>)) -> Verdict {
    let name = &field.name;
    match fill {
        Fill::Member(from) => match member(subject, from, each) {
            Some(member) if member.of.kind == field.of.kind && member.of.list == field.of.list => Ok(()),
            _ => no(format!("`{name}` is another type in the body")),
        },
        Fill::Origin => match &field.origin {
            Some(Origin::Now | Origin::Count { .. } | Origin::LastUse { .. }) => Ok(()),
            Some(Origin::Digest(_)) if field.of.optional => Ok(()),
            Some(Origin::Digest(of) | Origin::Start(of)) => match mints(subject, of) && each.is_none() {
                true => Ok(()),
                false => no(format!("`{name}` is of a credential that it does not make")),
            },
            Some(Origin::Latest { .. }) if field.of.optional => Ok(()),
            Some(Origin::Latest { resource, .. }) if is_made_once(subject, resource) && each.is_none() => Ok(()),
            _ => no(format!("`{name}` follows from what is not made yet")),
        },
        Fill::Default | Fill::Initial => match subject.context.when_new(&field.of) {
            Some(_) => Ok(()),
            None => no(format!("`{name}` has no default")),
        },
        Fill::Undeclared => no(format!("the contract does not say what fills `{name}`")),
        Fill::IdOf(Target::Made(resource)) if !is_made_once(subject, resource) => {
            no(format!("`{name}` is the id of one of several new records"))
        }
        Fill::Id | Fill::IdOf(_) | Fill::FieldOf { .. } | Fill::Literal(_) | Fill::Nothing => Ok(()),
    }
}

/// Whether the operation makes one record of a resource.
fn is_made_once(subject: &OperationContext<'_>, resource: &str) -> bool {
    let mut effects = subject.operation.effects.iter();
    effects.any(|effect| matches!(effect, Effect::Make { resource: of, each: None, .. } if of == resource))
}

/// A member of a body, or of each item of one of its members.
pub(crate) struct Member<'m> {
    of: &'m Type,
    /// Whether it is one of an item.
    pub(crate) of_item: bool,
    /// Whether its Rust type is an `Option`.
    pub(crate) is_option: bool,
}

/// The member of this name that fills a field.
pub(crate) fn member<'m>(subject: &OperationContext<'m>, name: &str, each: Option<&str>) -> Option<Member<'m>> {
    let model = subject.context.model;
    let body = model.body(subject.operation)?;
    let of_body = |body: &'m Body, name: &str, of_item: bool| {
        let member = body.members.iter().find(|member| member.field.name == name)?;
        let of = &member.field.of;
        let is_option = if body.partial {
            true
        } else {
            of.optional && !member.required
        };
        Some(Member { of, of_item, is_option })
    };
    let item = each.and_then(|each| {
        let list = of_body(body, each, false)?.of;
        match model.item_kind(list)? {
            Kind::Input(input) => of_body(&model.input(input).body, name, true),
            Kind::Object(object) => {
                let member = model.object(object).members.iter().find(|member| member.name == name)?;
                let (of, is_option) = (&member.of, member.of.optional);
                Some(Member {
                    of,
                    of_item: true,
                    is_option,
                })
            }
            _ => None,
        }
    });
    item.or_else(|| of_body(body, name, false))
}

fn is_alike(member: &BodyMember, field: &Field) -> bool {
    let (of, known) = (&member.field.of, &field.of);
    of.kind == known.kind && of.list == known.list && (of.optional == known.optional || member.required)
}

/// Whether the answer has a new credential of this kind, and its prefix is known.
pub(crate) fn mints(subject: &OperationContext<'_>, credential: &str) -> bool {
    let model = subject.context.model;
    let is_shown = subject
        .operation
        .answers
        .contains(&AnswerFrom::Secret(credential.to_owned()));
    is_shown && (model.credential(credential).prefixes().count() == 1 || realm_of_secret(subject, credential).is_some())
}

/// Whose realm decides the prefix of a new credential, and the field with it. `None` if all have one prefix, or the operation does
/// not know the caller that gets it.
pub(crate) fn realm_of_secret<'m>(subject: &OperationContext<'m>, credential: &str) -> Option<(Target, &'m Field)> {
    let model = subject.context.model;
    let credential = model.credential(credential);
    if credential.prefixes().count() == 1 {
        return None;
    }
    let resource = model.resource(&credential.caller.as_ref()?.resource);
    let realm = resource.realm.as_ref().filter(|realm| realm.through.is_none())?;
    let name = &resource.name;
    let target = if is_made_once(subject, name) {
        Target::Made(name.clone())
    } else if subject.operation.always_finds(name) {
        Target::Found(name.clone())
    } else {
        let is_caller = subject.caller().is_some_and(|caller| caller.resource == *name);
        is_caller.then_some(Target::Caller)?
    };
    Some((target, resource.field(&realm.field)))
}

/// Whether all that is answered is known.
fn answers(subject: &OperationContext<'_>) -> Verdict {
    let (model, operation) = (subject.context.model, subject.operation);
    match &operation.data {
        None | Some(Data::Many { .. } | Data::Counts(_) | Data::Events) => return Ok(()),
        Some(Data::One { resource, view }) => {
            let resource = model.resource(resource);
            let view = find(&resource.views, |one| one.name == *view);
            let reader = if subject.is_read() { Reader::Trees } else { Reader::Tx };
            if Loading::of_view(subject.context, reader, resource, view).is_none() {
                return no("its answer shows what only a handler knows");
            }
            return match operation.answers.first() {
                Some(AnswerFrom::View(_)) => Ok(()),
                _ => no("the contract does not say which record it shows"),
            };
        }
        Some(Data::Members(_)) => {}
    }
    if subject.is_read() {
        return no("its answer is made of several values");
    }
    for answer in &operation.answers {
        match answer {
            AnswerFrom::Id(_) | AnswerFrom::Ids(_) | AnswerFrom::Member(_) => {}
            AnswerFrom::Secret(of) if mints(subject, of) => {}
            AnswerFrom::Field(Target::Made(of) | Target::Found(of), field)
                if model.resource(of).fields.iter().any(|one| one.name == *field) => {}
            _ => return no("its answer has what only a handler knows"),
        }
    }
    if operation.answers.is_empty() {
        no("the contract does not say what it answers")
    } else {
        Ok(())
    }
}
