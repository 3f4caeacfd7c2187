//! The sandbox: what simulated workers will do for an account. They apply to its bounties, report on the work and answer
//! its messages.
//!
//! The functions here plan [`Step`]s. The write that causes them stores them with their times, and the `simulator` takes
//! each when it is due. So a restart goes on, and what waits takes no memory.

mod behaviour;
pub(crate) mod people;
pub(crate) mod step;

use contract::{AccountId, BountyId, ConversationId, HumanId};
use tokio::sync::Mutex;

use self::behaviour::SECOND;
pub(crate) use self::behaviour::{Behaviour, Report};
pub(crate) use self::step::Step;
use crate::store::NewStep;

/// What the handlers share with the simulator.
#[derive(Default)]
pub(crate) struct Simulation {
    /// Held while simulated workers are created, so that this happens once.
    pub(crate) creating: Mutex<()>,
}

/// The photo that simulated workers send: a drawing of a shop, in PNG.
pub(crate) const PHOTO: &[u8] = include_bytes!("shop.png");

/// After how many milliseconds a message is answered.
const REPLY_AFTER: u64 = 2 * SECOND;

/// An account in the sandbox, and the present time in milliseconds since the beginning of 1970, UTC.
#[derive(Clone, Copy)]
pub(crate) struct Planner {
    pub(crate) account: AccountId,
    pub(crate) now: u64,
}

impl Planner {
    /// Workers apply to a bounty that is about to be created.
    pub(crate) fn applications(self, category: Option<&str>) -> Vec<NewStep> {
        let behaviour = Behaviour::from_category(category);
        let steps = (0..behaviour.applicants()).map(|nth| (behaviour.applies_after(nth), Step::Apply { nth }));
        let withdraws = behaviour.withdraws_after();
        self.plan(
            0,
            steps.chain(withdraws.map(|(nth, after)| (after, Step::Withdraw { nth }))),
        )
    }

    /// A worker who is accepted reports on the work, and delivers it.
    pub(crate) fn reports(self, bounty: BountyId, human: HumanId, category: Option<&str>) -> Vec<NewStep> {
        let behaviour = Behaviour::from_category(category);
        let steps = (0..).zip(behaviour.reports());
        let steps = steps.map(|(nth, report)| (report.after, Step::report(human, nth)));
        let human = human.get();
        let delivers = behaviour.delivers_after();
        self.plan(
            bounty.get(),
            steps.chain(delivers.map(|after| (after, Step::Deliver { human }))),
        )
    }

    /// A worker answers a message. The conversation may be about to be created.
    pub(crate) fn reply(self, conversation: Option<ConversationId>, human: HumanId, message: &str) -> Vec<NewStep> {
        let reply = (REPLY_AFTER, Step::reply(human, message));
        self.plan(conversation.map_or(0, ConversationId::get), [reply])
    }

    fn plan(self, about: i64, steps: impl IntoIterator<Item = (u64, Step)>) -> Vec<NewStep> {
        let plan = |(after, step): (u64, Step)| NewStep {
            due: self.now.saturating_add(after),
            account: self.account,
            about,
            step: step.to_text(),
        };
        steps.into_iter().map(plan).collect()
    }
}
