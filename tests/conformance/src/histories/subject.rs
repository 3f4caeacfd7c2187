//! The server under test: how it is called, its time, and its limits.

use super::call::Call;
use super::causes::Causes;
use super::findings::HistoryOptions;
use super::found::{Found, Verdict, differ, found};
use super::known::Knowledge;
use super::outcomes::PATIENCE;
use super::tools::{self, Era};
use crate::description::data_of;
use crate::exchange::{Request, Response};
use crate::level::Level;
use crate::receiver::Receiver;
use crate::scenarios::generalized;
use crate::shape;
use crate::types::Type;
use codegen::Model;
use codegen::model::{Counts, Effect, Operation, Per, Span, Surface};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Barrier;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Sends a request to the server under test and waits for the answer. The error is a text: the server does not answer.
pub type Sender<'s> = dyn Fn(&Request) -> Result<Response, String> + Sync + 's;

/// Sends a request, and the last byte of its body only when the function has run.
pub type HeldSender<'s> = dyn Fn(&Request, &mut dyn FnMut()) -> Result<Response, String> + Sync + 's;

/// The time of the server.
#[derive(Clone, Copy)]
pub enum HistoryClock<'s> {
    /// It has a clock of its own.
    Real,
    /// A clock that the test sets, which is exact.
    Manual {
        /// Milliseconds since 1970.
        now: &'s dyn Fn() -> u64,
        /// Advances it.
        advance: &'s dyn Fn(Duration),
    },
}

/// The server under test.
pub(super) struct Subject<'s> {
    pub(super) model: &'static Model,
    pub(super) sender: &'s Sender<'s>,
    pub(super) roots: Vec<(String, String)>,
    pub(super) options: HistoryOptions,
    pub(super) held: Option<&'s HeldSender<'s>>,
    pub(super) receiver: Option<&'s Receiver>,
    clock: HistoryClock<'s>,
    /// Milliseconds by which the server's clock is ahead.
    ahead: i64,
    /// When which credential was let through by which limit.
    counted: RefCell<Vec<(u64, String, String)>>,
    /// The types of what operations show, by their positions.
    shown: RefCell<HashMap<Span, Option<&'static Type>>>,
    /// The number of addresses that probes have used for themselves, and of calls that needed any.
    pub(super) peers: Cell<u16>,
    pub(super) sent: Cell<u16>,
    /// The whole seconds of the call that took longest.
    slowest: Cell<u64>,
    /// The number of histories, those that shorten others included.
    histories: Cell<u64>,
    /// The highest ids of all histories.
    pub(super) highest: RefCell<HashMap<String, i64>>,
    /// The versions of the protocol in which the server lists the tools of surfaces.
    eras: RefCell<HashMap<Span, Vec<Era>>>,
    pub(super) causes: Rc<Causes>,
}

impl<'s> Subject<'s> {
    pub(super) fn new(
        model: &'static Model,
        sender: &'s Sender<'s>,
        roots: Vec<(String, String)>,
        options: HistoryOptions,
        clock: HistoryClock<'s>,
    ) -> Self {
        let mut subject = Self {
            model,
            sender,
            roots,
            options,
            held: None,
            receiver: None,
            clock,
            ahead: 0,
            counted: RefCell::default(),
            shown: RefCell::default(),
            peers: Cell::default(),
            sent: Cell::default(),
            slowest: Cell::default(),
            histories: Cell::default(),
            highest: RefCell::default(),
            eras: RefCell::default(),
            causes: Rc::default(),
        };
        subject.ahead = subject.measure().unwrap_or(0);
        subject.wait_for_guesses();
        subject
    }

    /// Whether this history is the first one with a server that the test has started.
    pub(super) fn is_first(&self) -> bool {
        !self.is_real() && self.histories.get() == 1
    }

    pub(super) fn is_real(&self) -> bool {
        matches!(self.clock, HistoryClock::Real)
    }

