//! Serves the documents of a contract, its pages for people, and the files that these load, from the compressed table
//! that `codegen::cargo::documents` generates.
//!
//! Errors are plain text, since these paths are outside of the contract and its envelope. There are no credentials,
//! since nothing is secret, and no rate limits, since clients can cache (`ETag`) and the content is compressed at
//! build time.

mod accepted;
mod addressed;
mod entrance;
mod headers;
mod selected;

use super::exchange::{self, Exchange};
use accepted::Coding;
use bytes::Bytes;
use entrance::Entrance;
use flate2::read::GzDecoder;
use http::header::{ALLOW, IF_NONE_MATCH};
use http::{HeaderValue, Method, StatusCode};
use selected::Selected;
use std::borrow::Cow;
use std::io::Read;
use std::sync::{Arc, OnceLock};
use warp::filters::BoxedFilter;

/// One document, page or file outside of the surfaces.
#[derive(Debug)]
pub struct Document {
    /// Its path.
    pub path: &'static str,
    /// Its query, among the variants of this path. All variants of a path have the same parameters in the same order;
    /// one of them needs none.
    pub query: &'static [Parameter],
    /// Its `Content-Type`.
    pub media_type: &'static str,
    /// How it is used.
    pub kind: Kind,
    /// When it is served.
    pub when: When,
    /// Its link relation to the service (RFC 8288); `None` if it is not linked.
    pub relation: Option<&'static str>,
    /// The entity tag of its bytes, in quotes.
    pub etag: &'static str,
    /// The entity tag of its compressed bytes, in quotes, which caches must distinguish (RFC 9110 §8.8.3.3).
    pub gzip_etag: &'static str,
    /// Its bytes, compressed.
    pub gzip: &'static [u8],
}

/// A query parameter that selects a variant of a path.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value; `None` if the parameter must be absent.
    pub value: Option<&'static str>,
    /// Whether this variant is the default if the parameter is absent.
    pub is_default: bool,
}

/// How a document is used.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// A document for programs, including those of other origins.
    Document,
    /// A text for agents. It begins with the address by which it was requested.
    Text,
    /// A page for browsers, with this Content-Security-Policy.
    Page {
        /// The value of the header.
        policy: &'static str,
    },
    /// A file that a page loads. The content at its path never changes.
    Part,
}

/// When a document is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// If the console is served at the same address: the console itself, and what leads to it.
    WithConsole,
    /// If it is not: what is there instead.
    WithoutConsole,
}

impl When {
    /// Whether a document is served where the console is, or is not.
    pub fn holds(self, has_console: bool) -> bool {
        match self {
            When::Always => true,
            When::WithConsole => has_console,
            When::WithoutConsole => !has_console,
        }
    }
}

/// Serves these documents and the redirects to them; `/` leads to the first page. Any other path is rejected as not found; a
/// path that matches is never rejected.
pub fn filter(documents: impl IntoIterator<Item = &'static Document>) -> BoxedFilter<(exchange::Response,)> {
    let served = Arc::new(Served::new(documents.into_iter().collect()));
    let ours = Arc::clone(&served);
    let is_ours =
        move |method: &Method, path: &str| ours.entrance.is_at(method, path) || ours.variants(path).next().is_some();
    let answer = move |exchange| {
        let served = Arc::clone(&served);
        async move { served.answer(exchange).await.map(Into::into) }
    };
    exchange::filter(is_ours, None, answer)
}

/// A document or an error response.
type DocumentResponse = http::Response<Bytes>;

struct Served {
    documents: Vec<&'static Document>,
    /// The uncompressed bytes of each document, for clients that do not accept gzip. They are kept, so that all such
    /// clients share them.
    unpacked: Vec<OnceLock<Bytes>>,
    /// The links to all linked documents.
    links: HeaderValue,
    entrance: Entrance,
}

impl Served {
    fn new(documents: Vec<&'static Document>) -> Self {
        Self {
            unpacked: documents.iter().map(|_| OnceLock::new()).collect(),
            links: headers::links(&documents),
            entrance: Entrance::from_documents(&documents),
            documents,
        }
    }

