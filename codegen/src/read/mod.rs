//! The tree of `api.yaml` as a [`Spec`]: every mistake of form is reported, and what can be read is read.
//!
//! Knows the language's grammar and nothing of what names mean; that is [`crate::check`]'s.
//! A reader always gives something back. Where it has reported a mistake that is a value at no place (line 0), so that
//! the rules of meaning can pass over it.

mod contract;
mod endpoints;
mod expressions;
mod members;
mod resources;
mod types;
mod words;

use crate::MAX_BYTES;
use crate::check::{self, Damage};
use crate::report::Report;
use crate::spec::{Span, Spec};
use crate::tree::{self, Form, Node};
pub(crate) use endpoints::METHODS;
use members::Members;

/// Reads and checks the text of an `api.yaml`.
///
/// # Errors
/// All mistakes at once: those of form, and those of meaning as far as the form lets them be told.
pub fn understand(source: &str) -> Result<Spec, Vec<Report>> {
    if source.len() > MAX_BYTES {
        let message = format!(
            "a contract has at most {MAX_BYTES} bytes, and this has {}",
            source.len()
        );
        let report = Report::new("syntax", Span::default(), message);
        return Err(vec![report.help("is this the right file?")]);
    }
    let mut reports = Vec::new();
    let Some(tree) = tree::parse(source, &mut reports) else {
        return Err(reports);
    };
    let Some(spec) = read_tree(&tree, &mut reports) else {
        return Err(reports);
    };
    let meant = match reports.as_slice() {
        [] => check::check(&spec, &tree),
        broken => check::check_broken(&spec, &tree, &Damage::of(&tree, broken)),
    };
    reports.extend(meant);
    if reports.is_empty() { Ok(spec) } else { Err(reports) }
}

/// Reads the text of an `api.yaml`: its meaning as far as the form goes, and the tree that it was read from.
///
/// # Errors
/// All mistakes of form at once.
pub fn read(source: &str) -> Result<(Spec, Node), Vec<Report>> {
    let mut reports = Vec::new();
    let tree = tree::parse(source, &mut reports);
    let spec = tree.as_ref().and_then(|tree| read_tree(tree, &mut reports));
    match (spec, tree) {
        (Some(spec), Some(tree)) if reports.is_empty() => Ok((spec, tree)),
        _ => Err(reports),
    }
}

/// Reads a tree; with mistakes of form the [`Spec`] has gaps. There is none if the file is no map at all.
fn read_tree(tree: &Node, reports: &mut Vec<Report>) -> Option<Spec> {
    let Form::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        reports.push(Report::new("wrong-form", tree.at, message));
        return None;
    };
    let mut m = Members::of(tree, "api.yaml", "", reports);
    let spec = Spec {
        api: m.required("api", contract::api),
        envelope: m.required("envelope", contract::envelope),
        decisions: m.optional("decisions", contract::decisions).unwrap_or_default(),
        errors: m.required("errors", contract::errors),
        limits: m.optional("limits", contract::limits).unwrap_or_default(),
        limit_headers: m.optional("limit_headers", words::templates).unwrap_or_default(),
        quotas: m.optional("quotas", contract::quotas).unwrap_or_default(),
        credentials: m.optional("credentials", contract::credentials).unwrap_or_default(),
        types: m.optional("types", types::types).unwrap_or_default(),
        enums: m.optional("enums", types::enums).unwrap_or_default(),
        states: m.optional("states", types::states).unwrap_or_default(),
        objects: m.optional("objects", types::objects).unwrap_or_default(),
        inputs: m.optional("inputs", types::inputs).unwrap_or_default(),
        resources: m.optional("resources", resources::resources).unwrap_or_default(),
        surfaces: m.required("surfaces", endpoints::surfaces),
    };
    m.done();
    Some(spec)
}
