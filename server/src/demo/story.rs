//! What happens in the demo, in its order, and how much time passes in between.

use std::io::Write;
use std::time::Duration;

use contract::{Clock, Timestamp, agent, api_key, operator, operator_token, worker, worker_token};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Demo;
use super::client::{Client, Credential, Operation};
use super::dice::Dice;
use super::error::DemoError;
use super::talks::{Line, TALKS, Talk};
use super::tasks::{self, Pitch, Poster, Task};
use super::workers::{Crowd, Part, Worker};

/// Any number would do: each makes other people.
const SEED: u64 = 447;

/// How many workers are entered at once.
const BATCH: usize = 250;
/// From so many workers on, whoever waits is told how far it is.
const MANY: usize = 10_000;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// The names of the two accounts.
const VERIFIED: &str = "Kawasemi Field Agent";
const FREE: &str = "Lantern Guest House Bot";

/// Names of an operation's method and path.
macro_rules! operation {
    ($($module:ident)::+) => {
        Operation { method: $($module)::+::METHOD, path: $($module)::+::PATH }
    };
}

struct Story {
    client: Client,
    clock: Clock,
    /// The present, from which deadlines count.
    today: Timestamp,
    dice: Dice,
    operator: Credential,
    verified: Credential,
    free: Credential,
    /// The first of the workers with their ids and, once they have done something, their tokens.
    workers: Vec<(i64, Worker, Option<Credential>)>,
    /// The bounty posted last.
    last_bounty: i64,
}

/// Tells it to the end, with so many workers. `clock` begins some days before `today`.
pub(super) async fn tell(
    client: Client,
    clock: Clock,
    today: Timestamp,
    operator: String,
    number: usize,
) -> Result<Demo, DemoError> {
    let operator = Credential {
        header: operator_token::HEADER,
        secret: operator,
    };
    let verified = account(&client, &operator, VERIFIED, "verified").await?;
    let free = account(&client, &operator, FREE, "free").await?;
    let workers = enter_workers(&client, &operator, number).await?;
    let mut story = Story {
        client,
        clock,
        today,
        dice: Dice::new(SEED),
        operator,
        verified,
        free,
        workers,
        last_bounty: 0,
    };
    for task in tasks::all() {
        story.post(task).await?;
    }
    for talk in &TALKS {
        story.talk(talk).await?;
    }
    story.end(number)
}

async fn account(client: &Client, operator: &Credential, name: &str, plan: &str) -> Result<Credential, DemoError> {
    let body = json!({ "name": name, "plan": plan });
    let made = client
        .call(operator, operation!(operator::create_account), &[], &body)
        .await?;
    Ok(Credential {
        header: api_key::HEADER,
        secret: text(&made["key"]),
    })
}

/// Enters all workers, and gives the first ones, among whom there is somebody for every part.
async fn enter_workers(
    client: &Client,
    operator: &Credential,
    number: usize,
) -> Result<Vec<(i64, Worker, Option<Credential>)>, DemoError> {
    let mut crowd = Crowd::of(number, &parts(), SEED);
    let mut first = Vec::new();
    let mut entered = 0;
    while entered < number {
        let humans: Vec<Worker> = crowd.by_ref().take(BATCH).collect();
        let body = Import { humans: &humans };
        let made = client
            .call(operator, operation!(operator::import_humans), &[], &body)
            .await?;
        tell_progress(entered, entered + humans.len(), number);
        entered += humans.len();
        if first.is_empty() {
            let ids = made["ids"].as_array().into_iter().flatten().map(number_in);
            first = ids.zip(humans).map(|(id, worker)| (id, worker, None)).collect();
        }
    }
    Ok(first)
}

#[derive(Serialize)]
struct Import<'a> {
    humans: &'a [Worker],
}

