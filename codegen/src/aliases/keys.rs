//! Keys of other languages.

use crate::syntax::Section;

/// Keys of other languages that are looked up in every section, before its own aliases, and what to write instead.
const ANYWHERE: &[(&[&str], &str)] = &[
    (
        &["description", "summary"],
        "describe it in its `doc`, or after two dashes: `title -- What is on the cover.`",
    ),
    (
        &["minimum", "minLength", "minItems", "min_length"],
        "write the minimum value, length or number of items as `min`",
    ),
    (
        &["maximum", "maxLength", "maxItems", "max_length"],
        "write the maximum value, length or number of items as `max`",
    ),
    (
        &["exclusiveMinimum"],
        "write the exclusive minimum of a number as `exclusive_min`",
    ),
    (
        &["multipleOf", "precision", "scale"],
        "write the maximum number of decimal places as `decimals`",
    ),
];

/// What to write instead of a key that a section does not have.
pub(crate) fn key(section: &Section, key: &str) -> Option<&'static str> {
    let mut aliases = ANYWHERE.iter().chain(section.aliases);
    aliases.find(|(keys, _)| keys.contains(&key)).map(|(_, help)| *help)
}

/// Whether a key replaces one that the section has: `responses` for `success`. Keys that are looked up in every section
/// do not: their own text explains more.
pub(crate) fn replaces(section: &Section, key: &str) -> bool {
    section.aliases.iter().any(|(keys, _)| keys.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::sections;

    #[test]
    fn no_key_of_the_language_is_foreign_where_it_is_at_home() {
        for section in sections() {
            for name in section.keys.iter().map(|own| own.name) {
                assert_eq!(key(section, name), None, "`{name}` of {}", section.what);
            }
        }
    }
}
