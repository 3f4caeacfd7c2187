//! The whole file.

use super::answers::{Decision, ErrorEntry};
use super::api::Api;
use super::bodies::Body;
use super::callers::{Credential, Limit, Quota};
use super::endpoints::Surface;
use super::enums::{EnumDef, StateDef};
use super::envelope::Envelope;
use super::events::Events;
use super::grammar::Section;
use super::idempotency::Idempotency;
use super::resources::Resource;
use super::section::section;
use super::texts::Texts;
use super::types::NamedType;
use super::values::{HeaderTemplate, List, Map, StoredType, Text, name};

section! {
    /// The whole file.
    Spec = "api.yaml" at "";
    doc "A contract is a map of these sections. They can have any order; this one reads well.";
    example "";
    keys {
        api: required(Api),
            doc "The service's names, and settings for every endpoint.";
        envelope: required(Envelope),
            doc "The structure of every JSON response body.";
        decisions: default(Map<name::Decision, Decision>), absent "no gaps are recorded",
            example "{ loans: { gap: \"§4 how many\", choice: \"5\", at: quotas.loans } }",
            doc "Gaps in the specification behind the contract, and how they were closed.",
            effect "None on the server. Some rules allow exceptions: a decision permits one if its `at` names the \
                    right node. `codegen explain RULE` says which node.";
        errors: required(Map<name::ErrorRow, ErrorEntry>),
            example "{ invalid: { status: 400, at: decode, text: \"{faults}\" } }",
            doc "All error responses, in order of precedence: a request with several errors gets the first of them. A \
                 request is checked in steps, and each error names its step in `at`.",
            effect "The order of the checks in every endpoint; the error type of each endpoint, with the errors that \
                    it can return; tests of precedence, which cause two errors at once.";
        limits: default(Map<name::Limit, Limit>), absent "nothing is limited",
            example "{ read: { methods: [GET], rate: 100/min, per: caller } }",
            doc "Rate limits. A surface names the limits that count its requests.",
            effect "A rate limiter for each, a switch to turn them off, and tests that use each one up.";
        limit_headers: default(Map<name::Header, HeaderTemplate>), absent "no headers report limits",
            example "{ X-Left: \"{remaining}\" }",
            doc "Headers of every response to a request that a limit counted. Placeholders: `{limit}` (its name), \
                 `{max}`, `{remaining}`, `{window_seconds}`, `{seconds}` until the window ends, and `{reset_unix}`, \
                 the end of the window in Unix time.",
            effect "The headers, also on error responses; none while limits are turned off.";
        idempotency: optional(Idempotency), absent "no operation takes idempotency keys",
            doc "Safe retries: a request with an idempotency key is done once, however often it is sent.";
        quotas: default(Map<name::Quota, Quota>), absent "nothing is counted",
            example "{ loans: { max: 3, of: Loan, per: Reader, noun: loans } }",
            doc "How many records of a resource its owner may have at a time. An endpoint that creates such records \
                 names the quota.";
        credentials: default(Map<name::Credential, Credential>), absent "every surface is public",
            example "{ card: { header: X-Card, prefix: card_, random_chars: 40 } }",
            doc "Kinds of credentials. A surface names the one that all its requests need.";
        types: default(Map<name::Type, NamedType>), absent "only built-in types are used",
            example "{ title: { string: { min: 1, max: 200 } } }",
            doc "Named types with their bounds. A value in a request has a type declared here, an enum, an object, an \
                 id, `boolean` or a format such as `date`.";
        enums: default(Map<name::Enum, EnumDef>), absent "there are no enums", example "{ Color: [red, green] }",
            doc "Closed sets of values, and subsets of them. The values of `Kind: events` are the names of the events that callers who send one can get.",
            effect "A Rust enum for each. Its decoder rejects all other values.";
        states: default(Map<name::States, StateDef>), absent "no field has states",
            example "{ Loan.status: { initial: out, transitions: any } }",
            doc "Fields with restricted transitions. The key is `Resource.field`. The field's type is an enum that no \
                 other states use.",
            effect "A constant for the initial state, and a function that says whether one state may follow another. \
                    Staying in a state is always allowed.";
        objects: default(Map<name::Object, Map<name::Member, StoredType>>), absent "there are no objects",
            example "{ Author: { name: name } }",
            doc "Nested objects of resources, bodies and responses. Each is a map from members to their types.",
            effect "A Rust struct for each, its decoder if a request can contain it, and its JSON.";
        inputs: default(Map<name::Input, Body>), absent "endpoints declare their bodies themselves",
            example "{ NewBook: { resource: Book, required: [title] } }",
            doc "Named request bodies, for several endpoints or as items of a list.",
            effect "A Rust struct for each and its decoder.";
        resources: default(Map<name::Resource, Resource>), absent "nothing is stored",
            example "{ Book: { noun: book, fields: { id: Book.id } } }",
            doc "What is stored, and the views in which it is returned.";
        synonyms: default(Map<name::Known<name::StoredField>, Map<name::Known<name::Text>, List<Text>>>), absent "texts mean only themselves",
            example "{ Book.title: { Ulysses: [Ulixes, Odysseus] } }",
            doc "Texts of a field that mean the same: a text, and other texts for it. A filter that compares the field \
                 with one of them finds all of them.",
            effect "The emitted filters and `codegen mock` compare texts in this way.";
        events: optional(Events), absent "there are no events",
            doc "What callers learn without asking again: kinds of events with their causes and their recipients.";
        texts: default(Map<name::Known<name::Text>, Texts>), absent "people read what the contract says",
            example "{ ja: { resources: { Book: 本 } } }",
            doc "Texts in further languages, by the tag of the language (BCP 47): `ja`, `pt-BR`, `zh-Hant`.",
            effect "The console shows them in a browser that prefers the language, and OpenAPI has them as `x-text`.";
        surfaces: required(Map<name::Surface, Surface>),
            example "{ public: { base: /v1, endpoints: { list_books: { GET: /books, success: {} } } } }",
            doc "The endpoints, grouped by who calls them.",
            effect "A module and a `warp` filter for each, which can be mounted separately.";
    }
    aliases {
        "openapi" "swagger" => "this is not an OpenAPI document: begin with `api`, `envelope`, `errors` and `surfaces`";
        "info" "servers" =>
            "write name and version in `api: { name: …, title: …, version: … }`, and the path before the routes as \
             `base` of a surface";
        "paths" "endpoints" "routes" => "declare endpoints in `surfaces: { public: { base: /v1, endpoints: { … } } }`";
        "components" "schemas" "definitions" "models" =>
            "declare records in `resources`, objects inside them in `objects`, request bodies in `inputs`, and bounds \
             in `types`";
        "security" "securitySchemes" "auth" =>
            "declare it in `credentials`, and name it in a surface: `credential: name`";
    }
}

/// The grammar of the whole file.
pub const FILE: &Section = Spec::SECTION;
