//! A contract: the compiler's model, and its file for messages. It lives as long as the process.

use codegen::Model;
use codegen::diagnostic::{self, Diagnostic, Style};
use codegen::model::{EnvelopeValue, Operation, Span, SuccessBody, Surface};
use serde_json::Value;
use std::collections::BTreeSet;

/// A text that lives as long as the process.
pub(crate) fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// A list that lives as long as the process.
pub(crate) fn leak_all<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(items.into_iter().collect())
}

/// A contract.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// As the compiler resolved it.
    pub model: &'static Model,
    /// Its file name in messages.
    pub file: &'static str,
}

impl Contract {
    /// The contract; `file` is its name in messages.
    pub fn new(model: Model, file: &str) -> Self {
        Self {
            model: Box::leak(Box::new(model)),
            file: leak(file),
        }
    }

    /// The contract with this text.
    ///
    /// # Panics
    /// If it has errors, with these.
    pub fn from_source(source: &str, file: &str) -> Self {
        let errors = |diagnostics: Vec<Diagnostic>| diagnostic::draw(&diagnostics, file, source, Style::Plain).concat();
        let model = codegen::compile(source).map_err(errors);
        Self::new(model.unwrap_or_else(|errors| panic!("{errors}")), file)
    }

    /// `api.yaml:LINE:COL`
    pub fn at(&self, span: Span) -> String {
        format!("{}:{}:{}", self.file, span.line, span.column)
    }

    /// The operation of this name: `agent::get_human`.
    pub(crate) fn operation(&self, name: &str) -> Option<(&'static Surface, &'static Operation)> {
        let mut operations = self.model.operations();
        operations.find(|(surface, operation)| surface.full_name(operation) == name)
    }
}

/// The text in the body of an error.
pub(crate) fn text_in<'b>(model: &Model, body: &'b Value) -> Option<&'b Value> {
    let names = EnvelopeValue::path_to(&model.error, "text")?;
    names.iter().try_fold(body, |value, name| value.get(name))
}

/// The `data` in the body of a success: a member of it, or the body itself.
pub(crate) fn data_in<'b>(model: &Model, operation: &Operation, body: &'b Value) -> &'b Value {
    const NONE: &Value = &Value::Null;
    match (operation.success_body(), model.data_member(operation)) {
        (SuccessBody::Data, _) => body,
        (_, Some(name)) => &body[name],
        (_, None) => NONE,
    }
}

/// Every name of a field, a member or a parameter, and one of none.
pub(crate) fn vocabulary(model: &'static Model) -> &'static [&'static str] {
    let fields = model
        .resources
        .iter()
        .flat_map(|one| one.fields.iter().chain(&one.joined));
    let objects = model.objects.iter().flat_map(|one| &one.members);
    let operations = || model.operations().map(|(_, operation)| operation);
    let parameters = operations().flat_map(|operation| operation.query.iter().chain(&operation.path));
    let bodies = operations().filter_map(|operation| model.body(operation));
    let bodies = bodies.chain(model.inputs.iter().map(|one| &one.body));
    let members = bodies.flat_map(|body| &body.members).map(|member| &member.field);
    let all = fields.chain(objects).chain(parameters).chain(members);
    let names: BTreeSet<&str> = all.map(|field| field.name.as_str()).chain(["no_such_name"]).collect();
    leak_all(names)
}

/// The media type and the bytes of a file that an operation takes: of a type whose files can be texts.
pub(crate) fn file_sample(declared: &Operation) -> Option<(&'static str, &'static str)> {
    let samples = [
        ("text/plain", "a file"),
        ("text/csv", "a,file"),
        ("application/pdf", "%PDF-1.7"),
        ("image/gif", "GIF89a"),
    ];
    let file = declared.file.as_ref()?;
    samples
        .into_iter()
        .find(|(media_type, _)| file.types.iter().any(|one| one == media_type))
}
