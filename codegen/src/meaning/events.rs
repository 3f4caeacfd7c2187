//! Resolves events: the records that they are about, who gets them, what causes them.

use super::{field, link, resource};
use crate::check;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::model::{
    Cause, Effect, Enum, EventKind, EventMember, Events, Field, FieldPath, Kind, Model, Operation, Recipient, Resource,
    Surface, Target, TypeRule,
};
use crate::syntax::{self, Spec, Word};
use std::collections::HashSet;

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let Some(events) = &spec.events else {
        return;
    };
    let mut one = Declaring { model, diagnostics };
    let kinds = events.kinds.iter().filter_map(|(name, kind)| one.kind(name, kind));
    let kinds: Vec<EventKind> = kinds.collect();
    let whole = |num: syntax::Num| num.whole();
    one.unbounded(events, &kinds);
    model.events = Some(Events {
        keep_seconds: events.keep.seconds.into(),
        max: events.max.whole(),
        recipients: events.recipients.map_or(1, whole),
        kinds,
        at: events.at,
    });
    if diagnostics.is_empty() {
        ids_of_one_form(model, diagnostics);
        members_of_one_type(model, diagnostics);
        forgotten(model, diagnostics);
        keep_events_that_callers_get(model);
        no_value_names_another(spec, model, diagnostics);
    }
}

/// The key of an event begins with the id of its recipient, which has one length.
fn ids_of_one_form(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let recipients = model.recipients();
    let is_uuid = |resource: &&str| model.ids(resource).is_uuid();
    let (uuids, numbers): (Vec<&str>, Vec<&str>) = recipients.into_iter().partition(is_uuid);
    if let (Some(one), Some(other), Some(events)) = (uuids.first(), numbers.first(), &model.events) {
        let message =
            format!("a `{one}` and a `{other}` get events: the ids of one are UUIDs, those of the other numbers");
        diagnostics.push(Diagnostic::new(Rule::Ids, events.at, message).help("give both ids of one form"));
    }
}

/// Leaves those names in an enum of events that callers who send one can get. If nobody sends one, all of them.
fn keep_events_that_callers_get(model: &mut Model) {
    let named = |of: &Enum| -> Option<Vec<String>> {
        let surfaces: Vec<&Surface> = model
            .surfaces
            .iter()
            .filter(|surface| model.takes(surface, of))
            .collect();
        let got = surfaces
            .iter()
            .flat_map(|surface| model.events_for(surface))
            .map(|kind| &kind.name);
        let got: HashSet<&String> = got.collect();
        let names = of.values.iter().filter(|name| got.contains(name)).cloned().collect();
        (!surfaces.is_empty()).then_some(names)
    };
    let enums = model.enums.iter().enumerate().filter(|(_, of)| of.is_of_events);
    let left: Vec<(usize, Vec<String>)> = enums.filter_map(|(index, of)| Some((index, named(of)?))).collect();
    for (index, names) in left {
        model.enums[index].docs.retain(|(name, _)| names.contains(name));
        model.enums[index].values = names;
    }
}

/// An example or a default is one of the names that are left.
fn no_value_names_another(spec: &Spec, model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut left = spec.clone();
    for (name, of) in left.enums.iter_mut().filter(|(_, of)| of.is_of_events) {
        let names = &model.enumeration(&name.text).values;
        of.values.retain(|value| names.contains(&value.text));
    }
    let mut found = Vec::new();
    check::values(&left, &mut found);
    let note = "an enum of events has only those that callers who send one get";
    diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.note(note)));
}

struct Declaring<'m, 'd> {
    model: &'m Model,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Declaring<'_, '_> {
    fn report(&mut self, rule: Rule, at: crate::span::Span, message: String, help: &str) {
        let diagnostic = Diagnostic::new(rule, at, message);
        self.diagnostics.push(match help {
            "" => diagnostic,
            help => diagnostic.help(help),
        });
    }

