//! The writes: each reads its records in the transaction, lets a rule decide, and stores what the rule returns.

use std::convert::Infallible;

use codegen_store::Bytes;
use contract::events::{Event, MAX_RECIPIENTS, Recipient};
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, ApplicationStatus, Bounty, BountyId,
    BountyStatus, Conversation, ConversationId, Human, HumanId, Message, MessageId, Timestamp, agent, operator, quotas,
    worker,
};

use super::transaction::{Abort, Decided, TransactionError, Tx};
use super::{feeds, keys, skills, steps, usage};
use crate::digest::Digest;
use crate::store::events::Retention;
use crate::store::mirror::Change;
use crate::store::rules::humans::{Draft, NamedSkill};
use crate::store::rules::{accounts, applications, bounties, conversations, humans};
use crate::store::tables;
use crate::store::{
    Absent, Actor, ApplyDenied, Author, KeyDenied, MoveDenied, NewAccount, NewApplication, NewConversation, NewKey,
    NewMessage, NewStep, Party,
};

/// Whether the author may still write, in the state that the transaction sees. Counts what the write counts by itself
/// towards quotas with periods.
pub(super) fn authorize<D>(tx: &mut Tx<'_>, by: &Author) -> Decided<(), D> {
    let allowed = match by.actor {
        Actor::Operator => Ok(()),
        Actor::Key(id) => {
            let key: Option<ApiKey> = tx.get(id)?;
            let account = key.map(|key| tx.get::<Account>(key.account_id)).transpose()?;
            accounts::authorize_key(account.flatten().as_ref())
        }
        Actor::Worker(id, token) => accounts::authorize_worker(tx.get(id)?.as_ref(), token),
    };
    allowed.map_err(Abort::Unauthorized)?;
    usage::count(tx, by, None)
}

/// Creates an account with its first key.
pub(super) fn create_account<D>(tx: &mut Tx<'_>, new: &NewAccount, key: &NewKey) -> Decided<(AccountId, ApiKeyId), D> {
    let (account, key) = accounts::create(tx.next_id::<Account>()?, new, tx.next_id::<ApiKey>()?, key);
    tx.create(&account)?;
    tx.create(&key)?;
    Ok((account.id, key.id))
}

/// Changes an account.
pub(super) fn update_account(tx: &mut Tx<'_>, id: AccountId, change: &impl Fn(&mut Account)) -> Decided<(), Absent> {
    let account = accounts::update(tx.get(id)?, change).map_err(Abort::Rejected)?;
    Ok(tx.put(&account)?)
}

/// Creates a key of an account.
pub(super) fn create_key<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    new: &NewKey,
    max: i64,
    recheck: &impl Fn(&Account) -> Result<(), E>,
) -> Decided<ApiKeyId, KeyDenied<E>> {
    let id = tx.next_id::<ApiKey>()?;
    let (account, key) = accounts::create_key(tx.get(account)?, id, new, max, recheck).map_err(Abort::Rejected)?;
    tx.put(&account)?;
    tx.create(&key)?;
    Ok(id)
}

/// Revokes a key of an account.
pub(super) fn delete_key(tx: &mut Tx<'_>, owner: AccountId, id: ApiKeyId) -> Decided<(), Absent> {
    let key: Option<ApiKey> = tx.get(id)?;
    let account = accounts::delete_key(tx.get(owner)?, key.as_ref()).map_err(Abort::Rejected)?;
    tx.put(&account)?;
    Ok(tx.delete::<ApiKey>(id, Change::KeyRevoked(id))?)
}

/// Saves the last use of a key, unless it has ended.
pub(super) fn save_use(tx: &mut Tx<'_>, id: ApiKeyId, used: Timestamp) -> Decided<(), Infallible> {
    if let Some(mut key) = tx.get::<ApiKey>(id)? {
        key.last_used_at = Some(used);
        tx.put(&key)?;
    }
    Ok(())
}

