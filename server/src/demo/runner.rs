//! Enters the workers and plays the scenario through the service's API, on a separate clock.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::time::Duration;

use contract::{Clock, Plan, Timestamp, agent, api_key, operator, operator_token, worker, worker_token};
use serde_json::{Map, Value, json};

use super::error::DemoError;
use super::scenario::{Author, Scenario, ScenarioAccount, ScenarioApplication, ScenarioBounty, ScenarioConversation};
use super::workers::{WorkerLine, workers};
use crate::in_process::{Credential, InProcessClient, endpoint};

/// The parts of the demo that the first start prints.
#[derive(Debug)]
pub struct Demo {
    /// The key of the verified account.
    pub key: String,
    /// The key of an account in the sandbox.
    pub sandbox_key: String,
    /// The name of a worker.
    pub worker: String,
    /// That worker's token.
    pub worker_token: String,
    /// The name of another worker.
    pub invited: String,
    /// That worker's one-time code.
    pub code: String,
    /// How many workers there are.
    pub workers: usize,
    /// How many bounties are open.
    pub bounties: usize,
    /// The bounty posted last, to which that worker has not applied.
    pub last_bounty: i64,
}

/// How many workers are entered at once.
const BATCH: usize = 250;
/// The number of workers from which progress is displayed.
const MANY: usize = 10_000;

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

struct Runner {
    client: InProcessClient,
    clock: Clock,
    /// The present time, from which deadlines count.
    today: Timestamp,
    operator: Credential,
    /// By the accounts' names.
    accounts: HashMap<String, Credential>,
    /// The ids of the workers that the scenario names.
    workers: HashMap<String, i64>,
    /// By the workers' names, for workers with a token.
    tokens: HashMap<String, Credential>,
    /// The ids of the bounties, by their titles.
    bounties: HashMap<String, i64>,
}

/// Enters `number` workers and plays the scenario. `clock` starts some days before `today` and is advanced.
pub(super) async fn run(
    client: InProcessClient,
    clock: Clock,
    today: Timestamp,
    operator: String,
    number: usize,
) -> Result<Demo, DemoError> {
    let mut runner = Runner {
        client,
        clock,
        today,
        operator: Credential {
            header: operator_token::HEADER,
            secret: operator,
        },
        accounts: HashMap::new(),
        workers: HashMap::new(),
        tokens: HashMap::new(),
        bounties: HashMap::new(),
    };
    let scenario = Scenario::read();
    for account in &scenario.accounts {
        runner.create_account(account).await?;
    }
    runner.import(&scenario, number).await?;
    let mut last_bounty = 0;
    for bounty in &scenario.bounties {
        last_bounty = runner.post(bounty).await?;
    }
    for conversation in &scenario.conversations {
        runner.converse(conversation).await?;
    }
    let sandbox = json!({ "name": "Sandbox agent", "plan": Plan::Free.as_str(), "sandbox": true });
    let operation = endpoint!(operator::create_account);
    let sandbox = runner.client.call(&runner.operator, operation, &[], &sandbox).await?;
    let conversations = &scenario.conversations;
    let (worker, invited) = (&conversations[0].worker, &conversations[conversations.len() - 1].worker);
    Ok(Demo {
        invited: invited.clone(),
        code: runner.code(invited).await?,
        sandbox_key: text_in(&sandbox["key"]),
        key: runner.accounts[&scenario.accounts[0].name].secret.clone(),
        worker: worker.clone(),
        worker_token: runner.token(worker).await?.secret,
        workers: number,
        bounties: scenario.bounties.len(),
        last_bounty,
    })
}

impl Runner {
    async fn create_account(&mut self, account: &ScenarioAccount) -> Result<(), DemoError> {
        let created = self
            .client
            .call(&self.operator, endpoint!(operator::create_account), &[], account)
            .await?;
        let credential = Credential {
            header: api_key::HEADER,
            secret: text_in(&created["key"]),
        };
        self.accounts.insert(account.name.clone(), credential);
        Ok(())
    }

    async fn import(&mut self, scenario: &Scenario, number: usize) -> Result<(), DemoError> {
        let names = scenario.worker_names();
        let mut workers = workers(number, &names);
        let mut entered = 0;
        while entered < number {
            let batch: Vec<WorkerLine> = workers.by_ref().take(BATCH).collect();
            let body = BTreeMap::from([("humans", &batch)]);
            let created = self
                .client
                .call(&self.operator, endpoint!(operator::import_humans), &[], &body)
                .await?;
            show_progress(entered, entered + batch.len(), number);
            entered += batch.len();
            let ids = created["ids"].as_array().into_iter().flatten().map(number_in);
            for (worker, id) in batch.into_iter().zip(ids) {
                if names.contains(&*worker.name) {
                    // A later worker of a large demo may have the same name.
                    self.workers.entry(worker.name).or_insert(id);
                }
            }
        }
        Ok(())
    }

