//! Rates.

use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Num, Word};
use crate::syntax::grammar::Form;
use crate::syntax::read::{clipped, wrong_form};
use crate::syntax::reader::Reader;
use crate::yaml::{Node, Value as Tree};

/// `100/min`
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Maximum requests in a window.
    pub max: Num,
    /// Length of the window in seconds.
    pub window_seconds: u32,
}

/// `100/min`: a number, and a period in seconds.
pub(crate) fn rate(node: &Node, form: &'static Form, reader: &mut Reader) -> Rate {
    let nothing = Rate {
        max: Num::default(),
        window_seconds: 1,
    };
    let Tree::Text(text) = &node.form else {
        wrong_form(node, form, reader);
        return nothing;
    };
    let whole = Word {
        text: text.clone(),
        at: node.at,
    };
    parsed_rate(&whole, reader).unwrap_or(nothing)
}

/// The units of a rate, in seconds.
const UNITS: [(&str, u32); 4] = [("s", 1), ("min", 60), ("h", 3_600), ("day", 86_400)];

fn parsed_rate(whole: &Word, reader: &mut Reader) -> Option<Rate> {
    let Some((max, unit)) = whole.text.split_once('/') else {
        let message = format!("`{}` is not a rate", clipped(&whole.text));
        reader.report(Diagnostic::new(Rule::BadRate, whole.at, message).help("a rate is written `100/min`"));
        return None;
    };
    let (max, unit) = (whole.part(max.trim()), whole.part(unit.trim()));
    let value = max.text.parse::<u32>().ok().filter(|max| *max > 0);
    if value.is_none() {
        let message = format!("`{}` is not a number of requests or bytes", clipped(&max.text));
        let help = "write a whole number, 1 or more";
        reader.report(Diagnostic::new(Rule::BadRate, max.at, message).help(help));
    }
    let Some((_, seconds)) = UNITS.iter().find(|(name, _)| *name == unit.text) else {
        let message = format!("`{}` is not a unit of time", clipped(&unit.text));
        let diagnostic = Diagnostic::new(Rule::BadRate, unit.at, message);
        reader.report(diagnostic.propose(&unit.text, UNITS.map(|(name, _)| name)));
        return None;
    };
    value.map(|value| Rate {
        max: Num {
            value: f64::from(value),
            at: max.at,
        },
        window_seconds: *seconds,
    })
}
