//! Runs a scenario against a server.

use super::compare::{compact, has_rows, is_unlike, like};
use super::failure::{Failure, generalized};
use super::values::{Values, part, plain};
use super::{Called, Scenario, Scenarios, Step};
use crate::contract::data_in;
use crate::exchange::{Caller, Request, Response};
use crate::histories::{HistoryOptions, NewCaller, Probes, Sender};
use crate::query::{encoded, path};
use codegen::model::Operation;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The result of a scenario.
#[derive(Clone, Debug)]
pub enum ScenarioVerdict {
    /// It holds.
    Passed,
    /// It does not.
    Failed(Box<Failure>),
    /// Its callers could not be made, for this reason.
    NotTried(String),
}

/// A running scenario.
struct Run<'r> {
    scenarios: &'r Scenarios,
    sender: &'r Sender<'r>,
    values: Values,
    callers: BTreeMap<&'r str, Caller>,
}

impl Scenarios {
    /// Runs those of these names. `roots` are the secrets of the credentials that no operation makes, by their names.
    pub fn run(
        &self,
        is_tried: &dyn Fn(&str) -> bool,
        sender: &Sender,
        roots: Vec<(String, String)>,
        options: HistoryOptions,
    ) -> Vec<(String, ScenarioVerdict)> {
        Probes::with_callers(self.contract.model, sender, roots, options, |new_caller| {
            let tried = self.scenarios.iter().filter(|(name, _)| is_tried(name));
            let verdict = |(name, scenario)| (String::clone(name), self.verdict(name, scenario, sender, new_caller));
            tried.map(verdict).collect()
        })
    }

    fn verdict(&self, name: &str, scenario: &Scenario, sender: &Sender, new_caller: &mut NewCaller) -> ScenarioVerdict {
        for values in &scenario.each {
            let callers = match self.callers(scenario, new_caller) {
                Ok(callers) => callers,
                Err(reason) => return ScenarioVerdict::NotTried(reason),
            };
            let mut run = Run {
                scenarios: self,
                sender,
                values: Values::default(),
                callers,
            };
            run.values.set("unique", Value::String(unique()));
            for (name, caller) in &run.callers {
                run.values.set(format!("{name}.id"), caller.id.into());
            }
            values
                .iter()
                .for_each(|(name, value)| run.values.set(name, value.clone()));
            for (nth, step) in scenario.steps.iter().enumerate() {
                let called = self.operation(&step.call).expect("the file was checked");
                for _ in 0..step.times {
                    let step_name = || format!("step {} of the scenario {name}", nth + 1);
                    if let Err(failure) = run.step(step, called, &step_name) {
                        return ScenarioVerdict::Failed(failure);
                    }
                }
            }
        }
        ScenarioVerdict::Passed
    }

    /// New callers, by the names in the scenario.
    fn callers<'s>(
        &self,
        scenario: &'s Scenario,
        new_caller: &mut NewCaller,
    ) -> Result<BTreeMap<&'s str, Caller>, String> {
        let mut callers = BTreeMap::new();
        for step in &scenario.steps {
            let called = self.operation(&step.call);
            let credential = called.and_then(|(surface, _)| self.contract.model.credential_of(surface));
            if let (Some(name), Some(credential)) = (step.caller.as_deref(), credential)
                && !callers.contains_key(name)
            {
                let plan = scenario.plans.get(name).map(String::as_str);
                callers.insert(name, new_caller(credential, plan)?);
            }
        }
        Ok(callers)
    }
}

/// A text that no other run has used, of lower-case letters.
fn unique() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut number = since.as_micros() as u64 * 4096 + LAST.fetch_add(1, Ordering::Relaxed) % 4096;
    let mut text = String::from("u");
    while number > 0 {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    text
}

