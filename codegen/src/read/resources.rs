//! What is stored and how it is shown: `resources`.

use super::members::Members;
use super::types::typed;
use super::words::{boolean, list, table, text, unique, word, wrong_form};
use crate::report::Report;
use crate::spec::{Resource, Table, ViewField, Word};
use crate::tree::{Form, Node};

pub(super) fn resources(node: &Node, reports: &mut Vec<Report>) -> Table<Resource> {
    table(
        node,
        "{ Book: { noun: book, fields: { id: Book.id } } }",
        resource,
        reports,
    )
}

fn resource(node: &Node, reports: &mut Vec<Report>) -> Resource {
    let example = "{ noun: book, fields: { id: Book.id }, views: { item: [id] } }";
    let mut m = Members::of(node, "a resource", example, reports);
    let owner = |node: &Node, reports: &mut Vec<Report>| table(node, "{ Reader: reader_id }", word, reports);
    let views = |node: &Node, reports: &mut Vec<Report>| table(node, "{ item: [id, title] }", view, reports);
    let resource = Resource {
        noun: m.required("noun", text),
        owner: m.optional("owner", owner).unwrap_or_default(),
        private: m.optional("private", boolean).unwrap_or_default(),
        fields: m.required("fields", typed),
        joined: m.optional("joined", typed).unwrap_or_default(),
        views: m.optional("views", views).unwrap_or_default(),
    };
    m.done();
    resource
}

fn view(node: &Node, reports: &mut Vec<Report>) -> Vec<ViewField> {
    let fields = list(node, "[id, title, { author: \"author.name\" }]", view_field, reports);
    unique(fields, |field| field.shown.clone(), reports)
}

fn view_field(node: &Node, reports: &mut Vec<Report>) -> ViewField {
    let (shown, source) = match &node.form {
        Form::Text(_) => {
            let name = word(node, reports);
            (name.clone(), name)
        }
        Form::Map(entries) if entries.len() == 1 => {
            let (shown, source) = &entries[0];
            (shown.clone(), word(source, reports))
        }
        _ => {
            let expected = "a field, or one renamed";
            wrong_form(node, expected, "{ shown: field }", reports);
            (Word::default(), Word::default())
        }
    };
    ViewField { shown, source }
}
