//! Files: a photo's way from a worker to an agent, and what is rejected. `file_rights` states who may read them.

use super::*;
use conformance::{Caller, Op, Request, Response};
use contract::Clock;
use serde_json::{Value, json};
use test_support::png;

/// A market with an account, a worker and their conversation, and another worker.
struct Scene {
    market: Market,
    agent: Caller,
    worker: Caller,
    other: Caller,
    conversation: i64,
}

impl Scene {
    fn open() -> Self {
        let market = Market::open(Clock::manual(1_750_000_000));
        let (agent, worker) = (market.agent("free"), market.worker());
        let other = market.worker();
        let body = json!({ "human_id": worker.id, "message": "Could you take a photo?" });
        let made = market.send(&agent, op!(agent::create_conversation), &[], body);
        let conversation = made.data()["id"].as_i64().expect("an id");
        Self {
            market,
            agent,
            worker,
            other,
            conversation,
        }
    }

    fn upload(&self, caller: &Caller, query: &str, media_type: &str, bytes: &[u8]) -> Reply {
        self.market.upload(caller, query, (media_type, bytes))
    }

    /// The id of a new file of the worker.
    fn text(&self, text: &str) -> i64 {
        let sent = self.upload(&self.worker, "name=note.txt", "text/plain", text.as_bytes());
        sent.data()["id"].as_i64().expect("an id")
    }

    fn send(&self, content: &str, files: &[i64]) -> Reply {
        let body = json!({ "content": content, "files": files });
        self.market
            .send(&self.worker, op!(worker::create_message), &[self.conversation], body)
    }

    fn read(&self, caller: &Caller, id: i64, headers: &[(&str, &str)]) -> Response {
        let mut request = self.of_file(caller, [op!(agent::get_file), op!(worker::get_file)], id);
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        request.headers.extend(headers);
        self.market.answer(&request)
    }

    fn delete(&self, caller: &Caller, id: i64) -> u16 {
        let operations = [op!(agent::delete_file), op!(worker::delete_file)];
        self.market.answer(&self.of_file(caller, operations, id)).status
    }

    fn of_file(&self, caller: &Caller, [of_agent, of_worker]: [Op; 2], id: i64) -> Request {
        match caller.kind {
            "api_key" => of_agent.request(Some((contract::api_key::HEADER, &caller.secret)), &[id], "", None),
            _ => of_worker.request(Some((contract::worker_token::HEADER, &caller.secret)), &[id], "", None),
        }
    }
}

