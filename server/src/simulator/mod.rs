//! Acts for the simulated workers of the sandbox, through the operations of the worker API. It takes the stored steps that
//! are due: of one account one after the other, of several accounts at once. Simulated workers have no rate limits: they
//! are shared by all accounts, and one account must not delay another.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use contract::{
    AccountId, Bounty, BountyId, Clock, ConversationId, ConversationItem, Encoded, Failure, FindBounty,
    FindConversation, HumanId, MessageItem, Rows, Sender, worker, worker_token,
};
use futures_util::future::join_all;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;
use tracing::warn;

use crate::app::Hitode;
use crate::in_process::{Credential, Endpoint, FailedCall, InProcessClient, endpoint};
use crate::simulation::people::SILENT;
use crate::simulation::step::{self, mixed};
use crate::simulation::{Behaviour, PHOTO, Report, Step};
use crate::store::{DueStep, DueSteps, NewStep, PageRequest, StepKey, StoreResult};

/// The maximum number of steps that are taken together.
const BATCH: usize = 64;
/// The longest sleep: the date may be corrected meanwhile.
const IDLE: Duration = Duration::from_secs(10);
/// When a step is tried again that failed for a reason of the server's own.
const RETRY: Duration = Duration::from_secs(5);

struct Runner {
    app: Arc<Hitode>,
    client: InProcessClient,
    clock: Clock,
    /// The simulated workers, once there are any.
    people: Vec<HumanId>,
    /// The tokens of those who have acted since the start.
    tokens: Mutex<HashMap<HumanId, String>>,
}

/// What became of a step.
enum Taken {
    /// It is done, or cannot be done any more.
    Done,
    /// It is to be taken later.
    Later(Duration, Step),
}

/// Takes steps until the future is dropped. A step that was interrupted is taken again.
pub(crate) async fn run(app: Arc<Hitode>, clock: Clock) {
    let mut runner = Runner {
        client: InProcessClient::new(app.clone(), clock.clone()),
        app,
        clock,
        people: Vec::new(),
        tokens: Mutex::default(),
    };
    loop {
        let wait = runner.take_due().await.unwrap_or_else(|error| {
            warn!(%error, "simulated workers are paused");
            RETRY
        });
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = runner.app.store().service().steps_changed() => {}
        }
    }
}

impl Runner {
    /// Takes the steps that are due, and returns how long to wait for the next one.
    async fn take_due(&mut self) -> StoreResult<Duration> {
        let DueSteps { due, next } = self.app.due_steps(self.clock.date_millis(), BATCH).await?;
        if !due.is_empty() {
            if self.people.is_empty() {
                self.people = self.app.simulated_workers()?;
            }
            let mut accounts: BTreeMap<AccountId, Vec<DueStep>> = BTreeMap::new();
            for step in due {
                accounts.entry(step.key.account).or_default().push(step);
            }
            let taken = accounts.into_values().map(|steps| self.take_all(steps));
            let (keys, new): (Vec<_>, Vec<_>) = join_all(taken).await.into_iter().unzip();
            self.app.replace_steps(keys.concat(), new.concat()).await?;
        }
        let now = self.clock.date_millis();
        Ok(next.map_or(IDLE, |next| Duration::from_millis(next.saturating_sub(now)).min(IDLE)))
    }

    /// Takes steps one after the other. Returns their keys, and the steps in their place.
    async fn take_all(&self, steps: Vec<DueStep>) -> (Vec<StepKey>, Vec<NewStep>) {
        let (mut keys, mut new) = (Vec::new(), Vec::new());
        for DueStep { key, about, step } in steps {
            keys.push(key);
            let Some(step) = Step::from_text(&step) else {
                continue;
            };
            if let Taken::Later(after, step) = self.take(key.account, about, step).await {
                let after = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
                new.push(NewStep {
                    due: self.clock.date_millis().saturating_add(after),
                    account: key.account,
                    about,
                    step: step.to_text(),
                });
            }
        }
        (keys, new)
    }

