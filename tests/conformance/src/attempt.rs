//! A valid request, and the ways to make it invalid.

use crate::contract::Operation;
use crate::query::{encoded, path};
use crate::sample::{sample, sample_object};
use crate::suite::TestedRule;
use crate::types::{Type, named};
use crate::value::{Value, first_member};
use crate::world::{Caller, Request, RequestedResources, World};

/// A request under construction. [`Attempt::new`] makes one that the operation must accept.
#[derive(Clone)]
#[must_use = "an attempt does nothing until a verdict is asked for"]
pub(crate) struct Attempt {
    pub(crate) world: &'static dyn World,
    pub(crate) operation: &'static Operation,
    pub(crate) tried: Option<TestedRule>,
    pub(crate) plan: Option<&'static str>,
    pub(crate) method: &'static str,
    pub(crate) suffix: &'static str,
    pub(crate) presented: Presented,
    pub(crate) content_types: Vec<&'static str>,
    /// The codings that the body is said to have.
    pub(crate) content_codings: Vec<&'static str>,
    pub(crate) absent: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(String, String)>,
    body: Option<Body>,
    path: Vec<(&'static str, String)>,
    padded_to: Option<usize>,
    /// The idempotency keys that are sent.
    keys: Vec<String>,
    /// Whether its records are left in the states that they have, whatever its rules want.
    pub(crate) is_unprepared: bool,
}

#[derive(Clone)]
enum Body {
    Json(Value),
    Bytes(Vec<u8>),
}

/// The credential in the request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Presented {
    Rightly,
    Not,
    Twice,
    /// A change of the valid one.
    As(fn(&str) -> String),
}

impl Attempt {
    /// A request that the operation must accept, with only the required content and all ids that guards look up.
    pub(crate) fn new(world: &'static dyn World, operation: &'static Operation) -> Self {
        let body = operation.body.map(|of| {
            let members = of.members().iter().enumerate();
            let needed = members.filter(|(nth, member)| {
                let is_first = operation.is_partial() && *nth == 0;
                member.required || is_first || operation.optional_guard(member.name).is_some()
            });
            Body::Json(sample_object(needed.map(|(_, member)| member)))
        });
        let file = operation.file_sample();
        let content_type = match file {
            Some((media_type, _)) => Some(media_type),
            None => body.as_ref().map(|_| "application/json"),
        };
        let body = body.or_else(|| file.map(|(_, text)| Body::Bytes(text.as_bytes().to_vec())));
        let attempt = Self {
            world,
            operation,
            tried: None,
            plan: None,
            method: &operation.declared.method,
            suffix: "",
            presented: Presented::Rightly,
            content_types: Vec::from_iter(content_type),
            content_codings: Vec::new(),
            absent: Vec::new(),
            query: Vec::new(),
            body,
            path: Vec::new(),
            padded_to: None,
            keys: Vec::new(),
            is_unprepared: false,
        };
        attempt.with_other_texts()
    }

    /// The same request, but for texts of which there is one only.
    pub(crate) fn with_other_texts(self) -> Self {
        self.with_unique_texts(None)
    }

    /// The same, to try this rule of the contract at this position.
    pub(crate) fn trying(mut self, rule: &'static str, at: &'static str) -> Self {
        self.tried = Some(TestedRule { rule, at });
        self
    }

    /// A request that this operation must accept, in the same world and for the same rule.
    pub(crate) fn anew(&self, operation: &'static Operation) -> Self {
        Self {
            tried: self.tried,
            ..Self::new(self.world, operation)
        }
    }

    /// Sets a member of the body. A place is written like `skills[0].name`. A valid text of which there is one only is replaced
    /// by one that no other request has.
    pub(crate) fn with(self, place: &str, value: Value) -> Self {
        self.with_exactly(place, value)
            .with_unique_texts(Some(first_member(place)))
    }

    /// The same, and the text stays as it is.
    pub(crate) fn with_exactly(mut self, place: &str, value: Value) -> Self {
        let of = self.body_type();
        self.body_value().put(of, place, value);
        self
    }

