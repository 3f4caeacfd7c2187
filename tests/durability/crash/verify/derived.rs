//! Checks what follows from the resources: counts, quotas, lists, and that both sides see the same.

use std::collections::HashSet;

use serde_json::Value;

use super::Verifier;
use crate::crash::gather::Rows;
use crate::crash::ledger::Act;

/// The most active keys of an account in the contract.
const MAX_KEYS: usize = 3;

impl Verifier<'_> {
    pub(super) fn what_is_derived_agrees(&mut self) {
        let snapshot = self.snapshot;
        for (account, sees) in &snapshot.agents {
            let active = snapshot
                .accounts
                .get(account)
                .and_then(|row| row["active_keys"].as_u64());
            if sees.keys.len() > MAX_KEYS || active != Some(sees.keys.len() as u64) {
                self.wrong(format!(
                    "account {account} has {active:?} active keys and lists {}",
                    sees.keys.len()
                ));
            }
            for (id, bounty) in &sees.bounties {
                self.bounty_agrees(*id, bounty, &sees.applications[id]);
            }
            self.inbox_agrees(&sees.inbox, &sees.conversations);
        }
        for sees in snapshot.workers.values() {
            self.inbox_agrees(&sees.inbox, &sees.conversations);
        }
        self.both_sides_agree();
    }

    fn bounty_agrees(&mut self, id: i64, bounty: &Value, applications: &Rows) {
        let count = applications.len();
        let listed = self.snapshot.open.get(&id);
        let counts = [Some(bounty), listed]
            .into_iter()
            .flatten()
            .map(|row| row["applications_count"].as_u64());
        if counts.clone().any(|total| total != Some(count as u64)) {
            let counts: Vec<_> = counts.collect();
            self.wrong(format!("bounty {id} counts {counts:?} applications and has {count}"));
        }
        if (bounty["status"] == "open") != listed.is_some() {
            self.wrong(format!(
                "bounty {id} is {}, that it is listed is {}",
                bounty["status"],
                listed.is_some()
            ));
        }
        let workers: HashSet<_> = applications.values().map(|row| row["user_id"].as_i64()).collect();
        if workers.len() != count {
            self.wrong(format!("a worker has applied to bounty {id} twice"));
        }
    }

    fn inbox_agrees(&mut self, inbox: &Rows, conversations: &Rows) {
        for (id, row) in inbox {
            let last = conversations
                .get(id)
                .and_then(|detail| detail["messages"].as_array()?.last());
            if last.map(|last| &last["content"]) != Some(&row["last_message"]) {
                self.wrong(format!("conversation {id} does not end with its last message"));
            }
        }
    }

    /// A worker sees the same applications and conversations as the agents.
    fn both_sides_agree(&mut self) {
        let snapshot = self.snapshot;
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            let (Some((id, _)), Some(account), Some(human)) =
                (self.found.get(&number).copied(), entry.act.account(), entry.act.human())
            else {
                continue;
            };
            let (Some(agent), Some(worker)) = (snapshot.agents.get(&account), snapshot.workers.get(&human)) else {
                continue;
            };
            let agree = match entry.act {
                Act::Application { bounty, .. } => {
                    let received = agent.applications.get(&bounty).and_then(|rows| rows.get(&id));
                    let sent = worker.applications.get(&id);
                    let status = |row: Option<&Value>| row.map(|row| row["status"].clone());
                    let bounty = agent.bounties.get(&bounty).map(|row| row["status"].clone());
                    status(received) == status(sent) && bounty == sent.map(|row| row["bounty_status"].clone())
                }
                Act::Conversation { .. } => {
                    let messages = |rows: &Rows| rows.get(&id).map(|detail| detail["messages"].clone());
                    messages(&agent.conversations) == messages(&worker.conversations)
                }
                _ => true,
            };
            if !agree {
                self.wrong(format!(
                    "agent {account} and worker {human} see different things of #{number}"
                ));
            }
        }
    }
}
