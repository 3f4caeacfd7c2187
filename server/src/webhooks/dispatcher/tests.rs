use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;
use contract::events::Recipient;
use contract::{Account, AccountId, FindWebhook, Sender, Webhook, WebhookEvent, WebhookStatus};
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::*;
use crate::app::Hitode;
use crate::market::tests::{self, Writes, new_account, new_human, new_key, plain_webhook};
use crate::store::{Actor, FeedRequest, Store, StoreError, StoreResult, Ticket, in_memory_store, names};
use crate::webhooks::sender::{NoResponse, ReadBody, Received};
use crate::webhooks::target::{Reach, Target};

/// The date at which tests begin.
const BEGIN: i64 = 1_800_000_000;

/// How a receiver responds.
#[derive(Clone, Copy, Debug)]
enum Receiver {
    /// With this status, and `Retry-After`. It repeats challenges.
    Answers(u16, Option<u64>),
    /// As it should, without repeating challenges.
    Deaf,
    /// As it should, after so many seconds.
    Slow(u64),
    /// Never.
    Silent,
    /// With 500 to the event with this number, and with 200 to all else.
    Rejects(i64),
}

/// The receivers by the paths of their URLs, and the requests that came, with the milliseconds since the begin.
struct Receivers {
    by_path: Mutex<BTreeMap<String, Receiver>>,
    requests: Mutex<Vec<(u64, String, Value)>>,
    begun: Instant,
}

impl Post for Arc<Receivers> {
    fn reach(&self) -> Reach {
        Reach::Public
    }

    async fn post(
        &self,
        _: AccountId,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
        read: ReadBody,
    ) -> Result<Received, NoResponse> {
        for name in [
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature",
            "x-mcp-subscription-id",
        ] {
            assert!(headers.contains_key(name), "{name}");
        }
        let (path, message) = (target.path.as_str().to_owned(), serde_json::from_slice(&body));
        let message: Value = message.expect("a body of JSON");
        assert_eq!(read == ReadBody::Yes, message["type"] == "verification");
        let cursor: Option<i64> = message["cursor"].as_str().and_then(|cursor| cursor.parse().ok());
        let answer = Bytes::from(serde_json::json!({ "challenge": message["challenge"] }).to_string());
        let receiver = self.by_path.lock().expect("no holder panics")[&path];
        let after = u64::try_from(self.begun.elapsed().as_millis()).expect("a short test");
        self.requests
            .lock()
            .expect("no holder panics")
            .push((after, path, message));
        let (status, retry_after, body) = match receiver {
            Receiver::Answers(status, retry_after) => (status, retry_after, answer),
            Receiver::Deaf => (200, None, Bytes::new()),
            Receiver::Rejects(number) if cursor == Some(number) => (500, None, answer),
            Receiver::Rejects(_) => (200, None, answer),
            Receiver::Slow(seconds) => {
                sleep(Duration::from_secs(seconds)).await;
                (200, None, answer)
            }
            Receiver::Silent => {
                sleep(Duration::from_secs(15)).await;
                return Err(NoResponse::Timeout);
            }
        };
        Ok(Received {
            status: StatusCode::from_u16(status).expect("a status"),
            retry_after: retry_after.map(Duration::from_secs),
            body: Some(body),
        })
    }
}

/// A market of which every second one of so many calls fails.
struct Unsteady {
    app: Hitode,
    unsteady: AtomicUsize,
}

impl Unsteady {
    fn check(&self) -> StoreResult<()> {
        match self.unsteady.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) {
            Ok(left) if left % 2 == 0 => Err(StoreError::Unavailable("the lease is over".into())),
            _ => Ok(()),
        }
    }

    fn store(&self) -> &Store {
        self.app.store()
    }
}

impl Deliveries for Unsteady {
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>> {
        self.check()?;
        self.app.webhooks(account)
    }

    async fn next_delivery(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        self.check()?;
        self.app.next_delivery(webhook, now).await
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        self.check()?;
        self.app.settle_delivery(webhook, ticket, report).await
    }

