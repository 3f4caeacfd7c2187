//! Tests of a single value: both sides of each bound, and everything else that its type rejects or accepts.

mod numbers;

pub(crate) use numbers::Bounds;

use crate::contract::Transitions;
use crate::suite::description::{size, type_of};
use crate::suite::trials::rule::{self, Rule, counted};
use crate::suite::trials::{Calls, Trials, calls};
use crate::suite::{leak, leak_all};
use crate::value::{Value, duplicates, list, of_chars, open_of_bytes, raw, text, word};
use codegen::model::{Class, Kind, Model, Span, Type, TypeRule};

/// Characters that a class may lack.
pub(crate) const OTHER_CHARACTERS: &str = " A!é/.\n😀Z:";

/// Texts that are stored as they are sent. The first has what some servers change.
pub(crate) const KEPT_TEXTS: [&str; 2] = [" e\u{301}é\t\"\\/\r\n東👩\u{200d}🔧 ", "é\n東"];

/// An object with arbitrary members that is stored as it is sent.
pub(crate) const KEPT_OBJECT: &str = r#"{"é":"東\n","n":[1,2.50,-3e2,true,null],"":{}}"#;

/// A text with a bidirectional control within it.
pub(crate) const BIDI_TEXT: &str = "a\u{202e}b";

/// Texts of a length that is allowed, together of every character of the class up to U+00FF.
pub(crate) fn of_every_character(class: &Class, min: usize, max: Option<usize>) -> Vec<String> {
    let every: Vec<char> = ('\0'..='\u{ff}').filter(|c| class.has(*c)).collect();
    let longest = max.unwrap_or(every.len()).max(1);
    let parts = every.chunks(longest).filter(|part| part.len() >= min);
    parts.map(String::from_iter).collect()
}

/// Names tests for the value at one place of a body.
pub(crate) struct Place {
    pub(crate) model: &'static Model,
    /// In the notation of the conformance library: `skills[0].name`.
    pub(crate) place: &'static str,
    /// In the notation of test names: `skills_name`.
    pub(crate) name: String,
    /// The name of the member itself, which an error response must contain.
    pub(crate) member: &'static str,
    /// The place of its declaration.
    pub(crate) at: Span,
    /// The states that it can set from the initial one, if it sets any.
    pub(crate) moves: Option<&'static Transitions>,
}

impl Place {
    /// A rule of the member itself.
    pub(crate) fn rule(&self, demand: &str) -> Rule {
        Rule::new(format!("{}: {demand}", self.whose()), self.at)
    }

    fn whose(&self) -> String {
        format!("member `{}`", self.place)
    }

    /// Adds the tests of a value of this type.
    pub(crate) fn value(&self, trials: &mut Trials, of: &'static Type) {
        let place = self.place;
        let mut tried = Tried {
            place: self,
            of,
            trials,
        };
        tried.tries(
            "of_wrong_type",
            kind_of(self.model, of),
            calls!(.rejects_wrong_types(place)),
        );
        if of.list {
            return;
        }
        match &of.kind {
            Kind::Named(name) => tried.named(&self.model.named_type(name).rule),
            Kind::Enum(name) => tried.words(name),
            Kind::Boolean => {
                tried.accepts("is_true", "true or false", move || raw("true"));
                tried.accepts("is_false", "true or false", move || raw("false"));
            }
            Kind::Format(format) => {
                let (name, demand) = format.tested;
                for (value, _) in format.edges {
                    tried.accepts(&format!("is_{value}"), demand, move || word(value));
                }
                let calls = calls!(.rejects_texts(place, format.others()));
                tried.tries(&format!("is_no_{name}"), demand, calls);
            }
            _ => {}
        }
    }
}

/// The value of a member under test.
struct Tried<'t> {
    place: &'t Place,
    of: &'static Type,
    trials: &'t mut Trials,
}

