//! How large a demo is wanted.

use std::str::FromStr;

/// Whether there is to be a demo, and of how many workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(Option<usize>);

/// How many workers there are where nobody says how many.
const USUAL: usize = 330;
/// With fewer there would not be somebody for everything, everywhere.
const LEAST: usize = 100;
const MOST: usize = 1_000_000;

impl Size {
    /// How many workers are wanted; `None` where no demo is.
    pub fn workers(self) -> Option<usize> {
        self.0
    }
}

impl FromStr for Size {
    type Err = String;

    /// Reads a number of workers, or a word for yes or no. `1` and `0` are words, too: that is how variables are set.
    fn from_str(text: &str) -> Result<Size, String> {
        match text.to_ascii_lowercase().as_str() {
            "1" | "on" | "true" | "yes" | "t" | "y" => return Ok(Size(Some(USUAL))),
            "0" | "off" | "false" | "no" | "f" | "n" => return Ok(Size(None)),
            _ => {}
        }
        let number = text.replace(['_', ','], "").parse();
        match number {
            Ok(number) if (LEAST..=MOST).contains(&number) => Ok(Size(Some(number))),
            _ => Err(format!(
                "write a number of workers from {LEAST} to {MOST}, or `on` for {USUAL}, or `off`"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expected: Option<usize>) {
        for text in texts {
            assert_eq!(text.parse(), Ok(Size(expected)), "{text}");
        }
    }

    #[test]
    fn it_is_a_number_or_yes_or_no() {
        check(&["1", "true", "on", "ON", "yes"], Some(USUAL));
        check(&["0", "false", "off", "no"], None);
        check(&["100"], Some(100));
        check(&["1000000", "1_000_000", "1,000,000"], Some(1_000_000));
    }

    #[test]
    fn anything_else_is_told_what_could_be() {
        for text in ["", "99", "2", "-5", "1000001", "many", "1e3", "99999999999999999999999"] {
            let refused = text.parse::<Size>().expect_err(text);
            assert!(refused.contains("from 100 to 1000000"), "{refused}");
        }
    }
}
