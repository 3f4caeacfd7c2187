//! One request and the headers of its answer, and the warp filter that accepts requests. Knows HTTP and warp; must not
//! know any route, header or status of the contract.

use super::arrival::{Arrival, Departure, EndOfWait, HostError, Peer, Unserved};
use super::body::{self, BodyBounds, BodyError};
use super::budget::{Budget, Payer};
use super::chunks::{self, Account, Chunks};
use super::encoded::WriteJson;
use super::fault::{Code, Fault, ListedFault};
use super::id::AnyId;
use super::in_flight::InFlightPermit;
use super::limiter::SentTo;
use super::members::{Decoder, Members};
use super::observer::{Observed, Observer};
use super::request_id::RequestId;
use super::sending::Sending;
use super::text::{percent_decode, query_decode};
use super::validation_errors::ValidationErrors;
use super::value::Value;
use bytes::{Buf, Bytes};
use futures_util::{FutureExt, Stream, StreamExt};
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, StatusCode};
use std::borrow::Cow;
use std::fmt::Display;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tracing::{Instrument, Span};
use warp::filters::BoxedFilter;
use warp::filters::path::FullPath;
use warp::{Filter, Rejection, Reply};

/// The response to the client.
pub type Response = warp::reply::Response;

/// Whether the application can answer requests at present.
#[diagnostic::on_unimplemented(
    message = "nothing states whether the application is available",
    note = "implement `support::Available` for `{Self}`"
)]
pub trait Available {
    /// `false`: every operation answers with the error of the step `available`. It is asked before each request, so it
    /// must neither wait nor be slow.
    fn can_answer(&self) -> bool;
}

/// An error response: an error of the contract with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    /// The name of the error.
    pub error: &'static str,
    /// HTTP status.
    pub status: u16,
    /// The text.
    pub text: Cow<'static, str>,
    /// Additional headers, names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The faults of an invalid request, if its error response lists them.
    pub faults: Vec<ListedFault>,
}

impl ErrorResponse {
    /// An error with its text and its additional headers, names in lower case.
    pub fn new(
        error: &'static str,
        status: u16,
        text: Cow<'static, str>,
        headers: Vec<(&'static str, String)>,
    ) -> Self {
        Self {
            error,
            status,
            text,
            headers,
            faults: Vec::new(),
        }
    }

    /// The same with all faults of the request.
    pub fn with_faults(self, errors: &ValidationErrors) -> Self {
        let faults = errors.listed();
        Self { faults, ..self }
    }

    /// The same with the only fault of the request: its text, and its code with its place before it.
    pub fn with_fault(self, text: &impl Display, coded: &str) -> Self {
        let faults = vec![ListedFault::new(text.to_string(), coded.to_owned())];
        Self { faults, ..self }
    }
}

/// A finished body with its status.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The JSON text.
    pub body: Chunks,
    /// The number of rows on all pages of a list, if the answer has it.
    pub total: Option<i64>,
}

impl Answer {
    /// An answer whose body is this value alone.
    pub fn of_data(status: u16, data: &mut dyn WriteJson) -> Self {
        let mut body = Chunks::default();
        data.write_json(&mut body);
        Self {
            status,
            body,
            total: None,
        }
    }

    /// An answer without a body, and so without `Content-Type`.
    pub fn without_body(status: u16) -> Self {
        let body = Chunks::default();
        Self {
            status,
            body,
            total: None,
        }
    }
}

/// The future of an answer. Boxed, so that the compiler proves `Send` once for each operation, and a pointer is moved
/// instead of the largest operation.
pub type Steps<'r> = Pin<Box<dyn Future<Output = Result<Answer, ErrorResponse>> + Send + 'r>>;

pub(super) type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, ()>> + Send>>;

/// One request, and the headers of its answer.
pub struct Exchange {
    /// The method.
    pub method: Method,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The address of the client as in [`Peer::network`], if the listener states it.
    pub peer: Option<IpAddr>,
    /// What is wrong with its `Host`, if the listener checked it. Such a request is rejected.
    pub host_error: Option<HostError>,
    /// What its listener does not serve.
    pub unserved: Unserved,
    departure: Option<Departure>,
    target: PathAndQuery,
    body: Option<BodyStream>,
    /// Whether some of it was read: a client that waits for `100 Continue` has got it.
    is_body_begun: bool,
    /// The body and the errors of a request that stands for another one.
    stand_in: Option<StandIn>,
    reply: HeaderMap,
    is_replayed: bool,
    /// The id of this request, in its answer and in the log.
    pub request_id: RequestId,
    observed: Observed,
    permit: Option<InFlightPermit>,
    account: Option<Account>,
    sent_to: Option<SentTo>,
    /// The file that the answer contains.
    pub(super) sending: Option<Sending>,
}

