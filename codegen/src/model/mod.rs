//! The resolved contract: every name refers to a declaration, every type is known.
//!
//! [`crate::resolve`] builds it from a [`crate::syntax::Spec`] without mistakes. Sections in which nothing is to resolve
//! are those of the syntax. Emitters, documents and diff read only the model.

mod answers;
mod callers;
mod chars;
mod defaults;
mod events;
mod graph;
mod guards;
mod headers;
mod hidden;
mod ids;
mod indexes;
mod lists;
mod meaning;
mod operations;
mod order;
mod possible_errors;
mod quotas;
mod realms;
mod resources;
mod texts;
mod tools;
mod types;
mod unique;

pub use crate::matching::Matching;
pub use crate::span::{Span, Word};
pub use crate::syntax::{
    Contact, Decision, EnvelopeValue, FileFact, Idempotency, License, MinRate, Nulls, Pages, Table, Untestable,
    period_in_words,
};
pub use crate::units::Unit;
pub use answers::{ErrorEntry, Piece, Template};
pub(crate) use callers::FILE_BYTES;
pub use callers::{Caller, Counts, Credential, CredentialRealm, Limit, Per, Quota, QuotaOf, ResponseBytes};
pub use chars::Class;
pub use events::{Cause, EventKind, EventMember, Events, Feed, FieldPath, Recipient};
pub use graph::{Edge, Graph, Node};
pub use guards::{Exists, Guard, GuardKind, IdSource};
pub(crate) use headers::TOTAL;
pub use headers::{HeaderPart, ResponseHeader};
pub use hidden::{Hidden, HiddenExcept};
pub use ids::{Ids, RecordId};
pub use indexes::Index;
pub use lists::{Filter, FilterBy, KnownNames, Nearest, ValueCounts};
pub use meaning::{Alike, AnswerFrom, Condition, Effect, FieldIs, Fill, Origin, Synonyms, Target};
pub(crate) use operations::NO_CONTENT;
pub use operations::{Consequence, Data, FileBody, Operation, Segment, SuccessBody, Surface, Transitions};
pub use order::{Order, Orders, SortKey, with_id};
pub use realms::Realm;
pub use resources::{Average, Body, BodyMember, BodyUse, Distinct, Input, Resource, Source, View, ViewMember};
pub use texts::{Language, LanguageText, Owner, TextOf};
pub use tools::{KEY_ARGUMENT, Mcp, Tool};
pub use types::{Enum, Field, Kind, NamedType, Object, States, Type, TypeRule};
pub use unique::Given;

use crate::step::Step;

/// The whole contract.
#[derive(Clone, Debug)]
pub struct Model {
    /// Short name of the service.
    pub name: String,
    /// Title of the service.
    pub title: String,
    /// Version of the contract.
    pub version: String,
    /// Description of the service.
    pub doc: Option<String>,
    /// Contact.
    pub contact: Option<Contact>,
    /// License.
    pub license: Option<License>,
    /// Every status of an answer.
    pub statuses: Vec<u16>,
    /// Headers of every answer: name → template.
    pub headers: Vec<(String, Template)>,
    /// Maximum bytes of a request body, unless the operation declares its own bound.
    pub body_max_bytes: u64,
    /// Maximum seconds for receiving a request body.
    pub body_max_seconds: u64,
    /// Minimum rate of a request body.
    pub body_min_rate: Option<MinRate>,
    /// Maximum concurrent requests of one caller.
    pub in_flight: Option<u32>,
    /// Maximum bytes of responses to one caller in a window.
    pub response_bytes: Option<ResponseBytes>,
    /// Headers of every error response, with the placeholder `code`.
    pub error_headers: Vec<(String, Template)>,
    /// Members of a success.
    pub success: Table<EnvelopeValue>,
    /// Members of an error.
    pub error: Table<EnvelopeValue>,
    /// Members of a fault of an invalid request. Empty if errors list none.
    pub fault: Table<EnvelopeValue>,
    /// The media type of errors, if it is not that of successes.
    pub error_media_type: Option<String>,
    /// The decisions.
    pub decisions: Table<Decision>,
    /// The error table, in order of precedence.
    pub errors: Vec<ErrorEntry>,
    /// The rate limits.
    pub limits: Vec<Limit>,
    /// The headers of rate limits.
    pub limit_headers: Vec<(String, Template)>,
    /// How requests with an idempotency key are done once.
    pub idempotency: Option<Idempotency>,
    /// The quotas.
    pub quotas: Vec<Quota>,
    /// The kinds of credentials.
    pub credentials: Vec<Credential>,
    /// The named types.
    pub types: Vec<NamedType>,
    /// The enums.
    pub enums: Vec<Enum>,
    /// The objects.
    pub objects: Vec<Object>,
    /// The named request bodies.
    pub inputs: Vec<Input>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// Texts that mean the same.
    pub synonyms: Vec<Synonyms>,
    /// The events.
    pub events: Option<Events>,
    /// Texts in further languages.
    pub languages: Vec<Language>,
    /// The surfaces.
    pub surfaces: Vec<Surface>,
}

