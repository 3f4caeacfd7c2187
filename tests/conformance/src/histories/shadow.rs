//! Follows the requests that others make, such as the fixed tests: each answer is compared with the interpreter's.

mod undecided;

use super::call::Call;
use super::findings::HistoryOptions;
use super::known::Knowledge;
use super::session::Session;
use super::subject::{HistoryClock, Subject, unix_millis};
use crate::contract::{Contract, Operation};
use crate::declared;
use crate::level::Level;
use crate::mutants::{called, parameters};
use crate::query::decoded;
use crate::world::{LimitedService, Need, Request, RequestedResources, Response};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use undecided::{Spoiled, reads_other_realm};

/// The most answers that wait for their comparison.
const BEHIND: usize = 1000;

/// The stack of the thread that compares: bodies are nested deeply.
const STACK_BYTES: usize = 64 << 20;

/// Compares the answers of servers, each with an interpreter of its own.
#[derive(Clone)]
pub struct Shadow {
    level: Level,
    report: Arc<Mutex<ShadowReport>>,
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct ShadowReport {
    /// The number of answers that were taken.
    taken: usize,
    /// The number of answers that were compared.
    pub compared: usize,
    /// The differences by operation and cause: how often, and the first of them.
    pub differences: BTreeMap<String, (usize, String)>,
}

impl Shadow {
    /// Compares at this level.
    pub fn at(level: Level) -> Self {
        Self {
            level,
            report: Arc::default(),
        }
    }

    /// This server, whose answers are compared from now on. It must be empty, without limits, and called by nobody else.
    /// Requests are sent one after the other, so that the interpreter follows them in the server's order.
    ///
    /// # Panics
    /// If the machine has no thread.
    pub fn of(
        &self,
        server: Box<dyn declared::Subject>,
        contract: &'static Contract,
        roots: Vec<(String, String)>,
    ) -> Box<dyn declared::Subject> {
        let server: Arc<dyn declared::Subject> = server.into();
        let (sender, receiver) = sync_channel(BEHIND);
        let (shadow, followed, secrets) = (self.clone(), server.clone(), roots.clone());
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || shadow.follow(&*followed, contract, secrets, &receiver))
            .expect("the machine has threads");
        Box::new(Shadowed {
            shadow: self.clone(),
            server,
            contract,
            roots,
            sender: Mutex::new(sender),
        })
    }

    /// What was compared, once all answers are.
    ///
    /// # Panics
    /// If a comparison has panicked.
    pub fn report(&self) -> ShadowReport {
        const PATIENCE: usize = 6000;
        for _ in 0..PATIENCE {
            let report = self.lock().clone();
            if report.compared == report.taken {
                return report;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the interpreter does not follow: {:?}", self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, ShadowReport> {
        self.report.lock().expect("nothing panics in here")
    }

    fn follow(
        &self,
        server: &dyn declared::Subject,
        contract: &'static Contract,
        roots: Vec<(String, String)>,
        answers: &Receiver<Answered>,
    ) {
        let options = HistoryOptions {
            level: self.level,
            is_limited: false,
            ..HistoryOptions::default()
        };
        let send = |request: &Request| Ok(server.call(request));
        let subject = Subject::new(contract.model, &send, roots, options, HistoryClock::Real);
        let mut session = Session::new(&subject);
        let mut spoiled = Spoiled::default();
        while let Ok(answered) = answers.recv() {
            let (request, response) = (&answered.request, &answered.response);
            let call = call_of(contract, &session.known, request);
            subject.observe(answered.at, answered.took);
            let verdict = match spoiled.spoils(&call, response) {
                true => Ok(()),
                false => session.observe(&call, request, response),
            };
            let is_undecided = answered.is_held && response.status >= 400
                || reads_other_realm(contract, &call, response)
                || spoiled.shows(&call, response);
            let mut report = self.lock();
            report.compared += 1;
            if let (Err(found), false) = (verdict, is_undecided) {
                let first = || format!("{}\n  came {}\n  wanted {}", request.curl(), found.got, found.wanted);
                let name = format!("{}: {}", call.name(), found.cause);
                report.differences.entry(name).or_insert_with(|| (0, first())).0 += 1;
            }
        }
    }
}

/// A request and its answer.
struct Answered {
    request: Request,
    response: Response,
    /// When the answer came, in milliseconds since 1970.
    at: u64,
    took: Duration,
    /// Whether its body was held back: what ends meanwhile rejects it later than the interpreter can tell.
    is_held: bool,
}

/// The call that a request is.
fn call_of(contract: &'static Contract, known: &Knowledge<'static>, request: &Request) -> Call<'static> {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let mut call = Call {
        method: request.method.clone(),
        query: query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(str::to_owned)
            .collect(),
        other_path: Some(path.to_owned()),
        raw: request.body.clone(),
        ..Call::default()
    };
    let Some(operation) = called(contract.operations(), request) else {
        return call;
    };
    call.operation = Some((operation.surface, operation.declared));
    let parameters = parameters(operation, request).into_iter();
    let decoded = parameters.map(|(name, text)| (name, decoded(&text).unwrap_or(text)));
    call.path = decoded.collect();
    let bytes = request.body.as_deref().unwrap_or_default();
    call.json = serde_json::from_slice(bytes).unwrap_or(Value::Null);
    call.headers.clone_from(&request.headers);
    if let Some(credential) = operation.credential {
        let is_credential = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(&credential.header);
        let sent: Vec<&str> = request
            .headers
            .iter()
            .filter(is_credential)
            .map(|(_, secret)| secret.as_str())
            .collect();
        let mut known = known.credentials.iter();
        call.credential = known.rposition(|one| one.kind == credential.name && sent == [one.secret.as_str()]);
        if call.credential.is_some() {
            call.headers.retain(|header| !is_credential(&header));
        }
    }
    call
}

