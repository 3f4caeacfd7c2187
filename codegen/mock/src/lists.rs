//! Lists: which records, in which order, on which page.

use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::text::form;
use crate::value::Value;
use codegen::matching::Matching;
use codegen::model::{Alike, Filter, FilterBy, Kind, Nulls, RecordId, SortKey, Source, ValueCounts, Word};
use std::cmp::Ordering;
use std::collections::BTreeMap;

impl Mock {
    /// The values of a field of the records that a list has, with their numbers.
    pub(crate) fn counts(&self, state: &State, exchange: &Exchange, counts: &ValueCounts) -> Value {
        let (by, alike) = (&counts.value.name, self.model.alike(&counts.value.of.kind));
        let mut groups: BTreeMap<String, (String, i64)> = BTreeMap::new();
        for id in self.listed(state, exchange, &counts.resource) {
            let value = self.field(state, &counts.resource, id, by);
            let Some(text) = value.as_text() else { continue };
            let group = groups.entry(form(text, alike));
            let (first, count) = group.or_insert_with(|| (text.to_owned(), 0));
            if text < first.as_str() {
                text.clone_into(first);
            }
            *count += 1;
        }
        let mut groups: Vec<(String, i64)> = groups.into_values().collect();
        groups.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
        let rows = groups.into_iter().take(counts.max as usize).map(|(text, count)| {
            let members = [
                (by.clone(), Value::Text(text)),
                (ValueCounts::COUNT.to_owned(), Value::integer(count)),
            ];
            Value::Object(members.into())
        });
        Value::List(rows.collect())
    }

    /// The ids of all records that a list has, in the order of their ids.
    fn listed(&self, state: &State, exchange: &Exchange, resource: &str) -> Vec<RecordId> {
        let mut ids = self.candidates(state, exchange, resource);
        ids.retain(|id| {
            let mut filters = exchange.operation.filters.iter();
            let is_seen = self.is_seen(state, exchange, resource, *id);
            is_seen && filters.all(|filter| self.matches(state, exchange, resource, *id, filter))
        });
        ids
    }

    /// The ids of the records on a page, and how many there are on all pages.
    pub(crate) fn list(&self, state: &State, exchange: &Exchange, resource: &str) -> (Vec<RecordId>, usize) {
        let ids = self.listed(state, exchange, resource);
        let sort = order(exchange);
        let keyed = ids.into_iter().map(|id| {
            let values = sort.iter().map(|key| self.field(state, resource, id, &key.field));
            (values.collect(), id)
        });
        let mut keyed: Vec<(Vec<Value>, RecordId)> = keyed.collect();
        keyed.sort_by(|(a, a_id), (b, b_id)| {
            let each = a.iter().zip(b).zip(sort);
            let each = each.map(|((a, b), key)| self.order(resource, key, a, b));
            each.fold(Ordering::Equal, Ordering::then).then(a_id.cmp(b_id))
        });
        let total = keyed.len();
        let (first, size) = match state.choices.is_unpaged {
            true => (0, total),
            false => page(exchange, total),
        };
        let rows = keyed.into_iter().map(|(_, id)| id).skip(first).take(size);
        (rows.collect(), total)
    }

    /// The records that an index finds, or all.
    fn candidates(&self, state: &State, exchange: &Exchange, resource: &str) -> Vec<RecordId> {
        let mut filters = operation_filters(exchange);
        let by_index = filters.find_map(|(filter, field)| {
            let id = self.wanted_id(exchange, filter)?;
            Some(state.store.referring(resource, field, id).collect())
        });
        by_index.unwrap_or_else(|| match &self.model.resource(resource).distinct {
            Some(distinct) => self.items_seen(state, exchange, distinct),
            None => state.store.ids(resource),
        })
    }

    /// The id that a filter wants in a stored field.
    fn wanted_id(&self, exchange: &Exchange, filter: &Filter) -> Option<RecordId> {
        match (&filter.by, &filter.of.kind) {
            (FilterBy::Caller, Kind::Id(resource)) => exchange.caller_as(resource),
            (FilterBy::Path(name), Kind::Id(_)) => exchange.input.path(name)?.as_id(),
            _ => None,
        }
    }