/// One line for each tenth of many; standard error may be closed.
fn tell_progress(before: usize, now: usize, all: usize) {
    if all >= MANY && before * 10 / all < now * 10 / all {
        let _ = writeln!(std::io::stderr(), "demo: {now} of {all} workers are entered");
    }
}

/// Everybody who appears in a bounty's applications or in a conversation.
fn parts() -> Vec<Part> {
    let pitches = tasks::all().into_iter().flat_map(|task| task.applications);
    let pitches = pitches.map(|pitch| (pitch.skill, pitch.prefecture));
    let talks = TALKS.iter().map(|talk| (talk.skill, talk.prefecture));
    let mut parts = Vec::new();
    for (skill, prefecture) in pitches.chain(talks) {
        let part = Part { skill, prefecture };
        if !skill.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

impl Story {
    fn poster(&self, poster: Poster) -> Credential {
        match poster {
            Poster::Verified => self.verified.clone(),
            Poster::Free => self.free.clone(),
        }
    }

    fn wait(&mut self, unit: Duration, at_least: usize, at_most: usize) {
        let units = self.dice.between(at_least, at_most);
        self.clock.advance(unit * u32::try_from(units).expect("a few"));
    }

    /// Posts a bounty, then come the applications to it and their fate.
    async fn post(&mut self, task: &Task) -> Result<(), DemoError> {
        self.wait(HOUR, 3, 12);
        let poster = self.poster(task.poster);
        let body = self.body(task);
        let posted = self
            .client
            .call(&poster, operation!(agent::create_bounty), &[], &body)
            .await?;
        let bounty = number_in(&posted["id"]);
        self.last_bounty = bounty;
        let mut applicants = Vec::new();
        for pitch in task.applications {
            self.wait(MINUTE, 7, 170);
            let applicant = self.somebody(pitch.skill, pitch.prefecture, &applicants);
            applicants.push(applicant);
            self.apply(&poster, bounty, applicant, pitch).await?;
        }
        Ok(())
    }

    fn body(&self, task: &Task) -> Value {
        let mut body = json!(task);
        if let Some(days) = task.due_days {
            let due = Timestamp::from_unix(self.today.unix() + days * SECONDS_A_DAY).to_string();
            body["deadline"] = json!(due.split('T').next());
        }
        body
    }

    async fn apply(
        &mut self,
        poster: &Credential,
        bounty: i64,
        applicant: usize,
        pitch: &Pitch,
    ) -> Result<(), DemoError> {
        let token = self.token(applicant).await?;
        let body = json!({ "message": pitch.message });
        let sent = self
            .client
            .call(&token, operation!(worker::create_application), &[bounty], &body)
            .await?;
        if let Some(decision) = pitch.decision {
            self.wait(MINUTE, 20, 90);
            let ids = [bounty, number_in(&sent["id"])];
            let body = json!({ "status": decision });
            self.client
                .call(poster, operation!(agent::decide_application), &ids, &body)
                .await?;
        }
        Ok(())
    }

    async fn talk(&mut self, talk: &Talk) -> Result<(), DemoError> {
        self.wait(HOUR, 2, 9);
        let poster = self.poster(talk.poster);
        let partner = self.somebody(talk.skill, talk.prefecture, &[]);
        let token = self.token(partner).await?;
        let mut conversation = None;
        for line in talk.lines {
            self.wait(MINUTE, 2, 75);
            match (line, conversation) {
                (Line::Agent(text), None) => {
                    let body = json!({ "human_id": self.workers[partner].0, "message": text });
                    let begun = self
                        .client
                        .call(&poster, operation!(agent::create_conversation), &[], &body)
                        .await?;
                    conversation = Some(number_in(&begun["id"]));
                }
                (Line::Agent(text), Some(id)) => {
                    let body = json!({ "content": text });
                    self.client
                        .call(&poster, operation!(agent::create_message), &[id], &body)
                        .await?;
                }
                (Line::Worker(text), id) => {
                    let body = json!({ "content": text });
                    let id = id.unwrap_or_default();
                    self.client
                        .call(&token, operation!(worker::create_message), &[id], &body)
                        .await?;
                }
            }
        }
        Ok(())
    }

    fn somebody(&self, skill: &str, prefecture: &str, but_none_of: &[usize]) -> usize {
        let workers = self.workers.iter().map(|(_, worker, _)| worker);
        find(workers, skill, prefecture, but_none_of).unwrap_or_default()
    }

    /// The worker's token, made when it is first needed.
    async fn token(&mut self, place: usize) -> Result<Credential, DemoError> {
        let (id, _, token) = &mut self.workers[place];
        if let Some(token) = token {
            return Ok(token.clone());
        }
        let made = self
            .client
            .call(
                &self.operator,
                operation!(operator::create_human_token),
                &[*id],
                &Map::new(),
            )
            .await?;
        let made = Credential {
            header: worker_token::HEADER,
            secret: text(&made["token"]),
        };
        *token = Some(made.clone());
        Ok(made)
    }

    fn end(self, workers: usize) -> Result<Demo, DemoError> {
        let partner = self.somebody(TALKS[0].skill, TALKS[0].prefecture, &[]);
        let (_, worker, token) = &self.workers[partner];
        Ok(Demo {
            key: self.verified.secret,
            worker: worker.name.clone(),
            worker_token: token.as_ref().map(|token| token.secret.clone()).unwrap_or_default(),
            workers,
            bounties: tasks::all().len(),
            last_bounty: self.last_bounty,
        })
    }
}

/// The first of the workers who live in the prefecture and have the skill: best as the main one, or else near it.
fn find<'w>(
    workers: impl Iterator<Item = &'w Worker> + Clone,
    skill: &str,
    prefecture: &str,
    but_none_of: &[usize],
) -> Option<usize> {
    let able = |(place, worker): &(usize, &Worker)| {
        !but_none_of.contains(place) && worker.lives_in(prefecture) && worker.has(skill)
    };
    let mut able = workers.enumerate().filter(able);
    let main = able.clone().find(|(_, worker)| worker.has_as_main(skill));
    let near = || able.clone().find(|(_, worker)| worker.works_near(skill));
    main.or_else(near).or_else(|| able.next()).map(|(place, _)| place)
}

fn number_in(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use contract::Decision;

    use super::*;

    #[test]
    fn there_is_somebody_who_does_it_first_of_all_for_every_part() {
        for number in [100, 101, 330, 331, 700] {
            let workers: Vec<_> = Crowd::of(number, &parts(), SEED).take(BATCH).collect();
            for task in tasks::all() {
                let mut taken = Vec::new();
                for pitch in task.applications {
                    let found = find(workers.iter(), pitch.skill, pitch.prefecture, &taken);
                    taken.push(found.unwrap_or_else(|| panic!("nobody for {pitch:?}")));
                }
            }
            for part in parts() {
                let plays = |worker: &Worker| worker.lives_in(part.prefecture) && worker.has_as_main(part.skill);
                assert!(workers.iter().any(plays), "nobody for {part:?} among {number}");
            }
        }
    }

    #[test]
    fn both_accounts_post_and_write_and_are_written_to() {
        for poster in [Poster::Verified, Poster::Free] {
            assert!(tasks::all().iter().filter(|task| task.poster == poster).count() > 3);
            let talks = || TALKS.iter().filter(|talk| talk.poster == poster);
            assert!(talks().count() > 1);
            assert!(talks().all(|talk| matches!(talk.lines[0], Line::Agent(_))));
            assert!(talks().all(|talk| talk.lines.iter().any(|line| matches!(line, Line::Worker(_)))));
        }
        let pitches = || tasks::all().into_iter().flat_map(|task| task.applications);
        for decision in [Some(Decision::Accepted), Some(Decision::Rejected), None] {
            assert!(pitches().any(|pitch| pitch.decision == decision), "{decision:?}");
        }
    }
}
