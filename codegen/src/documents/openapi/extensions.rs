//! Facts that OpenAPI has no keywords for, under `x-` names: precedence, limits, quotas, guards, states, decisions.

use super::Scope;
use super::operations::alike;
use crate::documents::shared::{realms, words};
use crate::fault_codes;
use crate::json::{Json, JsonObject, list};
use crate::model::{
    Consequence, Counts, Decision, Effect, EnvelopeValue, ErrorEntry, Limit, MinRate, Operation, Per, ResponseBytes,
    SortKey, Surface, Template, TextOf, Word,
};
use crate::step::Step;
use std::collections::BTreeSet;

/// What the operation does to the stored records, as in the contract, without the fields that are not shown.
fn effects(operation: &Operation) -> Vec<String> {
    let effect = |effect: &Effect| match effect {
        Effect::Make { resource, one_for, .. } if !one_for.is_empty() => format!("puts {resource}"),
        Effect::Make { resource, each, .. } => match each {
            Some(each) => format!("makes {resource} for each {each}"),
            None => format!("makes {resource}"),
        },
        Effect::Change { resource, .. } => format!("changes {resource}"),
        Effect::End { resource, .. } => format!("ends {resource}"),
        Effect::Renew { credential, .. } => format!("renews {credential}"),
        Effect::Revoke { credential, .. } => format!("revokes {credential}"),
    };
    operation.effects.iter().map(effect).collect()
}

impl<'m> Scope<'m> {
    /// The extensions of an operation.
    pub(super) fn operation_extensions(&self, surface: &Surface, operation: &Operation) -> JsonObject {
        let errors = self
            .errors(surface, operation)
            .into_iter()
            .map(|error| error.name.as_str());
        let constraints = operation.constraints.iter();
        let constraints = constraints.map(|(lower, upper)| format!("{lower} <= {upper}"));
        let of_file = operation.file.as_ref().and_then(|file| file.min_rate.as_ref());
        let is_bare = operation.success_body().is_bare();
        JsonObject::new()
            .maybe("x-limit", operation.limit.as_ref())
            .maybe("x-waits-at-once", operation.waits_at_once)
            .maybe("x-max-bytes", operation.takes_body().then_some(operation.max_bytes))
            .maybe("x-min-body-rate", of_file.map(min_rate))
            .listing("x-guards", operation.guard_kinds().map(ToString::to_string).collect())
            .maybe("x-open", operation.open.as_ref())
            .listing(
                "x-quota",
                operation.quotas.iter().map(|quota| quota.text.as_str()).collect(),
            )
            .maybe("x-transitions", self.transitions(operation))
            .listing("x-effects", effects(operation))
            .maybe("x-dry-run", operation.dry_run.as_ref().map(|tried| tried.text.as_str()))
            .maybe("x-undeclared", operation.undeclared.as_ref())
            .maybe(
                "x-consequence",
                operation
                    .consequence
                    .as_ref()
                    .map(|one| self.consequence(surface, operation, one)),
            )
            .maybe("x-text", self.text_of(&[TextOf::operation(surface, operation)]))
            .maybe("x-envelope", is_bare.then_some("none"))
            .listing("x-constraints", constraints.collect())
            .and(of_list(operation))
            .and(sort(operation))
            .listing("x-errors", errors.collect())
    }

    fn consequence(&self, surface: &Surface, operation: &Operation, consequence: &Consequence) -> JsonObject {
        let when = consequence.when.as_ref().map(|when| {
            let values = when.values.iter().map(|value| match value.as_str() {
                "true" | "false" => Json::Plain(value.clone()),
                value => value.into(),
            });
            let object = JsonObject::new()
                .with("member", &when.field)
                .maybe("not", when.not.then_some(true));
            object.with("values", Json::List(values.collect()))
        });
        JsonObject::new()
            .with("text", &consequence.text)
            .maybe("when", when)
            .maybe("x-text", self.text_of(&[TextOf::consequence(surface, operation)]))
    }

