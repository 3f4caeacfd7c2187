//! Files are sent and named in messages while a server ends without warning. Each file whose upload was answered is there with all
//! its bytes, and if a message with it was answered, for both sides. No other file is ever shown in part.
//!
//! - `kills`: SIGKILL, repeated on one directory; and what interrupted uploads have left goes.
//! - `cuts`: what the kernel holds is lost.

mod cuts;
mod kills;

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use codegen_support::file::measure;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use test_support::http::{Answer, Connection};
use test_support::people::{Caller, People};
use test_support::png;
use test_support::process::{Service, program};

/// Clients of each side.
const CLIENTS: u64 = 3;

/// How many ids an upload without an answer may have taken.
const UNANSWERED: i64 = 2 * CLIENTS as i64;

/// Both sides of a conversation, who send files.
struct Pair {
    people: People,
    conversation: i64,
}

/// What a pair has sent.
#[derive(Clone, Default)]
struct Load {
    files: Vec<Sent>,
    /// The digests of all contents that were begun to be sent.
    begun: HashSet<String>,
    /// Clients whose last request was not answered.
    unanswered: usize,
}

/// A file whose upload was answered.
#[derive(Clone)]
struct Sent {
    id: i64,
    digest: String,
    by_agent: bool,
    /// The id of the request.
    upload: String,
    message: Message,
}

/// The message that names a file.
#[derive(Clone, PartialEq)]
enum Message {
    NotSent,
    Unanswered,
    /// It was answered, with this id of its request.
    Answered(String),
}

/// What a client sends, and the digest of what is stored of it.
struct Content {
    media_type: &'static str,
    bytes: Vec<u8>,
    digest: String,
}

impl Content {
    /// A text, or an image whose metadata are removed. It says its name, and differs from any other.
    fn draw(name: &str, dice: &mut StdRng) -> Self {
        let length = [40, 3_000, 70_000, 400_000][dice.random_range(0..4)];
        let mut text = format!("{name} {length}\n");
        while text.len() < length {
            text += &format!("{name} at {}\n", text.len());
        }
        text.truncate(length);
        if dice.random_ratio(1, 3) {
            let (picture, place) = (text.as_bytes(), Some(&b"place\x0035.01"[..]));
            let digest = digest(&png::image(picture, None));
            return Self {
                media_type: "image/png",
                bytes: png::image(picture, place),
                digest,
            };
        }
        Self {
            media_type: "text/plain",
            digest: digest(text.as_bytes()),
            bytes: text.into_bytes(),
        }
    }
}

fn digest(mut bytes: &[u8]) -> String {
    measure(&mut bytes).expect("it is in memory").1.to_hex()
}

impl Pair {
    fn enter(service: &Service) -> Self {
        let people = People::enter(service, Caller::operator_of(service));
        let begin = json!({ "human_id": people.human, "message": "Photos?" });
        let conversation = people.agent.post("/conversations", begin).id();
        Self { people, conversation }
    }

    /// Lets all clients send files, this many each or until there is no answer, while something is done.
    fn send(&self, service: &Service, name: &str, each: usize, dice: &mut StdRng, meanwhile: impl FnOnce()) -> Load {
        let load = Mutex::new(Load::default());
        thread::scope(|scope| {
            for number in 0..2 * CLIENTS {
                let by_agent = number % 2 == 0;
                let client = Client {
                    caller: if by_agent {
                        &self.people.agent
                    } else {
                        &self.people.worker
                    },
                    by_agent,
                    conversation: self.conversation,
                    name: format!("{name}-{number}"),
                };
                let (dice, load) = (StdRng::seed_from_u64(dice.random()), &load);
                scope.spawn(move || {
                    let connection = Connection::to(service.address).ok();
                    if connection.is_some_and(|connection| !client.send(connection, each, dice, load)) {
                        load.lock().expect("no client panics").unanswered += 1;
                    }
                });
            }
            meanwhile();
        });
        load.into_inner().expect("no client panics")
    }

