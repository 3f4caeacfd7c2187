//! `mcp` of a surface, and `tool` of its endpoints

use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{Base, Boolean, Text, ToolName};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Span;
use crate::yaml::{Node, Value as Tree};

section! {
    /// `mcp` of a surface
    Mcp = "`mcp`" at "surfaces.NAME.mcp" with head;
    doc "Offers the endpoints of the surface as tools for AI agents: a server of the Model Context Protocol (MCP) at one \
         path. A tool call is a request to its endpoint, with the same credential, limits, guards and errors. Path \
         parameters, query parameters and members of the body are the arguments of the tool. Endpoints that return a \
         secret are not offered. The first text of a result is the body of the response: a list is the member `data` of \
         an object, no body is `{}`. A replay has `NAME/replayed` in `_meta`, with the name of the service. An error is a \
         result with `isError` and the text `STATUS NAME: TEXT. HELP (HEADER: VALUE)`. Without a valid credential the \
         response has the status of the error, and its text as the message of JSON-RPC.";
    example "{ path: /mcp }";
    keys {
        path: required(Base), example "/mcp",
            doc "The whole path. It lies under no base.",
            effect "The surface's filter also serves `POST` on this path.";
        instructions: optional(Text), absent "the `doc` of the service and of the surface",
            example "Search first, then borrow.",
            doc "What an agent must know before it chooses a tool: what the tools are for, and how they work together. \
                 The limits are added. The build warns if both together have more than 2,048 characters, since clients \
                 cut longer texts.",
            effect "The `instructions` of the server.";
    }
    aliases {
        "base" "route" "url" => "write where the tools are offered as `path`";
        "surface" => "`mcp` stands at the surface whose endpoints become tools";
        "tools" => "all endpoints become tools; leave one out with `tool: false` at the endpoint";
    }
}

section! {
    /// `tool` of an endpoint
    ToolWords = "`tool`" at "surfaces.NAME.endpoints.NAME.tool" with head;
    doc "How the endpoint is described as a tool, if its own name and `doc` do not fit.";
    example "{ name: find_books }";
    keys {
        name: optional(ToolName), absent "the name of the endpoint", example "find_books",
            doc "The name of the tool. No two tools of a surface have the same name.",
            effect "The name of the tool.";
        doc: optional(Text), absent "the `doc` of the endpoint", example "Search the shelves.",
            doc "What the tool is for. The first sentence is its title.",
            effect "The title and the description of the tool.";
    }
    aliases {
        "title" "description" => "write title and description as `doc`: its first sentence is the title";
    }
}

/// `tool` of an endpoint.
#[derive(Clone, Debug)]
pub enum Tool {
    /// The endpoint is no tool.
    Off(Span),
    /// The tool has words of its own.
    Worded(ToolWords),
}

impl Value for Tool {
    const FORM: Form = Form::Either {
        expected: "`false`, or a map with `name` and `doc`",
        of: &[ToolWords::FORM, Boolean::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        if let Tree::Map(_) = &node.form {
            return Tool::Worded(ToolWords::read(node, form, reader));
        }
        if Boolean::read(node, form, reader) {
            let message = "an endpoint is a tool if its surface has `mcp`";
            let help = "remove `tool`, or write `tool: false` to leave the endpoint out";
            reader.report(Diagnostic::new(Rule::BadValue, node.at, message).help(help));
        }
        Tool::Off(node.at)
    }
}
