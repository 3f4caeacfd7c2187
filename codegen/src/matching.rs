//! How the value of a parameter and a field of a row are compared, as `filters` writes it.

/// When a field matches the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matching {
    /// `=`: the field is that value.
    Equal,
    /// `<=`: the field is that value, or above it.
    AtLeast,
    /// `>=`: the field is that value, or below it.
    AtMost,
    /// `within`: the value is a part of the field's text.
    Part,
    /// `implies`: the field is true where the value is, and is anything where that is false.
    Implied,
}

impl Matching {
    /// All of them with the words that stand between parameter and field.
    pub const ALL: [(Matching, &'static str); 5] = [
        (Matching::Equal, "="),
        (Matching::AtLeast, "<="),
        (Matching::AtMost, ">="),
        (Matching::Part, "within"),
        (Matching::Implied, "implies"),
    ];

    /// The one of this word.
    pub fn parse(word: &str) -> Option<Matching> {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map(|(matching, _)| *matching)
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(matching, _)| *matching == self);
        found.map_or("", |(_, word)| word)
    }
}
