//! The search over workers, at 10,000 of them, against the naive model.

use super::naive::{OTHERS, PREFECTURES, SKILLS, Search, Worker};
use super::*;
use crate::world::human;
use serde_json::{Value, json};

const RATES: [f64; 8] = [0.0, 1.0, 49.99, 50.0, 50.01, 999.5, 1000.0, 100_000.0];

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn sometimes<T>(&mut self, one_in: usize, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(one_in) == 0).then(|| make(self))
    }

    fn state(&mut self) -> &'static str {
        let known: Vec<&[&str]> = PREFECTURES.into_iter().chain(OTHERS).collect();
        let names = self.of(&known);
        self.of(names)
    }

    fn worker(&mut self) -> Value {
        let first = self.below(SKILLS.len());
        let skills: Vec<Value> = (0..self.below(3))
            .map(|n| json!({ "name": self.of(SKILLS[(first + n) % SKILLS.len()]), "category": "Any" }))
            .collect();
        let mut worker = human(json!({
            "state": self.state(), "gender": self.of(&["male", "female", "other"]),
            "hourly_rate": number(self.of(&RATES)), "skills": skills,
        }));
        if let Some(rating) = self.sometimes(2, |dice| dice.below(501)) {
            worker["rating"] = number(f64::from(u32::try_from(rating).unwrap_or(0)) / 100.0);
        }
        worker
    }

    fn search(&mut self) -> Search {
        Search {
            skill: self.sometimes(2, |dice| {
                let names = dice.of(&SKILLS);
                dice.of(names).to_owned()
            }),
            state: self.sometimes(2, |dice| dice.state().to_owned()),
            gender: self.sometimes(2, |dice| dice.of(&["male", "female", "other"])),
            least: self.sometimes(3, |dice| dice.of(&RATES[..5])),
            most: self.sometimes(3, |dice| dice.of(&RATES[4..])),
        }
    }
}

/// A whole number as an integer, as the service writes it.
fn number(value: f64) -> Value {
    serde_json::from_str(&value.to_string()).expect("a number")
}

fn fill(market: &Market, dice: &mut Dice) -> Vec<Worker> {
    let mut workers = Vec::new();
    for _ in 0..10 {
        let humans: Vec<Value> = (0..1000).map(|_| dice.worker()).collect();
        let ids = market.import(&humans);
        workers.extend(
            ids.into_iter()
                .zip(humans)
                .map(|(id, entered)| Worker::new(id, entered)),
        );
    }
    workers
}

#[track_caller]
fn check(market: &Market, agent: &Caller, workers: &[Worker], search: &Search, limit: usize, offset: usize) {
    let wanted = search.rows(workers);
    let query = format!("{}&limit={limit}&offset={offset}", search.query());
    let reply = market.get(agent, op!(agent::list_humans), &[], &query);
    let page: Vec<Value> = wanted.iter().skip(offset).take(limit).cloned().collect();
    assert_eq!(reply.data(), Value::from(page), "{search:?} {query}");
    let told = reply.json();
    assert_eq!(
        [&told["total"], &told["limit"], &told["offset"]].map(Value::as_u64),
        [wanted.len(), limit, offset].map(|n| Some(n as u64))
    );
}

#[test]
fn a_search_finds_exactly_what_the_naive_model_finds() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let mut dice = Dice(47);
    let workers = fill(&market, &mut dice);
    check(&market, &agent, &workers, &Search::default(), 100, 0);
    check(&market, &agent, &workers, &Search::default(), 100, 9_950);
    check(&market, &agent, &workers, &Search::default(), 1, 10_000);
    for _ in 0..150 {
        let search = dice.search();
        let (limit, offset) = (1 + dice.below(100), dice.of(&[0, 0, 1, 20, 100, 1500]));
        check(&market, &agent, &workers, &search, limit, offset);
    }
    for names in PREFECTURES.into_iter().chain(OTHERS) {
        for name in names {
            check(
                &market,
                &agent,
                &workers,
                &Search {
                    state: Some((*name).to_owned()),
                    ..Search::default()
                },
                20,
                0,
            );
        }
    }
    let walked: Vec<Value> = every(&market, &agent, op!(agent::list_humans), "gender=female");
    let search = Search {
        gender: Some("female"),
        ..Search::default()
    };
    assert_eq!(walked, search.rows(&workers), "the pages together are the whole");
}

#[test]
fn a_change_of_a_worker_is_found_at_once() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let id = market.human_like(json!({ "state": "東京都", "skills": [{ "name": "Cooking", "category": "Home" }] }));
    let found = |query: &str| ids(&market.get(&agent, op!(agent::list_humans), &[], query));
    assert_eq!(
        (found("state=tokyo&skill=cooking"), found("state=osaka")),
        (vec![id], vec![])
    );
    let change = json!({ "state": "Osaka", "skills": [], "hourly_rate": 5 });
    market
        .send(&market.operator(), op!(operator::update_human), &[id], change)
        .data();
    assert_eq!(
        (
            found("state=tokyo"),
            found("skill=cooking"),
            found("state=%E5%A4%A7%E9%98%AA&maxRate=5")
        ),
        (vec![], vec![], vec![id])
    );
}
