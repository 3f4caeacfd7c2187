//! A contract as the library reads it: the compiler's model, and beside it what the library derives. It lives as long as the
//! process.

use crate::suite::description::{body_of, data_of, member, type_of};
use crate::suite::{leak, leak_all};
use crate::types::{Member, Type, named};
use codegen::model::{
    self, Body, Credential, Effect, EnvelopeValue, ErrorEntry, IdSource, Kind, Limit, Model, Quota, Resource, Segment,
    Span, States, SuccessBody, Surface, Word,
};
use codegen::step::Step;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

/// A contract.
pub struct Contract {
    /// As the compiler resolved it.
    pub model: &'static Model,
    /// Its file name in messages.
    pub file: &'static str,
    operations: OnceLock<Vec<&'static Operation>>,
}

impl Contract {
    pub(crate) fn new(model: &'static Model, file: &'static str) -> &'static Self {
        let contract: &'static Self = Box::leak(Box::new(Self {
            model,
            file,
            operations: OnceLock::new(),
        }));
        contract.operations.get_or_init(|| {
            let operation = |(surface, declared)| &*Box::leak(Box::new(Operation::new(contract, surface, declared)));
            model.operations().map(operation).collect()
        });
        contract
    }

    /// Its operations, in order.
    pub(crate) fn operations(&self) -> &[&'static Operation] {
        self.operations.get().map_or(&[], Vec::as_slice)
    }

    /// An operation of the model with what the library derives.
    pub(crate) fn operation(&self, declared: &model::Operation) -> &'static Operation {
        let mut operations = self.operations().iter();
        let found = operations.find(|one| std::ptr::eq(one.declared, declared));
        found.expect("it is an operation of this model")
    }

    /// `api.yaml:LINE:COL`
    pub fn at(&self, span: Span) -> String {
        format!("{}:{}:{}", self.file, span.line, span.column)
    }

    /// The error of a step. A contract has every error that its operations need.
    pub(crate) fn error(&self, step: Step) -> &'static ErrorEntry {
        let error = self.model.error_at(step);
        error.unwrap_or_else(|| panic!("the error table has no row for {step:?}"))
    }

    /// Whether the limit counts a request that this error rejects.
    pub(crate) fn counts(&self, error: &ErrorEntry) -> bool {
        let place = |is_it: &dyn Fn(&ErrorEntry) -> bool| self.model.errors.iter().position(is_it);
        place(&|one| one.step == Step::Limit) < place(&|one| one.name == error.name)
    }

    /// The limit on failed credentials.
    pub(crate) fn failed_credentials(&self) -> Option<&'static Limit> {
        let mut limits = self.model.limits.iter();
        limits.find(|limit| limit.counts == model::Counts::FailedCredentials)
    }

    /// The plans that a caller with such a credential may have.
    pub(crate) fn plans(&self, credential: &Credential) -> &'static [String] {
        let caller = credential.caller.as_ref();
        let plan = caller.and_then(|caller| caller.plan.as_ref());
        plan.map_or(&[], |(_, plans)| &self.model.enumeration(plans).values)
    }

    /// The name of an error's member with this meaning.
    pub(crate) fn error_member(&self, meaning: &str) -> Option<&'static str> {
        envelope_member(&self.model.error, meaning)
    }
}

/// The name of the member of an envelope with this meaning.
pub(crate) fn envelope_member<'m>(members: &'m [(Word, EnvelopeValue)], wanted: &str) -> Option<&'m str> {
    let (name, _) = members.iter().find(|(_, value)| meaning(value) == wanted)?;
    Some(name)
}

/// The `data` in the body of a success: a member of it, or the body itself.
pub(crate) fn data_in<'b>(model: &Model, operation: &model::Operation, body: &'b Value) -> &'b Value {
    const NONE: &Value = &Value::Null;
    match (operation.success_body(), model.data_member(operation)) {
        (SuccessBody::Data, _) => body,
        (_, Some(name)) => &body[name],
        (_, None) => NONE,
    }
}

/// What a member of the envelope shows: `data`, `text`, …; empty for fixed JSON.
pub(crate) fn meaning(value: &EnvelopeValue) -> &str {
    match value {
        EnvelopeValue::Literal(_) => "",
        EnvelopeValue::Placeholder { name, .. } => name,
    }
}