impl Run<'_> {
    fn step(&mut self, step: &Step, called: Called, step_name: &dyn Fn() -> String) -> Result<(), Box<Failure>> {
        let (surface, operation) = called;
        let contract = self.scenarios.contract;
        let request = self.request(step, called);
        let answered = (self.sender)(&request);
        let (response, silence) = match answered {
            Ok(response) => (response, None),
            Err(reason) => (Response::none(), Some(reason)),
        };
        let body: Value = serde_json::from_slice(&response.body).unwrap_or(Value::Null);
        let data = data_in(contract.model, operation, &body);
        silence
            .map_or(Ok(()), |reason| Err(("an answer".to_owned(), reason)))
            .and_then(|()| self.verify(step, operation, &response, &body))
            .and_then(|()| self.save(step, data))
            .map_err(|(wanted, because)| {
                let name = surface.full_name(operation);
                let route = format!("{} {}{}", operation.method, surface.base, operation.route);
                Box::new(Failure {
                    cause: format!("{name}: {}", generalized(&because)),
                    step: step_name(),
                    operation: [route, name, contract.at(operation.at)],
                    request,
                    response: response.clone(),
                    wanted,
                    because,
                })
            })
    }

    fn save(&mut self, step: &Step, data: &Value) -> Result<(), (String, String)> {
        for (name, path) in &step.save {
            let Some(value) = part(data, path) else {
                return Err((format!("`{path}` in the data"), "there is none".to_owned()));
            };
            self.values.set(name, value.clone());
        }
        Ok(())
    }

    fn verify(
        &self,
        step: &Step,
        operation: &Operation,
        response: &Response,
        body: &Value,
    ) -> Result<(), (String, String)> {
        let error = step.error.as_ref().map(|name| {
            let mut errors = self.scenarios.contract.model.errors.iter();
            errors.find(|error| error.name == *name).expect("the file was checked")
        });
        let declared = error.map_or(operation.status, |error| error.status);
        let status = step.status.as_ref().map(|status| self.values.fill(status));
        let status = status
            .and_then(|status| u16::try_from(status.as_u64()?).ok())
            .unwrap_or(declared);
        if response.status != status {
            let wanted = match error {
                Some(error) => format!("{status} {}", error.name),
                None => format!("the status {status}"),
            };
            return Err((wanted, format!("the status is {}", response.status)));
        }
        let model = self.scenarios.contract.model;
        let data = data_in(model, operation, body);
        let name = model.data_member(operation).unwrap_or("the body");
        let fill = |value: &Option<Value>| value.as_ref().map(|value| self.values.fill(value));
        let because = |wanted: &Value| {
            let wanted = wanted.to_string();
            move |because| (wanted, because)
        };
        if let Some(expected) = fill(&step.data) {
            like(&expected, data, name).map_err(because(&expected))?;
        }
        if let Some(expected) = &step.rows {
            let expected: Vec<Value> = expected.iter().map(|row| self.values.fill(row)).collect();
            has_rows(&expected, data, name).map_err(because(&Value::Array(expected.clone())))?;
        }
        if let Some(unexpected) = fill(&step.not) {
            is_unlike(&unexpected, data, name).map_err(|because| (format!("nothing like {unexpected}"), because))?;
        }
        if let Some(expected) = fill(&step.body_members) {
            like(&expected, body, "the body").map_err(because(&expected))?;
        }
        let text = compact(&String::from_utf8_lossy(&response.body));
        let of = |texts: &[String]| texts.iter().map(|text| self.values.fill_text(text)).collect::<Vec<_>>();
        for expected in of(&step.contains) {
            if !text.contains(&expected) {
                return Err((format!("`{expected}` in the body"), "it is not there".to_owned()));
            }
        }
        for unexpected in of(&step.lacks) {
            if text.contains(&unexpected) {
                return Err((format!("no `{unexpected}` in the body"), "it is there".to_owned()));
            }
        }
        Ok(())
    }

    fn request(&self, step: &Step, called: Called) -> Request {
        let mut headers = Vec::new();
        if let Some(credential) = self.scenarios.contract.model.credential_of(called.0)
            && let Some(secret) = self.secret(step)
        {
            headers.push((credential.header.clone(), secret));
        }
        let body = step.body.as_ref().map(|body| match body {
            Value::String(text) => self.values.fill_text(text),
            other => self.values.fill(other).to_string(),
        });
        if body.is_some() {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        Request {
            method: called.1.method.text.clone(),
            target: self.target(step, called),
            headers,
            body: body.map(String::into_bytes),
            peer: None,
        }
    }

    fn secret(&self, step: &Step) -> Option<String> {
        let with = step.with.as_ref().map(|with| self.values.fill_text(with));
        with.or_else(|| Some(self.callers[step.caller.as_deref()?].secret.clone()))
    }

    /// Path and query.
    fn target(&self, step: &Step, (surface, operation): Called) -> String {
        if let Some(target) = &step.target {
            return self.values.fill_text(target);
        }
        let value = |name: &str| encoded(&plain(&self.values.fill(&step.path[name])));
        let mut target = path(&surface.base, &operation.segments, value);
        for (nth, (name, value)) in step.query.iter().enumerate() {
            let value = encoded(&plain(&self.values.fill(value)));
            target.push_str(&format!("{}{name}={value}", if nth == 0 { '?' } else { '&' }));
        }
        target
    }
}
