//! A call: a request that can be sent again, also to another server, on which its records have other ids.

use super::ids;
use super::known::Knowledge;
use super::queries::wide;
use super::tools::Era;
use crate::exchange::Request;
use crate::query::{encoded, path};
use codegen::Model;
use codegen::model::{IdSource, Kind, Operation, RecordId, Surface};
use serde_json::Value;
use std::net::IpAddr;
use std::time::Duration;

/// A call. It can be sent again.
#[derive(Clone, Default)]
pub(super) struct Call<'m> {
    pub(super) operation: Option<(&'m Surface, &'m Operation)>,
    pub(super) method: String,
    /// The values of the path's parameters.
    pub(super) path: Vec<(&'m str, String)>,
    /// The query, encoded.
    pub(super) query: Vec<String>,
    /// The path, if it is none of the operation.
    pub(super) other_path: Option<String>,
    /// The index of a known credential.
    pub(super) credential: Option<usize>,
    /// Another header with a credential.
    pub(super) other_secret: Option<(String, String)>,
    /// The number of its idempotency key.
    pub(super) key: Option<u64>,
    pub(super) media_type: Option<&'static str>,
    /// Further headers.
    pub(super) headers: Vec<(String, String)>,
    /// Bytes in place of the body.
    pub(super) raw: Option<Vec<u8>>,
    pub(super) body: Option<String>,
    /// The body, if it is JSON.
    pub(super) json: Value,
    /// The version of the protocol in which it is sent as a tool, if a tool can say it.
    pub(super) tool: Option<Era>,
    pub(super) peer: Option<IpAddr>,
    /// How many more times it is sent at once.
    pub(super) copies: usize,
    /// The time before it.
    pub(super) pause: Duration,
}

/// A record that a call names: its resource, its id, and where the id stands.
pub(super) struct Mention<'m> {
    pub(super) resource: &'m str,
    pub(super) id: RecordId,
    place: Place<'m>,
}

enum Place<'m> {
    Path(usize),
    Query(usize),
    Body(&'m str),
}

impl<'m> Call<'m> {
    pub(super) fn is_read(&self) -> bool {
        self.method == "GET"
    }

    /// Whether it has a JSON body.
    pub(super) fn has_json(&self) -> bool {
        let takes_file = self.operation.is_some_and(|(_, operation)| operation.file.is_some());
        self.body.is_some() && !takes_file
    }

    /// The same with white space behind its body, so that this has so many bytes.
    pub(super) fn padded(&self, size: usize) -> Self {
        let mut bytes = self.body.clone().unwrap_or_default().into_bytes();
        bytes.resize(size.max(bytes.len()), b' ');
        Self {
            raw: Some(bytes),
            ..self.clone()
        }
    }

    /// `surface::operation`; empty for a path or method of no operation.
    pub(super) fn name(&self) -> String {
        let named = self.operation.map(|(surface, operation)| surface.full_name(operation));
        named.unwrap_or_default()
    }

    /// The request.
    pub(super) fn request(&self, model: &Model, known: &Knowledge) -> Request {
        let mut headers = Vec::new();
        if let Some(index) = self.credential {
            let credential = &known.credentials[index];
            let header = &model.credential(&credential.kind).header;
            headers.push((header.clone(), credential.secret.clone()));
        }
        headers.extend(self.other_secret.clone());
        headers.extend(self.headers.iter().cloned());
        let keys = model.idempotency.as_ref().zip(self.key);
        headers.extend(keys.map(|(keys, number)| (keys.header.text.clone(), format!("{}-{number}", known.mark))));
        headers.extend(self.media_type.map(|kind| ("content-type".to_owned(), kind.to_owned())));
        Request {
            method: self.method.clone(),
            target: self.target(),
            headers,
            body: self.raw.clone().or_else(|| self.body.clone().map(String::into_bytes)),
            peer: self.peer,
        }
    }

