//! The guards and rules of an operation, tried with requests that they must reject.

use crate::attempt::Attempt;
use crate::contract::Transitions;
use crate::level::Level;
use crate::stage::Stage;
use crate::value::word;
use codegen::model::Condition;
use codegen::step::Step;

impl Attempt {
    /// A caller on this plan is rejected.
    #[track_caller]
    pub fn rejects_plan(self, plan: &'static str) {
        let attempt = self.plan(plan);
        let stage = attempt.stage(true);
        attempt.rejected_at(Step::Plan, &stage);
    }

    /// Unknown ids are not found, however large or small, and the answer names them as they were sent. Only the level of texts
    /// tells an id that no record can have from one that is malformed.
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
        let mut all = self.operation.exists.iter();
        let in_path = all.any(|exists| exists.resource.name == resource && exists.is_in_path());
        let ids = ANYWHERE.into_iter().chain(IN_A_PATH.into_iter().filter(|_| in_path));
        let tried = match self.world.level() {
            Level::Texts => usize::MAX,
            Level::Values | Level::Shape => 1,
        };
        for id in ids.take(tried) {
            let stage = self.stage(true);
            let attempt = self.clone().absent(resource, id);
            attempt.rejected_at(Step::Exists, &stage);
        }
    }

    /// A resource below another parent is not found.
    #[track_caller]
    pub fn rejects_other_parent(self, resource: &'static str) {
        let stage = self.stage(false);
        let other = self.arrange_for(&stage.caller).id(resource);
        let attempt = self.absent(resource, other);
        attempt.rejected_at(Step::Exists, &stage);
    }

    /// Another caller of the same kind is rejected; for it, a private resource does not exist.
    #[track_caller]
    pub fn rejects_non_owner(self) {
        let stage = self.stage(true);
        let step = match self.operation.is_private() {
            true => Step::Exists,
            false => Step::Owner,
        };
        let stage = Stage {
            caller: self.fresh_caller(),
            ..(*stage).clone()
        };
        self.rejected_at(step, &stage);
    }

    /// A hidden record is not found, unless its owner calls.
    #[track_caller]
    pub fn rejects_hidden(self, resource: &'static str) {
        let stage = self.stage(false);
        let id = stage.arranged.id(resource);
        self.world.hide(resource, id);
        let stranger = Stage {
            caller: self.fresh_caller(),
            ..(*stage).clone()
        };
        self.clone().absent(resource, id).rejected_at(Step::Exists, &stranger);
        let model = self.operation.contract.model;
        let owner = model.owner_field(self.operation.surface, model.resource(resource));
        if owner.is_some() {
            let _ = self.done(&stage);
        }
    }

    /// The quota allows its maximum, and not one more.
    #[track_caller]
    pub fn rejects_more_than_quota(self) {
        let stage = self.stage(false);
        self.fill_quota(&stage);
        self.rejected_at(Step::Quota, &stage);
    }

    #[track_caller]
    pub(crate) fn fill_quota(&self, stage: &Stage) {
        self.fill_quota_but(0, stage);
    }

    /// The transitions from the initial state, through these, to that one succeed, and the last one once more.
    #[track_caller]
    pub fn transitions(self, by_way_of: &[&str], to: &str) {
        let stage = self.moved(by_way_of);
        let attempt = self.moving_to(to);
        attempt.accepted_on(&stage.caller, &stage.arranged);
        attempt.accepted_on(&stage.caller, &stage.arranged);
    }

    /// After these transitions from the initial state, the one to that state is rejected.
    #[track_caller]
    pub fn rejects_move(self, by_way_of: &[&str], from: &str, to: &str) {
        let stage = self.moved(by_way_of);
        self.rejects_moving_to(to, &[("from", from.to_owned())], &stage);
    }

    /// The transition from the state that the world has arranged to this state is rejected.
    #[track_caller]
    pub fn rejects_arranged_move(self, error: &'static str, to: &str) {
        let mut stage = self.fresh_stage();
        self.world.arrange_error(error, &stage.caller, &mut stage.arranged);
        self.rejects_moving_to(to, &[], &stage);
    }

    #[track_caller]
    fn rejects_moving_to(self, to: &str, known: &[(&'static str, String)], stage: &Stage) {
        let values = self.values(Step::Transition, &stage.arranged);
        let values = [&values, known, &[("to", to.to_owned())]].concat();
        let error = self.operation.contract.error(Step::Transition);
        self.moving_to(to).rejected_by(error, stage, &values);
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
            let attempt = self.clone().moving_to(state);
            attempt.accepted_on(&stage.caller, &stage.arranged);
        }
    }

    /// The request to move to this state.
    pub(crate) fn moving_to(self, state: &str) -> Self {
        let member = self.moves().member;
        self.with(member, word(state))
    }

    pub(crate) fn moves(&self) -> &'static Transitions {
        let transitions = self.operation.transitions.as_ref();
        transitions.expect("only operations that move are asked to")
    }

    /// A business rule rejects the request after the world has arranged the cause.
    #[track_caller]
    pub fn rejects_by_rule(self, error: &'static str) {
        let mut stage = self.fresh_stage();
        let attempt = self.breaking(error, &mut stage);
        let error = attempt.operation.contract.model.error(error);
        attempt.rejected_by(error, &stage, &attempt.values(Step::Rule, &stage.arranged));
    }

    /// The request that this rule rejects, after what the world has arranged.
    #[track_caller]
    pub(crate) fn breaking(self, error: &str, stage: &mut Stage) -> Self {
        match &self.operation.contract.model.error(error).when {
            Some(when @ Condition::Taken { .. }) => self.taking(when),
            _ => {
                self.world.arrange_error(error, &stage.caller, &mut stage.arranged);
                self
            }
        }
    }

    /// The request with a text that another record has.
    #[track_caller]
    fn taking(self, when: &Condition) -> Self {
        let given = self.operation.unique_text(when);
        let given = given.expect("checked: an operation with such a rule gives the text");
        let place = given
            .each
            .map_or_else(|| given.member.to_owned(), |each| format!("{each}[0].{}", given.member));
        // A dry run gives nobody the text.
        let first = self
            .operation
            .tried()
            .map_or_else(|| self.clone(), |tried| self.anew(tried));
        let first = first.unkeyed().with_new_text(&place);
        let _ = first.done(&first.fresh_stage());
        self.with_exactly(&place, first.value_at(&place))
    }

    /// A record may be given its own text again, and of two records in one request both cannot have the same one.
    #[track_caller]
    pub fn keeps_texts_apart(self, error: &'static str) {
        let error = self.operation.contract.model.error(error);
        let given = error.when.as_ref().and_then(|when| self.operation.unique_text(when));
        let given = given.expect("checked: an operation with such a rule gives the text");
        let Some(each) = given.each else {
            let attempt = self.with_new_text(given.member);
            let stage = attempt.fresh_stage();
            let _ = (attempt.done(&stage), attempt.done(&stage));
            return;
        };
        let [first, second] = [0, 1].map(|item| format!("{each}[{item}].{}", given.member));
        let two = self.with_new_text(&first).with_new_text(&second);
        let stage = two.fresh_stage();
        let _ = two.done(&stage);
        let other = two.with_other_texts();
        let same = other.value_at(&first);
        let twice = other.with_exactly(&second, same);
        twice.rejected_by(error, &stage, &twice.values(Step::Rule, &stage.arranged));
    }
}