/// Creates workers, in the given order.
pub(super) fn create_humans<D>(tx: &mut Tx<'_>, drafts: &[Draft]) -> Decided<Vec<HumanId>, D> {
    let mut ids = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let id = tx.next_id::<Human>()?;
        let human = humans::create(id, draft, skills::with_ids(tx, &draft.skills)?);
        skills::replaced(tx, &[], &human.skills)?;
        tx.create(&human)?;
        ids.push(id);
    }
    Ok(ids)
}

/// Changes a worker.
pub(super) fn update_human(
    tx: &mut Tx<'_>,
    by: &Author,
    id: HumanId,
    skills: Option<&[NamedSkill]>,
    change: &impl Fn(&mut Human),
) -> Decided<(), Absent> {
    let human: Option<Human> = tx.get(id)?;
    let Some(skills) = skills else {
        let human = humans::update(human, None, change).map_err(Abort::Rejected)?;
        return Ok(tx.put(&human)?);
    };
    let former = human.as_ref().map_or_else(Vec::new, |human| human.skills.clone());
    let last = tx.last_id(tables::SKILLS)?;
    let skills = skills::with_ids(tx, skills)?;
    let new = tx.last_id(tables::SKILLS)? - last;
    usage::count(tx, by, Some(new))?;
    let human = humans::update(human, Some(skills), change).map_err(Abort::Rejected)?;
    skills::replaced(tx, &former, &human.skills)?;
    Ok(tx.put(&human)?)
}

/// Replaces a worker's token.
pub(super) fn set_token(tx: &mut Tx<'_>, id: HumanId, digest: &Digest) -> Decided<(), Absent> {
    let human = humans::set_token(tx.get(id)?, digest).map_err(Abort::Rejected)?;
    Ok(tx.put(&human)?)
}

/// Creates a bounty, unless it would be one too many. Its id is replaced by a new one.
pub(super) fn create_bounty<D>(tx: &mut Tx<'_>, by: &Author, draft: &Bounty, next: &[NewStep]) -> Decided<BountyId, D> {
    by.over(tx.open_bounties(draft.account_id)?)?;
    let id = tx.next_id::<Bounty>()?;
    steps::add(tx, &NewStep::all_about(next, id.get()))?;
    tx.create(&Bounty { id, ..draft.clone() })?;
    Ok(id)
}

/// Sets the status of a bounty.
pub(super) fn move_bounty(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: BountyId,
    to: BountyStatus,
    by: &Author,
    now: Timestamp,
) -> Decided<(), MoveDenied<BountyStatus>> {
    let bounty: Option<Bounty> = tx.get(id)?;
    let moved = bounties::set_status(bounty.as_ref(), owner, to).map_err(Abort::Rejected)?;
    if let Some((bounty, moved)) = bounty.as_ref().zip(moved.as_ref())
        && quotas::open_bounties(moved)
        && !quotas::open_bounties(bounty)
    {
        by.over(tx.open_bounties(owner)?)?;
    }
    bounties::check_lock(bounty.as_ref()).map_err(Abort::Rejected)?;
    Ok(replace_bounty(
        tx,
        bounty.zip(moved),
        now,
        agent::update_bounty::events,
    )?)
}

/// Changes a bounty for the operator.
pub(super) fn update_bounty(
    tx: &mut Tx<'_>,
    id: BountyId,
    change: &impl Fn(&mut Bounty),
    now: Timestamp,
) -> Decided<(), Absent> {
    let bounty: Option<Bounty> = tx.get(id)?;
    let changed = bounties::update(bounty.as_ref(), change).map_err(Abort::Rejected)?;
    Ok(replace_bounty(
        tx,
        bounty.zip(changed),
        now,
        operator::update_bounty::events,
    )?)
}

/// Writes a bounty in its new state, if it has one, with the events that this causes.
fn replace_bounty(
    tx: &mut Tx<'_>,
    states: Option<(Bounty, Bounty)>,
    now: Timestamp,
    events: impl Fn(&Bounty, &[HumanId]) -> Vec<(Recipient, Event)>,
) -> Result<(), TransactionError> {
    let Some((former, bounty)) = states else {
        return Ok(());
    };
    tx.replace(&former, &bounty)?;
    let applicants = applicants(tx, bounty.id)?;
    emit(tx, events(&bounty, &applicants), now)
}