/// What a request that stands for another one was already read as.
struct StandIn {
    body: Bytes,
    /// The idempotency keys that were sent.
    keys: Vec<Vec<u8>>,
    errors: ValidationErrors,
}

/// The argument of a tool that is the idempotency key.
pub(super) const KEY_ARGUMENT: &str = "idempotency_key";

/// How much of an unwanted body is read, so that a client that is still sending gets to read the answer.
const DISCARD_BYTES: usize = 32 << 20;
/// The longest body that is discarded before the answer is sent.
const DISCARD_FIRST: u64 = 1 << 20;
const DISCARD_TIME: Duration = Duration::from_secs(5);
/// A client that sends nothing for this long counts as finished.
const DISCARD_PAUSE: Duration = Duration::from_secs(1);

impl Exchange {
    /// The path as it was sent.
    pub fn path(&self) -> &str {
        self.target.path()
    }

    /// Whether its path belongs to a surface that its listener does not serve.
    pub fn is_unserved(&self) -> bool {
        self.unserved
            .0
            .iter()
            .copied()
            .flatten()
            .any(|own| is_under(self.path(), own))
    }

    /// The query as it was sent, without its `?`.
    pub fn query(&self) -> Option<&str> {
        self.target.query()
    }

    /// A segment of the path, counted from 0, percent-decoded if possible.
    pub fn segment(&self, index: usize) -> Value {
        let segment = segments(self.path()).nth(index).unwrap_or_default();
        Value::Raw(decoded(segment).into_owned())
    }

    /// Decodes the segment of the path that holds the parameter `name`.
    pub fn parameter<T>(
        &self,
        name: &'static str,
        index: usize,
        errors: &mut ValidationErrors,
        decode: Decoder<T>,
    ) -> Option<T> {
        errors.within(name, |errors| match self.segment(index) {
            // No route matches it: it stands for an argument that is missing.
            Value::Raw(segment) if segment.is_empty() => {
                errors.report(&Fault::new(Code::Required, "is required"));
                None
            }
            segment => decode(segment, errors),
        })
    }

    /// Turns this request into another one, with a whole body and with errors that were found before.
    pub(crate) fn become_request(
        &mut self,
        method: Method,
        target: PathAndQuery,
        body: Option<Bytes>,
        keys: Vec<Vec<u8>>,
        errors: ValidationErrors,
    ) {
        self.method = method;
        self.target = target;
        self.stand_in = Some(StandIn {
            body: body.unwrap_or_default(),
            keys,
            errors,
        });
    }

    /// The idempotency keys of this request, and the name of what carries them: an argument of a tool, or `header`.
    pub fn idempotency_keys(&self, header: &'static str) -> (&'static str, Vec<&[u8]>) {
        let of_tool = self.stand_in.iter().flat_map(|stand_in| &stand_in.keys);
        let mut sent: Vec<&[u8]> = of_tool.map(Vec::as_slice).collect();
        let name = if sent.is_empty() { header } else { KEY_ARGUMENT };
        sent.extend(self.headers.get_all(header).iter().map(HeaderValue::as_bytes));
        (name, sent)
    }

    /// States that the answer is that of an earlier request with the same idempotency key.
    pub fn mark_replayed(&mut self, header: HeaderName) {
        self.is_replayed = true;
        self.reply_constant(header, HeaderValue::from_static("true"));
    }

    /// Whether the answer is that of an earlier request.
    pub(super) fn is_replayed(&self) -> bool {
        self.is_replayed
    }

    /// The validation errors so far: none, unless this request stands for another one.
    pub fn validation_errors(&mut self) -> ValidationErrors {
        let errors = self
            .stand_in
            .as_mut()
            .map(|stand_in| std::mem::take(&mut stand_in.errors));
        errors.unwrap_or_default()
    }