    /// Seconds by which times may differ: the model knows only when an answer came.
    pub(super) fn slack(&self) -> u64 {
        if self.is_real() { 2 + self.slowest.get() } else { 0 }
    }

    /// Notes how long a call took. One that waits for an event takes no time of its own.
    pub(super) fn took(&self, call: &Call, time: Duration) {
        let waits = call
            .operation
            .is_some_and(|(_, operation)| operation.waits_at_once.is_some());
        if !waits {
            self.slowest.set(self.slowest.get().max(time.as_secs()));
        }
    }

    /// The time of the server, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        match self.clock {
            HistoryClock::Manual { now, .. } => now(),
            HistoryClock::Real => unix_millis().saturating_add_signed(self.ahead),
        }
    }

    /// Waits, as far as the call demands it: what is made just before the end of a second may get the time of the next one.
    pub(super) fn wait(&self, call: &Call) {
        match self.clock {
            HistoryClock::Manual { advance, .. } => advance(call.pause),
            HistoryClock::Real => {
                let effects = call.operation.into_iter().flat_map(|(_, operation)| &operation.effects);
                let makes = effects.into_iter().any(|effect| matches!(effect, Effect::Make { .. }));
                let millis = self.now() % 1000;
                if makes && !(20..960).contains(&millis) {
                    std::thread::sleep(Duration::from_millis((1020 - millis) % 1000));
                }
            }
        }
    }

    /// Whether the data of a success have the declared types, within their bounds.
    pub(super) fn shape(&self, operation: &'static Operation, data: &Value, level: Level) -> Verdict {
        let mut shown = self.shown.borrow_mut();
        let of = shown
            .entry(operation.at)
            .or_insert_with(|| data_of(self.model, operation));
        let Some(of) = of else { return Ok(()) };
        match shape::violations(data, of, "data", &self.model.credentials, level)
            .into_iter()
            .next()
        {
            Some(violation) => differ(generalized(&violation), &violation, "what the contract declares"),
            None => Ok(()),
        }
    }

    /// The versions of the protocol in which the server lists the tools of a surface.
    pub(super) fn eras(&self, surface: &Surface, known: &Knowledge) -> Vec<Era> {
        if !self.options.has_tools || surface.mcp.is_none() {
            return Vec::new();
        }
        if let Some(eras) = self.eras.borrow().get(&surface.at) {
            return eras.clone();
        }
        let mut all = known.credentials.iter();
        let living = all.rfind(|one| Some(&one.kind) == surface.credential.as_ref() && !one.has_ended);
        let header = living.map(|one| (self.model.credential(&one.kind).header.clone(), one.secret.clone()));
        let (mut eras, mut is_known) = (Vec::new(), header.is_some() || surface.credential.is_none());
        for era in Era::ALL {
            let mut list = tools::message(surface, era, "tools/list", json!({}));
            list.headers.extend(header.clone());
            match (self.sender)(&list) {
                Ok(answer) if answer.status == 429 || answer.status >= 500 => is_known = false,
                Ok(answer) => {
                    let reply = tools::reply(&answer);
                    eras.extend(
                        reply
                            .is_ok_and(|reply| reply["result"]["tools"].is_array())
                            .then_some(era),
                    );
                }
                Err(_) => is_known = false,
            }
        }
        if is_known || !eras.is_empty() {
            self.eras.borrow_mut().insert(surface.at, eras.clone());
        }
        eras
    }

    /// Whether requests can come from several addresses.
    pub(super) fn has_addresses(&self) -> bool {
        !self.is_real() || self.options.has_addresses
    }

    /// Lets time pass.
    pub(super) fn pass(&self, time: Duration) {
        match self.clock {
            HistoryClock::Manual { advance, .. } => advance(time),
            HistoryClock::Real => std::thread::sleep(time),
        }
    }

    /// Begins a window of this length, or makes sure that so many milliseconds of one are left; `None`: it must be a new one. In
    /// real time the error says that it is too long.
    pub(super) fn begin(&self, seconds: u32, room: Option<u64>) -> Result<(), String> {
        let length = u64::from(seconds) * 1000;
        let left = length - self.now() % length;
        if !self.is_real() {
            // Half a second into a second, so that wrong rounding shows.
            self.pass(Duration::from_millis(left + 500));
            return Ok(());
        }
        if seconds > PATIENCE {
            return Err(format!(
                "its window of {seconds} s is longer than the {PATIENCE} s that are waited for"
            ));
        }
        if room.is_none_or(|room| left < room.min(length / 2)) {
            self.pass(Duration::from_millis(left + 1100));
        }
        Ok(())
    }

    /// Waits until invalid credentials are not rejected as guesses any more, for at most a minute.
    fn wait_for_guesses(&self) {
        const LONGEST: u64 = 60;
        let mut operations = self.model.operations();
        let secured = operations.find(|(surface, operation)| surface.credential.is_some() && operation.path.is_empty());
        let Some((surface, operation)) = secured.filter(|_| self.is_real() && self.options.is_limited) else {
            return;
        };
        let request = Request {
            method: operation.method.text.clone(),
            target: format!("{}{}", surface.base, operation.route),
            ..Request::default()
        };
        let answer = (self.sender)(&request).ok().filter(|answer| answer.status == 429);
        let seconds = answer.and_then(|answer| answer.header("retry-after")?.parse::<u64>().ok());
        if let Some(seconds) = seconds.filter(|seconds| *seconds <= LONGEST) {
            std::thread::sleep(Duration::from_secs(seconds + 1));
        }
    }

    /// Letters that no text of former histories has.
    pub(super) fn new_mark(&self) -> String {
        self.histories.set(self.histories.get() + 1);
        let began = if self.is_real() { unix_millis() } else { 0 };
        // Each 64 ms, up to 256 of them.
        mark(((began >> 6) << 8).wrapping_add(self.histories.get()))
    }

    /// A time after which no limit remembers former histories; only of a clock that the test sets.
    pub(super) fn forget(&self) {
        const LONGEST: Duration = Duration::from_secs(86_400);
        if let (HistoryClock::Manual { advance, .. }, true) = (self.clock, self.options.is_limited) {
            advance(LONGEST);
        }
    }

    /// By how much the server's clock is ahead: its `Date`, when that changes.
    fn measure(&self) -> Option<i64> {
        const LONGEST: Duration = Duration::from_millis(1200);
        if !self.is_real() {
            return None;
        }
        let request = Request {
            method: "GET".to_owned(),
            target: format!("{}/", self.model.surfaces.first()?.base),
            ..Request::default()
        };
        let date = || {
            let response = (self.sender)(&request).ok()?;
            crate::times::http_date(response.header("date")?)
        };
        let (first, began) = (date()?, Instant::now());
        let mut last = first;
        while last == first && began.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(3));
            last = date()?;
        }
        let server = i64::try_from(last * 1000).ok()?;
        Some(server - i64::try_from(unix_millis()).ok()?)
    }

    /// Notes that a limit has let this call through. It may let twice its rate through while its window turns.
    pub(super) fn passed(&self, call: &Call, known: &Knowledge) -> Verdict {
        let Some((name, counted_as, max, window)) = self.limit_of(call, known) else {
            return Ok(());
        };
        let now = self.now();
        let mut counted = self.counted.borrow_mut();
        counted.push((now, name.clone(), counted_as.clone()));
        let is_recent = |(at, of, by): &&(u64, String, String)| {
            *of == name && *by == counted_as && now.saturating_sub(*at) < window * 1000
        };
        let count = counted.iter().filter(is_recent).count();
        match count > 2 * max as usize {
            true => differ(
                format!("limit {name} lets more requests through than its rate"),
                format!("{count} in {window} s"),
                format!("at most {max}, or twice as many while the window turns"),
            ),
            false => Ok(()),
        }
    }

    /// Whether a limit may reject this call: so many have been let through in the length of its window.
    pub(super) fn rejected(&self, call: &Call, known: &Knowledge) -> Verdict {
        const OTHERS: u64 = 2000;
        let Some((name, counted_as, max, window)) = self.limit_of(call, known) else {
            return Ok(());
        };
        let now = self.now();
        let declared = self.model.limit(&name);
        let counted = self.counted.borrow();
        let is_recent =
            |(at, of, _): &&(u64, String, String)| *of == name && now.saturating_sub(*at) < window * 1000 + OTHERS;
        let of_caller = counted
            .iter()
            .filter(is_recent)
            .filter(|(_, _, by)| *by == counted_as)
            .count();
        let of_owner = match declared.owner_max {
            Some(most) => counted.iter().filter(is_recent).count() >= most as usize,
            None => false,
        };
        match of_caller >= max as usize || of_owner {
            true => Ok(()),
            false => {
                let got = format!("429 after {of_caller} requests in {window} s");
                differ(
                    format!("limit {name} rejects too early"),
                    got,
                    format!("{max} in {window} s"),
                )
            }
        }
    }

    /// The limit that counts a call: its name, by whom, how many, and in which time.
    fn limit_of(&self, call: &Call, known: &Knowledge) -> Option<(String, String, u32, u64)> {
        let (_, operation) = call.operation?;
        let limit = self.model.limit(operation.limit.as_ref()?);
        let credential = call.credential.map(|index| &known.credentials[index]);
        let counted_as = match (&limit.counts, credential) {
            (Counts::Methods { per: Per::Caller, .. }, Some(one)) => format!("{} {}", one.kind, one.holder),
            (Counts::Methods { per: Per::Address, .. }, _) => {
                let peer = call.peer.filter(|_| self.has_addresses());
                peer.map_or_else(String::new, |peer| peer.to_string())
            }
            _ => return None,
        };
        Some((limit.name.clone(), counted_as, limit.max, limit.window_seconds.into()))
    }

    /// Sends a request; more than once at the same time if there are copies.
    pub(super) fn send(&self, request: &Request, copies: usize) -> Result<Vec<Response>, Box<Found>> {
        let answers = match copies {
            0 => (self.sender)(request).map(|answer| vec![answer]),
            copies => self.together(&vec![request.clone(); copies + 1]),
        };
        answers.map_err(|error| found("no answer", error, "an answer"))
    }
}

