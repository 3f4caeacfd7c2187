//! Where two types differ, in words.

use super::comparison::Comparison;
use super::words::{listed, of_type};
use crate::diff::matching::Declared;
use crate::diff::relations::is_required;
use crate::model::{Kind, Type, TypeRule};

/// A difference of two types, or of the types of a member within both. The two descriptions are never the same.
pub(crate) struct Difference {
    /// The way from the type to the member, such as `.price` or `[].price`. Empty for the type itself.
    pub(crate) path: String,
    pub(crate) was: String,
    pub(crate) is: String,
}

impl Comparison<'_> {
    /// The differences of an old and a new type, as deep as necessary to see them.
    pub(crate) fn differences(&self, old: &Type, new: &Type) -> Vec<Difference> {
        let mut found = Vec::new();
        self.collect("", (old, new), of_type, &mut found);
        if found.is_empty() {
            // Alike in all but the names of what is declared.
            let named = |declared, of: &Type| format!("{}{}", of_type(declared, of), in_parentheses(&of.kind));
            found.push(Difference {
                path: String::new(),
                was: named(self.was, old),
                is: named(self.now, new),
            });
        }
        found
    }

    fn collect(
        &self,
        path: &str,
        (old, new): (&Type, &Type),
        describe: fn(&Declared<'_>, &Type) -> String,
        found: &mut Vec<Difference>,
    ) {
        let (was, is) = (describe(self.was, old), describe(self.now, new));
        if was != is {
            let path = path.to_owned();
            return found.push(Difference { path, was, is });
        }
        let news = parts(self.now, new);
        for (part, old) in parts(self.was, old) {
            let other = news.iter().find(|(other, _)| *other == part);
            let both = other.map(|(_, new)| (old, *new));
            let both =
                both.filter(|(old, new)| !self.relations.of(old, new).is_equal() || presence(old) != presence(new));
            if let Some(both) = both {
                self.collect(&format!("{path}{part}"), both, of_member, found);
            }
        }
    }
}

/// The description of a member's type, with its value in a response or request that has none.
pub(crate) fn of_member(declared: &Declared<'_>, of: &Type) -> String {
    let null = if of.optional { ", or null" } else { "" };
    let default = of.default.as_ref();
    let default = default.map(|default| format!(", {} if omitted", listed([default.as_str()])));
    format!("{}{null}{}", of_type(declared, of), default.unwrap_or_default())
}

fn presence(of: &Type) -> (bool, bool) {
    (of.optional, is_required(of))
}

/// The members of an object and the items of a list, by their paths.
fn parts<'t>(declared: &Declared<'t>, of: &'t Type) -> Vec<(String, &'t Type)> {
    let own: Vec<(String, &Type)> = match &of.kind {
        Kind::Named(_) => match declared.rule(&of.kind) {
            Some(TypeRule::List { of, .. }) => vec![("[]".to_owned(), of)],
            _ => Vec::new(),
        },
        Kind::Object(name) => {
            let members = declared.objects.get(name.as_str()).map(|object| &object.members);
            let members = members.into_iter().flatten();
            members
                .map(|member| (format!(".{}", member.name), &member.of))
                .collect()
        }
        Kind::Input(name) => {
            let members = declared.inputs.get(name.as_str()).map(|input| &input.body.members);
            let members = members.into_iter().flatten().map(|member| &member.field);
            members.map(|field| (format!(".{}", field.name), &field.of)).collect()
        }
        Kind::View(resource, view) => {
            let view = declared.views.get(&(resource.as_str(), view.as_str()));
            let members = view.into_iter().flat_map(|view| &view.members);
            members
                .map(|member| (format!(".{}", member.shown), &member.of))
                .collect()
        }
        _ => Vec::new(),
    };
    let each = if of.list { "[]" } else { "" };
    own.into_iter()
        .map(|(path, of)| (format!("{each}{path}"), of))
        .collect()
}

/// The name of a declared kind, as in a contract.
fn in_parentheses(kind: &Kind) -> String {
    match kind {
        Kind::Named(name) | Kind::Enum(name) | Kind::Object(name) | Kind::Input(name) => format!(" (`{name}`)"),
        Kind::Id(resource) => format!(" (`{resource}.id`)"),
        Kind::View(resource, view) => format!(" (`{resource}.{view}`)"),
        _ => String::new(),
    }
}
