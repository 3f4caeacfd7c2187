//! Probes of a body: the whole body, and each place in it.

use super::boundaries::{shown, values};
use super::forms::{FILE_TYPES, JSON_MEDIA_TYPES, NO_OBJECTS, not_json, other_media_types};
use super::list::Lister;
use super::query::overlaps;
use crate::description::{body_of, type_of};
use crate::histories::ids::{self, unused};
use crate::histories::values::synonyms;
use crate::sample::sample;
use crate::types::Type;
use crate::value::{Value, raw, word};
use codegen::model::{Effect, Resource};
use codegen::step::Step;
use serde_json::Value as Json;

/// A place in a body, its type, and whether it is a member.
struct Place {
    place: String,
    of: &'static Type,
    is_member: bool,
}

impl Lister {
    pub(super) fn body(&mut self) {
        let operation = self.called.1;
        if operation.file.is_some() {
            FILE_TYPES.into_iter().for_each(|types| self.media_types(types));
            let most = usize::try_from(operation.max_bytes).unwrap_or(usize::MAX);
            self.edit("a file of one byte too many", move |call, _| {
                *call = call.padded(most.saturating_add(1));
            });
            self.is_rejected_at(Step::BodySize);
            return self.edit("an empty file", |call, _| call.raw = Some(Vec::new()));
        }
        let Some(body) = self.model.body(operation) else {
            return self.edit("a body where there is none", |call, _| {
                call.raw = Some(b"{not JSON".to_vec());
                call.media_type = Some("text/plain");
            });
        };
        other_media_types(self.is_strict)
            .iter()
            .for_each(|types| self.media_types(types));
        for (_, media_type) in JSON_MEDIA_TYPES {
            self.edit(format!("media type {media_type}"), move |call, _| {
                call.media_type = Some(media_type)
            });
        }
        let most = usize::try_from(operation.max_bytes).unwrap_or(usize::MAX);
        for size in [most, most.saturating_add(1)] {
            self.edit(format!("{size} bytes"), move |call, _| *call = call.padded(size));
        }
        let whole = NO_OBJECTS.into_iter().chain(["{}", r#"{"a":1}"#]);
        let whole = whole.map(|text| text.as_bytes().to_vec());
        for bytes in not_json(most).chain(whole) {
            let name = format!("body {}", shown(&String::from_utf8_lossy(&bytes)));
            self.edit(name, move |call, _| {
                call.json = serde_json::from_slice(&bytes).unwrap_or(Json::Null);
                call.raw = Some(bytes.clone());
            });
        }
        let of = body_of(self.model, body);
        self.unknown_members(of, "", of);
        let mut places = Vec::new();
        walk(of, "", &mut places);
        for place in places {
            // Other realms may have records of the server's own.
            if !self.model.sets_realm(operation, &place.place) {
                self.place(of, &place);
            }
        }
    }

    fn media_types(&mut self, types: &'static [&'static str]) {
        self.edit(format!("media type {}", types.join(" and ")), move |call, _| {
            call.media_type = None;
            let headers = types.iter().map(|one| ("content-type".to_owned(), (*one).to_owned()));
            call.headers.extend(headers);
        });
    }

    fn place(
        &mut self,
        of: &'static Type,
        Place {
            place,
            of: inner,
            is_member,
        }: &Place,
    ) {
        let (inner, none) = (*inner, |_: &str| "id".to_owned());
        for value in values(self.model, inner, self.is_strict) {
            // No guard looks up the ids in a list.
            if !is_member && matches!(value, Value::IdOf(_)) {
                continue;
            }
            let (to, name) = (place.clone(), shown(&value.render(&none)));
            self.change(format!("{place} is {name}"), move |body| {
                body.put(of, &to, value.clone())
            });
        }
        for text in self.overlapping(place) {
            let (to, name) = (place.clone(), shown(text));
            self.change(format!("{place} is \"{name}\""), move |body| {
                body.put(of, &to, word(text))
            });
        }
        if *is_member {
            let to = place.clone();
            self.change(format!("no {place}"), move |body| body.take(of, &to));
            let to = place.clone();
            self.change(format!("{place} twice"), move |body| {
                body.put(of, &to, sample(inner));
                body.repeat(of, &to);
            });
            if !place.contains(['.', '[']) {
                let to = place.clone();
                self.change(format!("{place} alone"), move |body| {
                    *body = Value::Object(Vec::new());
                    body.put(of, &to, sample(inner));
                });
            }
        }
        if matches!(inner, Type::Object(_)) {
            self.unknown_members(of, place, inner);
        }
    }

    /// Texts for a member that a filter with synonyms compares: those that contain a word of another group.
    fn overlapping(&self, member: &str) -> Vec<&'static str> {
        let body = self.model.body(self.called.1);
        let resource = body.and_then(|body| body.resource.as_deref());
        let synonyms = resource.and_then(|resource| synonyms(self.model, resource, member));
        let overlaps = synonyms.map(|(synonyms, _)| overlaps(&synonyms.groups));
        overlaps.into_iter().flatten().map(|(_, whole)| whole).collect()
    }

