//! The value of `--demo`.

use std::str::FromStr;

/// The number of workers of the demo, or no demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(Option<usize>);

/// The number of workers if only `on` is given: as many as `workers.jsonl` has.
const USUAL: usize = 330;
/// Enough for the workers of the scenario and one in each prefecture.
const LEAST: usize = 100;
const MOST: usize = 1_000_000;

impl Size {
    /// The number of workers; `None` if there is to be no demo.
    pub fn workers(self) -> Option<usize> {
        self.0
    }
}

impl FromStr for Size {
    type Err = String;

    /// Reads a number of workers, or a word for yes or no. `1` and `0` mean yes and no, as in other environment variables.
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
                "expected a number of workers from {LEAST} to {MOST}, `on` for {USUAL}, or `off`"
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
    fn a_size_is_a_number_or_yes_or_no() {
        check(&["1", "true", "on", "ON", "yes"], Some(USUAL));
        check(&["0", "false", "off", "no"], None);
        check(&["100"], Some(100));
        check(&["1000000", "1_000_000", "1,000,000"], Some(1_000_000));
    }

    #[test]
    fn an_error_names_the_accepted_values() {
        for text in ["", "99", "2", "-5", "1000001", "many", "1e3", "99999999999999999999999"] {
            let rejected = text.parse::<Size>().expect_err(text);
            assert!(rejected.contains("from 100 to 1000000"), "{rejected}");
        }
    }
}
