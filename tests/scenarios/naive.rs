//! Workers and what a search over them must find, as plainly as it can be said.

use caseless::Caseless;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

/// Ways to write some prefectures; each row is one.
pub(super) const PREFECTURES: [&[&str]; 5] = [
    &["東京都", "東京", "Tokyo", "Tokyo-to", "ＴＯＫＹＯ", "tokyo"],
    &["大阪府", "大阪", "Osaka", "Osaka-fu", "ＯＳＡＫＡ"],
    &["京都府", "京都", "Kyoto", "Kyoto-fu", "KYOTO"],
    &["北海道", "Hokkaido", "hokkaido", "ＨＯＫＫＡＩＤＯ"],
    &["島根県", "島根", "Shimane", "Shimane-ken"],
];

/// States that are no prefectures, each row one.
pub(super) const OTHERS: [&[&str]; 3] = [
    &["Bayern", "BAYERN", "Ｂayern"],
    &["Groß Straße", "GROSS STRASSE"],
    &["Éire", "E\u{301}ire"],
];

/// Skills, each row one.
pub(super) const SKILLS: [&[&str]; 6] = [
    &["Cooking", "COOKING", "ｃｏｏｋｉｎｇ"],
    &["カタカナ", "ｶﾀｶﾅ"],
    &["Dog walking", "dog  WALKING", "Dog\u{3000}walking"],
    &["Straßenbau", "STRASSENBAU"],
    &["Cookin", "cookin"],
    &["①", "1"],
];

/// NFKC, case folded, NFKC.
pub(super) fn folded(text: &str) -> String {
    text.nfkc().default_case_fold().nfkc().collect()
}

/// The name under which a state is the same as its other names.
fn place(state: &str) -> String {
    let state = folded(state);
    let known = PREFECTURES
        .iter()
        .find(|names| names.iter().any(|name| folded(name) == state));
    known.map_or(state, |names| folded(names[0]))
}

/// A worker as it was entered.
pub(super) struct Worker {
    id: i64,
    entered: Value,
    skills: Vec<String>,
    state: String,
    rate: f64,
    rating: f64,
}

impl Worker {
    pub(super) fn new(id: i64, entered: Value) -> Self {
        let skills = entered["skills"].as_array().expect("a list");
        let skills = skills.iter().map(|skill| folded(text(&skill["name"]))).collect();
        let state = place(text(&entered["state"]));
        let rate = entered["hourly_rate"].as_f64().expect("a number");
        let rating = entered["rating"].as_f64().unwrap_or(0.0);
        Self {
            id,
            entered,
            skills,
            state,
            rate,
            rating,
        }
    }
}

/// A search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) skill: Option<String>,
    pub(super) state: Option<String>,
    pub(super) gender: Option<&'static str>,
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
}

impl Search {
    /// The rows that it must give, all of them, in order.
    pub(super) fn rows(&self, workers: &[Worker]) -> Vec<Value> {
        let skill = self.skill.as_deref().map(folded);
        let state = self.state.as_deref().map(place);
        let finds = |worker: &&Worker| {
            skill.as_ref().is_none_or(|skill| worker.skills.contains(skill))
                && state.as_ref().is_none_or(|state| worker.state == *state)
                && self.gender.is_none_or(|gender| worker.entered["gender"] == gender)
                && self.least.is_none_or(|least| worker.rate >= least)
                && self.most.is_none_or(|most| worker.rate <= most)
        };
        let mut found: Vec<&Worker> = workers.iter().filter(finds).collect();
        found.sort_by(|a, b| b.rating.total_cmp(&a.rating).then(a.id.cmp(&b.id)));
        found.into_iter().map(row).collect()
    }

    /// The query, values percent-encoded.
    pub(super) fn query(&self) -> String {
        let parts = [
            self.skill.as_ref().map(|skill| format!("skill={}", encoded(skill))),
            self.state.as_ref().map(|state| format!("state={}", encoded(state))),
            self.gender.map(|gender| format!("gender={gender}")),
            self.least.map(|least| format!("minRate={least}")),
            self.most.map(|most| format!("maxRate={most}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("&")
    }
}

fn row(worker: &Worker) -> Value {
    let entered = &worker.entered;
    let names: Vec<&Value> = entered["skills"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|skill| &skill["name"])
        .collect();
    json!({
        "id": worker.id, "name": entered["name"], "headline": entered["headline"], "city": entered["city"],
        "state": entered["state"], "hourly_rate": entered["hourly_rate"],
        "rating": entered.get("rating").unwrap_or(&json!(0)), "is_verified": false, "skills": names,
    })
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
