//! Runs a scenario in a world.

use super::compare::{compact, has_rows, is_unlike, like};
use super::values::{Values, part, plain};
use super::{Scenario, Scenarios, Step};
use crate::contract::Operation;
use crate::failure::{Failure, generalized};
use crate::level::Level;
use crate::query::{encoded, path};
use crate::suite::{TestedRule, Verdict, end_test, leak, verdict};
use crate::world::{Caller, Request, Response, World};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A running scenario.
struct Run<'r> {
    world: &'r dyn World,
    values: Values,
    callers: BTreeMap<&'r str, Caller>,
}

impl Scenarios {
    /// Runs the scenario of this name. It is skipped if the world cannot create its callers.
    ///
    /// # Panics
    /// If there is no such scenario.
    pub fn verdict(&self, name: &str, world: &'static dyn World) -> Verdict {
        verdict(world, || {
            if let Err(failure) = self.run(name, world) {
                end_test(*failure);
            }
        })
    }

    /// Runs the scenario of this name.
    ///
    /// # Errors
    /// The first difference.
    ///
    /// # Panics
    /// If there is no such scenario.
    pub fn run(&self, name: &str, world: &dyn World) -> Result<(), Box<Failure>> {
        let Some(scenario) = self.scenarios.get(name) else {
            panic!("there is no scenario {name}");
        };
        scenario.each.iter().try_for_each(|values| {
            let mut run = Run {
                world,
                values: Values::default(),
                callers: self.callers(scenario, world),
            };
            run.values.set("unique", Value::String(unique()));
            for (name, caller) in &run.callers {
                run.values.set(format!("{name}.id"), caller.id.into());
            }
            values
                .iter()
                .for_each(|(name, value)| run.values.set(name, value.clone()));
            let mut steps = scenario.steps.iter().enumerate();
            steps.try_for_each(|(nth, step)| {
                let operation = self.operation(&step.call).expect("the file was checked");
                for _ in 0..step.times {
                    run.step(step, operation).map_err(|failure| {
                        let rule = leak(format!("step {} of the scenario {name}", nth + 1));
                        let tried = Some(TestedRule { rule, at: operation.at });
                        Box::new(Failure { tried, ..*failure })
                    })?;
                }
                Ok(())
            })
        })
    }
}

impl Scenarios {
    /// New callers, by the names in the scenario.
    fn callers<'s>(&self, scenario: &'s Scenario, world: &dyn World) -> BTreeMap<&'s str, Caller> {
        let mut callers = BTreeMap::new();
        for step in &scenario.steps {
            let credential = self.operation(&step.call).and_then(|operation| operation.credential);
            if let (Some(name), Some(credential)) = (step.caller.as_deref(), credential) {
                let plan = scenario.plans.get(name).map(String::as_str);
                callers.entry(name).or_insert_with(|| world.caller(credential, plan));
            }
        }
        callers
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
    fn step(&mut self, step: &Step, operation: &'static Operation) -> Result<(), Box<Failure>> {
        let request = self.request(step, operation);
        let response = self.world.call(&request);
        let body: Value = serde_json::from_slice(&response.body).unwrap_or(Value::Null);
        let data = operation.data_in(&body);
        self.verify(step, operation, &response, &body)
            .and_then(|()| self.save(step, data))
            .map_err(|(wanted, because)| {
                Box::new(Failure {
                    level: Level::Shape,
                    cause: format!("{}: {}", operation.name, generalized(&because)),
                    operation: operation.called(),
                    tried: None,
                    request: Some(request),
                    response: Some(response.clone()),
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
            let mut errors = operation.contract.model.errors.iter();
            errors.find(|error| error.name == *name).expect("the file was checked")
        });
        let declared = error.map_or(operation.declared.status, |error| error.status);
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
        let (data, name) = (operation.data_in(body), operation.data_name());
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

    fn request(&self, step: &Step, operation: &Operation) -> Request {
        let mut headers = Vec::new();
        if let Some(credential) = operation.credential
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
            method: operation.declared.method.text.clone(),
            target: self.target(step, operation),
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
    fn target(&self, step: &Step, operation: &Operation) -> String {
        if let Some(target) = &step.target {
            return self.values.fill_text(target);
        }
        let value = |name: &str| encoded(&plain(&self.values.fill(&step.path[name])));
        let mut target = path(&operation.surface.base, &operation.declared.segments, value);
        for (nth, (name, value)) in step.query.iter().enumerate() {
            let value = encoded(&plain(&self.values.fill(value)));
            target.push_str(&format!("{}{name}={value}", if nth == 0 { '?' } else { '&' }));
        }
        target
    }
}
