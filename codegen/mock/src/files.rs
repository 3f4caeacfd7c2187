//! Files as bodies and as answers.

use crate::content::{Content, declared_type};
use crate::envelope::{Rejection, invalid};
use crate::exchange::{Exchange, Response};
use crate::mock::{Mock, State};
use crate::validation_errors::Faults;
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};

impl Mock {
    /// Takes the body of an operation whose body is a file.
    pub(crate) fn take_file(&self, exchange: &mut Exchange, body: &Bytes) -> Result<(), Rejection> {
        let Some(file) = &exchange.operation.file else {
            return Ok(());
        };
        let content = Content {
            media_type: declared_type(&exchange.parts.headers, &file.types).unwrap_or_default(),
            bytes: body.clone(),
        };
        if let Some(fault) = content.fault() {
            return Err(invalid(self.model, Faults::one(fault, ";content")));
        }
        exchange.content = Some(content);
        Ok(())
    }

    /// The response with the content of a record, in the place of the JSON response of a success.
    pub(crate) fn send_file(&self, state: &State, exchange: &Exchange, resource: &str, response: &mut Response) {
        let id = exchange.found(resource);
        let content = id.and_then(|id| state.files.get(&(resource.to_owned(), id)).cloned());
        let content = content.unwrap_or_else(|| Content {
            media_type: self
                .model
                .content_types(resource)
                .first()
                .copied()
                .unwrap_or_default()
                .to_owned(),
            bytes: Bytes::new(),
        });
        let etag = format!("\"{}\"", content.digest());
        let sent = |name: header::HeaderName| {
            let value = exchange.parts.headers.get(name);
            value
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
                .to_owned()
        };
        let is_known = sent(header::IF_NONE_MATCH).split(',').any(|one| {
            let one = one.trim();
            one == "*" || one.trim_start_matches("W/") == etag
        });
        let condition = sent(header::IF_RANGE);
        let is_current = condition.is_empty() || condition == etag;
        let part = Some(sent(header::RANGE)).filter(|_| is_current);
        let part = part.and_then(|range| part_of(&range, content.bytes.len()));
        let (status, bytes) = match part {
            _ if is_known => (StatusCode::NOT_MODIFIED, Bytes::new()),
            Some((first, end)) => (StatusCode::PARTIAL_CONTENT, content.bytes.slice(first..end)),
            None => (StatusCode::OK, content.bytes.clone()),
        };
        let headers = response.headers_mut();
        let mut set = |name: header::HeaderName, value: &str| {
            let value = HeaderValue::from_str(value).ok();
            match value.filter(|value| !value.is_empty()) {
                Some(value) => drop(headers.insert(name, value)),
                None => drop(headers.remove(name)),
            }
        };
        set(header::CONTENT_TYPE, if is_known { "" } else { &content.media_type });
        set(header::ETAG, &etag);
        set(header::ACCEPT_RANGES, "bytes");
        set(header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
        set(header::CONTENT_DISPOSITION, "attachment");
        if let (Some((first, end)), false) = (part, is_known) {
            let range = format!("bytes {first}-{}/{}", end - 1, content.bytes.len());
            set(header::CONTENT_RANGE, &range);
        }
        *response.status_mut() = status;
        *response.body_mut() = bytes;
    }
}

/// The first byte and the end of a single range that the file has.
fn part_of(range: &str, length: usize) -> Option<(usize, usize)> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.split_once('-')?;
    let whole = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| text.parse::<usize>().ok())?
    };
    let (first, end) = match (first, last) {
        ("", count) => (length.saturating_sub(whole(count)?), length),
        (first, "") => (whole(first)?, length),
        (first, last) => (whole(first)?, whole(last)?.saturating_add(1).min(length)),
    };
    (unit.eq_ignore_ascii_case("bytes") && first < end).then_some((first, end))
}