    /// Reads all files of a load as both sides, and each other id of these.
    fn look(&self, service: &Service, load: &Load, ids: impl IntoIterator<Item = i64>) -> Seen {
        let people = self.people.at(service);
        let sides = [&people.agent, &people.worker];
        let mut seen = Seen::default();
        for sent in &load.files {
            let [sender, other] = if sent.by_agent { sides } else { [sides[1], sides[0]] };
            let read = |caller: &Caller| caller.get(&format!("/files/{}", sent.id));
            let [own, others] = [read(sender), read(other)];
            seen.expect(is_whole(&own, &sent.digest), "is lost", sent.id, &own);
            let is_right = match sent.message {
                Message::NotSent => is_absent(&others),
                Message::Unanswered => is_absent(&others) || is_whole(&others, &sent.digest),
                Message::Answered(_) => is_whole(&others, &sent.digest),
            };
            seen.expect(
                is_right,
                "is lost in its message, or shown without one",
                sent.id,
                &others,
            );
        }
        self.look_at_list(&people, load, &mut seen);
        for id in ids
            .into_iter()
            .filter(|id| load.files.iter().all(|sent| sent.id != *id))
        {
            for answer in sides.map(|side| side.get(&format!("/files/{id}"))) {
                let is_stored = load.begun.contains(&digest(answer.body()));
                seen.unanswered += usize::from(is_stored);
                seen.expect(is_absent(&answer) || is_stored, "is shown in part", id, &answer);
            }
        }
        seen
    }

    /// The list has the files of all answered messages. A page shows 100.
    fn look_at_list(&self, people: &People, load: &Load, seen: &mut Seen) {
        let path = format!("/conversations/{}/files?limit=100", self.conversation);
        let answer = people.agent.get(&path);
        let rows = answer.data().as_array().cloned().unwrap_or_default();
        let listed: HashSet<Option<i64>> = rows.iter().map(|row| row["id"].as_i64()).collect();
        let named = load
            .files
            .iter()
            .filter(|sent| matches!(sent.message, Message::Answered(_)));
        for sent in named.filter(|_| listed.len() < 100) {
            seen.expect(listed.contains(&Some(sent.id)), "is not listed", sent.id, &answer);
        }
    }
}

/// One of the clients of a pair.
struct Client<'p> {
    caller: &'p Caller,
    by_agent: bool,
    conversation: i64,
    name: String,
}

impl Client<'_> {
    /// Sends files, and names most of them in messages. Returns whether all was answered.
    fn send(&self, mut connection: Connection, most: usize, mut dice: StdRng, load: &Mutex<Load>) -> bool {
        let load = || load.lock().expect("no client panics");
        for number in 0..most {
            let content = Content::draw(&format!("{}-{number}", self.name), &mut dice);
            load().begun.insert(content.digest.clone());
            let file = (content.media_type, content.bytes.as_slice());
            let Ok(answer) = self.caller.upload_over(&mut connection, file) else {
                return false;
            };
            let mut sent = Sent {
                id: succeeded(&answer)["id"].as_i64().expect("an id"),
                digest: content.digest,
                by_agent: self.by_agent,
                upload: request_of(&answer),
                message: Message::NotSent,
            };
            if dice.random_ratio(1, 4) {
                load().files.push(sent);
                continue;
            }
            let path = format!("/conversations/{}/messages", self.conversation);
            let message = json!({ "content": "Here it is", "files": [sent.id] });
            let answer = self.caller.over(&mut connection, "POST", &path, Some(&message));
            sent.message = match &answer {
                Ok(answer) => Message::Answered(request_of(answer)),
                Err(_) => Message::Unanswered,
            };
            load().files.push(sent);
            match answer {
                Ok(answer) => drop(succeeded(&answer)),
                Err(_) => return false,
            }
        }
        true
    }
}

#[track_caller]
fn succeeded(answer: &Answer) -> Value {
    assert!(answer.status < 300, "{}", answer.text());
    answer.data()
}

/// The id of the request.
fn request_of(answer: &Answer) -> String {
    answer.header("x-request-id").expect("a request id").to_owned()
}

fn is_whole(answer: &Answer, wanted: &str) -> bool {
    answer.status == 200 && digest(answer.body()) == wanted
}

/// Whether there is no record. A record without its content has another code.
fn is_absent(answer: &Answer) -> bool {
    answer.status == 404 && answer.header("x-error-code") == Some("absent")
}

/// What both sides see of files.
#[derive(Default)]
struct Seen {
    /// Files without an answer that are stored, for each side.
    unanswered: usize,
    wrong: Vec<String>,
}

impl Seen {
    fn expect(&mut self, is_right: bool, what: &str, id: i64, answer: &Answer) {
        if !is_right {
            let (status, code) = (answer.status, answer.header("x-error-code"));
            self.wrong.push(format!("file {id} {what}: {status} {code:?}"));
        }
    }
}

/// What `hitode check` says of a directory: each record has its content, with its digest.
fn checked(data: &Path) -> Result<Value, String> {
    let checked = Command::new(program())
        .args(["check", "--json", "--data"])
        .arg(data)
        .output();
    let checked = checked.expect("it runs");
    let text = String::from_utf8_lossy(&checked.stdout);
    match checked.status.code() {
        Some(0) => Ok(serde_json::from_str(&text).expect("JSON")),
        code => Err(format!("check ends with {code:?}: {text}")),
    }
}
