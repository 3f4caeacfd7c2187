//! A contract as the library reads it, made from the compiler's model. It lives as long as the process.

mod creators;
pub(crate) mod fields;
mod lists;
pub(crate) mod traces;
mod types;

pub(crate) use types::{size, type_of};

use self::types::{body_of, data_of, member};
use crate::contract::{Contract, Credential, ErrorEntry, Exists, Limit, Operation, Part, Step, Transitions};
use crate::lists::description::Pages;
use crate::suite::trials::{leak, leak_all, words};
use crate::types::Member;
use codegen::model::{
    self, Data, EnvelopeValue, IdSource, Kind, Model, Piece, Segment, Source, Span, Surface, Template, Word,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A model, and what the library reads in its place.
pub(crate) struct Description {
    pub(crate) model: &'static Model,
    /// The file name of the contract in messages.
    pub(crate) file: &'static str,
    pub(crate) contract: &'static Contract,
    /// Every name of a field, a member or a parameter.
    pub(crate) vocabulary: &'static [&'static str],
    operations: Vec<(&'static model::Operation, &'static Operation)>,
}

impl Description {
    pub(crate) fn new(model: &'static Model, file: &'static str) -> &'static Self {
        let contract: &'static Contract = Box::leak(Box::new(contract(model, file)));
        let mut description = Self {
            model,
            file,
            contract,
            vocabulary: vocabulary(model),
            operations: Vec::new(),
        };
        for (surface, operation) in model.operations() {
            let described: &'static Operation = Box::leak(Box::new(description.describe(surface, operation)));
            description.operations.push((operation, described));
        }
        // These name other operations.
        for (surface, operation) in model.operations() {
            let described = description.operation(operation);
            if let Some(list) = lists::list(&description, surface, operation) {
                described.list.get_or_init(|| list);
            }
            let traces = traces::of(&description, surface, operation);
            described.traces.get_or_init(|| traces);
        }
        Box::leak(Box::new(description))
    }

    /// An operation of the model as the library reads it.
    pub(crate) fn operation(&self, of: &model::Operation) -> &'static Operation {
        let found = self.operations.iter().find(|(known, _)| std::ptr::eq(*known, of));
        found.expect("it is an operation of this model").1
    }

    /// `api.yaml:LINE:COL`
    pub(crate) fn at(&self, span: Span) -> &'static str {
        at(self.file, span)
    }

    fn describe(&self, surface: &'static Surface, operation: &'static model::Operation) -> Operation {
        let model = self.model;
        let pages = operation.pages.as_ref().map(|pages| Pages {
            size: &pages.size,
            offset: pages.offset.as_deref().map(String::as_str),
            number: pages.number.as_deref().map(String::as_str),
            total: pages.total.as_deref().map(String::as_str),
            at: self.at(pages.at),
        });
        let credential = |name: &String| self.contract.credentials.iter().find(|one| one.name == *name);
        let limit = |name: &String| self.contract.limits.iter().find(|one| one.name == *name);
        let parameter = |field: &'static model::Field| Member::required(&field.name, type_of(model, &field.of));
        let constraints = operation.constraints.iter();
        Operation {
            name: leak(format!("{}::{}", surface.name, operation.name)),
            at: self.at(operation.at),
            method: &operation.method,
            path: leak(format!("{}{}", surface.base, operation.route)),
            allow: allow(surface, operation),
            credential: surface.credential.as_ref().and_then(credential),
            limit: operation.limit.as_ref().and_then(limit),
            plan: operation.plan(),
            parameters: leak_all(operation.path.iter().map(parameter)),
            query: leak_all(operation.query.iter().map(|field| member(model, field))),
            constraints: leak_all(constraints.map(|(lower, upper)| (lower.as_str(), upper.as_str()))),
            body: model.body(operation).map(|body| body_of(model, body)),
            partial: model.body(operation).is_some_and(|body| body.partial),
            max_bytes: size(operation.max_bytes),
            exists: leak_all(operation.exists().map(|one| exists(model, one))),
            owned: leak_all(operation.owned()),
            quota: operation.quota.as_ref().map(|name| model.quota(name)),
            transitions: transitions(model, operation),
            status: operation.status,
            data: operation.data.as_ref().map(|data| data_of(model, data)),
            message: operation.message.as_deref(),
            siblings: words(&operation.siblings),
            sort: sort(model, operation),
            pages,
            list: OnceLock::new(),
            traces: OnceLock::new(),
        }
    }
}

