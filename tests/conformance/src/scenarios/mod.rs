//! Scenarios: calls in a row, with what each answer must show. They say what no declaration of a contract can. A file of
//! scenarios runs against any server of the contract; it needs neither an empty server nor a clock of its own.

mod check;
mod compare;
mod failure;
mod run;
mod values;

pub use failure::Failure;
pub(crate) use failure::generalized;
pub use run::ScenarioVerdict;

use crate::contract::Contract;
use codegen::model::{Operation, Surface};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// An operation with its surface.
type Called = (&'static Surface, &'static Operation);

/// The scenarios of a file.
pub struct Scenarios {
    contract: Contract,
    scenarios: BTreeMap<String, Scenario>,
}

/// Calls in a row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    /// What it shows, for readers of the file.
    #[serde(default, rename = "doc")]
    _doc: String,
    /// The plans of callers that need one: `{ poster: verified }`.
    #[serde(default)]
    plans: BTreeMap<String, String>,
    /// The scenario runs once with each of these sets of values.
    #[serde(default = "once")]
    each: Vec<BTreeMap<String, Value>>,
    steps: Vec<Step>,
}

fn once() -> Vec<BTreeMap<String, Value>> {
    vec![BTreeMap::new()]
}

/// A call, and what its answer must show. Texts may name values: `$bounty`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// The operation: `agent::get_human`.
    call: String,
    /// The name of the caller. It is created when the scenario begins, with the credential that the operation takes.
    #[serde(rename = "as")]
    caller: Option<String>,
    /// The credential, if it was saved from an answer: `$key`.
    with: Option<String>,
    /// Path and query as they are sent, in place of `path` and `query`.
    target: Option<String>,
    /// The parameters of the path.
    #[serde(default)]
    path: BTreeMap<String, Value>,
    /// The parameters of the query.
    #[serde(default)]
    query: BTreeMap<String, Value>,
    /// The body; a text is sent as it is.
    body: Option<Value>,
    /// How often the call is sent.
    #[serde(default = "one")]
    times: usize,
    /// Names for parts of the answer's data: `{ bounty: id, first: 0.name }`.
    #[serde(default)]
    save: BTreeMap<String, String>,

    /// The expected status; else that of the declared success.
    status: Option<Value>,
    /// The expected error, by its name in the contract.
    error: Option<String>,
    /// The data; an object may have more members.
    data: Option<Value>,
    /// The data is a list with these rows in this order, and maybe others.
    rows: Option<Vec<Value>>,
    /// The data is not like this; of a list: no row is.
    not: Option<Value>,
    /// Members of the body beside the data.
    body_members: Option<Value>,
    /// Texts that occur in the body, which is compared without white space outside of texts.
    #[serde(default)]
    contains: Vec<String>,
    /// Texts that do not occur in the body.
    #[serde(default)]
    lacks: Vec<String>,
}

fn one() -> usize {
    1
}

impl Scenarios {
    /// The scenarios in this text.
    ///
    /// # Errors
    /// The first mistake, with the scenario and the step.
    pub fn read(text: &str, contract: Contract) -> Result<Self, String> {
        let scenarios: BTreeMap<String, Scenario> = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let read = Self { contract, scenarios };
        read.check()?;
        Ok(read)
    }

    /// Their names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.scenarios.keys().map(String::as_str)
    }

    fn operation(&self, name: &str) -> Option<Called> {
        self.contract.operation(name)
    }
}
