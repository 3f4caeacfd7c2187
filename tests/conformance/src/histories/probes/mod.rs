//! Directed calls: for each operation, from a call that works, each single change of it that the contract decides. The interpreter
//! says what the answer must be.
//!
//! ```text
//! Lister ─ Probe ─▶ Probing: base call ─ edit ─▶ Session ─▶ passed, failed, not tried
//!                      └─ what must happen before: Aims, Generator
//! ```

mod alphabets;
mod at_once;
mod body;
mod boundaries;
mod content;
mod deliveries;
mod directed;
mod feeds;
mod forms;
mod limits;
mod list;
mod lists;
mod newcomer;
mod numbers;
mod query;
mod quotas;
mod realms;
mod tools;
mod ways;

use super::Run;
use super::aims::Aims;
use super::call::Call;
use super::findings::{HistoriesReport, HistoryDifference, HistoryOptions};
use super::generate::{Generator, Style};
use super::learn::is_declared;
use super::outcomes::Outcomes;
use super::session::{Sent, Session};
use super::subject::{HeldSender, HistoryClock, Sender, Subject};
use super::wish::Called;
use crate::level::Level;
use crate::receiver::Receiver;
use codegen::Model;
use list::{Probe, Way};
pub(crate) use newcomer::NewCaller;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tools::ToolTrial;

/// The random calls before the probes: they make records, and show which calls succeed.
const SET_UP: usize = 400;

/// How often a new history begins after a difference.
const MOST_HISTORIES: usize = 24;

/// The differences of an operation after which the rest of its probes are not tried.
const MOST_OF_AN_OPERATION: usize = 3;

/// What is tried, and who sees it.
pub struct ProbeOptions<'o> {
    /// The level, the seed, and whether the server has limits. With a filter, only probes of operations whose
    /// `surface::operation` contains it are listed.
    pub histories: HistoryOptions,
    /// Sends a request without the last byte of its body; that follows when the function has run.
    pub held: Option<&'o HeldSender<'o>>,
    /// Receives what webhooks get, if the server can reach it.
    pub receiver: Option<&'o Receiver>,
    /// Whether to try the probe of this name: `agent::get_human::humanId is x`.
    pub is_tried: &'o dyn Fn(&str) -> bool,
    /// After this time no more are tried.
    pub longest: Option<Duration>,
    /// Sees each outcome.
    pub ended: &'o dyn Fn(&ProbeOutcome),
}

/// What came of a probe.
#[derive(Clone, Debug)]
pub struct ProbeOutcome {
    /// `surface::operation`
    pub operation: String,
    /// `surface::operation::what is tried`
    pub name: String,
    /// The result.
    pub verdict: ProbeVerdict,
}

/// The result of a probe.
#[derive(Clone, Debug)]
pub enum ProbeVerdict {
    /// The answers are those of the interpreter.
    Passed,
    /// One is not.
    Failed(Box<HistoryDifference>),
    /// It could not be tried, for this reason.
    NotTried(String),
}

/// Directed calls to any server of a contract.
pub struct Probes;

impl Probes {
    /// How many probes there are of an operation: of each error, alone and with another fault, and of all else.
    pub(crate) fn numbers(model: &'static Model, called: Called<'static>) -> (BTreeMap<&'static str, usize>, usize) {
        let (mut of_errors, mut others) = (BTreeMap::new(), 0);
        for probe in of(model, called, Level::Texts) {
            let error = match probe.way {
                Way::Error(error, _) | Way::Tool(ToolTrial::Error(error, _)) => Some(error),
                _ => probe.rejected_at.and_then(|step| model.error_at(step)),
            };
            match error {
                Some(error) => *of_errors.entry(error.name.as_str()).or_default() += 1,
                None => others += 1,
            }
        }
        (of_errors, others)
    }

    /// The names of all probes, in order.
    pub fn names(model: &'static Model, level: Level) -> Vec<String> {
        let of_operation = |called: Called<'static>| {
            let operation = called.0.full_name(called.1);
            let probes = of(model, called, level).into_iter();
            probes.map(move |probe| format!("{operation}::{}", probe.name))
        };
        model.operations().flat_map(of_operation).collect()
    }

    /// Tries probes. `roots` are the secrets of the credentials that no operation makes, by their names.
    pub fn run(
        clock: HistoryClock,
        model: &'static Model,
        sender: &Sender,
        roots: Vec<(String, String)>,
        options: &ProbeOptions,
    ) -> Vec<ProbeOutcome> {
        // All operations are called before.
        let histories = HistoryOptions {
            filter: None,
            ..options.histories.clone()
        };
        let mut subject = Subject::new(model, sender, roots, histories, clock);
        subject.held = options.held;
        subject.receiver = options.receiver;
        let mut runner = Runner {
            subject: &subject,
            options,
            begun: Instant::now(),
            probing: None,
            histories: 0,
            ended: 0,
            differences: 0,
            of_operation: 0,
            outcomes: Vec::new(),
        };
        let filter = options.histories.filter.as_deref().unwrap_or_default();
        for called in model
            .operations()
            .filter(|(of, one)| of.full_name(one).contains(filter))
        {
            runner.operation(called);
        }
        runner.outcomes
    }
}

/// Tries the probes of all operations, in one history after the other.
struct Runner<'r, 's> {
    subject: &'s Subject<'s>,
    options: &'r ProbeOptions<'r>,
    begun: Instant,
    /// The history, unless it is at its end.
    probing: Option<Probing<'s>>,
    histories: usize,
    /// How many of them a difference has ended.
    ended: usize,
    differences: usize,
    /// The differences of the present operation.
    of_operation: usize,
    outcomes: Vec<ProbeOutcome>,
}

