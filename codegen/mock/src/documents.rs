//! The documents of the contract, beside its operations.

use crate::exchange::Response;
use crate::text::percent_decoded;
use crate::value::Value;
use bytes::Bytes;
use codegen::Model;
use codegen::documents::{File, FileKind, files};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode, header};
use std::sync::OnceLock;

/// The files, which are made when one is asked for.
#[derive(Default)]
pub(crate) struct Documents(OnceLock<Vec<File>>);

impl Documents {
    /// The response to a request for a document; `None` if there is none at its path.
    pub(crate) fn response(&self, model: &Model, parts: &Parts) -> Option<Response> {
        let files = self.0.get_or_init(|| files(model));
        let path = parts.uri.path();
        let is_read = [Method::GET, Method::HEAD].contains(&parts.method);
        let is_entrance = path == "/" && parts.method != Method::CONNECT;
        let variants: Vec<&File> = files.iter().filter(|file| file.path == path).collect();
        if variants.is_empty() && !is_entrance {
            let page = format!("{path}/");
            let leads = files
                .iter()
                .any(|file| file.path == page && matches!(file.kind, FileKind::Page { .. }));
            let name = path.rsplit('/').next().unwrap_or_default();
            return (leads && is_read).then(|| see(&format!("{name}/"))).flatten();
        }
        if !is_read {
            let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "this can only be read: GET or HEAD\n");
            response
                .headers_mut()
                .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return Some(response);
        }
        if is_entrance {
            return entrance(files, parts);
        }
        let query = parts.uri.query().unwrap_or_default();
        let Some(file) = variants.into_iter().find(|file| is_selected(file, query)) else {
            return Some(text(
                StatusCode::BAD_REQUEST,
                "there is no such variant of this document\n",
            ));
        };
        let mut response = Response::new(Bytes::copy_from_slice(&file.bytes));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        match &file.kind {
            FileKind::Document | FileKind::Text => {
                headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            }
            FileKind::Page { policy } => {
                headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(policy).ok()?);
            }
            FileKind::Part => {}
        }
        Some(response)
    }
}

/// A redirect to a page.
fn see(location: &str) -> Option<Response> {
    let mut response = text(StatusCode::SEE_OTHER, "");
    let location = HeaderValue::from_str(location).ok()?;
    response.headers_mut().insert(header::LOCATION, location);
    Some(response)
}

/// The way to the documents: the page for browsers, and links for programs.
fn entrance(files: &[File], parts: &Parts) -> Option<Response> {
    let accepted = parts
        .headers
        .get(header::ACCEPT)
        .and_then(|accepted| accepted.to_str().ok());
    if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        let page = files.iter().find(|file| matches!(file.kind, FileKind::Page { .. }))?;
        return see(&page.path);
    }
    let links = files.iter().filter_map(|file| {
        let members = [
            ("rel", file.relation?),
            ("href", file.path.as_str()),
            ("type", file.media_type),
        ];
        let members = members.map(|(name, value)| (name.to_owned(), Value::text(value)));
        Some(Value::Object(members.into()))
    });
    let links = Value::Object(vec![("links".to_owned(), Value::List(links.collect()))]);
    let mut response = Response::new(Bytes::from(links.to_string()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Some(response)
}

/// Whether a query selects this variant.
fn is_selected(file: &File, query: &str) -> bool {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let pairs: Vec<(&str, Option<String>)> = pairs.map(|(name, value)| (name, percent_decoded(value))).collect();
    let is_known = |(name, _): &(&str, Option<String>)| file.query.iter().any(|parameter| parameter.name == *name);
    pairs.iter().all(is_known)
        && file.query.iter().all(|parameter| {
            let mut given = pairs.iter().filter(|(name, _)| *name == parameter.name);
            match given.next() {
                Some((_, value)) => *value == parameter.value && value.is_some() && given.next().is_none(),
                None => parameter.is_default,
            }
        })
}

fn text(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
