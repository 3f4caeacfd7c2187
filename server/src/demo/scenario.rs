//! Reads `scenario.yaml`: the demo's accounts, bounties, applications, decisions and conversations.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

const YAML: &str = include_str!("scenario.yaml");

/// The file. `account` and `worker` hold names: of an account in the file, of a worker in `workers.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    /// The first start prints the key of the first account.
    pub(super) accounts: Vec<ScenarioAccount>,
    /// In the order in which they are posted.
    pub(super) bounties: Vec<ScenarioBounty>,
    /// In the order in which they begin. The first start prints the token of the worker in the first conversation,
    /// and a link for the worker in the last one.
    pub(super) conversations: Vec<ScenarioConversation>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioAccount {
    pub(super) name: String,
    plan: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ScenarioBounty {
    pub(super) account: String,
    pub(super) after_minutes: u64,
    /// Days from the first start to the deadline.
    pub(super) due_in_days: Option<i64>,
    #[serde(default)]
    pub(super) applications: Vec<ScenarioApplication>,
    /// All other members, which go to the API as they are.
    #[serde(flatten)]
    pub(super) body: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioApplication {
    pub(super) worker: String,
    pub(super) after_minutes: u64,
    pub(super) message: String,
    pub(super) decision: Option<ScenarioDecision>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioDecision {
    pub(super) after_minutes: u64,
    pub(super) status: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioConversation {
    pub(super) account: String,
    pub(super) worker: String,
    /// The title of the bounty that it is about.
    pub(super) about: Option<String>,
    pub(super) after_minutes: u64,
    /// What the agent writes first.
    pub(super) message: String,
    pub(super) replies: Vec<ScenarioReply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioReply {
    pub(super) from: Author,
    pub(super) after_minutes: u64,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Author {
    Agent,
    Worker,
}

impl Scenario {
    pub(super) fn read() -> Scenario {
        serde_yaml::from_str(YAML).expect("a test has read it")
    }

    /// Every worker who applies or writes.
    pub(super) fn worker_names(&self) -> HashSet<&str> {
        let applications = self.bounties.iter().flat_map(|bounty| &bounty.applications);
        let applicants = applications.map(|application| &*application.worker);
        let partners = self.conversations.iter().map(|conversation| &*conversation.worker);
        applicants.chain(partners).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::workers::listed;
    use super::*;

    #[test]
    fn every_name_is_that_of_one_account_or_one_worker() {
        let scenario = Scenario::read();
        let workers = listed();
        for name in scenario.worker_names() {
            assert_eq!(workers.iter().filter(|worker| worker.name == name).count(), 1, "{name}");
        }
        let posting = scenario.bounties.iter().map(|bounty| &bounty.account);
        for name in posting.chain(scenario.conversations.iter().map(|conversation| &conversation.account)) {
            assert_eq!(
                scenario.accounts.iter().filter(|account| account.name == *name).count(),
                1,
                "{name}"
            );
        }
    }

    #[test]
    fn a_conversation_is_about_a_bounty_of_its_account() {
        let scenario = Scenario::read();
        for conversation in &scenario.conversations {
            let is_it = |title: &String, bounty: &ScenarioBounty| {
                bounty.body["title"] == **title && bounty.account == conversation.account
            };
            let about = conversation.about.as_ref();
            assert!(about.is_none_or(|title| scenario.bounties.iter().any(|one| is_it(title, one))));
        }
    }

    #[test]
    fn the_worker_whose_token_is_printed_can_apply_to_the_last_bounty() {
        let scenario = Scenario::read();
        let worker = &scenario.conversations[0].worker;
        let last = scenario.bounties.last().expect("bounties");
        assert!(
            last.applications
                .iter()
                .all(|application| application.worker != *worker)
        );
    }
}
