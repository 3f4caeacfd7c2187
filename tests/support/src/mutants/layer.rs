//! Defects that no edit of a model expresses: a layer before the interpreter sends other requests to it, or answers in another
//! way.

use super::{Mutants, Way};
use codegen::model::{Data, Effect, Ids, Kind, Operation, Segment, Surface};
use conformance::{Request, Response};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Answers to a request. The function is the right server; the memory is the layer's own.
pub(super) type Wrong = dyn Fn(&Request, &Right, &Mutex<Memory>) -> Response + Send + Sync;

type Right<'r> = dyn Fn(&Request) -> Response + 'r;

/// Former answers, by the layer's own keys.
pub(super) type Memory = HashMap<String, Response>;

type ChangeRequest = fn(&Place, &mut Request);

type ChangeId = fn(&str) -> Option<&'static str>;

type ChangeAnswer = fn(&Request, &mut Response);

/// What becomes of a request.
const REQUESTS: &[(&str, ChangeRequest)] = &[
    ("unknown parameters ignored", |place, request| {
        place.parameters(request, |known, _| known);
    }),
    ("repeated parameters ignored", |place, request| {
        place.parameters(request, |_, is_first| is_first);
    }),
    ("unknown members ignored", |place, request| {
        let members = place.members.clone();
        change_object(request, |object| {
            object.retain(|name, _| members.iter().any(|known| known == name))
        });
    }),
    // A JSON object has each member once.
    ("repeated members ignored", |_, request| change_object(request, |_| ())),
    ("nulls left out", |_, request| {
        change_object(request, |object| object.retain(|_, value| !value.is_null()))
    }),
    ("numbers taken from texts", |_, request| {
        change_object(request, |object| {
            for value in object.values_mut() {
                let number = value.as_str().and_then(|text| text.parse::<i64>().ok());
                if let Some(number) = number {
                    *value = number.into();
                }
            }
        });
    }),
    ("whole numbers taken from decimals", |_, request| {
        change_object(request, |object| {
            for value in object.values_mut() {
                if let Some(number) = value
                    .as_f64()
                    .filter(|number| number.fract() == 0.0 && number.abs() < 1e15)
                {
                    *value = (number as i64).into();
                }
            }
        });
    }),
    ("texts trimmed", |_, request| {
        change_object(request, |object| {
            for value in object.values_mut() {
                if let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) {
                    *value = text.trim().into();
                }
            }
        });
    }),
    ("media type unchecked", |_, request| {
        if request.body.is_some() {
            request
                .headers
                .retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
            request
                .headers
                .push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
    }),
    ("repeated headers ignored", |_, request| {
        let mut seen: Vec<String> = Vec::new();
        request.headers.retain(|(name, _)| {
            let name = name.to_ascii_lowercase();
            let is_new = !seen.contains(&name);
            seen.push(name);
            is_new
        });
    }),
];

