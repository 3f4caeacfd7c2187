//! The paths that lead to the documents: `/`, and a page's path with a trailing slash. Browsers are redirected to the
//! page; programs get the links in JSON.

use super::accepted;
use super::headers;
use super::{Document, DocumentResponse, Kind};
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use serde_json::json;

/// The paths that lead to these documents.
pub(super) struct Entrance {
    page: Option<&'static str>,
    /// The links in JSON; empty if no document is linked.
    links: Bytes,
}

impl Entrance {
    pub(super) fn from_documents(documents: &[Document]) -> Self {
        let page = documents.iter().find(|one| matches!(one.kind, Kind::Page { .. }));
        let linked = documents
            .iter()
            .filter_map(|one| Some(json!({ "rel": one.relation?, "href": one.path, "type": one.media_type })));
        let linked: Vec<_> = linked.collect();
        Self {
            page: page.map(|page| page.path),
            links: match linked.is_empty() {
                true => Bytes::new(),
                false => format!("{:#}\n", json!({ "links": linked })).into(),
            },
        }
    }

    /// Whether this is a path that leads to the documents. That of a CONNECT is not: it has none, and gets this one.
    pub(super) fn is_at(&self, method: &Method, path: &str) -> bool {
        match path {
            _ if method == Method::CONNECT => false,
            "/" => !self.links.is_empty(),
            _ => path.strip_suffix('/').is_some_and(|page| self.page == Some(page)),
        }
    }

    /// A redirect to the page, or the links.
    pub(super) fn response(&self, path: &str, accepted: &HeaderMap) -> DocumentResponse {
        let page = self.page.filter(|_| path != "/" || accepted::wants_page(accepted));
        let mut response = DocumentResponse::default();
        match page {
            Some(page) => {
                *response.status_mut() = StatusCode::SEE_OTHER;
                headers::of_way(&mut response, page);
            }
            None => {
                *response.body_mut() = self.links.clone();
                headers::of_links(&mut response);
            }
        }
        response
    }
}
