//! The log of commits that the trees are a copy of, and the answers that are kept back until every other copy has taken their
//! commit in.

use std::time::{Duration, Instant};

use crate::commit_log::{CommitLog, LEASE, Lease, Role};
use crate::hooks::Hooks;
use crate::job::Job;

/// How often it asks whether other copies have taken a commit in, if nothing wakes it before.
const CONFIRM_EVERY: Duration = Duration::from_millis(50);

/// How much longer than a lease it waits for other copies: clocks of two machines differ in speed.
const MARGIN: Duration = Duration::from_millis(100);

/// The log of a copy, and what the committer has to do for it.
pub(crate) struct Copy<S> {
    /// The log.
    pub(crate) log: Box<dyn CommitLog>,
    /// Until when the copy may be read.
    pub(crate) lease: Lease,
    /// When the log has to be told that this process is alive.
    pub(crate) renewal_due: Instant,
    /// When it may be asked for news again before a renewal is due.
    pub(crate) may_be_asked: Instant,
    unconfirmed: Vec<Unconfirmed<S>>,
}

/// A committed write that is answered once no copy can show the state before it.
struct Unconfirmed<S> {
    number: i64,
    committed: Instant,
    job: Box<dyn Job<S>>,
}

impl<S: Hooks> Copy<S> {
    /// A copy of `log`, which may be read as long as `lease` is held.
    pub(crate) fn new(log: Box<dyn CommitLog>, lease: Lease) -> Self {
        let (renewal_due, unconfirmed) = (Instant::now(), Vec::new());
        Self {
            log,
            lease,
            renewal_due,
            may_be_asked: renewal_due,
            unconfirmed,
        }
    }

    /// When it has something to do at the latest.
    pub(crate) fn due(&self) -> Instant {
        match self.unconfirmed.is_empty() {
            true => self.renewal_due,
            false => self.renewal_due.min(Instant::now() + CONFIRM_EVERY),
        }
    }

    /// When it may be asked for news before a renewal is due.
    pub(crate) fn may_be_asked(&self) -> Instant {
        self.may_be_asked
    }

    /// Answers a write of the commit with this number once every other copy has taken it in, or may not be read any more.
    pub(crate) fn answer_later(&mut self, number: i64, job: Box<dyn Job<S>>) {
        let committed = Instant::now();
        self.unconfirmed.push(Unconfirmed { number, committed, job });
    }

    /// Answers the writes that are confirmed.
    pub(crate) fn confirm(&mut self) {
        let Some(last) = self.unconfirmed.iter().map(|one| one.number).max() else {
            return;
        };
        let is_taken_in = self.log.is_taken_in(last).unwrap_or(false);
        // By then, a copy has taken it in or has no lease, even if the log cannot be asked.
        let is_late = |one: &Unconfirmed<S>| one.committed.elapsed() > LEASE + MARGIN;
        for one in self.unconfirmed.extract_if(.., |one| is_taken_in || is_late(one)) {
            one.job.answer(None);
        }
    }

    /// Whether writes wait to be confirmed.
    pub(crate) fn has_unconfirmed(&self) -> bool {
        !self.unconfirmed.is_empty()
    }

    /// Whether all processes know all changes that this one can make.
    pub(crate) fn has_latest_layout(&self) -> bool {
        self.log.has_latest_layout()
    }

    /// Nothing more is committed or read: the copy has to be made anew.
    pub(crate) fn give_up(&self) {
        self.lease.end();
        self.lease.set_role(Role::Unusable);
    }
}
