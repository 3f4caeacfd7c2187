//! How a filter compares a parameter with a field, as written in `filters`.

/// When a field matches the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matching {
    /// `=`: the field is that value.
    Equal,
    /// `<=`: the field is at least that value.
    AtLeast,
    /// `>=`: the field is at most that value.
    AtMost,
    /// `within`: the field's text contains the value.
    Part,
    /// `searches`: each word of the value is contained in the text of the field, or of another field of the search.
    Words,
    /// `implies`: the field is true if the value is; a false value matches every field.
    Implied,
}

impl Matching {
    /// All comparisons, with the operators of the language.
    pub const ALL: [(Matching, &'static str); 6] = [
        (Matching::Equal, "="),
        (Matching::AtLeast, "<="),
        (Matching::AtMost, ">="),
        (Matching::Part, "within"),
        (Matching::Words, "searches"),
        (Matching::Implied, "implies"),
    ];

    /// The comparison of this operator.
    pub fn parse(word: &str) -> Option<Matching> {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map(|(matching, _)| *matching)
    }

    /// Its operator.
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(matching, _)| *matching == self);
        found.map_or("", |(_, word)| word)
    }
}