#[test]
fn a_photo_gets_from_a_worker_to_an_agent() {
    let scene = Scene::open();
    let sent = scene.upload(
        &scene.worker,
        "name=%E5%BA%97.png",
        "image/png",
        &png::image(b"a pixel", Some(b"place\x0035.01,135.76")),
    );
    assert_eq!(sent.status(), 201);
    let (id, bytes) = (sent.data()["id"].as_i64().expect("an id"), sent.data()["bytes"].clone());
    // Before the message the agent does not have it.
    assert_eq!(scene.read(&scene.agent, id, &[]).status, 404);
    scene.send("Here it is", &[id]).data();
    let shown = scene
        .market
        .get(&scene.agent, op!(agent::list_messages), &[scene.conversation], "");
    assert_eq!(shown.data()[0]["content"], format!("Here it is\n\nfiles/{id}"));
    let listed = scene
        .market
        .get(&scene.agent, op!(agent::list_files), &[scene.conversation], "");
    let row = &listed.data()[0];
    assert_eq!(
        (
            &row["id"],
            &row["name"],
            &row["media_type"],
            &row["sender_type"],
            &row["bytes"]
        ),
        (
            &json!(id),
            &json!("店.png"),
            &json!("image/png"),
            &json!("human"),
            &bytes
        )
    );
    let read = scene.read(&scene.agent, id, &[]);
    assert_eq!(read.status, 200);
    assert!(!read.body.windows(6).any(|some| some == b"135.76"), "its place is gone");
    assert!(read.body.windows(7).any(|some| some == b"a pixel"));
    assert_eq!(json!(read.body.len()), bytes);
    let headers = [
        ("content-type", "image/png"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("cache-control", "no-store"),
        (
            "content-disposition",
            "attachment; filename=\"_.png\"; filename*=UTF-8''%E5%BA%97.png",
        ),
    ];
    for (name, value) in headers {
        assert_eq!(read.header(name), Some(value));
    }
    // Who asks for it keeps its metadata.
    let whole = png::image(b"a pixel", Some(b"place\x0035.01,135.76"));
    let sent = scene.upload(&scene.worker, "keep_metadata=true", "image/png", &whole);
    let id = sent.data()["id"].as_i64().expect("an id");
    assert_eq!(scene.read(&scene.worker, id, &[]).body, whole);
}

#[test]
fn a_part_of_a_file_can_be_read_and_one_that_is_known_is_not_sent() {
    let scene = Scene::open();
    let id = scene.text("0123456789");
    let part = scene.read(&scene.worker, id, &[("Range", "bytes=2-4")]);
    assert_eq!((part.status, part.body.as_slice()), (206, &b"234"[..]));
    assert_eq!(part.header("content-range"), Some("bytes 2-4/10"));
    let etag = part.header("etag").expect("it has one").to_owned();
    let known = scene.read(&scene.worker, id, &[("If-None-Match", &etag)]);
    assert_eq!((known.status, known.body.len()), (304, 0));
    let other = scene.read(&scene.worker, id, &[("Range", "bytes=2-4"), ("If-Range", "\"other\"")]);
    assert_eq!((other.status, other.body.as_slice()), (200, &b"0123456789"[..]));
    // No part of it: all of it.
    assert_eq!(scene.read(&scene.worker, id, &[("Range", "bytes=10-")]).status, 200);
}

#[test]
fn a_message_takes_own_files_once() {
    let scene = Scene::open();
    let [first, second] = ["one", "two"].map(|text| scene.text(text));
    let of_agent = scene.upload(&scene.agent, "", "text/plain", b"mine");
    let of_agent = of_agent.data()["id"].as_i64().expect("an id");
    let of_other = scene.upload(&scene.other, "", "text/plain", b"other");
    let of_other = of_other.data()["id"].as_i64().expect("an id");
    for wrong in [vec![of_agent], vec![of_other], vec![first, first], vec![first, 9999]] {
        scene.send("See", &wrong).rejected(400);
    }
    // Nothing was done.
    scene.send("See", &[first]).data();
    scene.send("See", &[first, second]).rejected(400);
    scene.send("See", &[second]).data();
    // The agent's own message takes its own one.
    let body = json!({ "content": "See", "files": [of_agent] });
    let sent = scene
        .market
        .send(&scene.agent, op!(agent::create_message), &[scene.conversation], body);
    assert!(sent.data()["id"].is_i64());
    assert_eq!(scene.read(&scene.worker, of_agent, &[]).status, 200);
}

#[test]
fn a_delivery_takes_own_files_once() {
    let scene = Scene::open();
    let (market, agent, worker) = (&scene.market, &scene.agent, &scene.worker);
    let body = json!({ "title": "T", "description": "D", "budget": 1 });
    let id = |made: Reply| made.data()["id"].as_i64().expect("an id");
    let bounty = id(market.send(agent, op!(agent::create_bounty), &[], body));
    let body = json!({ "message": "I can" });
    let application = id(market.send(worker, op!(worker::create_application), &[bounty], body));
    let body = json!({ "status": "accepted" });
    let decided = market.send(agent, op!(agent::decide_application), &[bounty, application], body);
    assert_eq!(decided.status(), 200);
    let deliver = |files: &[i64]| {
        let body = json!({ "message": "Done", "files": files });
        market.send(worker, op!(worker::create_delivery), &[application], body)
    };
    let [first, second] = ["one", "two"].map(|text| scene.text(text));
    scene.send("See", &[first]).data();
    for wrong in [vec![first], vec![second, second], vec![second, 9999]] {
        deliver(&wrong).rejected(400);
    }
    assert_eq!(scene.read(agent, second, &[]).status, 404);
    deliver(&[second]).data();
    scene.send("See", &[second]).rejected(400);
    let shown = market.get(agent, op!(agent::list_deliveries), &[bounty, application], "");
    assert_eq!(shown.data()[0]["message"], format!("Done\n\nfiles/{second}"));
    assert_eq!(scene.read(agent, second, &[]).body, b"two");
    assert_eq!(scene.delete(worker, second), 409);
    for count in 2..=20 {
        let made = deliver(&[]);
        assert_eq!(made.status(), 201, "delivery {count}");
    }
    deliver(&[]).rejected(403);
}

#[test]
fn a_file_in_a_message_stays() {
    let scene = Scene::open();
    let [sent, unsent] = ["one", "two"].map(|text| scene.text(text));
    scene.send("See", &[sent]).data();
    assert_eq!(scene.delete(&scene.worker, sent), 409);
    assert_eq!(scene.delete(&scene.worker, unsent), 200);
    assert_eq!(scene.delete(&scene.worker, unsent), 404);
    assert_eq!(scene.read(&scene.agent, sent, &[]).body, b"one");
    assert_eq!(scene.read(&scene.worker, unsent, &[]).status, 404);
}

#[test]
fn a_message_with_files_has_a_bound() {
    let scene = Scene::open();
    let id = scene.text("one");
    // "\n\nfiles/1"
    let names = format!("\n\nfiles/{id}").len();
    let text = |length: usize| "あ".repeat(length);
    scene.send(&text(10_001 - names), &[id]).rejected(400);
    let unknown = scene.send(&text(10_000), &[id, i64::MAX]).rejected(400);
    assert!(unknown.contains("`files` names"), "{unknown}");
    scene.send(&text(10_000 - names), &[id]).data();
    scene.send(&text(10_000), &[]).data();
}

#[test]
fn what_is_no_image_is_rejected() {
    let scene = Scene::open();
    let whole = png::image(b"a pixel", Some(b"a\0b"));
    let wrong: [(&str, &[u8], u16); 8] = [
        ("image/png", b"text", 400),
        ("image/jpeg", &whole, 400),
        ("image/png", &whole[..whole.len() - 1], 400),
        ("image/png", b"", 400),
        ("text/plain", b"\xff\xfe", 400),
        ("application/pdf", b"PDF", 400),
        ("image/svg+xml", b"<svg/>", 415),
        ("text/html", b"<p>", 415),
    ];
    for (media_type, bytes, status) in wrong {
        let reply = scene.upload(&scene.worker, "", media_type, bytes);
        let error = reply.rejected(status);
        assert!(!error.is_empty(), "{media_type}");
    }
    for query in ["name=", "name=a%E2%80%AEb", "keep_metadata=2", "other=1"] {
        scene.upload(&scene.worker, query, "image/png", &whole).rejected(400);
    }
}

#[test]
fn a_key_of_a_file_sends_it_once() {
    let scene = Scene::open();
    let keyed = |bytes: &[u8]| {
        let header = (contract::worker_token::HEADER, scene.worker.secret.as_str());
        let mut request = op!(worker::create_file).request(Some(header), &[], "", None);
        let headers = [("Content-Type", "text/plain"), (contract::IDEMPOTENCY_KEY, "photo-1")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        request.headers.extend(headers);
        request.body = Some(bytes.to_vec());
        scene.market.answer(&request)
    };
    let (first, again, other) = (keyed(b"note"), keyed(b"note"), keyed(b"another"));
    assert_eq!((first.status, again.status, other.status), (201, 201, 422));
    assert_eq!(first.body, again.body);
    let id = |response: &Response| {
        let json: Value = serde_json::from_slice(&response.body).expect("JSON");
        json["data"]["id"].as_i64().expect("an id")
    };
    assert_eq!(scene.text("next"), id(&first) + 1);
}
