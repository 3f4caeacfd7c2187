//! Rules about the values of enums, and about states.

use super::lookup::{
    LocatedOperation, TypeTarget, body_members, entry, enum_of, find, has, names, operations, resource_field,
    type_target,
};
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::syntax::{EnumDef, Spec, StateDef, TypeUse, Word};

/// `unknown-enum-value`: a value that its enum does not have.
pub(super) fn unknown_enum_value(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, def) in &spec.enums {
        if def.is_of_events && spec.events.is_none() {
            let message = format!("`{}` has no values: no `events` are declared", name.text);
            diagnostics.push(Diagnostic::new(Rule::UnknownEnumValue, name.at, message));
        }
        let Some(whole) = &def.of else { continue };
        let Some(values) = entry(&spec.enums, &whole.text) else {
            continue;
        };
        if let Some(of) = &values.1.of {
            let message = format!(
                "`{}` is itself a subset of another enum: name the whole enum",
                whole.text
            );
            let diagnostic = Diagnostic::new(Rule::UnknownEnumValue, whole.at, message).declared(&values.0);
            diagnostics.push(diagnostic.help(format!("write `of: {}`", of.text)));
            continue;
        }
        def.values
            .iter()
            .for_each(|value| check_value(value, values, diagnostics));
    }
    for (place, states) in &spec.states {
        let Some((_, _, used)) = resource_field(spec, &place.text) else {
            continue;
        };
        let Some(of) = enum_of(spec, used) else {
            continue;
        };
        check_value(&states.initial, of, diagnostics);
        for (from, to) in states.transitions.iter().flatten() {
            [from]
                .into_iter()
                .chain(to)
                .for_each(|value| check_value(value, of, diagnostics));
        }
    }
}

/// Reports a value that its enum does not have.
pub(super) fn check_value(value: &Word, (name, def): &(Word, EnumDef), diagnostics: &mut Vec<Diagnostic>) {
    if !has(&def.values, &value.text) {
        let message = format!("`{}` has no value `{}`", name.text, value.text);
        let known = def.values.iter().map(|value| value.text.as_str());
        let diagnostic = Diagnostic::new(Rule::UnknownEnumValue, value.at, message).declared(name);
        let known = while_few(diagnostics, known);
        diagnostics.push(diagnostic.propose(&value.text, known));
    }
}

/// `states`: states of something that is not a field, or of a field that cannot have states.
pub(super) fn states(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(&str, &Word)> = Vec::new();
    for (place, def) in &spec.states {
        if let Some(diagnostic) = unfit(spec, place, def, &mut seen) {
            diagnostics.push(diagnostic);
        }
    }
}

fn unfit<'s>(
    spec: &'s Spec,
    place: &'s Word,
    def: &StateDef,
    seen: &mut Vec<(&'s str, &'s Word)>,
) -> Option<Diagnostic> {
    let diagnostic = |message: String| Some(Diagnostic::new(Rule::States, place.at, message));
    let Some((resource, field)) = place.text.split_once('.') else {
        return diagnostic(format!("`{}` is not a field: write `Resource.field`", place.text));
    };
    let (name, found) = entry(&spec.resources, resource)?;
    let field = place.part(field);
    let Some(used) = find(&found.fields, &field.text) else {
        let message = format!("`{resource}` has no field `{}`", field.text);
        let diagnostic = Diagnostic::new(Rule::States, field.at, message).declared(name);
        return Some(diagnostic.propose(&field.text, names(&found.fields)));
    };
    if matches!(type_target(spec, &used.name.text), TypeTarget::Unknown) {
        return None;
    }
    let enumeration = enum_of(spec, used).filter(|(_, def)| def.of.is_none() && !used.optional);
    let Some((name, _)) = enumeration else {
        let message = format!(
            "a field with states needs an enum as its type: `{}` is `{}`",
            field.text,
            display(used)
        );
        let diagnostic = Diagnostic::new(Rule::States, field.at, message);
        return Some(diagnostic.related(used.name.at, "its type"));
    };
    if let Some((_, first)) = seen.iter().find(|(known, _)| *known == name.text) {
        return diagnostic(format!(
            "`{}` already has states: declare an enum of its own for each field with states",
            name.text
        ))
        .map(|diagnostic| diagnostic.related(first.at, "the other field with states of this enum"));
    }
    seen.push((&name.text, place));
    let default = used.default.as_ref()?;
    let message = format!(
        "`{}` is the initial state: the field cannot have a default as well",
        def.initial.text
    );
    Some(Diagnostic::new(Rule::States, default.at, message).related(def.initial.at, "the initial state"))
}

fn display(used: &TypeUse) -> String {
    let name = &used.name.text;
    match used {
        TypeUse { list: true, .. } => format!("[{name}]"),
        TypeUse { optional: true, .. } => format!("{name}?"),
        _ => name.clone(),
    }
}

/// `transitions`: an endpoint changes states of a resource that no guard finds, or takes no target state.
pub(super) fn transitions(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let Some(place) = &operation.endpoint.transitions else {
            continue;
        };
        if find(&spec.states, &place.text).is_none() {
            continue;
        }
        let Some((resource, _, used)) = resource_field(spec, &place.text) else {
            continue;
        };
        let Some((name, _)) = enum_of(spec, used) else { continue };
        if !operation.always_finds(&resource.text) {
            let message = format!("no guard finds the `{}` whose state changes", resource.text);
            let help = operation.help_to_find(&resource.text);
            diagnostics.push(Diagnostic::new(Rule::Transitions, place.at, message).help(help));
        }
        if !takes_state(operation, &name.text) {
            let message = format!("the body has no member with the new `{}`", name.text);
            let help = "add one to `members`, with the enum or a subset of it as its type";
            diagnostics.push(Diagnostic::new(Rule::Transitions, place.at, message).help(help));
        }
    }
}

/// Whether the body has exactly one required member whose type is the enum or a subset of it. Unknown types count as
/// fitting: another rule reports them.
fn takes_state(operation: LocatedOperation<'_>, name: &str) -> bool {
    let Some(body) = operation.body() else {
        return operation.endpoint.body.is_some();
    };
    let members = body_members(operation.spec, body);
    let is_unknown = |used: &TypeUse| matches!(type_target(operation.spec, &used.name.text), TypeTarget::Unknown);
    if members.iter().any(|(_, used)| is_unknown(used)) {
        return true;
    }
    let is_part = |whole: &Word| whole.text == name || find(&operation.spec.enums, &whole.text).is_none();
    let is_state = |used: &TypeUse| {
        enum_of(operation.spec, used).is_some_and(|(own, def)| own.text == name || def.of.as_ref().is_some_and(is_part))
    };
    let is_given = |used: &TypeUse| body.any.is_empty() && !used.optional && used.default.is_none();
    members
        .iter()
        .filter(|(_, used)| is_state(used) && is_given(used))
        .count()
        == 1
}
