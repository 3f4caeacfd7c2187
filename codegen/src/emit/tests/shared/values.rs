//! What is tried in the place of one value: both sides of each bound, and whatever else its type refuses or accepts.

use crate::emit::shared::literals::count;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::shapes::reference;
use crate::emit::tests::shared::states::may_become;
use crate::model::{Kind, Model, States, Type, TypeRule};
use proc_macro2::TokenStream;
use quote::quote;

/// Names tests for the value at one place of a body.
pub(crate) struct Place<'p> {
    pub(crate) model: &'p Model,
    /// As the kit writes it: `skills[0].name`.
    pub(crate) place: String,
    /// As tests are named: `skills_name`.
    pub(crate) name: String,
    /// The name of the member itself, which a refusal must tell.
    pub(crate) member: String,
    /// The states that it moves from the first one, where it moves any.
    pub(crate) moves: Option<&'p States>,
}

impl Place<'_> {
    fn accepts(&self, cells: &mut Cells, what: &str, value: TokenStream) {
        let place = &self.place;
        cells.add(
            &format!("{}_{what}", self.name),
            quote!(.with(#place, #value).accepted()),
        );
    }

    fn refuses(&self, cells: &mut Cells, what: &str, value: TokenStream) {
        let (place, member) = (&self.place, &self.member);
        cells.add(
            &format!("{}_{what}", self.name),
            quote!(.with(#place, #value).invalid(&[#member])),
        );
    }

    fn tries(&self, cells: &mut Cells, what: &str, call: TokenStream) {
        cells.add(&format!("{}_{what}", self.name), call);
    }

    /// The tests of a value of this type.
    pub(crate) fn value(&self, cells: &mut Cells, of: &Type) {
        let place = &self.place;
        self.tries(cells, "of_wrong_type", quote!(.refuses_wrong_types(#place)));
        if of.list {
            return;
        }
        match &of.kind {
            Kind::Named(name) => self.named(cells, of, &self.model.named_type(name).rule),
            Kind::Enum(name) => {
                let allowed = |word: &&String| {
                    self.moves
                        .is_none_or(|states| may_become(states, &states.initial, word))
                };
                for word in self.model.enumeration(name).values.iter().filter(allowed) {
                    self.accepts(cells, &format!("is_{word}"), quote!(word(#word)));
                }
                let others = self.other_words(name);
                self.tries(
                    cells,
                    "is_no_such_word",
                    quote!(.refuses_other_words(#place, &[#(#others),*])),
                );
            }
            Kind::Boolean => {
                self.accepts(cells, "is_true", quote!(raw("true")));
                self.accepts(cells, "is_false", quote!(raw("false")));
            }
            Kind::Date => {
                for day in ["2024-02-29", "1970-01-01", "9999-12-31"] {
                    self.accepts(cells, &format!("is_{day}"), quote!(word(#day)));
                }
                self.tries(cells, "is_no_day", quote!(.refuses_dates_that_are_none(#place)));
            }
            _ => {}
        }
    }

    /// The words of all other enumerations, which this one does not have.
    fn other_words(&self, name: &str) -> Vec<&str> {
        let own = &self.model.enumeration(name).values;
        let mut words: Vec<&str> = self
            .model
            .enums
            .iter()
            .flat_map(|one| &one.values)
            .map(String::as_str)
            .collect();
        words.sort_unstable();
        words.dedup();
        words.retain(|word| !own.iter().any(|known| known == word));
        words
    }

    fn named(&self, cells: &mut Cells, of: &Type, rule: &TypeRule) {
        match rule {
            TypeRule::Text { min, max, chars } => self.text(cells, *min, *max, chars.as_deref()),
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => self.number(cells, *min, *exclusive_min, *max, *decimals),
            TypeRule::Integer { min, max } => self.integer(cells, *min, *max),
            TypeRule::List { min, max, unique, .. } => {
                let of = reference(of);
                let sizes = [("at_max", max.unwrap_or(100)), ("at_min", *min)];
                for (what, size) in sizes {
                    let size = count(size);
                    self.accepts(cells, what, quote!(list(#of, #size)));
                }
                let outside = [("above_max", max.map(|max| max + 1)), ("below_min", min.checked_sub(1))];
                for (what, size) in outside {
                    if let Some(size) = size.map(count) {
                        self.refuses(cells, what, quote!(list(#of, #size)));
                    }
                }
                if unique.is_some() {
                    self.refuses(cells, "with_twins", quote!(twins(#of)));
                }
            }
            TypeRule::FreeForm { max_bytes } => {
                let (max, more) = (count(*max_bytes), count(*max_bytes + 1));
                self.accepts(cells, "at_max_bytes", quote!(open_of_bytes(#max)));
                self.refuses(cells, "above_max_bytes", quote!(open_of_bytes(#more)));
                self.refuses(cells, "with_a_member_twice", quote!(raw(r#"{"a":{"b":1,"b":2}}"#)));
                let kept = r#"{"é":"東\n","n":[1,2.50,-3e2,true,null],"":{}}"#;
                self.accepts(cells, "kept_as_sent", quote!(raw(#kept)));
                self.accepts(cells, "empty", quote!(raw("{}")));
            }
        }
    }

    fn text(&self, cells: &mut Cells, min: u64, max: Option<u64>, chars: Option<&str>) {
        let place = &self.place;
        let of_length = |length: u64| {
            let length = count(length);
            match chars {
                Some(chars) => quote!(of_chars(#chars, #length)),
                None => quote!(text(#length)),
            }
        };
        if let Some(max) = max {
            self.accepts(cells, "at_max", of_length(max));
            self.refuses(cells, "above_max", of_length(max + 1));
        }
        self.accepts(cells, "at_min", of_length(min));
        if min > 0 {
            self.refuses(cells, "below_min", of_length(min - 1));
        }
        match chars {
            Some(chars) => {
                let every: Vec<char> = ('\0'..='\u{ff}').filter(|c| is_in(*c, chars)).collect();
                let longest = max
                    .and_then(|max| usize::try_from(max).ok())
                    .unwrap_or(every.len())
                    .max(1);
                for part in every.chunks(longest).filter(|part| part.len() as u64 >= min) {
                    let part: String = part.iter().collect();
                    self.accepts(cells, "of_every_character", quote!(word(#part)));
                }
                let other: String = " A!é/.\n😀Z:".chars().filter(|c| !is_in(*c, chars)).collect();
                self.tries(
                    cells,
                    "of_other_characters",
                    quote!(.refuses_other_characters(#place, #other)),
                );
            }
            None => {
                let empty = min > 0;
                self.tries(
                    cells,
                    "blank_or_with_controls",
                    quote!(.refuses_blank_and_control_characters(#place, #empty)),
                );
                let kept = " e\u{301}é\t\"\\/\r\n東 ";
                if min <= 8 && max.is_none_or(|max| max >= kept.chars().count() as u64) {
                    self.accepts(cells, "kept_as_sent", quote!(word(#kept)));
                }
            }
        }
    }

    fn number(
        &self,
        cells: &mut Cells,
        min: Option<f64>,
        exclusive_min: Option<f64>,
        max: Option<f64>,
        decimals: Option<u32>,
    ) {
        let bounds = Bounds {
            min,
            exclusive_min,
            max,
            step: step(decimals),
            places: decimals.unwrap_or(3),
        };
        let places = decimals.unwrap_or(3) as usize;
        for (what, number) in bounds.inside() {
            self.accepts(cells, what, written(number, places));
        }
        for (what, number) in bounds.outside() {
            self.refuses(cells, what, written(number, places));
        }
        if let Some((right, wrong)) = bounds.fractions(decimals) {
            self.accepts(cells, "with_all_its_decimals", quote!(raw(#right)));
            self.refuses(cells, "with_a_decimal_too_many", quote!(raw(#wrong)));
        }
    }

    fn integer(&self, cells: &mut Cells, min: Option<i64>, max: Option<i64>) {
        for (what, number) in [("at_min", min), ("at_max", max.or(Some((1 << 53) - 1)))] {
            if let Some(number) = number.map(|number| number.to_string()) {
                self.accepts(cells, what, quote!(raw(#number)));
            }
        }
        let outside = [
            ("below_min", min.and_then(|min| min.checked_sub(1))),
            ("above_max", max.and_then(|max| max.checked_add(1))),
        ];
        for (what, number) in outside {
            if let Some(number) = number.map(|number| number.to_string()) {
                self.refuses(cells, what, quote!(raw(#number)));
            }
        }
    }
}

/// The bounds of a number, and the smallest step over them.
pub(crate) struct Bounds {
    pub(crate) min: Option<f64>,
    pub(crate) exclusive_min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) step: f64,
    pub(crate) places: u32,
}

impl Bounds {
    /// The last numbers that are allowed.
    pub(crate) fn inside(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("at_min", self.min),
            (
                "just_above_min",
                self.exclusive_min.map(|exclusive_min| exclusive_min + self.step),
            ),
            ("at_max", self.max),
        ];
        all.into_iter()
            .filter_map(|(what, number)| Some((what, number?)))
            .collect()
    }

    /// The first numbers that are not.
    pub(crate) fn outside(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("below_min", self.min.map(|min| min - self.step)),
            ("at_excluded_min", self.exclusive_min),
            ("above_max", self.max.map(|max| max + self.step)),
        ];
        all.into_iter()
            .filter_map(|(what, number)| Some((what, number?)))
            .collect()
    }

    /// A number with as many decimals as there may be, and one with one more.
    fn fractions(&self, decimals: Option<u32>) -> Option<(String, String)> {
        let decimals = decimals?;
        let low = self.min.or(self.exclusive_min).unwrap_or(0.0).ceil();
        // A fraction leads away from zero: below it, one starts a step inside. (And -0 is 0.)
        let low = if low < 0.0 { low + 1.0 } else { low } + 0.0;
        let digits = "123456789".repeat(2);
        let fraction = &digits[..decimals as usize];
        let point = if decimals == 0 { "" } else { "." };
        let most = format!("{low}{point}{fraction}");
        let more = format!("{low}.{fraction}5");
        (low + 1.0 <= self.max.unwrap_or(f64::MAX) && self.places == decimals).then_some((most, more))
    }
}

/// The smallest difference between two numbers that a bound must tell apart.
pub(crate) fn step(decimals: Option<u32>) -> f64 {
    10_f64.powi(-i32::try_from(decimals.unwrap_or(3)).unwrap_or(3))
}

/// The number as it would be written by hand, with so many places at most.
pub(crate) fn digits(number: f64, places: usize) -> String {
    let written = format!("{number:.places$}");
    if written.contains('.') {
        written.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        written
    }
}

fn written(number: f64, places: usize) -> TokenStream {
    let digits = digits(number, places);
    quote!(raw(#digits))
}

/// Whether a class such as `a-z0-9_` has the character.
fn is_in(c: char, class: &str) -> bool {
    let class: Vec<char> = class.chars().collect();
    let mut at = 0;
    while at < class.len() {
        let range = class.get(at + 1) == Some(&'-') && at + 2 < class.len();
        let last = if range { class[at + 2] } else { class[at] };
        if (class[at]..=last).contains(&c) {
            return true;
        }
        at += if range { 3 } else { 1 };
    }
    false
}
