//! Names that are not quite right.

use crate::nearest::nearest;

/// The name with its last letter twice, if that is nobody else's and still nearest to it.
pub(crate) fn misspelt(name: &str, known: &[&str]) -> Option<String> {
    let misspelt = format!("{name}{}", name.chars().last()?);
    (nearest(&misspelt, known.iter().copied()) == Some(name) && !known.contains(&misspelt.as_str())).then_some(misspelt)
}