/// The workers of the first applications to a bounty, as many as get an event.
fn applicants(tx: &Tx<'_>, bounty: BountyId) -> Result<Vec<HumanId>, TransactionError> {
    let rows = tx.index(tables::RECEIVED, &keys::one(bounty), MAX_RECIPIENTS)?;
    let applicant = |row: &Bytes| {
        let application = keys::last(row).map(|id: ApplicationId| tx.get::<Application>(id));
        let application = application.transpose()?.flatten();
        let absent = || TransactionError::Broken("a row of an index without its application".to_owned());
        application.map(|application| application.human_id).ok_or_else(absent)
    };
    rows.iter().map(applicant).collect()
}

/// Stores events with their cause.
fn emit(tx: &mut Tx<'_>, caused: Vec<(Recipient, Event)>, now: Timestamp) -> Result<(), TransactionError> {
    feeds::append(tx, caused, now, Retention::DECLARED)
}

/// Creates an application to a bounty.
pub(super) fn create_application(tx: &mut Tx<'_>, new: &NewApplication) -> Decided<ApplicationId, ApplyDenied> {
    let bounty: Option<Bounty> = tx.get(new.bounty_id)?;
    let exists = tx.get::<Human>(new.human_id)?.is_some();
    let applied = keys::pair(new.bounty_id, new.human_id);
    let applied = tx.read(tables::APPLIED, &applied)?.is_some();
    let id = tx.next_id::<Application>()?;
    let (application, bounty) =
        applications::create(id, new, bounty.as_ref(), exists, applied).map_err(Abort::Rejected)?;
    tx.create(&application)?;
    tx.put(&bounty)?;
    emit(
        tx,
        worker::create_application::events(&application, &bounty),
        new.created_at,
    )?;
    Ok(id)
}

/// Sets the status of an application.
pub(super) fn decide_application(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: ApplicationId,
    to: ApplicationStatus,
    (now, next): (Timestamp, &[NewStep]),
) -> Decided<(), MoveDenied<ApplicationStatus>> {
    let application: Option<Application> = tx.get(id)?;
    let bounty = application
        .as_ref()
        .map(|application| tx.get::<Bounty>(application.bounty_id));
    let bounty = bounty.transpose()?.flatten();
    let decided = applications::decide(application, bounty.as_ref(), owner, to).map_err(Abort::Rejected)?;
    if let Some(application) = decided {
        tx.put(&application)?;
        emit(tx, agent::decide_application::events(&application), now)?;
        steps::add(tx, next)?;
    }
    Ok(())
}

/// Creates a conversation with its first message.
pub(super) fn create_conversation(
    tx: &mut Tx<'_>,
    new: &NewConversation,
) -> Decided<(ConversationId, MessageId), Absent> {
    let exist = tx.get::<Account>(new.account_id)?.is_some() && tx.get::<Human>(new.human_id)?.is_some();
    let (id, message_id) = (tx.next_id::<Conversation>()?, tx.next_id::<Message>()?);
    let (conversation, message) = conversations::create(id, message_id, new, exist).map_err(Abort::Rejected)?;
    tx.create(&conversation)?;
    tx.create(&message)?;
    emit(tx, agent::create_conversation::events(&conversation), new.created_at)?;
    steps::add(tx, &NewStep::all_about(&new.steps, id.get()))?;
    Ok((id, message_id))
}

/// Creates a message in a conversation.
pub(super) fn create_message(tx: &mut Tx<'_>, new: &NewMessage) -> Decided<MessageId, Absent> {
    let former: Option<Conversation> = tx.get(new.conversation_id)?;
    let id = tx.next_id::<Message>()?;
    let (conversation, message) = conversations::add_message(former.as_ref(), id, new).map_err(Abort::Rejected)?;
    if let Some(former) = former {
        tx.replace(&former, &conversation)?;
    }
    tx.create(&message)?;
    let caused = match new.sender {
        Party::Agent(_) => agent::create_message::events(&message, &conversation),
        Party::Human(_) => worker::create_message::events(&message, &conversation),
    };
    emit(tx, caused, new.created_at)?;
    steps::add(tx, &new.steps)?;
    Ok(id)
}