    /// The value of a parameter of a query that was decoded before.
    pub fn query_text(&self, name: &str) -> Option<String> {
        let mut pairs = self.query()?.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(known, _)| query_decode(known).is_some_and(|known| known == name))?;
        query_decode(value).map(Cow::into_owned)
    }

    /// Reports any query, for an operation that has none.
    pub fn no_query(&self, errors: &mut ValidationErrors) {
        Members::of_query(self.query(), &[], errors);
    }

    /// Whether the request states that it has a body (RFC 9112 §6.3).
    pub fn declares_body(&self) -> bool {
        self.declared_length().is_some_and(|length| length > 0) || self.headers.contains_key(TRANSFER_ENCODING)
    }

    /// Whether the body can be read: it is declared as JSON, and not encoded. If it is encoded, the answer states that
    /// nothing but `identity` is accepted (RFC 9110 §12.5.3).
    pub fn has_json_body(&mut self) -> bool {
        if body::is_encoded(&self.headers) {
            self.reply_constant(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            return false;
        }
        body::is_json(&self.headers)
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// If it has too many bytes, takes too long, is too slow, or is incomplete.
    pub async fn read_body(&mut self, bounds: BodyBounds) -> Result<Bytes, BodyError> {
        if let Some(stand_in) = &mut self.stand_in {
            let body = std::mem::take(&mut stand_in.body);
            return if body.len() > bounds.max_bytes {
                Err(BodyError::TooLarge)
            } else {
                Ok(body)
            };
        }
        let declared = self.declared_length();
        let Some(body) = self.body.as_mut() else {
            return Ok(Bytes::new());
        };
        self.is_body_begun = declared.is_none_or(|bytes| bytes <= bounds.max_bytes as u64);
        let read = body::read(body, declared, bounds).await;
        if !matches!(read, Err(BodyError::TooLarge)) {
            self.body = None;
        }
        read
    }

    /// The body, if the request has one and it was not read.
    pub(super) fn body_stream(&mut self) -> Option<&mut BodyStream> {
        self.is_body_begun = true;
        self.body.as_mut()
    }

    /// Forgets a body that was read, or that cannot be read any more.
    pub(super) fn forget_body(&mut self) {
        self.body = None;
    }

    /// Discards an unread body, within limits of bytes and seconds. A long one goes on arriving while the answer is sent, so
    /// that a client can stop. One that waits for `100 Continue` (`Expect`, RFC 9110 §10.1.1) does not get it; it learns that
    /// the connection ends, since it may send the body or not.
    pub async fn discard_body(&mut self) {
        let Some(mut body) = self.body.take() else {
            return;
        };
        if !self.declares_body() {
            return;
        }
        if self.headers.contains_key(EXPECT) && !self.is_body_begun {
            return self.reply_constant(CONNECTION, HeaderValue::from_static("close"));
        }
        // Boxed, so that its timers take no memory in requests that do not need them.
        let rest = Box::pin(timeout(DISCARD_TIME, async move {
            let mut left = DISCARD_BYTES;
            while let Ok(Some(Ok(chunk))) = timeout(DISCARD_PAUSE, body.next()).await {
                match left.checked_sub(chunk.len()) {
                    Some(less) => left = less,
                    None => return,
                }
            }
        }));
        if self.declared_length().is_some_and(|length| length > DISCARD_FIRST) {
            tokio::spawn(rest);
        } else {
            let _ = rest.await;
        }
    }

    pub(crate) fn declared_length(&self) -> Option<u64> {
        self.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// Sets a header of the answer. An invalid value is omitted.
    pub fn reply_header(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.reply.insert(name, value);
        }
    }

    /// Sets declared headers of the answer.
    pub fn reply_declared(&mut self, headers: Vec<(HeaderName, HeaderValue)>) {
        self.reply.extend(headers);
    }

    /// A header of the answer that was set.
    pub(crate) fn replied(&self, name: &str) -> Option<&str> {
        self.reply.get(name)?.to_str().ok()
    }

    /// Reserves space for this many headers of the answer. Without it, the seventh header would reallocate.
    pub fn reserve_headers(&mut self, count: usize) {
        self.reply.reserve(count);
    }

    /// Sets a header of the answer to an integer.
    pub fn reply_number(&mut self, name: HeaderName, value: u64) {
        self.reply.insert(name, value.into());
    }

    /// Sets a header of the answer to a constant.
    pub fn reply_constant(&mut self, name: HeaderName, value: HeaderValue) {
        self.reply.insert(name, value);
    }

    /// The span of this request, for log events during its execution.
    pub fn span(&self) -> Span {
        self.observed.span()
    }

    /// Reports the surface of the request to the observer.
    pub fn entered(&mut self, surface: &'static str) {
        self.observed.entered(surface);
    }

    /// Reports the surface and operation of the request to the observer.
    pub fn reached(&mut self, surface: &'static str, operation: &'static str) {
        self.observed.reached(surface, operation);
    }

    /// Records the caller in the span: its kind, and its id if there are several.
    pub fn admitted(&mut self, kind: &'static str, id: Option<i64>) {
        self.observed.admitted(kind, id.map(AnyId::Number));
    }

    /// The same for a caller whose id is a UUID with these halves.
    pub fn admitted_with_uuid(&mut self, kind: &'static str, halves: [i64; 2]) {
        self.observed.admitted(kind, Some(AnyId::Uuid(halves)));
    }

    /// Reports the status of the answer to the observer.
    pub fn answered(&mut self, status: u16) {
        self.observed.end(Some(status));
    }

    /// Waits until the client has gone: it has closed its sending half, or the connection has failed. Forever, if the
    /// listener does not tell.
    pub fn departed(&self) -> EndOfWait {
        match &self.departure {
            Some(departure) => departure.wait(),
            None => Box::pin(std::future::pending()),
        }
    }

    /// Holds the request's permit until its answer is sent or abandoned.
    pub fn hold(&mut self, permit: InFlightPermit) {
        self.permit = Some(permit);
    }

    /// Charges the bytes of the answer to `payer` while they wait to be sent.
    pub fn charge_to(&mut self, budget: &Arc<Budget>, payer: Payer) {
        self.account = Some(Account::new(budget, payer));
    }

    /// Counts the bytes of the answer while they are sent.
    pub fn count_bytes(&mut self, to: SentTo) {
        self.sent_to = Some(to);
    }

    /// The response, with the headers that were set.
    pub fn finish(&mut self, answer: Answer) -> Response {
        let (permit, sent_to) = (self.permit.take(), self.sent_to.take());
        let has_body = !answer.body.is_empty();
        let mut response = match answer.body.into_body(self.account.take()) {
            chunks::ResponseBody::Whole(body) => {
                sent_to.inspect(|to| to.add(body.len()));
                Response::new(match permit {
                    Some(permit) => permit.until_sent(body).into(),
                    None => body.into(),
                })
            }
            chunks::ResponseBody::Stream { waiting, account } => {
                if let Some(length) = chunks::length(&waiting) {
                    self.reply.insert(CONTENT_LENGTH, length.into());
                }
                // The stream owns the permit, so that both end together.
                let body = chunks::stream(waiting, account).inspect(move |chunk| {
                    _ = &permit;
                    if let (Some(to), Ok(chunk)) = (&sent_to, chunk) {
                        to.add(chunk.len());
                    }
                });
                warp::reply::stream(body).into_response()
            }
        };
        *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        let of_file = self.sending.take().map(|sending| sending.headers);
        self.reply.extend(of_file.unwrap_or_default());
        *response.headers_mut() = std::mem::take(&mut self.reply);
        if has_body && !response.headers().contains_key(CONTENT_TYPE) {
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(CONTENT_TYPE, json);
        }
        response
    }
}

/// The texts after each `/`. Segments are short, so a loop over the bytes is faster than `str::split`.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let segment = rest.strip_prefix('/')?;
        let end = segment.bytes().position(|byte| byte == b'/').unwrap_or(segment.len());
        let (segment, after) = segment.split_at(end);
        rest = after;
        Some(segment)
    })
}

