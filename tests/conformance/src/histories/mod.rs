//! Random histories of calls to two servers of one contract, in lock-step: a model, such as the mock, and a subject.
//!
//! ```text
//! Generator ─ Call ─▶ model, subject ─▶ Comparer ─▶ Difference, or Success ─▶ Knowledge ─▶ Generator
//! ```
//!
//! It knows the contract's model only. What the subject chooses, such as secrets, is taken from the answers.

mod awkward;
mod call;
mod callers;
mod compare;
mod envelope;
mod findings;
mod generate;
mod known;
mod learn;
mod pool;
mod queries;
mod random;
mod report;
mod same;
mod times;
mod undeclared;
mod values;

pub use findings::{HistoriesReport, HistoryDifference, HistoryLevel, HistoryOptions, Outcome};
pub use report::{Difference, Outcomes};

use crate::world::{Request, Response};
use call::Call;
use codegen::Model;
use compare::Comparer;
use generate::Generator;
use known::{Knowledge, Known};
use learn::Success;
use report::Sent;
use std::time::Duration;

/// Two empty servers of one contract, in the time of one clock.
pub struct Servers<'s> {
    /// The server that does what the contract declares.
    pub model: &'s dyn Fn(&Request) -> Response,
    /// The server under test.
    pub subject: &'s dyn Fn(&Request) -> Response,
    /// Advances the clock of both.
    pub advance: &'s dyn Fn(Duration),
    /// The secrets of the credentials that identify no caller, by the names of the credentials: the same for both.
    pub roots: Vec<(String, String)>,
}

/// A history.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// What it depends on.
    pub seed: u64,
    /// The number of calls.
    pub calls: usize,
    /// Whether both servers limit requests.
    pub is_limited: bool,
}

/// One of the two servers.
#[derive(Clone, Copy)]
enum Side {
    Model,
    Subject,
}

impl History {
    /// Calls both servers, and counts what they answer.
    ///
    /// # Errors
    /// At the first difference.
    pub fn run<'m>(
        &self,
        model: &'m Model,
        servers: &Servers,
        outcomes: &mut Outcomes<'m>,
    ) -> Result<(), Box<Difference>> {
        let mut known = Knowledge::default();
        let roots = servers.roots.iter().map(|(kind, secret)| Known {
            kind: kind.clone(),
            secrets: [secret.clone(), secret.clone()],
            caller: 0,
            holder: 0,
            has_ended: false,
        });
        known.credentials.extend(roots);
        let mut generator = Generator::new(model, self.seed, self.is_limited);
        let (mut comparer, mut sent) = (Comparer::new(model), Vec::new());
        for nth in 1..=self.calls {
            (servers.advance)(self.pause(&mut generator));
            let call = generator.next(&known);
            let requests = [Side::Model, Side::Subject].map(|side| call.request(model, &known, side));
            let subject = (servers.subject)(&requests[1]);
            let error = envelope::error(model, call.operation, &subject);
            if error.is_some_and(|error| error.step == codegen::step::Step::Rule && error.when.is_none()) {
                outcomes.count(&call, error);
                note_use(model, servers, &known, &call);
                continue;
            }
            let answer = (servers.model)(&requests[0]);
            let found = comparer.compare(&call, &known, [&answer, &subject]);
            sent.push(Sent::new(&call, requests, [answer, subject]));
            if let Err(found) = found {
                return Err(Box::new(Difference::new(*self, nth, found, sent)));
            }
            outcomes.count(&call, error);
            let Some(Sent {
                responses: [answer, subject],
                ..
            }) = sent.last()
            else {
                continue;
            };
            if answer.status < 400 && call.operation.is_some() {
                let bodies = [envelope::body(answer), envelope::body(subject)];
                let success = Success {
                    model,
                    call: &call,
                    data: [envelope::data(model, &bodies[0]), envelope::data(model, &bodies[1])],
                };
                success.learn(&mut known);
                generator.succeeded(call);
            }
            sent.pop_if(|sent| !sent.is_write);
        }
        outcomes.worded.append(&mut comparer.worded);
        Ok(())
    }

    /// How long it takes until the next call.
    fn pause(&self, generator: &mut Generator) -> Duration {
        if generator.burst.as_ref().is_some_and(|(_, left)| *left > 0) {
            return Duration::from_millis(1);
        }
        let random = &mut generator.random;
        let millis = match random.below(1000) {
            0..5 => 30_000 + random.below(90_000),
            5..200 if !self.is_limited => 1000 * random.below(3),
            _ => random.below(200),
        };
        Duration::from_millis(millis as u64)
    }
}

/// The subject has rejected a call by a rule that is its own. The model cannot know that; but it notes the use of the
/// credential, as the subject has done.
fn note_use(model: &Model, servers: &Servers, known: &Knowledge, call: &Call) {
    let Some((surface, _)) = call.operation else { return };
    let read = surface
        .operations
        .iter()
        .find(|one| one.method == "GET" && one.path.is_empty());
    if let Some(read) = read {
        let read = Call {
            operation: Some((surface, read)),
            method: read.method.text.clone(),
            credential: call.credential,
            ..Call::default()
        };
        (servers.model)(&read.request(model, known, Side::Model));
    }
}

/// Sends a request to the server under test and waits for the answer. The error is a text: the server does not answer.
pub type Sender<'s> = dyn Fn(&Request) -> Result<Response, String> + Sync + 's;

/// Random histories of calls to any server of a contract, in real time. The server may hold data.
pub struct Histories;

impl Histories {
    /// Runs histories until there were so many calls.
    pub fn run(
        _model: &'static Model,
        _sender: &Sender,
        _roots: Vec<(String, String)>,
        _options: &HistoryOptions,
    ) -> HistoriesReport {
        HistoriesReport::default()
    }
}
