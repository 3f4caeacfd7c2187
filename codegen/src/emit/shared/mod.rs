//! Helpers that emitters share: names, types, texts, and the context of an operation. They know the model, and no
//! emitter.

pub(crate) mod answering;
pub(crate) mod authentication;
pub(crate) mod body;
pub(crate) mod body_bounds;
pub(crate) mod caused;
pub(crate) mod comparison;
pub(crate) mod conditions;
pub(crate) mod error_constructors;
pub(crate) mod feed;
pub(crate) mod file;
pub(crate) mod filter;
pub(crate) mod hidden;
pub(crate) mod joined;
pub(crate) mod keeping;
pub(crate) mod literals;
pub(crate) mod loading;
pub(crate) mod names;
pub(crate) mod nearest;
pub(crate) mod operation_context;
pub(crate) mod plain;
pub(crate) mod quota_use;
pub(crate) mod serde;
pub(crate) mod stored;
pub(crate) mod templates;
pub(crate) mod types;
pub(crate) mod writing;

pub(crate) use crate::names::GeneratedName;
pub(crate) use body_bounds::body_bounds;
pub(crate) use operation_context::OperationContext;
pub(crate) use quota_use::quota_use;

use crate::model::{Field, Graph, Kind, Model, Node, Span, Type};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::HashSet;

/// A doc comment: a name of the contract and its `doc`.
pub(crate) fn doc(name: &str, text: Option<&str>) -> String {
    match text {
        Some(text) => format!("`{name}`: {text}"),
        None => format!("`{name}`"),
    }
}

/// The doc comment of a field, a member or a parameter.
pub(crate) fn field_doc(field: &Field) -> String {
    doc(&field.name, field.doc.as_deref())
}

/// For a struct with fields of these types: what lets clippy accept many booleans.
pub(crate) fn many_bools<'m>(types: impl Iterator<Item = &'m Type>) -> Option<TokenStream> {
    let bools = types.filter(|of| matches!(of.kind, Kind::Boolean | Kind::Flag) && !of.optional && !of.list);
    let reason = "one for each of the contract";
    (bools.count() > 3).then(|| quote!(#[allow(clippy::struct_excessive_bools, reason = #reason)]))
}

/// The `doc` of the contract on one line, to follow a generated sentence.
pub(crate) fn doc_sentence(doc: Option<&str>) -> String {
    let words = doc.into_iter().flat_map(str::split_whitespace);
    words.map(|word| format!(" {word}")).collect()
}

/// The texts of a surface's tools, as JSON.
pub(crate) struct Tools {
    pub(crate) list: String,
    /// The title of each tool.
    pub(crate) titles: Vec<String>,
    pub(crate) server: String,
    pub(crate) instructions: String,
}

/// The model and the names that every emitter reads.
pub(crate) struct Context<'m> {
    pub(crate) model: &'m Model,
    /// The file name of the contract in messages.
    pub(crate) file: &'m str,
    /// The texts of the tools of each surface that offers any.
    pub(crate) tools: Vec<(&'m str, Tools)>,
    sent: HashSet<Node<'m>>,
    stored: HashSet<Node<'m>>,
}

impl<'m> Context<'m> {
    pub(crate) fn new(model: &'m Model, file: &'m str, tools: Vec<(&'m str, Tools)>) -> Self {
        let graph = Graph::from_model(model);
        Self {
            model,
            file,
            tools,
            sent: graph.held_by(|node| matches!(node, Node::Request(..))),
            stored: graph.held_by(|node| matches!(node, Node::Field(..))),
        }
    }

    /// Whether requests carry values of a declaration. Only these need decoders.
    pub(crate) fn is_sent(&self, node: Node<'_>) -> bool {
        self.sent.contains(&node)
    }

    /// Whether records contain values of a declaration.
    pub(crate) fn is_stored(&self, node: Node<'_>) -> bool {
        self.stored.contains(&node)
    }

    /// `api.yaml:LINE:COL`, for messages only. In a comment it would change with every line inserted above it.
    pub(crate) fn at(&self, at: Span) -> String {
        format!("{}:{}:{}", self.file, at.line, at.column)
    }
}