/// Whether a request waits for an event.
fn waits(operation: &Operation, request: &Request) -> bool {
    let wait = operation.declared.feed.as_ref().and_then(|feed| feed.wait.as_ref());
    wait.is_some_and(|wait| request.target.contains(&format!("{wait}=")))
}

/// A server whose answers are compared.
struct Shadowed {
    shadow: Shadow,
    server: Arc<dyn declared::Subject>,
    contract: &'static Contract,
    roots: Vec<(String, String)>,
    sender: Mutex<SyncSender<Answered>>,
}

type Turn<'s> = MutexGuard<'s, SyncSender<Answered>>;

impl Shadowed {
    /// While this is held, nobody else sends a request.
    fn turn(&self) -> Turn<'_> {
        self.sender.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn take(&self, turn: &Turn<'_>, (request, response): (&Request, &Response), (began, is_held): (Instant, bool)) {
        self.shadow.lock().taken += 1;
        let taken = turn.send(Answered {
            request: request.clone(),
            response: response.clone(),
            at: unix_millis(),
            took: began.elapsed(),
            is_held,
        });
        taken.expect("the interpreter follows");
    }
}

impl declared::Subject for Shadowed {
    fn call(&self, request: &Request) -> Response {
        let operation = called(self.contract.operations(), request);
        if operation.is_some_and(|operation| waits(operation, request)) {
            return self.server.call(request);
        }
        let turn = self.turn();
        let began = Instant::now();
        let response = self.server.call(request);
        self.take(&turn, (request, &response), (began, false));
        response
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let mut turn = None;
        let mut began = Instant::now();
        let response = self.server.call_held(request, &mut || {
            meanwhile();
            turn = Some(self.turn());
            began = Instant::now();
        });
        self.take(
            &turn.unwrap_or_else(|| self.turn()),
            (request, &response),
            (began, true),
        );
        response
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.server.limited_service()
    }

    fn is_limited(&self) -> bool {
        self.server.is_limited()
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        self.server.unsupported(need)
    }

    fn apart(&self) -> Option<Box<dyn declared::Subject>> {
        let apart = self.server.apart()?;
        Some(self.shadow.of(apart, self.contract, self.roots.clone()))
    }

    fn members(&self, operation: &str) -> Vec<(&'static str, Value)> {
        self.server.members(operation)
    }

    fn prepare_success(&self, world: &declared::DeclaredWorld, operation: &str, arranged: &RequestedResources) {
        self.server.prepare_success(world, operation, arranged);
    }

    fn arrange_error(&self, world: &declared::DeclaredWorld, error: &str, arranged: &RequestedResources) -> bool {
        self.server.arrange_error(world, error, arranged)
    }
}
