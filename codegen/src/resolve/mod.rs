//! Builds the [`Model`] from a [`Spec`] in which [`crate::check`] found no mistakes. It reports nothing.

mod about;
mod answers;
mod callers;
mod decisions;
mod lists;
mod operations;
mod resources;
mod types;
mod words;

use crate::model::Model;
use crate::syntax::Spec;
use about::{UNVERSIONED, contact, license, min_rate};
use answers::{envelope, error_entry, templates};
use callers::{quota, rate_limit};
use decisions::decision;
use words::{each, small, status, text, whole};

/// Resolves every name of a checked specification.
pub fn resolve(spec: &Spec) -> Model {
    let names = Resolver { spec };
    Model {
        name: text(&spec.api.name),
        title: text(&spec.api.title),
        version: spec.api.version.as_ref().map_or_else(|| UNVERSIONED.to_owned(), text),
        doc: spec.api.doc.as_ref().map(text),
        contact: spec.api.contact.as_ref().map(contact),
        license: spec.api.license.as_ref().map(license),
        statuses: spec.api.statuses.iter().map(|listed| status(*listed)).collect(),
        headers: templates(&spec.api.headers),
        body_max_bytes: whole(spec.api.body.max_bytes),
        body_max_seconds: whole(spec.api.body.max_seconds),
        body_min_rate: spec.api.body.min_rate.as_ref().map(min_rate),
        in_flight: spec.api.in_flight.map(small),
        success: envelope(&spec.envelope.success),
        error: envelope(&spec.envelope.error),
        decisions: each(&spec.decisions, decision),
        errors: each(&spec.errors, error_entry),
        limits: each(&spec.limits, rate_limit),
        limit_headers: templates(&spec.limit_headers),
        quotas: each(&spec.quotas, quota),
        credentials: each(&spec.credentials, |name, of| names.credential(name, of)),
        types: each(&spec.types, |name, of| names.named_type(name, of)),
        enums: each(&spec.enums, |name, of| names.enumeration(name, of)),
        objects: each(&spec.objects, |name, members| names.object(name, members)),
        inputs: each(&spec.inputs, |name, body| names.input(name, body)),
        synonyms: Vec::new(),
        resources: each(&spec.resources, |name, of| names.resource(name, of)),
        surfaces: each(&spec.surfaces, |name, of| names.surface(name, of)),
    }
}

/// Resolves the names of a specification.
struct Resolver<'s> {
    spec: &'s Spec,
}
