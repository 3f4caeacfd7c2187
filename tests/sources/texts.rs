//! Everything that a caller sees is described in `api.yaml`, with its purpose and not only its values.

use super::model;
use codegen::Model;
use codegen::model::{Data, Field, Kind, Operation};

/// A described thing: its name and its text.
type Description<'m> = (String, Option<&'m str>);

#[test]
fn everything_that_a_caller_meets_is_described_in_sentences() {
    let model = model();
    let descriptions = descriptions(&model);
    assert!(descriptions.len() > 200, "the contract is read wrongly");
    let is_sentence = |text: &str| text.starts_with(|first: char| !first.is_lowercase()) && text.ends_with('.');
    let without = descriptions.iter().filter(|(_, text)| !text.is_some_and(is_sentence));
    let without: Vec<String> = without.map(|(name, text)| format!("{name}: {text:?}")).collect();
    assert!(
        without.is_empty(),
        "write in api.yaml what these are for:\n{}",
        without.join("\n")
    );
}

/// Lists show the first sentence of an operation alone.
#[test]
fn a_description_begins_with_a_short_sentence() {
    let model = model();
    let docs = super::operations(&model).filter_map(|operation| operation.doc.as_deref());
    let first = docs.map(|doc| doc.split_inclusive(". ").next().unwrap_or(doc).trim_end());
    let long: Vec<&str> = first.filter(|sentence| sentence.chars().count() > 75).collect();
    assert!(long.is_empty(), "{long:#?}");
}

fn descriptions(model: &Model) -> Vec<Description<'_>> {
    let named = |section: &str, name: &str| format!("{section}.{name}");
    let mut descriptions = vec![("api".to_owned(), model.doc.as_deref())];
    descriptions.extend(
        model
            .errors
            .iter()
            .map(|one| (named("errors", &one.name), one.help.as_deref())),
    );
    descriptions.extend(
        model
            .credentials
            .iter()
            .map(|one| (named("credentials", &one.name), one.doc.as_deref())),
    );
    descriptions.extend(
        model
            .types
            .iter()
            .map(|one| (named("types", &one.name), one.doc.as_deref())),
    );
    // The documents say what each order compares.
    for one in model.enums.iter().filter(|one| !one.is_of_orders) {
        descriptions.extend(one.values.iter().map(|value| (named(&one.name, value), one.doc(value))));
    }
    for object in &model.objects {
        descriptions.extend(fields(&named("objects", &object.name), &object.members));
    }
    for input in &model.inputs {
        let members = input.body.members.iter().map(|member| &member.field);
        descriptions.extend(fields(&named("inputs", &input.name), members));
    }
    for resource in &model.resources {
        descriptions.push((named("resources", &resource.name), resource.doc.as_deref()));
        for view in &resource.views {
            let place = format!("resources.{}.views.{}", resource.name, view.name);
            let members = view.members.iter().filter(|member| member.shown != ID);
            descriptions.extend(members.map(|member| (named(&place, &member.shown), member.doc.as_deref())));
        }
    }
    for surface in &model.surfaces {
        let place = named("surfaces", &surface.name);
        descriptions.push((place.clone(), surface.doc.as_deref()));
        for operation in &surface.operations {
            descriptions.extend(of_operation(model, &named(&place, &operation.name), operation));
        }
    }
    descriptions
}

fn of_operation<'m>(model: &'m Model, place: &str, operation: &'m Operation) -> Vec<Description<'m>> {
    // The `pages` of a list describe its paging parameters.
    let paging = operation.pages.iter().flat_map(|pages| pages.named());
    let paging: Vec<&str> = paging.filter_map(|(_, name)| name).collect();
    let query = operation
        .query
        .iter()
        .filter(|field| !paging.contains(&field.name.as_str()));
    let body = model.body(operation).into_iter().flat_map(|body| &body.members);
    let data: &[Field] = match &operation.data {
        Some(Data::Members(members)) => members,
        _ => &[],
    };
    let mut descriptions = vec![(place.to_owned(), operation.doc.as_deref())];
    descriptions.extend(fields(place, query));
    descriptions.extend(fields(place, body.map(|member| &member.field)));
    descriptions.extend(fields(place, data));
    descriptions
}

/// The id member of all resources; its type names the resource.
const ID: &str = "id";

fn fields<'m>(place: &str, fields: impl IntoIterator<Item = &'m Field>) -> Vec<Description<'m>> {
    let is_id = |field: &Field| field.name == ID && matches!(field.of.kind, Kind::Id(_));
    let fields = fields.into_iter().filter(|field| !is_id(field));
    fields
        .map(|field| (format!("{place}.{}", field.name), field.doc.as_deref()))
        .collect()
}
