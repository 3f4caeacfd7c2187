//! Probes of feeds: who learns of a success, and of one that changes nothing; an event, and the end of a credential, during a wait.

use super::directed::Right;
use super::ways::linked;
use super::{NotSent, Probing};
use crate::description::type_of;
use crate::exchange::{Request, Response};
use crate::histories::aims::maker;
use crate::histories::call::Call;
use crate::histories::compare::status_cause;
use crate::histories::envelope::body;
use crate::histories::found::differ;
use crate::histories::known::Record;
use crate::histories::session::Sent;
use crate::histories::wish::{Called, Wish};
use crate::types::Type;
use codegen::Model;
use codegen::model::{Effect, Feed, RecordId, Target};
use std::thread;
use std::time::{Duration, Instant};

/// The seconds that a request waits for an event that does not come.
const WAIT: u64 = 2;

/// The seconds that a request waits for an event that comes, far longer than it takes to answer.
const LONG_WAIT: u64 = 10;

/// The time in which a request arrives.
const ARRIVAL: Duration = Duration::from_millis(200);

/// The member with the place after the last event of a page.
const CURSOR: &str = Feed::SIBLINGS[0];

/// What came of a request that waited, and of a call meanwhile.
struct Meanwhile {
    response: Response,
    took: Duration,
    sent: Result<Right, NotSent>,
}

/// All operations; those with this credential last, which a limit may reject when it has rejected others.
pub(super) fn by_others<'m>(model: &'m Model, credential: &str) -> Vec<Called<'m>> {
    let mut all: Vec<Called<'m>> = model.operations().collect();
    all.sort_by_key(|(surface, _)| surface.credential.as_deref() == Some(credential));
    all
}

