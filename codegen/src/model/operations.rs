//! Surfaces and their operations.

use super::{
    AnswerFrom, BodyUse, Effect, Feed, Field, FieldIs, Fill, Filter, Guard, Kind, Mcp, MinRate, Nearest, Orders, Pages,
    ResponseHeader, SortKey, Span, Target, Tool, Type, ValueCounts, Word,
};
use std::fmt;

/// The operations of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Its name.
    pub name: String,
    /// Who calls it, and what for.
    pub doc: Option<String>,
    /// The path prefix of its operations, without a slash at its end.
    pub base: String,
    /// The credential that requests need.
    pub credential: Option<String>,
    /// The limits of its requests.
    pub limits: Vec<String>,
    /// Whether successes have the envelope, unless an operation says otherwise.
    pub has_envelope: bool,
    /// Where it offers its operations as tools.
    pub mcp: Option<Mcp>,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Position in the file.
    pub at: Span,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub doc: Option<String>,
    /// `GET`, `POST`, …
    pub method: Word,
    /// The path after the base, as written.
    pub route: String,
    /// The path in segments.
    pub segments: Vec<Segment>,
    /// Path parameters.
    pub path: Vec<Field>,
    /// Query parameters.
    pub query: Vec<Field>,
    /// Pairs of query parameters: the first must not be greater than the second.
    pub constraints: Vec<(Word, Word)>,
    /// The keys of the order of a list: of the default one, if the client chooses the order.
    pub sort: Vec<SortKey>,
    /// The orders of which the client chooses one.
    pub orders: Option<Orders>,
    /// The conditions on the rows of a list, all of which apply.
    pub filters: Vec<Filter>,
    /// How a list is split into pages.
    pub pages: Option<Pages>,
    /// The parameters for whose unknown values the nearest names are proposed.
    pub nearest: Vec<Nearest>,
    /// Its body.
    pub body: Option<BodyUse>,
    /// The file that is its body.
    pub file: Option<FileBody>,
    /// Maximum bytes of the body.
    pub max_bytes: u64,
    /// Position of that maximum: the operation's own, or the general one.
    pub max_bytes_at: Span,
    /// Maximum concurrent requests of one caller, if the operation waits for events (`waits_at_once`).
    pub waits_at_once: Option<u32>,
    /// For how many seconds its answers are kept, if it takes idempotency keys.
    pub keep_seconds: Option<u32>,
    /// The limit that counts it.
    pub limit: Option<String>,
    /// What must hold before its handler runs: the plan, then existence, then ownership. In the order of the contract
    /// within a kind.
    pub guards: Vec<Guard>,
    /// The decision that permits access to resources of other accounts.
    pub open: Option<String>,
    /// The quotas that its requests count towards.
    pub quotas: Vec<Word>,
    /// The states that it changes.
    pub transitions: Option<Transitions>,
    /// What it does to the stored records beside `transitions`, in order.
    pub effects: Vec<Effect>,
    /// The operation of its surface that it tries without doing it.
    pub dry_run: Option<Word>,
    /// What that operation does.
    pub tried: Vec<Effect>,
    /// The parameters of the feed that it is.
    pub feed: Option<Feed>,
    /// That it causes no event, where the contract states it.
    pub no_event: Option<Span>,
    /// Why the contract does not declare all that it does or returns.
    pub undeclared: Option<String>,
    /// What a person has to know before doing it.
    pub consequence: Option<Consequence>,
    /// The names of its own errors.
    pub rules: Vec<Word>,
    /// HTTP status of a success.
    pub status: u16,
    /// Whether `envelope: none` stands neither at it nor at its surface.
    pub has_envelope: bool,
    /// `data`
    pub data: Option<Data>,
    /// Where the members of `data` come from, in order; for one view, the record that it shows. Empty for a list, and
    /// if the contract declares no effects.
    pub answers: Vec<AnswerFrom>,
    /// The resource whose content it returns, instead of JSON.
    pub content_of: Option<String>,
    /// `message`
    pub message: Option<String>,
    /// Members beside `data`.
    pub siblings: Vec<String>,
    /// Headers of the success.
    pub headers: Vec<ResponseHeader>,
    /// Valid values of parameters and members of the body, by name, as written: of a list, one of its items.
    pub example: Vec<(String, String)>,
    /// What the contract says of it as a tool.
    pub tool: Option<Tool>,
    /// Position in the file.
    pub at: Span,
}