    fn kind(&mut self, name: &Word, kind: &syntax::EventKind) -> Option<EventKind> {
        let of = resource(self.model, &kind.of, self.diagnostics)?;
        let to: Vec<Recipient> = kind.to.iter().filter_map(|path| self.recipient(of, path)).collect();
        let causes: Vec<Cause> = kind.on.iter().filter_map(|cause| self.cause(of, cause)).collect();
        let data = kind.data.iter();
        let data: Vec<EventMember> = data.filter_map(|(name, path)| self.member(of, name, path)).collect();
        let found = EventKind {
            name: name.text.clone(),
            doc: kind.doc.as_ref().map(|doc| doc.text.clone()),
            of: of.name.clone(),
            to,
            causes,
            data,
            at: name.at,
        };
        if kind.to.is_empty() {
            let message = format!("nobody gets `{}`", name.text);
            self.report(
                Rule::EventRecipient,
                name.at,
                message,
                "write who gets it as `to: [field]`",
            );
        }
        if found.to.len() == kind.to.len() {
            self.unheard(&found);
        }
        Some(found)
    }

    /// `event-recipient`: a cause after which nobody gets the event.
    fn unheard(&mut self, kind: &EventKind) {
        for cause in &kind.causes {
            let surface = self.model.surface(&cause.surface);
            if !kind.to.is_empty() && kind.recipients_of(self.model, surface).next().is_none() {
                let message = format!(
                    "callers of `{}` alone get `{}`, and they caused it",
                    surface.name, kind.name
                );
                self.report(Rule::EventRecipient, cause.at, message, "");
            }
        }
    }

    fn recipient(&mut self, of: &Resource, path: &Word) -> Option<Recipient> {
        let (first, rest) = path.text.split_once('.').unwrap_or((path.text.as_str(), ""));
        let (each, from, rest) = match first.starts_with(|c: char| c.is_ascii_uppercase()) {
            true => {
                let from = resource(self.model, &path.part(first), self.diagnostics)?;
                let via = link(from, &of.name, path.at, self.diagnostics)?;
                (Some((from.name.clone(), via)), from, rest)
            }
            false => (None, of, path.text.as_str()),
        };
        let (found, last) = self.follow(from, path, rest)?;
        let caller = match &last.of.kind {
            Kind::Id(resource) if !last.of.list && !last.of.optional => {
                self.model.credentials.iter().find_map(|credential| {
                    let caller = credential.caller.as_ref()?;
                    (caller.resource == *resource).then(|| resource.clone())
                })
            }
            _ => None,
        };
        let Some(caller) = caller else {
            let message = format!("`{}` is not the id of a caller", path.text);
            self.report(
                Rule::EventRecipient,
                path.at,
                message,
                "name a field with the id of the `caller` of a credential",
            );
            return None;
        };
        Some(Recipient {
            caller,
            each,
            path: found,
        })
    }

    /// How to get from a record to the field at the end of a path, and that field.
    fn follow(&mut self, from: &Resource, path: &Word, rest: &str) -> Option<(FieldPath, Field)> {
        let mut parts: Vec<&str> = rest.split('.').collect();
        let last = parts.pop().unwrap_or_default();
        let (mut at, mut ids) = (from, Vec::new());
        for id in parts {
            let held = field(at, &path.part(id), self.diagnostics)?;
            let Kind::Id(next) = &held.of.kind else {
                let message = format!("`{id}` of `{}` is not the id of another record", at.name);
                self.report(Rule::OriginLink, path.at, message, "");
                return None;
            };
            if held.of.optional || held.of.list {
                let message = format!("`{id}` of `{}` does not always lead to one record", at.name);
                self.report(Rule::OriginLink, path.at, message, "");
                return None;
            }
            ids.push((id.to_owned(), next.clone()));
            at = self.model.resource(next);
        }
        let found = field(at, &path.part(last), self.diagnostics)?;
        let path = FieldPath {
            ids,
            field: last.to_owned(),
        };
        Some((path, found.clone()))
    }

    fn cause(&mut self, of: &Resource, cause: &Word) -> Option<Cause> {
        let (surface, name) = cause.text.split_once('.')?;
        let mut operations = self.model.operations();
        let found = operations.find(|(of, operation)| of.name == surface && operation.name == name);
        let Some((_, operation)) = found else {
            let known: Vec<String> = self
                .model
                .operations()
                .map(|(surface, operation)| format!("{}.{}", surface.name, operation.name))
                .collect();
            let message = format!("there is no endpoint `{}`", cause.text);
            let diagnostic = Diagnostic::new(Rule::EventCause, cause.at, message);
            let known = while_few(self.diagnostics, known.iter().map(String::as_str));
            self.diagnostics.push(diagnostic.propose(&cause.text, known));
            return None;
        };
        let Some(target) = subject(operation, &of.name) else {
            let message = format!("`{}` does not create or change a `{}`", operation.name, of.name);
            let help =
                "an endpoint causes an event about the record that it `makes` or `changes`, or whose state it sets";
            self.report(Rule::EventCause, cause.at, message, help);
            return None;
        };
        Some(Cause {
            surface: surface.to_owned(),
            operation: name.to_owned(),
            target,
            at: cause.at,
        })
    }

