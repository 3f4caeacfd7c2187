//! Periods.

use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Word;
use crate::syntax::grammar::Form;
use crate::syntax::read::{clipped, wrong_form};
use crate::syntax::reader::Reader;
use crate::yaml::{Node, Value as Tree};

/// `24h`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Its length.
    pub seconds: u32,
}

/// The units of a period, in seconds.
const UNITS: [(&str, u32); 4] = [("s", 1), ("min", 60), ("h", 3_600), ("d", 86_400)];

/// `24h`: a whole number of at least 1, and a unit.
pub(crate) fn period(node: &Node, form: &'static Form, reader: &mut Reader) -> Period {
    let nothing = Period { seconds: 1 };
    let Tree::Text(text) = &node.form else {
        wrong_form(node, form, reader);
        return nothing;
    };
    let seconds = parsed(text);
    if seconds.is_none() {
        let whole = Word {
            text: text.clone(),
            at: node.at,
        };
        let message = format!("`{}` is not a period", clipped(&whole.text));
        let help = "a period is written `24h`: a whole number from 1, and `s`, `min`, `h` or `d`; at most 100 years";
        reader.report(Diagnostic::new(Rule::BadValue, whole.at, message).help(help));
    }
    seconds.map_or(nothing, |seconds| Period { seconds })
}

fn parsed(text: &str) -> Option<u32> {
    const MOST: u32 = 100 * 365 * 86_400;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let unit = UNITS.iter().find(|(unit, _)| *unit == &text[digits.len()..])?;
    let is_number = !digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit());
    let seconds = digits.parse::<u32>().ok().filter(|_| is_number)?.checked_mul(unit.1)?;
    (seconds <= MOST).then_some(seconds)
}

/// `24 hours`, `30 days`
pub fn period_in_words(seconds: u32) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let fits = |(unit, _): &&(u32, &str)| seconds.is_multiple_of(*unit) && (seconds / unit > 1 || *unit == 1);
    let (unit, name) = units.iter().find(fits).expect("each number is a multiple of 1");
    match seconds / unit {
        1 => format!("1 {name}"),
        count => format!("{count} {name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::period_in_words;

    #[test]
    fn a_period_is_in_its_greatest_unit_of_which_there_are_several() {
        let periods = [1, 90, 120, 86_400, 172_800, 2_592_000].map(period_in_words);
        assert_eq!(
            periods,
            ["1 second", "90 seconds", "2 minutes", "24 hours", "2 days", "30 days"]
        );
    }
}