    /// Members that the object at this place does not have, and that others have.
    fn unknown_members(&mut self, of: &'static Type, place: &str, inner: &'static Type) {
        for name in self.vocabulary.iter().filter(|name| inner.member(name).is_none()) {
            let value = self.value_elsewhere(name);
            let to = if place.is_empty() {
                (*name).to_owned()
            } else {
                format!("{place}.{name}")
            };
            self.change(format!("unknown {to}"), move |body| body.put(of, &to, value.clone()));
        }
    }

    /// A value of the type that a name has elsewhere: in what the operation makes or changes, or else anywhere.
    fn value_elsewhere(&self, name: &str) -> Value {
        let model = self.model;
        let is_meant = |resource: &&Resource| {
            let mut effects = self.called.1.effects.iter();
            effects.any(|effect| matches!(effect, Effect::Make { resource: of, .. } | Effect::Change { resource: of, .. } if *of == resource.name))
        };
        let first = model.resources.iter().filter(is_meant);
        let fields = first.chain(&model.resources).flat_map(|resource| &resource.fields);
        let objects = model.objects.iter().flat_map(|object| &object.members);
        let mut fields = fields.chain(objects);
        let field = fields.find(|field| field.name == name);
        field.map_or_else(|| raw("1"), |field| sample(type_of(model, &field.of)))
    }

    /// The valid body with a change.
    fn change(&mut self, name: String, change: impl Fn(&mut Value) + 'static) {
        let model = self.model;
        self.try_edit(name, move |call, known| {
            if !call.json.is_object() {
                return Err("the valid call has no body".to_owned());
            }
            let mut body = value_of(&call.json);
            change(&mut body);
            let id = |resource: &str| {
                let last = known.records(resource).last();
                ids::json(last.map_or_else(|| unused(model.ids(resource)), |record| record.id))
            };
            let text = body.render(&id);
            call.json = serde_json::from_str(&text).unwrap_or(Json::Null);
            call.body = Some(text);
            Ok(())
        });
    }
}

/// The places within a value of this type.
fn walk(of: &'static Type, at: &str, out: &mut Vec<Place>) {
    let mut add = |place: String, of: &'static Type, is_member: bool| {
        let inner = place.clone();
        out.push(Place { place, of, is_member });
        walk(of, &inner, out);
    };
    match of {
        Type::Object(members) => members.iter().for_each(|member| {
            let dot = if at.is_empty() { "" } else { "." };
            add(format!("{at}{dot}{}", member.name), member.of, true);
        }),
        Type::List { of, .. } => add(format!("{at}[0]"), of, false),
        _ => {}
    }
}

/// A body that was made, for changes.
fn value_of(json: &Json) -> Value {
    match json {
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), value_of(value)));
            Value::Object(members.collect())
        }
        Json::Array(items) => Value::List(items.iter().map(value_of).collect()),
        Json::String(text) => Value::Text(text.clone()),
        other => Value::Raw(other.to_string()),
    }
}