    fn matches(&self, state: &State, exchange: &Exchange, resource: &str, id: RecordId, filter: &Filter) -> bool {
        let value = || match &filter.through {
            None => self.source(state, resource, id, &filter.field),
            Some((step, next)) => {
                let next_id = self.field(state, resource, id, step).as_id();
                next_id.map_or(Value::Null, |id| self.source(state, next, id, &filter.field))
            }
        };
        match &filter.by {
            FilterBy::Query(name, Matching::Words) => exchange.input.query(name).is_none_or(|wanted| {
                let words = wanted.as_text().unwrap_or_default().split_whitespace();
                let fields: Vec<(Value, Alike)> = filter
                    .fields()
                    .map(|(field, of)| (self.source(state, resource, id, field), self.model.alike(&of.kind)))
                    .collect();
                let has = |value: &Value, word: &str, alike| {
                    any(value, |value| {
                        value
                            .as_text()
                            .is_some_and(|text| form(text, alike).contains(&form(word, alike)))
                    })
                };
                words
                    .into_iter()
                    .all(|word| fields.iter().any(|(value, alike)| has(value, word, *alike)))
            }),
            FilterBy::Query(name, matching) => exchange.input.query(name).is_none_or(|wanted| {
                any(&value(), |value| {
                    self.compare(resource, filter, *matching, wanted, value)
                })
            }),
            FilterBy::Path(name) => {
                let wanted = exchange.input.path(name);
                any(&value(), |value| Some(value) == wanted)
            }
            FilterBy::Caller => {
                let Kind::Id(of) = &filter.of.kind else { return false };
                let wanted = exchange.caller_as(of);
                any(&value(), |value| value.as_id().is_some() && value.as_id() == wanted)
            }
            FilterBy::Value(wanted) => any(&value(), |value| value.written() == *wanted),
        }
    }

    fn compare(&self, resource: &str, filter: &Filter, matching: Matching, wanted: &Value, value: &Value) -> bool {
        let alike = self.model.alike(&filter.of.kind);
        match (matching, wanted, value) {
            (Matching::Implied, wanted, value) => *wanted != Value::Bool(true) || *value == Value::Bool(true),
            (Matching::Equal, Value::Text(wanted), Value::Text(value)) => {
                let (wanted, value) = (form(wanted, alike), form(value, alike));
                wanted == value || {
                    let mut groups = self.synonyms(resource, filter, alike).into_iter();
                    groups.any(|group| group.contains(&wanted) && group.contains(&value))
                }
            }
            (Matching::Part, Value::Text(wanted), Value::Text(value)) => {
                let groups = self.synonyms(resource, filter, alike);
                has_part(&form(value, alike), &form(wanted, alike), &groups)
            }
            (Matching::AtLeast, wanted, value) => !order_of(&filter.of.kind, value, wanted).is_lt(),
            (Matching::AtMost, wanted, value) => !order_of(&filter.of.kind, value, wanted).is_gt(),
            (_, wanted, value) => order_of(&filter.of.kind, value, wanted).is_eq(),
        }
    }

    /// The texts that mean the same to a filter, in groups.
    fn synonyms(&self, resource: &str, filter: &Filter, alike: Alike) -> Vec<Vec<String>> {
        let groups = self.model.synonyms_of(resource, filter).map(|one| &one.groups);
        let formed = |group: &Vec<String>| group.iter().map(|one| form(one, alike)).collect();
        groups.into_iter().flatten().map(formed).collect()
    }