    fn transitions(&self, operation: &Operation) -> Option<String> {
        let moved = operation.transitions.as_ref()?;
        let states = self.model.enumeration(&moved.states).states.as_ref()?;
        Some(format!("{}.{}", moved.resource, states.of.1))
    }

    /// The answer to other methods on an operation's path. It belongs to no operation.
    pub(super) fn other_methods(&self, surface: &Surface, operation: &Operation) -> JsonObject {
        let methods: Vec<&str> = alike(surface, operation)
            .into_iter()
            .map(|one| one.method.as_str())
            .collect();
        let rejected = self.model.error_at(Step::Method).map(|error| {
            let fill = |template: &Template| template.filled(|_| Some(methods.join(", "))).to_string();
            let headers = error
                .headers
                .iter()
                .map(|(name, template)| (name.clone(), fill(template).into()));
            let object = JsonObject::new()
                .with("error", &error.name)
                .with("status", error.status);
            object
                .with("text", fill(&error.text))
                .with("headers", headers.collect::<JsonObject>())
        });
        JsonObject::new().maybe("x-other-methods", rejected)
    }

    /// What the codes of validation errors mean, if a header has them.
    fn fault_codes(&self) -> Option<JsonObject> {
        let codes = fault_codes::ALL.iter().map(|code| {
            let what = JsonObject::new().with("meaning", code.meaning);
            let values = Some(code.values).filter(|values| !values.is_empty());
            (code.name.to_owned(), what.maybe("values", values).into())
        });
        let codes: JsonObject = codes.collect();
        let header = self.model.fault_codes_header()?;
        let syntax = JsonObject::new()
            .with("header", header)
            .with("syntax", fault_codes::SYNTAX);
        Some(syntax.with("codes", codes))
    }

    /// The extensions of the document.
    pub(super) fn document_extensions(&self) -> JsonObject {
        let limits = self.limits().into_iter().chain(self.failed_credentials());
        let limits = limits.map(|limit| (limit.name.clone(), limit_of(limit).into()));
        let limits = Some(limits.collect::<JsonObject>()).filter(|limits| !limits.is_empty());
        JsonObject::new()
            .with("x-name", &self.model.name)
            .with("x-envelope", self.envelope_members())
            .maybe("x-error-header", header_with(&self.model.error_headers, "code"))
            .maybe("x-request-id-header", header_with(&self.model.headers, "request_id"))
            .with(
                "x-errors",
                list(self.all_errors().into_iter().map(|error| self.row_of(error)).collect()),
            )
            .maybe("x-fault-codes", self.fault_codes())
            .maybe("x-limits", limits)
            .maybe("x-in-flight", self.model.in_flight.filter(|_| self.has_callers()))
            .maybe(
                "x-response-bytes",
                self.model
                    .response_bytes
                    .filter(|_| self.has_callers())
                    .map(response_bytes),
            )
            .maybe("x-min-body-rate", self.model.body_min_rate.as_ref().map(min_rate))
            .maybe("x-quotas", Some(self.quota_table()).filter(|quotas| !quotas.is_empty()))
            .maybe("x-states", Some(self.states()).filter(|states| !states.is_empty()))
            .listing("x-decisions", self.decisions())
    }

    /// The members of responses with the data and the message of a success, and the text of an error. Of a member of an
    /// object, the names that lead to it.
    fn envelope_members(&self) -> JsonObject {
        let success = ["data", "message"].map(|what| (what, &self.model.success, what));
        let all = success.into_iter().chain([("error", &self.model.error, "text")]);
        let members =
            all.filter_map(|(what, members, placeholder)| Some((what.to_owned(), place(members, placeholder)?)));
        members.chain(self.listed_faults()).collect()
    }

    /// Where an error response lists the faults of an invalid request, and the members with the place and the text of each.
    fn listed_faults(&self) -> Option<(String, Json)> {
        let faults = JsonObject::new()
            .with("list", place(&self.model.error, "faults")?)
            .with("place", place(&self.model.fault, "place")?)
            .with("text", place(&self.model.fault, "text")?);
        Some(("faults".to_owned(), faults.into()))
    }