fn decoded(segment: &str) -> Cow<'_, str> {
    percent_decode(segment).unwrap_or(Cow::Borrowed(segment))
}

/// Whether a path is this base or below it.
pub fn is_under(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The segments of a path after its base, percent-decoded if possible.
pub fn segments_under<'p>(path: &'p str, base: &str) -> impl Iterator<Item = Cow<'p, str>> {
    segments(path.strip_prefix(base).unwrap_or_default()).map(decoded)
}

/// Awaits the steps of a request within its span; `None` if they panicked.
pub async fn catch_unwind<T>(span: Span, steps: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(steps).catch_unwind().instrument(span).await.ok()
}

/// The filter around `answer`. It accepts requests that `claims` matches by method and path, and all requests with an
/// invalid host; it rejects others as not found without reading their body. What has an unknown transfer coding is answered
/// without `answer`. `observer` receives each accepted request.
/// Boxed, so that a missing implementation is an error where the filter is made and not at each use: the type of an
/// unboxed filter names the service.
pub fn filter<C, F, A>(claims: C, observer: Option<Arc<dyn Observer>>, answer: F) -> BoxedFilter<(Response,)>
where
    C: Fn(&Method, &str) -> bool + Clone + Send + Sync + 'static,
    F: Fn(Exchange) -> A + Send + Sync + 'static,
    A: Future<Output = Response> + Send + 'static,
{
    let ours = warp::ext::get::<Arrival>()
        .or(in_process())
        .unify()
        .and(warp::method())
        .and_then(move |arrival: Arrival, method: Method| {
            let is_ours = arrival.host_error.is_some() || claims(&method, arrival.target.path());
            std::future::ready(if is_ours {
                Ok((arrival, method))
            } else {
                Err(warp::reject::not_found())
            })
        });
    // One pointer, because warp clones it for each request. The headers come last, because each `and` moves everything
    // before it.
    let shared = Arc::new((observer, answer));
    ours.untuple_one()
        .and(warp::body::stream())
        .and(warp::header::headers_cloned())
        .then(move |arrival: Arrival, method: Method, body, headers: HeaderMap| {
            let Arrival {
                client,
                departure,
                unserved,
                host_error,
                target,
            } = arrival;
            let (observer, answer) = &*shared;
            let body = may_have_body(&method, &headers).then(|| pieces(body));
            let request_id = RequestId::next();
            let observed = Observed::begin(
                observer.clone(),
                client.map(|client| client.0),
                (request_id, &method, target.path()),
            );
            let is_readable = !body::has_unknown_transfer_coding(&headers);
            let mut exchange = Exchange {
                method,
                headers,
                peer: client.map(Peer::network),
                host_error,
                unserved,
                departure,
                target,
                body,
                is_body_begun: false,
                stand_in: None,
                reply: HeaderMap::new(),
                is_replayed: false,
                request_id,
                observed,
                permit: None,
                account: None,
                sent_to: None,
                sending: None,
            };
            if !is_readable {
                exchange.answered(StatusCode::NOT_IMPLEMENTED.as_u16());
                return std::future::ready(not_implemented()).left_future();
            }
            // Boxed, because it is large and the futures around it are moved.
            Box::pin(answer(exchange)).right_future()
        })
        .boxed()
}

