//! Rules about names.

use crate::diagnostic::{Diagnostic, Rule, add_new};
use crate::syntax::{BUILT_IN, Data, Name, Names, Span, Spec, Word};
use std::collections::HashMap;

/// Words that Rust does not accept as identifiers, not even as raw identifiers. They are in lower case, without `_` at
/// their ends, as the generated code would write them.
const KEYWORDS: [&str; 4] = ["self", "super", "crate", ""];

const RENAME: &str = "rename one of them: the names must differ in more than capitals, `_` and `-`";

/// The style of a name.
#[derive(Clone, Copy, PartialEq)]
enum CaseStyle {
    Snake,
    Pascal,
    /// Names on the wire have any style.
    Wire,
    /// Values of enums may also have hyphens.
    Value,
}

/// `name-style`: a name that does not have the style of its kind, or that Rust does not accept.
pub(super) fn name_style(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    let declared = names.declared.iter();
    let declared = declared.filter_map(|(kind, word)| style(*kind).map(|(what, style)| (word, what, style)));
    let own = spec.enums.iter().filter(|(_, def)| !def.is_of_events);
    let values = own.flat_map(|(_, def)| &def.values);
    for (word, what, style) in declared.chain(values.map(|value| (value, "a value", CaseStyle::Value))) {
        let (fits, wanted) = match style {
            CaseStyle::Snake => (is_snake(&word.text), "snake_case, as in `list_books`"),
            CaseStyle::Pascal => (is_pascal(&word.text), "PascalCase, as in `BookStatus`"),
            CaseStyle::Wire => (is_wire(&word.text), "letters, digits and `_`, beginning with a letter"),
            CaseStyle::Value => (
                is_wire(&word.text.replace('-', "_")),
                "letters, digits, `_` and `-`, beginning with a letter",
            ),
        };
        let diagnostic = |message: String| Diagnostic::new(Rule::NameStyle, word.at, message);
        let bare = word.text.trim_matches(['_', '-']).to_lowercase();
        if KEYWORDS.contains(&bare.as_str()) {
            let message = format!("`{}` is a reserved word of Rust: choose another name", word.text);
            diagnostics.push(diagnostic(message));
        } else if !fits {
            let diagnostic = diagnostic(format!(
                "`{}` is not a valid name: {what} is written in {wanted}",
                word.text
            ));
            diagnostics.push(match rewritten(&word.text, style) {
                Some(name) => diagnostic.help(format!("write `{name}`")),
                None => diagnostic,
            });
        }
    }
}

/// A name in another style.
fn rewritten(name: &str, style: CaseStyle) -> Option<String> {
    let mut words = Vec::new();
    for part in name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        let mut start = 0;
        for (at, pair) in part.as_bytes().windows(2).enumerate() {
            if !pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase() {
                words.push(&part[start..=at]);
                start = at + 1;
            }
        }
        words.push(&part[start..]);
    }
    let corrected: String = match style {
        CaseStyle::Snake => words.join("_").to_lowercase(),
        CaseStyle::Pascal => words.iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect(),
        CaseStyle::Wire | CaseStyle::Value => words.join("_"),
    };
    let fits = match style {
        CaseStyle::Snake => is_snake(&corrected),
        CaseStyle::Pascal => is_pascal(&corrected),
        CaseStyle::Wire | CaseStyle::Value => is_wire(&corrected),
    };
    fits.then_some(corrected)
}

/// How names of a kind are called, and their style.
fn style(kind: Name) -> Option<(&'static str, CaseStyle)> {
    let what = match kind {
        Name::PathParameter | Name::Parameter => "a parameter",
        Name::Operation => "an operation",
        other => other.what(),
    };
    let style = match kind {
        Name::ErrorRow | Name::Limit | Name::Quota | Name::Credential | Name::Type => CaseStyle::Snake,
        Name::View | Name::Surface | Name::Operation => CaseStyle::Snake,
        Name::Enum | Name::Object | Name::Input | Name::Resource => CaseStyle::Pascal,
        Name::Field | Name::Member | Name::PathParameter | Name::Parameter => CaseStyle::Wire,
        _ => return None,
    };
    Some((what, style))
}