    /// The variants at this path.
    fn variants(&self, path: &str) -> impl Iterator<Item = &'static Document> {
        self.documents.iter().copied().filter(move |one| one.path == path)
    }

    async fn answer(&self, mut exchange: Exchange) -> DocumentResponse {
        let mut response = self.response(&exchange);
        exchange.answered(response.status().as_u16());
        exchange.discard_body().await;
        if exchange.method == Method::HEAD {
            *response.body_mut() = Bytes::new();
        }
        response
    }

    fn response(&self, exchange: &Exchange) -> DocumentResponse {
        let variants: Vec<&Document> = self.variants(exchange.path()).collect();
        let kind = variants.first().map_or(&Kind::Document, |first| &first.kind);
        if ![Method::GET, Method::HEAD].contains(&exchange.method) {
            let text = "this can only be read: GET or HEAD";
            let mut response = self.error_response(kind, StatusCode::METHOD_NOT_ALLOWED, text);
            let allowed = HeaderValue::from_static("GET, HEAD");
            response.headers_mut().insert(ALLOW, allowed);
            return response;
        }
        if variants.is_empty() {
            let mut response = self.entrance.response(exchange.path(), &exchange.headers);
            headers::of_every(&mut response, kind, &self.links);
            return response;
        }
        match (
            selected::select(&variants, exchange.query()),
            accepted::coding(&exchange.headers),
        ) {
            (Selected::Error(text), _) => self.error_response(kind, StatusCode::BAD_REQUEST, &text),
            (_, None) => {
                let text = "Accept-Encoding rejects all that there is: send `gzip`, or `identity`, or leave it out";
                let mut response = self.error_response(kind, StatusCode::NOT_ACCEPTABLE, text);
                headers::vary(&mut response);
                response
            }
            (Selected::Document(document), Some(coding)) => self.found(document, coding, exchange),
        }
    }

    fn found(&self, document: &Document, coding: Coding, exchange: &Exchange) -> DocumentResponse {
        let address = addressed::address(document, exchange);
        let etag = match &address {
            Some(address) => Cow::Owned(addressed::etag(document.etag(coding), address)),
            None => Cow::Borrowed(document.etag(coding)),
        };
        let conditions = exchange.headers.get_all(IF_NONE_MATCH).iter();
        let is_known = conditions.into_iter().any(|known| names(known.as_bytes(), &etag));
        let body = match (address, coding) {
            _ if is_known => Bytes::new(),
            (Some(address), _) => addressed::body(document, &self.unpacked(document), coding, &address),
            // A response without a body needs no uncompressed bytes.
            (None, Coding::Identity) if exchange.method == Method::HEAD => Bytes::new(),
            (None, Coding::Identity) => self.unpacked(document),
            (None, Coding::Gzip) => Bytes::from_static(document.gzip),
        };
        let length = match coding {
            Coding::Identity if body.is_empty() => document.length(),
            _ => body.len(),
        };
        let mut response = DocumentResponse::new(body);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        headers::of_every(&mut response, &document.kind, &self.links);
        headers::of_document(&mut response, document, coding, (&etag, length));
        response
    }

    fn unpacked(&self, document: &Document) -> Bytes {
        let place = self.documents.iter().position(|one| std::ptr::eq(*one, document));
        let place = place.expect("it is one of these");
        self.unpacked[place].get_or_init(|| document.unpacked()).clone()
    }

    fn error_response(&self, kind: &Kind, status: StatusCode, text: &str) -> DocumentResponse {
        let mut response = DocumentResponse::new(Bytes::from(format!("{text}\n")));
        *response.status_mut() = status;
        headers::of_every(&mut response, kind, &self.links);
        headers::of_error(&mut response);
        response
    }
}

impl Document {
    /// The entity tag of its bytes in this coding.
    fn etag(&self, coding: Coding) -> &'static str {
        match coding {
            Coding::Identity => self.etag,
            Coding::Gzip => self.gzip_etag,
        }
    }

    /// The uncompressed length, which is at the end of the compressed bytes (RFC 1952 §2.3.1).
    fn length(&self) -> usize {
        let end = self.gzip.last_chunk().copied();
        end.map(u32::from_le_bytes)
            .and_then(|length| length.try_into().ok())
            .unwrap_or_default()
    }

    fn unpacked(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(self.length());
        let read = GzDecoder::new(self.gzip).read_to_end(&mut bytes);
        read.expect("it was compressed when this program was built");
        bytes.into()
    }
}

/// Whether `If-None-Match` matches this tag, or any; a weak tag matches too (RFC 9110 §13.1.2). Our tags contain no
/// quotes, so a quoted tag is never found within another one.
fn names(condition: &[u8], etag: &str) -> bool {
    condition.trim_ascii() == b"*" || condition.windows(etag.len()).any(|part| part == etag.as_bytes())
}

#[cfg(test)]
mod tests;