    /// Whether any of its surfaces identifies callers.
    fn has_callers(&self) -> bool {
        let mut credentials = self
            .surfaces
            .iter()
            .filter_map(|surface| self.model.credential_of(surface));
        credentials.any(|credential| credential.caller.is_some())
    }

    fn quota_table(&self) -> JsonObject {
        let quotas = self.part.quotas().into_iter().map(|quota| {
            let object = JsonObject::new()
                .with("max", quota.max)
                .with("of", quota.of.to_string())
                .with("per", &quota.per)
                .maybe("within_seconds", quota.window_seconds);
            (quota.name.clone(), object.with("noun", &quota.noun).into())
        });
        quotas.collect()
    }

    fn states(&self) -> JsonObject {
        let states = self
            .model
            .enums
            .iter()
            .filter_map(|one| Some((one, one.states.as_ref()?)));
        let states = states.map(|(one, states)| {
            let allowed = match &states.transitions {
                None => Json::from("any"),
                Some(transitions) => {
                    let moves = transitions
                        .iter()
                        .map(|(from, to)| (from.clone(), list(to.iter().collect())));
                    moves.collect::<JsonObject>().into()
                }
            };
            let object = JsonObject::new().with("of", &one.name).with("initial", &states.initial);
            (
                format!("{}.{}", states.of.0, states.of.1),
                object.with("transitions", allowed).into(),
            )
        });
        states.collect()
    }

    /// The decisions, without those that concern only other surfaces.
    fn decisions(&self) -> Vec<JsonObject> {
        let is_of_another = |(name, decision): &&(Word, Decision)| {
            let mut operations = self.surfaces.iter().flat_map(|surface| &surface.operations);
            let is_open_by = operations.any(|operation| operation.open.as_ref() == Some(name));
            let is_elsewhere = match &decision.at {
                Some(at) => {
                    let surface = at.strip_prefix("surfaces.").and_then(|rest| rest.split('.').next());
                    surface.is_some_and(|name| self.surfaces.iter().all(|surface| surface.name != name))
                }
                None => decision.test.is_none(),
            };
            !is_open_by && is_elsewhere
        };
        let decisions = self.model.decisions.iter().filter(|decision| !is_of_another(decision));
        let decisions = decisions.map(|(name, decision)| {
            let object = JsonObject::new()
                .with("name", name.as_str())
                .with("gap", decision.question());
            let object = object
                .with("choice", decision.choice.as_str())
                .maybe("at", decision.at.as_deref());
            object.maybe("test", decision.test.as_deref())
        });
        decisions.collect()
    }

    fn row_of(&self, error: &ErrorEntry) -> JsonObject {
        let headers = error
            .headers
            .iter()
            .map(|(name, template)| (name.clone(), template.to_string().into()));
        let headers = Some(headers.collect::<JsonObject>()).filter(|headers| !headers.is_empty());
        let object = JsonObject::new()
            .with("name", &error.name)
            .with("status", error.status)
            .with("at", error.step.as_str());
        let object = object.maybe("title", self.model.title_of(error));
        let object = object.with("text", error.text.to_string()).maybe("headers", headers);
        object
            .with("meaning", words::meaning(error))
            .maybe("when", error.when.as_ref().map(ToString::to_string))
            .maybe("help", error.help.as_ref())
            .maybe("x-text", self.text_of(&[TextOf::Error(error.name.clone())]))
    }