    fn wait(&self, minutes: u64) {
        self.clock.advance(Duration::from_secs(minutes * 60));
    }

    /// The worker's token, created when it is first needed.
    async fn token(&mut self, name: &str) -> Result<Credential, DemoError> {
        if let Some(token) = self.tokens.get(name) {
            return Ok(token.clone());
        }
        let ids = [self.workers[name]];
        let created = self
            .client
            .call(
                &self.operator,
                endpoint!(operator::create_human_token),
                &ids,
                &Map::new(),
            )
            .await?;
        let token = Credential {
            header: worker_token::HEADER,
            secret: text_in(&created["token"]),
        };
        self.tokens.insert(name.to_owned(), token.clone());
        Ok(token)
    }

    /// A one-time code for a worker, made at the present time.
    async fn code(&self, name: &str) -> Result<String, DemoError> {
        let behind = self.today.unix() - self.clock.now().unix();
        self.clock
            .advance(Duration::from_secs(behind.try_into().unwrap_or_default()));
        let operation = endpoint!(operator::create_human_code);
        let ids = [self.workers[name]];
        let created = self.client.call(&self.operator, operation, &ids, &Map::new()).await?;
        Ok(text_in(&created["code"]))
    }

    /// Posts a bounty with its applications and decisions, and returns the bounty's id.
    async fn post(&mut self, bounty: &ScenarioBounty) -> Result<i64, DemoError> {
        self.wait(bounty.after_minutes);
        let mut body = bounty.body.clone();
        if let Some(days) = bounty.due_in_days {
            let due = Timestamp::from_unix(self.today.unix() + days * SECONDS_A_DAY).to_string();
            body.insert("deadline".to_owned(), json!(due.split('T').next()));
        }
        let account = &self.accounts[&bounty.account];
        let posted = self
            .client
            .call(account, endpoint!(agent::create_bounty), &[], &body)
            .await?;
        let id = number_in(&posted["id"]);
        self.bounties.insert(text_in(&bounty.body["title"]), id);
        for application in &bounty.applications {
            self.apply(&bounty.account, id, application).await?;
        }
        Ok(id)
    }

    async fn apply(&mut self, account: &str, bounty: i64, application: &ScenarioApplication) -> Result<(), DemoError> {
        self.wait(application.after_minutes);
        let token = self.token(&application.worker).await?;
        let body = json!({ "message": application.message });
        let sent = self
            .client
            .call(&token, endpoint!(worker::create_application), &[bounty], &body)
            .await?;
        if let Some(decision) = &application.decision {
            self.wait(decision.after_minutes);
            let ids = [bounty, number_in(&sent["id"])];
            let body = json!({ "status": decision.status });
            self.client
                .call(
                    &self.accounts[account],
                    endpoint!(agent::decide_application),
                    &ids,
                    &body,
                )
                .await?;
        }
        Ok(())
    }

    async fn converse(&mut self, conversation: &ScenarioConversation) -> Result<(), DemoError> {
        self.wait(conversation.after_minutes);
        let token = self.token(&conversation.worker).await?;
        let account = &self.accounts[&conversation.account];
        let about = conversation.about.as_ref().map(|title| self.bounties[title]);
        let body = json!({
            "human_id": self.workers[&conversation.worker],
            "message": conversation.message,
            "bounty_id": about,
        });
        let begun = self
            .client
            .call(account, endpoint!(agent::create_conversation), &[], &body)
            .await?;
        let ids = [number_in(&begun["id"])];
        for reply in &conversation.replies {
            self.wait(reply.after_minutes);
            let (caller, endpoint) = match reply.from {
                Author::Agent => (account, endpoint!(agent::create_message)),
                Author::Worker => (&token, endpoint!(worker::create_message)),
            };
            let body = json!({ "content": reply.text });
            self.client.call(caller, endpoint, &ids, &body).await?;
        }
        Ok(())
    }
}

/// Writes a line for each tenth of a large number; standard error may be closed.
fn show_progress(before: usize, now: usize, all: usize) {
    if all >= MANY && before * 10 / all < now * 10 / all {
        let _ = writeln!(std::io::stderr(), "demo: {now} of {all} workers created");
    }
}

fn number_in(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

fn text_in(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