    async fn take(&self, account: AccountId, about: i64, step: Step) -> Taken {
        let taken = match &step {
            Step::Apply { nth } => self.apply(account, BountyId::new(about), *nth).await,
            Step::Report { human, nth, .. } => {
                let parties = (account, HumanId::new(*human));
                match self.report(parties, BountyId::new(about), *nth).await {
                    Ok(Reported::NoConversation) => {
                        return step.later().map_or(Taken::Done, |(after, later)| {
                            Taken::Later(Duration::from_millis(after), later)
                        });
                    }
                    Ok(Reported::Done) => Ok(()),
                    Err(failed) => Err(failed),
                }
            }
            Step::Deliver { human } => self.deliver(BountyId::new(about), HumanId::new(*human)).await,
            Step::Withdraw { nth } => self.withdraw(account, BountyId::new(about), *nth).await,
            Step::Reply { human, quote } => {
                let text = step::reply(quote, mixed(account.get(), about));
                self.send_message(ConversationId::new(about), HumanId::new(*human), &text, false)
                    .await
            }
        };
        match taken {
            Err(Failed::Server(cause)) => {
                warn!(cause, "a simulated worker tries again later");
                Taken::Later(RETRY, step)
            }
            Ok(()) | Err(Failed::Rejected) => Taken::Done,
        }
    }

    /// The nth applicant applies.
    async fn apply(&self, account: AccountId, id: BountyId, nth: u64) -> Result<(), Failed> {
        let Some(human) = self.applicant(account, id, nth).await? else {
            return Ok(());
        };
        let message = step::application(mixed(account.get(), id.get()).wrapping_add(nth));
        let body = json!({ "message": message });
        self.call(human, endpoint!(worker::create_application), id.get(), &body)
            .await
    }

    /// The nth applicant withdraws.
    async fn withdraw(&self, account: AccountId, id: BountyId, nth: u64) -> Result<(), Failed> {
        let Some(human) = self.applicant(account, id, nth).await? else {
            return Ok(());
        };
        match self.app.application_of(id, human).await? {
            Some(application) => {
                let operation = endpoint!(worker::delete_application);
                self.call(human, operation, application.id.get(), &json!({})).await
            }
            None => Ok(()),
        }
    }

    /// The nth who applies to a bounty.
    async fn applicant(&self, account: AccountId, id: BountyId, nth: u64) -> Result<Option<HumanId>, Failed> {
        let Some(bounty) = self.bounty(id).await? else {
            return Ok(None);
        };
        let is_silent = Behaviour::from_category(bounty.category.as_deref()).is_silent();
        Ok(self.chosen(is_silent, mixed(account.get(), id.get()), nth))
    }

    /// An accepted worker delivers, once.
    async fn deliver(&self, id: BountyId, human: HumanId) -> Result<(), Failed> {
        let (bounty, application) = (self.bounty(id).await?, self.app.application_of(id, human).await?);
        let (Some(bounty), Some(application)) = (bounty, application.filter(|one| one.deliveries == 0)) else {
            return Ok(());
        };
        let files = self.photo(human).await?;
        let body = json!({ "message": format!("It is done. (“{}”)", bounty.title), "files": files });
        let operation = endpoint!(worker::create_delivery);
        self.call(human, operation, application.id.get(), &body).await
    }

    /// The ids of the files that a worker sends beside a text: one photo, if files are stored.
    async fn photo(&self, human: HumanId) -> Result<Vec<i64>, Failed> {
        if self.app.file_directory().is_none() {
            return Ok(Vec::new());
        }
        let photo = ("image/png", Bytes::from_static(PHOTO));
        let stored = self.send(human, endpoint!(worker::create_file), 0, photo).await?;
        Ok(stored["id"].as_i64().into_iter().collect())
    }

    async fn bounty(&self, id: BountyId) -> Result<Option<Arc<Bounty>>, Failed> {
        Ok(self.app.find_bounty(id).await?)
    }

    /// A worker, another for each `nth`.
    fn chosen(&self, is_silent: bool, seed: u64, nth: u64) -> Option<HumanId> {
        /// Without a common divisor with the numbers of workers to choose from.
        const STEP: u64 = 7;
        let (talking, silent) = self.people.split_at(self.people.len().saturating_sub(SILENT));
        let among = if is_silent { silent } else { talking };
        let place = seed
            .wrapping_add(nth.wrapping_mul(STEP))
            .checked_rem(among.len() as u64)?;
        among.get(usize::try_from(place).ok()?).copied()
    }

    /// An accepted worker writes, if there is a conversation with the account.
    async fn report(
        &self,
        (account, human): (AccountId, HumanId),
        bounty: BountyId,
        nth: usize,
    ) -> Result<Reported, Failed> {
        let Some(bounty) = self.bounty(bounty).await? else {
            return Ok(Reported::Done);
        };
        let reports = Behaviour::from_category(bounty.category.as_deref()).reports();
        let Some(Report { text, has_photo, .. }) = reports.get(nth) else {
            return Ok(Reported::Done);
        };
        let Some(conversation) = self.conversation(account, human).await? else {
            return Ok(Reported::NoConversation);
        };
        let text = format!("{text} (“{}”)", bounty.title);
        self.send_message(conversation, human, &text, *has_photo)
            .await
            .map(|()| Reported::Done)
    }

