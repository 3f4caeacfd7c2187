//! Builds the [`Model`] from a [`Spec`] in which [`crate::check`] found no mistakes. It reports nothing.

mod answers;
mod callers;
mod lists;
mod operations;
mod resources;
mod texts;
mod types;
mod words;

use crate::model::Model;
use crate::syntax::{Num, Spec};
use answers::{error_entry, templates};
use callers::{quota, rate_limit, response_bytes};
use words::{each, status, text};

/// The version of a contract that declares none.
const UNVERSIONED: &str = "0.0.0";

/// Resolves every name of a checked specification.
pub fn resolve(spec: &Spec) -> Model {
    let names = Resolver { spec };
    Model {
        name: text(&spec.api.name),
        title: text(&spec.api.title),
        version: spec.api.version.as_ref().map_or_else(|| UNVERSIONED.to_owned(), text),
        doc: spec.api.doc.as_ref().map(text),
        contact: spec.api.contact.clone(),
        license: spec.api.license.clone(),
        statuses: spec.api.statuses.iter().map(|listed| status(*listed)).collect(),
        headers: templates(&spec.api.headers),
        body_max_bytes: spec.api.body.max_bytes.whole(),
        body_max_seconds: spec.api.body.max_seconds.whole(),
        body_min_rate: spec.api.body.min_rate.clone(),
        error_headers: templates(&spec.api.error_headers),
        in_flight: spec.api.in_flight.map(Num::small),
        response_bytes: spec.api.response_bytes.map(response_bytes),
        success: spec.envelope.success.clone(),
        error: spec.envelope.error.members.clone(),
        fault: spec.envelope.members_of_fault(),
        error_media_type: spec.envelope.media_type_of_errors().map(str::to_owned),
        decisions: spec.decisions.clone(),
        errors: each(&spec.errors, error_entry),
        limits: each(&spec.limits, rate_limit),
        limit_headers: templates(&spec.limit_headers),
        idempotency: spec.idempotency.clone(),
        quotas: each(&spec.quotas, quota),
        credentials: each(&spec.credentials, |name, of| names.credential(name, of)),
        types: each(&spec.types, |name, of| names.named_type(name, of)),
        enums: each(&spec.enums, |name, of| names.enumeration(name, of)),
        objects: each(&spec.objects, |name, members| names.object(name, members)),
        inputs: each(&spec.inputs, |name, body| names.input(name, body)),
        synonyms: Vec::new(),
        resources: each(&spec.resources, |name, of| names.resource(name, of)),
        events: None,
        languages: each(&spec.texts, texts::language),
        surfaces: each(&spec.surfaces, |name, of| names.surface(name, of)),
    }
}

/// Resolves the names of a specification.
struct Resolver<'s> {
    spec: &'s Spec,
}
