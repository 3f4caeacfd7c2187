//! Rules about what people see of a contract: units, labels and columns, consequences.

use super::fields::check_field;
use super::lookup::{TypeTarget, body_members, find, has, names, operations, type_target};
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::syntax::{Data, Endpoint, FieldIs, Spec, TypeDef, TypeUse, Word};
use crate::units::Unit;

/// `unit`: a unit of something that is no number, or that nothing states.
pub(super) fn unit(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, of) in &spec.types {
        let Some(unit) = of.unit.as_ref().filter(|unit| !unit.at.is_unknown()) else {
            continue;
        };
        if !matches!(of.def, TypeDef::Number(_) | TypeDef::Integer(_)) {
            let message = format!(
                "`{}` is neither a `number` nor an `integer`, so it has no unit",
                name.text
            );
            diagnostics.push(Diagnostic::new(Rule::Unit, unit.at, message));
        } else if let Some(Unit::Stated { operation, member }) = Unit::parse(&unit.text)
            && !operations(spec).any(|one| one.name.text == operation && states(spec, one.endpoint, &member))
        {
            let message = format!("no surface has an endpoint `{operation}` that states `{member}`");
            let help = format!(
                "declare it: `{operation}: {{ GET: /…, success: {{ data: {{ {member}: … }} }} }}`, with a text"
            );
            diagnostics.push(Diagnostic::new(Rule::Unit, unit.at, message).help(help));
        }
    }
}

/// Whether an endpoint can be called without more than its path, and its `data` has this member, a text.
fn states(spec: &Spec, endpoint: &Endpoint, member: &str) -> bool {
    let Some(Data::Members(members)) = &endpoint.success.data else {
        return false;
    };
    let is_text = |used: &TypeUse| {
        let target = type_target(spec, &used.name.text);
        !used.list
            && matches!(
                target,
                TypeTarget::Type(TypeDef::String(_)) | TypeTarget::BuiltIn("string")
            )
    };
    endpoint.method.text == "GET" && endpoint.path.is_empty() && find(members, member).is_some_and(is_text)
}

/// `unknown-field`: a label or a column that its resource does not have.
pub(super) fn label_and_columns(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        for field in resource.label.iter().chain(&resource.columns) {
            check_field(field, (name, resource), diagnostics);
        }
    }
}

/// `unknown-field`, `bad-value`: a consequence of values that no request has.
pub(super) fn consequence(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let when = operation
            .endpoint
            .consequence
            .as_ref()
            .and_then(|one| one.when.as_ref());
        let Some(Some(FieldIs { field, values, .. })) = when else {
            continue;
        };
        let members = operation
            .body()
            .map(|body| body_members(spec, body))
            .unwrap_or_default();
        let Some((_, used)) = members.iter().find(|(name, _)| name.text == field.text) else {
            let message = format!("the body of this endpoint has no member `{}`", field.text);
            let known = members.iter().map(|(name, _)| name.text.as_str());
            let diagnostic = Diagnostic::new(Rule::UnknownField, field.at, message);
            diagnostics.push(diagnostic.propose(&field.text, while_few(diagnostics, known)));
            continue;
        };
        values
            .iter()
            .for_each(|value| check_value(spec, (field, used), value, diagnostics));
    }
}

fn check_value(spec: &Spec, (field, used): (&Word, &TypeUse), value: &Word, diagnostics: &mut Vec<Diagnostic>) {
    let known: Vec<&str> = match type_target(spec, &used.name.text) {
        TypeTarget::Enum((_, def)) if has(&def.values, &value.text) => return,
        TypeTarget::Enum((_, def)) => def.values.iter().map(|value| value.text.as_str()).collect(),
        TypeTarget::BuiltIn("boolean") if matches!(value.text.as_str(), "true" | "false") => return,
        TypeTarget::BuiltIn("boolean") => vec!["true", "false"],
        TypeTarget::Unknown => return,
        _ => Vec::new(),
    };
    let message = format!("`{}` cannot be `{}`", field.text, value.text);
    let diagnostic = Diagnostic::new(Rule::BadValue, value.at, message);
    diagnostics.push(match known.is_empty() {
        true => diagnostic.help("name a member that is a boolean or an enum"),
        false => diagnostic.propose(&value.text, known),
    });
}

/// `unused-field`: the fields that tables show, if no view shows one of them.
pub(super) fn unused_column(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        let is_shown = |field: &str| {
            let mut members = resource.views.iter().flat_map(|(_, view)| view);
            members.any(|member| member.source.text.split("[]").next() == Some(field))
        };
        let is_known = |field: &&Word| {
            names(&resource.fields)
                .chain(names(&resource.joined))
                .any(|name| name == field.text)
        };
        let named = resource.label.iter().chain(&resource.columns);
        for field in named.filter(is_known).filter(|field| !is_shown(&field.text)) {
            let message = format!("no view of `{}` shows `{}`", name.text, field.text);
            diagnostics
                .push(Diagnostic::new(Rule::UnusedField, field.at, message).help("name a field that a view shows"));
        }
    }
}
