//! Refusals that no request brings about: a fault is injected. `api.yaml` names these tests as `untestable`. (That nothing
//! can be written is shown on a disk that is full, in `tests/durability`.)

use super::request;
use bytes::Bytes;
use conformance::Caller;
use contract::operator::{self, create_account};
use contract::support::Failure;
use contract::{AdmitOperatorToken, Gate, GateSettings, OperatorTokenCaller, Peer, operator_token};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::world::op;

/// A service with one handler, which does what it is told to.
struct Faulty(fn() -> Failure);

impl AdmitOperatorToken for Faulty {
    async fn admit_operator_token(&self, _: &str) -> Result<Option<OperatorTokenCaller>, Failure> {
        Ok(Some(OperatorTokenCaller {}))
    }
}

impl operator::CreateAccount for Faulty {
    async fn create_account(
        &self,
        _: create_account::Request,
    ) -> Result<create_account::Success, create_account::Error> {
        Err((self.0)().into())
    }
}

/// A body that never comes.
struct Endless;

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

/// What is answered to a request with this body, as status and JSON, and after how many seconds; whoever waits for a time to
/// pass need not wait.
fn answer<B>(fault: fn() -> Failure, body: B) -> (u16, Value, u64)
where
    B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
{
    let caller = Caller {
        secret: operator_token::mint(),
        id: 0,
        kind: "operator_token",
    };
    let request = request(&caller, op!(operator::create_account), &[], "", Some(json!({})));
    let head = http::Request::builder().method("POST").uri(&request.target);
    let headers = request.headers.iter();
    let head = headers.fold(head, |head, (name, value)| head.header(name, value));
    let request = head.extension(Peer(IpAddr::V4(Ipv4Addr::LOCALHOST))).body(body);
    let gate = Arc::new(Gate::new(&GateSettings::default()));
    let filter = create_account::filter(Arc::new(Faulty(fault)), gate);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build();
    runtime.expect("the machine has room for a runtime").block_on(async {
        let begun = tokio::time::Instant::now();
        let service = TowerToHyperService::new(warp::service(filter));
        let Ok(response) = service.call(request.expect("it can be sent")).await;
        let (status, seconds) = (response.status().as_u16(), begun.elapsed().as_secs());
        let body = response
            .into_body()
            .collect()
            .await
            .expect("bodies are whole")
            .to_bytes();
        (status, serde_json::from_slice(&body).expect("JSON"), seconds)
    })
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    // It halts, so that it is given up before its time is over.
    let said = "the body did not arrive within 30 s, or came too slowly";
    let refused = (408, json!({ "success": false, "error": said }), 10);
    assert_eq!(answer(|| unreachable!("the body never came"), Endless), refused);
}

#[test]
fn a_handler_that_panics_is_answered_for() {
    let body = json!({ "name": "Agent", "plan": "free" }).to_string();
    for fault in [|| Failure::Internal, || panic!("this handler is broken")] {
        let answer = answer(fault, Full::new(Bytes::from(body.clone())));
        let refused = json!({ "success": false, "error": "internal error" });
        assert_eq!(answer, (500, refused, 0));
    }
}
