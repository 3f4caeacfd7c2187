//! The files that a server of the contract serves beside its surfaces, independent of HTTP.

use std::borrow::Cow;

/// Paths of documents, for links between them.
pub(crate) const OPENAPI: &str = "/openapi.json";
pub(crate) const LLMS: &str = "/llms.txt";
pub(crate) const DOCS: &str = "/docs";

/// A file that a server serves beside its surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its whole path, such as `/docs/style.css`.
    pub path: String,
    /// The parameters that select this variant of the path. All variants of a path have the same parameters, in the
    /// same order. Exactly one variant is served without any.
    pub query: Vec<Parameter>,
    /// Its `Content-Type`.
    pub media_type: &'static str,
    /// Its content.
    pub bytes: Cow<'static, [u8]>,
    /// Its role for clients.
    pub kind: FileKind,
    /// When it is served.
    pub when: When,
    /// Its relation to the service in links (RFC 8288): `service-desc`, `service-doc` (both RFC 8631), … `None` if it
    /// is not linked, such as a file that a page loads, or a variant that must be requested.
    pub relation: Option<&'static str>,
}

/// A query parameter that selects a variant of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value; `None` if the parameter must be absent.
    pub value: Option<String>,
    /// Whether this variant is also served if the parameter is absent.
    pub is_default: bool,
}

/// The role of a file for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A document for programs, of other origins too.
    Document,
    /// A text for agents. A server puts the address by which it was requested before it.
    Text,
    /// A page that a browser shows under this Content-Security-Policy.
    Page {
        /// The value of the header.
        policy: String,
    },
    /// A file that a page loads. Its path contains its version or its hash: the content at that path never changes.
    Part,
}

/// When a file is served. A server may have the console at another address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// If the console is served at the same address.
    WithConsole,
    /// If it is not.
    WithoutConsole,
}

impl File {
    /// A file without variants that is not linked.
    pub fn new(
        path: impl Into<String>,
        media_type: &'static str,
        kind: FileKind,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        Self {
            path: path.into(),
            query: Vec::new(),
            media_type,
            bytes: bytes.into(),
            kind,
            when: When::Always,
            relation: None,
        }
    }

    /// Sets its relation to the service.
    #[must_use]
    pub fn related(self, relation: &'static str) -> Self {
        Self {
            relation: Some(relation),
            ..self
        }
    }

    /// Sets when it is served.
    #[must_use]
    pub fn served(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// Sets the parameters that select this variant.
    #[must_use]
    pub fn selected_by(self, query: Vec<Parameter>) -> Self {
        Self { query, ..self }
    }

    /// The shortest request target for it: `/openapi.json?surface=reading`.
    pub fn target(&self) -> String {
        let needed = self.query.iter().filter(|parameter| !parameter.is_default);
        let needed = needed.filter_map(|one| Some(format!("{}={}", one.name, one.value.as_ref()?)));
        let query: Vec<String> = needed.collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, query.join("&"))
    }

    /// Whether its path without a query is answered with it.
    pub fn is_default(&self) -> bool {
        self.query.iter().all(|parameter| parameter.is_default)
    }
}

impl Parameter {
    /// A parameter with this default value.
    pub fn default(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: Some(value.into()),
            is_default: true,
        }
    }

    /// A parameter that must be given with this value.
    pub fn with_value(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: Some(value.into()),
            is_default: false,
        }
    }

    /// A parameter that must be absent.
    pub fn absent(name: &'static str) -> Self {
        Self {
            name,
            value: None,
            is_default: true,
        }
    }
}
