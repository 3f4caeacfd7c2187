//! The guards and rules of an operation, tried with requests that they must reject.

use crate::attempt::Attempt;
use crate::contract::Step;
use crate::stage::Stage;
use crate::value::word;

impl Attempt {
    /// A caller on this plan is rejected.
    #[track_caller]
    pub fn rejects_plan(self, plan: &'static str) {
        let attempt = self.plan(plan);
        let stage = attempt.stage(true);
        attempt.rejected_at(Step::Plan, &stage, &attempt.values(Step::Plan, &stage.arranged));
    }

    /// Unknown ids are not found, however large or small, and the answer names them as they were sent.
    #[track_caller]
    pub fn rejects_absent(self, resource: &'static str) {
        const ANYWHERE: [&str; 7] = [
            "9007199254740991",
            "0",
            "-1",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999999",
        ];
        const IN_A_PATH: [&str; 2] = ["000000000000009007199254740991", "-0"];
        let exists = self.operation.exists.iter().find(|exists| exists.resource == resource);
        let in_path = exists.is_some_and(|exists| exists.in_path);
        let ids = ANYWHERE.into_iter().chain(IN_A_PATH.into_iter().filter(|_| in_path));
        for id in ids {
            let stage = self.stage(true);
            let attempt = self.clone().absent(resource, id);
            attempt.rejected_at(Step::Exists, &stage, &attempt.values(Step::Exists, &stage.arranged));
        }
    }

    /// A resource below another parent is not found.
    #[track_caller]
    pub fn rejects_other_parent(self, resource: &'static str) {
        let stage = self.stage(false);
        let other = self.arrange_for(&stage.caller).id(resource);
        let attempt = self.absent(resource, other);
        attempt.rejected_at(Step::Exists, &stage, &attempt.values(Step::Exists, &stage.arranged));
    }

    /// Another caller of the same kind is rejected; for it, a private resource does not exist.
    #[track_caller]
    pub fn rejects_non_owner(self) {
        let stage = self.stage(true);
        let private = self
            .operation
            .exists
            .iter()
            .any(|one| one.private && self.operation.owned.contains(&one.resource));
        let step = if private { Step::Exists } else { Step::Owner };
        let values = self.values(step, &stage.arranged);
        let stage = Stage {
            caller: self.fresh_caller(),
            ..(*stage).clone()
        };
        self.rejected_at(step, &stage, &values);
    }

    /// The quota allows its maximum, and not one more.
    #[track_caller]
    pub fn rejects_more_than_quota(self) {
        let stage = self.stage(false);
        self.fill_quota(&stage);
        self.rejected_at(Step::Quota, &stage, &self.values(Step::Quota, &stage.arranged));
    }

    #[track_caller]
    pub(crate) fn fill_quota(&self, stage: &Stage) {
        self.fill_quota_but(0, stage);
    }

    /// The transitions from the initial state, through these, to that one succeed, and the last one once more.
    #[track_caller]
    pub fn transitions(self, by_way_of: &[&str], to: &str) {
        let stage = self.moved(by_way_of);
        let member = self.moved_member();
        let attempt = self.with(member, word(to));
        attempt.accepted_on(&stage.caller, &stage.arranged);
        attempt.accepted_on(&stage.caller, &stage.arranged);
    }

    /// After these transitions from the initial state, the one to that state is rejected.
    #[track_caller]
    pub fn rejects_move(self, by_way_of: &[&str], from: &str, to: &str) {
        let stage = self.moved(by_way_of);
        let transitions = self
            .operation
            .transitions
            .as_ref()
            .expect("only operations that move are asked to");
        let id = stage.arranged.id(transitions.resource).to_string();
        let values = [
            ("noun", transitions.noun.to_owned()),
            ("id", id),
            ("from", from.to_owned()),
            ("to", to.to_owned()),
        ];
        self.with(transitions.member, word(to))
            .rejected_at(Step::Transition, &stage, &values);
    }

    /// The transition from the state that the world has arranged to this state is rejected.
    #[track_caller]
    pub fn rejects_arranged_move(self, error: &'static str, to: &str) {
        let stage = self.stage(false);
        self.world.arrange_error(error, &stage.caller, &stage.arranged);
        let values = self.values(Step::Transition, &stage.arranged);
        let member = self.moved_member();
        let values = [values, vec![("to", to.to_owned())]].concat();
        self.with(member, word(to))
            .rejected_at(Step::Transition, &stage, &values);
    }

    #[track_caller]
    fn moved(&self, by_way_of: &[&str]) -> std::sync::Arc<Stage> {
        let stage = self.stage(false);
        self.move_on(&stage, by_way_of);
        stage
    }

    /// Moves the resource of the request through these states.
    #[track_caller]
    pub(crate) fn move_on(&self, stage: &Stage, by_way_of: &[&str]) {
        for state in by_way_of {
            self.clone()
                .with(self.moved_member(), word(state))
                .accepted_on(&stage.caller, &stage.arranged);
        }
    }

    pub(crate) fn moved_member(&self) -> &'static str {
        self.operation
            .transitions
            .as_ref()
            .expect("only operations that move are asked to")
            .member
    }

    /// A business rule rejects the request after the world has arranged the cause.
    #[track_caller]
    pub fn rejects_by_rule(self, error: &'static str) {
        let stage = self.stage(false);
        self.world.arrange_error(error, &stage.caller, &stage.arranged);
        let step = Step::Rule(error);
        self.rejected_at(step, &stage, &self.values(step, &stage.arranged));
    }
}