    /// Replaces the texts of which there is one only, in this member of the body or in all.
    fn with_unique_texts(mut self, only: Option<&str>) -> Self {
        if let Some(Body::Json(body)) = &mut self.body {
            self.operation.renew_texts(body, only);
        }
        self
    }

    /// A body without members.
    pub(crate) fn emptied(mut self) -> Self {
        *self.body_value() = Value::Object(Vec::new());
        self
    }

    /// A parameter of the query, percent-encoded.
    pub(crate) fn parameter(mut self, name: &str, text: &str) -> Self {
        self.query.push((encoded(name), encoded(text)));
        self
    }

    /// Pads the body with white space at its end, to this number of bytes.
    pub(crate) fn padded_to(mut self, bytes: usize) -> Self {
        self.padded_to = Some(bytes);
        self
    }

    /// Sends no idempotency key.
    pub(crate) fn unkeyed(mut self) -> Self {
        self.keys.clear();
        self
    }

    pub(crate) fn body_type(&self) -> &'static Type {
        self.operation
            .body
            .unwrap_or_else(|| panic!("{} takes no body", self.operation.name))
    }

    fn body_value(&mut self) -> &mut Value {
        match &mut self.body {
            Some(Body::Json(value)) => value,
            _ => panic!("{} has no body that could be changed", self.operation.name),
        }
    }

    /// Whether the members of the body can be changed.
    pub(crate) fn has_json_body(&self) -> bool {
        matches!(self.body, Some(Body::Json(_)))
    }

    /// The member of the body as it is sent; `None` if it is absent.
    pub(crate) fn sent(&self, member: &str) -> Option<&Value> {
        match &self.body {
            Some(Body::Json(body)) => body.member(member),
            _ => None,
        }
    }

    /// The request, as this caller sends it for these resources.
    pub(crate) fn request(&self, caller: &Caller, arranged: &RequestedResources) -> Request {
        let id = |resource: &str| {
            let absent = self.absent.iter().find(|(known, _)| *known == resource);
            absent.map_or_else(|| arranged.id(resource).to_string(), |(_, id)| id.clone())
        };
        let mut headers = self.credential_headers(caller);
        let declared = [
            ("Content-Type", &self.content_types),
            ("Content-Encoding", &self.content_codings),
        ];
        for (name, values) in declared {
            headers.extend(values.iter().map(|value| (name.to_owned(), (*value).to_owned())));
        }
        let keys = self.operation.contract.model.idempotency.iter();
        headers.extend(keys.flat_map(|of| self.keys.iter().map(|key| (of.header.text.clone(), key.clone()))));
        let mut body = self.body.as_ref().map(|body| match body {
            Body::Json(value) => value.render(&id).into_bytes(),
            Body::Bytes(bytes) => bytes.clone(),
        });
        if let (Some(bytes), Some(length)) = (&mut body, self.padded_to) {
            bytes.resize(length.max(bytes.len()), b' ');
        }
        Request {
            method: self.method.to_owned(),
            target: self.target(&id),
            headers,
            body,
            peer: None,
        }
    }

    fn target(&self, id: &dyn Fn(&str) -> String) -> String {
        let value = |name: &str| {
            let given = self.path.iter().find(|(known, _)| *known == name);
            given.map(|(_, text)| text.clone()).unwrap_or_else(|| {
                let parameter = named(self.operation.parameters, name);
                let of = parameter.expect("the contract declares every parameter of a path").of;
                encoded(&sample(of).as_parameter(id))
            })
        };
        let path = path(&self.operation.surface.base, &self.operation.declared.segments, value);
        let query = self
            .query
            .iter()
            .map(|(name, text)| format!("{name}={text}"))
            .collect::<Vec<_>>()
            .join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{path}{}{mark}{query}", self.suffix)
    }

    fn credential_headers(&self, caller: &Caller) -> Vec<(String, String)> {
        let Some(kind) = self.operation.credential else {
            return Vec::new();
        };
        let secret = || (kind.header.clone(), caller.secret.clone());
        match self.presented {
            Presented::Rightly => vec![secret()],
            Presented::Not => Vec::new(),
            Presented::Twice => vec![secret(), secret()],
            Presented::As(change) => vec![(kind.header.clone(), change(&caller.secret))],
        }
    }
}
