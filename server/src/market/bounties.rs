//! Bounties: posted and changed by agents, searched and read by agents and workers.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use codegen_store::kept::usage;
use contract::agent::update_bounty::is_locked;
use contract::events::{Event, MAX_RECIPIENTS, Recipient};
use contract::support::conditions::Condition;
use contract::support::{Done, Key};
use contract::{
    AccountId, Application, Bounty, BountyId, BountyList, BountyOffer, BountyStatus, Failure, FindBounty, HumanId,
    Page, Timestamp, agent, quotas, worker,
};

use super::by_key;
use crate::app::Hitode;
use crate::store::{
    Bounties, BountyFilter, BountyPage, BountyView, Change, Decided, Mirror, NewStep, PageRequest, TransactionError,
    Trees, Tx, emit, steps, tables,
};

/// Up to this many rows, a search takes about a millisecond at most, so that the thread of the request may run it.
const MAX_ROWS_INLINE: usize = 100_000;

impl Hitode {
    /// The matching open bounties of accounts that are not suspended, in the contract's order, and their total number.
    pub(super) async fn search_bounties<V: BountyView>(
        &self,
        filter: BountyFilter,
        window: PageRequest,
    ) -> Result<Page<V>, Failure> {
        let find = move |bounties: &Bounties, wanted: &BountyFilter| bounties.find(wanted, window);
        let page = self.find(&filter, find).await?;
        let cache = self.bounty_rows();
        let (page, first) = match cache.page(&page.rows) {
            Some(all) => (page, all),
            None => {
                let cache = Arc::clone(cache);
                let choose =
                    move |trees: &Trees, mirror: &RwLock<Mirror>| cache.choose(trees, mirror, &filter, window, page);
                self.read(choose).await?
            }
        };
        let BountyPage { rows, total } = page;
        let rows = self.store().rows_at_hand(cache.rest(rows, first))?;
        Ok(Page { rows, total })
    }

    /// What `find` finds by a filter, where it may take as long as it needs.
    async fn find<T: Send + 'static>(
        &self,
        filter: &BountyFilter,
        find: impl Fn(&Bounties, &BountyFilter) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let sandbox = filter.sandbox;
        // Each word is searched in all titles.
        let words = filter.conditions.iter().map(|condition| match condition {
            Condition::Words(_, words) => words.len(),
            _ => 0,
        });
        let words: usize = words.sum();
        let inline = |mirror: &Mirror| {
            let bounties = mirror.bounties.of(sandbox);
            (bounties.len().saturating_mul(words + 1) <= MAX_ROWS_INLINE).then(|| find(bounties, filter))
        };
        if let Some(found) = self.look(inline)? {
            return Ok(found);
        }
        let wanted = filter.clone();
        let search = move |mirror: &Mirror| find(mirror.bounties.of(sandbox), &wanted);
        Ok(self.store().search(search).await?)
    }

    /// The bounties of an account in this status, or in any, in the contract's order, and their total number.
    pub(crate) async fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> Result<Page<BountyList>, Failure> {
        let (ids, total) = self.look(|mirror| mirror.own_bounties(account, status, window))?;
        let rows = self.rows(self.bounty_rows().own(ids)).await?;
        Ok(Page { rows, total })
    }
}

impl FindBounty for Hitode {
    async fn find_bounty(&self, id: BountyId) -> Result<Option<Arc<Bounty>>, Failure> {
        let cache = self.bounty_rows();
        let listed = self.look(|mirror| mirror.listed_bounty(id))?;
        if let Some(bounty) = listed.and_then(|row| cache.record(row)) {
            return Ok(Some(bounty));
        }
        let cache = Arc::clone(cache);
        self.read(move |trees, mirror| cache.find(trees, mirror, id)).await
    }
}

impl agent::ListBounties for Hitode {
    async fn list_bounties(
        &self,
        request: agent::list_bounties::Request,
    ) -> Result<Page<BountyList>, agent::list_bounties::Error> {
        let query = request.query;
        let wanted = BountyFilter {
            conditions: query.conditions(),
            order: None,
            sandbox: request.caller.realm,
        };
        let window = PageRequest::new(query.limit, query.offset);
        Ok(self.search_bounties(wanted, window).await?)
    }
}

impl agent::ListMyBounties for Hitode {
    async fn list_my_bounties(
        &self,
        request: agent::list_my_bounties::Request,
    ) -> Result<Page<BountyList>, agent::list_my_bounties::Error> {
        let (account, query) = (request.caller.id, request.query);
        let window = PageRequest::new(query.limit, query.offset);
        Ok(self.own_bounties(account, query.status, window).await?)
    }
}

impl worker::ListBounties for Hitode {
    async fn list_bounties(
        &self,
        request: worker::list_bounties::Request,
    ) -> Result<Page<BountyOffer>, worker::list_bounties::Error> {
        let query = request.query;
        let wanted = BountyFilter {
            conditions: query.conditions(),
            order: Some(query.sort),
            sandbox: request.caller.realm,
        };
        let window = PageRequest::new(query.limit, query.offset);
        Ok(self.search_bounties(wanted, window).await?)
    }
}

