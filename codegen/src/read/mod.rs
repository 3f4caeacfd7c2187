//! The tree of `api.yaml` as a [`Spec`]: every mistake of form is reported, and what can be read is read.
//!
//! Which keys there are, and the form of each value, it takes from [`crate::language`]; what names mean is
//! [`crate::check`]'s. A reader of a node is given the form that the grammar has for it.
//! A reader always gives something back. Where it has reported a mistake that is a value at no place (line 0), so that
//! the rules of meaning can pass over it.

mod contract;
mod descriptions;
mod endpoints;
mod expressions;
mod forms;
mod lists;
mod members;
mod resources;
mod types;
mod words;

use crate::MAX_BYTES;
use crate::check::{self, Damage};
use crate::language::{FILE, Form};
use crate::report::Report;
use crate::spec::{Span, Spec};
use crate::tree::{self, Form as Tree, Node};
use expressions::type_use;
use members::Members;
use words::{table, word};

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
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        reports.push(Report::new("wrong-form", tree.at, message));
        return None;
    };
    let mut m = Members::of(tree, &Form::Section(&FILE), reports);
    let spec = Spec {
        api: m.value("api", contract::api),
        envelope: m.value("envelope", contract::envelope),
        decisions: m.value("decisions", table(contract::decision)),
        errors: m.value("errors", table(contract::error_row)),
        limits: m.value("limits", table(contract::limit)),
        limit_headers: m.value("limit_headers", table(word)),
        quotas: m.value("quotas", table(contract::quota)),
        credentials: m.value("credentials", table(contract::credential)),
        types: m.value("types", table(types::named_type)),
        enums: m.value("enums", table(types::enum_def)),
        states: m.value("states", table(types::state_def)),
        objects: m.value("objects", table(table(type_use))),
        inputs: m.value("inputs", table(types::body)),
        resources: m.value("resources", table(resources::resource)),
        surfaces: m.value("surfaces", table(endpoints::surface)),
    };
    m.done();
    Some(spec)
}