impl Tried<'_> {
    fn rule(&self, demand: &str) -> Rule {
        rule::of_value(self.place.model, self.of, &self.place.whose(), self.place.at, demand)
    }

    fn named_test(&self, what: &str) -> String {
        format!("{}_{what}", self.place.name)
    }

    fn accepts(&mut self, what: &str, demand: &str, value: impl Fn() -> Value + Send + Sync + 'static) {
        let place = self.place.place;
        let (name, rule) = (self.named_test(what), self.rule(demand));
        self.trials
            .accepts(&name, &rule, calls!(.with(place, value()).accepted()));
    }

    fn rejects(&mut self, what: &str, demand: &str, value: impl Fn() -> Value + Send + Sync + 'static) {
        let (place, member) = (self.place.place, self.place.member);
        self.tries(what, demand, calls!(.with_exactly(place, value()).invalid(&[member])));
    }

    /// Tests with malformed values.
    fn tries(&mut self, what: &str, demand: &str, calls: Calls) {
        let (name, rule) = (self.named_test(what), self.rule(demand));
        self.trials.invalid(&name, &rule, calls);
    }

    fn words(&mut self, name: &str) {
        let place = self.place.place;
        let model = self.place.model;
        let allowed = |word: &&String| {
            let moves = self.place.moves;
            moves.is_none_or(|moves| moves.may_become(&moves.states.initial, word))
        };
        let words: Vec<&'static String> = model.enumeration(name).values.iter().filter(allowed).collect();
        for value in words {
            self.accepts(&format!("is_{value}"), "one of its values", move || word(value));
        }
        let others = leak_all(other_words(model, name));
        self.tries(
            "is_no_such_word",
            "one of its values",
            calls!(.rejects_other_words(place, others)),
        );
    }

    fn named(&mut self, rule: &'static TypeRule) {
        match rule {
            TypeRule::Text {
                min,
                max,
                chars,
                bidi_controls,
                alike: _,
            } => {
                self.text(*min, *max, chars.as_deref());
                self.bidi_controls(*min, *max, chars.is_some(), *bidi_controls);
            }
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => self.number(*min, *exclusive_min, *max, *decimals),
            TypeRule::Integer { min, max } => self.integer(*min, *max),
            TypeRule::List { min, max, unique, .. } => self.list(*min, *max, unique.as_deref()),
            TypeRule::FreeForm { max_bytes } => self.free_form(*max_bytes),
        }
    }

    fn list(&mut self, min: u64, max: Option<u64>, unique: Option<&'static str>) {
        let of = type_of(self.place.model, self.of);
        let least = format!("at least {}", counted(min, "item"));
        let most = max.map_or("of any length".to_owned(), |max| {
            format!("at most {}", counted(max, "item"))
        });
        let sizes = [("at_max", &most, max.unwrap_or(100)), ("at_min", &least, min)];
        for (what, demand, size) in sizes {
            if of.item().is_some_and(|item| item.most_items(min, size) < size) {
                continue;
            }
            let size = self::size(size);
            self.accepts(what, demand, move || list(of, size));
        }
        let outside = [
            ("above_max", &most, max.map(|max| max + 1)),
            ("below_min", &least, min.checked_sub(1)),
        ];
        for (what, demand, size) in outside {
            if let Some(size) = size.map(self::size) {
                self.rejects(what, demand, move || list(of, size));
            }
        }
        if let Some(unique) = unique {
            let demand = format!("no two items of the same `{unique}`");
            self.rejects("with_duplicates", &demand, move || duplicates(of));
        }
    }

    fn free_form(&mut self, max_bytes: u64) {
        let (max, more) = (size(max_bytes), size(max_bytes + 1));
        let most = format!("at most {} as compact JSON", counted(max_bytes, "byte"));
        self.accepts("at_max_bytes", &most, move || open_of_bytes(max));
        self.rejects("above_max_bytes", &most, move || open_of_bytes(more));
        let place = self.place.place;
        self.tries(
            "with_a_member_twice",
            "each member once",
            calls!(.rejects_member_twice(place)),
        );
        self.accepts("kept_as_sent", "kept as it is sent", move || raw(KEPT_OBJECT));
        self.accepts("empty", "it may be empty", move || raw("{}"));
    }

    fn text(&mut self, min: u64, max: Option<u64>, chars: Option<&'static str>) {
        let of_length = |length: u64| {
            let length = size(length);
            move || chars.map_or_else(|| text(length), |chars| of_chars(chars, length))
        };
        if let Some(max) = max {
            let most = format!("at most {}", counted(max, "character"));
            self.accepts("at_max", &most, of_length(max));
            self.rejects("above_max", &most, of_length(max + 1));
        }
        let least = format!("at least {}", counted(min, "character"));
        self.accepts("at_min", &least, of_length(min));
        if min > 0 {
            self.rejects("below_min", &least, of_length(min - 1));
        }
        match chars {
            Some(chars) => self.characters(min, max, chars),
            None => self.open_text(min, max),
        }
    }

    fn characters(&mut self, min: u64, max: Option<u64>, chars: &'static str) {
        let place = self.place.place;
        let demand = format!("only the characters `{chars}`");
        let class = Class::parse(chars);
        for part in of_every_character(&class, size(min), max.map(size)) {
            self.accepts("of_every_character", &demand, move || word(&part));
        }
        let other = OTHER_CHARACTERS.chars().filter(|c| !class.has(*c));
        let other = leak(other.collect::<String>());
        self.tries(
            "of_other_characters",
            &demand,
            calls!(.rejects_other_characters(place, other)),
        );
    }

    fn open_text(&mut self, min: u64, max: Option<u64>) {
        let place = self.place.place;
        let empty = min > 0;
        let demand = if empty {
            "more than white space and invisible characters, and no control characters"
        } else {
            "no control characters"
        };
        self.tries(
            "blank_or_with_controls",
            demand,
            calls!(.rejects_blank_and_control_characters(place, empty)),
        );
        let fits = |text: &&str| min <= 3 && max.is_none_or(|max| max >= text.chars().count() as u64);
        if let Some(kept) = KEPT_TEXTS.into_iter().find(fits) {
            self.accepts("kept_as_sent", "kept as it is sent", move || word(kept));
        }
    }

    fn bidi_controls(&mut self, min: u64, max: Option<u64>, has_class: bool, are_allowed: bool) {
        let place = self.place.place;
        if !are_allowed {
            let calls = calls!(.rejects_bidi_controls(place));
            self.tries("with_bidi_controls", "no bidirectional controls", calls);
        } else if !has_class && min <= 3 && max.is_none_or(|max| max >= 3) {
            let demand = "bidirectional controls are characters like others";
            self.accepts("with_bidi_controls", demand, move || word(BIDI_TEXT));
        }
    }

    fn number(&mut self, min: Option<f64>, exclusive_min: Option<f64>, max: Option<f64>, decimals: Option<u32>) {
        let bounds = Bounds::new((min, exclusive_min), max, decimals);
        for (what, number) in bounds.inside() {
            self.accepts(what, &bounds.demand(what), written(bounds.digits(number)));
        }
        for (what, number) in bounds.outside() {
            self.rejects(what, &bounds.demand(what), written(bounds.digits(number)));
        }
        if let (Some(decimals), Some((right, wrong))) = (decimals, bounds.fractions(decimals)) {
            let most = format!("at most {}", counted(decimals.into(), "decimal"));
            self.accepts("with_all_its_decimals", &most, move || raw(&right));
            self.rejects("with_a_decimal_too_many", &most, move || raw(&wrong));
        }
    }

    fn integer(&mut self, min: Option<i64>, max: Option<i64>) {
        let least = min.map_or_else(String::new, |min| format!("at least {min}"));
        let most = format!("at most {}", max.unwrap_or((1 << 53) - 1));
        let inside = [("at_min", &least, min), ("at_max", &most, max.or(Some((1 << 53) - 1)))];
        for (what, demand, number) in inside {
            if let Some(number) = number.map(|number| number.to_string()) {
                self.accepts(what, demand, move || raw(&number));
            }
        }
        let outside = [
            ("below_min", &least, min.and_then(|min| min.checked_sub(1))),
            ("above_max", &most, max.and_then(|max| max.checked_add(1))),
        ];
        for (what, demand, number) in outside {
            if let Some(number) = number.map(|number| number.to_string()) {
                self.rejects(what, demand, move || raw(&number));
            }
        }
    }
}