fn at(file: &str, at: Span) -> &'static str {
    leak(format!("{file}:{}:{}", at.line, at.column))
}

fn contract(model: &'static Model, file: &str) -> Contract {
    Contract {
        errors: leak_all(model.errors.iter().map(|error| ErrorEntry {
            name: &error.name,
            step: step(error),
            status: error.status,
            text: source(&error.text),
            headers: templates(&error.headers),
            at: at(file, error.at),
        })),
        success: envelope(&model.success),
        error: envelope(&model.error),
        headers: templates(&model.headers),
        limits: leak_all(model.limits.iter().map(|limit| Limit {
            name: &limit.name,
            counts: &limit.counts,
            max: limit.max,
            owner_max: limit.owner_max,
            window_seconds: limit.window_seconds,
            at: at(file, limit.at),
        })),
        limit_headers: templates(&model.limit_headers),
        credentials: leak_all(model.credentials.iter().map(|one| credential(model, one))),
    }
}

fn envelope(members: &'static [(Word, EnvelopeValue)]) -> &'static [(&'static str, Part)] {
    leak_all(members.iter().map(|(name, value)| {
        let part = match value {
            EnvelopeValue::Literal(json) => Part::Literal(json),
            EnvelopeValue::Placeholder { name, optional: true } => Part::IfAny(name),
            EnvelopeValue::Placeholder { name, optional: false } => Part::Always(name),
        };
        (name.as_str(), part)
    }))
}

fn credential(model: &'static Model, credential: &'static model::Credential) -> Credential {
    let caller = credential.caller.as_ref();
    let plan = caller.and_then(|caller| caller.plan.as_ref());
    Credential {
        name: &credential.name,
        header: &credential.header,
        caller: caller.map(|caller| caller.resource.as_str()),
        comes_with: caller.map(|caller| caller.limited_by.as_str()),
        is_one_of_several: model.has_other_credentials(credential),
        plans: plan.map_or(&[], |(_, plans)| words(&model.enumeration(plans).values)),
        suspends: caller.is_some_and(|caller| caller.suspended.is_some()),
        prefix: &credential.prefix,
        random: size(credential.random),
    }
}

fn templates(pairs: &'static [(String, Template)]) -> &'static [(&'static str, &'static str)] {
    leak_all(pairs.iter().map(|(name, template)| (name.as_str(), source(template))))
}

fn source(template: &Template) -> &'static str {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Placeholder(name) => format!("{{{name}}}"),
    };
    leak(template.0.iter().map(piece).collect::<String>())
}

/// The library's name of the step at which an error rejects.
pub(crate) fn step(error: &'static model::ErrorEntry) -> Step {
    macro_rules! same {
        ($($step:ident),*) => {
            match error.step {
                codegen::step::Step::Rule => Step::Rule(&error.name),
                $(codegen::step::Step::$step => Step::$step,)*
            }
        };
    }
    same!(
        Route,
        Method,
        CredentialLimit,
        Credential,
        Suspended,
        Limit,
        InFlight,
        Busy,
        MediaType,
        BodySize,
        BodyTime,
        Decode,
        Plan,
        Exists,
        Owner,
        Quota,
        Transition,
        Write,
        Internal
    )
}

/// The methods of all operations with the same path, whatever the names of its parameters.
fn allow(surface: &'static Surface, operation: &model::Operation) -> &'static [&'static str] {
    let shape = |operation: &model::Operation| {
        let literal = |segment: &Segment| match segment {
            Segment::Literal(text) => Some(text.clone()),
            Segment::Parameter(_) => None,
        };
        operation.segments.iter().map(literal).collect::<Vec<_>>()
    };
    let here = shape(operation);
    let same = surface.operations.iter().filter(|other| shape(other) == here);
    leak_all(same.map(|other| other.method.as_str()))
}

fn exists(model: &'static Model, exists: &'static model::Exists) -> Exists {
    let resource = model.resource(&exists.resource);
    let (in_path, id) = match &exists.id {
        IdSource::Path(id) => (true, id),
        IdSource::Body(id) => (false, id),
    };
    Exists {
        resource: &resource.name,
        noun: &resource.noun,
        in_path,
        id,
        within: exists.parent.as_ref().map(|(parent, _)| parent.as_str()),
        private: resource.private,
    }
}

fn transitions(model: &'static Model, operation: &'static model::Operation) -> Option<Transitions> {
    let model::Transitions {
        resource, states: of, ..
    } = operation.transitions.as_ref()?;
    let (member, moved) = moved_member(model, operation)?;
    let states = model.enumeration(of).states.as_ref()?;
    let moves = states.transitions.as_ref().map(|moves| {
        let moves = moves.iter();
        leak_all(moves.map(|(from, to)| (from.as_str(), words(to))))
    });
    Some(Transitions {
        resource,
        noun: &model.resource(resource).noun,
        field: &states.of.1,
        member,
        initial: &states.initial,
        moves,
        all: words(&model.enumeration(of).values),
        words: words(&model.enumeration(moved).values),
    })
}

/// The member of a body that names the new state: its name and its enumeration.
pub(crate) fn moved_member<'m>(model: &'m Model, operation: &'m model::Operation) -> Option<(&'m str, &'m str)> {
    let states = &operation.transitions.as_ref()?.states;
    let mut members = model.body(operation)?.members.iter();
    members.find_map(|member| match &member.field.of.kind {
        Kind::Enum(name) if name == states || model.enumeration(name).part_of.as_ref() == Some(states) => {
            Some((member.field.name.as_str(), name.as_str()))
        }
        _ => None,
    })
}

fn vocabulary(model: &'static Model) -> &'static [&'static str] {
    let fields = model
        .resources
        .iter()
        .flat_map(|one| one.fields.iter().chain(&one.joined));
    let objects = model.objects.iter().flat_map(|one| &one.members);
    let operations = || model.operations().map(|(_, operation)| operation);
    let parameters = operations().flat_map(|operation| operation.query.iter().chain(&operation.path));
    let bodies = operations().filter_map(|operation| model.body(operation));
    let bodies = bodies.chain(model.inputs.iter().map(|one| &one.body));
    let members = bodies.flat_map(|body| &body.members).map(|member| &member.field);
    let all = fields.chain(objects).chain(parameters).chain(members);
    let names: BTreeSet<&str> = all.map(|field| field.name.as_str()).chain(["no_such_name"]).collect();
    leak_all(names)
}

/// The order of a list by the members that it shows: all sort keys up to the first one that it does not show.
fn sort(model: &'static Model, operation: &'static model::Operation) -> &'static [(&'static str, bool)] {
    let Some(Data::Many { resource, view }) = &operation.data else {
        return &[];
    };
    let mut views = model.resource(resource).views.iter();
    let view = views
        .find(|one| one.name == *view)
        .expect("resolved names name something");
    let shown = |field: &str| {
        let shows = |source: &Source| matches!(source, Source::Stored(stored) if stored == field);
        view.members.iter().find(|member| shows(&member.source))
    };
    let keys = operation.sort.iter();
    leak_all(keys.map_while(|(field, reversed)| Some((shown(field)?.shown.as_str(), *reversed))))
}
