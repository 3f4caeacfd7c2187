//! Character classes such as `a-z0-9_-`: the characters that a text may contain.

/// A character class: single characters and ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class(Vec<(char, char)>);

impl Class {
    /// Parses a class. A `-` at the end is a literal.
    pub fn parse(written: &str) -> Self {
        let mut ranges = Vec::new();
        let mut rest = written.chars().peekable();
        while let Some(first) = rest.next() {
            let is_range = rest.peek() == Some(&'-') && rest.clone().nth(1).is_some();
            let last = if is_range { rest.nth(1).unwrap_or(first) } else { first };
            ranges.push((first, last));
        }
        Self(ranges)
    }

    /// Whether the class contains the character.
    pub fn has(&self, c: char) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&c))
    }

    /// The ranges in the order of the contract, each with its first and last character.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_is_a_range_between_two_characters_and_itself_at_the_end() {
        let class = Class::parse("a-c_-");
        assert_eq!(class.ranges(), [('a', 'c'), ('_', '_'), ('-', '-')]);
        assert!(class.has('b') && class.has('-') && !class.has('d') && !class.has('+'));
    }
}