impl Runner<'_, '_> {
    fn operation(&mut self, called: Called<'static>) {
        let operation = called.0.full_name(called.1);
        if let Some(probing) = &mut self.probing {
            probing.forget();
        }
        self.of_operation = 0;
        for probe in of(self.subject.model, called, self.subject.options.level) {
            let name = format!("{operation}::{}", probe.name);
            if !(self.options.is_tried)(&name) {
                continue;
            }
            while self.differences < self.options.histories.most_causes {
                match self.probe(called, &probe) {
                    // The calls before it are not those of the operation, so it is tried in another history.
                    Err(NotSent::Before(difference)) => {
                        let name = format!("{operation}::calls before it");
                        self.end(&operation, name, Err(NotSent::Differs(difference)));
                    }
                    result => {
                        self.end(&operation, name, result);
                        break;
                    }
                }
            }
        }
    }

    fn probe(&mut self, called: Called<'static>, probe: &Probe) -> Result<(), NotSent> {
        let lacks = |reason: String| Err(NotSent::Lacks(reason));
        if self.of_operation >= MOST_OF_AN_OPERATION {
            return lacks("other probes of the operation show differences".to_owned());
        }
        if let Some(longest) = self.options.longest.filter(|longest| self.begun.elapsed() > *longest) {
            return lacks(format!("behind limits, probes end after {} s", longest.as_secs()));
        }
        let mut probing = match self.probing.take() {
            Some(probing) => probing,
            None if self.ended >= MOST_HISTORIES => return lacks("too many differences before it".to_owned()),
            None => {
                self.histories += 1;
                Probing::new(self.subject, self.options.histories.seed + self.histories as u64 - 1)?
            }
        };
        let began = Instant::now();
        let result = probing.try_one(called, &probe.way);
        if matches!(probe.way, Way::Limit(_)) {
            // They mostly wait.
            self.begun += began.elapsed();
        }
        let goes_on = matches!(result, Ok(()) | Err(NotSent::Lacks(_))) && !probing.is_over;
        self.ended += usize::from(!matches!(result, Ok(()) | Err(NotSent::Lacks(_))));
        self.probing = goes_on.then_some(probing);
        result
    }

    fn end(&mut self, operation: &str, name: String, result: Result<(), NotSent>) {
        let verdict = match result {
            Ok(()) => ProbeVerdict::Passed,
            Err(NotSent::Lacks(reason) | NotSent::Ended(reason)) => ProbeVerdict::NotTried(reason),
            Err(NotSent::Differs(difference) | NotSent::Before(difference)) => {
                self.differences += 1;
                self.of_operation += 1;
                ProbeVerdict::Failed(difference)
            }
        };
        let outcome = ProbeOutcome {
            operation: operation.to_owned(),
            name,
            verdict,
        };
        (self.options.ended)(&outcome);
        self.outcomes.push(outcome);
    }
}

/// The probes of an operation.
fn of(model: &'static Model, called: Called<'static>, level: Level) -> Vec<Probe> {
    list::probes(model, called, level == Level::Texts, is_declared(called.1))
}

/// Why a probe, or a call that it needs, was not sent or not answered well.
enum NotSent {
    /// It lacks what it needs.
    Lacks(String),
    /// A difference that is known ends the history.
    Ended(String),
    /// There is a difference, which ends the history.
    Differs(Box<HistoryDifference>),
    /// The same, in a random call.
    Before(Box<HistoryDifference>),
}

/// A history that is followed by probes.
struct Probing<'s> {
    run: Run<'s>,
    generator: Generator<'static>,
    aims: Aims<'static>,
    session: Session<'s>,
    /// The calls that have succeeded.
    all: Vec<Sent>,
    seed: u64,
    /// A call of the operation that succeeds.
    base: Option<Call<'static>>,
    /// A call of it that this error rejects.
    rejected: Option<(String, Call<'static>)>,
    /// The number of keys that probes have used.
    keys: u64,
    /// The number of lists of items that no record has.
    items: usize,
    /// Why no call of it succeeds.
    lacks_base: Option<String>,
    /// Errors of it that no call meets.
    unmet: Vec<String>,
    /// Whether probes of the operation were tried.
    is_begun: bool,
    /// Whether another history follows: the server has what the interpreter does not know, or lists have become long.
    is_over: bool,
}

impl<'s> Probing<'s> {
    /// A new history, with random calls.
    fn new(subject: &'s Subject<'s>, seed: u64) -> Result<Self, NotSent> {
        let mut probing = Self::begin(subject, seed);
        for _ in 0..SET_UP {
            probing.step()?;
        }
        Ok(probing)
    }

    /// A new history.
    fn begin(subject: &'s Subject<'s>, seed: u64) -> Self {
        let style = Style {
            exhausts: false,
            has_copies: false,
            is_strict: subject.options.level == Level::Texts,
            has_peers: false,
        };
        Self {
            run: Run {
                subject,
                outcomes: Outcomes::new(subject.model),
                report: HistoriesReport::default(),
                exhausted: 0,
                rests: 0,
            },
            generator: Generator::new(subject.model, seed, style, subject.causes.clone()),
            aims: Aims::default(),
            session: Session::new(subject),
            all: Vec::new(),
            seed,
            base: None,
            rejected: None,
            keys: 0,
            items: 0,
            lacks_base: None,
            is_begun: false,
            unmet: Vec::new(),
            is_over: false,
        }
    }

    /// The next operation begins.
    fn forget(&mut self) {
        (self.base, self.rejected, self.lacks_base) = (None, None, None);
        self.unmet.clear();
        self.is_begun = false;
    }

    fn try_one(&mut self, called: Called<'static>, way: &Way) -> Result<(), NotSent> {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.owners(called)?;
        }
        self.probe(called, way)
    }
}
