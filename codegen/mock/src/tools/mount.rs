//! The tools of a surface as constants: a mock serves one contract until it ends.

use codegen::documents::tools;
use codegen::model::{Kind, Model, Operation, Segment, Surface};
use codegen::step::Step;
use codegen_support::mcp::{Mount, Pages, PathPart, Tool};
use codegen_support::{BodyBounds, Method, MinRate};
use std::collections::BTreeSet;

/// `None` if the surface offers no tools.
pub(super) fn mount(model: &'static Model, surface: &'static Surface) -> Option<&'static Mount> {
    let texts = tools::texts(model, surface)?;
    let rejecting = [Step::CredentialLimit, Step::Credential].into_iter();
    let rejecting = rejecting
        .filter_map(|step| model.error_at(step))
        .map(|error| error.name.as_str());
    let help = model.errors.iter();
    let help = help.filter_map(|error| Some((error.name.as_str(), error.help.as_deref()?)));
    let all: Vec<Tool> = surface
        .tools()
        .zip(texts.titles)
        .map(|(operation, title)| tool(model, surface, operation, title.leak()))
        .collect();
    let credential = model.credential_of(surface);
    Some(Box::leak(Box::new(Mount {
        surface: &surface.name,
        name: &model.name,
        server: texts.server.leak(),
        instructions: texts.instructions.leak(),
        list: texts.list.leak(),
        tools: all.leak(),
        credential: credential.map(|credential| lower_case(&credential.header)),
        unauthenticated: rejecting.collect::<Vec<_>>().leak(),
        help: help.collect::<Vec<_>>().leak(),
        body: bounds(model, surface),
    })))
}

/// The greatest bounds of the tools, and some bytes for what surrounds the arguments.
fn bounds(model: &Model, surface: &Surface) -> BodyBounds {
    const AROUND: u64 = 4096;
    let with_body = surface.tools().filter(|one| one.body.is_some());
    let max_bytes = with_body.map(|one| one.max_bytes).fold(model.body_max_bytes, u64::max);
    BodyBounds {
        max_bytes: usize::try_from(max_bytes + AROUND).unwrap_or(usize::MAX),
        max_seconds: model.body_max_seconds,
        min_rate: model.body_min_rate.as_ref().map(|rate| MinRate {
            bytes_per_second: u32::try_from(rate.bytes_per_second.whole()).unwrap_or(u32::MAX),
            grace_seconds: rate.grace_seconds.whole(),
        }),
    }
}

fn tool(model: &'static Model, surface: &'static Surface, operation: &'static Operation, title: &'static str) -> Tool {
    let base = surface.base.split('/').skip(1).map(PathPart::Text);
    let parts = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => PathPart::Text(text),
        Segment::Parameter(name) => PathPart::Argument(name),
    });
    let lists = operation
        .query
        .iter()
        .filter(|field| matches!(field.of.kind, Kind::EventNames(_)));
    let defaults = operation.tool_default().into_iter();
    let defaults = defaults.map(|(name, value)| (name, &*value.to_string().leak()));
    let nearest = operation.nearest.iter();
    let nearest = nearest.map(|nearest| (nearest.parameter.as_str(), lower_case(&nearest.header)));
    let members = model.body(operation).map(|body| {
        let members = body.members.iter().map(|member| member.field.name.as_str());
        &*members.collect::<Vec<_>>().leak()
    });
    Tool {
        name: operation.tool_name(),
        title,
        method: Method::from_bytes(operation.method.as_bytes()).unwrap_or(Method::GET),
        path: base.chain(parts).collect::<Vec<_>>().leak(),
        query: operation
            .query
            .iter()
            .map(|field| field.name.as_str())
            .collect::<Vec<_>>()
            .leak(),
        lists: lists.map(|field| field.name.as_str()).collect::<Vec<_>>().leak(),
        defaults: defaults.collect::<Vec<_>>().leak(),
        body: members,
        takes_key: operation.keep_seconds.is_some(),
        pages: operation.pages.as_ref().map(|pages| Pages {
            size: argument(model, operation, &pages.size),
            offset: pages.offset.as_ref().map(|offset| argument(model, operation, offset)),
        }),
        nearest: nearest.collect::<Vec<_>>().leak(),
    }
}

/// An argument that selects a page, with its default.
fn argument(model: &Model, operation: &Operation, name: &'static str) -> (&'static str, Option<i64>) {
    let field = operation.query.iter().find(|field| field.name == name);
    let default = field.and_then(|field| model.default_json(&field.of));
    (name, default.and_then(|json| json.parse().ok()))
}

/// The headers of all errors, in lower case.
pub(super) fn error_headers(model: &Model) -> Vec<&'static str> {
    let headers = model
        .errors
        .iter()
        .flat_map(|error| &error.headers)
        .chain(&model.error_headers);
    let names: BTreeSet<String> = headers.map(|(name, _)| name.to_lowercase()).collect();
    names.into_iter().map(|name| &*name.leak()).collect()
}

fn lower_case(header: &str) -> &'static str {
    header.to_lowercase().leak()
}
