//! A call: a request in which the secret depends on the server.

use super::Side;
use super::known::Knowledge;
use crate::query::encoded;
use crate::world::Request;
use codegen::Model;
use codegen::model::{Operation, Segment, Surface};
use serde_json::Value;
use std::net::IpAddr;

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
    pub(super) media_type: Option<&'static str>,
    pub(super) body: Option<String>,
    /// The body, if it is JSON.
    pub(super) json: Value,
    pub(super) peer: Option<IpAddr>,
}

impl Call<'_> {
    pub(super) fn is_read(&self) -> bool {
        self.method == "GET"
    }

    /// The request to the server on this side.
    pub(super) fn request(&self, model: &Model, known: &Knowledge, side: Side) -> Request {
        let mut headers = Vec::new();
        if let Some(index) = self.credential {
            let credential = &known.credentials[index];
            let header = &model.credential(&credential.kind).header;
            headers.push((header.clone(), credential.secret(side).to_owned()));
        }
        headers.extend(self.other_secret.clone());
        headers.extend(self.media_type.map(|kind| ("content-type".to_owned(), kind.to_owned())));
        Request {
            method: self.method.clone(),
            target: self.target(),
            headers,
            body: self.body.clone().map(String::into_bytes),
            peer: self.peer,
        }
    }

    /// Path and query.
    pub(super) fn target(&self) -> String {
        let mut target = String::new();
        match (&self.other_path, self.operation) {
            (Some(path), _) => target.push_str(path),
            (None, Some((surface, operation))) => {
                target.push_str(&surface.base);
                for segment in &operation.segments {
                    target.push('/');
                    match segment {
                        Segment::Literal(text) => target.push_str(text),
                        Segment::Parameter(name) => {
                            let value = self.path.iter().find(|(known, _)| known == name);
                            target.push_str(&encoded(value.map_or("0", |(_, value)| value)));
                        }
                    }
                }
            }
            (None, None) => target.push('/'),
        }
        if !self.query.is_empty() {
            target.push('?');
            target.push_str(&self.query.join("&"));
        }
        target
    }
}
