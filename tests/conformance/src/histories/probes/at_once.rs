//! Probes of requests that are sent at once, and of bodies that are on their way while rights end.

use super::list::{Lister, Way};
use super::{NotSent, Probing};
use crate::exchange::Response;
use crate::histories::call::Call;
use crate::histories::found::{Verdict, differ};
use crate::histories::learn::is_state;
use crate::histories::outcomes::{Outcomes, may_follow};
use crate::histories::session::Sent;
use crate::histories::spoil::can_be_copied;
use crate::histories::wish::{Called, Wish};
use codegen::Model;
use codegen::model::{Caller, Effect, Kind, Operation, RecordId, States};
use codegen::step::Step;
use serde_json::Value;

/// How many more times a request is sent at once.
const COPIES: usize = 7;

/// A rare lost race shows in one of so many rounds.
const ROUNDS: usize = 6;

/// What ends while a body is on its way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Right {
    Credential,
    /// Not to be suspended: this field says so.
    Suspended(&'static str),
    /// This field with the plan, and another plan.
    Plan(&'static str, &'static str),
}

impl Lister {
    pub(super) fn at_once(&mut self) {
        let (model, (surface, operation)) = (self.model, self.called);
        let call = Call {
            operation: Some((surface, operation)),
            method: operation.method.text.clone(),
            ..Call::default()
        };
        let caller = model.credential_of(surface).and_then(|one| one.caller.as_ref());
        // The contract does not say whether rights are checked again when a body has arrived.
        if let Some(caller) = caller.filter(|_| self.is_strict && operation.body.is_some()) {
            self.held(caller, operation);
        }
        // These may use up what there is.
        if can_be_copied(model, &call) && operation.file.is_none() {
            self.add("several at once".to_owned(), Way::AtOnce);
        }
        if operation.transitions.is_some() {
            self.add("several moves at once".to_owned(), Way::MovesAtOnce);
        }
    }

    fn held(&mut self, caller: &'static Caller, operation: &'static Operation) {
        let model = self.model;
        let is_set = |field: &&String| Outcomes::is_set(model, &caller.resource, field);
        let mut all = vec![("a credential that ends", Right::Credential, Step::Credential)];
        let suspended = caller.suspended.as_ref().filter(is_set);
        all.extend(suspended.map(|field| ("a suspension", Right::Suspended(field), Step::Suspended)));
        if let (Some((field, plans)), Some(plan)) = (
            caller.plan.as_ref().filter(|(field, _)| is_set(&field)),
            operation.plan(),
        ) {
            let other = model.enumeration(plans).values.iter().find(|other| *other != plan);
            all.extend(other.map(|other| ("another plan", Right::Plan(field, other), Step::Plan)));
        }
        for (name, right, step) in all {
            self.add(format!("{name} while the body is sent"), Way::Held(right));
            self.is_rejected_at(step);
        }
    }
}