    /// The latest conversation between them, among the latest hundred of the account.
    async fn conversation(&self, account: AccountId, human: HumanId) -> Result<Option<ConversationId>, Failed> {
        let window = PageRequest::new(100, 0);
        let rows = self.app.agent_conversations(account, window).await?;
        let rows = read::<ConversationItem>(rows).await;
        let mut with_human = rows.iter().filter(|row| row["human_id"] == human.get());
        Ok(with_human.find_map(|row| row["id"].as_i64()).map(ConversationId::new))
    }

    /// A worker writes a message, with a photo or without, unless it is the latest one already: then this step was interrupted
    /// after it was taken.
    async fn send_message(
        &self,
        id: ConversationId,
        human: HumanId,
        text: &str,
        has_photo: bool,
    ) -> Result<(), Failed> {
        let is_silent = self.people.iter().rev().take(SILENT).any(|silent| *silent == human);
        let Some(conversation) = self.app.find_conversation(id).await?.filter(|_| !is_silent) else {
            return Ok(());
        };
        let latest = self.app.latest_messages(&conversation, PageRequest::new(1, 0)).await?;
        let latest = read::<MessageItem>(latest).await;
        let is_said = |row: &Value| {
            let begins = row["content"].as_str().is_some_and(|content| content.starts_with(text));
            begins && row["sender_type"] == Sender::Human.as_str()
        };
        if latest.iter().any(is_said) {
            return Ok(());
        }
        let files = match has_photo {
            true => self.photo(human).await?,
            false => Vec::new(),
        };
        let body = json!({ "content": text, "files": files });
        self.call(human, endpoint!(worker::create_message), id.get(), &body)
            .await
    }

    /// Calls an operation as a worker.
    async fn call(&self, human: HumanId, operation: Endpoint, id: i64, body: &Value) -> Result<(), Failed> {
        let json = ("application/json", Bytes::from(body.to_string()));
        self.send(human, operation, id, json).await.map(drop)
    }

    /// Calls an operation as a worker, with a new token if the worker has none or it was replaced. Returns the data of the
    /// response.
    async fn send(
        &self,
        human: HumanId,
        operation: Endpoint,
        id: i64,
        body: (&'static str, Bytes),
    ) -> Result<Value, Failed> {
        let known = self.tokens.lock().await.get(&human).cloned();
        if let Some(token) = known {
            match self.call_with(token, operation, id, body.clone()).await {
                Err(failed) if failed.status == Some(StatusCode::UNAUTHORIZED) => {}
                done => return done.map_err(Failed::from),
            }
        }
        let token = self.app.renew_token(human).await?;
        self.tokens.lock().await.insert(human, token.clone());
        Ok(self.call_with(token, operation, id, body).await?)
    }

    async fn call_with(
        &self,
        secret: String,
        operation: Endpoint,
        id: i64,
        body: (&str, Bytes),
    ) -> Result<Value, FailedCall> {
        let header = worker_token::HEADER;
        let caller = Credential { header, secret };
        // The log is only for requests of clients.
        let ids = [id];
        let called = self.client.send(&caller, operation, &ids, body);
        called.with_subscriber(NoSubscriber::default()).await
    }
}

/// What became of a report.
enum Reported {
    Done,
    NoConversation,
}

/// Why a step failed.
enum Failed {
    /// The contract rejects it: the bounty is closed, for example.
    Rejected,
    /// For a reason of the server's own.
    Server(String),
}

impl From<FailedCall> for Failed {
    fn from(failed: FailedCall) -> Self {
        match failed.status {
            Some(status) if status.is_client_error() => Self::Rejected,
            _ => Self::Server(format!("{}: {}", failed.call, failed.answer)),
        }
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Server(format!("{failure:?}"))
    }
}

/// The rows as JSON. None, if they cannot be read.
async fn read<V: Send + 'static>(rows: Rows<V>) -> Vec<Value> {
    let rows = tokio::task::spawn_blocking(move || rows.read_all()).await;
    let rows: Vec<Encoded<V>> = rows.ok().and_then(Result::ok).unwrap_or_default();
    rows.iter()
        .filter_map(|row| serde_json::from_str(row.as_str()).ok())
        .collect()
}