    fn member(&mut self, of: &Resource, name: &Word, path: &Word) -> Option<EventMember> {
        let (found, source) = self.follow(of, path, &path.text)?;
        if !is_thin(self.model, &source) {
            let message = format!("`{}` is not an id, a state or a number", path.text);
            self.report(
                Rule::EventData,
                path.at,
                message,
                "who gets the event can read the record",
            );
            return None;
        }
        let mut of = source.of;
        of.default = None;
        of.has_states = false;
        let field = Field {
            name: name.text.clone(),
            of,
            origin: None,
            doc: source.doc,
            at: name.at,
        };
        Some(EventMember { field, path: found })
    }

    /// `event-recipient`: many recipients, and no bound on their number; or a bound that bounds nothing.
    fn unbounded(&mut self, events: &syntax::Events, kinds: &[EventKind]) {
        let mut many = kinds.iter().filter(|kind| kind.to.iter().any(|to| to.each.is_some()));
        match (many.next(), events.recipients) {
            (Some(kind), None) => {
                let message = format!("`{}` can have any number of recipients", kind.name);
                self.report(
                    Rule::EventRecipient,
                    kind.at,
                    message,
                    "write the maximum as `recipients` of `events`",
                );
            }
            (None, Some(bound)) => {
                let message = "no event has a recipient for each record of a resource".to_owned();
                self.report(Rule::EventRecipient, bound.at, message, "remove `recipients`");
            }
            _ => {}
        }
    }
}

/// The record of a resource that an operation creates or changes.
fn subject(operation: &Operation, resource: &str) -> Option<Target> {
    if operation
        .transitions
        .as_ref()
        .is_some_and(|moved| moved.resource == resource)
    {
        return Some(Target::Found(resource.to_owned()));
    }
    operation.effects.iter().find_map(|effect| match effect {
        Effect::Make {
            resource: made,
            each: None,
            ..
        } if made == resource => Some(Target::Made(made.clone())),
        Effect::Change {
            resource: changed,
            target,
            ..
        } if changed == resource => Some(target.clone()),
        _ => None,
    })
}

/// Whether a field may be in the data of an event.
fn is_thin(model: &Model, field: &Field) -> bool {
    let is_number = |name: &str| {
        let rule = &model.named_type(name).rule;
        matches!(rule, TypeRule::Number { .. } | TypeRule::Integer { .. })
    };
    !field.of.list
        && match &field.of.kind {
            Kind::Id(_) | Kind::Enum(_) | Kind::Boolean | Kind::Timestamp => true,
            Kind::Format(format) => format.rust.is_some(),
            Kind::Named(name) => is_number(name),
            _ => false,
        }
}

/// `event-data`: members of one name with different types.
fn members_of_one_type(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let known = model.event_members();
    for member in model.event_kinds().iter().flat_map(|kind| &kind.data) {
        let first = known.iter().find(|one| one.name == member.field.name);
        let Some(first) = first.filter(|first| first.of.kind != member.field.of.kind) else {
            continue;
        };
        let message = format!("`{}` has another type in another event", member.field.name);
        let diagnostic = Diagnostic::new(Rule::EventData, member.field.at, message);
        diagnostics.push(diagnostic.related(first.at, "there").help("give it another name"));
    }
}

/// `no-event`: an operation that changes something and causes no event, or that states so and does cause one.
fn forgotten(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, operation) in model.operations() {
        let mut caused = model.events_of(surface, operation).map(|(kind, _)| kind);
        let (message, at) = match (caused.next(), operation.no_event) {
            (None, None) if operation.method != "GET" => (
                format!("`{}` changes something and causes no event", operation.name),
                operation.at,
            ),
            (Some(kind), Some(at)) => (format!("`{}` causes `{}`", operation.name, kind.name), at),
            (None, Some(at)) if operation.method == "GET" => (format!("`{}` only reads", operation.name), at),
            _ => continue,
        };
        let help = match operation.no_event {
            None => "name it in `on` of a kind of event, or state that nobody needs to learn of it: `event: none`",
            Some(_) => "remove `event: none`",
        };
        diagnostics.push(Diagnostic::new(Rule::NoEvent, at, message).help(help));
    }
}
