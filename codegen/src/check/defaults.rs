//! Rules about defaults.

use super::bounds;
use super::enums::check_value;
use super::lookup::{TypeTarget, declaration, type_target};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Data, IntegerDef, ListDef, Num, NumberDef, Spec, StringDef, Table, TypeDef, TypeUse, Word};

/// `bad-default`: a default that is not a valid value of its type.
pub(super) fn bad_default(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, used) in sent_tables(spec).flatten() {
        if let Some(default) = &used.default {
            check(spec, used, default, diagnostics);
        }
    }
    for (_, used) in view_tables(spec).flatten() {
        if let Some(default) = &used.default {
            let expected = "a value that is only returned has no default";
            diagnostics.push(rejected(spec, used, default, expected));
        }
    }
}

/// The types of what is stored or sent.
pub(super) fn sent_tables(spec: &Spec) -> impl Iterator<Item = &Table<TypeUse>> {
    let objects = spec.objects.iter().map(|(_, members)| members);
    let fields = spec.resources.iter().map(|(_, resource)| &resource.fields);
    let inputs = super::bodies::all(spec).map(|body| &body.members);
    let endpoints = spec.surfaces.iter().flat_map(|(_, surface)| &surface.endpoints);
    let parameters = endpoints.flat_map(|(_, endpoint)| [&endpoint.path, &endpoint.query]);
    objects.chain(fields).chain(inputs).chain(parameters)
}

/// The types that occur only in answers and are not stored.
pub(super) fn view_tables(spec: &Spec) -> impl Iterator<Item = &Table<TypeUse>> {
    let joined = spec.resources.iter().map(|(_, resource)| &resource.joined);
    let endpoints = spec.surfaces.iter().flat_map(|(_, surface)| &surface.endpoints);
    let members = endpoints.filter_map(|(_, endpoint)| match &endpoint.success.data {
        Some(Data::Members(members)) => Some(members),
        _ => None,
    });
    joined.chain(members)
}

fn rejected(spec: &Spec, used: &TypeUse, default: &Word, expected: &str) -> Diagnostic {
    let name = &used.name.text;
    let message = format!("`{}` cannot be the default of `{name}`: {expected}", default.text);
    let diagnostic = Diagnostic::new(Rule::BadDefault, default.at, message);
    diagnostic.declared_if(declaration(spec, name))
}

fn check(spec: &Spec, used: &TypeUse, default: &Word, diagnostics: &mut Vec<Diagnostic>) {
    let name = &used.name.text;
    let expected = match type_target(spec, name) {
        _ if used.list => (default.text != "[]").then(|| "the default of a list is `[]`".to_owned()),
        TypeTarget::Enum(of) => return check_value(default, of, diagnostics),
        TypeTarget::Type(def) => of_type(def, &default.text),
        TypeTarget::BuiltIn("boolean" | "flag") => {
            (!matches!(default.text.as_str(), "true" | "false")).then(|| "it is `true` or `false`".to_owned())
        }
        TypeTarget::BuiltIn("string") => None,
        TypeTarget::Unknown | TypeTarget::Resource => None,
        _ => Some("this type has no default".to_owned()),
    };
    if let Some(expected) = expected {
        diagnostics.push(rejected(spec, used, default, &expected));
    }
}

/// What a default of this type looks like, if `default` is not a valid one.
pub(super) fn of_type(def: &TypeDef, default: &str) -> Option<String> {
    match def {
        TypeDef::String(StringDef {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
            multiline: _,
            secret: _,
        }) => {
            let length = default.chars().count() as f64;
            if chars.as_ref().is_some_and(|class| !bounds::is_within(default, class)) {
                return Some("it has characters that are not allowed".to_owned());
            }
            if bidi_controls.is_some() && default.chars().any(is_bidi_control) {
                return Some("it has a bidirectional control character".to_owned());
            }
            outside(length, *min, None, *max).map(|bound| format!("its length must be {bound}"))
        }
        TypeDef::Integer(IntegerDef { min, max }) => match default.parse::<i64>() {
            Ok(value) => outside(value as f64, *min, None, *max).map(|bound| format!("it must be {bound}")),
            Err(_) => Some("it must be a whole number".to_owned()),
        },
        TypeDef::Number(NumberDef {
            min,
            exclusive_min,
            max,
            decimals,
        }) => match number(default) {
            None => Some("it must be a number".to_owned()),
            Some(_) if decimals.is_some_and(|most| places(default) > most.value) => {
                Some("it has too many decimal places".to_owned())
            }
            Some(value) => outside(value, *min, *exclusive_min, *max).map(|bound| format!("it must be {bound}")),
        },
        TypeDef::List(ListDef { min, .. }) => match default {
            "[]" if min.is_none_or(|min| min.value == 0.0) => None,
            "[]" => Some("the list must not be empty".to_owned()),
            _ => Some("the default of a list is `[]`".to_owned()),
        },
        TypeDef::FreeForm { .. } => Some("this type has no default".to_owned()),
    }
}

fn number(written: &str) -> Option<f64> {
    let is_plain = written.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    written
        .parse::<f64>()
        .ok()
        .filter(|value| is_plain && value.is_finite())
}

fn places(written: &str) -> f64 {
    written.split_once('.').map_or(0.0, |(_, behind)| behind.len() as f64)
}

fn outside(value: f64, min: Option<Num>, exclusive_min: Option<Num>, max: Option<Num>) -> Option<String> {
    if let Some(min) = min.filter(|min| value < min.value) {
        return Some(format!("at least {}", min.value));
    }
    if let Some(exclusive_min) = exclusive_min.filter(|exclusive_min| value <= exclusive_min.value) {
        return Some(format!("above {}", exclusive_min.value));
    }
    max.filter(|max| value > max.value)
        .map(|max| format!("at most {}", max.value))
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
