//! Values of a type, as JSON text: valid ones from a small pool, so that equal ones are frequent, and just invalid ones.

use super::ids::{self, unused};
use super::known::Knowledge;
use super::pool::{FREE_FORMS, INTEGERS, NUMBERS, TEXTS};
use super::random::Random;
use super::wish::Wish;
use codegen::Model;
use codegen::model::{BodyMember, Class, FilterBy, Kind, Matching, RecordId, Source, Synonyms, Type, TypeRule};
use serde_json::Value;

/// The percentage of texts that are as long as they may be.
const LONG: usize = 3;

/// Makes values.
pub(super) struct Values<'g, 'm> {
    pub(super) model: &'m Model,
    pub(super) random: &'g mut Random,
    pub(super) known: &'g Knowledge<'m>,
    pub(super) wish: &'g Wish,
    /// The list, if the call reads one: `surface::operation?`.
    pub(super) list: &'g str,
    /// Whether forms are sent that the contract allows or rejects only by the letter.
    pub(super) is_strict: bool,
}

impl Values<'_, '_> {
    /// A value of this type. `place` is the field that it is for.
    pub(super) fn valid(&mut self, of: &Type, place: Option<(&str, &str)>) -> String {
        if of.optional && self.random.percent(12) {
            return "null".to_owned();
        }
        if of.list {
            return self.list(of, 0, Some(3), None, place);
        }
        match &of.kind {
            Kind::Named(name) => self.named(&self.model.named_type(name).rule, place),
            Kind::Boolean | Kind::Flag => self.random.word(&["false", "false", "true"]).to_owned(),
            Kind::Format(format) => {
                let edges = format.edges.iter().map(|(sent, _)| *sent);
                quoted(self.random.word(&edges.chain(format.values).collect::<Vec<_>>()))
            }
            Kind::Cursor => quoted(self.random.word(&["0", "now", "1", "2", "5"])),
            Kind::EventNames(caller) => {
                let kinds: Vec<_> = self.model.events_to(caller).collect();
                let kind = self.random.of(&kinds);
                quoted(kind.map_or("", |kind| &kind.name))
            }
            Kind::Timestamp | Kind::Stored | Kind::Secret | Kind::View(..) => "\"x\"".to_owned(),
            Kind::Id(resource) => self.id(resource),
            Kind::Enum(name) => {
                let word = self.random.of(&self.model.enumeration(name).values);
                quoted(word.map_or("", String::as_str))
            }
            Kind::Object(name) => {
                let members = &self.model.object(name).members;
                let mut written = Vec::new();
                for member in members {
                    let may_lack = member.of.optional || member.of.default.is_some();
                    if !may_lack || self.random.percent(50) {
                        written.push(format!("{}:{}", quoted(&member.name), self.valid(&member.of, None)));
                    }
                }
                format!("{{{}}}", written.join(","))
            }
            Kind::Input(name) => self.input(name),
        }
    }

    fn named(&mut self, rule: &TypeRule, place: Option<(&str, &str)>) -> String {
        match rule {
            TypeRule::Text { min, max, chars, .. } => {
                let fits = |text: &str| {
                    let count = text.chars().count() as u64;
                    count >= *min && max.is_none_or(|max| count <= max)
                };
                if self.random.percent(60)
                    && let Some(text) = self.another_name(place).filter(|text| fits(text))
                {
                    return quoted(&text);
                }
                let text = match chars {
                    Some(chars) => self.of_class(chars, *min),
                    None => match max {
                        Some(max) if self.random.percent(LONG) => long(*max),
                        _ => self.random.word(&TEXTS).to_owned(),
                    },
                };
                let text = if fits(&text) {
                    text
                } else {
                    "A".repeat((*min).max(1) as usize)
                };
                quoted(&self.marked(text, place, fits, chars.as_deref()))
            }
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => {
                let fits = |text: &&str| {
                    let number: f64 = text.parse().unwrap_or_default();
                    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
                    min.is_none_or(|min| number >= min)
                        && exclusive_min.is_none_or(|min| number > min)
                        && max.is_none_or(|max| number <= max)
                        && decimals.is_none_or(|most| places <= most as usize)
                };
                let valid: Vec<&str> = NUMBERS.into_iter().filter(fits).collect();
                self.random.word(&valid).to_owned()
            }
            TypeRule::Integer { min, max } => {
                let fits = |text: &&str| {
                    let number: i64 = text.parse().unwrap_or_default();
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
                };
                let valid: Vec<&str> = INTEGERS.into_iter().filter(fits).collect();
                self.random.word(&valid).to_owned()
            }
            TypeRule::List { of, min, max, unique } => self.list(of, *min, *max, unique.as_deref(), place),
            TypeRule::FreeForm { .. } => self.random.word(&FREE_FORMS).to_owned(),
        }
    }

    /// Where there are rows of others, some texts are of this history only.
    fn marked(
        &mut self,
        text: String,
        place: Option<(&str, &str)>,
        fits: impl Fn(&str) -> bool,
        chars: Option<&str>,
    ) -> String {
        let is_needed = place.is_none_or(|(resource, _)| !self.known.has_all(resource));
        // Others may have it already.
        let is_unique = place.is_some_and(|(resource, field)| self.model.is_unique_text(resource, field));
        if !is_needed || (!is_unique && self.random.percent(60)) {
            return text;
        }
        let mark = &self.known.mark;
        let longer = format!("{text}{mark}");
        let marked = match self.random.percent(50) || (is_unique && !fits(&longer)) {
            true => mark.clone(),
            false => longer,
        };
        let has = |chars: &str| marked.chars().all(|c| Class::parse(chars).has(c));
        let is_valid = fits(&marked) && chars.is_none_or(has);
        if is_valid { marked } else { text }
    }

