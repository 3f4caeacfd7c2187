//! The bodies of two errors: their members, and the faults that they list.

use super::compare::{Answers, Comparer};
use super::found::{Verdict, differ, keys, same};
use crate::level::Level;
use codegen::model::{EnvelopeValue, Word};
use serde_json::Value;
use std::collections::BTreeSet;

impl<'m> Comparer<'m> {
    /// The members of an error, or of an object in it.
    pub(super) fn error_members(
        &mut self,
        of: Answers<'_, 'm>,
        declared: &'m [(Word, EnvelopeValue)],
        [a, b]: [&Value; 2],
    ) -> Verdict {
        self.kind("the body", [a, b])?;
        same("members of the body", &keys(a), &keys(b))?;
        for (name, value) in declared.iter().filter(|(name, _)| a.get(name.as_str()).is_some()) {
            let both = [a, b].map(|body| &body[name.as_str()]);
            let verdict = match value {
                EnvelopeValue::Object(inner) => self.error_members(of, inner, both),
                _ => match value.placeholder().map_or("", |word| word.as_str()) {
                    "request_id" => Ok(()),
                    "text" => self.text(of, both),
                    "time" if self.has_values() => self.time(name, both),
                    "faults" if self.level < Level::Texts => self.faults(name, both),
                    _ if self.has_values() => same(&format!("member {name}"), both[0], both[1]),
                    _ => self.kind(name, both),
                },
            };
            self.unless_known(verdict)?;
        }
        Ok(())
    }

    /// The faults that an error lists. A server may stop at the first fault of a value, and has words of its own, but names each
    /// parameter and member that is wrong.
    fn faults(&self, what: &str, of: [&Value; 2]) -> Verdict {
        let [Some(wanted), Some(came)] = of.map(Value::as_array) else {
            return same(&format!("member {what}"), of[0], of[1]);
        };
        let member = |placeholder: &str| {
            let path = EnvelopeValue::path_to(&self.model.fault, placeholder)?;
            path.first().copied()
        };
        // All that is compared of a fault: everything but its text.
        let seen = |fault: &Value| {
            let mut seen = fault.clone();
            if let Some(text) = member("text").and_then(|name| seen.get_mut(name)) {
                *text = Value::Null;
            }
            match self.has_values() {
                true => seen.to_string(),
                false => keys(fault),
            }
        };
        let place = |fault: &Value| {
            let place = fault.get(member("place")?)?.as_str()?;
            place.split(['.', '[']).next().map(str::to_owned)
        };
        let all = |faults: &[Value]| faults.iter().map(seen).collect::<BTreeSet<_>>();
        let places = |faults: &[Value]| faults.iter().filter_map(place).collect::<BTreeSet<_>>();
        let names_all = !self.has_values() || places(came).is_superset(&places(wanted));
        match all(came).is_subset(&all(wanted)) && names_all && came.is_empty() == wanted.is_empty() {
            true => Ok(()),
            false => differ(format!("member {what}"), of[1], of[0]),
        }
    }
}
