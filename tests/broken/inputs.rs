//! What a broken store makes of the filters and the records that it is given.

use super::defect::Single::*;
use super::memory;
use super::store::{BrokenStore, between};
use contract::{
    AccountId, ApplicationId, ApplicationStatus, Bounty, ConversationId, Human, HumanId, MessageId, NewHuman, NewSkill,
    Timestamp,
};
use hitode::store::{
    Absent, Actor, BountyFilter, HumanFilter, NewAccount, NewApplication, NewConversation, NewKey, NewMessage,
    PageRequest, Party, Store, StoreResult, WithoutKeys,
};

impl<S: Store> BrokenStore<S> {
    pub(super) fn new_account(&self, mut account: NewAccount) -> NewAccount {
        if self.has(AccountNameCut) {
            account.name = account.name.chars().take(64).collect();
        }
        account
    }

    pub(super) fn new_key(&self, mut key: NewKey) -> NewKey {
        if self.has(KeyFieldsSwapped) {
            std::mem::swap(&mut key.name, &mut key.prefix);
        }
        key
    }

    pub(super) fn human_filter(&self, mut filter: HumanFilter) -> HumanFilter {
        if self.has(GenderDropped) {
            filter.gender = None;
        }
        if self.has(StateDroppedBesideSkill) && filter.skill.is_some() {
            filter.state = None;
        }
        if self.has(RatesSwapped) {
            std::mem::swap(&mut filter.min_rate, &mut filter.max_rate);
        }
        if self.has(LowestRateDropped) && filter.max_rate.is_some() {
            filter.min_rate = None;
        }
        filter
    }

    pub(super) fn bounty_filter(&self, mut filter: BountyFilter) -> BountyFilter {
        if self.has(CategoryDroppedBesideLocation) && filter.location.is_some() {
            filter.category = None;
        }
        if self.has(RemoteDroppedBesideCategory) && filter.category.is_some() {
            filter.remote_only = false;
        }
        filter
    }

    pub(super) fn new_humans(&self, mut humans: Vec<NewHuman>) -> Vec<NewHuman> {
        if self.has(ImportAvailable) && humans.len() > 1 {
            humans.iter_mut().for_each(|human| human.is_available = true);
        }
        humans
    }

    pub(super) fn human_change(
        &self,
        by: Actor,
        has_skills: bool,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> impl Fn(&mut Human) + Send + 'static {
        let is_own = matches!(by, Actor::Worker(..));
        let makes_available = self.has(ChangeMakesAvailable);
        let only_skills = self.has(OnlySkillsChanged) && has_skills;
        let ends_verification = self.has(OwnChangeEndsVerification) && is_own;
        move |human| {
            if !only_skills {
                change(human);
            }
            human.is_available |= makes_available;
            human.is_verified &= !ends_verification;
        }
    }

    /// The skills that replace those of a worker.
    pub(super) async fn skills(&self, id: HumanId, new: Option<Vec<NewSkill>>) -> StoreResult<Option<Vec<NewSkill>>> {
        let Some(mut skills) = new else { return Ok(None) };
        if self.has(NoSkillsIgnored) && skills.is_empty() {
            return Ok(None);
        }
        if self.has(SkillsAppended)
            && let Some(human) = self.store.find_human(id).await?
        {
            let is_new = |name: &str| skills.iter().all(|one| one.name != name);
            let former = human.skills.iter().filter(|one| is_new(&one.name)).cloned();
            let former: Vec<_> = former
                .map(|one| NewSkill {
                    name: one.name,
                    category: one.category,
                })
                .collect();
            skills.splice(0..0, former);
        }
        Ok(Some(skills))
    }

    pub(super) fn new_bounty(&self, mut draft: Bounty) -> Bounty {
        if self.has(DeadlineLost) && draft.estimated_hours.is_some() {
            draft.deadline = None;
        }
        if self.has(DescriptionCut) {
            draft.description = draft.description.chars().take(255).collect();
        }
        if self.has(SkillsSorted) {
            draft.required_skills.sort();
        }
        let former = self.memory.former("owner", draft.account_id);
        if self.has(BountyOfFormerOwner) && self.memory.count("bounties") % 5 == 0 {
            draft.account_id = former.unwrap_or(draft.account_id);
        }
        draft
    }

    pub(super) fn new_application(&self, mut new: NewApplication) -> NewApplication {
        if self.has(MessageTrimmed) {
            new.message = new.message.trim().to_owned();
        }
        if self.has(ApplicationDayLate) {
            new.created_at = Timestamp::from_unix(new.created_at.unix() + 86_400);
        }
        new
    }

    /// Rejects the other applications to the bounty of this one.
    pub(super) async fn reject_others(
        &self,
        by: Actor,
        owner: AccountId,
        id: ApplicationId,
        now: Timestamp,
    ) -> StoreResult<()> {
        let Some(accepted) = self.store.find_application(id).await? else {
            return Ok(());
        };
        let received = memory::ids(
            self.store
                .received_applications(accepted.bounty_id, PageRequest::new(i64::MAX, 0))
                .await?,
        )?;
        for other in received.into_iter().filter(|other| *other != id.get()) {
            let other = ApplicationId::new(other);
            let _ = self
                .store
                .decide_application(by, owner, other, ApplicationStatus::Rejected, now, Vec::new())
                .await?;
        }
        Ok(())
    }

    /// The first conversation between the parties, with one message more.
    pub(super) async fn reuse(
        &self,
        by: Actor,
        new: &NewConversation,
    ) -> StoreResult<Option<Result<(ConversationId, MessageId), Absent>>> {
        let Some(id) = self.memory.last::<ConversationId>(&between(new), None) else {
            return Ok(None);
        };
        let message = NewMessage {
            conversation_id: id,
            sender: Party::Agent(new.account_id),
            content: new.message.clone(),
            created_at: new.created_at,
            steps: vec![],
        };
        let created = self.store.unkeyed().create_message(by, message).await?;
        Ok(Some(created.map(|message| (id, message))))
    }

    pub(super) async fn new_message(&self, mut message: NewMessage) -> StoreResult<NewMessage> {
        let former = self.memory.former("message", message.created_at);
        if self.has(TimeOfFormerMessage) {
            message.created_at = former.unwrap_or(message.created_at);
        }
        if self.has(WorkerIsAgent)
            && let Some(conversation) = self.store.find_conversation(message.conversation_id).await?
        {
            message.sender = Party::Agent(conversation.account_id);
        }
        Ok(message)
    }
}
