//! Tests of the parameters of a query.

use crate::contract::Operation;
use crate::sample::sample;
use crate::suite::description::type_of;
use crate::suite::leak;
use crate::suite::trials::misspelt::misspelt;
use crate::suite::trials::rule::{self, Rule, counted};
use crate::suite::trials::values::{BIDI_TEXT, Bounds};
use crate::suite::trials::{Calls, Trials, calls};
use codegen::model::{EventKind, Feed, Field, Kind, Model, TypeRule};

/// A text that nothing has.
pub(crate) const UNHEARD_OF: &str = "no such thing anywhere";

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    let no_others = Rule::new("the query: its parameters, and no others", declared.at);
    let vocabulary = operation.contract.vocabulary;
    let calls = calls!(.rejects_unknown_parameters(vocabulary));
    trials.invalid("unknown_parameters", &no_others, calls);
    let known: Vec<&str> = declared.query.iter().map(|field| field.name.as_str()).collect();
    for field in &declared.query {
        let parameter = Parameter {
            model: operation.contract.model,
            field,
            feed: declared.feed.as_ref(),
        };
        parameter.presence(trials, &known, &no_others);
        parameter.value(trials);
    }
    for (lower, upper) in &declared.constraints {
        constraint(
            trials,
            lower,
            upper,
            &Rule::new(format!("{lower} <= {upper}"), lower.at),
        );
    }
}

fn constraint(trials: &mut Trials, lower: &'static str, upper: &'static str, rule: &Rule) {
    let (above, below) = ("2", "1");
    trials.invalid(
        &format!("{lower}_above_{upper}"),
        rule,
        calls!(.parameter(lower, above).parameter(upper, below).invalid(&[lower, upper])),
    );
    trials.accepts(
        &format!("{lower}_same_as_{upper}"),
        rule,
        calls!(.parameter(lower, below).parameter(upper, below).accepted()),
    );
    trials.accepts(
        &format!("{lower}_below_{upper}"),
        rule,
        calls!(.parameter(lower, below).parameter(upper, above).accepted()),
    );
}

struct Parameter {
    model: &'static Model,
    field: &'static Field,
    feed: Option<&'static Feed>,
}