    async fn changed(&self) -> Vec<AccountId> {
        self.app.changed().await
    }
}

struct NoWatch;

impl WatchDeliveries for NoWatch {
    fn attempted(&self, _: DeliveryResult) {}
    fn at_work(&self, _: usize) {}
}

struct World {
    app: Arc<Unsteady>,
    receivers: Arc<Receivers>,
    running: JoinHandle<Infallible>,
}

impl World {
    fn new() -> Self {
        let receivers = Arc::new(Receivers {
            by_path: Mutex::default(),
            requests: Mutex::default(),
            begun: Instant::now(),
        });
        let app = Arc::new(Unsteady {
            app: tests::app(in_memory_store(None)),
            unsteady: AtomicUsize::default(),
        });
        let running = run(&app, &receivers);
        Self {
            app,
            receivers,
            running,
        }
    }

    /// Ends the work without notice, and begins anew with what is stored.
    fn restart(&mut self) {
        self.running.abort();
        self.running = run(&self.app, &self.receivers);
    }

    fn set(&self, path: &str, receiver: Receiver) {
        let mut by_path = self.receivers.by_path.lock().expect("no holder panics");
        by_path.insert(path.to_owned(), receiver);
    }

    async fn webhook(&self, path: &str, receiver: Receiver) -> WebhookId {
        self.webhook_for(path, receiver, &[]).await
    }

    /// A webhook that gets these kinds of events.
    async fn webhook_for(&self, path: &str, receiver: Receiver, events: &[WebhookEvent]) -> WebhookId {
        let account = self.account(path).await;
        self.webhook_of(account, path, receiver, events).await
    }

    async fn account(&self, name: &str) -> AccountId {
        let key = new_key(AccountId::new(0), name);
        let created = self.app.store().create_account(new_account(name), key);
        created.await.expect("an account").0
    }

    async fn webhook_of(
        &self,
        account: AccountId,
        path: &str,
        receiver: Receiver,
        events: &[WebhookEvent],
    ) -> WebhookId {
        self.set(path, receiver);
        let webhook = Webhook {
            url: format!("https://hooks.example.com{path}"),
            events: events.to_vec(),
            created_at: self.now(),
            ..plain_webhook(account)
        };
        let created = self.app.store().create_webhook(Actor::Operator, webhook).await;
        created.expect("a write").expect("a webhook")
    }

    /// A webhook that has repeated its challenge, with its account.
    async fn active(&self, path: &str) -> (AccountId, WebhookId) {
        let id = self.webhook(path, Receiver::Answers(200, None)).await;
        sleep(Duration::from_millis(1)).await;
        let webhook = self.found(id).await;
        assert_eq!(webhook.status, WebhookStatus::Active);
        (webhook.account_id, id)
    }

    async fn found(&self, id: WebhookId) -> Arc<Webhook> {
        let found = self.app.app.find_webhook(id).await.expect("an answer");
        found.expect("a webhook")
    }

    async fn test(&self, (_, id): (AccountId, WebhookId)) {
        let tested = self.app.store().test_webhook(id, self.now()).await;
        tested.expect("a write").expect("a webhook");
    }

    /// Causes so many events for an account.
    async fn events(&self, account_id: AccountId, many: usize) {
        let store = self.app.store();
        let workers = store.create_humans(vec![new_human("Ken")], false).await;
        let parties = (account_id, workers.expect("a worker")[0]);
        let begun = store.create_conversation(Actor::Operator, parties, "Are you free?", self.now());
        let (talk, _) = begun.await.expect("a conversation");
        for _ in 0..many {
            let said = store.create_message(Actor::Operator, talk, Sender::Human, "Yes.", self.now());
            said.await.expect("a message");
        }
    }

    /// The numbers of the events that were sent to a path, in order.
    fn sent(&self, path: &str) -> Vec<i64> {
        let requests = self.receivers.requests.lock().expect("no holder panics");
        let to_path = requests.iter().filter(|(_, to, _)| to == path);
        let numbers = to_path.filter_map(|(_, _, message)| message["cursor"].as_str()?.parse().ok());
        numbers.collect()
    }

