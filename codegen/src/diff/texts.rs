//! Texts for readers: what is said of things that are served as they were.

use super::Comparison;
use super::place::Place;
use std::collections::BTreeSet;

/// A text in both contracts.
pub(super) type Texts<'t> = (&'t Option<String>, &'t Option<String>);

/// Reports that something, `what`, is described otherwise.
pub(super) fn described(comparison: &mut Comparison<'_>, place: &Place, what: &str, texts: Texts<'_>) {
    if let Some(words) = differ(texts) {
        let message = format!("the description of {what} {words}");
        comparison.between("doc-changed", &place.join("doc"), BTreeSet::new(), message);
    }
}

/// What a text is and what it was, if that differs.
pub(super) fn differ((old, new): Texts<'_>) -> Option<String> {
    (old != new).then(|| format!("is {}, was {}", shown(new), shown(old)))
}

fn shown(text: &Option<String>) -> String {
    text.as_ref()
        .map_or_else(|| "nothing".to_owned(), |text| format!("`{text}`"))
}
