//! The paths that lead to the documents: `/`, and a page's path with a trailing slash, or without it if the page has one. Browsers
//! are redirected to the page, by a relative address, so that it also works below another base path; programs get the links in
//! JSON.

use super::accepted;
use super::headers;
use super::{Document, DocumentResponse, Kind};
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use serde_json::json;

/// The paths that lead to these documents.
pub(super) struct Entrance {
    pages: Vec<&'static str>,
    /// The links in JSON; empty if no document is linked.
    links: Bytes,
}

impl Entrance {
    pub(super) fn from_documents(documents: &[&'static Document]) -> Self {
        let pages = documents.iter().filter(|one| matches!(one.kind, Kind::Page { .. }));
        let linked = documents
            .iter()
            .filter_map(|one| Some(json!({ "rel": one.relation?, "href": one.path, "type": one.media_type })));
        let linked: Vec<_> = linked.collect();
        Self {
            pages: pages.map(|page| page.path).collect(),
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
            _ => self.meant(path).is_some(),
        }
    }

    /// The page whose path is this one but for its slash at the end.
    fn meant(&self, path: &str) -> Option<&'static str> {
        let other = |page: &&str| page.strip_suffix('/').unwrap_or(page) == path.strip_suffix('/').unwrap_or(path);
        self.pages.iter().copied().find(|page| *page != path && other(page))
    }

    /// A redirect to the page, or the links.
    pub(super) fn response(&self, path: &str, accepted: &HeaderMap) -> DocumentResponse {
        let page = match path {
            "/" => self.pages.first().copied().filter(|_| accepted::wants_page(accepted)),
            _ => self.meant(path),
        };
        let mut response = DocumentResponse::default();
        match page {
            Some(page) => {
                *response.status_mut() = StatusCode::SEE_OTHER;
                headers::of_way(&mut response, &relative(path, page));
            }
            None => {
                *response.body_mut() = self.links.clone();
                headers::of_links(&mut response);
            }
        }
        response
    }
}

/// The address of `to`, relative to the path `from`.
fn relative(from: &str, to: &str) -> String {
    let up = "../".repeat(from.matches('/').count().saturating_sub(1));
    format!("{up}{}", to.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_relative_to_the_folder_of_the_path() {
        for (from, to, address) in [
            ("/", "/docs", "docs"),
            ("/docs/", "/docs", "../docs"),
            ("/jobs", "/jobs/", "jobs/"),
            ("/a/b", "/a/b/", "../a/b/"),
        ] {
            assert_eq!(relative(from, to), address, "{from} {to}");
        }
    }
}
