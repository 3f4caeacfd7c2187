//! What a history has shown: outcomes, or a difference with the calls that led to it.

use super::History;
use super::call::Call;
use super::learn::is_declared;
use crate::world::{Request, Response, shortened};
use codegen::Model;
use codegen::model::{ErrorEntry, Operation, Surface};
use codegen::step::Step;
use std::collections::HashMap;
use std::fmt;

/// How often each operation succeeded, and was rejected with each error.
pub struct Outcomes<'m> {
    model: &'m Model,
    /// By surface, operation and error.
    counts: HashMap<(&'m str, &'m str, Option<&'m str>), usize>,
    /// The number of calls.
    pub calls: usize,
    /// Texts of faults of both servers that name the same members in other words.
    pub worded: Vec<[String; 2]>,
}

impl<'m> Outcomes<'m> {
    /// Of no calls.
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            counts: HashMap::new(),
            calls: 0,
            worded: Vec::new(),
        }
    }

    pub(super) fn count(&mut self, call: &Call<'m>, error: Option<&'m ErrorEntry>) {
        self.calls += 1;
        if let Some((surface, operation)) = call.operation {
            let key = (
                surface.name.as_str(),
                operation.name.as_str(),
                error.map(|error| error.name.as_str()),
            );
            *self.counts.entry(key).or_default() += 1;
        }
    }

    fn missing(&self, errors: impl Fn(&'m Surface, &'m Operation) -> Vec<Option<&'m ErrorEntry>>) -> Vec<String> {
        let compared = self.model.operations().filter(|(_, operation)| is_declared(operation));
        let all = compared.flat_map(|(surface, operation)| {
            let errors = errors(surface, operation).into_iter();
            errors.map(move |error| (surface, operation, error.map(|error| error.name.as_str())))
        });
        let never = all.filter(|(surface, operation, error)| {
            !self
                .counts
                .contains_key(&(surface.name.as_str(), operation.name.as_str(), *error))
        });
        let named = never.map(|(surface, operation, error)| {
            format!("{}::{} {}", surface.name, operation.name, error.unwrap_or("success"))
        });
        named.collect()
    }

    /// Operations that never succeeded.
    pub fn never_succeeded(&self) -> Vec<String> {
        self.missing(|_, _| vec![None])
    }

    /// Errors of operations that no call met, without those that a single caller cannot cause.
    pub fn never_met(&self, is_limited: bool) -> Vec<String> {
        self.missing(|surface, operation| {
            let errors = self.model.errors_of(surface, operation).into_iter();
            let can_occur = errors.filter(|error| {
                let is_limit = matches!(error.step, Step::Limit | Step::CredentialLimit);
                error.untestable.is_none() && error.step != Step::BodySize && (is_limited || !is_limit)
            });
            can_occur.map(Some).collect()
        })
    }
}

/// A call with its requests and responses.
pub(super) struct Sent {
    requests: [Request; 2],
    pub(super) responses: [Response; 2],
    /// Whether the call may have changed something.
    pub(super) is_write: bool,
}

impl Sent {
    pub(super) fn new(call: &Call, requests: [Request; 2], responses: [Response; 2]) -> Self {
        let is_write = !call.is_read() && responses[0].status < 400;
        Self {
            requests,
            responses,
            is_write,
        }
    }
}

/// The first difference of a history.
pub struct Difference {
    history: History,
    /// The number of calls until it was found.
    pub calls: usize,
    /// What differs.
    pub found: String,
    sent: Vec<Sent>,
}

impl Difference {
    pub(super) fn new(history: History, calls: usize, found: String, sent: Vec<Sent>) -> Self {
        Self {
            history,
            calls,
            found,
            sent,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// How many former calls are shown.
        const SHOWN: usize = 25;
        let Some((last, before)) = self.sent.split_last() else {
            return Ok(());
        };
        writeln!(
            f,
            "call {} with seed {}: {}",
            self.sent.len(),
            self.history.seed,
            self.found
        )?;
        for sent in &before[before.len().saturating_sub(SHOWN)..] {
            let body = String::from_utf8_lossy(&sent.responses[0].body);
            writeln!(
                f,
                "{}\n  # {} {}",
                sent.requests[0].curl(),
                sent.responses[0].status,
                shortened(&body)
            )?;
        }
        writeln!(f, "{}", last.requests[0].curl())?;
        for (server, response) in ["model", "subject"].iter().zip(&last.responses) {
            let body = String::from_utf8_lossy(&response.body);
            writeln!(
                f,
                "  {server}: {} {}\n  {:?}",
                response.status,
                shortened(&body),
                response.headers
            )?;
        }
        Ok(())
    }
}

impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
