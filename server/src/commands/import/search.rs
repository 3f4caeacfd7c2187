//! Searches for a worker, to reconcile an import without an answer. The operator API lists no workers, so this
//! searches as an agent. It creates an API key on a dedicated account and revokes it afterwards.

use contract::agent::{delete_key, list_humans};
use contract::operator::create_account_key;
use contract::{Plan, api_key};
use serde_json::{Value, json};

use super::backoff::with_backoff;
use super::report::Report;
use crate::commands::account;
use crate::commands::call_error::CallError;
use crate::commands::client::{Client, Credential, Operation, body, pages};

/// The name of the account whose keys this uses.
pub(super) const ACCOUNT: &str = "hitode import";

/// A temporary agent.
pub(super) struct Search<'a> {
    client: &'a Client,
    report: &'a Report,
    key: String,
    key_id: i64,
}

impl<'a> Search<'a> {
    /// Creates the key, and the account if no dedicated one without keys exists.
    ///
    /// # Errors
    /// If the accounts cannot be listed, or the first try to create the key fails: a second one could leave an unknown
    /// key.
    pub(super) fn begin(client: &'a Client, report: &'a Report) -> Result<Search<'a>, CallError> {
        let is_free = |account: &&Value| {
            account["name"] == ACCOUNT && account["active_keys"] == 0 && account["suspended"] == false
        };
        let accounts = with_backoff(report, || account::all(client))?;
        let (created, key_id) = match accounts.iter().find(is_free).and_then(|account| account["id"].as_i64()) {
            Some(id) => {
                let operation = Operation::new(create_account_key::METHOD, create_account_key::PATH).on(id);
                let created = client
                    .operator(&operation, body(&json!({ "name": "look-up" })))
                    .map_err(|error| {
                        error.if_outcome_unknown(&format!("a key of the account `{ACCOUNT}` may have been created"))
                    })?
                    .content;
                let key_id = created["id"].as_i64();
                (created, key_id)
            }
            None => {
                let created = account::create(client, ACCOUNT, Plan::VALUES[0].as_str())?;
                let key_id = created["key_id"].as_i64();
                (created, key_id)
            }
        };
        Ok(Search {
            client,
            report,
            key: created["key"].as_str().unwrap_or_default().to_owned(),
            key_id: key_id.unwrap_or_default(),
        })
    }

    /// The ids above `above` of all workers that equal the line `worker`, ascending.
    pub(super) fn find(&self, worker: &Value, above: i64) -> Result<Vec<i64>, CallError> {
        let everybody = Operation::new(list_humans::METHOD, list_humans::PATH);
        let rows = match self.rows(&narrowed(everybody.clone(), worker)) {
            // An unvalidated line may have values for which no search is valid.
            Err(error) if error.outcome.is_rejection() => self.rows(&everybody)?,
            rows => rows?,
        };
        let same = rows.iter().filter(|row| is_shown_as(worker, row));
        let mut ids: Vec<i64> = same
            .filter_map(|row| row["id"].as_i64())
            .filter(|id| *id > above)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }

    fn rows(&self, operation: &Operation) -> Result<Vec<Value>, CallError> {
        pages(operation, |page| {
            with_backoff(self.report, || self.client.call(&self.credential(), page, Vec::new()))
        })
    }

    /// Revokes the key.
    pub(super) fn end(self) -> Result<(), CallError> {
        let operation = Operation::new(delete_key::METHOD, delete_key::PATH).on(self.key_id);
        with_backoff(self.report, || {
            self.client.call(&self.credential(), &operation, Vec::new())
        })
        .map(|_| ())
    }

    fn credential(&self) -> Credential<'_> {
        Credential {
            header: api_key::HEADER,
            secret: &self.key,
        }
    }
}

/// Restricts the search to workers that can equal `worker`.
fn narrowed(mut operation: Operation, worker: &Value) -> Operation {
    let texts = [
        ("state", &worker["state"]),
        ("gender", &worker["gender"]),
        ("skill", &worker["skills"][0]["name"]),
    ];
    for (name, value) in texts {
        if let Some(text) = value.as_str() {
            operation = operation.with(name, text);
        }
    }
    if let Some(rate) = worker["hourly_rate"].as_f64() {
        operation = operation
            .with("minRate", &rate.to_string())
            .with("maxRate", &rate.to_string());
    }
    operation
}

/// Whether `row` of a list can be the worker of the line `worker`.
fn is_shown_as(worker: &Value, row: &Value) -> bool {
    let same_texts = ["name", "headline", "city", "state"]
        .iter()
        .all(|member| worker[member] == row[member]);
    // A missing value is 0 or false.
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let same_numbers = ["hourly_rate", "rating"]
        .iter()
        .all(|member| number(&worker[member]) == number(&row[member]));
    let verified = |value: &Value| value["is_verified"].as_bool().unwrap_or_default();
    let skills = worker["skills"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|skill| &skill["name"]);
    let same_skills = skills.eq(row["skills"].as_array().into_iter().flatten());
    same_texts && same_numbers && verified(worker) == verified(row) && same_skills
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_worker_of_a_line_only_if_all_that_it_shows_is_the_same() {
        let line = json!({
            "name": "佐藤", "headline": "h", "bio": "", "city": "c", "state": "s", "gender": "other",
            "hourly_rate": 1500, "skills": [{ "name": "A", "category": "B" }],
        });
        let row = json!({
            "id": 7, "name": "佐藤", "headline": "h", "city": "c", "state": "s", "hourly_rate": 1500.0, "rating": 0,
            "is_verified": false, "skills": ["A"],
        });
        assert!(is_shown_as(&line, &row));
        for (member, other) in [
            ("name", json!("佐東")),
            ("headline", json!("")),
            ("city", json!("d")),
            ("state", json!(null)),
            ("hourly_rate", json!(1501)),
            ("rating", json!(1)),
            ("is_verified", json!(true)),
            ("skills", json!(["A", "B"])),
            ("skills", json!([])),
        ] {
            let mut row = row.clone();
            row[member] = other;
            assert!(!is_shown_as(&line, &row), "{member}");
        }
    }
}