/// The response to a body whose transfer coding is not known, so that nothing is known of the body (RFC 9112 §6.1).
fn not_implemented() -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NOT_IMPLEMENTED;
    response
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The arrival of a request that did not come through a listener.
fn in_process() -> BoxedFilter<(Arrival,)> {
    let query = warp::query::raw().map(|query| format!("?{query}"));
    let query = query.or(warp::any().map(String::new)).unify();
    warp::ext::optional::<Peer>()
        .and(warp::path::full())
        .and(query)
        .and(warp::ext::optional::<Departure>())
        .and_then(async |client, path: FullPath, query: String, departure| {
            let target = PathAndQuery::try_from(path.as_str().to_owned() + &query);
            let target = target.map_err(|_| warp::reject::not_found())?;
            Ok::<_, Rejection>(Arrival {
                client,
                departure,
                unserved: Unserved::default(),
                host_error: None,
                target,
            })
        })
        .boxed()
}

/// Whether there can be a body. A request in the process may have one without any header that states it.
fn may_have_body(method: &Method, headers: &HeaderMap) -> bool {
    method != Method::GET || headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING)
}

fn pieces(body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static) -> BodyStream {
    Box::pin(body.map(|piece| {
        piece
            .map(|mut piece| piece.copy_to_bytes(piece.remaining()))
            .map_err(|_| ())
    }))
}
