//! Probes of limits: so many requests in a window and no more, counted for each caller, owner or address; and so many bytes of
//! responses.

use super::feeds::by_others;
use super::list::{Lister, Way, with_another_method};
use super::{NotSent, Probing};
use crate::histories::answers::is_counted;
use crate::histories::call::Call;
use crate::histories::known::NOBODY;
use crate::histories::outcomes::failed_credentials;
use crate::histories::wish::{Called, Wish};
use codegen::Model;
use codegen::model::{AnswerFrom, Counts, Limit, Operation, Per, ResponseBytes, Surface};
use codegen::step::Step;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// What is tried of the limits of an operation.
#[derive(Clone, Copy)]
pub(super) enum Trial {
    /// The limit that counts it.
    Rate(&'static Limit),
    /// The same, over all credentials of a caller.
    Owner(&'static Limit),
    /// No limit counts it.
    Unlimited,
    /// The limit on failed credentials.
    Guesses(&'static Limit),
    /// The bytes of responses.
    Bytes(ResponseBytes),
}

/// The least number of bytes of a response that names [`FAULTS`] unknown parameters.
const SHORTEST: u32 = 1800;
const FAULTS: usize = 20;

/// The limit that counts an operation.
fn limit_of<'m>(model: &'m Model, operation: &Operation) -> Option<&'m Limit> {
    operation.limit.as_ref().map(|name| model.limit(name))
}

/// The bound on responses to callers of an operation, if invalid requests, as many as its limit allows, reach it.
fn reachable_bytes(model: &Model, (surface, operation): Called<'static>) -> Option<ResponseBytes> {
    const ANY: u32 = 1000;
    /// Requests that follow.
    const LATER: u32 = 5;
    let bytes = model.response_bytes(surface)?;
    let most = limit_of(model, operation)
        .map_or(ANY, |limit| limit.max)
        .saturating_sub(LATER);
    let place = |step| model.errors.iter().position(|error| error.step == step);
    let is_reached = bytes.max / most.max(1) <= SHORTEST && place(Step::ResponseBytes) < place(Step::Decode);
    is_reached.then_some(bytes)
}

impl Lister {
    pub(super) fn limits(&mut self) {
        let (model, (surface, operation)) = (self.model, self.called);
        let credential = model.credential_of(surface);
        match limit_of(model, operation) {
            Some(limit) => {
                self.limit(&limit.name, Trial::Rate(limit), Step::Limit);
                let has_others = credential.is_some_and(|one| model.has_other_credentials(one));
                if has_others && limit.owner_max.is_some() {
                    self.limit(&limit.owner_name(), Trial::Owner(limit), Step::Limit);
                }
            }
            None if model.limits.is_empty() => {}
            None => self.add("limits: none".to_owned(), Way::Limit(Trial::Unlimited)),
        }
        if let (Some(failed), true) = (failed_credentials(model), credential.is_some()) {
            self.limit(&failed.name, Trial::Guesses(failed), Step::CredentialLimit);
        }
        // How long responses are depends on their texts.
        if let Some(bytes) = reachable_bytes(model, self.called).filter(|_| self.is_strict) {
            self.limit("bytes of responses", Trial::Bytes(bytes), Step::ResponseBytes);
        }
    }

    fn limit(&mut self, name: &str, trial: Trial, step: Step) {
        self.add(format!("limits: {name}"), Way::Limit(trial));
        self.is_rejected_at(step);
    }
}

/// An address of those for benchmarks (RFC 2544).
pub(super) fn peer(number: u16) -> IpAddr {
    let [high, low] = number.to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(198, 18, high, low))
}

/// How much of a trial there is time for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// So many requests, and one more.
    Brief,
    /// Also what comes meanwhile.
    Whole,
    /// Also the end of the window.
    ToTheEnd,
}

impl Extent {
    /// In real time, that of the first operation of the contract, and of an API.
    fn of(model: &'static Model, (surface, operation): Called<'static>, trial: Trial, is_real: bool) -> Self {
        let is_alike = |one: &Operation| matches!(trial, Trial::Guesses(_)) || one.limit == operation.limit;
        let mut all = model.operations();
        let first = all.find(|(of, one)| is_alike(one) && (of.credential.is_some() || surface.credential.is_none()));
        let own = surface.operations.iter().find(|one| is_alike(one));
        if !is_real || first.is_some_and(|(_, first)| first.at == operation.at) {
            Self::ToTheEnd
        } else if own.is_some_and(|own| own.at == operation.at) {
            Self::Whole
        } else {
            Self::Brief
        }
    }
}

/// The milliseconds of a window that a trial needs in real time.
const ROOM: u64 = 15_000;
const BRIEF_ROOM: u64 = 4_000;

