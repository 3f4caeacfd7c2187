//! The defects: mistakes that a programmer could make in a store. None is derived from the contract.

macro_rules! single {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A defect of one method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Single { $($(#[$doc])* $name,)* }

        const SINGLE: &[Single] = &[$(Single::$name,)*];
    };
}

single! {
    /// Every third event of a feed is lost.
    EventLost,
    /// The first event of a page is the last one of the page before.
    EventTwice,
    /// A worker has the events of the account with the same number.
    EventsOfNeighbour,
    /// The kinds of events are not looked at.
    EventNamesDropped,
    /// The events of a page are in the reverse order.
    EventsReversed,
    /// A key that was revoked is still found in a cache.
    RevokedKeyAccepted,
    /// A token that was replaced is still found in a cache.
    FormerTokenAccepted,
    /// Plan and suspension of a caller are those of its first request.
    AccessOfFirstRequest,
    /// The time of a key's first use stays.
    LastUseStuck,
    /// A key's revocation is acknowledged and not made.
    RevocationForgotten,
    /// The key before the revoked one is revoked, if it is of the same account.
    NeighbourRevoked,
    /// One key more than the quota.
    QuotaOffByOne,
    /// Keys that were revoked count.
    RevokedKeysCount,
    /// The deletion of a webhook is acknowledged and not made.
    WebhookStays,
    /// A webhook gets all events, whichever were chosen.
    WebhookEventsDropped,
    /// Quotas on bounties, conversations, text and names of skills are not held.
    QuotasUncounted,
    /// Two webhooks more than the quota.
    WebhookQuotaRaised,
    /// The plan is not checked again where the key is committed.
    RecheckDropped,
    /// The credential is not checked again where the write is committed.
    ActorUnchecked,
    /// The name and the prefix of a key change places.
    KeyFieldsSwapped,
    /// A worker's first token stays.
    SecondTokenIgnored,
    /// A change of an account ends its suspension.
    ChangeEndsSuspension,
    /// Of two changes of an account in a row, the second is lost.
    SecondAccountChangeLost,
    /// A change is made to the account with the previous id.
    NeighbourChanged,
    /// An account's name is cut to the length of a column.
    AccountNameCut,
    /// The gender is not looked at.
    GenderDropped,
    /// The state is not looked at if there is a skill.
    StateDroppedBesideSkill,
    /// The two bounds of the rate change places.
    RatesSwapped,
    /// The lowest rate is not looked at if there is a highest one.
    LowestRateDropped,
    /// Every filter has all workers as its total.
    TotalOfAllHumans,
    /// The ids of an import are in the reverse order.
    ImportReversed,
    /// An import of several workers is made twice.
    ImportTwice,
    /// A worker that is imported beside others is available.
    ImportAvailable,
    /// A change of a worker makes it available.
    ChangeMakesAvailable,
    /// A change of a worker with skills changes only these.
    OnlySkillsChanged,
    /// New skills are added to the former ones.
    SkillsAppended,
    /// An empty list of skills changes nothing.
    NoSkillsIgnored,
    /// Of two changes of a worker in a row, the second is lost.
    SecondHumanChangeLost,
    /// A change of a worker by itself ends its verification.
    OwnChangeEndsVerification,
    /// A worker's profile is the first one that was read.
    ProfileOfFirstRead,
    /// A worker is the one that was read first: its name, and whether it has a token.
    HumanOfFirstRead,
    /// A worker that was once not found is not found later.
    AbsenceRemembered,
    /// A bounty is as it was when it was read first.
    BountyOfFirstRead,
    /// The category is not looked at if there is a location.
    CategoryDroppedBesideLocation,
    /// Remote bounties only is not looked at if there is a category.
    RemoteDroppedBesideCategory,
    /// The total of a search for bounties is that of its first time.
    BountyTotalStuck,
    /// The deadline of a bounty with estimated hours is lost.
    DeadlineLost,
    /// A bounty is written twice.
    BountyTwice,
    /// Every fifth bounty belongs to the owner of the one before.
    BountyOfFormerOwner,
    /// A description is cut to the length of a column.
    DescriptionCut,
    /// The skills that a bounty requires are sorted.
    SkillsSorted,
    /// A bounty that is not open does not open again.
    NeverReopened,
    /// A bounty that is completed becomes cancelled.
    CompletedIsCancelled,
    /// A bounty that is not open counts as applied to.
    NotOpenIsApplied,
    /// Spaces around an application's message are removed.
    MessageTrimmed,
    /// Rejected applications are not received.
    RejectedHidden,
    /// Acceptance rejects all other applications.
    OthersRejected,
    /// The first decision stays.
    SecondDecisionIgnored,
    /// An application is dated a day late.
    ApplicationDayLate,
    /// A second conversation with a worker goes on in the first.
    ConversationReused,
    /// The ids of a new conversation and its message change places.
    IdsSwapped,
    /// No answer is found for an idempotency key.
    AnswersForgotten,
    /// An answer that was found once is not found again.
    AnswerForgottenOnceFound,
    /// For a new idempotency key the answer of another one is found.
    AnswerOfFormerKey,
    /// A stored answer loses its second half.
    AnswerCut,
    /// A conversation ends with the last message of when it was read first.
    ConversationOfFirstRead,
    /// A message of a worker is one of the agent.
    WorkerIsAgent,
    /// A message is dated as the message before it.
    TimeOfFormerMessage,
    /// A message is written twice.
    MessageTwice,
    /// An agent's conversations, one too many.
    LimitPlusOne,
    /// A worker's conversations, one too few.
    LimitMinusOne,
    /// A conversation shows its first 20 messages.
    MessagesCut,
}

/// A list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Accounts,
    Keys,
    Humans,
    Skills,
    Bounties,
    Received,
    Sent,
    OfAgent,
    OfWorker,
    Messages,
    Webhooks,
}

/// A defect of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A row is shown as it was first.
    Stale,
    /// The last of several rows is left out.
    LastLeftOut,
    /// The rows are in the order of their ids, the highest first.
    NewestFirst,
    /// The total is the number of rows on the page.
    TotalOfPage,
}

/// A defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defect {
    Of(Single),
    In(List, Fault),
}

/// All defects that a caller can notice: messages and webhooks never change, and bounties have the newest first.
pub(super) fn defects() -> Vec<Defect> {
    use Fault::{LastLeftOut, NewestFirst, Stale, TotalOfPage};
    use List::{Accounts, Bounties, Humans, Keys, Messages, OfAgent, OfWorker, Received, Sent, Skills, Webhooks};
    let lists = [
        Accounts, Keys, Humans, Skills, Bounties, Received, Sent, OfAgent, OfWorker, Messages, Webhooks,
    ];
    let pages = [Accounts, Humans, Skills, Bounties, Sent];
    let of_lists = lists
        .into_iter()
        .flat_map(|list| [Stale, LastLeftOut, NewestFirst].map(|fault| (list, fault)));
    let of_pages = pages.map(|list| (list, TotalOfPage));
    let is_seen = |one: &(List, Fault)| ![(Messages, Stale), (Webhooks, Stale), (Bounties, NewestFirst)].contains(one);
    let in_lists = of_lists
        .chain(of_pages)
        .filter(is_seen)
        .map(|(list, fault)| Defect::In(list, fault));
    SINGLE
        .iter()
        .map(|single| Defect::Of(*single))
        .chain(in_lists)
        .collect()
}
