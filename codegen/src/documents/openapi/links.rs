//! Links: the operations that can follow an answer, by the ids that it contains.

use super::Scope;
use super::operations::path_parameters;
use crate::documents::shared::words;
use crate::json::JsonObject;
use crate::model::{Data, Field, Kind, Operation, Surface};

/// An id that is known after an answer: its resource, and the expression that reads it.
struct KnownId {
    resource: String,
    expression: String,
}

impl Scope<'_> {
    /// The operations whose path takes an id of the success. Their other ids are those of the request's path.
    ///
    /// They are on the same surface: other surfaces have other callers. For a list, links follow the first item.
    pub(super) fn links(&self, surface: &Surface, operation: &Operation) -> JsonObject {
        let answer_ids = self.answer_ids(operation);
        let others = surface.operations.iter().filter(|other| other.name != operation.name);
        let links = others.filter_map(|other| {
            let parameters = followed(
                &answer_ids,
                &request_ids(surface, operation),
                &path_parameters(surface, other),
            )?;
            let of = match operation.data {
                Some(Data::Many { .. }) => " The link is for the first item of the list.",
                _ => "",
            };
            let link = JsonObject::new()
                .with("operationId", words::operation_id(surface, other))
                .with("parameters", parameters)
                .with("description", format!("{}.{of}", words::summary(other)));
            Some((other.name.clone(), link.into()))
        });
        links.collect()
    }

    /// The ids in a success.
    fn answer_ids(&self, operation: &Operation) -> Vec<KnownId> {
        let Some(data) = &operation.data else {
            return Vec::new();
        };
        let member = self.model.data_member(operation);
        let data_at = member.map(|name| format!("/{name}")).unwrap_or_default();
        let members = self.model.data_members(data);
        let item = if matches!(data, Data::Many { .. }) { "/0" } else { "" };
        let ids = members.into_iter().filter_map(|(name, of)| match &of.kind {
            Kind::Id(resource) if !of.optional => {
                let first = if of.list { "/0" } else { "" };
                let expression = format!("$response.body#{data_at}{item}/{name}{first}");
                Some(KnownId {
                    resource: resource.clone(),
                    expression,
                })
            }
            _ => None,
        });
        ids.collect()
    }
}

/// The ids in the path of a request.
fn request_ids(surface: &Surface, operation: &Operation) -> Vec<KnownId> {
    let ids = path_parameters(surface, operation).into_iter();
    let ids = ids.filter_map(|(name, field)| match &field.of.kind {
        Kind::Id(resource) => Some(KnownId {
            resource: resource.clone(),
            expression: format!("$request.path.{name}"),
        }),
        _ => None,
    });
    ids.collect()
}

/// The source of each parameter of a path; `None` if one is unknown, or none comes from the answer.
fn followed(answer_ids: &[KnownId], request_ids: &[KnownId], parameters: &[(&str, &Field)]) -> Option<JsonObject> {
    let find = |known: &[KnownId], kind: &Kind| {
        let found = known.iter().find(|one| Kind::Id(one.resource.clone()) == *kind);
        found.map(|one| one.expression.clone())
    };
    let is_in_answer = |(_, field): &&(&str, &Field)| find(answer_ids, &field.of.kind).is_some();
    parameters.iter().find(is_in_answer)?;
    let from = parameters.iter().map(|(name, field)| {
        let kind = &field.of.kind;
        let expression = find(answer_ids, kind).or_else(|| find(request_ids, kind))?;
        Some((format!("path.{name}"), expression.into()))
    });
    from.collect()
}
