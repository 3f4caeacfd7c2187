//! Finds the calls that probes need, in the state that a history has reached, and sends them.

use super::limits::peer;
use super::{NotSent, Probing};
use crate::contract::data_in;
use crate::histories::aims::{find, maker};
use crate::histories::call::Call;
use crate::histories::envelope::body;
use crate::histories::found::Found;
use crate::histories::growth::growth;
use crate::histories::outcomes::Goal;
use crate::histories::session::{Compared, Sent};
use crate::histories::wish::{Called, Wish};
use codegen::model::{Data, ErrorEntry, Operation};
use codegen::step::Step;
use std::time::Duration;

/// So many rows have an order.
const ROWS: usize = 2;

/// So many calls come from one address.
const EACH_PEER: u16 = 50;

/// The answer to a call was the right one.
pub(super) struct Right {
    pub(super) is_success: bool,
    error: Option<&'static ErrorEntry>,
}

impl Right {
    /// Whether this step has rejected the call.
    pub(super) fn is_at(&self, step: Step) -> bool {
        self.error.is_some_and(|error| error.step == step)
    }
}

impl Probing<'_> {
    /// What the interpreter would answer.
    pub(super) fn forecast(&self, call: &Call<'static>) -> (u16, Option<&'static ErrorEntry>) {
        self.session.forecast(call)
    }

    /// A call with this outcome.
    pub(super) fn find(&mut self, goal: Goal<'static>, wish: &Wish) -> Option<Call<'static>> {
        self.generator.now = self.run.subject.now();
        let session = &self.session;
        let forecast = |call: &Call<'static>| session.forecast(call);
        find(&mut self.generator, &session.known, &goal, wish, &forecast)
    }

    /// A call of the operation that succeeds, after what must happen before.
    pub(super) fn base(&mut self, called: Called<'static>) -> Result<Call<'static>, NotSent> {
        const ROUNDS: usize = 3;
        const TRIES: usize = 6;
        if let Some(base) = self.base.clone()
            && self.is_usable(&base)
        {
            return Ok(base);
        }
        if let Some(reason) = &self.lacks_base {
            return Err(NotSent::Lacks(reason.clone()));
        }
        let mut fewer: Option<(usize, Call<'static>)> = None;
        for round in 0..ROUNDS {
            for nth in 0..TRIES {
                let mut wish = Wish::valid();
                // What rules demand of the records that it names.
                if nth >= TRIES / 2
                    && let Some(of_rules) = self.aims.set_up(&mut self.generator, &self.session.known, called.1)
                {
                    wish = of_rules;
                    self.steps_planned()?;
                }
                if let Some(call) = self.find((called.0, called.1, None), &wish) {
                    let call = Call { key: None, ..call };
                    if self.is_usable(&call) {
                        let rows = self.rows(&call);
                        if rows >= ROWS {
                            self.base = Some(call.clone());
                            return Ok(call);
                        }
                        if fewer.as_ref().is_none_or(|(most, _)| rows > *most) {
                            fewer = Some((rows, call));
                        }
                    }
                }
            }
            if let Some((_, call)) = fewer.take_if(|_| round > 0) {
                self.base = Some(call.clone());
                return Ok(call);
            }
            if let Some(growth) = growth(&mut self.generator, &self.session.known, called, &Wish::valid()) {
                self.aims.success(growth.maker, growth.making);
            }
            self.new_caller(called.0)?;
            self.owners(called)?;
            for guard in called.1.exists() {
                let parent = guard.parent.as_ref();
                let parent = parent.and_then(|(of, _)| Some((of, self.session.known.records(of).last()?.id)));
                match (parent, maker(&self.generator, &guard.resource)) {
                    (Some((of, id)), Some(maker)) => self.aims.success(maker, Wish::naming(of, id)),
                    _ => self.make(&guard.resource),
                }
            }
            let goal = (called.0, called.1, None);
            self.aims
                .prepare(&mut self.generator, &self.session.known, goal, Wish::valid());
            for _ in 0..20 + 40 * round {
                self.step()?;
            }
        }
        let call = self.generator.call(&self.session.known, called, &Wish::valid());
        let by = self.forecast(&call).1;
        let reason = format!(
            "no call succeeds: one is rejected with {}",
            by.map_or("no error", |error| &error.name)
        );
        self.lacks_base = Some(reason.clone());
        Err(NotSent::Lacks(reason))
    }

    /// A call of the operation that succeeds, or that only a rule rejects: what is wrong with it besides is noticed before.
    pub(super) fn nearly(&mut self, called: Called<'static>) -> Result<Call<'static>, NotSent> {
        const TRIES: usize = 20;
        let lacks = match self.base(called) {
            Err(NotSent::Lacks(lacks)) => lacks,
            other => return other,
        };
        for _ in 0..TRIES {
            let call = self.generator.call(&self.session.known, called, &Wish::valid());
            if self
                .forecast(&call)
                .1
                .is_some_and(|error| matches!(error.step, Step::Quota | Step::Transition | Step::Rule))
            {
                return Ok(Call { key: None, ..call });
            }
        }
        Err(NotSent::Lacks(lacks))
    }

    /// Whether a call succeeds, and no limit rejects its caller now.
    fn is_usable(&self, call: &Call<'static>) -> bool {
        let now = self.run.subject.now();
        let known = &self.session.known.credentials;
        call.credential.is_none_or(|index| known[index].can_call(now)) && self.forecast(call).0 < 400
    }

    /// How many rows a call that succeeds shows; enough if it lists none.
    fn rows(&self, call: &Call<'static>) -> usize {
        let is_list = |operation: &Operation| matches!(operation.data, Some(Data::Many { .. }));
        let Some((_, operation)) = call.operation.filter(|(_, operation)| is_list(operation)) else {
            return ROWS;
        };
        let answer = body(&self.session.preview(call));
        let rows = data_in(self.generator.model, operation, &answer).as_array();
        rows.map_or(0, Vec::len)
    }

    /// The resource that calls the operation.
    pub(super) fn acting(&self, (surface, _): Called<'static>) -> Option<&'static str> {
        let credential = self.generator.model.credential_of(surface)?;
        Some(credential.caller.as_ref()?.resource.as_str())
    }

    /// Plans another record.
    pub(super) fn make(&mut self, resource: &str) {
        if let Some(maker) = maker(&self.generator, resource) {
            self.aims.success(maker, Wish::valid());
        }
    }

    /// Makes records of several owners, where it matters whose they are.
    pub(super) fn owners(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        const OWNERS: usize = 4;
        let Some(acting) = self.acting(called) else {
            return Ok(());
        };
        for resource in called.1.owned() {
            let Some(maker) = maker(&self.generator, resource) else {
                continue;
            };
            let callers = self.session.known.records(acting).iter().rev().take(OWNERS);
            for caller in callers.map(|one| one.id).collect::<Vec<_>>() {
                let wish = Wish {
                    caller: Some(caller),
                    ..Wish::valid()
                };
                self.aims.success(maker, wish);
            }
        }
        self.steps_planned()
    }

    /// Sends what is planned.
    pub(super) fn steps_planned(&mut self) -> Result<(), NotSent> {
        const MOST: usize = 200;
        for _ in 0..MOST {
            if self.aims.is_empty() {
                break;
            }
            self.step()?;
        }
        Ok(())
    }

    /// One more call of the random history.
    pub(super) fn step(&mut self) -> Result<(), NotSent> {
        self.generator.now = self.run.subject.now();
        let call = self.run.next(&mut self.generator, &mut self.aims, &self.session);
        match self.send(&call) {
            // It was a limit, or a rule of the server's own.
            Ok(_) | Err(NotSent::Lacks(_)) => Ok(()),
            Err(NotSent::Differs(difference)) => Err(NotSent::Before(difference)),
            Err(other) => Err(other),
        }
    }

    /// Sends a call.
    pub(super) fn send(&mut self, call: &Call<'static>) -> Result<Right, NotSent> {
        let mut call = call.clone();
        call.pause = call.pause.max(Duration::from_millis(1));
        let subject = self.run.subject;
        if subject.is_real() && subject.options.is_limited && call.peer.is_none() {
            call.peer = Some(match self.session.is_trial() {
                true => self.new_peer(),
                false => {
                    // Failed credentials of an address are limited.
                    subject.sent.set(subject.sent.get().wrapping_add(1));
                    peer(u16::MAX - subject.sent.get() / EACH_PEER)
                }
            });
        }
        self.generator.now = self.run.subject.now();
        let known = self.run.subject.causes.total();
        match self.session.step(&call) {
            Compared::Alike(sent, error) => {
                self.run.outcomes.count(&call, error);
                let is_success = sent.response.status < 400;
                if is_success {
                    if call.operation.is_some() && call.raw.is_none() {
                        self.generator.succeeded(call);
                    }
                    self.all.push(sent);
                }
                match self.run.subject.causes.total() > known {
                    true => Err(NotSent::Lacks(
                        "it shows a difference that another probe shows, too".to_owned(),
                    )),
                    false => Ok(Right { is_success, error }),
                }
            }
            Compared::Undecided(_, error) => {
                self.run.outcomes.count(&call, error);
                Err(NotSent::Lacks(match error {
                    Some(error) if error.step == Step::Limit => format!("the limit of {} rejects it", error.name),
                    Some(error) => format!("the server may reject it with {}", error.name),
                    None => "a limit of the server rejects it".to_owned(),
                }))
            }
            Compared::Differs(sent, found) => Err(self.differs(sent, *found)),
        }
    }

    /// An answer is another one than the interpreter's.
    pub(super) fn differs(&mut self, sent: Sent, found: Found) -> NotSent {
        self.run.outcomes.count(&sent.call, None);
        self.all.push(sent);
        let cause = found.cause.clone();
        let mark = self.session.known.mark.clone();
        self.run.differs((&self.all, &mark), found, self.seed);
        match self.run.report.differences.pop() {
            Some(difference) => NotSent::Differs(Box::new(difference)),
            None => NotSent::Ended(format!("a known difference ends its history: {cause}")),
        }
    }
}