/// Every name of a field, a member or a parameter, and one of none.
pub(crate) fn vocabulary(model: &'static Model) -> &'static [&'static str] {
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

/// One endpoint.
pub struct Operation {
    /// Its contract.
    pub contract: &'static Contract,
    /// Its surface.
    pub surface: &'static Surface,
    /// As the contract declares it.
    pub declared: &'static model::Operation,
    /// `surface::operation`
    pub name: &'static str,
    /// Its position in the contract.
    pub at: &'static str,
    /// Its whole path, parameters written `:name`.
    pub path: &'static str,
    /// Every method that the path offers.
    pub allow: Vec<&'static str>,
    /// The credential that every request needs.
    pub credential: Option<&'static Credential>,
    /// The limit that counts it.
    pub limit: Option<&'static Limit>,
    /// The plan that the caller must have.
    pub plan: Option<&'static str>,
    /// The resources that must exist, in order.
    pub exists: Vec<Exists>,
    /// The resources that the caller must own.
    pub owned: Vec<&'static str>,
    /// The quota that a few repetitions of its request fill.
    pub quota: Option<&'static Quota>,
    /// All quotas that it counts towards.
    pub quotas: Vec<&'static Quota>,
    /// The parameters in the path.
    pub parameters: &'static [Member],
    /// The parameters of the query.
    pub query: &'static [Member],
    /// Its body, an object.
    pub body: Option<&'static Type>,
    /// The state transitions that it makes.
    pub transitions: Option<Transitions>,
    /// The value of `data`.
    pub data: Option<&'static Type>,
}

impl Operation {
    fn new(contract: &'static Contract, surface: &'static Surface, declared: &'static model::Operation) -> Self {
        let model = contract.model;
        let parameter = |field: &'static model::Field| Member::required(&field.name, type_of(model, &field.of));
        Self {
            contract,
            surface,
            declared,
            name: leak(surface.full_name(declared)),
            at: leak(contract.at(declared.at)),
            path: leak(format!("{}{}", surface.base, declared.route)),
            allow: allow(surface, declared),
            credential: model.credential_of(surface),
            limit: declared.limit.as_ref().map(|name| model.limit(name)),
            plan: declared.plan(),
            exists: declared
                .exists()
                .map(|exists| Exists::from_model(model, exists))
                .collect(),
            owned: declared.owned().collect(),
            quota: filled_by_few(model, declared),
            quotas: quotas_of(model, declared).collect(),
            parameters: leak_all(declared.path.iter().map(parameter)),
            query: leak_all(declared.query.iter().map(|field| member(model, field))),
            body: model.body(declared).map(|body| body_of(model, body)),
            transitions: Transitions::from_model(model, declared),
            data: data_of(model, declared),
        }
    }

    /// The `data` in the body of a success.
    pub(crate) fn data_in<'b>(&self, body: &'b Value) -> &'b Value {
        data_in(self.contract.model, self.declared, body)
    }

    /// What messages call it: the name of the member of the envelope, or `the body`.
    pub(crate) fn data_name(&self) -> &'static str {
        self.contract.model.data_member(self.declared).unwrap_or("the body")
    }

    /// A method that the path does not offer, other than HEAD and OPTIONS, which many servers answer by themselves.
    pub(crate) fn other_method(&self) -> Option<&'static str> {
        let mut methods = ["PUT", "GET", "DELETE", "POST", "PATCH"].into_iter();
        methods.find(|method| !self.allow.contains(method))
    }

    /// The guard that looks up this member of the body if it is given.
    pub(crate) fn optional_guard(&self, member: &str) -> Option<&Exists> {
        let mut guards = self.exists.iter();
        guards.find(|exists| exists.is_optional && exists.id_name() == member)
    }

    /// Whether the caller must own this resource.
    pub(crate) fn owns(&self, resource: &Resource) -> bool {
        self.owned.contains(&resource.name.as_str())
    }

    /// The body that the contract declares.
    pub(crate) fn declared_body(&self) -> Option<&'static Body> {
        self.contract.model.body(self.declared)
    }

    /// The media type and the bytes of a file that it takes.
    pub(crate) fn file_sample(&self) -> Option<(&'static str, &'static str)> {
        file_sample(self.declared)
    }

    /// The members of its body.
    pub(crate) fn members(&self) -> &'static [Member] {
        self.body.map_or(&[], Type::members)
    }

    /// The parameter of the query with this name.
    pub(crate) fn query(&self, name: &str) -> Option<&'static Member> {
        named(self.query, name)
    }

    /// Whether the body is partial: at least one member, no matter which.
    pub(crate) fn is_partial(&self) -> bool {
        self.declared_body().is_some_and(|body| body.partial)
    }

    /// Most bytes of the body.
    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.declared.max_bytes).unwrap_or(usize::MAX)
    }

    /// Whether a success ends the resource that the path names last. A `DELETE` may also do something else (`changes`).
    pub(crate) fn deletes(&self) -> bool {
        let declared = self.declared;
        let is_silent = declared.effects.is_empty() && declared.undeclared.is_none() && declared.transitions.is_none();
        let last = self.exists.iter().rfind(|exists| exists.is_in_path());
        let is_last = |ended: &str| last.is_some_and(|last| last.resource.name == ended);
        let mut effects = declared.effects.iter();
        let ends = effects.any(|effect| matches!(effect, Effect::End { resource, .. } if is_last(resource)));
        ends || (declared.method == "DELETE" && is_silent && last.is_some())
    }
}

