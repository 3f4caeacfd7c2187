//! Generates schemas of scalars.

use super::body::Body;
use super::{Schema, Snippet};
use codegen::syntax::{BUILT_IN_TYPES, Choice, GREATEST, Name, Scalar, Uses};

pub(super) fn schema(scalar: Scalar) -> Schema {
    match scalar {
        Scalar::Boolean => of_kind("boolean"),
        Scalar::Number => of_kind("number"),
        Scalar::Integer => whole(-GREATEST, GREATEST),
        Scalar::Count(least) => whole(i64::from(least), GREATEST),
        Scalar::Status => whole(200, 599),
        Scalar::OneOf(choices) => one_of(choices.iter(), str::to_owned),
        Scalar::EnvelopeValue(choices) => envelope_value(choices),
        Scalar::Example => Schema {
            any_of: ["string", "number", "boolean"].map(of_kind).into(),
            ..Schema::default()
        },
        Scalar::TypeUse(Uses::Path) => text(scalar),
        Scalar::TypeUse(uses) => type_use(scalar, uses),
        Scalar::Rate | Scalar::Base => Schema {
            examples: vec![scalar.example()],
            ..text(scalar)
        },
        Scalar::Guard | Scalar::Constraint | Scalar::Filter | Scalar::SortKey | Scalar::Route => Schema {
            default_snippets: snippets(scalar),
            ..text(scalar)
        },
        _ => text(scalar),
    }
}

fn of_kind(kind: &'static str) -> Schema {
    Schema {
        of: Some(kind),
        ..Schema::default()
    }
}

fn whole(minimum: i64, maximum: i64) -> Schema {
    Schema {
        minimum: Some(minimum),
        maximum: Some(maximum),
        ..of_kind("integer")
    }
}

/// The pattern of a name.
pub(super) fn named(name: Name) -> String {
    format!("the name of {}: {}", name.what(), name.style())
}

/// A text that matches the scalar's pattern.
fn text(scalar: Scalar) -> Schema {
    let (first, _) = scalar.doc();
    Schema {
        pattern: scalar.pattern(),
        pattern_error_message: Some(match scalar {
            Scalar::Name(name) => named(name),
            _ => format!("expected {}: {first}", scalar.what()),
        }),
        ..of_kind("string")
    }
}

fn one_of<'c>(choices: impl Iterator<Item = &'c Choice> + Clone, render: impl Fn(&str) -> String) -> Schema {
    Schema {
        values: choices.clone().map(|choice| render(choice.word)).collect(),
        markdown_enum_descriptions: choices.map(|choice| choice.doc).collect(),
        ..Schema::default()
    }
}

fn envelope_value(choices: &[Choice]) -> Schema {
    let placeholder = |mark: &'static str| move |word: &str| format!("${word}{mark}");
    let literal = Schema {
        // Any text that is not a placeholder.
        pattern: Some("^([^$]|$)".to_owned()),
        ..of_kind("string")
    };
    let others = ["boolean", "number", "null"].map(of_kind);
    let forms = [
        one_of(choices.iter(), placeholder("")),
        one_of(choices.iter(), placeholder("?")),
        literal,
    ];
    Schema {
        any_of: forms.into_iter().chain(others).collect(),
        ..Schema::default()
    }
}

/// A type, or a list in YAML's own brackets. Built-in types are offered; the schema does not know the others.
fn type_use(scalar: Scalar, uses: Uses) -> Schema {
    let offered = BUILT_IN_TYPES.iter().filter(|choice| uses.built_in(choice.word));
    let offered = offered.map(|choice| Snippet {
        label: choice.word,
        description: choice.doc.to_owned(),
        body: Body::text(choice.word),
    });
    let name = Schema {
        default_snippets: offered.collect(),
        ..text(scalar)
    };
    let list = Schema {
        items: Some(Box::new(text(Scalar::TypeName))),
        min_items: Some(1),
        max_items: Some(1),
        ..of_kind("array")
    };
    Schema {
        any_of: vec![name, list],
        ..Schema::default()
    }
}

fn snippets(scalar: Scalar) -> Vec<Snippet> {
    let bodies: &[(&str, &str)] = match scalar {
        Scalar::Guard => &[
            ("exists", "exists ${1:Resource}"),
            ("exists in", "exists ${1:Resource} in ${2:Parent}"),
            ("owner", "owner ${1:Resource}"),
            ("plan", "plan ${1:name}"),
        ],
        Scalar::Constraint => &[("lower <= upper", "${1:lower} <= ${2:upper}")],
        Scalar::Filter => &[
            ("parameter = field", "${1:parameter} = ${2:field}"),
            ("least <= field", "${1:least} <= ${2:field}"),
            ("most >= field", "${1:most} >= ${2:field}"),
            ("part within field", "${1:part} within ${2:field}"),
            ("flag implies field", "${1:flag} implies ${2:field}"),
            ("the caller's own", "\\$caller = ${1:field}"),
            ("field is value", "${1:field} is ${2:value}"),
        ],
        Scalar::SortKey => &[("ascending", "${1:field} asc"), ("descending", "${1:field} desc")],
        Scalar::Route => &[
            ("route", "/${1:path}"),
            ("route with a parameter", "/${1:path}/:${2:id}"),
        ],
        _ => &[],
    };
    let snippet = |(label, body): &(&'static str, &'static str)| Snippet {
        label,
        description: scalar.doc().0.to_owned(),
        body: Body::text(body),
    };
    bodies.iter().map(snippet).collect()
}
