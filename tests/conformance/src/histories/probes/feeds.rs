//! Probes of feeds: who learns of a success, and of one that changes nothing; a credential that ends during a wait.

use super::{NotSent, Probing};
use crate::histories::aims::maker;
use crate::histories::call::Call;
use crate::histories::compare::status_cause;
use crate::histories::envelope::body;
use crate::histories::found::differ;
use crate::histories::known::Record;
use crate::histories::session::Sent;
use crate::histories::wish::{Called, Wish};
use crate::world::Response;
use codegen::model::{Effect, Feed, Target};
use std::thread;
use std::time::Duration;

/// The seconds that a request waits for an event.
const WAIT: u64 = 2;

/// The time in which a request arrives.
const ARRIVAL: Duration = Duration::from_millis(200);

/// The member with the place after the last event of a page.
const CURSOR: &str = Feed::SIBLINGS[0];

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
                let records: Vec<(String, i64)> = about
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
    fn readers_of(&self, resource: &str) -> Vec<i64> {
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
    fn feeds(&self) -> Vec<(Call<'static>, String)> {
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
    fn end(&self, read: &Call<'static>) -> Option<String> {
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
            let sender = self.run.subject.sender;
            let (answer, ended) = thread::scope(|scope| {
                let answer = scope.spawn(|| sender(&request));
                thread::sleep(ARRIVAL);
                let ended = match answer.is_finished() {
                    true => Err(NotSent::Lacks("it was answered before the credential ended".to_owned())),
                    false => self.send(&ending),
                };
                (answer.join(), ended)
            });
            ended?;
            let response = answer.unwrap_or_else(|_| Err("the sender has panicked".to_owned()));
            let response: Response = response.map_err(NotSent::Lacks)?;
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

    /// A call by somebody else that ends the credential of this call.
    fn ending(&mut self, call: &Call<'static>) -> Option<Call<'static>> {
        let index = call.credential?;
        let one = self.session.known.credentials[index].clone();
        let model = self.generator.model;
        let holder = &model.credential(&one.kind).caller.as_ref()?.limited_by;
        let ends = |effect: &Effect| match effect {
            Effect::End { resource, .. } => resource == holder,
            Effect::Renew { credential, .. } | Effect::Revoke { credential, .. } => *credential == one.kind,
            _ => false,
        };
        let enders = model
            .operations()
            .filter(|(_, operation)| operation.effects.iter().any(ends));
        for (surface, operation) in enders {
            let found = self.find((surface, operation, None), &Wish::naming(holder, one.holder));
            let found = found.filter(|found| found.credential != Some(index));
            let names = |found: &Call<'static>| {
                let mut mentions = found.mentions(model).into_iter();
                mentions.any(|mention| mention.resource == holder && mention.id == one.holder)
            };
            if let Some(found) = found.filter(names) {
                return Some(Call { key: None, ..found });
            }
        }
        None
    }
}
