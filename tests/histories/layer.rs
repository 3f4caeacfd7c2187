//! A layer before a server that gives it a defect, which no answer shows alone.

use conformance::{Request, Response};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Mutex;

/// A defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defect {
    StaleName,
    StuckCount,
    WrongSender,
    ExactSearch,
    UsedId,
    HoursOff,
    CutPage,
    DeletedKeyCounts,
    PatchOfMore,
    FrozenTotal,
    DeletedKeyWorks,
    ReversedTies,
    LostUpdate,
}

pub(super) const DEFECTS: [Defect; 13] = [
    Defect::StaleName,
    Defect::StuckCount,
    Defect::WrongSender,
    Defect::ExactSearch,
    Defect::UsedId,
    Defect::HoursOff,
    Defect::CutPage,
    Defect::DeletedKeyCounts,
    Defect::PatchOfMore,
    Defect::FrozenTotal,
    Defect::DeletedKeyWorks,
    Defect::ReversedTies,
    Defect::LostUpdate,
];

/// A server with a defect.
pub(super) struct Layer<'s> {
    pub(super) defect: Defect,
    pub(super) server: &'s (dyn Fn(&Request) -> Result<Response, String> + Sync),
    pub(super) memory: Mutex<Memory>,
}

/// What the layer has seen.
#[derive(Default)]
pub(super) struct Memory {
    /// The first value of a member, by kind and id.
    first: HashMap<(&'static str, i64), Value>,
    /// The account of a key, by its secret.
    accounts: HashMap<String, i64>,
    /// The secret of a key, by its id.
    secrets: HashMap<i64, String>,
    deleted: Vec<String>,
    totals: HashMap<String, Value>,
}

impl Layer<'_> {
    pub(super) fn send(&self, request: &Request) -> Result<Response, String> {
        let mut memory = self.memory.lock().expect("no test panics in here");
        let mut request = request.clone();
        let key = request.headers.iter().position(|(name, _)| name == "X-API-Key");
        if self.defect == Defect::DeletedKeyWorks
            && let Some(place) = key
            && memory.deleted.contains(&request.headers[place].1)
        {
            let account = memory.accounts.get(&request.headers[place].1);
            let is_other = |(secret, of): &(&String, &i64)| Some(*of) == account && !memory.deleted.contains(secret);
            if let Some((living, _)) = memory.accounts.iter().find(is_other) {
                request.headers[place].1.clone_from(living);
            }
        }
        let path = request.target.split('?').next().unwrap_or_default().to_owned();
        let caller = key.map(|place| request.headers[place].1.clone());
        let account = caller.and_then(|secret| memory.accounts.get(&secret).copied());
        if self.defect == Defect::DeletedKeyCounts
            && (request.method.as_str(), path.as_str()) == ("POST", "/api/v1/keys")
            && account.is_some_and(|account| memory.first.contains_key(&("deleted", account)))
        {
            let response = (self.server)(&request)?;
            if response.status < 300 {
                let body = json!({"success": false, "error": "at most 3 active API keys are allowed"});
                return Ok(Response {
                    status: 403,
                    headers: response
                        .headers
                        .into_iter()
                        .filter(|(name, _)| name != "cache-control")
                        .collect(),
                    body: body.to_string().into_bytes(),
                });
            }
            return Ok(response);
        }
        let response = (self.server)(&request)?;
        let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) else {
            return Ok(response);
        };
        if response.status < 300 {
            self.note(&mut memory, &request, &path, account, &body);
            self.spoil(&mut memory, &request, &path, &mut body)?;
        }
        let body = body.to_string().into_bytes();
        Ok(Response { body, ..response })
    }

    fn note(&self, memory: &mut Memory, request: &Request, path: &str, account: Option<i64>, body: &Value) {
        let data = &body["data"];
        let owner = path
            .strip_prefix("/operator/v1/accounts/")
            .and_then(|rest| rest.split('/').next()?.parse().ok());
        let (id, owner) = match data["key_id"].as_i64() {
            Some(id) => (Some(id), data["id"].as_i64()),
            None => (data["id"].as_i64(), owner.or(account)),
        };
        if let (Some(id), Some(owner), Some(secret)) = (id, owner, data["key"].as_str()) {
            memory.accounts.insert(secret.to_owned(), owner);
            memory.secrets.insert(id, secret.to_owned());
        }
        let deleted = path.strip_prefix("/api/v1/keys/").and_then(|id| id.parse::<i64>().ok());
        if let (Some(id), "DELETE") = (deleted, request.method.as_str()) {
            memory.deleted.extend(memory.secrets.get(&id).cloned());
            memory
                .first
                .extend(account.map(|account| (("deleted", account), Value::Null)));
        }
    }

    fn spoil(&self, memory: &mut Memory, request: &Request, path: &str, body: &mut Value) -> Result<(), String> {
        let is_get = request.method == "GET";
        match self.defect {
            Defect::StaleName => each(body, &mut |row| memory.freeze(row, "poster_name")),
            Defect::StuckCount => each(body, &mut |row| memory.freeze(row, "applications_count")),
            Defect::WrongSender => each(body, &mut |row| {
                if row["sender_type"] == "human" {
                    row["sender_type"] = json!("agent");
                }
            }),
            Defect::HoursOff => each(body, &mut |row| {
                if let Some(text) = row["created_at"].as_str() {
                    let hour = (text[11..13].parse::<u32>().unwrap_or(0) + 9) % 24;
                    row["created_at"] = json!(format!("{}{hour:02}{}", &text[..11], &text[13..]));
                }
            }),
            Defect::ExactSearch if path == "/api/v1/humans" => {
                let skill = request
                    .target
                    .split(['?', '&'])
                    .find_map(|pair| pair.strip_prefix("skill="));
                if let (Some(skill), Some(rows)) = (skill, body["data"].as_array_mut()) {
                    let before = rows.len();
                    let has = |row: &Value| {
                        row["skills"]
                            .as_array()
                            .is_some_and(|all| all.iter().any(|one| encoded(one) == skill))
                    };
                    rows.retain(has);
                    let left_out = (before - rows.len()) as u64;
                    body["total"] = json!(body["total"].as_u64().unwrap_or(0) - left_out);
                }
            }
            Defect::UsedId
                if body["data"]["message_id"].is_null()
                    && body["data"]["id"].is_i64()
                    && path.ends_with("/messages") =>
            {
                let id = body["data"]["id"].as_i64().unwrap_or(1);
                body["data"]["id"] = json!((id - id % 3).max(1));
            }
            Defect::CutPage if is_get => {
                if let Some(rows) = body["data"].as_array_mut() {
                    rows.truncate(19);
                }
            }
            Defect::PatchOfMore if request.method == "PATCH" && path.starts_with("/operator/v1/humans/") => {
                let more = Request {
                    body: Some(br#"{"is_available":false}"#.to_vec()),
                    ..request.clone()
                };
                (self.server)(&more)?;
            }
            Defect::FrozenTotal if path == "/worker/v1/applications" && !body["total"].is_null() => {
                let caller = format!("{:?}", request.headers);
                body["total"] = memory.totals.entry(caller).or_insert(body["total"].clone()).clone();
            }
            Defect::ReversedTies if path == "/api/v1/humans" => {
                if let Some(rows) = body["data"].as_array_mut() {
                    rows.sort_by(|a, b| {
                        let [a, b] = [a, b].map(|row| (row["rating"].as_f64(), row["id"].as_i64()));
                        b.0.partial_cmp(&a.0).expect("ratings are numbers").then(b.1.cmp(&a.1))
                    });
                }
            }
            // The second change of a worker within a burst or right after another one is lost: it is answered and not made.
            Defect::LostUpdate if request.method == "PATCH" && path == "/worker/v1/me" => {
                each(body, &mut |_| ());
                let former = memory.totals.insert("last".to_owned(), json!(request.body));
                if let Some(Ok(former)) = former.map(serde_json::from_value::<Vec<u8>>) {
                    let again = Request {
                        body: Some(former),
                        ..request.clone()
                    };
                    (self.server)(&again)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Memory {
    /// The member keeps its first value.
    fn freeze(&mut self, row: &mut Value, name: &'static str) {
        if let (Some(id), true) = (
            row["id"].as_i64(),
            row.get(name).is_some() && row.get("budget").is_some(),
        ) {
            row[name] = self.first.entry((name, id)).or_insert(row[name].clone()).clone();
        }
    }
}

/// Does something to each object with members.
fn each(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        Value::Object(_) => {
            change(value);
            value
                .as_object_mut()
                .into_iter()
                .flatten()
                .for_each(|(_, member)| each(member, change));
        }
        _ => {}
    }
}

/// A text as in a query.
fn encoded(text: &Value) -> String {
    let bytes = text.as_str().unwrap_or_default().bytes();
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    bytes.map(byte).collect()
}