/// What becomes of an answer.
const ANSWERS: &[(&str, ChangeAnswer)] = &[
    ("members more", |_, response| {
        change_answer(response, |body| {
            if let Some(object) = body.as_object_mut() {
                object.insert("more".to_owned(), 1.into());
            }
        });
    }),
    ("data with members more", |_, response| {
        change_answer(response, |body| {
            let row = match body.pointer("/data/0") {
                Some(_) => "/data/0",
                None => "/data",
            };
            if let Some(object) = body.pointer_mut(row).and_then(Value::as_object_mut) {
                object.insert("more".to_owned(), Value::Null);
            }
        });
    }),
    ("numbers as texts", |_, response| {
        change_answer(response, |body| {
            change_all(body, &mut |value| {
                if value.is_number() {
                    *value = value.to_string().into();
                }
            });
        });
    }),
    ("nulls left out of answers", |_, response| {
        change_answer(response, |body| {
            change_all(body, &mut |value| {
                if let Some(object) = value.as_object_mut() {
                    object.retain(|_, value| !value.is_null());
                }
            });
        });
    }),
    ("UUIDs in upper case", |_, response| {
        change_answer(response, |body| {
            change_all(body, &mut |value| {
                if let Some(id) = value.as_str().and_then(|text| Ids::UuidV4.read(text)) {
                    *value = id.to_string().to_uppercase().into();
                }
            });
        });
    }),
    ("lists cut", |_, response| {
        change_rows(response, |rows| rows.truncate(3))
    }),
    ("last row lost", |_, response| {
        change_rows(response, |rows| {
            if rows.len() > 1 {
                rows.pop();
            }
        });
    }),
    ("first row twice", |_, response| {
        change_rows(response, |rows| {
            if rows.len() > 1 {
                rows.insert(0, rows[0].clone());
            }
        });
    }),
    ("rows reversed", |_, response| {
        change_rows(response, |rows| rows.reverse())
    }),
    ("totals of the page", |_, response| {
        change_answer(response, |body| {
            let rows = body.get("data").and_then(Value::as_array).map(Vec::len);
            if let Some(total) = body.get_mut("total") {
                *total = rows.into();
            }
        });
    }),
    ("errors without words", |_, response| {
        change_answer(response, |body| {
            if let Some(error) = body.get_mut("error").filter(|error| error.is_string()) {
                *error = "invalid".into();
            }
        });
    }),
    ("successes as failures", |_, response| {
        change_answer(response, |body| {
            if let Some(success) = body.get_mut("success") {
                *success = (!success.as_bool().unwrap_or_default()).into();
            }
        });
    }),
    ("another media type", |_, response| {
        for (name, value) in &mut response.headers {
            if name == "content-type" {
                *value = "text/html".to_owned();
            }
        }
    }),
    ("the credential in the answer", |request, response| {
        let secrets = request.headers.iter().filter(|(_, value)| value.len() > 20);
        let secrets: Vec<(String, String)> = secrets
            .map(|(_, value)| ("x-caller".to_owned(), value.clone()))
            .collect();
        response.headers.extend(secrets);
    }),
];

/// What becomes of the UUIDs in a path.
const IDS: &[(&str, ChangeId)] = &[
    ("UUIDs in upper case unknown", |id| {
        let is_upper = |c: char| c.is_ascii_uppercase();
        (Ids::UuidV4.read(id).is_some() && id.contains(is_upper)).then_some(NOBODYS)
    }),
    ("any text is a UUID", |id| {
        Ids::UuidV4.read(id).is_none().then_some(NOBODYS)
    }),
];

/// The UUID of no record.
const NOBODYS: &str = "00000000-0000-4000-8000-000000000000";

/// A layer is tried with one operation in so many, each kind with others.
const ONE_IN: usize = 12;

/// An operation, as a layer knows it.
#[derive(Clone)]
struct Place {
    method: String,
    segments: Vec<Segment>,
    base: String,
    /// The names of the parameters of its query.
    query: Vec<String>,
    /// The names of the members of its body.
    members: Vec<String>,
}