/// The most requests of a trial.
const MOST: u32 = 5000;

impl Probing<'_> {
    pub(super) fn limit(&mut self, called: Called<'static>, trial: Trial) -> Result<(), NotSent> {
        let lacks = |why: &str| Err(NotSent::Lacks(why.to_owned()));
        let (subject, model) = (self.run.subject, self.generator.model);
        if !subject.options.is_limited {
            return lacks("the limits are switched off");
        }
        let (counts_addresses, most, seconds) = match trial {
            Trial::Guesses(limit) => (true, limit.max, limit.window_seconds),
            Trial::Rate(limit) | Trial::Owner(limit) => {
                let is_by_address = matches!(limit.counts, Counts::Methods { per: Per::Address, .. });
                (is_by_address, limit.max, limit.window_seconds)
            }
            Trial::Unlimited => (false, model.limits.iter().map(|limit| limit.max).max().unwrap_or(0), 1),
            Trial::Bytes(bytes) => (false, 0, bytes.window_seconds),
        };
        if counts_addresses && !subject.has_addresses() {
            return lacks("requests can come from several addresses only to a server on a loopback address");
        }
        if most > MOST {
            return lacks("it takes thousands of requests");
        }
        let extent = Extent::of(model, called, trial, subject.is_real());
        if extent == Extent::Brief && !matches!(trial, Trial::Rate(_)) {
            return lacks("in real time it is tried with one operation of an API");
        }
        let other = match extent {
            Extent::Brief => None,
            _ => self.uncounted(called.0)?.0,
        };
        let (caller, is_new) = self.uncounted(called.0)?;
        let call = self.counted(called, caller)?;
        let other = other.filter(|_| other != caller).map(|other| Call {
            credential: Some(other),
            ..call.clone()
        });
        let room = if extent == Extent::Brief { BRIEF_ROOM } else { ROOM };
        subject.begin(seconds, is_new.then_some(room)).map_err(NotSent::Lacks)?;
        self.session.begin_trial();
        let result = match trial {
            Trial::Rate(limit) if extent == Extent::Brief => self.repeat(&call, limit.max),
            Trial::Rate(limit) => self.rate(called, (limit, extent), call, other),
            Trial::Owner(limit) => self.owner(limit, call, other),
            Trial::Unlimited => self.repeat(&call, most),
            Trial::Guesses(limit) => self.guesses(called, (limit, extent), &call),
            Trial::Bytes(bytes) => self.response_bytes((bytes, extent), call, other),
        };
        self.session.end_trial();
        result
    }

    /// Sends a call so many times, and once more.
    fn repeat(&mut self, call: &Call<'static>, times: u32) -> Result<(), NotSent> {
        (0..=times).try_for_each(|_| self.send(call).map(|_| ()))
    }

    /// A caller's credential, and whether no limit has counted it; none if the surface takes none.
    fn uncounted(&mut self, surface: &Surface) -> Result<(Option<usize>, bool), NotSent> {
        let Some(credential) = self.generator.model.credential_of(surface) else {
            return Ok((None, true));
        };
        let before = self.session.known.credentials.len();
        let id = self.new_caller(surface)?.unwrap_or(NOBODY);
        let mut all = self.session.known.credentials.iter();
        let index = all.rposition(|one| one.kind == credential.name && one.caller == id && !one.has_ended);
        match index {
            Some(index) => Ok((Some(index), index >= before)),
            None => Err(NotSent::Lacks(format!("no new caller has a {}", credential.name))),
        }
    }

    /// A call that limits count: one that is rejected later, if the contract allows that. So it needs no records.
    fn counted(&mut self, called: Called<'static>, credential: Option<usize>) -> Result<Call<'static>, NotSent> {
        let decode = self.generator.model.error_at(Step::Decode);
        let peer = Some(self.new_peer());
        if !decode.is_some_and(|decode| is_counted(self.generator.model, Some(decode))) {
            if self.run.subject.is_real() {
                return Err(NotSent::Lacks(
                    "no request that is rejected for its form counts".to_owned(),
                ));
            }
            let kept = (self.base.take(), self.lacks_base.take());
            let call = self.nearly(called);
            (self.base, self.lacks_base) = kept;
            return Ok(Call { peer, ..call? });
        }
        let mut call = self.generator.call(&self.session.known, called, &Wish::valid());
        call.query.push("no_such_parameter=1".to_owned());
        Ok(Call {
            credential,
            key: None,
            peer,
            ..call
        })
    }

    /// An address that no request has come from.
    pub(super) fn new_peer(&self) -> IpAddr {
        let peers = &self.run.subject.peers;
        peers.set(peers.get().wrapping_add(1));
        peer(peers.get())
    }

    /// So many requests are let through, and no more until the window ends. What is rejected earlier does not count; other callers
    /// and other limits do not matter, a new credential does not help.
    fn rate(
        &mut self,
        called: Called<'static>,
        (limit, extent): (&Limit, Extent),
        mut call: Call<'static>,
        other: Option<Call<'static>>,
    ) -> Result<(), NotSent> {
        for early in self.rejected_earlier(&call) {
            self.aside(&early)?;
        }
        self.repeat(&call, limit.max)?;
        let mut others = vec![Call {
            peer: Some(self.new_peer()),
            ..call.clone()
        }];
        others.extend(other);
        let mut limits = vec![&called.1.limit];
        for other in &called.0.operations {
            if !limits.contains(&&other.limit) && !other.moves_file() {
                limits.push(&other.limit);
                let peer = call.peer;
                let other = self.counted((called.0, other), call.credential)?;
                others.push(Call { peer, ..other });
            }
        }
        for other in &others {
            self.send(other)?;
        }
        if let Some(renewed) = self.renewed(&call)? {
            call.credential = Some(renewed);
            self.send(&call)?;
        }
        self.suspended(&call)?;
        self.until_the_end(limit.window_seconds, extent, &call)
    }

    /// Which of two rejections comes first: the limit's, or that of a suspended caller.
    fn suspended(&mut self, call: &Call<'static>) -> Result<(), NotSent> {
        let Some(index) = call.credential else { return Ok(()) };
        let caller = self
            .generator
            .model
            .credential(&self.session.known.credentials[index].kind)
            .caller
            .as_ref();
        let Some(field) = caller.and_then(|caller| caller.suspended.as_ref()) else {
            return Ok(());
        };
        if let Some(suspension) = self.setting(call, field, true.into()) {
            self.aside(&suspension)?;
            self.send(call)?;
        }
        if let Some(end) = self.setting(call, field, false.into()) {
            self.aside(&end)?;
        }
        Ok(())
    }

    /// The call without a credential, and with another method.
    fn rejected_earlier(&self, call: &Call<'static>) -> Vec<Call<'static>> {
        let mut early = Vec::new();
        if let Some(called) = call.operation {
            let mut call = call.clone();
            with_another_method(&mut call, called);
            early.push(call);
        }
        if call.credential.is_some() {
            early.push(Call {
                credential: None,
                ..call.clone()
            });
        }
        early
    }

    /// A new credential in place of the one of a call, if an operation renews it.
    fn renewed(&mut self, call: &Call<'static>) -> Result<Option<usize>, NotSent> {
        let Some(one) = call
            .credential
            .map(|index| self.session.known.credentials[index].clone())
        else {
            return Ok(None);
        };
        let model = self.generator.model;
        let mut operations = model.operations();
        let renews = operations.find(|(_, operation)| operation.renews(&one.kind).is_some());
        let (Some((surface, operation)), Some(acting)) = (renews, &model.credential(&one.kind).caller) else {
            return Ok(None);
        };
        let wish = Wish::naming(&acting.resource, one.caller);
        let Some(renewing) = self.find((surface, operation, None), &wish) else {
            return Ok(None);
        };
        let before = self.session.known.credentials.len();
        self.aside(&Call { key: None, ..renewing })?;
        let mut new = self.session.known.credentials[before..].iter();
        let place = new.position(|new| new.caller == one.caller && new.kind == one.kind);
        Ok(place.map(|place| before + place))
    }

    /// The last calls of the window are rejected, the next ones are not.
    fn until_the_end(&mut self, seconds: u32, extent: Extent, call: &Call<'static>) -> Result<(), NotSent> {
        let subject = self.run.subject;
        if extent < Extent::ToTheEnd {
            return Ok(());
        }
        let (before, after) = match subject.is_real() {
            true => (Duration::from_secs(5), Duration::from_millis(1100)),
            false => (Duration::from_millis(10), Duration::ZERO),
        };
        let length = u64::from(seconds) * 1000;
        let left = Duration::from_millis(length - subject.now() % length);
        subject.pass(left.saturating_sub(before));
        self.send(call)?;
        subject.pass(left.min(before) + after);
        self.send(call).map(|_| ())
    }

    /// A caller with new credentials is let through as often as its own rate allows, with each credential as often as the limit
    /// allows.
    fn owner(&mut self, limit: &Limit, mut call: Call<'static>, other: Option<Call<'static>>) -> Result<(), NotSent> {
        let most = limit.owner_max.unwrap_or(0) / limit.max.max(1) + 2;
        for _ in 0..=most {
            let mut is_first = true;
            for _ in 0..=limit.max {
                if self.send(&call)?.is_at(Step::Limit) {
                    break;
                }
                is_first = false;
            }
            // Now that rate rejects all credentials, but not those of others.
            if is_first {
                return other.map_or(Ok(()), |other| self.send(&other).map(|_| ()));
            }
            call.credential = Some(self.another(&call)?);
        }
        Err(NotSent::Lacks("the rate of all credentials was not reached".to_owned()))
    }

    /// Another credential of the caller in place of the one of the call, which ends if that is possible.
    fn another(&mut self, call: &Call<'static>) -> Result<usize, NotSent> {
        let lacks = || NotSent::Lacks("no operation makes another credential for the caller".to_owned());
        let one = self.session.known.credentials[call.credential.ok_or_else(lacks)?].clone();
        let model = self.generator.model;
        let acting = model.credential(&one.kind).caller.as_ref().ok_or_else(lacks)?;
        // By itself, if its limit lets that through.
        for called in by_others(model, &one.kind).into_iter().rev() {
            if let Some(ending) = self.ending_by(called, call)
                && self.send(&ending)?.is_success
            {
                break;
            }
        }
        let shows = |from: &AnswerFrom| matches!(from, AnswerFrom::Secret(kind) if *kind == one.kind);
        for (surface, operation) in by_others(model, &one.kind) {
            let is_new = operation.makes(&acting.resource) || operation.renews(&one.kind).is_some();
            if !operation.answers.iter().any(shows) || is_new {
                continue;
            }
            let is_own = surface.credential.as_ref() == Some(&one.kind);
            let wish = Wish {
                caller: is_own.then_some(one.caller),
                ..Wish::naming(&acting.resource, one.caller)
            };
            let Some(making) = self.find((surface, operation, None), &wish) else {
                continue;
            };
            let before = self.session.known.credentials.len();
            self.send(&Call { key: None, ..making })?;
            let mut new = self.session.known.credentials[before..].iter();
            if let Some(place) = new.position(|new| new.kind == one.kind && new.caller == one.caller) {
                return Ok(before + place);
            }
        }
        Err(lacks())
    }

    /// So many failed credentials from an address are rejected as such, and the next ones as guesses. Another address, and the right
    /// credential, are served as before.
    fn guesses(
        &mut self,
        called: Called<'static>,
        (limit, extent): (&Limit, Extent),
        call: &Call<'static>,
    ) -> Result<(), NotSent> {
        let model = self.generator.model;
        let (Some(kind), Some(index)) = (model.credential_of(called.0), call.credential) else {
            return Ok(());
        };
        let secret = self.session.known.credentials[index].secret.clone();
        let with = |secrets: Vec<String>| {
            let headers = secrets.into_iter().map(|secret| (kind.header.clone(), secret));
            Call {
                credential: None,
                headers: call.headers.iter().cloned().chain(headers).collect(),
                ..call.clone()
            }
        };
        let forms = [
            with(Vec::new()),
            with(vec![secret.clone(), secret.clone()]),
            with(vec![format!("{secret}x")]),
        ];
        // The last of each form is a guess.
        for nth in 0..limit.max as usize + forms.len() {
            self.send(&forms[nth % forms.len()])?;
        }
        let elsewhere = Call {
            peer: Some(self.new_peer()),
            ..forms[0].clone()
        };
        self.send(&elsewhere)?;
        self.send(call)?;
        // They count for all operations together.
        for surface in model.surfaces.iter().filter(|surface| surface.credential.is_some()) {
            if let Some(operation) = surface.operations.iter().find(|one| !one.moves_file()) {
                let guess = self.counted((surface, operation), None)?;
                self.send(&Call {
                    peer: call.peer,
                    ..guess
                })?;
            }
        }
        self.until_the_end(limit.window_seconds, extent, &forms[0])
    }

    /// A caller is let through until so many bytes were sent to it.
    fn response_bytes(
        &mut self,
        (bytes, extent): (ResponseBytes, Extent),
        mut call: Call<'static>,
        other: Option<Call<'static>>,
    ) -> Result<(), NotSent> {
        let long = |nth: usize| format!("{}{nth:02}=1", "%C3%A9".repeat(38));
        call.query.extend((0..FAULTS).map(long));
        for _ in 0..=bytes.max / SHORTEST + 1 {
            if self.send(&call)?.is_at(Step::ResponseBytes) {
                if let Some(other) = other {
                    self.send(&other)?;
                }
                return self.until_the_end(bytes.window_seconds, extent, &call);
            }
        }
        Err(NotSent::Lacks(
            "as many requests as the limits allow have too short responses".to_owned(),
        ))
    }
}
