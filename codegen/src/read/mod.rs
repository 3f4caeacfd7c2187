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

use crate::MAX_BYTES;
use crate::check::{self, Damage};
use crate::diagnostic::Diagnostic;
use crate::spec::{Span, Spec};
use crate::syntax::Value as _;
use crate::yaml::{self, Node, Value as Tree};
pub(crate) use expressions::{constraint, enum_value, envelope_value, guard, rate, type_use};
pub(crate) use filters::filter;
pub(crate) use members::{Members, without_duplicates};
pub(crate) use words::{boolean, formed, number, unique, whole, word, wrong_form};

/// Reads and checks the text of an `api.yaml`.
///
/// # Errors
/// All errors at once: structural errors, and semantic errors that can be found despite the former.
pub fn checked(source: &str) -> Result<Spec, Vec<Diagnostic>> {
    if source.len() > MAX_BYTES {
        let message = format!(
            "a contract has at most {MAX_BYTES} bytes, but this file has {}",
            source.len()
        );
        let diagnostic = Diagnostic::new("syntax", Span::default(), message);
        return Err(vec![diagnostic.help("is this the right file?")]);
    }
    let mut diagnostics = Vec::new();
    let Some(tree) = yaml::parse(source, &mut diagnostics) else {
        return Err(diagnostics);
    };
    let Some(spec) = read_tree(&tree, &mut diagnostics) else {
        return Err(diagnostics);
    };
    let meant = match diagnostics.as_slice() {
        [] => check::check(&spec, &tree),
        broken => check::check_broken(&spec, &tree, &Damage::of(&tree, broken)),
    };
    diagnostics.extend(meant);
    if diagnostics.is_empty() {
        Ok(spec)
    } else {
        Err(diagnostics)
    }
}

/// Reads the text of an `api.yaml`. Returns its content without checks of meaning, and the tree that it was read from.
///
/// # Errors
/// All structural errors at once.
pub fn read(source: &str) -> Result<(Spec, Node), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let tree = yaml::parse(source, &mut diagnostics);
    let spec = tree.as_ref().and_then(|tree| read_tree(tree, &mut diagnostics));
    match (spec, tree) {
        (Some(spec), Some(tree)) if diagnostics.is_empty() => Ok((spec, tree)),
        _ => Err(diagnostics),
    }
}

/// Reads a tree. After structural errors the [`Spec`] has gaps. `None` if the file is not a map.
fn read_tree(tree: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Spec> {
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        diagnostics.push(Diagnostic::new("wrong-form", tree.at, message));
        return None;
    };
    Some(Spec::item(tree, diagnostics))
}