impl Mutants<'_> {
    pub(super) fn layers(&mut self, surface: &Surface, operation: &Operation) {
        let members = self.model.body(operation).into_iter().flat_map(|body| &body.members);
        let place = Place {
            method: operation.method.to_string(),
            segments: operation.segments.clone(),
            base: surface.base.clone(),
            query: operation.query.iter().map(|field| field.name.clone()).collect(),
            members: members.map(|member| member.field.name.clone()).collect(),
        };
        let has_body = operation.body.is_some();
        for (kind, change) in REQUESTS {
            let is_of_query = kind.contains("parameters");
            let is_of_all = is_of_query || *kind == "repeated headers ignored";
            if !(is_of_all || has_body) || is_of_query && kind.starts_with("repeated") && place.query.is_empty() {
                continue;
            }
            self.layer(kind, &place, move |place, request, right, _| {
                let mut changed = request.clone();
                change(place, &mut changed);
                right(&changed)
            });
        }
        // They name members of this envelope.
        let is_known = self.model.data_member(operation) == Some("data");
        let is_list = matches!(operation.data, Some(Data::Many { .. }));
        let has_total = operation.siblings.iter().any(|sibling| sibling == "total");
        let applies = |kind: &str| match kind {
            "lists cut" | "last row lost" | "first row twice" | "rows reversed" => is_list,
            "totals of the page" => has_total,
            "data with members more" => operation.data.is_some(),
            _ => true,
        };
        for (kind, change) in ANSWERS.iter().filter(|(kind, _)| is_known && applies(kind)) {
            self.layer(kind, &place, move |_, request, right, _| {
                let mut response = right(request);
                change(request, &mut response);
                response
            });
        }
        if operation.method != "GET" {
            self.layer("effects in spite of a rejection", &place, |place, request, right, _| {
                let response = right(request);
                let mut changed = request.clone();
                place.parameters(&mut changed, |known, _| known);
                if response.status >= 400 && changed.target != request.target {
                    right(&changed);
                }
                response
            });
        }
        let changes = |effect: &Effect| matches!(effect, Effect::Change { .. });
        if operation.effects.iter().any(changes) {
            self.layer("second change lost", &place, |_, request, right, memory| {
                let key = format!("{} of {}", request.method, request.target);
                let former = memory.lock().expect("no test panics in here").remove(&key);
                former.unwrap_or_else(|| {
                    let response = right(request);
                    if response.status < 400 {
                        let mut memory = memory.lock().expect("no test panics in here");
                        memory.insert(key, response.clone());
                    }
                    response
                })
            });
        }
        for (kind, change) in IDS {
            let mut kinds = operation.path.iter().map(|field| &field.of.kind);
            if kinds.any(|kind| matches!(kind, Kind::Id(_)) && self.model.format(kind).is_some()) {
                self.layer(kind, &place, |place, request, right, _| {
                    let mut changed = request.clone();
                    place.ids(&mut changed, *change);
                    right(&changed)
                });
            }
        }
        let ends = |effect: &Effect| matches!(effect, Effect::End { .. });
        if operation.effects.iter().any(ends) && matches!(place.segments.last(), Some(Segment::Parameter(_))) {
            self.layer("another record ended", &place, |_, request, right, _| {
                let next = request.target.rsplit_once('/').and_then(|(path, id)| {
                    let id: i64 = id.parse().ok()?;
                    Some(format!("{path}/{}", id + 1))
                });
                let other = next.map(|target| {
                    right(&Request {
                        target,
                        ..request.clone()
                    })
                });
                other
                    .filter(|response| response.status < 400)
                    .unwrap_or_else(|| right(request))
            });
        }
        if operation.method == "GET" && operation.feed.is_none() {
            self.layer("answers of before", &place, |_, request, right, memory| {
                let key = format!("{} {:?}", request.target, request.headers);
                let mut memory = memory.lock().expect("no test panics in here");
                memory.entry(key).or_insert_with(|| right(request)).clone()
            });
        }
        if operation.keep_seconds.is_some() && is_known {
            self.layer("used keys accepted", &place, |_, request, right, _| {
                let response = right(request);
                if response.header("x-error-code") != Some("key_reused") {
                    return response;
                }
                let mut changed = request.clone();
                changed
                    .headers
                    .retain(|(name, _)| !name.eq_ignore_ascii_case("idempotency-key"));
                right(&changed)
            });
        }
    }

    /// Adds a mutant that treats requests to an operation in its own way.
    fn layer(
        &mut self,
        kind: &'static str,
        place: &Place,
        wrong: impl Fn(&Place, &Request, &Right, &Mutex<Memory>) -> Response + Send + Sync + 'static,
    ) {
        self.layers += 1;
        if !self.layers.is_multiple_of(ONE_IN) {
            return;
        }
        let (place, has_changed) = (place.clone(), Arc::new(AtomicBool::new(false)));
        let changed = Arc::clone(&has_changed);
        let layer = move |request: &Request, right: &Right, memory: &Mutex<Memory>| {
            if !place.is_called(request) {
                return right(request);
            }
            let calls = RefCell::new(Vec::new());
            let noted = |request: &Request| {
                let response = right(request);
                calls.borrow_mut().push((request.clone(), response.clone()));
                response
            };
            let response = wrong(&place, request, &noted, memory);
            let is_right = matches!(&calls.borrow()[..], [(sent, came)] if sent == request && *came == response);
            changed.fetch_or(!is_right, Ordering::Relaxed);
            response
        };
        self.push(kind, "layer", Way::Layer(Box::new(layer), has_changed));
    }
}

