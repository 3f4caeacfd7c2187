//! Generates schemas of lists, maps and sections.

use super::body::Body;
use super::{Member, Schema, Snippet, name, scalars};
use codegen::syntax::{Form, Name};

pub(super) fn schema(form: &'static Form) -> Schema {
    match form {
        Form::Scalar(scalar) => scalars::schema(*scalar),
        Form::List { of, .. } => Schema {
            of: Some("array"),
            items: Some(Box::new(schema(of))),
            unique_items: Some(true),
            ..Schema::default()
        },
        Form::Map { names, of, .. } => Schema {
            default_snippets: snippet(*names, of).into_iter().collect(),
            ..map(*names, of)
        },
        Form::Pair { names, of, .. } => Schema {
            min_properties: Some(1),
            max_properties: Some(1),
            ..map(*names, of)
        },
        Form::Section(section) => Schema {
            reference: Some(format!("#/definitions/{}", name(section))),
            ..Schema::default()
        },
        Form::Either { of, .. } => Schema {
            any_of: of.iter().map(schema).collect(),
            ..Schema::default()
        },
    }
}

fn map(names: Name, of: &'static Form) -> Schema {
    let names_schema = Schema {
        pattern: Some(names.pattern().to_owned()),
        pattern_error_message: Some(scalars::named(names)),
        ..Schema::default()
    };
    Schema {
        of: Some("object"),
        property_names: Some(Box::new(names_schema)).filter(|_| !names.is_free()),
        additional_properties: Some(Member::Is(Box::new(schema(of)))),
        ..Schema::default()
    }
}

/// A snippet for an entry of a map.
fn snippet(names: Name, of: &'static Form) -> Option<Snippet> {
    let (label, description) = match of {
        Form::Section(section) => (section.what, section.doc),
        Form::Scalar(scalar) => (names.what(), scalar.doc().0),
        _ => return None,
    };
    Some(Snippet {
        label,
        description: description.to_owned(),
        body: Body::entry(names.example(), of.example()),
    })
}