impl Subject<'_> {
    /// Sends requests at once.
    pub(super) fn together(&self, requests: &[Request]) -> Result<Vec<Response>, String> {
        let (sender, barrier) = (self.sender, &Barrier::new(requests.len()));
        std::thread::scope(|scope| {
            let send = |request| {
                scope.spawn(move || {
                    barrier.wait();
                    sender(request)
                })
            };
            let calls: Vec<_> = requests.iter().map(send).collect();
            let panicked = |_| Err("the sender has panicked".to_owned());
            let answers = calls.into_iter().map(|call| call.join().unwrap_or_else(panicked));
            answers.collect()
        })
    }
}

/// The mark with this number. It begins with a letter that it has only once, so that it is in no other mark, whatever stands
/// before that.
fn mark(mut number: u64) -> String {
    const LETTERS: &[u8; 20] = b"bcdfghjklmnpqrstvwyz";
    let letter = |_| {
        let letter = LETTERS[(number % 20) as usize];
        number /= 20;
        char::from(letter)
    };
    std::iter::once('x').chain((0..7).map(letter)).collect()
}

pub(super) fn unix_millis() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::try_from(now.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn a_text_with_one_mark_has_no_other() {
        for before in ["A  B", "FIN", "long-text", "x"] {
            for (one, other) in (0..500).flat_map(|one| (0..500).map(move |other| (one, other))) {
                let text = (before.to_owned() + &mark(one)).to_lowercase();
                assert_eq!(text.contains(&mark(other)), one == other, "{text} {}", mark(other));
            }
        }
    }
}
