//! Calls as tools of the Model Context Protocol (MCP): a request becomes a call of its operation's tool, and the result becomes the
//! response that the request would have had, as far as a tool shows it
//! (<https://modelcontextprotocol.io/specification/2025-11-25/server/tools>).

use super::call::Call;
use super::found::{Found, found};
use crate::description::type_of;
use crate::exchange::{Request, Response};
use crate::json;
use crate::level::Level;
use crate::query::encoded;
use crate::template::match_template;
use crate::types::Type;
use codegen::Model;
use codegen::model::{Data, EnvelopeValue, ErrorEntry, Field, KEY_ARGUMENT, Kind, Operation, SuccessBody, Surface};
use codegen::step::Step;
use percent_encoding::percent_decode_str;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The version whose requests state it, in `_meta` and in headers.
const STATED: &str = "2026-07-28";

/// The newest version that `initialize` agrees on.
const INITIALIZED: &str = "2025-11-25";

/// The id of each message.
const ID: u64 = 1;

/// The header of a response that has the name of a tool's error.
pub(super) const ERROR: &str = "error of a tool";

/// The most bytes of a body that becomes arguments. A longer one is sent as a request.
const LONGEST: usize = 8000;

/// The most bytes of an answer that a tool shows whole.
const LONGEST_ANSWER: usize = 30_000;

/// The versions of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Each request states its version.
    Stated,
    /// A client begins with `initialize`.
    Initialized,
}

impl Era {
    pub(super) const ALL: [Self; 2] = [Self::Stated, Self::Initialized];

    pub(super) fn version(self) -> &'static str {
        match self {
            Self::Stated => STATED,
            Self::Initialized => INITIALIZED,
        }
    }
}

/// Whether an operation is offered as a tool, and its answer can be compared: a file is shown in a form of its own.
pub(super) fn is_tool(surface: &Surface, operation: &Operation) -> bool {
    surface.mcp.is_some() && operation.is_tool() && operation.content_of.is_none()
}

/// Whether an answer is short enough to be shown whole.
pub(super) fn is_shown_whole(answer: &Response) -> bool {
    answer.body.len() <= LONGEST_ANSWER
}

/// A message to the tools of a surface.
pub(super) fn message(surface: &Surface, era: Era, method: &str, params: Value) -> Request {
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
    ];
    let mut params = params;
    if method != "initialize" {
        headers.push(("mcp-protocol-version".to_owned(), era.version().to_owned()));
    }
    if era == Era::Stated {
        headers.push(("mcp-method".to_owned(), method.to_owned()));
        headers.extend(
            params["name"]
                .as_str()
                .map(|name| ("mcp-name".to_owned(), name.to_owned())),
        );
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": STATED,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    Request {
        method: "POST".to_owned(),
        target: surface.mcp.iter().map(|mcp| mcp.path.as_str()).collect(),
        headers,
        body: Some(
            json!({ "jsonrpc": "2.0", "id": ID, "method": method, "params": params })
                .to_string()
                .into_bytes(),
        ),
        peer: None,
    }
}

/// The request that calls the tool of a call's operation; `None` if a tool cannot say what the call says. `request` is the call's.
pub(super) fn request(model: &'static Model, call: &Call<'static>, request: &Request, era: Era) -> Option<Request> {
    const HERE: &str = "arguments of the call";
    let (surface, operation) = call
        .operation
        .filter(|(surface, operation)| is_tool(surface, operation))?;
    let arguments = arguments(model, call, operation, request)?;
    let params = json!({ "name": operation.tool_name(), "arguments": HERE });
    let mut sent = message(surface, era, "tools/call", params);
    // As they are: a number keeps its notation.
    let text = String::from_utf8(sent.body?).ok()?;
    sent.body = Some(text.replacen(&format!("\"{HERE}\""), &arguments, 1).into_bytes());
    let is_own = |name: &str| name.eq_ignore_ascii_case("content-type") || Some(name) == key_header(model);
    sent.headers
        .extend(request.headers.iter().filter(|(name, _)| !is_own(name)).cloned());
    sent.peer = request.peer;
    Some(sent)
}

/// The header of idempotency keys.
fn key_header(model: &Model) -> Option<&str> {
    model.idempotency.as_ref().map(|keys| keys.header.as_str())
}

