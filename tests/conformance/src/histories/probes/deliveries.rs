//! Probes of webhooks: their URLs get the events of their caller as Standard Webhooks describes
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>), each as the feed shows it.

use super::{NotSent, Probing};
use crate::contract::data_in;
use crate::exchange::Response;
use crate::histories::call::Call;
use crate::histories::envelope::body;
use crate::histories::found::{Found, Verdict, differ};
use crate::histories::known::NOBODY;
use crate::histories::session::Sent;
use crate::histories::wish::{Called, Wish};
use crate::receiver::{Received, Receiver};
use codegen::Model;
use codegen::model::{Effect, EventKind, Kind, Operation, RecordId, TypeRule};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use std::time::Duration;

/// How long a request to a webhook may take: far longer than it does.
const LONGEST: Duration = Duration::from_secs(15);

/// How long to wait for the first event, and how often one is caused.
const FIRST: Duration = Duration::from_secs(4);
const TRIES: usize = 4;

/// How long to wait for a request that must not come.
const AFTER: Duration = Duration::from_millis(700);

/// What the secret of a webhook begins with.
const SECRET: &str = "whsec_";

/// A body that makes webhooks: the members with the URL and with the names of events.
pub(super) struct Hooks {
    url: &'static str,
    events: &'static str,
    resource: &'static str,
}

/// What an operation needs to make webhooks, if it does: its body has a text `url` and names of events.
pub(super) fn hooks(model: &'static Model, operation: &'static Operation) -> Option<Hooks> {
    let makes = operation.effects.iter().find_map(|effect| match effect {
        Effect::Make { resource, .. } => Some(resource.as_str()),
        _ => None,
    });
    let members = || model.body(operation).into_iter().flat_map(|body| &body.members);
    let names_events = |kind: &Kind| match kind {
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::List { of, .. } => matches!(&of.kind, Kind::Enum(name) if model.enumeration(name).is_of_events),
            _ => false,
        },
        _ => false,
    };
    let events = members().find(|member| names_events(&member.field.of.kind))?;
    let url = members().find(|member| matches!(member.field.name.as_str(), "url" | "uri"))?;
    Some(Hooks {
        url: url.field.name.as_str(),
        events: events.field.name.as_str(),
        resource: makes?,
    })
}

/// A webhook.
struct Hook {
    url: String,
    secret: String,
    id: RecordId,
}