/// The number as JSON.
fn written(digits: String) -> impl Fn() -> Value + Send + Sync + 'static {
    move || raw(&digits)
}

/// The values of all other enumerations that this one does not have.
fn other_words(model: &'static Model, name: &str) -> Vec<&'static str> {
    let own = &model.enumeration(name).values;
    let all = model.enums.iter().flat_map(|one| &one.values);
    let mut words: Vec<&str> = all.map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| !own.iter().any(|known| known == word));
    words
}

/// The kind of a value of the type, in words.
fn kind_of(model: &Model, of: &Type) -> &'static str {
    match &of.kind {
        _ if of.list => "a list",
        Kind::Named(name) => match model.named_type(name).rule {
            TypeRule::Text { .. } => "a text",
            TypeRule::Number { .. } => "a number",
            TypeRule::Integer { .. } => "a whole number",
            TypeRule::List { .. } => "a list",
            TypeRule::FreeForm { .. } => "an object",
        },
        Kind::Stored | Kind::Secret => "a text",
        Kind::Boolean | Kind::Flag => "true or false",
        Kind::Format(format) => format.tested.1,
        Kind::Timestamp => "a point in time",
        Kind::Cursor => "a cursor of the feed, or `now`",
        Kind::EventNames(_) => "names of events",
        Kind::Id(_) => "an id, which is a whole number",
        Kind::Enum(_) => "one of its values",
        Kind::Object(_) | Kind::Input(_) | Kind::View(..) => "an object",
    }
}