/// The arguments as JSON.
fn arguments(
    model: &'static Model,
    call: &Call<'static>,
    operation: &'static Operation,
    request: &Request,
) -> Option<String> {
    let is_plain = call.raw.is_none()
        && call.other_path.is_none()
        && call.headers.is_empty()
        && operation.method == call.method
        && call.body.as_ref().is_none_or(|body| body.len() <= LONGEST);
    if !is_plain {
        return None;
    }
    let mut arguments: Vec<(String, String)> = Vec::new();
    for (name, text) in &call.path {
        let field = operation.path.iter().find(|field| field.name == *name)?;
        if matches!(text.as_str(), "" | "." | "..") {
            return None;
        }
        arguments.push(((*name).to_owned(), argument(model, field, text)));
    }
    for pair in &call.query {
        let (name, text) = pair.split_once('=')?;
        let text = text.replace('+', " ");
        let text = percent_decode_str(&text).decode_utf8().ok()?;
        let field = operation.query.iter().find(|field| field.name == name);
        let value = field.map_or_else(
            || Value::from(&*text).to_string(),
            |field| argument(model, field, &text),
        );
        arguments.push((name.to_owned(), value));
    }
    // As a tool, a wait has a default of its own.
    if let Some((name, _)) = operation.tool_default()
        && !arguments.iter().any(|(known, _)| known == name)
    {
        let field = operation.query.iter().find(|field| field.name == name)?;
        arguments.push((name.to_owned(), model.default_json(&field.of)?));
    }
    if model.body(operation).is_some() {
        let members: HashMap<String, &RawValue> = serde_json::from_str(call.body.as_deref()?).ok()?;
        // One that stands twice does so in the arguments, too; but there its place is another one.
        json::parse(call.body.as_deref()?.as_bytes()).ok()?;
        if call.media_type != Some("application/json") {
            return None;
        }
        let mut members: Vec<(String, String)> = members
            .into_iter()
            .map(|(name, value)| (name, value.get().to_owned()))
            .collect();
        members.sort();
        arguments.extend(members);
    } else if call.body.is_some() {
        return None;
    }
    let mut headers = request.headers.iter();
    let key = headers.find(|(name, _)| Some(name.as_str()) == key_header(model));
    arguments.extend(key.map(|(_, key)| (KEY_ARGUMENT.to_owned(), Value::from(key.as_str()).to_string())));
    let names = arguments.iter().map(|(name, _)| name);
    let is_once = names.collect::<std::collections::HashSet<_>>().len() == arguments.len();
    let members = arguments
        .iter()
        .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
    is_once.then(|| format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

/// A value of a path or a query as JSON, of the declared type if its text allows that.
fn argument(model: &'static Model, field: &'static Field, text: &str) -> String {
    let as_text = || Value::from(text).to_string();
    if let Kind::EventNames(_) = field.of.kind {
        return Value::from(text.split(',').collect::<Vec<_>>()).to_string();
    }
    let is_plain = |text: &str| text.parse::<serde_json::Number>().is_ok() && !text.contains(['e', 'E']);
    match type_of(model, &field.of) {
        Type::Number { .. } | Type::Integer { .. } | Type::Id(_) if is_plain(text) => text.to_owned(),
        Type::Boolean | Type::Flag if matches!(text, "true" | "false") => text.to_owned(),
        _ => as_text(),
    }
}

/// The response for which the result of a tool stands. It has those headers only that a tool shows, and of an error the text.
pub(super) fn response(
    (model, level): (&Model, Level),
    call: &Call,
    era: Era,
    response: &Response,
) -> Result<Response, Box<Found>> {
    let reply = reply(response)?;
    let Some((surface, operation)) = call.operation else {
        return Ok(response.clone());
    };
    if response.status != 200 {
        // Without a valid credential there is no result.
        let text = reply["error"]["message"].as_str().unwrap_or_default();
        let errors = model.errors_of(surface, operation).into_iter();
        let mut errors = errors.filter(|error| error.status == response.status && has_no_result(error));
        if errors.clone().next().is_none() {
            let got = format!("status {}: {reply}", response.status);
            return Err(found(
                "a call of a tool without a result",
                got,
                "a result, of an error with `isError`",
            ));
        }
        let text = errors
            .find_map(|error| {
                let (words, _) = without_headers(model, error, text);
                without_help(error, words).filter(|text| match_template(&error.text, text).is_some())
            })
            .unwrap_or(text);
        return Ok(with_text(model, response.status, response.headers.clone(), text));
    }
    let result = &reply["result"];
    if !result.is_object() {
        return Err(found("the protocol rejects a call of a tool", &reply, "a result"));
    }
    if era == Era::Stated && result["resultType"] != "complete" {
        return Err(found("`resultType` of a result", &result["resultType"], "complete"));
    }
    let first = &result["content"][0];
    let (Some(text), true) = (first["text"].as_str(), first["type"] == "text") else {
        return Err(found("the first content of a result", first, "a text"));
    };
    match &result["isError"] {
        Value::Bool(true) => of_error((model, level), (surface, operation), text),
        // It may be left out.
        Value::Bool(false) | Value::Null => Ok(Response {
            status: operation.status,
            headers: shown_headers(model, operation, result),
            body: unwrapped(operation, text),
        }),
        other => Err(found("`isError` of a result", other, "a boolean")),
    }
}

/// Whether a call with this error has no result but a status of HTTP.
fn has_no_result(error: &ErrorEntry) -> bool {
    matches!(error.step, Step::CredentialLimit | Step::Credential)
}

/// The headers of a success that its result shows: that it is a replay, and proposed names.
fn shown_headers(model: &Model, operation: &Operation, result: &Value) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    if let Some(keys) = &model.idempotency
        && result["_meta"][format!("{}/replayed", model.name)] == true
    {
        headers.push((keys.replayed.to_ascii_lowercase(), "true".to_owned()));
    }
    let notes = result["content"].as_array().into_iter().flatten().skip(1);
    let notes: Vec<&str> = notes.filter_map(|note| note["text"].as_str()).collect();
    for nearest in &operation.nearest {
        let argument = format!("`{}`", nearest.parameter);
        let mut notes = notes.iter().filter_map(|note| note.split_once(&argument));
        if let Some((_, proposed)) = notes.next() {
            let names = proposed.split('`').skip(1).step_by(2).map(encoded);
            headers.push((nearest.header.to_ascii_lowercase(), names.collect::<Vec<_>>().join(",")));
        }
    }
    headers
}

/// The body of a success. A tool returns an object, also for a list or for nothing.
fn unwrapped(operation: &Operation, text: &str) -> Vec<u8> {
    let is_list = matches!(operation.data, Some(Data::Many { .. }));
    match operation.success_body() {
        SuccessBody::Nothing if text == "{}" => Vec::new(),
        SuccessBody::Data if is_list => match json::parse(text.as_bytes()) {
            Ok(object) => object["data"].to_string().into_bytes(),
            Err(_) => text.as_bytes().to_vec(),
        },
        _ => text.as_bytes().to_vec(),
    }
}

/// An error: `404 not_found: The text. What to do next (Retry-After: 5)`.
fn of_error(
    (model, level): (&Model, Level),
    (surface, operation): (&Surface, &Operation),
    text: &str,
) -> Result<Response, Box<Found>> {
    let wrong = || found("the form of an error", text, "STATUS NAME: TEXT, with a declared error");
    let (head, words) = text.split_once(": ").ok_or_else(wrong)?;
    let (status, name) = head.split_once(' ').ok_or_else(wrong)?;
    let errors = model.errors_of(surface, operation);
    let error = errors.iter().find(|error| error.name == name).ok_or_else(wrong)?;
    if error.status.to_string() != status || has_no_result(error) {
        return Err(wrong());
    }
    let (words, mut headers) = without_headers(model, error, words);
    let text = match without_help(error, words) {
        Some(text) => text,
        // Its words are its own.
        None if level < Level::Texts => words,
        None => {
            let help = error.help.as_deref().unwrap_or_default();
            return Err(found("the help of an error", words, help));
        }
    };
    headers.push((ERROR.to_owned(), error.name.clone()));
    Ok(with_text(model, error.status, headers, text))
}

/// The words of an error without its headers, and these.
fn without_headers<'t>(model: &Model, error: &ErrorEntry, words: &'t str) -> (&'t str, Vec<(String, String)>) {
    let (mut text, mut headers) = (words, Vec::new());
    while let Some((before, behind)) = text.rsplit_once(" (").filter(|_| text.ends_with(')')) {
        let mut known = error.headers.iter().chain(&model.error_headers).map(|(name, _)| name);
        let header = behind.trim_end_matches(')').split_once(": ");
        let Some((name, value)) = header.filter(|(name, _)| known.any(|known| known.eq_ignore_ascii_case(name))) else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
        text = before;
    }
    (text, headers)
}