/// Its name: it is part of cycles.
impl fmt::Debug for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

/// The media type and the bytes of a file that an operation takes: of a type whose files can be texts.
pub(crate) fn file_sample(declared: &model::Operation) -> Option<(&'static str, &'static str)> {
    let samples = [
        ("text/plain", "a file"),
        ("text/csv", "a,file"),
        ("application/pdf", "%PDF-1.7"),
        ("image/gif", "GIF89a"),
    ];
    let file = declared.file.as_ref()?;
    samples
        .into_iter()
        .find(|(media_type, _)| file.types.iter().any(|one| one == media_type))
}

/// The methods of all operations with the same path, whatever the names of its parameters.
fn allow(surface: &'static Surface, operation: &model::Operation) -> Vec<&'static str> {
    let shape = |operation: &model::Operation| {
        let literal = |segment: &Segment| match segment {
            Segment::Literal(text) => Some(text.clone()),
            Segment::Parameter(_) => None,
        };
        operation.segments.iter().map(literal).collect::<Vec<_>>()
    };
    let here = shape(operation);
    let same = surface.operations.iter().filter(|other| shape(other) == here);
    same.map(|other| other.method.as_str()).collect()
}

/// A resource that must exist.
pub struct Exists {
    /// The resource.
    pub resource: &'static Resource,
    /// The path parameter or the member of the body with its id.
    pub id: &'static IdSource,
    /// Whether a request may lack the id: its guards then pass.
    pub is_optional: bool,
    /// The resource that it must belong to, and the field with that one's id.
    pub within: Option<(&'static str, &'static str)>,
}

impl Exists {
    fn from_model(model: &'static Model, declared: &'static model::Exists) -> Self {
        Self {
            resource: model.resource(&declared.resource),
            id: &declared.id,
            is_optional: declared.is_optional,
            within: declared
                .parent
                .as_ref()
                .map(|(parent, field)| (parent.as_str(), field.as_str())),
        }
    }

    /// Whether its id is a path parameter; else it is a member of the body.
    pub(crate) fn is_in_path(&self) -> bool {
        matches!(self.id, IdSource::Path(_))
    }

    /// The name of that parameter or member.
    pub(crate) fn id_name(&self) -> &'static str {
        self.id.name()
    }
}

/// The state transitions of an operation.
pub struct Transitions {
    /// The resource.
    pub resource: &'static Resource,
    /// Its states. The present one is always allowed again.
    pub states: &'static States,
    /// The member of the body that names the new state.
    pub member: &'static str,
    /// All states.
    pub all: &'static [String],
    /// The states that the operation can set.
    pub words: &'static [String],
}

impl Transitions {
    fn from_model(model: &'static Model, operation: &'static model::Operation) -> Option<Self> {
        let model::Transitions {
            resource, states: of, ..
        } = operation.transitions.as_ref()?;
        let (member, moved) = moved_member(model, operation)?;
        Some(Self {
            resource: model.resource(resource),
            states: model.enumeration(of).states.as_ref()?,
            member,
            all: &model.enumeration(of).values,
            words: &model.enumeration(moved).values,
        })
    }
}

/// The member of a body that names the new state: its name and its enumeration.
fn moved_member(model: &'static Model, operation: &'static model::Operation) -> Option<(&'static str, &'static str)> {
    let states = &operation.transitions.as_ref()?.states;
    let mut members = model.body(operation)?.members.iter();
    members.find_map(|member| match &member.field.of.kind {
        Kind::Enum(name) if name == states || model.enumeration(name).part_of.as_ref() == Some(states) => {
            Some((member.field.name.as_str(), name.as_str()))
        }
        _ => None,
    })
}

/// How many requests fill a quota that every test may fill.
const FEW: u64 = 20;

fn quotas_of<'m>(model: &'m Model, declared: &'m model::Operation) -> impl Iterator<Item = &'m Quota> {
    declared.quotas.iter().map(|name| model.quota(name))
}

/// The quota that a few repetitions of an operation's request fill: the one that allows the fewest records, of those
/// that the request makes.
fn filled_by_few(model: &'static Model, declared: &'static model::Operation) -> Option<&'static Quota> {
    let is_made = |quota: &&Quota| {
        let of = quota.records().map(|of| model.resource(of));
        let is_stored = of.is_some_and(|of| of.distinct.is_none());
        is_stored && quota.max <= FEW && !(quota.only.is_some() && model.can_count_again(declared, quota))
    };
    quotas_of(model, declared).filter(is_made).min_by_key(|quota| quota.max)
}
