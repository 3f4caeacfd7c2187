//! Reads the YAML nodes of `api.yaml` into a [`Spec`], and reports every structural error.
//!
//! [`crate::syntax`] declares the keys, and which of these readers reads each value; [`crate::check`] checks what names
//! mean. A reader always returns a value: after an error the value has no position (line 0), so that checks can skip it.

mod descriptions;
mod expressions;
mod filters;
pub(crate) mod forms;
mod members;
mod words;

use crate::diagnostic::Diagnostic;
use crate::spec::Spec;
use crate::syntax::Value as _;
use crate::yaml::{Node, Value as Tree};
pub(crate) use expressions::{constraint, enum_value, envelope_value, guard, rate, type_use};
pub(crate) use filters::filter;
pub(crate) use members::{Members, without_duplicates};
pub(crate) use words::{boolean, formed, number, unique, whole, word, wrong_form};

/// Reads a tree. After structural errors the [`Spec`] has gaps. `None` if the file is not a map.
pub(crate) fn read(tree: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Spec> {
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        diagnostics.push(Diagnostic::new("wrong-form", tree.at, message));
        return None;
    };
    Some(Spec::item(tree, diagnostics))
}
