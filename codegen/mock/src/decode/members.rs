//! The members of an object or the parameters of a query, by the names that are known here.

use crate::text;
use crate::validation_errors::ValidationErrors;
use crate::value::Value;

/// The values of the known names.
pub(super) struct Members<'n> {
    slots: Vec<(&'n str, Slot)>,
}

enum Slot {
    Absent,
    Given(Value),
    /// What is wrong with it is among the errors.
    Wrong,
    Repeated,
}

impl<'n> Members<'n> {
    /// The members of an object.
    pub(super) fn of_object(value: Value, names: Vec<&'n str>, errors: &mut ValidationErrors) -> Option<Self> {
        let Value::Object(given) = value else {
            errors.add(&format!("must be an object, not {}", value.kind()), "type;object");
            return None;
        };
        let mut members = Self::none(names);
        for (name, value) in given {
            members.put(&name, errors, |_| Slot::Given(value));
        }
        Some(members)
    }

    /// The parameters of a query.
    pub(super) fn of_query(raw: &str, names: Vec<&'n str>, errors: &mut ValidationErrors) -> Self {
        let mut members = Self::none(names);
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decoded = |text: &str| text::percent_decoded(&text.replace('+', " "));
            let Some(name) = decoded(name) else {
                errors.add_unknown(name, "is not a name in percent-encoded UTF-8");
                continue;
            };
            members.put(&name, errors, |errors| match decoded(value) {
                Some(value) if !value.is_empty() => Slot::Given(Value::Raw(value)),
                value => {
                    let is_empty = value.is_some();
                    let (rule, code) = if is_empty {
                        ("must not be empty", "empty")
                    } else {
                        ("must be percent-encoded UTF-8", "encoding")
                    };
                    errors.add_of(&name, rule, code);
                    Slot::Wrong
                }
            });
        }
        members
    }

    fn none(names: Vec<&'n str>) -> Self {
        let slots = names.into_iter().map(|name| (name, Slot::Absent));
        Self { slots: slots.collect() }
    }

    fn put(&mut self, name: &str, errors: &mut ValidationErrors, value: impl FnOnce(&mut ValidationErrors) -> Slot) {
        match self.slots.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot @ Slot::Absent)) => *slot = value(errors),
            Some((_, Slot::Repeated)) => {}
            Some((_, slot)) => {
                errors.add_of(name, "must be given only once", "repeated");
                *slot = Slot::Repeated;
            }
            None => {
                let known: Vec<&str> = self.slots.iter().map(|(known, _)| *known).collect();
                let hint = if errors.is_full() {
                    String::new()
                } else {
                    text::hint(name, &known)
                };
                errors.add_unknown(name, &format!("is not known here{hint}"));
            }
        }
    }

    /// Whether none is given, not even a wrong one.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.iter().all(|(_, slot)| matches!(slot, Slot::Absent))
    }

    pub(super) fn is_absent(&self, name: &str) -> bool {
        let slot = self.slots.iter().find(|(known, _)| *known == name);
        slot.is_none_or(|(_, slot)| matches!(slot, Slot::Absent))
    }

    pub(super) fn is_null(&self, name: &str) -> bool {
        let slot = self.slots.iter().find(|(known, _)| *known == name);
        slot.is_some_and(|(_, slot)| matches!(slot, Slot::Given(Value::Null)))
    }

    /// The value of a name, once; `None` without one, and where something is wrong with it.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let (_, slot) = self.slots.iter_mut().find(|(known, _)| *known == name)?;
        match std::mem::replace(slot, Slot::Absent) {
            Slot::Given(value) => Some(value),
            Slot::Absent | Slot::Wrong | Slot::Repeated => None,
        }
    }
}