impl Probing<'_> {
    fn rounds(&self) -> usize {
        if self.run.subject.options.is_limited { 1 } else { ROUNDS }
    }

    /// The same request several times at once gets what one after the other would.
    pub(super) fn at_once(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let most = self.generator.model.at_once(called.0, called.1);
        let copies = most.map_or(COPIES, |most| COPIES.min(most.saturating_sub(1) as usize));
        for round in 0..self.rounds() {
            let call = match self.base(called) {
                Err(NotSent::Lacks(_)) if round > 0 => break,
                base => base?,
            };
            self.send(&Call { copies, ..call })?;
        }
        Ok(())
    }

    /// Requests at once that set different states: those that succeed can have come one after the other.
    pub(super) fn moves_at_once(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let moves = Moves::of(self.generator.model, called.1);
        let moves = moves.ok_or_else(|| NotSent::Lacks("no member sets a state".to_owned()))?;
        for round in 0..self.rounds() {
            match self.race(called, &moves) {
                Err(NotSent::Lacks(_)) if round > 0 => break,
                raced => raced?,
            }
            if self.is_over {
                break;
            }
        }
        Ok(())
    }

    /// One round of it, with one record.
    fn race(&mut self, called: Called<'static>, moves: &Moves) -> Result<(), NotSent> {
        let model = self.generator.model;
        let base = self.base(called)?;
        let mut mentions = base.mentions(model).into_iter();
        let named = mentions.find(|mention| mention.resource == moves.resource);
        let record = named.and_then(|named| self.session.known.record(moves.resource, named.id));
        let from = record.and_then(|record| record.values.get(&moves.states.of.1)?.as_str());
        let from = from
            .ok_or_else(|| NotSent::Lacks("the state before is not known".to_owned()))?
            .to_owned();
        let to: Vec<&str> = moves
            .words
            .iter()
            .map(String::as_str)
            .cycle()
            .take(COPIES + 1)
            .collect();
        let calls: Vec<Call<'static>> = to.iter().map(|word| with(&base, moves.member, word)).collect();
        let requests: Vec<_> = calls
            .iter()
            .map(|call| call.request(model, &self.session.known))
            .collect();
        let answers = match self.run.subject.together(&requests) {
            Ok(answers) => answers,
            Err(reason) => return self.unanswered(&calls[0], reason),
        };
        let sent = calls.iter().zip(requests).zip(answers);
        let sent: Vec<Sent> = sent
            .map(|((call, request), answer)| Sent::new(call, request, answer))
            .collect();
        let all = sent.iter().zip(&to).enumerate();
        let done: Vec<(usize, &str)> = all
            .filter(|(_, (sent, _))| sent.response.status < 400)
            .map(|(nth, (_, to))| (nth, *to))
            .collect();
        if done.is_empty() {
            let found = differ(
                "no move at once succeeds",
                sent[0].response.status,
                "a success, as of one alone",
            );
            return self.expect(&sent[0], found);
        }
        let Some(order) = order(moves.states, &from, &done) else {
            let words: Vec<&str> = done.iter().map(|(_, word)| *word).collect();
            let cause = "moves at once that no order of them allows";
            let found = differ(
                cause,
                format!("from {from}: {}", words.join(", ")),
                "some order of them",
            );
            return self.expect(&sent[done[0].0], found);
        };
        for nth in order {
            let one = &sent[nth];
            let verdict = self.session.observe(&one.call, &one.request, &one.response);
            self.expect(one, verdict)?;
            self.all.push(one.clone());
        }
        for one in sent.iter().filter(|one| one.response.status >= 400) {
            let is_late = |step| {
                matches!(
                    step,
                    Step::Transition | Step::Rule | Step::Quota | Step::Limit | Step::InFlight | Step::Busy
                )
            };
            let mut errors = model.errors_of(called.0, called.1).into_iter();
            // A server may have words of its own.
            if !errors.any(|error| error.status == one.response.status && is_late(error.step)) {
                let cause = "a move at once is rejected for another reason than those before it";
                let found = differ(cause, one.response.status, "a state that stands in the way");
                self.expect(one, found)?;
            }
        }
        // In which order they came decides in which state the record is, and which events there are.
        self.is_over |= done.len() > 1;
        Ok(())
    }

    /// There is no answer.
    fn unanswered(&mut self, call: &Call<'static>, reason: String) -> Result<(), NotSent> {
        let request = call.request(self.generator.model, &self.session.known);
        let found = differ("no answer", reason, "an answer");
        self.expect(&Sent::new(call, request, Response::none()), found)
    }

    /// An error if this differs.
    fn expect(&mut self, sent: &Sent, verdict: Verdict) -> Result<(), NotSent> {
        verdict.map_err(|found| self.differs(sent.clone(), *found))
    }

    /// A right ends before the last byte of the body arrives: then the request is rejected like a new one.
    pub(super) fn held(&mut self, called: Called<'static>, right: Right) -> Result<(), NotSent> {
        let Some(hold) = self.run.subject.held else {
            return Err(NotSent::Lacks("nothing holds the body of a request back".to_owned()));
        };
        // Of a caller of its own, if that has what it needs.
        let caller = self.new_caller(called.0)?;
        let wish = Wish {
            caller,
            ..Wish::valid()
        };
        let call = match self.find((called.0, called.1, None), &wish) {
            Some(call) => Call { key: None, ..call },
            None => self.base(called)?,
        };
        (self.base, self.rejected) = (None, None);
        // Otherwise the held request may be the first use of the credential, which then shows.
        let mut used = call.clone();
        used.query.push("no_such_parameter=1".to_owned());
        self.aside(&used)?;
        let changing = match right {
            Right::Credential => self.ending(&call),
            Right::Suspended(field) => self.setting(&call, field, true.into()),
            Right::Plan(field, plan) => self.setting(&call, field, plan.into()),
        };
        let changing =
            changing.ok_or_else(|| NotSent::Lacks(format!("no call of another caller ends it: {right:?}")))?;
        let request = call.request(self.generator.model, &self.session.known);
        let mut sent = None;
        let response = hold(&request, &mut || sent = Some(self.send(&changing)));
        let response = match response {
            Ok(response) => response,
            Err(reason) => return self.unanswered(&call, reason),
        };
        if let Some(sent) = sent {
            sent?;
        }
        let verdict = self.session.observe(&call, &request, &response);
        self.expect(&Sent::new(&call, request, response), verdict)?;
        if let Right::Suspended(field) = right
            && let Some(end) = self.setting(&call, field, false.into())
        {
            self.aside(&end)?;
        }
        Ok(())
    }

    /// A call by somebody else that gives this field of the caller of a call this value.
    pub(super) fn setting(&mut self, call: &Call<'static>, field: &str, value: Value) -> Option<Call<'static>> {
        let one = self.session.known.credentials[call.credential?].clone();
        let acting = &self.generator.model.credential(&one.kind).caller.as_ref()?.resource;
        let found = self.change_of((acting, one.caller), field, value)?;
        (found.credential != call.credential).then_some(found)
    }

    /// A call that gives this field of a record this value, and changes nothing else.
    pub(super) fn change_of(&mut self, record: (&str, RecordId), field: &str, value: Value) -> Option<Call<'static>> {
        let model = self.generator.model;
        let sets = |(_, operation): &Called<'static>| {
            let changes = |effect: &Effect| matches!(effect, Effect::Change { resource, .. } if resource == record.0);
            let mut members = model.body(operation).into_iter().flat_map(|body| &body.members);
            operation.effects.iter().any(changes) && members.any(|member| member.field.name == field)
        };
        let setters: Vec<Called<'static>> = model.operations().filter(sets).collect();
        setters.into_iter().find_map(|(surface, operation)| {
            let members = model.body(operation).into_iter().flat_map(|body| &body.members);
            let others = members
                .map(|member| member.field.name.clone())
                .filter(|name| name != field);
            let wish = Wish {
                values: vec![(field.to_owned(), value.clone())],
                absent: others.collect(),
                ..Wish::naming(record.0, record.1)
            };
            let found = self.find((surface, operation, None), &wish)?;
            Some(Call { key: None, ..found })
        })
    }
}

