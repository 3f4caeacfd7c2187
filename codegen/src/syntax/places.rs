//! Walks the grammar, alone or side by side with the tree of a contract.

use super::file::FILE;
use super::grammar::{Form, Key, Scalar, Section};
use crate::yaml::{Node, Value as Tree};

/// Every section, in the order of a contract. A section comes before the sections inside it.
pub fn sections() -> Vec<&'static Section> {
    let mut sections = vec![FILE];
    FILE.keys.iter().for_each(|key| collect(&key.form, &mut sections));
    sections
}

fn collect(form: &'static Form, sections: &mut Vec<&'static Section>) {
    match form {
        Form::Section(section) if !sections.contains(section) => {
            sections.push(section);
            section.keys.iter().for_each(|key| collect(&key.form, sections));
        }
        Form::List { of, .. } | Form::Map { of, .. } | Form::Pair { of, .. } => collect(of, sections),
        Form::Either { of, .. } => of.iter().for_each(|form| collect(form, sections)),
        Form::Section(_) | Form::Scalar(_) => {}
    }
}

/// A node of a contract, with its entry in the grammar.
#[derive(Clone, Debug)]
pub struct Place<'t> {
    /// Its dotted path for [`Node::find`]: keys and items of lists by name.
    pub path: String,
    /// The innermost section that contains it.
    pub section: &'static Section,
    /// The key of the section that contains it: its own key, or that of the list or map of which it is an entry.
    pub key: &'static Key,
    /// Its form. Of several forms, the one that the node has.
    pub form: &'static Form,
    /// The node.
    pub node: &'t Node,
}

/// Every node of a contract except the root, in the order of the file. Nodes that do not have the form of the grammar
/// are skipped, with their content.
pub fn places(tree: &Node) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    section(tree, FILE, "", &mut found);
    found
}

fn section<'t>(node: &'t Node, of: &'static Section, path: &str, found: &mut Vec<Place<'t>>) {
    let Tree::Map(entries) = &node.form else { return };
    for (name, node) in entries {
        if let Some(key) = of.key(&name.text) {
            let place = Place {
                path: below(path, &name.text),
                section: of,
                key,
                form: &key.form,
                node,
            };
            visit(place, found);
        }
    }
}

fn visit<'t>(place: Place<'t>, found: &mut Vec<Place<'t>>) {
    let Some(form) = fitting(place.form, place.node) else {
        return;
    };
    let place = Place { form, ..place };
    let (path, node) = (place.path.clone(), place.node);
    let entry = |name: &str, form: &'static Form, node: &'t Node| Place {
        path: below(&path, name),
        form,
        node,
        ..place.clone()
    };
    let entries: Vec<Place<'t>> = match (form, &node.form) {
        (Form::List { of, .. }, Tree::List(items)) => {
            // An item that is a map with one entry has the name of that entry.
            let item = |item: &'t Node| match (&item.form, item.name()) {
                (_, Some(name)) => Some(entry(name, of, item)),
                (Tree::Map(_), _) => Some(Place {
                    path: path.clone(),
                    ..entry("", of, item)
                }),
                _ => None,
            };
            items.iter().filter_map(item).collect()
        }
        (Form::Map { of, .. } | Form::Pair { of, .. }, Tree::Map(entries)) => {
            entries.iter().map(|(name, node)| entry(&name.text, of, node)).collect()
        }
        _ => Vec::new(),
    };
    found.push(place);
    match form {
        Form::Section(of) => section(node, of, &path, found),
        _ => entries.into_iter().for_each(|entry| visit(entry, found)),
    }
}

/// The form of a node, if the grammar accepts it.
fn fitting(form: &'static Form, node: &Node) -> Option<&'static Form> {
    let fits = match form {
        Form::Either { of, .. } => return of.iter().find_map(|form| fitting(form, node)),
        Form::Section(_) | Form::Map { .. } => matches!(node.form, Tree::Map(_)),
        Form::Pair { .. } => matches!(&node.form, Tree::Map(entries) if entries.len() == 1),
        Form::List { .. } => matches!(node.form, Tree::List(_)),
        Form::Scalar(scalar) => is_scalar(*scalar, node),
    };
    fits.then_some(form)
}

fn is_scalar(scalar: Scalar, node: &Node) -> bool {
    match (scalar, &node.form) {
        // `[Book.item]` without quotes, which YAML reads as a list.
        (Scalar::TypeUse(_), Tree::List(items)) => items.len() == 1,
        (Scalar::EnvelopeValue(_), Tree::Null | Tree::Bool(_) | Tree::Number { .. } | Tree::Text(_)) => true,
        (Scalar::FieldValue | Scalar::Example, Tree::Bool(_) | Tree::Number { .. } | Tree::Text(_)) => true,
        (Scalar::Boolean, Tree::Bool(_)) => true,
        (Scalar::Number | Scalar::Integer | Scalar::Count(_) | Scalar::Status, Tree::Number { .. }) => true,
        (Scalar::EnvelopeValue(_) | Scalar::Boolean, _) => false,
        (Scalar::Number | Scalar::Integer | Scalar::Count(_) | Scalar::Status, _) => false,
        (_, Tree::Text(_)) => true,
        _ => false,
    }
}

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}