impl Model {
    /// The error of a step that has only one. ([`Step::Rule`] has many.)
    pub fn error_at(&self, step: Step) -> Option<&ErrorEntry> {
        self.errors.iter().find(|error| error.step == step)
    }

    /// The error with this name.
    pub fn error(&self, name: &str) -> &ErrorEntry {
        find(&self.errors, |error| error.name == name)
    }

    /// The surface of those who run the service: the first one whose credential identifies no caller, or else the last one that
    /// needs a credential.
    pub fn primary_surface(&self) -> Option<&Surface> {
        let closed = || self.surfaces.iter().filter(|surface| surface.credential.is_some());
        let is_of_nobody = |surface: &&Surface| self.credential_of(surface).is_some_and(|one| one.caller.is_none());
        closed().find(is_of_nobody).or_else(|| closed().next_back())
    }

    /// The headers of an error response: those of all errors, with the name of this one, and its own.
    pub fn headers_of_error(&self, error: &ErrorEntry) -> Vec<(String, Template)> {
        let of_all = self.error_headers.iter().map(|(name, template)| {
            let value = template.filled(|_| Some(error.name.clone()));
            (name.clone(), value)
        });
        of_all.chain(error.headers.iter().cloned()).collect()
    }

    /// The header that has the codes of validation errors, if there is one.
    pub fn fault_codes_header(&self) -> Option<&str> {
        let headers = self.errors.iter().flat_map(|error| &error.headers);
        let mut with_codes = headers.filter(|(_, template)| template.placeholders().contains(&"fault_codes"));
        with_codes.next().map(|(name, _)| name.as_str())
    }

    /// The resource with this name.
    pub fn resource(&self, name: &str) -> &Resource {
        find(&self.resources, |resource| resource.name == name)
    }

    /// The only quota that counts, for each record of `per`, how many records of `counted` there are.
    pub fn quota_of(&self, counted: &str, per: &str) -> Option<&Quota> {
        let mut quotas = self
            .quotas
            .iter()
            .filter(|quota| quota.records() == Some(counted) && quota.per == per && quota.window_seconds.is_none());
        quotas.next().filter(|_| quotas.next().is_none())
    }

    /// The limit that counts requests with this method by callers of a resource, if it is the same for all of them.
    pub fn rate_of(&self, method: &str, caller: &str) -> Option<&Limit> {
        let is_theirs = |(surface, operation): &(&Surface, &Operation)| {
            let credential = self.credential_of(surface).and_then(|one| one.caller.as_ref());
            operation.method.text == method && credential.is_some_and(|one| one.resource == caller)
        };
        let mut limits = self.operations().filter(is_theirs).map(|(_, one)| one.limit.as_ref());
        let first = limits.next()??;
        limits.all(|other| other == Some(first)).then(|| self.limit(first))
    }

    /// The view of a resource with this name.
    pub fn view(&self, resource: &str, name: &str) -> &View {
        find(&self.resource(resource).views, |view| view.name == name)
    }

    /// The named type with this name.
    pub fn named_type(&self, name: &str) -> &NamedType {
        find(&self.types, |named| named.name == name)
    }

    /// The enum with this name.
    pub fn enumeration(&self, name: &str) -> &Enum {
        find(&self.enums, |one| one.name == name)
    }

    /// The object with this name.
    pub fn object(&self, name: &str) -> &Object {
        find(&self.objects, |object| object.name == name)
    }

    /// The object of the items of a list.
    pub fn items(&self, of: &Type) -> Option<&Object> {
        match &of.kind {
            Kind::Object(name) => Some(self.object(name)),
            Kind::Named(name) => match &self.named_type(name).rule {
                TypeRule::List { of, .. } => self.items(of),
                _ => None,
            },
            _ => None,
        }
    }

    /// The kind of the items, if the type is a list.
    pub fn item_kind<'m>(&'m self, of: &'m Type) -> Option<&'m Kind> {
        match &of.kind {
            kind if of.list => Some(kind),
            Kind::Named(name) => match &self.named_type(name).rule {
                TypeRule::List { of, .. } => Some(&of.kind),
                _ => None,
            },
            _ => None,
        }
    }

    /// The input with this name.
    pub fn input(&self, name: &str) -> &Input {
        find(&self.inputs, |input| input.name == name)
    }

    /// The quota with this name.
    pub fn quota(&self, name: &str) -> &Quota {
        find(&self.quotas, |quota| quota.name == name)
    }

    /// The limit with this name.
    pub fn limit(&self, name: &str) -> &Limit {
        find(&self.limits, |limit| limit.name == name)
    }

    /// The credential with this name.
    pub fn credential(&self, name: &str) -> &Credential {
        find(&self.credentials, |credential| credential.name == name)
    }

    /// The credential that requests to a surface need.
    pub fn credential_of(&self, surface: &Surface) -> Option<&Credential> {
        surface.credential.as_ref().map(|name| self.credential(name))
    }

