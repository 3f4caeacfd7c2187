//! Random histories of calls to any server of a contract, compared with the mock of the contract.
//!
//! ```text
//! Aims, Generator ─ Call ─▶ Session: subject ─ what it chose ─▶ mock ─▶ Comparer ─▶ Found ─▶ shrink ─▶ script
//!        ▲                      └─ learn ─▶ Knowledge ─┐
//!        └─────────────────────────────────────────────┘
//! ```
//!
//! It knows the contract's model only. The server may hold data, and chooses ids, secrets and the time; the mock checks that
//! these were allowed and takes them over, so that all else is compared exactly. Nobody else may call the server meanwhile.

mod aims;
mod answers;
mod awkward;
mod call;
mod callers;
mod causes;
mod compare;
mod compare_data;
mod compare_errors;
mod derived;
mod elsewhere;
mod envelope;
mod exhaust;
mod findings;
mod found;
mod generate;
mod growth;
mod ids;
mod invalid;
mod known;
mod learn;
mod outcomes;
mod pool;
mod probes;
mod queries;
mod random;
mod rows;
mod script;
mod secrets;
mod session;
mod shrink;
mod spoil;
mod subject;
mod tools;
mod undeclared;
mod values;
mod wish;
mod wishes;

pub use findings::{HistoriesReport, HistoryDifference, HistoryOptions, Outcome};
pub(crate) use probes::NewCaller;
pub use probes::{ProbeOptions, ProbeOutcome, ProbeVerdict, Probes};
pub use subject::{HeldSender, HistoryClock, Sender};

use crate::level::Level;
use aims::{Aims, is_of_limit};
use call::Call;
use codegen::Model;
use found::Found;
use generate::{Generator, Style};
pub(crate) use outcomes::Outcomes;
use outcomes::{is_wanted, named};
use random::Random;
use session::{Compared, Sent, Session};
use std::time::Duration;
use subject::Subject;
use tools::Era;

/// The most calls of one history: lists and searches get slow.
const LENGTH: usize = 5000;

/// Random histories of calls to any server of a contract.
pub struct Histories;

impl Histories {
    /// Runs histories in real time until there were so many calls. `roots` are the secrets of the credentials that no
    /// operation makes, by their names.
    pub fn run(
        model: &'static Model,
        sender: &Sender,
        roots: Vec<(String, String)>,
        options: &HistoryOptions,
    ) -> HistoriesReport {
        Self::run_in_time(HistoryClock::Real, model, sender, roots, options)
    }

    /// The same in the time of another clock.
    pub fn run_in_time(
        clock: HistoryClock,
        model: &'static Model,
        sender: &Sender,
        roots: Vec<(String, String)>,
        options: &HistoryOptions,
    ) -> HistoriesReport {
        let subject = Subject::new(model, sender, roots, options.clone(), clock);
        let mut run = Run {
            subject: &subject,
            outcomes: Outcomes::without(model, elsewhere::absent(&subject)),
            report: HistoriesReport::default(),
            exhausted: 0,
            rests: 0,
        };
        let mut seed = options.seed;
        while run.goes_on() && run.report.differences.len() < options.most_causes {
            run.history(seed);
            seed += 1;
        }
        run.report.calls = run.outcomes.calls;
        run.report.met = run.outcomes.met(options);
        run.report.lacking_records = run.outcomes.lacking_records(options);
        run.report.never_met = run.outcomes.missing(options).iter().map(named).collect();
        let differences = &mut run.report.differences;
        for difference in differences.iter_mut() {
            difference.count = subject.causes.count(&difference.operation, &difference.cause);
        }
        differences.retain(|difference| is_wanted(options, &difference.operation));
        differences.sort_by_key(|difference| std::cmp::Reverse(difference.count));
        run.report
    }
}

/// The histories so far.
struct Run<'s> {
    subject: &'s Subject<'s>,
    outcomes: Outcomes<'static>,
    report: HistoriesReport,
    /// How often limits were exhausted.
    exhausted: usize,
    /// How often callers were waited for, whom limits had rejected.
    rests: usize,
}