impl Probing<'_> {
    /// Sends a call that causes an event, and the same again: if that changes nothing, it causes none. Then all feeds are read from
    /// where they were before.
    pub(super) fn events(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        const TRIES: usize = 12;
        self.readers(called)?;
        let feeds = self.feeds();
        let is_at_begin = |probing: &Self| {
            let mut all = feeds.iter();
            all.all(|(read, end)| probing.end(read).as_ref() == Some(end))
        };
        let mut is_due = self.generator.model.events_of(called.0, called.1).next().is_some();
        for _ in 0..TRIES {
            let wish = self.wish_for_event(called);
            let call = match self.find((called.0, called.1, None), &wish) {
                Some(call) => Call { key: None, ..call },
                None => {
                    self.base = None;
                    self.base(called)?
                }
            };
            self.send(&call)?;
            is_due &= is_at_begin(self);
            if !is_due {
                if self.forecast(&call).0 < 400 {
                    self.send(&call)?;
                }
                break;
            }
        }
        for (mut read, end) in feeds {
            let feed = read.operation.and_then(|(_, operation)| operation.feed.as_ref());
            read.query = feed.map(|feed| format!("{}={end}", feed.after)).into_iter().collect();
            if !self.has_ended(&read) {
                self.aside(&read)?;
            }
        }
        match is_due {
            true => Err(NotSent::Lacks(
                "no call causes an event for a caller who reads a feed".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Callers who read feeds, and records that make events concern them.
    fn readers(&mut self, (surface, operation): Called<'static>) -> Result<(), NotSent> {
        const READERS: usize = 3;
        let model = self.generator.model;
        for (surface, feed) in model.operations().filter(|(_, operation)| operation.feed.is_some()) {
            let reads = |(read, _): &&(Call<'static>, String)| read.operation.is_some_and(|(_, one)| one.at == feed.at);
            for _ in self.feeds().iter().filter(reads).count()..READERS {
                self.new_caller(surface)?;
            }
        }
        self.new_caller(surface)?;
        self.owners((surface, operation))?;
        for (kind, target) in model.events_of(surface, operation) {
            for to in kind.recipients_of(model, surface) {
                let about = match (&to.each, target) {
                    (Some(_), Target::Found(resource)) => Some(resource),
                    _ => None,
                };
                let records: Vec<(String, RecordId)> = about
                    .and_then(|of| Some((of.clone(), self.session.known.records(of).last()?.id)))
                    .into_iter()
                    .collect();
                let found = operation.exists().map(|guard| &guard.resource);
                let made: Vec<&String> = match &to.each {
                    Some((each, _)) => vec![each],
                    None => found.collect(),
                };
                let callers = self.readers_of(&to.caller).into_iter().rev().take(READERS);
                for caller in callers.collect::<Vec<_>>() {
                    for maker in made.iter().filter_map(|made| maker(&self.generator, made)) {
                        let wish = Wish {
                            caller: Some(caller),
                            records: records.clone(),
                            ..Wish::valid()
                        };
                        self.aims.success(maker, wish);
                    }
                }
            }
        }
        self.steps_planned()
    }

    /// The callers of this resource who can read a feed.
    fn readers_of(&self, resource: &str) -> Vec<RecordId> {
        let known = &self.session.known.credentials;
        let feeds = self.feeds().into_iter();
        let credentials = feeds.filter_map(|(read, _)| Some(&known[read.credential?]));
        let is_of = |kind: &str| {
            let caller = self.generator.model.credential(kind).caller.as_ref();
            caller.is_some_and(|caller| caller.resource == resource)
        };
        credentials
            .filter(|one| is_of(&one.kind))
            .map(|one| one.caller)
            .collect()
    }

    /// A call about a record that concerns somebody.
    fn wish_for_event(&mut self, (surface, operation): Called<'static>) -> Wish {
        let model = self.generator.model;
        for (kind, target) in model.events_of(surface, operation) {
            for to in kind.recipients_of(model, surface) {
                let (Some((each, via)), Target::Found(resource)) = (&to.each, target) else {
                    continue;
                };
                let readers = self.readers_of(&to.caller);
                let concerns = |record: &&Record| record.link(&to.path.field).is_some_and(|id| readers.contains(&id));
                let known = self.session.known.records(each).iter();
                let records: Vec<&Record> = known.filter(concerns).collect();
                if let Some(id) = self.generator.random.of(&records).and_then(|record| record.link(via)) {
                    return Wish::naming(resource, id);
                }
            }
        }
        Wish::valid()
    }

    /// A read of the feed of each caller, and where it ends.
    pub(super) fn feeds(&self) -> Vec<(Call<'static>, String)> {
        let mut callers = Vec::new();
        let mut feeds = Vec::new();
        for called in self.generator.model.operations() {
            let Some(feed) = &called.1.feed else { continue };
            for (index, one) in self.session.known.credentials.iter().enumerate() {
                let is_living = Some(&one.kind) == called.0.credential.as_ref() && !one.has_ended;
                if !is_living || callers.contains(&(&one.kind, one.caller)) {
                    continue;
                }
                callers.push((&one.kind, one.caller));
                let read = Call {
                    operation: Some(called),
                    method: called.1.method.text.clone(),
                    query: vec![format!("{}=now", feed.after)],
                    credential: Some(index),
                    ..Call::default()
                };
                feeds.extend(self.end(&read).map(|end| (read, end)));
            }
        }
        feeds
    }

    /// Where a feed ends; `None` if the caller may not read it.
    pub(super) fn end(&self, read: &Call<'static>) -> Option<String> {
        let page = body(&self.session.preview(read));
        page[CURSOR].as_str().map(str::to_owned)
    }

    /// Whether the credential of a call has ended.
    fn has_ended(&self, call: &Call<'static>) -> bool {
        let known = &self.session.known.credentials;
        call.credential.is_some_and(|index| known[index].has_ended)
    }

    /// A request waits for an event while its credential ends. It then gets none: it is rejected, at the end of its wait at the
    /// latest.
    pub(super) fn ended_wait(&mut self, called: Called<'static>, wait: &str) -> Result<(), NotSent> {
        let feeds = self.feeds().into_iter();
        let is_of_feed = |read: &Call<'static>| read.operation.is_some_and(|(_, one)| std::ptr::eq(one, called.1));
        for (mut waiting, end) in feeds.filter(|(read, _)| is_of_feed(read)) {
            let Some(ending) = self.ending(&waiting) else { continue };
            let after = called.1.feed.as_ref().map_or("", |feed| &feed.after);
            waiting.query = vec![format!("{after}={end}"), format!("{wait}={WAIT}")];
            let request = waiting.request(self.generator.model, &self.session.known);
            let Meanwhile { response, sent, .. } = self.meanwhile(&request, &ending)?;
            sent?;
            // Which headers it has then is not declared.
            let (status, error) = self.forecast(&waiting);
            let cause = "the credential has ended in a wait";
            let cause = format!("{cause}: {}", status_cause(response.status, (status, error)));
            let found = differ(cause, response.status, status);
            return match (found, status == response.status) {
                (Err(found), false) => Err(self.differs(Sent::new(&waiting, request, response), *found)),
                _ => Ok(()),
            };
        }
        Err(NotSent::Lacks(
            "no call ends the credential of a caller who can wait".to_owned(),
        ))
    }

    /// Sends a request that waits, and this call while it does. Returns its answer, how long it took, and what came of the call,
    /// which is not sent if the answer comes before.
    fn meanwhile(&mut self, request: &Request, call: &Call<'static>) -> Result<Meanwhile, NotSent> {
        let sender = self.run.subject.sender;
        let (answer, sent) = thread::scope(|scope| {
            let answer = scope.spawn(|| {
                let began = Instant::now();
                (sender(request), began.elapsed())
            });
            thread::sleep(ARRIVAL);
            let sent = match answer.is_finished() {
                true => Err(NotSent::Lacks("it was answered before it had waited".to_owned())),
                false => self.send(call),
            };
            (answer.join(), sent)
        });
        let panicked = |_| (Err("the sender has panicked".to_owned()), Duration::ZERO);
        let (response, took) = answer.unwrap_or_else(panicked);
        let response = response.map_err(NotSent::Lacks)?;
        Ok(Meanwhile { response, took, sent })
    }

    /// A request waits for an event. When that comes it is answered at once, and with the event.
    pub(super) fn awaited(&mut self, called: Called<'static>, wait: &str) -> Result<(), NotSent> {
        const TRIES: usize = 4;
        self.new_caller(called.0)?;
        let feeds = self.feeds().into_iter().rev();
        let is_of_feed = |read: &Call<'static>| read.operation.is_some_and(|(_, one)| std::ptr::eq(one, called.1));
        let mut tried = 0;
        for (read, end) in feeds.filter(|(read, _)| is_of_feed(read)) {
            let Some(causing) = self.causing(called, &read) else {
                continue;
            };
            let mut waiting = read.clone();
            let after = called.1.feed.as_ref().map_or("", |feed| &feed.after);
            let longest = self.longest(called, wait);
            waiting.query = vec![format!("{after}={end}"), format!("{wait}={longest}")];
            let request = waiting.request(self.generator.model, &self.session.known);
            let Meanwhile { response, took, sent } = self.meanwhile(&request, &causing)?;
            let is_due = self.end(&read) != Some(end);
            // A read that does not wait is answered alike now.
            if let Err(found) = self.session.observe(&waiting, &request, &response) {
                return Err(self.differs(Sent::new(&waiting, request, response), *found));
            }
            sent?;
            if is_due && took.as_secs() < longest {
                return Ok(());
            }
            if let (true, Err(found)) = (is_due, differ("an event does not end a wait", took.as_secs(), "less")) {
                return Err(self.differs(Sent::new(&waiting, request, response), *found));
            }
            tried += 1;
            if tried == TRIES {
                break;
            }
        }
        Err(NotSent::Lacks(
            "no call causes an event for a caller who can wait".to_owned(),
        ))
    }

    /// The seconds of a wait for an event that comes.
    fn longest(&self, called: Called<'static>, wait: &str) -> u64 {
        let field = called.1.query.iter().find(|field| field.name == wait);
        let of = field.map(|field| type_of(self.generator.model, &field.of));
        match of {
            Some(Type::Integer { max: Some(max), .. }) => LONG_WAIT.min(u64::try_from(*max).unwrap_or(LONG_WAIT)),
            _ => LONG_WAIT,
        }
    }

    /// A call that probably causes an event for the caller of this read.
    pub(super) fn causing(&mut self, called: Called<'static>, read: &Call<'static>) -> Option<Call<'static>> {
        let model = self.generator.model;
        let caller = self.session.known.credentials[read.credential?].caller;
        let acting = self.acting(called)?;
        for (surface, operation) in model.operations() {
            for (kind, target) in model.events_of(surface, operation) {
                let mut recipients = kind.recipients_of(model, surface);
                if !recipients.any(|to| to.caller == acting && to.each.is_none()) {
                    continue;
                }
                let found = match target {
                    Target::Found(resource) => vec![resource],
                    Target::Made(_) => operation.exists().map(|guard| &guard.resource).collect(),
                    Target::Caller => Vec::new(),
                };
                for resource in found {
                    let leads = |field: &str| linked(model, resource, field) == Some(acting);
                    let is_theirs =
                        |record: &&Record| record.links.iter().any(|(field, id)| *id == caller && leads(field));
                    let Some(id) = self
                        .session
                        .known
                        .records(resource)
                        .iter()
                        .rfind(is_theirs)
                        .map(|one| one.id)
                    else {
                        continue;
                    };
                    if let Some(call) = self.find((surface, operation, None), &Wish::naming(resource, id)) {
                        return Some(Call { key: None, ..call });
                    }
                }
            }
        }
        None
    }

    /// A call with another credential that ends the one of this call; if possible by somebody else.
    pub(super) fn ending(&mut self, call: &Call<'static>) -> Option<Call<'static>> {
        let kind = &self.session.known.credentials[call.credential?].kind;
        let all = by_others(self.generator.model, kind).into_iter();
        let mut endings = all.filter_map(|called| self.ending_by(called, call));
        endings.find(|ending| ending.credential != call.credential)
    }

    /// A call of this operation that ends the credential of another call.
    pub(super) fn ending_by(
        &mut self,
        (surface, operation): Called<'static>,
        call: &Call<'static>,
    ) -> Option<Call<'static>> {
        let one = self.session.known.credentials[call.credential?].clone();
        let model = self.generator.model;
        let caller = model.credential(&one.kind).caller.as_ref()?;
        let holder = &caller.limited_by;
        let ends = |effect: &Effect| match effect {
            Effect::End { resource, .. } => resource == holder,
            Effect::Renew { credential, .. } | Effect::Revoke { credential, .. } => *credential == one.kind,
            _ => false,
        };
        if !operation.effects.iter().any(ends) {
            return None;
        }
        let mut wish = Wish::naming(holder, one.holder);
        wish.records.push((caller.resource.clone(), one.caller));
        let found = self.find((surface, operation, None), &wish)?;
        let mut mentions = found.mentions(model).into_iter();
        let names = mentions.any(|mention| mention.resource == holder && mention.id == one.holder);
        names.then_some(Call { key: None, ..found })
    }
}
