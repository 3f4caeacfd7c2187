//! The probes of an operation: its valid call with one thing changed, for each rule of the contract.

use super::at_once::Right;
use super::boundaries::{shown, texts};
use super::deliveries::hooks;
use super::forms::{CREDENTIAL_CHANGES, invalid_keys, methods, suffixes};
use super::limits::Trial;
use super::realms::other_realm;
use super::tools::ToolTrial;
use crate::contract::vocabulary;
use crate::description::type_of;
use crate::histories::call::Call;
use crate::histories::growth::can_grow;
use crate::histories::ids::unused_of;
use crate::histories::known::Knowledge;
use crate::histories::outcomes::Outcomes;
use crate::histories::spoil::SPOILED;
use crate::histories::wish::Called;
use codegen::Model;
use codegen::model::{ErrorEntry, FilterBy, IdSource, Operation, Quota};
use codegen::names::snake;
use codegen::step::Step;
use serde_json::Value;
use std::collections::HashSet;

/// The largest id.
const LARGEST: &str = "9007199254740991";

/// How many other records a probe names in place of the right one.
const OTHER_RECORDS: usize = 6;

/// Something to try with an operation.
pub(super) struct Probe {
    /// `title is "…"`; unique among those of the operation.
    pub(super) name: String,
    pub(super) way: Way,
    /// The step that rejects it, if it reaches no operation.
    pub(super) rejected_at: Option<Step>,
}

/// A change of a call. The error says what it lacks.
pub(super) type Edit = dyn Fn(&mut Call<'static>, &Knowledge<'static>) -> Result<(), String>;

