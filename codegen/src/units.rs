//! Units of numbers. Each word of the language stands here once.

use std::fmt;

/// The unit of the values of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A currency, by its code of ISO 4217.
    Currency(String),
    /// One of [`MEASURES`].
    Measure(&'static str),
    /// The currency that an operation of each surface states: its name, and the member of its `data` with the code.
    Stated {
        /// The operation: a GET without parameters in its path.
        operation: String,
        /// The member.
        member: String,
    },
}

/// The units that are no currencies.
pub const MEASURES: [&str; 12] = [
    "microseconds",
    "milliseconds",
    "seconds",
    "minutes",
    "hours",
    "days",
    "bytes",
    "percent",
    "grams",
    "kilograms",
    "meters",
    "kilometers",
];

impl Unit {
    /// The unit that a contract writes so.
    pub fn parse(text: &str) -> Option<Unit> {
        if let Some(measure) = MEASURES.into_iter().find(|measure| *measure == text) {
            return Some(Unit::Measure(measure));
        }
        if text.len() == 3 && text.bytes().all(|c| c.is_ascii_uppercase()) {
            return Some(Unit::Currency(text.to_owned()));
        }
        let is_word = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let (operation, member) = text.split_once('.')?;
        (is_word(operation) && is_word(member)).then(|| Unit::Stated {
            operation: operation.to_owned(),
            member: member.to_owned(),
        })
    }
}

/// As in a contract: `USD`, `hours`, `get_service.currency`.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Currency(code) => f.write_str(code),
            Unit::Measure(measure) => f.write_str(measure),
            Unit::Stated { operation, member } => write!(f, "{operation}.{member}"),
        }
    }
}

/// A regular expression that every unit matches, and nothing else.
pub fn pattern() -> String {
    let word = "[A-Za-z][A-Za-z0-9_]*";
    format!(r"^([A-Z]{{3}}|{}|{word}\.{word})$", MEASURES.join("|"))
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn a_unit_is_a_currency_a_measure_or_what_an_operation_states() {
        for text in ["USD", "JPY", "hours", "percent", "get_service.currency"] {
            assert_eq!(Unit::parse(text).map(|unit| unit.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "usd",
            "EURO",
            "hour",
            "Hours",
            "get_service",
            "a.b.c",
            ".b",
            "a.",
            "9.b",
        ] {
            assert_eq!(Unit::parse(text), None, "{text}");
        }
    }
}
