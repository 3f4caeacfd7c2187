//! The names that a search proposes which has found nothing.

use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::text::form;
use crate::value::Value;
use codegen::model::{KnownNames, Nearest};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::BTreeSet;

/// All but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl Mock {
    /// The headers with the nearest names.
    pub(crate) fn proposals(&self, state: &State, exchange: &Exchange) -> Vec<(String, String)> {
        let proposed = exchange.operation.nearest.iter().filter_map(|nearest| {
            let name = exchange.input.query(&nearest.parameter).and_then(Value::as_text)?;
            let names = near(name, nearest, &self.known_names(state, exchange, nearest));
            let encoded = |name: &String| utf8_percent_encode(name, ENCODED).to_string();
            let names: Vec<String> = names.iter().map(encoded).collect();
            (!names.is_empty()).then(|| (nearest.header.clone(), names.join(",")))
        });
        proposed.collect()
    }

    /// The known names: those in one group mean the same.
    fn known_names(&self, state: &State, exchange: &Exchange, nearest: &Nearest) -> Vec<Vec<String>> {
        match &nearest.names {
            KnownNames::Synonyms(groups) => groups.clone(),
            KnownNames::Items { resource, field } => {
                let distinct = self.model.resource(resource).distinct.as_ref();
                let ids = distinct.map_or_else(Vec::new, |of| self.items_seen(state, exchange, of));
                let names = ids.into_iter().map(|id| self.field(state, resource, id, field));
                let names: BTreeSet<String> = names.filter_map(|name| name.as_text().map(str::to_owned)).collect();
                let mut groups: Vec<Vec<String>> = Vec::new();
                for name in names {
                    let is_alike =
                        |group: &&mut Vec<String>| form(&group[0], nearest.alike) == form(&name, nearest.alike);
                    match groups.iter_mut().find(is_alike) {
                        Some(group) => group.push(name),
                        None => groups.push(vec![name]),
                    }
                }
                groups
            }
        }
    }
}

/// The nearest three: of each group the name with the least distance, of those the first.
fn near(name: &str, nearest: &Nearest, groups: &[Vec<String>]) -> Vec<String> {
    const MOST: usize = 3;
    const LONGEST: usize = 64;
    let wanted = form(name, nearest.alike);
    let forms = |group: &Vec<String>| group.iter().any(|known| form(known, nearest.alike) == wanted);
    if wanted.chars().count() > LONGEST || groups.iter().any(forms) {
        return Vec::new();
    }
    let mut near: Vec<(usize, &String)> = groups
        .iter()
        .filter_map(|group| {
            let near = group.iter().filter_map(|known| {
                let distance = distance(&wanted, &form(known, nearest.alike))?;
                Some((distance, known))
            });
            near.min()
        })
        .collect();
    near.sort();
    near.into_iter().take(MOST).map(|(_, known)| known.clone()).collect()
}

/// How many characters differ, if it is at most a third or one name contains the other.
fn distance(one: &str, other: &str) -> Option<usize> {
    let (a, b) = (one.chars().count(), other.chars().count());
    let is_part = a.min(b) > 1 && (one.contains(other) || other.contains(one));
    let distance = strsim::damerau_levenshtein(one, other);
    (is_part || distance * 3 <= a.max(b)).then_some(distance)
}