/// What a person has to know before doing an operation.
#[derive(Clone, Debug)]
pub struct Consequence {
    /// The text.
    pub text: String,
    /// Which requests have it, by a member of their body. `None`: all.
    pub when: Option<FieldIs>,
    /// Position in the file.
    pub at: Span,
}

/// `is_blocked is true: The reader can borrow nothing.`
impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.when {
            Some(when) => write!(f, "{when}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A body that is a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileBody {
    /// The media types that it may have.
    pub types: Vec<String>,
    /// Maximum seconds until it has arrived.
    pub max_seconds: u64,
    /// The minimum rate at which it must arrive, if any.
    pub min_rate: Option<MinRate>,
    /// Position in the file.
    pub at: Span,
}

/// The states that an operation changes.
#[derive(Clone, Debug)]
pub struct Transitions {
    /// The resource.
    pub resource: String,
    /// The enum of its states.
    pub states: String,
    /// Position in the file.
    pub at: Span,
}

/// A segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Literal text.
    Literal(String),
    /// A parameter.
    Parameter(String),
}

impl Surface {
    /// The full name of one of its operations: `surface::operation`.
    pub fn full_name(&self, operation: &Operation) -> String {
        format!("{}::{}", self.name, operation.name)
    }

    /// The start of the paths of its operations, as written.
    pub(crate) fn base_path(&self) -> &str {
        if self.base.is_empty() { "/" } else { &self.base }
    }
}

impl Operation {
    /// The resource whose records it lists or counts.
    pub fn listed(&self) -> Option<&str> {
        match &self.data {
            Some(Data::Many { resource, .. }) => Some(resource),
            Some(Data::Counts(counts)) => Some(&counts.resource),
            _ => None,
        }
    }

    /// What it counts, if it counts the records of a list.
    pub fn counts(&self) -> Option<&ValueCounts> {
        match &self.data {
            Some(Data::Counts(counts)) => Some(counts),
            _ => None,
        }
    }

    /// What the body of its success is.
    pub fn success_body(&self) -> SuccessBody {
        match (&self.content_of, &self.data) {
            (Some(_), _) => SuccessBody::File,
            _ if self.status == NO_CONTENT => SuccessBody::Nothing,
            _ if self.has_envelope => SuccessBody::Envelope,
            (None, Some(_)) => SuccessBody::Data,
            (None, None) => SuccessBody::Nothing,
        }
    }

    /// Whether its requests have a body: JSON or a file.
    pub fn takes_body(&self) -> bool {
        self.body.is_some() || self.file.is_some()
    }

    /// Whether its body or its answer is a file.
    pub fn moves_file(&self) -> bool {
        self.file.is_some() || self.content_of.is_some()
    }

    /// The type of a parameter or a member of its body, with its own example.
    pub fn exemplified(&self, field: &Field) -> Type {
        let own = self.example.iter().find(|(name, _)| *name == field.name);
        let own = own.map(|(_, example)| example.clone());
        Type {
            example: own.or_else(|| field.of.example.clone()),
            ..field.of.clone()
        }
    }

    /// Whether its example names this parameter or member.
    pub(crate) fn exemplifies(&self, field: &Field) -> bool {
        self.example.iter().any(|(name, _)| *name == field.name)
    }

    /// Whether its requests count towards this quota.
    pub fn counts_towards(&self, quota: &str) -> bool {
        self.quotas.iter().any(|one| one.text == quota)
    }

    /// Whether it changes these states.
    pub(crate) fn changes(&self, states: &str) -> bool {
        self.transitions.as_ref().is_some_and(|moved| moved.states == states)
    }

    /// Whether it creates records of this resource.
    pub fn makes(&self, resource: &str) -> bool {
        self.effects.iter().any(|effect| effect.makes(resource))
    }

    /// What decides its checks: its effects, or those of the operation that it tries.
    pub fn decisive_effects(&self) -> &[Effect] {
        match self.dry_run {
            Some(_) => &self.tried,
            None => &self.effects,
        }
    }

