//! Reads the YAML nodes of `api.yaml` into a [`Spec`], and reports every structural error.
//!
//! The keys and the shape of each value come from [`crate::language`]; [`crate::check`] checks what names mean. A
//! reader always returns a value: after an error the value has no position (line 0), so that checks can skip it.

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

use crate::diagnostic::{Diagnostic, Rule};
use crate::language::{FILE, Form};
use crate::spec::Spec;
use crate::yaml::{Node, Value as Tree};
use expressions::type_use;
use members::Members;
use words::{table, word};

/// Reads a tree. After structural errors the [`Spec`] has gaps. `None` if the file is not a map.
pub(crate) fn read(tree: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Spec> {
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        diagnostics.push(Diagnostic::new(Rule::WrongForm, tree.at, message));
        return None;
    };
    let mut m = Members::of(tree, &Form::Section(&FILE), diagnostics);
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
