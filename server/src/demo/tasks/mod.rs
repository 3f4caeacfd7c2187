//! The demo's bounties, and what the workers write who apply to them.

mod free;
mod verified;

use contract::Decision;
use serde::Serialize;

/// Which of the demo's two accounts posts or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Poster {
    Verified,
    Free,
}

/// A bounty, as its account posts it.
#[derive(Debug, Serialize)]
pub(super) struct Task {
    #[serde(skip)]
    pub(super) poster: Poster,
    title: &'static str,
    description: &'static str,
    /// US dollars.
    budget: f64,
    category: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'static str>,
    is_remote: bool,
    /// Days from the demo's first start.
    #[serde(skip)]
    pub(super) due_days: Option<i64>,
    estimated_hours: f64,
    required_skills: &'static [&'static str],
    #[serde(skip)]
    pub(super) applications: &'static [Pitch],
}

/// An application, by a worker with this skill who lives in this prefecture; anywhere if it is empty.
#[derive(Debug)]
pub(super) struct Pitch {
    pub(super) skill: &'static str,
    pub(super) prefecture: &'static str,
    pub(super) message: &'static str,
    pub(super) decision: Option<Decision>,
}

const fn pitch(
    skill: &'static str,
    prefecture: &'static str,
    message: &'static str,
    decision: Option<Decision>,
) -> Pitch {
    Pitch {
        skill,
        prefecture,
        message,
        decision,
    }
}

const ACCEPTED: Option<Decision> = Some(Decision::Accepted);
const REJECTED: Option<Decision> = Some(Decision::Rejected);

/// All of them, in the order in which they are posted: every third one is the free account's.
pub(super) fn all() -> Vec<&'static Task> {
    let mut free = free::TASKS.iter();
    verified::TASKS
        .chunks(2)
        .flat_map(|two| two.iter().chain(free.next()))
        .collect()
}