impl Probing<'_> {
    /// Webhooks for all events and for others, one whose URL repeats no challenge, and one that is deleted.
    pub(super) fn deliveries(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let lacks = |what: &str| NotSent::Lacks(what.to_owned());
        let Some(receiver) = self.run.subject.receiver else {
            return Err(lacks("there is no address that receives what webhooks get"));
        };
        let (surface, model) = (called.0, self.generator.model);
        let hooks = hooks(model, called.1).ok_or_else(|| lacks("it makes no webhook"))?;
        let sent: Vec<&EventKind> = model.events_sent_for(surface).collect();
        let (read, causing) = self.reader(called)?;
        let caller = read
            .credential
            .map_or(NOBODY, |index| self.session.known.credentials[index].caller);
        let own = causing
            .operation
            .into_iter()
            .flat_map(|(surface, one)| model.events_of(surface, one));
        let own: Vec<String> = own.map(|(kind, _)| kind.name.clone()).collect();
        let Some(other) = sent.iter().find(|kind| !own.contains(&kind.name)) else {
            return Err(lacks("all events have one cause"));
        };
        // That a webhook becomes active is not declared.
        self.is_over = true;
        let make = |probing: &mut Self, events: &[&str], is_silent| {
            probing.hook(receiver, (called, caller), &hooks, (events, is_silent))
        };
        let all = make(self, &[], false)?;
        let others = make(self, &[other.name.as_str()], false)?;
        let silent = make(self, &[], true)?;
        let ended = make(self, &[], false)?;
        let is_asked = |hook: &Hook| receiver.wait(&hook.url, LONGEST, &|all| all.iter().any(Received::is_challenge));
        // A service need not ask; but then it asks no URL.
        let asks = is_asked(&all);
        for hook in [&others, &silent, &ended].into_iter().filter(|_| asks) {
            self.report(match is_asked(hook) {
                true => Ok(()),
                false => differ(
                    "a webhook whose URL is not asked for a challenge",
                    "nothing",
                    "a request",
                ),
            })?;
        }
        // When a webhook becomes active is the service's own matter. From the first event on, each arrives.
        let begin = self.end(&read).unwrap_or_default();
        let mut is_active = false;
        for _ in 0..TRIES {
            let Some(causing) = self.causing(called, &read).filter(|_| !is_active) else {
                break;
            };
            let events = self.caused(&read, causing)?;
            let arrives = |hook: &Hook| {
                let is_one = |one: &Received| events.iter().any(|event| one.is_event(event));
                receiver.wait(&hook.url, FIRST, &|all| all.iter().any(is_one))
            };
            is_active = arrives(&all) && arrives(&ended);
        }
        self.report(match is_active {
            true => Ok(()),
            false => differ("no event of the feed arrives", "nothing", "each event"),
        })?;
        if let Some(causing) = self.causing(called, &read) {
            let events = self.caused(&read, causing)?;
            self.arrive(receiver, &events, &[&all, &ended])?;
        }
        let end = self.generator.operations.iter().find(|(of, one)| {
            let ends = |effect: &Effect| matches!(effect, Effect::End { resource, .. } if *resource == hooks.resource);
            std::ptr::eq(*of, surface) && one.effects.iter().any(ends)
        });
        let before = receiver.received(&ended.url).len();
        let mut has_ended = false;
        if let Some((of, one)) = end.copied() {
            let wish = Wish {
                caller: Some(caller),
                ..Wish::naming(hooks.resource, ended.id)
            };
            if let Some(call) = self.find((of, one, None), &wish) {
                has_ended = self.send(&call)?.is_success;
            }
        }
        if let Some(again) = self.causing(called, &read) {
            let events = self.caused(&read, again)?;
            self.arrive(receiver, &events, &[&all])?;
        }
        self.run.subject.pass(AFTER);
        let late = receiver.received(&ended.url).len() > before;
        self.report(match has_ended && late {
            true => differ("a request to a webhook that was deleted", "a request", "none"),
            false => Ok(()),
        })?;
        let is_event = |one: &Received| !one.is_challenge();
        let events = self.since(&read, &begin)?;
        let is_own = |one: &Received| events.iter().any(|event| one.is_event(event));
        let strange = receiver
            .received(&all.url)
            .into_iter()
            .find(|one| is_event(one) && !is_own(one));
        self.report(strange.map_or(Ok(()), |one| {
            differ(
                "a request to a webhook that is no event of its caller",
                one.json(),
                "none",
            )
        }))?;
        for (hook, is_tried, cause) in [
            (
                &silent,
                asks,
                "an event for a webhook whose URL has repeated no challenge",
            ),
            (&others, true, "an event that the webhook does not name"),
        ] {
            let came = receiver
                .received(&hook.url)
                .into_iter()
                .find(|one| is_tried && is_event(one));
            self.report(came.map_or(Ok(()), |one| differ(cause, one.json(), "none")))?;
        }
        Ok(())
    }

    /// Makes a webhook for these events.
    fn hook(
        &mut self,
        receiver: &Receiver,
        (called, caller): (Called<'static>, RecordId),
        hooks: &Hooks,
        (events, is_silent): (&[&str], bool),
    ) -> Result<Hook, NotSent> {
        let wish = Wish {
            caller: Some(caller),
            ..Wish::valid()
        };
        let model = self.generator.model;
        let mut call = self
            .find((called.0, called.1, None), &wish)
            .ok_or_else(|| NotSent::Lacks("the caller cannot make a webhook".to_owned()))?;
        let made = self.session.known.records(hooks.resource).len();
        let url = receiver.url(&format!("{}-{made}", self.session.known.mark), is_silent);
        call.json[hooks.url] = url.as_str().into();
        call.json[hooks.events] = json!(events);
        call.body = Some(call.json.to_string());
        call.key = None;
        if let (_, Some(error)) = self.forecast(&call) {
            return Err(NotSent::Lacks(format!("a webhook is rejected with {}", error.name)));
        }
        let response = self.answer(&call)?;
        let answer = body(&response);
        let data = data_in(model, called.1, &answer);
        let texts = data.as_object().into_iter().flat_map(|members| members.values());
        let secret = texts.filter_map(Value::as_str).find(|text| text.starts_with(SECRET));
        let Some(secret) = secret.map(str::to_owned) else {
            return Err(NotSent::Lacks(format!(
                "a new webhook shows no secret that begins with {SECRET}"
            )));
        };
        let id = self
            .session
            .known
            .records(hooks.resource)
            .last()
            .map_or(NOBODY, |record| record.id);
        Ok(Hook { url, secret, id })
    }

    /// A read of the feed of a caller who can make webhooks, and a call that probably causes an event for the caller.
    fn reader(&mut self, called: Called<'static>) -> Result<(Call<'static>, Call<'static>), NotSent> {
        const ROUNDS: usize = 4;
        const MORE: usize = 100;
        for _ in 0..ROUNDS {
            for (read, _) in self.feeds().into_iter().rev() {
                let is_own = read.operation.is_some_and(|(of, _)| of.name == called.0.name);
                let Some(index) = read.credential.filter(|_| is_own) else {
                    continue;
                };
                let wish = Wish {
                    caller: Some(self.session.known.credentials[index].caller),
                    ..Wish::valid()
                };
                let causing = self.causing(called, &read);
                let makes = self.find((called.0, called.1, None), &wish);
                if let (Some(causing), Some(_)) = (causing, makes) {
                    return Ok((read, causing));
                }
            }
            for _ in 0..MORE {
                self.step()?;
            }
        }
        Err(NotSent::Lacks(
            "no call causes an event for a caller who can make webhooks".to_owned(),
        ))
    }

    /// Sends a call that succeeds, and returns its answer.
    fn answer(&mut self, call: &Call<'static>) -> Result<Response, NotSent> {
        self.send(call)?;
        let last = self.all.last().filter(|sent| sent.call.name() == call.name());
        let lacks = || NotSent::Lacks(format!("{} does not succeed", call.name()));
        last.map(|sent| sent.response.clone()).ok_or_else(lacks)
    }

    /// Sends a call, and reads the events that the feed has more.
    fn caused(&mut self, read: &Call<'static>, causing: Call<'static>) -> Result<Vec<Value>, NotSent> {
        let after = self.end(read).unwrap_or_default();
        self.send(&causing)?;
        self.since(read, &after)
    }

    /// Reads the events behind this place in the feed.
    fn since(&mut self, read: &Call<'static>, after: &str) -> Result<Vec<Value>, NotSent> {
        let Some((_, operation)) = read.operation else {
            return Ok(Vec::new());
        };
        let mut read = read.clone();
        let from = operation.feed.as_ref().map_or("", |feed| &feed.after);
        read.query = vec![format!("{from}={after}")];
        let response = self.answer(&read)?;
        let page = body(&response);
        let events = data_in(self.generator.model, operation, &page).as_array().cloned();
        Ok(events.unwrap_or_default())
    }

    /// Each of these events arrives at each of these webhooks, as it is and signed.
    fn arrive(&mut self, receiver: &Receiver, events: &[Value], hooks: &[&Hook]) -> Result<(), NotSent> {
        if events.is_empty() {
            return Err(NotSent::Lacks("no call causes an event for the caller".to_owned()));
        }
        for hook in hooks {
            for event in events {
                let has_id = |one: &Received| one.is_event(event);
                receiver.wait(&hook.url, LONGEST, &|all| all.iter().any(has_id));
                let came = receiver.received(&hook.url).into_iter().find(has_id);
                self.report(came.map_or_else(
                    || differ("an event of the feed does not arrive", "nothing", event),
                    |one| compared(&one, event),
                ))?;
            }
            let all = receiver.received(&hook.url);
            self.report(all.iter().try_for_each(|one| signed(one, &hook.secret)))?;
        }
        Ok(())
    }

    /// Reports a difference of a request to a webhook.
    fn report(&mut self, verdict: Verdict) -> Result<(), NotSent> {
        let Err(mut found) = verdict else { return Ok(()) };
        found.is_of_calls = false;
        match self.all.last().cloned() {
            Some(last) => Err(self.differs(Sent::new(&last.call, last.request, last.response), *found)),
            None => Err(NotSent::Lacks(found.cause)),
        }
    }
}

/// Whether a request is the event, with its id as that of the message.
fn compared(one: &Received, event: &Value) -> Verdict {
    let header = |name: &str| {
        one.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    let came = one.json();
    if came != *event {
        return differ("the body of a request to a webhook", came, event);
    }
    if event["eventId"] != header("webhook-id") {
        return differ("header webhook-id", header("webhook-id"), &event["eventId"]);
    }
    match header("content-type").starts_with("application/json") {
        true => Ok(()),
        false => differ(
            "header content-type of a request to a webhook",
            header("content-type"),
            "application/json",
        ),
    }
}

/// Whether the reference implementation accepts the signature.
fn signed(one: &Received, secret: &str) -> Result<(), Box<Found>> {
    let verified = Webhook::new(secret).and_then(|webhook| webhook.verify(&one.body, &one.headers));
    verified.or_else(|error| {
        let headers = format!("{:?}", one.headers);
        differ(
            format!("the signature of a request to a webhook: {error}"),
            headers,
            "one of Standard Webhooks",
        )
    })
}
