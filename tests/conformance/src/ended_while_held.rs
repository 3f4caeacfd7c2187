//! The right to send a request may end while its body is being read: then it is rejected like a new request.

use crate::attempt::Attempt;
use crate::level::Level;
use crate::suite::leave_out;
use crate::world::{Access, Need, is_left_out};
use codegen::step::Step;

impl Attempt {
    /// The credential is revoked or replaced before the last byte of the body arrives.
    #[track_caller]
    pub(crate) fn rejects_credential_ended_while_held(self) {
        let kind = self.operation.credential;
        let kind = kind.expect("only operations with a credential are asked to");
        if !is_left_out(self.world, Need::RevokedCredential(&kind.name)) {
            self.rejected_when_changed_while_held(Step::Credential, Access::Revoked);
        }
    }

    /// The caller is suspended before the last byte of the body arrives.
    #[track_caller]
    pub(crate) fn rejects_caller_suspended_while_held(self) {
        self.rejected_when_changed_while_held(Step::Suspended, Access::Suspended);
    }

    /// The caller gets this plan before the last byte of the body arrives.
    #[track_caller]
    pub(crate) fn rejects_plan_changed_while_held(self, plan: &'static str) {
        self.rejected_when_changed_while_held(Step::Plan, Access::Plan(plan));
    }

    #[track_caller]
    fn rejected_when_changed_while_held(&self, step: Step, to: Access<'_>) {
        if self.world.level() < Level::Texts {
            return leave_out("the contract does not say whether rights are checked again when a body has arrived");
        }
        let stage = self.stage(false);
        let request = self.request(&stage.caller, &stage.arranged);
        let mut change = || self.world.set_access(&stage.caller, to);
        let response = self.world.call_held(&request, &mut change);
        let answer = self.received(request, response);
        answer.expect_error(self.operation.contract.error(step), &self.values(step, &stage.arranged));
    }
}
