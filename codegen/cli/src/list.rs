//! `codegen list`: the operations of a contract by surface, one a line. The heading of a surface has the common
//! properties of its operations, and the errors that follow from what an operation needs, reads or writes. A line has
//! the errors of the operation's business rules.
//!
//! `--json` prints one object. Its members are stable; more may be added:
//!
//! ```text
//! { "title": …, "operations": [ {
//!     "surface": …, "name": …, "doc": … or null,
//!     "method": …, "path": the whole path, parameters written `:name`,
//!     "line": …, "column": …              its place in the contract
//!     "credential": null or { "name": …, "header": …, "caller": a resource or null },
//!     "limit": null or { "name": …, "max": …, "window_seconds": …, "per": "caller" or "address" },
//!     "plan": … or null,                  the plan that callers need
//!     "exists": [ { "resource": …, "in": a resource or null,
//!         "optional": whether a request may leave its id out; the guards of the resource then pass } ],
//!     "owner": [ resources that the caller must own ],
//!     "open": … or null,                  the decision that lets callers name or see what belongs to others
//!     "quotas": [ { "name": …, "max": … } ],
//!     "transitions": "Resource.field" or null,
//!     "effects": [ what it does to the stored records, and what fills each field ],
//!     "counts": null or { "list": an operation, "by": a field, "max": … },     the list whose records it counts
//!     "answers": [ where the members of `data` come from; for a view, whose it is ],
//!     "undeclared": … or null,            why the contract does not declare everything
//!     "tool": … or null,                  its name as a tool of MCP
//!     "status": of a success,
//!     "errors": [ { "name": …, "status": …, "at": the step, "when": … or null } ]     in order of precedence
//! } ] }
//! ```

mod table;

use crate::input::Input;
use crate::output::Output;
use codegen::Model;
use codegen::json;
use codegen::model::{Counts, Credential, Kind, Limit, Operation, Per, Surface, Transitions};
use serde::Serialize;
use std::path::Path;

pub(crate) fn run(file: &Path, json: bool, handlers: bool) -> Output {
    let listed = Input::read(file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| {
            let model = input.compile()?;
            if handlers {
                return Ok(handlers_of(&model));
            }
            let listing = Listing::from_model(&model);
            Ok(if json {
                listing.json()
            } else {
                table::draw(&model, &listing)
            })
        });
    listed.map_or_else(|failure| failure, Output::from_text)
}

/// The handlers of a contract, with the reasons of those that have to be written.
fn handlers_of(model: &Model) -> String {
    let handlers = codegen::emit::handlers(model);
    let width = handlers
        .iter()
        .map(|handler| handler.name.len())
        .max()
        .unwrap_or_default();
    let line = |handler: &codegen::emit::Handler| format!("{:width$}  {}\n", handler.name, handler.origin());
    handlers.iter().map(line).collect()
}

/// A contract's operations.
#[derive(Serialize)]
struct Listing<'m> {
    title: &'m str,
    operations: Vec<Listed<'m>>,
}

/// One operation. The module documents its members.
#[derive(Serialize)]
struct Listed<'m> {
    surface: &'m str,
    name: &'m str,
    doc: Option<&'m str>,
    method: &'m str,
    path: String,
    line: usize,
    column: usize,
    credential: Option<ListedCredential<'m>>,
    limit: Option<ListedLimit<'m>>,
    plan: Option<&'m str>,
    exists: Vec<ListedGuard<'m>>,
    owner: Vec<&'m str>,
    open: Option<&'m str>,
    quotas: Vec<ListedQuota<'m>>,
    transitions: Option<String>,
    effects: Vec<String>,
    counts: Option<ListedCounts<'m>>,
    answers: Vec<String>,
    undeclared: Option<&'m str>,
    tool: Option<&'m str>,
    status: u16,
    errors: Vec<ListedError<'m>>,
}

#[derive(Serialize)]
struct ListedCredential<'m> {
    name: &'m str,
    header: &'m str,
    caller: Option<&'m str>,
}

#[derive(Serialize)]
struct ListedLimit<'m> {
    name: &'m str,
    max: u32,
    window_seconds: u32,
    per: &'static str,
}

#[derive(Serialize)]
struct ListedGuard<'m> {
    resource: &'m str,
    #[serde(rename = "in")]
    within: Option<&'m str>,
    optional: bool,
}