    /// Path and query.
    pub(super) fn target(&self) -> String {
        let value = |name: &str| {
            let value = self.path.iter().find(|(known, _)| *known == name);
            encoded(value.map_or("0", |(_, value)| value))
        };
        let mut target = match (&self.other_path, self.operation) {
            (Some(path), _) => path.clone(),
            (None, Some((surface, operation))) => path(&surface.base, &operation.segments, value),
            (None, None) => "/".to_owned(),
        };
        if !self.query.is_empty() {
            target.push('?');
            target.push_str(&self.query.join("&"));
        }
        target
    }

    /// The id that it has there.
    pub(super) fn id_of(&self, source: &IdSource) -> Option<RecordId> {
        match source {
            IdSource::Path(name) => {
                let sent = self.path.iter().find(|(known, _)| known == name);
                sent.and_then(|(_, text)| ids::of_text(text))
            }
            IdSource::Body(member) => ids::of_json(&self.json[member]),
        }
    }

    /// The records that it names.
    pub(super) fn mentions(&self, model: &'m Model) -> Vec<Mention<'m>> {
        let Some((_, operation)) = self.operation else {
            return Vec::new();
        };
        let mut mentions = Vec::new();
        for (nth, (name, text)) in self.path.iter().enumerate() {
            let guard = operation
                .exists()
                .find(|guard| guard.id == IdSource::Path((*name).to_owned()));
            if let (Some(guard), Some(id)) = (guard, ids::of_text(text)) {
                let resource = guard.resource.as_str();
                let place = Place::Path(nth);
                mentions.push(Mention { resource, id, place });
            }
        }
        for (nth, pair) in self.query.iter().enumerate() {
            let Some((name, text)) = pair.split_once('=') else {
                continue;
            };
            let parameter = operation.query.iter().find(|field| field.name == name);
            if let (Some(Kind::Id(resource)), Some(id)) = (parameter.map(|field| &field.of.kind), ids::of_text(text)) {
                let place = Place::Query(nth);
                mentions.push(Mention { resource, id, place });
            }
        }
        for member in model.body(operation).into_iter().flat_map(|body| &body.members) {
            let id = self.json.get(&member.field.name).and_then(ids::of_json);
            if let (Kind::Id(resource), Some(id)) = (&member.field.of.kind, id) {
                let place = Place::Body(&member.field.name);
                mentions.push(Mention { resource, id, place });
            }
        }
        mentions
    }

    /// The same with another mark in its texts.
    pub(super) fn replace_mark(&mut self, mark: &str, other: &str) {
        let forms = |mark: &str| [mark.to_owned(), mark.to_uppercase(), encoded(&wide(mark))];
        for (mark, other) in forms(mark).iter().zip(forms(other)) {
            for pair in &mut self.query {
                *pair = pair.replace(mark, &other);
            }
        }
        if let Some(body) = self.body.as_mut().filter(|body| body.contains(mark)) {
            *body = body.replace(mark, other);
            self.json = serde_json::from_str(body).unwrap_or(Value::Null);
        }
    }

    /// Whether its query has this mark.
    pub(super) fn is_marked(&self, mark: &str) -> bool {
        let forms = [mark.to_owned(), mark.to_uppercase(), encoded(&wide(mark))];
        self.query
            .iter()
            .any(|pair| forms.iter().any(|form| pair.contains(form)))
    }

    /// The same with another id.
    pub(super) fn replace(&mut self, mention: &Mention<'m>, id: &str) {
        match mention.place {
            Place::Path(nth) => id.clone_into(&mut self.path[nth].1),
            Place::Query(nth) => {
                if let Some((name, _)) = self.query[nth].split_once('=') {
                    self.query[nth] = format!("{name}={id}");
                }
            }
            Place::Body(member) => {
                let pair = |id: &str| format!("\"{member}\":{id}");
                let former = ids::json(mention.id);
                let id = if former.starts_with('"') {
                    format!("\"{id}\"")
                } else {
                    id.to_owned()
                };
                // A UUID may be in upper case.
                let place = |body: &String| body.to_ascii_lowercase().find(&pair(&former).to_ascii_lowercase());
                let found = self.body.as_mut().and_then(|body| Some((place(body)?, body)));
                if let Some((start, body)) = found {
                    body.replace_range(start..start + pair(&former).len(), &pair(&id));
                    self.json = serde_json::from_str(body).unwrap_or(Value::Null);
                }
            }
        }
    }
}
