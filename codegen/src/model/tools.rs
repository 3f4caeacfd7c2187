//! Operations as tools for AI agents.

use super::{Operation, Span, Surface};

/// Where a surface offers its operations as tools.
#[derive(Clone, Debug)]
pub struct Mcp {
    /// The whole path.
    pub path: String,
    /// What an agent must know before it chooses a tool.
    pub instructions: Option<String>,
    /// Position in the file.
    pub at: Span,
    /// Position of the path.
    pub path_at: Span,
}

/// What the contract says of an operation as a tool.
#[derive(Clone, Debug)]
pub enum Tool {
    /// It is none.
    Off(Span),
    /// It has words of its own.
    Worded {
        /// Its name, if not that of the operation.
        name: Option<String>,
        /// Its description, if not that of the operation.
        doc: Option<String>,
        /// Position in the file.
        at: Span,
    },
}

impl Tool {
    /// Position in the file.
    pub fn at(&self) -> Span {
        match self {
            Tool::Off(at) | Tool::Worded { at, .. } => *at,
        }
    }
}

/// The argument of a tool that is its idempotency key.
pub const KEY_ARGUMENT: &str = "idempotency_key";

impl Surface {
    /// The operations that it offers as tools, in order: none that is left out, and none that returns a secret.
    pub fn tools(&self) -> impl Iterator<Item = &Operation> + Clone {
        let operations = self.mcp.iter().flat_map(|_| &self.operations);
        operations.filter(|operation| operation.is_tool())
    }
}

impl Operation {
    /// The parameter that has another default as an argument of the tool, and that default.
    pub fn tool_default(&self) -> Option<(&str, u64)> {
        let feed = self.feed.as_ref()?;
        Some((feed.wait.as_deref()?, feed.tool_wait?))
    }

    /// Whether it is a tool if its surface offers tools.
    pub fn is_tool(&self) -> bool {
        !matches!(self.tool, Some(Tool::Off(_))) && !self.shows_secret() && self.file.is_none()
    }

    /// Its name as a tool.
    pub fn tool_name(&self) -> &str {
        match &self.tool {
            Some(Tool::Worded { name: Some(name), .. }) => name,
            _ => &self.name,
        }
    }

    /// What it is for, as a tool.
    pub fn tool_doc(&self) -> Option<&str> {
        match &self.tool {
            Some(Tool::Worded { doc: Some(doc), .. }) => Some(doc),
            _ => self.doc.as_deref(),
        }
    }
}
