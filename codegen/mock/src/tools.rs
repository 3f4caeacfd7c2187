//! The tools of surfaces over the Model Context Protocol. The protocol is that of generated servers; a call of a tool is a request
//! to the mock, so that only the protocol is shared.

mod mount;

use crate::calendar::now;
use crate::decode;
use crate::envelope::{Rejected, Rejection, invalid, reject};
use crate::exchange;
use crate::exchange::{Asked, Response};
use crate::mock::Mock;
use crate::validation_errors::Faults;
use bytes::Bytes;
use codegen::model::{Operation, Segment, Surface};
use codegen::step::Step;
use codegen_support::mcp::{self, Admission, Calls, Mount};
use codegen_support::warp::filters::BoxedFilter;
use codegen_support::{
    Answer, Chunks, Code, ErrorResponse, Exchange, Fault, Peer, Steps, ValidationErrors, arrived, filter, warp,
};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Request};
use http_body_util::{BodyExt, Collected, Full};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use std::net::IpAddr;
use std::sync::Arc;

/// The tools of a surface.
#[derive(Clone)]
pub struct Tools {
    /// The name of the surface.
    pub surface: &'static str,
    /// The path at which they are.
    pub path: &'static str,
    /// Answers the requests to this path, and rejects others as not found.
    pub filter: BoxedFilter<(codegen_support::Response,)>,
}

impl Tools {
    /// Answers a request to their path that came from this address.
    pub(crate) async fn respond(&self, mut request: Request<Incoming>, client: IpAddr) -> http::Response<Full<Bytes>> {
        arrived(&mut request, Peer(client));
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let Ok(response) = service.call(request).await;
        let (parts, body) = response.into_parts();
        // A body that breaks off is not complete JSON.
        let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
        http::Response::from_parts(parts, Full::new(body))
    }
}

impl Mock {
    /// The tools of each surface that offers any.
    pub fn tools(&self) -> Vec<Tools> {
        self.tools_in_time(Arc::new(now))
    }

    /// The same in the time of another clock, in milliseconds since 1970.
    pub fn tools_in_time(&self, now: Arc<dyn Fn() -> u64 + Send + Sync>) -> Vec<Tools> {
        let surfaces = self.model.surfaces.iter().filter_map(|surface| {
            let (mount, mcp) = (mount::mount(self.model, surface)?, surface.mcp.as_ref()?);
            let calls = Arc::new(MockCalls {
                mock: self.clone(),
                surface,
                operations: surface.tools().collect(),
                mount,
                headers: mount::error_headers(self.model),
                now: Arc::clone(&now),
            });
            let answer = move |mut exchange: Exchange| {
                let calls = Arc::clone(&calls);
                async move {
                    let answer = mcp::answer(mount, &*calls, &mut exchange).await;
                    exchange.discard_body().await;
                    exchange.finish(answer)
                }
            };
            let path = mcp.path.as_str();
            Some(Tools {
                surface: &surface.name,
                path,
                filter: filter(move |_, requested| requested == path, None, answer),
            })
        });
        surfaces.collect()
    }

    /// Checks who calls an operation, and nothing else.
    fn check_caller(
        &self,
        surface: &'static Surface,
        operation: &'static Operation,
        exchange: &Exchange,
        now: u64,
    ) -> Result<(), Box<Response>> {
        let Some(parts) = parts(self, exchange) else {
            return Ok(());
        };
        let id = self.request_id(now);
        let mut admitted = exchange::Exchange::new(surface, operation, parts, Vec::new(), exchange.peer, id);
        let steps = [Step::Credential, Step::Suspended];
        let checks = self.order.iter().filter(|check| steps.contains(&check.step));
        let mut state = self.state();
        let mut checks = checks.map(|check| self.check(&mut state, &mut admitted, check, &Bytes::new(), now));
        let checked = checks.try_for_each(|checked| checked);
        drop(state);
        checked.map_err(|rejection| Box::new(self.rejected(rejection, &admitted.asked(now), &[])))
    }
}

struct MockCalls {
    mock: Mock,
    surface: &'static Surface,
    operations: Vec<&'static Operation>,
    mount: &'static Mount,
    /// The headers of errors, in lower case.
    headers: Vec<&'static str>,
    now: Arc<dyn Fn() -> u64 + Send + Sync>,
}

impl Calls for MockCalls {
    fn admit<'r>(&'r self, exchange: &'r mut Exchange) -> Admission<'r> {
        let admitted = self
            .mock
            .check_caller(self.surface, self.operations[0], exchange, (self.now)());
        let admitted = admitted.map_err(|response| self.error(&response));
        Box::pin(std::future::ready(admitted))
    }

