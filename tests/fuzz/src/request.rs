//! The requests of the operations of a contract, and their answers.

use bytes::Bytes;
use codegen::Model;
use codegen::model::Surface;
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::Full;

use crate::services::value;

/// An operation, with the credential of somebody who may call it.
#[derive(Clone, Default)]
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// With the id 1 for each parameter.
    pub(crate) path: String,
    pub(crate) has_body: bool,
    pub(crate) credential: Option<Credential>,
}

/// A credential that is accepted.
#[derive(Clone)]
pub(crate) struct Credential {
    pub(crate) header: HeaderName,
    pub(crate) secret: HeaderValue,
    /// What all such credentials begin with.
    pub(crate) prefixes: Vec<String>,
    /// How many random characters follow.
    pub(crate) random: usize,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) is_json: bool,
    pub(crate) body: Bytes,
}

impl Operation {
    /// All operations of a contract.
    pub(crate) fn all(model: &Model, secrets: &[(&str, String)]) -> Vec<Self> {
        let of = |surface: &Surface| {
            let operations = surface.operations.iter().map(|declared| {
                let segments = declared.route.split('/');
                let segments = segments.map(|segment| if segment.starts_with(':') { "1" } else { segment });
                let path = format!("{}{}", surface.base, segments.collect::<Vec<_>>().join("/"));
                Self {
                    has_body: declared.body.is_some(),
                    ..Self::new(model, surface, declared.method.as_ref(), path, secrets)
                }
            });
            operations.collect::<Vec<_>>()
        };
        model.surfaces.iter().flat_map(of).collect()
    }

    /// An operation at a path.
    pub(crate) fn new(
        model: &Model,
        surface: &Surface,
        method: &str,
        path: String,
        secrets: &[(&str, String)],
    ) -> Self {
        let named = |name: &String| {
            let kind = model.credentials.iter().find(|kind| kind.name == *name)?;
            let (_, secret) = secrets.iter().find(|(kind, _)| kind == name)?;
            Some(Credential {
                header: kind.header.parse().expect("a header"),
                secret: value(secret),
                prefixes: kind.prefixes().map(str::to_owned).collect(),
                random: kind.random as usize,
            })
        };
        Self {
            method: method.parse().expect("a method"),
            path,
            has_body: false,
            credential: surface.credential.as_ref().and_then(named),
        }
    }

    /// A request of it, at another target and with another credential than its own if these are given. `None` if no
    /// listener would take the target.
    pub(crate) fn request(
        &self,
        target: impl Into<Bytes>,
        secret: Option<HeaderValue>,
        body: &[u8],
    ) -> Option<Request<Full<Bytes>>> {
        let target = PathAndQuery::from_maybe_shared(target.into()).ok()?;
        let mut request = Request::new(Full::from(body.to_vec()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = Uri::from(target);
        let headers = request.headers_mut();
        headers.insert(http::header::HOST, HeaderValue::from_static("localhost"));
        if let Some(credential) = &self.credential {
            headers.insert(&credential.header, secret.unwrap_or(credential.secret.clone()));
        }
        if self.method != Method::GET {
            headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(http::header::CONTENT_LENGTH, body.len().into());
        }
        Some(request)
    }
}