fn is_snake(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}

fn is_pascal(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_wire(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A name without what its style adds: `bookId`, `book_id` and `BookId` are one name in Rust.
fn bare(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// `name-twice`: two names that become one name in Rust.
pub(super) fn name_twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut found = Vec::new();
    twice(spec, &mut found);
    add_new(found, diagnostics);
}

fn twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let named = |what: &'static str| move |word| (word, what);
    let mut types: Vec<(&Word, &str)> = Vec::new();
    types.extend(spec.types.iter().map(|(name, _)| name).map(named("a type")));
    types.extend(spec.enums.iter().map(|(name, _)| name).map(named("an enum")));
    types.extend(spec.objects.iter().map(|(name, _)| name).map(named("an object")));
    types.extend(spec.inputs.iter().map(|(name, _)| name).map(named("an input")));
    types.extend(spec.resources.iter().map(|(name, _)| name).map(named("a resource")));
    types.sort_by_key(|(word, _)| word.at);
    let built_in = BUILT_IN
        .iter()
        .map(|name| (*name, ("a built-in type", Span::default())));
    let mut seen: HashMap<&str, (&str, Span)> = built_in.collect();
    for (word, what) in types {
        if let Some((first, at)) = seen.insert(&word.text, (what, word.at)) {
            let message = format!("`{}` is already {first}", word.text);
            let diagnostic = Diagnostic::new(Rule::NameTwice, word.at, message).help(RENAME);
            diagnostics.push(diagnostic.related(at, "first declared here"));
        }
    }
    for (name, def) in &spec.enums {
        one_of_a_kind(&format!("`{}`", name.text), def.values.iter(), diagnostics);
    }
    for (name, members) in &spec.objects {
        one_of_a_kind(&format!("`{}`", name.text), keys(members), diagnostics);
    }
    for (name, resource) in &spec.resources {
        let fields = keys(&resource.fields).chain(keys(&resource.joined));
        one_of_a_kind(&format!("`{}`", name.text), fields, diagnostics);
        one_of_a_kind(&format!("`{}`", name.text), keys(&resource.views), diagnostics);
        for (view, members) in &resource.views {
            one_of_a_kind(
                &format!("`{}`", view.text),
                members.iter().map(|member| &member.shown),
                diagnostics,
            );
        }
    }
    for body in super::bodies::all(spec) {
        let members = super::lookup::record_members(body).chain(keys(&body.members));
        one_of_a_kind("the body", members, diagnostics);
    }
    let modules = keys(&spec.credentials).chain(keys(&spec.surfaces));
    one_of_a_kind("credentials and surfaces", modules, diagnostics);
    for (name, surface) in &spec.surfaces {
        one_of_a_kind(&format!("`{}`", name.text), keys(&surface.endpoints), diagnostics);
        for (_, endpoint) in &surface.endpoints {
            one_of_a_kind("the query", keys(&endpoint.query), diagnostics);
            one_of_a_kind("the path", keys(&endpoint.path), diagnostics);
            if let Some(Data::Members(members)) = &endpoint.success.data {
                one_of_a_kind("the response", keys(members), diagnostics);
            }
        }
    }
}

pub(super) fn keys<T>(table: &[(Word, T)]) -> impl Iterator<Item = &Word> {
    table.iter().map(|(name, _)| name)
}

/// Reports names that are equal, or differ only in their style.
fn one_of_a_kind<'s>(what: &str, words: impl Iterator<Item = &'s Word>, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<String, &Word> = HashMap::new();
    for word in words {
        let first = seen.insert(bare(&word.text), word);
        if let Some(first) = first {
            let message = match first.text == word.text {
                true => format!("`{}` occurs twice in {what}", word.text),
                false => format!(
                    "`{}` and `{}` in {what} would have the same name in Rust",
                    word.text, first.text
                ),
            };
            let diagnostic = Diagnostic::new(Rule::NameTwice, word.at, message).help(RENAME);
            diagnostics.push(diagnostic.related(first.at, "first declared here"));
        }
    }
}