/// How a probe is tried.
pub(super) enum Way {
    /// A valid call.
    Success,
    /// The same with this change.
    Edit(Box<Edit>),
    /// A call with an idempotency key, and the same request in another notation.
    KeyAgain,
    /// Reads with values that the rows have, in other forms, for this parameter.
    Filter(&'static str),
    /// A read of more rows than a page has by default.
    LongList,
    /// A call that this error rejects, and another fault.
    Error(&'static ErrorEntry, Also),
    /// Each read that has succeeded, once more.
    Reads,
    /// Who learns of a success.
    Events,
    /// A wait for events, by this parameter, in which one comes.
    Awaited(&'static str),
    /// The same, in which the credential ends.
    EndedWait(&'static str),
    /// A record of another realm, by this value of a member; then calls across realms.
    Realm(&'static str, Value),
    /// So many requests that a limit rejects the next one.
    Limit(Trial),
    /// Requests that fill a quota, and one more.
    Quota(&'static Quota),
    /// The same request several times at once.
    AtOnce,
    /// Requests at once that set different states.
    MovesAtOnce,
    /// A request whose body is on its way while a right ends.
    Held(Right),
    /// Parts of a file, and a file that is known.
    Parts,
    /// Its tool.
    Tool(ToolTrial),
    /// What the webhooks that it makes get.
    Deliveries,
}

/// A second fault of a call.
#[derive(Clone, Copy)]
pub(super) enum Also {
    Nothing,
    Of(Step),
    Path,
    Method,
}

/// Makes the probes of an operation.
pub(super) struct Lister {
    pub(super) model: &'static Model,
    pub(super) called: Called<'static>,
    pub(super) is_strict: bool,
    /// Every name that the contract uses.
    pub(super) vocabulary: &'static [&'static str],
    names: HashSet<String>,
    all: Vec<Probe>,
}

/// All probes of an operation. With `is_strict`, also of what servers of others may do in another way.
pub(super) fn probes(model: &'static Model, called: Called<'static>, is_strict: bool, is_declared: bool) -> Vec<Probe> {
    let mut lister = Lister {
        model,
        called,
        is_strict,
        vocabulary: vocabulary(model),
        names: HashSet::new(),
        all: Vec::new(),
    };
    lister.add("success".to_owned(), Way::Success);
    lister.callers();
    lister.target();
    if is_declared && can_grow(model, called.1) {
        lister.add("long list".to_owned(), Way::LongList);
    }
    lister.query();
    lister.body();
    lister.keys();
    lister.errors();
    lister.quotas();
    lister.limits();
    if called.1.content_of.is_some() {
        lister.add("parts of the file".to_owned(), Way::Parts);
    }
    if hooks(model, called.1).is_some() {
        lister.add("deliveries to webhooks".to_owned(), Way::Deliveries);
    }
    if is_declared {
        lister.at_once();
        lister.filters();
        lister.effects();
    }
    lister.all
}

impl Lister {
    /// Adds a probe, unless there is one of this name.
    pub(super) fn add(&mut self, name: String, way: Way) {
        if self.names.insert(name.clone()) {
            self.all.push(Probe {
                name,
                way,
                rejected_at: None,
            });
        }
    }

    pub(super) fn edit(
        &mut self,
        name: impl Into<String>,
        edit: impl Fn(&mut Call<'static>, &Knowledge<'static>) + 'static,
    ) {
        let edit = move |call: &mut Call<'static>, known: &Knowledge<'static>| {
            edit(call, known);
            Ok(())
        };
        self.add(name.into(), Way::Edit(Box::new(edit)));
    }

    /// The last probe is rejected at this step.
    pub(super) fn is_rejected_at(&mut self, step: Step) {
        if let Some(last) = self.all.last_mut() {
            last.rejected_at = Some(step);
        }
    }

    pub(super) fn try_edit(
        &mut self,
        name: impl Into<String>,
        edit: impl Fn(&mut Call<'static>, &Knowledge<'static>) -> Result<(), String> + 'static,
    ) {
        self.add(name.into(), Way::Edit(Box::new(edit)));
    }

    fn callers(&mut self) {
        let Some(own) = self.model.credential_of(self.called.0) else {
            return;
        };
        let header = own.header.as_str();
        let put = move |call: &mut Call<'static>, secrets: Vec<String>| {
            call.credential = None;
            call.headers
                .extend(secrets.into_iter().map(|secret| (header.to_owned(), secret)));
        };
        let secret_of = |call: &Call, known: &Knowledge| {
            let secret = call.credential.map(|index| known.credentials[index].secret.clone());
            secret.ok_or_else(|| "the call has no credential".to_owned())
        };
        self.edit("no credential", |call, _| call.credential = None);
        self.try_edit("the credential twice", move |call, known| {
            let secret = secret_of(call, known)?;
            put(call, vec![secret.clone(), secret]);
            Ok(())
        });
        for (nth, change) in CREDENTIAL_CHANGES.into_iter().enumerate() {
            self.try_edit(format!("a changed credential, {}", nth + 1), move |call, known| {
                let secret = change(&secret_of(call, known)?);
                put(call, vec![secret]);
                Ok(())
            });
        }
        for kind in &self.model.credentials {
            let (kind, is_own) = (kind.name.as_str(), kind.name == own.name);
            let name = if is_own {
                "an ended credential"
            } else {
                "a credential of the kind"
            };
            self.try_edit(format!("{name} {kind}"), move |call, known| {
                let mut all = known.credentials.iter();
                let other = all.rfind(|one| one.kind == kind && one.has_ended == is_own);
                let other = other.ok_or_else(|| format!("there is no such credential {kind}"))?;
                put(call, vec![other.secret.clone()]);
                Ok(())
            });
        }
    }

    fn target(&mut self) {
        let (surface, operation) = self.called;
        for method in methods(self.is_strict) {
            let offers = |one: &Operation| one.route == operation.route && one.method == *method;
            if !surface.operations.iter().any(offers) {
                self.edit(format!("method {method}"), move |call, _| {
                    elsewhere(call, "");
                    call.method = (*method).to_owned();
                });
                self.is_rejected_at(Step::Method);
            }
        }
        for suffix in suffixes(self.is_strict) {
            self.edit(format!("a path with {suffix}"), move |call, _| elsewhere(call, suffix));
            self.is_rejected_at(Step::Route);
        }
        for (nth, field) in operation.path.iter().enumerate() {
            let name = &field.name;
            let unused = [unused_of(self.model, field).to_string(), LARGEST.to_owned()];
            for text in texts(type_of(self.model, &field.of), self.is_strict)
                .into_iter()
                .chain(unused)
            {
                self.edit(format!("{name} is {}", shown(&text)), move |call, _| {
                    call.path[nth].1.clone_from(&text);
                });
            }
            let guard = operation
                .exists()
                .find(|guard| guard.id == IdSource::Path(name.clone()));
            let Some(guard) = guard else { continue };
            let resource = guard.resource.as_str();
            for which in 0..OTHER_RECORDS {
                self.try_edit(
                    format!("{name} of another record, {}", which + 1),
                    move |call, known| {
                        let ended = known.ended(resource).iter().rev().take(2).copied();
                        let all = known.records(resource);
                        let others = all.iter().rev().step_by(1 + all.len() / 4).map(|record| record.id);
                        let id = ended.chain(others).nth(which);
                        let id = id.ok_or_else(|| format!("there are too few records of {resource}"))?;
                        call.path[nth].1 = id.to_string();
                        Ok(())
                    },
                );
            }
        }
    }

    fn keys(&mut self) {
        let keys = self.model.idempotency.as_ref();
        let Some(keys) = keys.filter(|_| self.called.1.keep_seconds.is_some()) else {
            return;
        };
        self.add("a key, and the members in another order".to_owned(), Way::KeyAgain);
        let header = keys.header.text.as_str();
        let mut with = |texts: Vec<String>| {
            let name: Vec<String> = texts.iter().map(|text| shown(text)).collect();
            self.edit(format!("key {}", name.join(" and ")), move |call, known| {
                // The longest key is one that no former run has sent.
                let new = |text: &String| text.replacen(&"l".repeat(known.mark.len()), &known.mark, 1);
                call.headers
                    .extend(texts.iter().map(|text| (header.to_owned(), new(text))));
            });
        };
        invalid_keys().for_each(|key| with(vec![key]));
        with(vec!["l".repeat(255)]);
        with(vec!["one".to_owned(), "two".to_owned()]);
    }

    fn filters(&mut self) {
        for filter in &self.called.1.filters {
            if let FilterBy::Query(name, _) = &filter.by {
                self.add(format!("{name} of the rows, in other forms"), Way::Filter(name));
            }
        }
    }

    /// Each error alone, and together with each other fault.
    fn errors(&mut self) {
        let (surface, operation) = self.called;
        let outcomes = Outcomes::new(self.model);
        let mut errors = self.model.errors_of(surface, operation);
        errors.retain(|error| outcomes.can_occur(surface, operation, error, false));
        let mut steps = SPOILED.to_vec();
        steps.extend(errors.iter().map(|error| error.step));
        steps.sort_by_key(|step| format!("{step:?}"));
        steps.dedup();
        self.tools(&errors);
        for error in errors {
            let name = &error.name;
            self.add(format!("error {name}"), Way::Error(error, Also::Nothing));
            for step in &steps {
                let name = format!("error {name} and {}", snake(&format!("{step:?}")));
                self.add(name, Way::Error(error, Also::Of(*step)));
            }
            self.add(format!("error {name} and another path"), Way::Error(error, Also::Path));
            self.add(
                format!("error {name} and another method"),
                Way::Error(error, Also::Method),
            );
        }
    }

    fn effects(&mut self) {
        let operation = self.called.1;
        let feed = operation.feed.as_ref();
        if let Some(wait) = feed.and_then(|feed| feed.wait.as_deref()) {
            self.add("an event that comes in a wait".to_owned(), Way::Awaited(wait));
            self.add("a credential that ends in a wait".to_owned(), Way::EndedWait(wait));
        }
        if operation.effects.is_empty() && operation.transitions.is_none() {
            return;
        }
        self.add("all reads".to_owned(), Way::Reads);
        if self.model.events.is_some() {
            self.add("events of it, and of the same again".to_owned(), Way::Events);
        }
        let members = self.model.body(operation).into_iter().flat_map(|body| &body.members);
        for name in members.map(|member| member.field.name.as_str()) {
            if let Some(other) = other_realm(self.model, operation, name) {
                self.add(format!("another realm by {name}"), Way::Realm(name, other));
            }
        }
    }
}

/// Sends the call to a longer path, or with another method: it is one of no operation.
pub(super) fn elsewhere(call: &mut Call<'static>, suffix: &str) {
    let target = call.target();
    let path = target.split('?').next().unwrap_or_default();
    call.other_path = Some(format!("{path}{suffix}"));
    call.operation = None;
}

/// Sends the call with a method that its path does not offer.
pub(super) fn with_another_method(call: &mut Call<'static>, (surface, operation): Called<'static>) {
    elsewhere(call, "");
    let is_free = |method: &&str| {
        let offers = |one: &Operation| one.route == operation.route && one.method == **method;
        !surface.operations.iter().any(offers)
    };
    let free = ["PUT", "PATCH", "DELETE", "POST", "GET"].into_iter().find(is_free);
    free.unwrap_or("PUT").clone_into(&mut call.method);
}
