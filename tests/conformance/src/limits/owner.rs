//! The limit of a caller over all of its credentials: new credentials do not raise it.

use super::window::Timed;
use super::{Trial, expect_one_of};
use crate::attempt::Attempt;
use crate::world::{Caller, Need, is_left_out};
use codegen::step::Step;

impl Attempt {
    /// A caller with new credentials is accepted as often as its own rate allows, with each credential as often as the
    /// limit allows, and then rejected. Other callers are not.
    #[track_caller]
    pub(crate) fn counts_each_owner(self) {
        let kind = self.operation.credential.map(|credential| credential.name.as_str());
        if is_left_out(self.world, Need::AnotherCredential(kind.unwrap_or_default())) {
            return;
        }
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        let mut used = Used::default();
        let mut last = stage.caller.clone();
        // A credential with many requests left: the next ones use up the caller's rate before their own.
        used = trial.spend(used, 1);
        while !used.is_rejected_by_owner {
            let next = trial.attempt.world.another(&last);
            used = trial.by(&next).spend(used.by_another(), u32::MAX);
            last = next;
        }
        let newest = trial.attempt.world.another(&last);
        let used = trial.by(&newest).spend(used.by_another(), 1);
        assert!(
            used.is_rejected_by_owner,
            "a new credential is let through, and reports to be the last one"
        );
        let other = self.fresh_caller();
        trial.by(&other).spend(Used::default(), 1);
    }
}

/// The requests accepted so far.
#[derive(Clone, Copy, Default)]
struct Used {
    /// With the present credential.
    own: u32,
    /// With all credentials of the caller.
    owner: u32,
    /// The number of further credentials.
    credentials: u32,
    /// Whether the caller's rate has rejected a request.
    is_rejected_by_owner: bool,
}

impl Used {
    fn by_another(self) -> Self {
        Self {
            own: 0,
            credentials: self.credentials + 1,
            is_rejected_by_owner: false,
            ..self
        }
    }

    fn by_one(self) -> Self {
        Self {
            own: self.own + 1,
            owner: self.owner + 1,
            ..self
        }
    }
}

/// The possible report of an answer: the limit's own rate or the owner's.
#[derive(Clone, Copy)]
struct ReportedRate {
    is_owners: bool,
    remaining: u32,
}

impl Trial<'_> {
    /// The same by another caller.
    fn by<'b>(&'b self, caller: &'b Caller) -> Trial<'b> {
        Trial {
            attempt: self.attempt.clone(),
            limited_service: self.limited_service.clone(),
            caller,
            ..*self
        }
    }

    /// Sends `most` requests, or stops at the first rejected one.
    #[track_caller]
    fn spend(&self, mut used: Used, most: u32) -> Used {
        for _ in 0..most {
            let before = self.reports(used);
            let timed = self.call();
            if timed.answer.response.status == timed.answer.operation.contract.error(Step::Limit).status {
                let mut rejecting = before;
                rejecting.retain(|report| report.remaining == 0);
                if rejecting.is_empty() {
                    self.expect_let_through(&timed.answer);
                }
                timed.expect_error(Step::Limit, self.limit.window_seconds, &[]);
                self.expect_report(&timed, &rejecting);
                used.is_rejected_by_owner = rejecting.iter().all(|report| report.is_owners);
                return used;
            }
            if before.iter().all(|report| report.remaining == 0) {
                timed.answer.fail(
                    &format!("to be rejected by limits.{} ({})", self.limit.name, self.at()),
                    &format!(
                        "it is let through, though {} with this credential and {} with all credentials of its caller have \
                         counted",
                        used.own, used.owner
                    ),
                );
            }
            used = used.by_one();
            self.expect_report(&timed, &self.reports(used));
        }
        used
    }

    /// The possible remainders. Over a network, the calls that the world makes to get another credential may count as
    /// well: once for each credential, with the new one.
    fn reports(&self, used: Used) -> Vec<ReportedRate> {
        let owner_max = self.limit.owner_max.unwrap_or(u32::MAX);
        let others = if self.attempt.world.is_limited() {
            used.credentials
        } else {
            0
        };
        let counted = (0..=others.min(1)).flat_map(|own| (0..=others).map(move |owner| (own, owner)));
        let reports = counted.map(|(own, owner)| {
            let own_left = self.limit.max.saturating_sub(used.own + own);
            let owner_left = owner_max.saturating_sub(used.owner + owner);
            ReportedRate {
                is_owners: owner_left < own_left,
                remaining: own_left.min(owner_left),
            }
        });
        reports.collect()
    }

    #[track_caller]
    fn expect_report(&self, timed: &Timed, reports: &[ReportedRate]) {
        let limit = self.limit;
        let (owner_name, owner_max) = (limit.owner_name(), limit.owner_max.unwrap_or(u32::MAX));
        let headers = reports.iter().flat_map(|report| {
            let (name, max) = match report.is_owners {
                true => (&*owner_name, owner_max),
                false => (&*limit.name, limit.max),
            };
            timed
                .ends(limit.window_seconds)
                .map(move |end| self.headers_of(name, max, report.remaining, end))
        });
        expect_one_of(&timed.answer, headers.collect());
    }
}
