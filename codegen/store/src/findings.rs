//! What a verification of the content of a store has found.

use std::fmt;

/// One inconsistency of a store. Its text is one line.
pub trait Flaw: fmt::Display {
    /// Whether a value can be read, but does not fit the contract: it may have been written under another one.
    fn is_of_contract(&self) -> bool;
}

/// What only a service knows.
impl Flaw for String {
    fn is_of_contract(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
struct Finding {
    text: String,
    is_of_contract: bool,
}

/// All inconsistencies of a store. Displays the first ones and the number of the others.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// The first findings.
    kept: Vec<Finding>,
    /// The number of findings that are not kept.
    more: usize,
}

impl Findings {
    /// How many findings the text contains.
    const SHOWN: usize = 10;
    /// How many findings are kept, so that they fit into memory.
    const KEPT: usize = 1_000;

    /// Adds one.
    pub fn push(&mut self, flaw: &impl Flaw) {
        if self.kept.len() < Self::KEPT {
            let (text, is_of_contract) = (flaw.to_string(), flaw.is_of_contract());
            self.kept.push(Finding { text, is_of_contract });
        } else {
            self.more += 1;
        }
    }

    /// Whether the store is consistent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Only the findings that a value does not fit the contract.
    #[must_use]
    pub(crate) fn of_another_contract(mut self) -> Self {
        self.kept.retain(|finding| finding.is_of_contract);
        self
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kept.len() + self.more
    }

    /// The texts of the findings, at most a thousand.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().map(|finding| finding.text.as_str())
    }

    /// Logs the findings that the text omits.
    pub(crate) fn log_the_rest(&self) {
        for finding in self.texts().skip(Self::SHOWN) {
            tracing::error!(finding, "inconsistent");
        }
        if self.more > 0 {
            tracing::error!(more = self.more, "more inconsistencies that are not listed");
        }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.texts().take(Self::SHOWN).enumerate() {
            let before = if place == 0 { "" } else { "; " };
            write!(out, "{before}{text}")?;
        }
        match self.kept.len().saturating_sub(Self::SHOWN) + self.more {
            0 => Ok(()),
            more => write!(out, "; and {more} more (see the log)"),
        }
    }
}

/// Bytes as hexadecimal digits.
pub struct Hex<'b>(pub &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}