    /// What fills the fields of a new record of this resource.
    pub fn fills(&self, resource: &str) -> Option<&[(String, Fill)]> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Make {
                resource: made, fills, ..
            } if made == resource => Some(fills.as_slice()),
            _ => None,
        })
    }

    /// What fills this field of a new record of this resource.
    pub fn fill(&self, resource: &str, field: &str) -> Option<&Fill> {
        let mut fills = self.fills(resource)?.iter();
        fills.find(|(known, _)| known == field).map(|(_, fill)| fill)
    }

    /// Whether it deletes a record of this resource.
    pub fn ends(&self, resource: &str) -> bool {
        let is_it = |effect: &Effect| matches!(effect, Effect::End { resource: of, .. } if of == resource);
        self.effects.iter().any(is_it)
    }

    /// Whose credential of this kind it replaces by a new one.
    pub fn renews(&self, credential: &str) -> Option<&Target> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Renew {
                credential: of, target, ..
            } if of == credential => Some(target),
            _ => None,
        })
    }

    /// Whose credential of this kind it ends, with a new one or without.
    pub fn ends_credential(&self, credential: &str) -> Option<&Target> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Renew {
                credential: of, target, ..
            }
            | Effect::Revoke {
                credential: of, target, ..
            } if of == credential => Some(target),
            _ => None,
        })
    }

    /// Each order that its list can have, with its name if the client chooses it. Without a choice there is one at most.
    pub fn each_order(&self) -> impl Iterator<Item = (Option<&str>, &[SortKey])> {
        let chosen = self.orders.iter().flat_map(|orders| &orders.all);
        let chosen = chosen.map(|order| (Some(order.name.as_str()), order.keys.as_slice()));
        let only = (self.orders.is_none() && !self.sort.is_empty()).then_some((None, self.sort.as_slice()));
        only.into_iter().chain(chosen)
    }

    /// Whether this parameter of the query chooses the order of the list.
    pub fn sorts_by(&self, parameter: &str) -> bool {
        self.orders.as_ref().is_some_and(|orders| orders.by == parameter)
    }

    /// Whether this parameter of the query chooses a page of the list.
    pub(crate) fn pages_by(&self, parameter: &str) -> bool {
        let mut named = self.pages.iter().flat_map(|pages| pages.named());
        named.any(|(_, name)| name == Some(parameter))
    }

    /// Whether its handler can return this error.
    pub(crate) fn has_rule(&self, error: &str) -> bool {
        self.rules.iter().any(|rule| *rule == error)
    }

    /// Whether a secret that it returns is no credential of the contract: the records that it creates have none.
    pub fn shows_foreign_secret(&self) -> bool {
        let is_credential = |from: &AnswerFrom| matches!(from, AnswerFrom::Secret(_));
        self.shows_secret() && !self.effects.is_empty() && !self.answers.iter().any(is_credential)
    }

    /// Whether it answers a repeated request with the stored answer. A secret is not stored.
    pub fn replays(&self) -> bool {
        self.keep_seconds.is_some() && !self.shows_secret()
    }

    /// The first member of its success that is the id of a record that it makes, and the resource.
    pub fn made_id(&self) -> Option<(&Field, &str)> {
        let Some(Data::Members(members)) = &self.data else {
            return None;
        };
        members.iter().find_map(|field| match &field.of.kind {
            Kind::Id(resource) if !field.of.list && self.makes(resource) => Some((field, resource.as_str())),
            _ => None,
        })
    }

    /// Whether its success contains a secret.
    pub fn shows_secret(&self) -> bool {
        let is_secret = |member: &Field| member.of.kind == Kind::Secret;
        matches!(&self.data, Some(Data::Members(members)) if members.iter().any(is_secret))
    }
}

/// The status of a success that has no body (RFC 9110 §15.3.5).
pub(crate) const NO_CONTENT: u16 = 204;

/// What the body of a success is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuccessBody {
    /// The members of the envelope, `data` among them.
    Envelope,
    /// `data` alone.
    Data,
    /// There is none.
    Nothing,
    /// The content of a file.
    File,
}

impl SuccessBody {
    /// Whether the body is neither in the envelope nor a file: `data` alone, or nothing.
    pub fn is_bare(self) -> bool {
        matches!(self, SuccessBody::Data | SuccessBody::Nothing)
    }
}

/// The `data` of a success.
#[derive(Clone, Debug)]
pub enum Data {
    /// One view.
    One {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// A list of a view.
    Many {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// An object.
    Members(Vec<Field>),
    /// The values of a field of the records that another list has, with their numbers.
    Counts(Box<ValueCounts>),
    /// A list of events.
    Events,
}