#[derive(Serialize)]
struct ListedQuota<'m> {
    name: &'m str,
    max: u64,
}

#[derive(Serialize)]
struct ListedCounts<'m> {
    list: &'m str,
    by: &'m str,
    max: u32,
}

#[derive(Serialize)]
struct ListedError<'m> {
    name: &'m str,
    status: u16,
    at: &'static str,
    when: Option<String>,
}

impl<'m> Listing<'m> {
    fn from_model(model: &'m Model) -> Self {
        let of_surface = |surface: &'m Surface| {
            let listed = move |operation| Listed::from_operation(model, surface, operation);
            surface.operations.iter().map(listed)
        };
        Listing {
            title: &model.title,
            operations: model.surfaces.iter().flat_map(of_surface).collect(),
        }
    }

    fn json(&self) -> String {
        json::pretty(self)
    }
}

impl<'m> Listed<'m> {
    fn from_operation(model: &'m Model, surface: &'m Surface, operation: &'m Operation) -> Self {
        let credential = surface.credential.as_ref().map(|name| model.credential(name));
        let limit = operation.limit.as_ref().map(|name| model.limit(name));
        let quotas = operation.quotas.iter().map(|name| model.quota(name));
        Listed {
            surface: &surface.name,
            name: &operation.name,
            doc: operation.doc.as_deref(),
            method: &operation.method,
            path: format!("{}{}", surface.base, operation.route),
            line: operation.at.line,
            column: operation.at.column,
            credential: credential.map(credential_of),
            limit: limit.map(limit_of),
            plan: operation.plan(),
            exists: guards_of(operation),
            owner: operation.owned().collect(),
            open: operation.open.as_deref(),
            quotas: quotas
                .map(|quota| ListedQuota {
                    name: &quota.name,
                    max: quota.max,
                })
                .collect(),
            transitions: transitions_of(model, operation),
            effects: operation
                .effects
                .iter()
                .map(|effect| format!("{}: {effect}", effect.key()))
                .collect(),
            counts: counts_of(operation),
            answers: operation.answers.iter().map(ToString::to_string).collect(),
            undeclared: operation.undeclared.as_deref(),
            tool: (surface.mcp.is_some() && operation.is_tool()).then(|| operation.tool_name()),
            status: operation.status,
            errors: errors_of(model, surface, operation),
        }
    }
}

fn credential_of(credential: &Credential) -> ListedCredential<'_> {
    ListedCredential {
        name: &credential.name,
        header: &credential.header,
        caller: credential.caller.as_ref().map(|caller| caller.resource.as_str()),
    }
}

fn limit_of(limit: &Limit) -> ListedLimit<'_> {
    ListedLimit {
        name: &limit.name,
        max: limit.max,
        window_seconds: limit.window_seconds,
        per: match limit.counts {
            Counts::Methods { per: Per::Caller, .. } => "caller",
            Counts::Methods { per: Per::Address, .. } | Counts::FailedCredentials => "address",
        },
    }
}

fn guards_of(operation: &Operation) -> Vec<ListedGuard<'_>> {
    let guards = operation.exists().map(|exists| ListedGuard {
        resource: &exists.resource,
        within: exists.parent.as_ref().map(|(parent, _)| parent.as_str()),
        optional: exists.is_optional,
    });
    guards.collect()
}

fn counts_of(operation: &Operation) -> Option<ListedCounts<'_>> {
    let counts = operation.counts()?;
    Some(ListedCounts {
        list: &counts.list.text,
        by: &counts.value.name,
        max: counts.max,
    })
}

/// `Resource.field`: the field with these states.
fn transitions_of(model: &Model, operation: &Operation) -> Option<String> {
    let Transitions { resource, states, .. } = operation.transitions.as_ref()?;
    let mut fields = model.resource(resource).fields.iter();
    let field = fields.find(|field| field.of.has_states && field.of.kind == Kind::Enum(states.clone()))?;
    Some(format!("{resource}.{}", field.name))
}

fn errors_of<'m>(model: &'m Model, surface: &Surface, operation: &Operation) -> Vec<ListedError<'m>> {
    let errors = model
        .errors_of(surface, operation)
        .into_iter()
        .map(|error| ListedError {
            name: &error.name,
            status: error.status,
            at: error.step.as_str(),
            when: error.when.as_ref().map(ToString::to_string),
        });
    errors.collect()
}
