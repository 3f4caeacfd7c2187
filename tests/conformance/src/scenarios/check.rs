//! Finds the mistakes of a file of scenarios before any call is sent.

use super::values::names_in;
use super::{Scenario, Scenarios, Step};
use codegen::model::Credential;
use codegen::nearest::nearest;
use std::collections::{BTreeMap, BTreeSet};

impl Scenarios {
    pub(super) fn check(&self) -> Result<(), String> {
        for (name, scenario) in &self.scenarios {
            self.check_scenario(scenario)
                .map_err(|mistake| format!("scenario {name}: {mistake}"))?;
        }
        Ok(())
    }

    fn check_scenario(&self, scenario: &Scenario) -> Result<(), String> {
        let mut known: BTreeSet<String> = BTreeSet::from(["unique".to_owned()]);
        let mut callers: BTreeMap<&str, &str> = BTreeMap::new();
        for values in &scenario.each {
            known.extend(values.keys().cloned());
        }
        let named = scenario.steps.iter().filter_map(|step| step.caller.as_deref());
        known.extend(named.map(|caller| format!("{caller}.id")));
        for (nth, step) in scenario.steps.iter().enumerate() {
            let in_step = |mistake: String| format!("step {}: {mistake}", nth + 1);
            self.check_step(step, &known).map_err(in_step)?;
            if let (Some(caller), Some(kind)) = (&step.caller, self.credential(step)) {
                let first = callers.entry(caller).or_insert(&kind.name);
                if *first != kind.name {
                    return Err(in_step(format!(
                        "{caller} calls with {first}, and {} takes {}",
                        step.call, kind.name
                    )));
                }
            }
            known.extend(step.save.keys().cloned());
        }
        let callers = || scenario.steps.iter().filter_map(|step| step.caller.as_deref());
        match scenario
            .plans
            .keys()
            .find(|name| !callers().any(|caller| caller == **name))
        {
            Some(name) => Err(unknown("caller", name, callers())),
            None => Ok(()),
        }
    }

    /// The credential that a step's operation takes.
    fn credential(&self, step: &Step) -> Option<&'static Credential> {
        let (surface, _) = self.operation(&step.call)?;
        self.contract.model.credential_of(surface)
    }

    fn check_step(&self, step: &Step, known: &BTreeSet<String>) -> Result<(), String> {
        let Some((_, operation)) = self.operation(&step.call) else {
            let names: Vec<String> = self
                .contract
                .model
                .operations()
                .map(|(of, one)| of.full_name(one))
                .collect();
            return Err(unknown("operation", &step.call, names.iter().map(String::as_str)));
        };
        if step.caller.is_some() && step.with.is_some() {
            return Err("a call has either `as` or `with`".to_owned());
        }
        if self.credential(step).is_none() && (step.caller.is_some() || step.with.is_some()) {
            return Err(format!("{} takes no credential: remove `as` or `with`", step.call));
        }
        let parameters = || operation.path.iter().map(|parameter| parameter.name.as_str());
        if let Some(name) = step.path.keys().find(|name| !parameters().any(|known| known == **name)) {
            return Err(unknown("parameter of the path", name, parameters()));
        }
        let is_missing = |name: &&str| step.target.is_none() && !step.path.contains_key(*name);
        if let Some(name) = parameters().find(is_missing) {
            return Err(format!(
                "the parameter `{name}` of the path is missing: write `path: {{ {name}: … }}`"
            ));
        }
        let errors = || self.contract.model.errors.iter().map(|error| error.name.as_str());
        if let Some(error) = step
            .error
            .as_ref()
            .filter(|name| !errors().any(|known| known == **name))
        {
            return Err(unknown("error", error, errors()));
        }
        let used = step.texts().flat_map(|text| names_in(&text));
        match used.into_iter().find(|name| !known.contains(name)) {
            Some(name) => Err(unknown("value", &format!("${name}"), known.iter().map(String::as_str))),
            None => Ok(()),
        }
    }
}

impl Step {
    /// Every text of the step that may name values.
    fn texts(&self) -> impl Iterator<Item = String> {
        let maps = self.path.values().chain(self.query.values());
        let single = [&self.body, &self.data, &self.not, &self.body_members, &self.status];
        let values = maps
            .chain(single.into_iter().flatten())
            .chain(self.rows.iter().flatten());
        let values = values.map(ToString::to_string);
        let texts = self
            .contains
            .iter()
            .chain(&self.lacks)
            .chain(&self.with)
            .chain(&self.target)
            .cloned();
        values.chain(texts)
    }
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
    match nearest(name.trim_start_matches('$'), known) {
        Some(meant) => format!("there is no {what} `{name}`, did you mean `{meant}`?"),
        None => format!("there is no {what} `{name}`"),
    }
}