impl worker::ListCategories for Hitode {
    async fn list_categories(
        &self,
        request: worker::list_categories::Request,
    ) -> Result<worker::list_categories::Success, worker::list_categories::Error> {
        let wanted = BountyFilter {
            conditions: request.query.conditions(),
            order: None,
            sandbox: request.caller.realm,
        };
        let count = |bounties: &Bounties, wanted: &BountyFilter| bounties.values("category", wanted);
        let found = self.find(&wanted, count).await?;
        Ok(worker::list_categories::Success::from_counts(found))
    }
}

impl agent::CreateBounty for Hitode {
    async fn create_bounty(
        &self,
        request: agent::create_bounty::Request,
    ) -> Result<Done<agent::create_bounty::Success>, agent::create_bounty::Error> {
        let rest = agent::create_bounty::Rest {
            id: BountyId::new(0),
            account_id: request.caller.id,
        };
        let steps = self.simulated(&request.caller, |plan| {
            plan.applications(request.body.category.as_deref())
        });
        let by = by_key(&request.caller).counting(request.uses, self.now());
        let bounty = request.body.into_bounty(rest);
        let once = request.once.map(|id| agent::create_bounty::Success { id });
        self.write_once(by, once, move |tx| create(tx, &bounty, &steps)).await
    }
}

impl agent::ValidateBounty for Hitode {
    async fn validate_bounty(
        &self,
        request: agent::validate_bounty::Request,
    ) -> Result<(), agent::validate_bounty::Error> {
        let account = request.caller.id;
        let by = by_key(&request.caller).counting(request.uses, self.now());
        let tried = self.store().dry_run(by, move |tx| hold_open(tx, account)).await;
        tried.map_err(Failure::from)?
    }
}

impl agent::UpdateBounty for Hitode {
    async fn update_bounty(&self, request: agent::update_bounty::Request) -> Result<(), agent::update_bounty::Error> {
        let (id, to, now) = (request.owned_bounty.id, request.body.status, self.now());
        let by = by_key(&request.caller).counting(request.uses, now);
        self.write(by, move |tx| set_status(tx, id, to, now)).await
    }
}

/// Creates a bounty, unless it would be one too many. Its id is drawn. Simulated workers will take these steps about it.
pub(crate) fn create<D>(tx: &mut Tx<'_>, bounty: &Bounty, next: &[NewStep]) -> Decided<BountyId, D> {
    hold_open(tx, bounty.account_id)?;
    let id = tx.next_id::<Bounty>()?;
    steps::add(tx, &NewStep::all_about(next, id.get()))?;
    tx.create(&Bounty { id, ..bounty.clone() })?;
    Ok(id)
}

/// Rejects a write that makes one more open bounty of an account, if it would exceed the quota.
fn hold_open<D>(tx: &Tx<'_>, account: AccountId) -> Decided<(), D> {
    let present = {
        let mirror = tx.view()?;
        let changed: BTreeMap<BountyId, bool> = tx
            .changes()
            .filter_map(|change| match change {
                Change::Bounty(bounty) if bounty.account_id == account => Some((bounty.id, bounty.counts_as_open)),
                _ => None,
            })
            .collect();
        let more = changed
            .iter()
            .map(|(id, counts)| i64::from(*counts) - i64::from(mirror.counts_as_open(account, *id)));
        mirror.open_bounties(account) + more.sum::<i64>()
    };
    usage::hold(tx, present)
}

/// Sets the status of a bounty.
pub(crate) fn set_status(
    tx: &mut Tx<'_>,
    id: BountyId,
    to: BountyStatus,
    now: Timestamp,
) -> Decided<(), agent::update_bounty::Error> {
    use agent::update_bounty::{Error, events};
    let former: Bounty = tx.existing(id)?;
    let from = former.status;
    if !from.may_become(to) {
        return Err(Error::Move { from, to }.into());
    }
    let bounty = Bounty {
        status: to,
        ..former.clone()
    };
    if quotas::open_bounties(&bounty) && !quotas::open_bounties(&former) {
        hold_open(tx, former.account_id)?;
    }
    if is_locked(&former) {
        return Err(Error::Locked.into());
    }
    Ok(replace(tx, &former, &bounty, now, events)?)
}

/// Writes a bounty in its new state, if it differs, with the events that this causes.
fn replace(
    tx: &mut Tx<'_>,
    former: &Bounty,
    bounty: &Bounty,
    now: Timestamp,
    events: impl Fn(&Bounty, &[HumanId]) -> Vec<(Recipient, Event)>,
) -> Result<(), TransactionError> {
    if bounty == former {
        return Ok(());
    }
    tx.replace(former, bounty)?;
    let applicants = applicants(tx, bounty.id)?;
    emit(tx, events(bounty, &applicants), now)
}

/// The workers of the first applications to a bounty, as many as get an event.
fn applicants(tx: &Tx<'_>, bounty: BountyId) -> Result<Vec<HumanId>, TransactionError> {
    let applications = tx.listed::<Application>(tables::RECEIVED, &bounty.bytes(), MAX_RECIPIENTS)?;
    let applicant = |id| tx.existing(id).map(|application: Application| application.human_id);
    applications.into_iter().map(applicant).collect()
}
