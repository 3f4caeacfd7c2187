//! What a server of the contract serves beside its surfaces, before anything is said about how.

use std::borrow::Cow;

/// Where documents are found, for links from one to another.
pub(crate) const OPENAPI: &str = "/openapi.json";
pub(crate) const LLMS: &str = "/llms.txt";
pub(crate) const DOCS: &str = "/docs";

/// One of the things that a server serves beside its surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is found: a whole path, such as `/docs/style.css`.
    pub path: String,
    /// Which of the variants of this path it is. All variants of a path have the same parameters, in the same order; exactly
    /// one of them is had without any.
    pub query: Vec<Parameter>,
    /// Its `Content-Type`.
    pub media_type: &'static str,
    /// What it holds.
    pub bytes: Cow<'static, [u8]>,
    /// What it is to whoever loads it.
    pub kind: Kind,
    /// What it is to the service, in links to it (RFC 8288): `service-desc`, `service-doc` (both RFC 8631), … Nothing where
    /// it is not linked to, as what a page loads or a variant that must be asked for.
    pub relation: Option<&'static str>,
}

/// A parameter of the query that selects a variant of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value; nothing where it must not be given.
    pub value: Option<String>,
    /// Whether this variant is also the one for those who do not give the parameter.
    pub is_default: bool,
}

/// What a file is to whoever loads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A document: programs read it, of other origins too.
    Document,
    /// A page: a browser shows it, under this Content-Security-Policy.
    Page {
        /// The policy, as it is sent.
        policy: String,
    },
    /// What a page loads. Its path holds its version or a hash of it: what is found there never changes.
    Part,
}

impl File {
    /// A file that is alone at its path, and not linked to.
    pub fn new(
        path: impl Into<String>,
        media_type: &'static str,
        kind: Kind,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        Self {
            path: path.into(),
            query: Vec::new(),
            media_type,
            bytes: bytes.into(),
            kind,
            relation: None,
        }
    }

    /// As what it is linked to.
    #[must_use]
    pub fn related(self, relation: &'static str) -> Self {
        Self {
            relation: Some(relation),
            ..self
        }
    }

    /// As the variant that these parameters select.
    #[must_use]
    pub fn selected_by(self, query: Vec<Parameter>) -> Self {
        Self { query, ..self }
    }

    /// What a request for it asks for, as short as can be: `/openapi.json?surface=reading`.
    pub fn target(&self) -> String {
        let needed = self.query.iter().filter(|parameter| !parameter.is_default);
        let needed = needed.filter_map(|one| Some(format!("{}={}", one.name, one.value.as_ref()?)));
        let query: Vec<String> = needed.collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, query.join("&"))
    }

    /// Whether it is what is found at its path without a query.
    pub fn is_default(&self) -> bool {
        self.query.iter().all(|parameter| parameter.is_default)
    }
}

impl Parameter {
    /// With the value that it has where it is not given.
    pub fn default(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: Some(value.into()),
            is_default: true,
        }
    }

    /// With a value that must be given.
    pub fn given(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: Some(value.into()),
            is_default: false,
        }
    }

    /// Not given.
    pub fn absent(name: &'static str) -> Self {
        Self {
            name,
            value: None,
            is_default: true,
        }
    }
}