impl Place {
    /// Whether a request has the method and path of the operation.
    fn is_called(&self, request: &Request) -> bool {
        let path = request.target.split('?').next().unwrap_or_default();
        let Some(path) = path.strip_prefix(&self.base) else {
            return false;
        };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let is_alike = |(segment, part): (&Segment, &&str)| match segment {
            Segment::Literal(text) => text == part,
            Segment::Parameter(_) => !part.is_empty(),
        };
        request.method == self.method
            && parts.len() == self.segments.len()
            && self.segments.iter().zip(&parts).all(is_alike)
    }

    /// Replaces ids in the path.
    fn ids(&self, request: &mut Request, change: ChangeId) {
        let (path, query) = match request.target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (request.target.as_str(), None),
        };
        let parts = path.strip_prefix(&self.base).unwrap_or(path).split('/').skip(1);
        let parts = self.segments.iter().zip(parts).map(|(segment, part)| match segment {
            Segment::Parameter(_) => change(part).unwrap_or(part),
            Segment::Literal(_) => part,
        });
        let path = parts.fold(self.base.clone(), |path, part| path + "/" + part);
        request.target = query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
    }

    /// Keeps parameters of a query, by whether they are known, and the first of their name.
    fn parameters(&self, request: &mut Request, keeps: fn(bool, bool) -> bool) {
        let Some((path, query)) = request.target.split_once('?') else {
            return;
        };
        let mut seen: Vec<&str> = Vec::new();
        let kept = query.split('&').filter(|pair| {
            let name = pair.split('=').next().unwrap_or_default();
            let is_first = !seen.contains(&name);
            seen.push(name);
            keeps(self.query.iter().any(|known| known == name), is_first)
        });
        let kept: Vec<&str> = kept.collect();
        let mark = if kept.is_empty() { "" } else { "?" };
        request.target = format!("{path}{mark}{}", kept.join("&"));
    }
}

/// Changes the object of a body, if it has one.
fn change_object(request: &mut Request, change: impl FnOnce(&mut Map<String, Value>)) {
    let body = request
        .body
        .as_ref()
        .and_then(|body| serde_json::from_slice::<Value>(body).ok());
    if let Some(Value::Object(mut object)) = body {
        change(&mut object);
        request.body = Some(Value::Object(object).to_string().into_bytes());
    }
}

/// Changes the JSON of an answer, if it has some.
fn change_answer(response: &mut Response, change: impl FnOnce(&mut Value)) {
    if let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) {
        let before = body.clone();
        change(&mut body);
        if body != before {
            response.body = body.to_string().into_bytes();
            response.headers.retain(|(name, _)| name != "content-length");
        }
    }
}

/// Changes the rows of an answer, if it lists some.
fn change_rows(response: &mut Response, change: impl FnOnce(&mut Vec<Value>)) {
    change_answer(response, |body| {
        if let Some(rows) = body.get_mut("data").and_then(Value::as_array_mut) {
            change(rows);
        }
    });
}

/// Changes a value and all values in it.
fn change_all(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(value);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change_all(item, change)),
        Value::Object(members) => members.values_mut().for_each(|member| change_all(member, change)),
        _ => {}
    }
}