impl Run<'_> {
    /// Whether more calls follow. A run that is long enough to meet every outcome goes on until it has, up to half as long again,
    /// or as long where it waits for limits.
    fn goes_on(&self) -> bool {
        const ENOUGH: usize = 2000;
        let options = &self.subject.options;
        let (calls, most) = (self.outcomes.calls, options.calls);
        let further = if self.waits() { most } else { most / 2 };
        let may_go_on = most >= ENOUGH && calls < most + further && self.report.differences.is_empty();
        calls < most || (may_go_on && !self.outcomes.missing(options).is_empty())
    }

    /// One history, until a difference or the last call.
    fn history(&mut self, seed: u64) {
        let (options, is_real) = (&self.subject.options, self.subject.is_real());
        let style = Style {
            exhausts: options.is_limited && !is_real,
            has_copies: !options.is_limited || is_real,
            is_strict: options.level == Level::Texts,
            has_peers: !is_real,
        };
        let mut generator = Generator::new(self.subject.model, seed, style, self.subject.causes.clone());
        let (mut session, mut aims) = (Session::new(self.subject), Aims::default());
        let mut all: Vec<Sent> = Vec::new();
        self.report.histories += 1;
        while self.goes_on() && all.len() < LENGTH {
            self.rest(&session);
            generator.now = self.subject.now();
            let mut call = self.next(&mut generator, &mut aims, &session);
            call.tool = self.as_tool(&mut generator, &call, &session);
            call.pause = match aims.is_empty() {
                true => self.pause(&mut generator),
                false => Duration::from_millis(1),
            };
            match session.step(&call) {
                Compared::Alike(sent, error) => {
                    self.outcomes.count(&call, error);
                    if sent.response.status < 400 && call.operation.is_some() {
                        aims.look(&mut generator, &session.known, &call);
                        generator.succeeded(call);
                    }
                    all.push(sent);
                }
                Compared::Undecided(sent, error) => {
                    self.outcomes.count(&call, error);
                    all.push(sent);
                }
                Compared::Differs(sent, found) => {
                    self.outcomes.count(&call, None);
                    all.push(sent);
                    self.differs((&all, &session.known.mark), *found, seed);
                    return;
                }
            }
        }
    }

    fn next(
        &mut self,
        generator: &mut Generator<'static>,
        aims: &mut Aims<'static>,
        session: &Session,
    ) -> Call<'static> {
        const GOALS: usize = 45;
        const MOST_EXHAUSTED: usize = 12;
        let known = &session.known;
        let forecast = |call: &Call<'static>| session.forecast(call);
        if aims.is_empty() && generator.burst.as_ref().is_none_or(|(_, left)| *left == 0) {
            let left = self.subject.options.calls.saturating_sub(self.outcomes.calls);
            match generator.random.below(100) {
                0..GOALS => {
                    let goals = self.outcomes.goals(&self.subject.options);
                    if let Some(call) = aims.meet(generator, known, &goals, &forecast) {
                        return call;
                    }
                }
                GOALS..55 => aims.derive(generator, known),
                55..57 if left > 300 => aims.grow(generator, known),
                57..64 => aims.search(generator),
                64..67 if self.subject.options.is_limited && left < 1200 && self.exhausted < MOST_EXHAUSTED => {
                    let goals = self.outcomes.goals(&self.subject.options);
                    // An exhausted limit keeps calls from meeting other outcomes.
                    if left == 0 || goals.iter().all(is_of_limit) {
                        self.exhausted += 1;
                        exhaust::plan(aims, generator, known, &goals);
                    }
                }
                _ => {}
            }
        }
        if let Some(call) = aims.next(generator, known, &forecast) {
            return call;
        }
        generator.next(known)
    }

    /// Whether a call is sent as a tool, and how.
    fn as_tool(&self, generator: &mut Generator<'static>, call: &Call<'static>, session: &Session) -> Option<Era> {
        const CHANCE: usize = 12;
        let (surface, _) = call.operation.filter(|(surface, one)| tools::is_tool(surface, one))?;
        if !generator.random.percent(CHANCE) {
            return None;
        }
        let eras = self.subject.eras(surface, &session.known);
        generator.random.of(&eras).copied()
    }

    /// Whether the server has limits that take their time.
    fn waits(&self) -> bool {
        self.subject.is_real() && self.subject.options.is_limited
    }

    /// Waits until no limit rejects the callers, if the calls so far were not enough: outcomes are missing that they may meet.
    fn rest(&mut self, session: &Session) {
        const SHARE: usize = 6;
        let (options, calls) = (&self.subject.options, self.outcomes.calls);
        let is_due = calls >= options.calls + self.rests * options.calls / SHARE;
        if !is_due || !self.waits() {
            return;
        }
        self.rests += 1;
        let living = session.known.credentials.iter().filter(|one| !one.has_ended);
        let until = living.map(|one| one.rests_until).max().unwrap_or(0);
        std::thread::sleep(Duration::from_millis(
            until.saturating_sub(self.subject.now()).min(61_000),
        ));
    }

    /// How long it takes until the next call, if the clock can be set.
    fn pause(&self, generator: &mut Generator) -> Duration {
        if generator.burst.as_ref().is_some_and(|(_, left)| *left > 0) {
            return Duration::from_millis(1);
        }
        let random: &mut Random = &mut generator.random;
        let millis = match random.below(1000) {
            0..5 => 30_000 + random.below(90_000),
            5..200 if !self.subject.options.is_limited => 1000 * random.below(3),
            _ => random.below(200),
        };
        Duration::from_millis(millis as u64)
    }

    /// Reports a difference; a new one is shortened.
    fn differs(&mut self, (all, mark): (&[Sent], &str), found: Found, seed: u64) {
        let Some(last) = all.last() else { return };
        let operation = last.call.name();
        let causes = &self.subject.causes;
        let is_known = causes.count(&operation, &found.cause) > 0;
        let replays = shrink::replays(self.report.differences.len(), causes.is_known_anywhere(&found.cause));
        self.outcomes.give_up(last.call.operation, found.instead_of.as_deref());
        // What a limit does depends on the time.
        let can_be_shrunk =
            self.subject.options.shortens && !is_known && found.is_of_calls && !found.cause.starts_with("limit ");
        causes.is_repeated.set(true);
        let shrunk = can_be_shrunk.then(|| shrink::shrink(self.subject, (mark, all), &found, replays));
        causes.is_repeated.set(false);
        causes.note(&operation, &found.cause);
        if is_known {
            return;
        }
        let (sent, found) = match shrunk.flatten() {
            Some(shrunk) => (shrunk.sent, *shrunk.found),
            None => (all[all.len().saturating_sub(40)..].to_vec(), found),
        };
        let (place, declared) = found.place.unwrap_or_default();
        self.report.differences.push(HistoryDifference {
            operation,
            cause: found.cause,
            count: 0,
            seed,
            script: script::script(self.subject, &sent),
            got: found.got,
            wanted: found.wanted,
            place,
            declared,
            lengths: (all.len(), sent.len()),
        });
    }
}
