//! Misspelt names for tests.

use codegen::nearest::nearest;

/// The name with its last letter doubled, if that is no known name and still nearest to this one.
pub(crate) fn misspelt(name: &str, known: &[&str]) -> Option<String> {
    let misspelt = format!("{name}{}", name.chars().last()?);
    (nearest(&misspelt, known.iter().copied()) == Some(name) && !known.contains(&misspelt.as_str())).then_some(misspelt)
}
