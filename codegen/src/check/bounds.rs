//! Rules about bounds that contradict each other, and about character classes.

use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{IntegerDef, ListDef, Num, NumberDef, Spec, StringDef, TypeDef, Word};

/// `bounds`: no value can satisfy the bounds.
pub(super) fn bounds(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, named) in &spec.types {
        match &named.def {
            TypeDef::String(StringDef { min, max, .. })
            | TypeDef::Integer(IntegerDef { min, max })
            | TypeDef::List(ListDef { min, max, .. }) => not_above(*min, *max, diagnostics),
            TypeDef::Number(NumberDef {
                min,
                exclusive_min,
                max,
                decimals,
            }) => {
                not_above(*min, *max, diagnostics);
                below(*exclusive_min, *max, diagnostics);
                one_lower_bound(*min, *exclusive_min, diagnostics);
                few_decimals(*decimals, diagnostics);
                if let (Some(lower), Some(max), Some(decimals)) = (min.or(*exclusive_min), *max, *decimals) {
                    wide_enough(lower, exclusive_min.is_some(), max, decimals, diagnostics);
                }
            }
            TypeDef::FreeForm { .. } => {}
        }
    }
}

fn not_above(min: Option<Num>, max: Option<Num>, diagnostics: &mut Vec<Diagnostic>) {
    if let (Some(min), Some(max)) = (min, max)
        && min.value > max.value
    {
        let message = format!("`min` is {}, which is above `max`, {}", min.value, max.value);
        let diagnostic = Diagnostic::new(Rule::Bounds, min.at, message);
        diagnostics.push(diagnostic.related(max.at, "`max` is given here"));
    }
}

fn below(exclusive_min: Option<Num>, max: Option<Num>, diagnostics: &mut Vec<Diagnostic>) {
    if let (Some(exclusive_min), Some(max)) = (exclusive_min, max)
        && exclusive_min.value >= max.value
    {
        let message = format!("no number is above {} and at most {}", exclusive_min.value, max.value);
        let diagnostic = Diagnostic::new(Rule::Bounds, exclusive_min.at, message);
        diagnostics.push(diagnostic.related(max.at, "`max` is given here"));
    }
}

fn one_lower_bound(min: Option<Num>, exclusive_min: Option<Num>, diagnostics: &mut Vec<Diagnostic>) {
    if let (Some(min), Some(exclusive_min)) = (min, exclusive_min) {
        let message = "a number has `min` (inclusive) or `exclusive_min` (exclusive), not both";
        let diagnostic = Diagnostic::new(Rule::Bounds, exclusive_min.at, message);
        diagnostics.push(diagnostic.related(min.at, "`min` is given here"));
    }
}

fn few_decimals(decimals: Option<Num>, diagnostics: &mut Vec<Diagnostic>) {
    const MOST: f64 = 15.0;
    if let Some(decimals) = decimals.filter(|decimals| decimals.value > MOST) {
        let message = format!("a number keeps at most {MOST} decimal places");
        diagnostics.push(Diagnostic::new(Rule::Bounds, decimals.at, message));
    }
}

/// Whether a number with at most `decimals` decimal places lies between the bounds.
fn wide_enough(lower: Num, is_exclusive: bool, max: Num, decimals: Num, diagnostics: &mut Vec<Diagnostic>) {
    /// Tolerance for rounding errors, as a fraction of the last decimal place.
    const ROUNDING: f64 = 1e-6;
    let steps = 10_f64.powf(decimals.value);
    let least = match is_exclusive {
        true => (lower.value * steps + ROUNDING).floor() + 1.0,
        false => (lower.value * steps - ROUNDING).ceil(),
    };
    if lower.value < max.value && least > (max.value * steps + ROUNDING).floor() {
        let message = format!(
            "no number with {} decimal places lies between {} and {}",
            decimals.value, lower.value, max.value
        );
        diagnostics.push(Diagnostic::new(Rule::Bounds, decimals.at, message));
    }
}

/// `bad-chars`: an invalid character class, or a value of `bidi_controls` other than `refused`.
pub(super) fn bad_chars(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, named) in &spec.types {
        let TypeDef::String(text) = &named.def else { continue };
        if let Some(word) = &text.bidi_controls
            && word.text != "refused"
        {
            let message = format!(
                "`bidi_controls` has only the value `refused`, not `{}`: leave it out to allow them",
                word.text
            );
            diagnostics.push(Diagnostic::new(Rule::BadChars, word.at, message).propose(&word.text, ["refused"]));
        }
        if let Some(chars) = &text.chars
            && class(&chars.text).is_none()
        {
            let message = format!("`{}` is not a character class", chars.text);
            let help = "write single characters and ranges such as `a-z`, and `-` itself at the end: `a-z0-9_-`";
            diagnostics.push(Diagnostic::new(Rule::BadChars, chars.at, message).help(help));
        }
    }
}

/// The ranges of a class such as `a-z0-9_-`.
pub(super) fn class(written: &str) -> Option<Vec<(char, char)>> {
    let mut ranges = Vec::new();
    let mut rest = written.chars().peekable();
    while let Some(first) = rest.next() {
        let is_range = rest.peek() == Some(&'-') && rest.clone().nth(1).is_some();
        if first.is_control() || (first == '-' && rest.peek().is_some()) {
            return None;
        }
        let last = if is_range { rest.nth(1)? } else { first };
        if last < first {
            return None;
        }
        ranges.push((first, last));
    }
    Some(ranges)
}

/// Whether all characters of a text are in the class.
pub(super) fn is_within(text: &str, class_of: &Word) -> bool {
    let ranges = class(&class_of.text).unwrap_or_default();
    text.chars()
        .all(|c| ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)))
}