    fn call<'r>(&'r self, tool: usize, exchange: &'r mut Exchange) -> Steps<'r> {
        let operation = self.operations[tool];
        Box::pin(async move {
            let errors = exchange.validation_errors();
            let body = exchange.read_body(self.mount.body).await;
            let sent = body.as_ref().map_or(&[][..], Bytes::as_ref);
            if let Some(faults) = self.faults(operation, (exchange, sent), errors) {
                let admitted = self.mock.check_caller(self.surface, operation, exchange, (self.now)());
                admitted.map_err(|response| self.error(&response))?;
                return Err(self.rejected(invalid(self.mock.model, faults)));
            }
            let (Some(parts), Ok(body)) = (parts(&self.mock, exchange), body) else {
                return Err(self.internal());
            };
            let response = self.mock.handle(&parts, body, exchange.peer, (self.now)());
            let response = self.mock.waited(&parts, exchange.peer, response, &*self.now).await;
            self.answered(operation, exchange, response)
        })
    }

    fn internal(&self) -> ErrorResponse {
        self.rejected(reject(self.mock.model, Step::Internal, &[]))
    }
}

impl MockCalls {
    /// What is wrong with arguments of which no request can have some: a missing segment of a path among others.
    fn faults(
        &self,
        operation: &Operation,
        (exchange, body): (&Exchange, &[u8]),
        mut errors: ValidationErrors,
    ) -> Option<Faults> {
        let base = self.surface.base.split('/').count();
        let sent: Vec<String> = exchange.path().split('/').skip(base).map(str::to_owned).collect();
        let mut others = operation.clone();
        for (segment, sent) in operation.segments.iter().zip(&sent) {
            if let (Segment::Parameter(name), "") = (segment, sent.as_str()) {
                errors.report_member(name, &Fault::new(Code::Required, "is required"));
                others.path.retain(|field| field.name != *name);
            }
        }
        if errors.is_empty() {
            return None;
        }
        let decoded = decode::input(self.mock.model, &others, &sent, exchange.query(), (None, body));
        let first = errors.listed().into_iter();
        let mut named: Vec<_> = first
            .map(|fault| (fault.text().to_owned(), fault.coded().to_owned()))
            .collect();
        let others = decoded.err();
        let unnamed = errors.untold() + others.as_ref().map_or(0, |others| others.unnamed);
        named.extend(others.into_iter().flat_map(|others| others.named));
        Some(Faults { named, unnamed })
    }

    fn answered(
        &self,
        operation: &Operation,
        exchange: &mut Exchange,
        response: Response,
    ) -> Result<Answer, ErrorResponse> {
        if response.status().as_u16() >= 400 {
            return Err(self.error(&response));
        }
        let (parts, json) = response.into_parts();
        if operation.content_of.is_some() {
            let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
            exchange.sends_file(media_type.unwrap_or_default().to_owned(), json.len() as u64);
        }
        let replayed = self
            .mock
            .model
            .idempotency
            .as_ref()
            .map(|keys| keys.replayed.to_ascii_lowercase());
        let is_of_file = |name: &HeaderName| operation.content_of.is_some() && name.as_str().starts_with("content-");
        for (name, value) in parts.headers.iter().filter(|(name, _)| !is_of_file(name)) {
            match value.to_str() {
                _ if Some(name.as_str()) == replayed.as_deref() => exchange.mark_replayed(name.clone()),
                Ok(value) => exchange.reply_header(name.clone(), value),
                Err(_) => {}
            }
        }
        let in_header = operation
            .total_header()
            .and_then(|header| parts.headers.get(header.name.as_str())?.to_str().ok()?.parse().ok());
        let has_total = operation.siblings.iter().any(|sibling| sibling == "total");
        let total = has_total.then(|| serde_json::from_slice::<serde_json::Value>(&json).ok());
        let mut body = Chunks::default();
        body.text().extend_from_slice(&json);
        Ok(Answer {
            status: parts.status.as_u16(),
            body,
            total: in_header.or_else(|| total.flatten()?["total"].as_i64()),
        })
    }

    fn rejected(&self, rejection: Rejection) -> ErrorResponse {
        self.error(&self.mock.rejected(rejection, &Asked::default(), &[]))
    }

    /// The error of a response.
    fn error(&self, response: &Response) -> ErrorResponse {
        let Some(Rejected { entry, text }) = response.extensions().get() else {
            return self.internal();
        };
        let declared = self.mock.model.headers_of_error(entry);
        let headers = declared.iter().filter_map(|(name, _)| {
            let name = self.headers.iter().find(|known| known.eq_ignore_ascii_case(name))?;
            let value = response.headers().get(*name)?.to_str().ok()?;
            Some((*name, value.to_owned()))
        });
        ErrorResponse::new(&entry.name, entry.status, text.clone().into(), headers.collect())
    }
}

/// The head of the request that a call stands for.
fn parts(mock: &Mock, exchange: &Exchange) -> Option<Parts> {
    let query = exchange.query().map(|query| format!("?{query}")).unwrap_or_default();
    let request = Request::builder()
        .method(exchange.method.clone())
        .uri(exchange.path().to_owned() + &query);
    let (mut parts, ()) = request.body(()).ok()?.into_parts();
    parts.headers = exchange.headers.clone();
    if let Some(keys) = &mock.model.idempotency {
        let header = HeaderName::from_bytes(keys.header.as_bytes()).ok()?;
        parts.headers.remove(&header);
        for key in exchange.idempotency_keys(&keys.header).1 {
            parts.headers.append(header.clone(), HeaderValue::from_bytes(key).ok()?);
        }
    }
    Some(parts)
}