    /// The order of two values by a sort key: words of an enum in the order of the contract.
    fn order(&self, resource: &str, key: &SortKey, a: &Value, b: &Value) -> Ordering {
        let declared = self.model.resource(resource);
        let mut fields = declared.fields.iter().chain(&declared.joined);
        let kind = fields.find(|one| one.name == key.field).map(|field| &field.of.kind);
        let nulls = match key.nulls {
            Some(Nulls::First) => (*b == Value::Null).cmp(&(*a == Value::Null)),
            Some(Nulls::Last) => (*a == Value::Null).cmp(&(*b == Value::Null)),
            None => Ordering::Equal,
        };
        let order = match kind {
            Some(Kind::Enum(name)) => {
                let words = &self.model.enumeration(name).values;
                let place = |value: &Value| words.iter().position(|word| Some(word.as_str()) == value.as_text());
                place(a).cmp(&place(b))
            }
            Some(kind) => order_of(kind, a, b),
            None => Ordering::Equal,
        };
        nulls.then(if key.descends { order.reverse() } else { order })
    }
}

/// The order that the request chooses.
fn order(exchange: &Exchange) -> &'static [SortKey] {
    let operation = exchange.operation;
    let name = |by: &str| exchange.input.query(by).and_then(Value::as_text);
    let chosen = operation.orders.as_ref().and_then(|orders| {
        let name = name(&orders.by)?;
        orders.all.iter().find(|order| order.name == name)
    });
    chosen.map_or(&operation.sort, |order| &order.keys)
}

/// The filters of a stored field.
fn operation_filters(exchange: &Exchange) -> impl Iterator<Item = (&'static Filter, &'static str)> {
    exchange
        .operation
        .filters
        .iter()
        .filter_map(|filter| match &filter.field {
            Source::Stored(field) if !filter.of.list && filter.through.is_none() => Some((filter, field.as_str())),
            _ => None,
        })
}

/// Whether a text has this part, or another text of its group, where no longer text of another group stands.
fn has_part(text: &str, part: &str, groups: &[Vec<String>]) -> bool {
    let (same, others): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.iter().any(|one| one == part));
    let Some(same) = same.first() else {
        return text.contains(part);
    };
    // Where a text stands, also where it overlaps with itself.
    let places = |of: &String| -> Vec<(usize, usize)> {
        let starts = text.char_indices().map(|(start, _)| start);
        let found = starts.filter(|start| text[*start..].starts_with(of.as_str()));
        found.map(|start| (start, start + of.len())).collect()
    };
    let hidden: Vec<(usize, usize)> = others.into_iter().flatten().flat_map(places).collect();
    let is_hidden = |(start, end): (usize, usize)| {
        let is_longer = |(from, to): &(usize, usize)| *from <= start && end <= *to && to - from > end - start;
        hidden.iter().any(is_longer)
    };
    same.iter().flat_map(places).any(|place| !is_hidden(place))
}

/// Null matches nothing, and of a list one item must match.
fn any(value: &Value, is_match: impl Fn(&Value) -> bool) -> bool {
    match value {
        Value::Null => false,
        Value::List(items) => items.iter().any(is_match),
        value => is_match(value),
    }
}

/// Null comes first.
fn order_of(kind: &Kind, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => match kind {
            Kind::Format(format) => format.compare(a, b),
            _ => a.cmp(b),
        },
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(_), Value::Number(_)) => match (a.as_integer(), b.as_integer()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a
                .as_number()
                .unwrap_or_default()
                .total_cmp(&b.as_number().unwrap_or_default()),
        },
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        _ => a.kind().cmp(b.kind()),
    }
}

/// How many records are passed over, and how many are on the page.
fn page(exchange: &Exchange, total: usize) -> (usize, usize) {
    let Some(pages) = &exchange.operation.pages else {
        return (0, total);
    };
    let number = |name: &Word| {
        let value = exchange.input.query(name).and_then(Value::as_integer);
        value.map(|value| usize::try_from(value).unwrap_or(usize::MAX))
    };
    let size = number(&pages.size).unwrap_or(total);
    let offset = pages.offset.as_ref().and_then(number);
    let before = pages
        .number
        .as_ref()
        .and_then(number)
        .map_or(0, |page| page.saturating_sub(1));
    (offset.unwrap_or_else(|| before.saturating_mul(size)), size)
}
