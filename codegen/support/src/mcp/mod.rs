//! Serves operations as tools over the Model Context Protocol (MCP): `POST` at one path, one JSON object in each
//! request and response, no sessions and no streams.
//!
//! ```text
//! Exchange ─ access ─ message ─ era ─▶ methods ─ arguments ─▶ operation ─ excerpt, outcome ─▶ Answer
//! ```
//!
//! It speaks 2026-07-28, where each request states its version, and 2025-11-25 and 2025-06-18, which begin with
//! `initialize`. A tool call becomes the request to its operation and takes all its steps. Must not know any operation,
//! credential or error of a contract: these are constants of the [`Mount`], and functions of [`Calls`].

mod access;
mod arguments;
mod content;
mod era;
mod escaped;
mod excerpt;
mod message;
mod methods;
mod outcome;
mod refusal;

use super::body::BodyBounds;
use super::chunks::Chunks;
use super::exchange::{Answer, ErrorResponse, Exchange, Steps};
use access::Check;
use http::Method;
use message::Message;
use refusal::Refusal;
use std::pin::Pin;

/// The tools of a surface: constants of the contract.
#[derive(Debug)]
pub struct Mount {
    /// The surface.
    pub surface: &'static str,
    /// The short name of the service, the prefix of its members of `_meta`.
    pub name: &'static str,
    /// The service, as a JSON object with `name`, `title` and `version`.
    pub server: &'static str,
    /// What an agent must know before it chooses a tool, as a JSON string.
    pub instructions: &'static str,
    /// The tools, as a JSON list.
    pub list: &'static str,
    /// The same tools, as they are called.
    pub tools: &'static [Tool],
    /// The header of the credential, in lower case; `None` if the surface needs none.
    pub credential: Option<&'static str>,
    /// The errors of requests without a valid credential. They are statuses of HTTP, all others are results of tools.
    pub unauthenticated: &'static [&'static str],
    /// What a caller can do after each error.
    pub help: &'static [(&'static str, &'static str)],
    /// The bounds of a request.
    pub body: BodyBounds,
}

/// A tool, and the request that a call of it becomes.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its purpose, in one sentence.
    pub title: &'static str,
    /// The method.
    pub method: Method,
    /// The path in parts, without the slashes.
    pub path: &'static [PathPart],
    /// The arguments that are parameters of the query.
    pub query: &'static [&'static str],
    /// Those of them that are lists of names.
    pub lists: &'static [&'static str],
    /// Those of them that have another default than the operation, with it.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The arguments that are members of the body; `None` if it has no body.
    pub body: Option<&'static [&'static str]>,
    /// Whether the argument `idempotency_key` is its idempotency key.
    pub takes_key: bool,
    /// How its list is divided into pages.
    pub pages: Option<Pages>,
    /// The arguments for whose unknown names the nearest ones are in a header of the answer, with the header.
    pub nearest: &'static [(&'static str, &'static str)],
}

/// A segment of a path.
#[derive(Debug)]
pub enum PathPart {
    /// This text.
    Text(&'static str),
    /// The argument of this name.
    Argument(&'static str),
}

/// The arguments that select a page, each with its default.
#[derive(Debug)]
pub struct Pages {
    /// The maximum number of rows.
    pub size: (&'static str, Option<i64>),
    /// The number of rows before the page.
    pub offset: Option<(&'static str, Option<i64>)>,
}

/// The future of [`Calls::admit`].
pub type Admission<'r> = Pin<Box<dyn Future<Output = Result<(), ErrorResponse>> + Send + 'r>>;

/// The operations behind the tools.
pub trait Calls: Sync {
    /// Checks the credential of a request.
    fn admit<'r>(&'r self, exchange: &'r mut Exchange) -> Admission<'r>;
    /// Runs the operation of a tool, by its index.
    fn call<'r>(&'r self, tool: usize, exchange: &'r mut Exchange) -> Steps<'r>;
    /// The error of an operation that panicked.
    fn internal(&self) -> ErrorResponse;
}

/// Answers a request to the path of the tools.
pub async fn answer(mount: &'static Mount, calls: &impl Calls, exchange: &mut Exchange) -> Answer {
    exchange.entered(mount.surface);
    let (status, json) = match received(mount, calls, exchange).await {
        Ok(Some(result)) => (200, result),
        Ok(None) => (202, Vec::new()),
        Err(refusal) => (refusal.status.as_u16(), refusal.json()),
    };
    let mut body = Chunks::default();
    *body.text() = json;
    Answer {
        status,
        body,
        total: None,
    }
}

/// The response to a request, or `None` to a notification.
async fn received(
    mount: &'static Mount,
    calls: &impl Calls,
    exchange: &mut Exchange,
) -> Result<Option<Vec<u8>>, Refusal> {
    access::check(exchange)?;
    let (bounds, check) = access::enter(mount, calls, exchange).await?;
    let bytes = exchange.read_body(bounds).await;
    let bytes = bytes.map_err(|error| Refusal::of_body(error, bounds))?;
    let understood = Message::parse(&bytes).and_then(|message| understood(mount, exchange, &message));
    if let Ok(Understood::Call(call)) = understood {
        let id = call.id;
        let result = call.run(mount, calls, exchange).await;
        return result.map(Some).map_err(|refusal| refusal.to(id));
    }
    if let Check::AfterBody = check {
        access::admit(mount, calls, exchange).await?;
    }
    match understood? {
        Understood::Known(result) => Ok(Some(result)),
        _ => Ok(None),
    }
}

/// What a request asks for.
enum Understood<'b> {
    /// A result that is the same for everybody.
    Known(Vec<u8>),
    /// A tool; `exchange` is the request to its operation.
    Call(methods::Call<'b>),
    /// Nothing: it is a notification.
    Nothing,
}

fn understood<'b>(
    mount: &'static Mount,
    exchange: &mut Exchange,
    message: &Message<'b>,
) -> Result<Understood<'b>, Refusal> {
    let Some(id) = message.id() else {
        return Ok(Understood::Nothing);
    };
    let era = era::from_request(&exchange.headers, message);
    let understood = era.and_then(|era| {
        if message.method == "tools/call" {
            methods::Call::prepare(mount, exchange, message, (id, era)).map(Understood::Call)
        } else {
            methods::known(mount, message, (id, era)).map(Understood::Known)
        }
    });
    understood.map_err(|refusal| refusal.to(id))
}