/// The call with this text of a member.
fn with(call: &Call<'static>, member: &str, text: &str) -> Call<'static> {
    let mut call = call.clone();
    if let Value::Object(members) = &mut call.json {
        members.insert(member.to_owned(), text.into());
        call.body = Some(call.json.to_string());
    }
    call
}

/// The states of a resource that a member of a request sets.
pub(super) struct Moves {
    pub(super) resource: &'static str,
    states: &'static States,
    pub(super) member: &'static str,
    /// Those that it can set.
    pub(super) words: &'static [String],
}

impl Moves {
    pub(super) fn of(model: &'static Model, operation: &'static Operation) -> Option<Self> {
        let moved = operation.transitions.as_ref()?;
        let members = &model.body(operation)?.members;
        let member = members
            .iter()
            .find(|member| is_state(model, &moved.states, &member.field.of.kind))?;
        let Kind::Enum(words) = &member.field.of.kind else {
            return None;
        };
        Some(Self {
            resource: &moved.resource,
            states: model.enumeration(&moved.states).states.as_ref()?,
            member: &member.field.name,
            words: &model.enumeration(words).values,
        })
    }
}

/// An order in which these moves are allowed, one after the other.
fn order(states: &States, from: &str, moves: &[(usize, &str)]) -> Option<Vec<usize>> {
    if moves.is_empty() {
        return Some(Vec::new());
    }
    let mut tried: Vec<&str> = Vec::new();
    moves.iter().enumerate().find_map(|(place, (nth, to))| {
        if tried.contains(to) || !may_follow(states, from, to) {
            return None;
        }
        tried.push(to);
        let mut rest = moves.to_vec();
        rest.remove(place);
        let mut all = order(states, to, &rest)?;
        all.insert(0, *nth);
        Some(all)
    })
}

#[cfg(test)]
mod tests {
    use super::order;
    use codegen::model::{Span, States};

    #[test]
    fn moves_are_possible_if_one_order_of_them_is() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        // Of a loan: asked → lent or refused, lent → back.
        let states = States {
            of: ("Loan".to_owned(), "status".to_owned()),
            initial: "asked".to_owned(),
            transitions: Some(vec![
                ("asked".to_owned(), words(&["lent", "refused"])),
                ("lent".to_owned(), words(&["back"])),
            ]),
            at: Span::default(),
        };
        let check = |moved: &[&str], expected: Option<&[usize]>| {
            let moves: Vec<(usize, &str)> = moved.iter().copied().enumerate().collect();
            assert_eq!(order(&states, "asked", &moves).as_deref(), expected, "{moved:?}");
        };
        check(&[], Some(&[]));
        check(&["back", "lent", "lent"], Some(&[1, 2, 0]));
        check(&["back", "lent"], Some(&[1, 0]));
        check(&["lent", "refused"], None);
        check(&["back"], None);
    }
}