impl Parameter {
    fn name(&self) -> &'static str {
        &self.field.name
    }

    fn rule(&self, demand: &str) -> Rule {
        let field = self.field;
        rule::of_value(self.model, &field.of, &rule::parameter(field), field.at, demand)
    }

    fn accepts(&self, trials: &mut Trials, what: &str, demand: &str, text: &str) {
        let (name, text) = (self.name(), leak(text));
        let calls = match self.feed {
            // A feed from now on answers without waiting.
            Some(feed) if feed.wait.as_deref() == Some(name) => {
                let after = feed.after.as_str();
                calls!(.parameter(after, "now").parameter(name, text).accepted())
            }
            _ => calls!(.parameter(name, text).accepted()),
        };
        trials.accepts(&format!("{name}_{what}"), &self.rule(demand), calls);
    }

    fn rejects(&self, trials: &mut Trials, what: &str, demand: &str, text: &str) {
        let (name, text) = (self.name(), leak(text));
        self.tries(trials, what, demand, calls!(.parameter(name, text).invalid(&[name])));
    }

    /// Tests with malformed texts.
    fn tries(&self, trials: &mut Trials, what: &str, demand: &str, calls: Calls) {
        let test = format!("{}_{what}", self.name());
        trials.invalid(&test, &self.rule(demand), calls);
    }

    fn presence(&self, trials: &mut Trials, known: &[&str], no_others: &Rule) {
        let (name, right) = (self.name(), leak(self.right()));
        let itself = |demand| rule::of_parameter(self.field, demand);
        let mut rejects = |what: &str, rule: &Rule, calls| {
            trials.invalid(&format!("{name}_{what}"), rule, calls);
        };
        let twice = calls!(.parameter(name, right).parameter(name, right).invalid(&[name]));
        rejects("twice", &itself("not twice"), twice);
        rejects(
            "empty",
            &itself("not empty"),
            calls!(.parameter(name, "").invalid(&[name])),
        );
        let broken = calls!(.rejects_broken_encoding(name));
        rejects("badly_encoded", &itself("UTF-8, percent-encoded"), broken);
        if let Some(misspelt) = misspelt(name, known).map(leak) {
            let calls = calls!(.parameter(misspelt, right).invalid(&[misspelt, name]));
            rejects("misspelt", no_others, calls);
        }
        if !self.field.of.optional && self.field.of.default.is_none() {
            rejects("missing", &itself("required"), calls!(.invalid(&[name])));
        }
    }

    fn value(&self, trials: &mut Trials) {
        let name = self.name();
        let wrong = || calls!(.rejects_wrong_texts(name));
        match &self.field.of.kind {
            Kind::Named(of) => self.named(trials, &self.model.named_type(of).rule),
            Kind::Enum(of) => {
                for word in &self.model.enumeration(of).values {
                    self.accepts(trials, &format!("is_{word}"), "one of its values", word);
                }
                self.tries(trials, "is_no_such_word", "one of its values", wrong());
            }
            Kind::EventNames(caller) => {
                let kinds: Vec<_> = self.model.events_to(caller).collect();
                for kind in &kinds {
                    let what = format!("is_{}", kind.name.replace('.', "_"));
                    self.accepts(trials, &what, "names of events", &kind.name);
                }
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
                self.accepts(trials, "are_several", "names of events", &names.join(","));
                self.tries(trials, "is_no_such_event", "names of events", wrong());
                let is_other = |kind: &&EventKind| !kinds.iter().any(|own| own.name == kind.name);
                for other in self.model.event_kinds().iter().filter(is_other) {
                    let (what, other) = (format!("is_{}", other.name.replace('.', "_")), other.name.as_str());
                    let calls = calls!(.parameter(name, other).invalid(&[name]));
                    self.tries(trials, &what, "names of events that the caller can get", calls);
                }
            }
            Kind::Flag => {
                let demand = "1, true, 0 or false";
                for word in ["1", "true", "0", "false"] {
                    self.accepts(trials, &format!("is_{word}"), demand, word);
                }
                self.tries(trials, "is_no_flag", demand, wrong());
            }
            Kind::Format(format) => {
                let (name, demand) = format.tested;
                for (value, _) in format.edges {
                    self.accepts(trials, &format!("is_{value}"), demand, value);
                }
                self.tries(trials, &format!("is_no_{name}"), demand, wrong());
            }
            _ => {
                let demand = "what its type allows";
                self.accepts(trials, "given", demand, self.right().as_str());
                self.tries(trials, "of_wrong_type", demand, wrong());
            }
        }
    }

    fn named(&self, trials: &mut Trials, rule: &TypeRule) {
        let name = self.name();
        match rule {
            TypeRule::Text {
                min,
                max,
                chars,
                bidi_controls,
                alike: _,
            } => {
                self.text(trials, *min, *max, chars.as_deref());
                if !bidi_controls {
                    let name = self.name();
                    let calls = calls!(.rejects_bidi_parameters(name));
                    self.tries(trials, "with_bidi_controls", "no bidirectional controls", calls);
                } else if chars.is_none() && *min <= 3 && max.is_none_or(|max| max >= 3) {
                    let demand = "bidirectional controls are characters like others";
                    self.accepts(trials, "with_bidi_controls", demand, BIDI_TEXT);
                }
            }
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => {
                let bounds = Bounds::new((*min, *exclusive_min), *max, *decimals);
                for (what, number) in bounds.inside() {
                    self.accepts(trials, what, &bounds.demand(what), &bounds.digits(number));
                }
                for (what, number) in bounds.outside() {
                    self.rejects(trials, what, &bounds.demand(what), &bounds.digits(number));
                }
                self.accepts(trials, "given", "a number", &self.right());
                self.tries(trials, "of_wrong_type", "a number", calls!(.rejects_wrong_texts(name)));
            }
            TypeRule::Integer { min, max } => self.integer(trials, *min, *max),
            TypeRule::List { .. } | TypeRule::FreeForm { .. } => {}
        }
    }

    fn integer(&self, trials: &mut Trials, min: Option<i64>, max: Option<i64>) {
        let name = self.name();
        let greatest = max.unwrap_or((1 << 53) - 1);
        let most = format!("at most {greatest}");
        self.accepts(trials, "at_max", &most, &greatest.to_string());
        if let Some(more) = max.and_then(|max| max.checked_add(1)) {
            self.rejects(trials, "above_max", &most, &more.to_string());
        }
        if let Some(min) = min {
            let least = format!("at least {min}");
            self.accepts(trials, "at_min", &least, &min.to_string());
            self.rejects(trials, "below_min", &least, &(min - 1).to_string());
        }
        let wrong = calls!(.rejects_wrong_texts(name));
        self.tries(trials, "of_wrong_type", "a whole number", wrong);
    }

    fn text(&self, trials: &mut Trials, min: u64, max: Option<u64>, chars: Option<&str>) {
        let name = self.name();
        let first = chars.and_then(|chars| chars.chars().next());
        let of_length = |length: u64| {
            let character = first.map_or("é".to_owned(), String::from);
            character.repeat(usize::try_from(length).unwrap_or_default())
        };
        if first.is_none() && max.is_none_or(|max| max >= UNHEARD_OF.len() as u64) {
            self.accepts(trials, "that_nothing_has", "any text will do", UNHEARD_OF);
        }
        let blank = calls!(.rejects_blank_parameters(name));
        self.tries(trials, "blank", "more than white space and invisible characters", blank);
        if let Some(max) = max {
            let most = format!("at most {}", counted(max, "character"));
            self.accepts(trials, "at_max", &most, &of_length(max));
            self.rejects(trials, "above_max", &most, &of_length(max + 1));
        }
        // An empty text counts as no value.
        let least = format!("at least {}", counted(min.max(1), "character"));
        self.accepts(trials, "at_min", &least, &of_length(min.max(1)));
        if min > 1 {
            self.rejects(trials, "below_min", &least, &of_length(min - 1));
        }
    }

    /// A valid text for the parameter's type.
    fn right(&self) -> String {
        sample(type_of(self.model, &self.field.of)).as_parameter(&|_| "1".to_owned())
    }
}