    /// Maximum concurrent requests per caller: of the operation alone if it waits for events, otherwise of all
    /// operations together that do not wait.
    pub fn at_once(&self, surface: &Surface, operation: &Operation) -> Option<u32> {
        let credential = self.credential_of(surface)?;
        credential.caller.as_ref()?;
        operation.waits_at_once.or(self.in_flight)
    }

    /// Maximum bytes of responses to a caller of this surface in a window.
    pub fn response_bytes(&self, surface: &Surface) -> Option<ResponseBytes> {
        self.credential_of(surface)?.caller.as_ref()?;
        self.response_bytes
    }

    /// Whether a caller can have other credentials that a limit counts separately. If not, a rate per owner adds
    /// nothing to the limit itself.
    pub fn has_other_credentials(&self, credential: &Credential) -> bool {
        credential.caller.as_ref().is_some_and(|caller| {
            let callers = self.credentials.iter().filter_map(|one| one.caller.as_ref());
            let of_resource = callers.filter(|one| one.resource == caller.resource);
            caller.limited_by != caller.resource || of_resource.count() > 1
        })
    }

    /// The member of the envelope that has the data of a success of this operation. `None`: it has no envelope.
    pub fn data_member(&self, operation: &Operation) -> Option<&str> {
        let place = EnvelopeValue::path_to(&self.success, "data")?;
        place
            .first()
            .copied()
            .filter(|_| operation.success_body() == SuccessBody::Envelope)
    }

    /// The title of an error, if errors show titles.
    pub fn title_of<'e>(&self, error: &'e ErrorEntry) -> Option<&'e str> {
        EnvelopeValue::shows(&self.error, "title").then_some(error.title.as_str())
    }

    /// Whether the service forbids caching of a success: the request has a credential or the response a secret, and the
    /// contract does not declare a cache header itself. Of errors: [`Self::forbids_caches_of`].
    pub fn forbids_caches(&self, surface: &Surface, operation: &Operation) -> bool {
        (surface.credential.is_some() || operation.shows_secret()) && !self.declares_caching()
    }

    /// Whether the contract declares the cache header of all responses.
    pub fn declares_caching(&self) -> bool {
        let mut headers = self.headers.iter();
        headers.any(|(name, _)| name.eq_ignore_ascii_case("cache-control"))
    }

    /// Whether the service forbids caching of an error of an operation: one after the credential was accepted.
    pub fn forbids_caches_of(&self, error: &ErrorEntry, surface: &Surface, operation: &Operation) -> bool {
        let is_late = surface.credential.is_some() && self.is_after_credential(error);
        is_late && self.forbids_caches(surface, operation)
    }

    /// Whether an error comes only if the credential was accepted.
    fn is_after_credential(&self, error: &ErrorEntry) -> bool {
        let place = |is_it: &dyn Fn(&ErrorEntry) -> bool| self.errors.iter().position(is_it);
        let credential = place(&|one| one.step == Step::Credential);
        credential.is_some() && place(&|one| one.name == error.name) > credential
    }

    /// Every operation, with its surface.
    pub fn operations(&self) -> impl Iterator<Item = (&Surface, &Operation)> {
        let surfaces = self.surfaces.iter();
        surfaces.flat_map(|surface| surface.operations.iter().map(move |operation| (surface, operation)))
    }

    /// The media types that the content of this resource may have.
    pub fn content_types(&self, resource: &str) -> Vec<&str> {
        let makers = self.operations().filter(|(_, operation)| operation.makes(resource));
        let types = makers.flat_map(|(_, operation)| operation.file.iter().flat_map(|file| &file.types));
        let mut all: Vec<&str> = Vec::new();
        for one in types {
            if !all.contains(&one.as_str()) {
                all.push(one);
            }
        }
        all
    }

    /// The media types that the body of an operation may have: `application/json`, `image/jpeg, image/png or text/csv`.
    pub fn media_types(&self, operation: &Operation) -> String {
        let types = operation.file.as_ref().map(|file| file.types.as_slice());
        match types.and_then(<[String]>::split_last) {
            None => "application/json".to_owned(),
            Some((only, [])) => only.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }

    /// Maximum seconds until the body of an operation has arrived.
    pub fn max_seconds(&self, operation: &Operation) -> u64 {
        let own = operation.file.as_ref().map(|file| file.max_seconds);
        own.unwrap_or(self.body_max_seconds)
    }

    /// The body that an operation takes, if it is JSON.
    pub fn body<'m>(&'m self, operation: &'m Operation) -> Option<&'m Body> {
        operation.body.as_ref().map(|body| match body {
            BodyUse::Named(name) => &self.input(name).body,
            BodyUse::Inline(body) => body,
        })
    }
}

pub(crate) fn find<T>(items: &[T], is_it: impl Fn(&T) -> bool) -> &T {
    items
        .iter()
        .find(|item| is_it(item))
        .expect("resolved names name something")
}
