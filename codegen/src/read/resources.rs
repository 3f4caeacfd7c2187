//! Reads the entries of `resources`.

use super::expressions::type_use;
use super::members::Members;
use super::words::{boolean, list, table, unique, word, wrong_form};
use crate::diagnostic::Diagnostic;
use crate::language::Form;
use crate::spec::{Resource, ViewField, Word};
use crate::yaml::{Node, Value as Tree};

pub(super) fn resource(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Resource {
    let mut m = Members::of(node, form, diagnostics);
    let resource = Resource {
        noun: m.value("noun", word),
        doc: m.given("doc", word),
        owner: m.value("owner", table(word)),
        private: m.value("private", boolean),
        fields: m.value("fields", table(type_use)),
        joined: m.value("joined", table(type_use)),
        views: m.value("views", table(view)),
    };
    m.done();
    resource
}

fn view(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<ViewField> {
    let fields = list(node, form, view_field, diagnostics);
    unique(fields, |field| field.shown.clone(), diagnostics)
}

fn view_field(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> ViewField {
    let (shown, source) = match &node.form {
        Tree::Text(_) => {
            let name = word(node, form, diagnostics);
            (name.clone(), name)
        }
        Tree::Map(entries) if entries.len() == 1 => {
            let (shown, source) = &entries[0];
            let of = form.entries().expect("the grammar has a renamed field here");
            (shown.clone(), word(source, of, diagnostics))
        }
        _ => {
            wrong_form(node, form, diagnostics);
            (Word::default(), Word::default())
        }
    };
    ViewField { shown, source }
}