/// The text of an error without its help; `None` if that is missing.
fn without_help<'t>(error: &ErrorEntry, words: &'t str) -> Option<&'t str> {
    let Some(help) = &error.help else {
        return Some(words);
    };
    let before = words.strip_suffix(help.as_str())?.strip_suffix(' ')?;
    let fits = |text: &str| match_template(&error.text, text).is_some();
    // A full stop may be the text's own.
    match before.strip_suffix('.') {
        Some(rest) if fits(rest) || !fits(before) => Some(rest),
        _ => Some(before),
    }
}

/// A response with an envelope that has only a text.
fn with_text(model: &Model, status: u16, headers: Vec<(String, String)>, text: &str) -> Response {
    let names = EnvelopeValue::path_to(&model.error, "text").unwrap_or_default();
    let within = |value: Value, name: &&str| Value::Object(Map::from_iter([((*name).to_owned(), value)]));
    let envelope = names.iter().rev().fold(Value::from(text), within);
    Response {
        status,
        headers,
        body: envelope.to_string().into_bytes(),
    }
}

/// The reply of JSON-RPC: the whole body, or the last event of a stream.
pub(super) fn reply(response: &Response) -> Result<Value, Box<Found>> {
    let text = String::from_utf8_lossy(&response.body);
    let is_stream = response
        .header("content-type")
        .is_some_and(|value| value.starts_with("text/event-stream"));
    // The last event: its lines together.
    let events = text.split("\n\n").map(|event| {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.collect::<Vec<_>>().join("\n")
    });
    let last = events.filter(|event| !event.is_empty()).last().filter(|_| is_stream);
    let read = json::parse(last.as_deref().unwrap_or(&text).as_bytes());
    let reply = read.map_err(|_| found("the reply to a message", &text, "JSON"))?;
    let is_of_message = reply["id"] == ID || (response.status != 200 && reply["id"].is_null());
    if reply["jsonrpc"] != "2.0" || !is_of_message {
        return Err(found("the reply to a message", &reply, "JSON-RPC 2.0 with its id"));
    }
    Ok(reply)
}