    /// A text of the field's synonyms.
    fn another_name(&mut self, place: Option<(&str, &str)>) -> Option<String> {
        let (resource, field) = place?;
        let model = self.model;
        let (of_field, matching) = synonyms(model, resource, field)?;
        let few = if self.random.percent(80) {
            3
        } else {
            of_field.groups.len()
        };
        let groups = &of_field.groups[..of_field.groups.len().min(few)];
        let group = self.random.of(groups)?;
        let text = self.random.of(group)?.clone();
        match matching == Matching::Part && self.random.percent(60) {
            true => Some(format!("A {text}区")),
            false => Some(text),
        }
    }

    /// A short text of these characters.
    fn of_class(&mut self, chars: &str, min: u64) -> String {
        let class = Class::parse(chars);
        let firsts: Vec<char> = class
            .ranges()
            .iter()
            .flat_map(|(first, last)| [*first, *last])
            .collect();
        let count = (min.max(1) as usize) + self.random.below(2);
        (0..count).filter_map(|_| self.random.of(&firsts).copied()).collect()
    }

    fn list(
        &mut self,
        of: &Type,
        min: u64,
        max: Option<u64>,
        unique: Option<&str>,
        place: Option<(&str, &str)>,
    ) -> String {
        let most = max.unwrap_or(3).min(3).max(min) as usize;
        // No guard looks up the ids in a list.
        let most = if matches!(of.kind, Kind::Id(_)) {
            min as usize
        } else {
            most
        };
        let count = min as usize + self.random.below(most - min as usize + 1);
        let single = Type {
            list: false,
            optional: false,
            ..of.clone()
        };
        let mut items: Vec<String> = Vec::new();
        for _ in 0..count {
            let item = self.valid(&single, place);
            let is_new = unique.is_none_or(|member| {
                items
                    .iter()
                    .all(|other| member_of(other, member) != member_of(&item, member))
            });
            if is_new || (items.len() as u64) < min {
                items.push(item);
            }
        }
        format!("[{}]", items.join(","))
    }

    fn input(&mut self, name: &str) -> String {
        let body = &self.model.input(name).body;
        let members: Vec<String> = body
            .members
            .iter()
            .filter_map(|member| self.member(member, body.resource.as_deref()))
            .collect();
        format!("{{{}}}", members.join(","))
    }

    /// A member of a body, unless it is left out.
    pub(super) fn member(&mut self, member: &BodyMember, resource: Option<&str>) -> Option<String> {
        let place = resource.map(|resource| (resource, member.field.name.as_str()));
        let is_wished = self.wish.members.contains(&member.field.name);
        let is_absent = self.wish.absent.contains(&member.field.name);
        let is_sent = member.required || is_wished || (!is_absent && self.random.percent(50));
        is_sent.then(|| format!("{}:{}", quoted(&member.field.name), self.valid(&member.field.of, place)))
    }

    /// The id of a known record, mostly.
    fn id(&mut self, resource: &str) -> String {
        let id = self.known_id(resource);
        // Upper and lower case are alike.
        match id.starts_with('"') && self.random.percent(10) {
            true => id.to_uppercase(),
            false => id,
        }
    }

    fn known_id(&mut self, resource: &str) -> String {
        if let Some(id) = self.wish.record(resource) {
            return ids::json(id);
        }
        let nothing = unused(self.model.ids(resource));
        if !self.wish.is_valid && self.random.percent(4) {
            let unused = ids::json(nothing);
            // Whether an integer beyond the range of ids is invalid or unused is not declared.
            let ids = [&unused, "1.0", "0", "-1", "9223372036854775807"];
            let count = if self.is_strict { ids.len() } else { 2 };
            return self.random.word(&ids[..count]).to_owned();
        }
        // Those who call most have the longest lists.
        let of_resource = |kind: &str| {
            let caller = &self.model.credential(kind).caller;
            caller.as_ref().is_some_and(|caller| caller.resource == resource)
        };
        let living = self
            .known
            .credentials
            .iter()
            .filter(|one| !one.has_ended && of_resource(&one.kind));
        let callers: Vec<RecordId> = living.take(3).map(|one| one.caller).collect();
        if self.random.percent(60)
            && let Some(caller) = self.random.of(&callers)
        {
            return ids::json(*caller);
        }
        let record = self.random.recent(self.known.records(resource));
        ids::json(record.map_or(nothing, |record| record.id))
    }
}

/// The texts that mean the same to a filter that compares the field, or a part of it.
pub(super) fn synonyms<'m>(model: &'m Model, resource: &str, field: &str) -> Option<(&'m Synonyms, Matching)> {
    let surfaces = model.surfaces.iter();
    let operations = surfaces.flat_map(|surface| &surface.operations);
    let lists = operations.filter(|operation| operation.listed() == Some(resource));
    let mut filters = lists.flat_map(|operation| &operation.filters);
    filters.find_map(|filter| match (&filter.field, &filter.by) {
        (Source::Stored(name), FilterBy::Query(_, matching)) if name == field => {
            Some((model.synonyms_of(resource, filter)?, *matching))
        }
        _ => None,
    })
}

fn member_of(item: &str, member: &str) -> Option<Value> {
    let item: Value = serde_json::from_str(item).ok()?;
    item.get(member).cloned()
}

/// A text of this many characters, but not of more than a small body may have.
fn long(count: u64) -> String {
    const MOST: usize = 12_000;
    let characters = "long-text.".chars().cycle();
    characters.take(MOST.min(count as usize)).collect()
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