    /// The credentials, in the order of the surfaces: the first is the one that callers of the first surface need.
    pub(super) fn security_schemes(&self) -> JsonObject {
        let mut known = BTreeSet::new();
        let used = self.surfaces.iter().filter_map(|surface| surface.credential.as_ref());
        let used = used.filter(|name| known.insert(*name));
        let schemes = used.map(|name| self.model.credential(name)).map(|one| {
            let scheme = JsonObject::new()
                .with("type", "apiKey")
                .with("in", "header")
                .with("name", &one.header);
            let who = one.caller.as_ref().map(|caller| {
                let noun = &self.model.resource(&caller.resource).noun;
                format!(" It identifies {}.", crate::names::with_article(noun))
            });
            let text = format!(
                "{} followed by {} letters and digits.{}",
                realms::prefixes(one),
                one.random,
                who.unwrap_or_default()
            );
            let text = words::both(one.doc.as_deref(), &text);
            let scheme = scheme.with("description", text).with("x-prefix", &one.prefix);
            let caller = one.caller.as_ref().map(|caller| &caller.resource);
            let scheme = scheme.maybe("x-caller", caller);
            let text = self.text_of(&[TextOf::Credential(one.name.clone())]);
            (one.name.clone(), scheme.maybe("x-text", text).into())
        });
        schemes.collect()
    }
}

/// The header whose value has this placeholder.
fn header_with<'m>(headers: &'m [(String, Template)], placeholder: &str) -> Option<&'m String> {
    let mut all = headers.iter();
    let (name, _) = all.find(|(_, value)| value.placeholders().contains(&placeholder))?;
    Some(name)
}

fn min_rate(rate: &MinRate) -> JsonObject {
    JsonObject::new()
        .with("bytes_per_second", rate.bytes_per_second.whole())
        .with("grace_seconds", rate.grace_seconds.whole())
}

fn response_bytes(bytes: ResponseBytes) -> JsonObject {
    JsonObject::new()
        .with("max", bytes.max)
        .with("window_seconds", bytes.window_seconds)
}

fn limit_of(limit: &Limit) -> JsonObject {
    let object = JsonObject::new()
        .with("max", limit.max)
        .maybe("owner_max", limit.owner_max)
        .with("window_seconds", limit.window_seconds);
    match &limit.counts {
        Counts::Methods { methods, per } => {
            let per = match per {
                Per::Caller => "caller",
                Per::Address => "address",
            };
            object.with("per", per).with("methods", list(methods.iter().collect()))
        }
        Counts::FailedCredentials => object.with("per", "address").with("counts", "failed_credentials"),
    }
}

/// `x-sort`, as the contract writes it.
fn sort(operation: &Operation) -> JsonObject {
    let keys = |keys: &[SortKey]| -> Vec<String> { keys.iter().map(ToString::to_string).collect() };
    let Some(orders) = &operation.orders else {
        return JsonObject::new().listing("x-sort", keys(&operation.sort));
    };
    let all = orders.all.iter();
    let all = all.map(|order| (order.name.clone(), list(keys(&order.keys))));
    let sort = JsonObject::new()
        .with("by", &orders.by)
        .with("orders", all.collect::<JsonObject>());
    JsonObject::new().with("x-sort", sort)
}

/// `x-filters` and `x-pages`, as the contract writes them.
fn of_list(operation: &Operation) -> JsonObject {
    let filters = operation.filters.iter().map(ToString::to_string);
    let pages = operation.pages.as_ref().map(|pages| {
        let named = pages.named().into_iter();
        let named = named.filter_map(|(key, name)| Some((key.to_owned(), name?.into())));
        named.collect::<JsonObject>()
    });
    let counts = operation.counts().map(|counts| {
        JsonObject::new()
            .with("list", counts.list.text.as_str())
            .with("by", counts.value.name.as_str())
            .with("max", counts.max)
    });
    JsonObject::new()
        .maybe("x-counts", counts)
        .listing("x-filters", filters.collect())
        .maybe("x-pages", pages)
        .maybe("x-total-header", operation.total_header().map(|header| &header.name))
}

/// The member of a placeholder. Of a member of an object, the names that lead to it.
fn place(members: &[(Word, EnvelopeValue)], placeholder: &str) -> Option<Json> {
    Some(match EnvelopeValue::path_to(members, placeholder)?.as_slice() {
        [name] => (*name).into(),
        names => Json::List(names.iter().map(|name| (*name).into()).collect()),
    })
}