    fn now(&self) -> Timestamp {
        now(self.receivers.begun)
    }

    /// The requests to a path: when they came, and their names.
    fn requests(&self, path: &str) -> Vec<(u64, String)> {
        let requests = self.receivers.requests.lock().expect("no holder panics");
        let to_path = requests.iter().filter(|(_, to, _)| to == path);
        let name = |message: &Value| message["name"].as_str().or(message["type"].as_str()).map(str::to_owned);
        to_path
            .map(|(at, _, message)| (*at, name(message).unwrap_or_default()))
            .collect()
    }
}

fn now(begun: Instant) -> Timestamp {
    let elapsed = i64::try_from(begun.elapsed().as_secs()).expect("a short test");
    Timestamp::from_unix(BEGIN + elapsed)
}

fn run(app: &Arc<Unsteady>, receivers: &Arc<Receivers>) -> JoinHandle<Infallible> {
    let begun = receivers.begun;
    let dispatcher = Dispatcher::new(
        Arc::clone(app),
        Arc::clone(receivers),
        move || now(begun),
        Arc::new(NoWatch),
    );
    tokio::spawn(dispatcher.run())
}

const DAY: Duration = Duration::from_secs(86_400);

/// Checks that attempts came after these seconds, each after the one before, more or less.
#[track_caller]
fn check_delays(requests: &[(u64, String)], expected: &[u64]) {
    let delays = requests.windows(2).map(|two| (two[1].0 - two[0].0) / 1_000);
    let delays: Vec<_> = delays.collect();
    assert_eq!(delays.len(), expected.len(), "{delays:?}");
    for (delay, expected) in delays.iter().zip(expected) {
        let allowed = expected * 8 / 10..=expected * 12 / 10 + 1;
        assert!(allowed.contains(delay), "{delays:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_webhook_is_asked_at_once_and_then_left_alone() {
    let world = World::new();
    world.active("/a").await;
    sleep(30 * DAY).await;
    assert_eq!(world.requests("/a"), [(0, "verification".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_fails_is_asked_less_and_less_often_and_then_no_more() {
    let world = World::new();
    let id = world.webhook("/a", Receiver::Deaf).await;
    sleep(30 * DAY).await;
    let hours = [2, 5, 10, 14, 20, 24].map(|hours| hours * 3_600);
    check_delays(&world.requests("/a"), &[&[5, 300, 1_800], &hours[..]].concat());
    assert_eq!(world.found(id).await.status, WebhookStatus::Disabled);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_cannot_answer_for_a_moment_is_asked_again() {
    let world = World::new();
    let (account, _) = world.active("/a").await;
    // The webhooks are read, then what is due, and the result is stored: each at the second attempt.
    world.app.unsteady.store(6, Relaxed);
    world.events(account, 1).await;
    sleep(Duration::from_secs(10)).await;
    assert_eq!((world.app.unsteady.load(Relaxed), world.sent("/a").len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_restart_goes_on_where_the_last_run_ended() {
    let mut world = World::new();
    world.webhook("/a", Receiver::Deaf).await;
    for _ in 0..8 {
        sleep(Duration::from_secs(400)).await;
        world.restart();
    }
    check_delays(&world.requests("/a"), &[5, 300, 1_800]);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_was_cut_off_is_made_again() {
    let mut world = World::new();
    let webhook = world.active("/a").await;
    world.set("/a", Receiver::Silent);
    world.test(webhook).await;
    sleep(Duration::from_secs(3)).await;
    world.restart();
    sleep(Duration::from_secs(60)).await;
    let tests = world.requests("/a").into_iter().skip(1);
    assert_eq!(
        tests.collect::<Vec<_>>(),
        [(1, "webhook.test".to_owned()), (3_001, "webhook.test".to_owned())]
    );
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_asks_to_wait_is_left_alone() {
    let world = World::new();
    world.webhook("/a", Receiver::Answers(503, Some(1_000))).await;
    sleep(Duration::from_secs(2_200)).await;
    let delays = world.requests("/a");
    assert_eq!(
        delays.iter().map(|(at, _)| at / 1_000).collect::<Vec<_>>(),
        [0, 1_000, 2_000]
    );
}

#[tokio::test(start_paused = true)]
async fn gone_disables_and_a_test_asks_for_the_challenge_again() {
    let world = World::new();
    let webhook = world.active("/a").await;
    world.set("/a", Receiver::Answers(410, None));
    world.test(webhook).await;
    sleep(DAY).await;
    assert_eq!(world.found(webhook.1).await.status, WebhookStatus::Disabled);
    world.set("/a", Receiver::Answers(200, None));
    world.test(webhook).await;
    sleep(DAY).await;
    assert_eq!(world.found(webhook.1).await.status, WebhookStatus::Active);
    let names = world.requests("/a").into_iter().map(|(_, name)| name);
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["verification", "webhook.test", "verification", "webhook.disabled"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_webhook_gets_one_request_at_a_time() {
    let world = World::new();
    let webhook = world.active("/a").await;
    world.set("/a", Receiver::Silent);
    for _ in 0..3 {
        world.test(webhook).await;
        sleep(Duration::from_secs(5)).await;
    }
    sleep(DAY).await;
    let times = world.requests("/a").into_iter().skip(1).map(|(at, _)| at / 1_000);
    // What was requested meanwhile is the same test.
    assert_eq!(times.collect::<Vec<_>>(), [0]);
}

#[tokio::test(start_paused = true)]
async fn receivers_that_never_answer_cost_others_nothing() {
    let world = World::new();
    let webhook = world.active("/a").await;
    for number in 0..1_000 {
        world.webhook(&format!("/silent/{number}"), Receiver::Silent).await;
    }
    for _ in 0..100 {
        sleep(Duration::from_secs(3)).await;
        let begun = u64::try_from(world.receivers.begun.elapsed().as_millis()).expect("a short test");
        world.test(webhook).await;
        sleep(Duration::from_millis(10)).await;
        let last = world.requests("/a").pop();
        assert_eq!(last, Some((begun, "webhook.test".to_owned())));
    }
}

/// The measure: 400 receivers of 20 accounts hang. One that takes two seconds gets each event in time.
#[tokio::test(start_paused = true)]
async fn four_hundred_that_hang_delay_no_event_by_more_than_five_seconds() {
    let world = World::new();
    let (mut accounts, mut others) = (Vec::new(), Vec::new());
    for account in 0..20 {
        let id = world.account(&account.to_string()).await;
        accounts.push(id);
        for webhook in 0..20 {
            // More than the quota allows.
            let none = |account: &mut Account| account.webhooks = 0;
            world.app.store().update_account(id, none).await.expect("a write");
            let path = format!("/silent/{account}/{webhook}");
            world.webhook_of(id, &path, Receiver::Answers(200, None), &[]).await;
            others.push(path);
        }
    }
    let (account, _) = world.active("/slow").await;
    sleep(Duration::from_secs(1)).await;
    others.iter().for_each(|path| world.set(path, Receiver::Silent));
    world.set("/slow", Receiver::Slow(2));
    for round in 1..=10 {
        for other in &accounts {
            world.events(*other, 1).await;
        }
        let caused = u64::try_from(world.receivers.begun.elapsed().as_millis()).expect("a short test");
        world.events(account, 1).await;
        sleep(Duration::from_secs(8)).await;
        let requests = world.requests("/slow").split_off(1);
        let late = requests.last().expect("a request").0.saturating_sub(caused);
        assert_eq!((requests.len(), late <= 5_000), (round, true), "{late} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn events_are_sent_in_order_and_once() {
    let world = World::new();
    let (account, _) = world.active("/a").await;
    let (other, _) = world.active("/b").await;
    world.events(account, 3).await;
    world.events(other, 1).await;
    sleep(DAY).await;
    assert_eq!((world.sent("/a"), world.sent("/b")), (vec![1, 2, 3], vec![1]));
}

#[tokio::test(start_paused = true)]
async fn an_event_that_is_rejected_is_sent_again_and_holds_up_no_other() {
    let world = World::new();
    let (account, _) = world.active("/a").await;
    world.set("/a", Receiver::Rejects(2));
    world.events(account, 3).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(world.sent("/a"), [1, 2, 3, 2]);
    sleep(4 * DAY).await;
    assert_eq!(world.sent("/a").len(), 12, "ten attempts, and then no more");
}

#[tokio::test(start_paused = true)]
async fn events_before_a_webhook_are_not_sent_to_it_until_it_asks() {
    let world = World::new();
    let (account, _) = world.active("/a").await;
    world.events(account, 2).await;
    let id = world
        .webhook_of(account, "/second", Receiver::Answers(200, None), &[])
        .await;
    sleep(DAY).await;
    world.events(account, 1).await;
    sleep(DAY).await;
    assert_eq!((world.sent("/a"), world.sent("/second")), (vec![1, 2, 3], vec![3]));
    for (after, expected) in [(1, vec![3, 2, 3]), (9, vec![3, 2, 3])] {
        let replayed = world.app.store().replay_webhook(account, id, after).await;
        replayed.expect("a write").expect("a webhook");
        sleep(DAY).await;
        assert_eq!(world.sent("/second"), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_webhook_gets_the_kinds_that_it_wants() {
    let world = World::new();
    for (path, events, expected) in [
        (
            "/a",
            &[WebhookEvent::MessageCreated, WebhookEvent::WebhookDisabled][..],
            &[1, 2][..],
        ),
        ("/b", &[WebhookEvent::WebhookDisabled], &[]),
    ] {
        let id = world.webhook_for(path, Receiver::Answers(200, None), events).await;
        sleep(DAY).await;
        world.events(world.found(id).await.account_id, 2).await;
        sleep(DAY).await;
        assert_eq!(world.sent(path), expected, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_receiver_that_is_down_no_event_is_lost_and_few_wait() {
    let mut world = World::new();
    let (account, _) = world.active("/a").await;
    world.set("/a", Receiver::Answers(503, None));
    world.events(account, 100).await;
    for _ in 0..20 {
        sleep(Duration::from_secs(100)).await;
        world.restart();
    }
    let attempted: BTreeSet<_> = world.sent("/a").into_iter().collect();
    assert_eq!(attempted.last(), Some(&32), "later events wait in the feed");
    let before = world.sent("/a").len();
    world.set("/a", Receiver::Answers(200, None));
    sleep(2 * DAY).await;
    let mut sent = world.sent("/a").split_off(before);
    sent.sort_unstable();
    assert_eq!(sent, (1..=100).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn five_days_of_failures_disable_a_webhook_and_the_feed_says_so() {
    let world = World::new();
    let (account, id) = world.active("/a").await;
    world.set("/a", Receiver::Answers(500, None));
    for day in 0..=5 {
        assert_eq!(world.found(id).await.status, WebhookStatus::Active, "day {day}");
        world.events(account, 1).await;
        sleep(DAY).await;
    }
    assert_eq!(world.found(id).await.status, WebhookStatus::Disabled);
    let request = FeedRequest {
        after: None,
        names: names(None),
        limit: 100,
        now: world.now(),
    };
    let feed = world.app.store().events(Recipient::Account(account), request).await;
    let feed = feed.expect("an answer").expect("a page");
    let last = feed.events.last().expect("events").as_str().to_owned();
    let last: Value = serde_json::from_str(&last).expect("JSON");
    let data = serde_json::json!({ "webhook_id": id.get() });
    assert_eq!(
        (&last["name"], &last["data"]),
        (&Value::from("webhook.disabled"), &data)
    );
}
