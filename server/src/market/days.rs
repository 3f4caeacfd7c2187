//! What each day brought: what had been made when it began is noted once a day, so that no write has to count.

use codegen_store::decode;
use contract::{Date, DayCounts, DayStart, DayStartId, Failure, Timestamp};

use crate::store::{Actor, Counts, Decided, Store, StoreError, StoreResult, TransactionError, Trees, Tx, tables};

/// Notes what there was when the day began, or when the server was first started.
pub(crate) async fn note_in(store: &Store, now: Timestamp) {
    let noted = store.write(Actor::Operator, move |tx| note(tx, now)).await;
    if let Err(error) = noted {
        tracing::warn!(%error, "the counts of the day cannot be noted, and are part of those of the day before");
    }
}

/// Notes what there is, if nobody has done so in this day.
pub(crate) fn note(tx: &mut Tx<'_>, now: Timestamp) -> Decided<(), Failure> {
    today(tx, now)?;
    Ok(())
}

/// Counts an application that was decided for the first time.
pub(crate) fn count_decision(tx: &mut Tx<'_>, now: Timestamp) -> Result<(), TransactionError> {
    if let Some(mut day) = today(tx, now)? {
        day.decisions += 1;
        tx.put(&day)?;
    }
    Ok(())
}

/// The record of the present day. The first one who asks makes it. `None` while a server of a fleet runs that does not know these
/// records.
fn today(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<DayStart>, TransactionError> {
    if !tx.has_latest_layout() {
        return Ok(None);
    }
    let today = Date::of(now);
    let last = DayStartId::new(tx.last_id(tables::DAYS)?);
    if let Some(day) = tx.get::<DayStart>(last)?.filter(|day| day.day >= today) {
        return Ok(Some(day));
    }
    let counts = Counts::by(|tree| tx.count(tree))?;
    let day = DayStart {
        id: tx.next_id::<DayStart>()?,
        day: today,
        accounts: counts.accounts,
        workers: counts.humans,
        bounties: counts.bounties,
        applications: counts.sent(),
        messages: counts.messages,
        decisions: 0,
    };
    tx.create(&day)?;
    Ok(Some(day))
}

/// The last days, the present one first.
pub(crate) fn last(trees: &Trees, now: Timestamp, count: u64) -> StoreResult<Vec<DayCounts>> {
    let mut known: Vec<DayStart> = Vec::new();
    for entry in trees.entries(tables::DAYS) {
        let (_, value) = entry?;
        known.push(decode::<DayStart>(&value).map_err(StoreError::damaged)?);
    }
    let present = Counts::read(trees)?;
    let mut end = [
        present.accounts,
        present.humans,
        present.bounties,
        present.sent(),
        present.messages,
    ];
    let today = Date::of(now);
    let mut days = Vec::new();
    for day in (0..count).map_while(|before| today.before(before)) {
        let noted = known.iter().find(|one| one.day >= day);
        let begin = noted.map_or(end, |day| {
            [day.accounts, day.workers, day.bounties, day.applications, day.messages]
        });
        // A restore may leave out what a day brought.
        let [accounts, workers, bounties, applications, messages] =
            std::array::from_fn(|at| (end[at] - begin[at]).max(0));
        days.push(DayCounts {
            day,
            accounts,
            workers,
            bounties,
            applications,
            // There are two records of the day of a restore.
            decisions: known.iter().filter(|one| one.day == day).map(|one| one.decisions).sum(),
            messages,
        });
        end = begin;
    }
    Ok(days)
}
