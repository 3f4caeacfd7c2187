//! The open bounties of a realm in memory, in the contract's order: of each its id and what orders and filters compare. Their
//! texts stay in the engine, which reads the rows of a page by [`BountyVersion`]. Of the bounties that no list shows, only the
//! ids.

use std::collections::HashSet;

use contract::agent::list_bounties::shows_of_account;
use contract::{Account, AccountId, BountyId, BountyOrder, BountyStatus, Date, Number};

use super::bounty_orders::{BountyOrders, OrderKey};
use super::changed_bounty::{COLUMNS, ChangedBounty};
use super::columns::{Columns, Test, insert, retain};
use super::owned::Owned;
use crate::store::filter::{BountyFilter, PageRequest, count};

/// The open bounties of accounts that are not suspended.
pub(crate) struct Bounties {
    /// In the order of ids, so from the last row of the list to the first: new bounties go to the end.
    rows: Vec<BountyRow>,
    /// Of the row at the same place.
    columns: Columns,
    /// The rows in the other orders that a list can have.
    orders: BountyOrders,
    /// Of all bounties, also those that no list shows.
    owned: Owned,
    /// Accounts whose bounties no list shows.
    hidden: HashSet<AccountId>,
}

/// How many rows are looked at in the time of one step through an order, which searches the place of its row.
const STEP_COST: usize = 32;

/// A row of a list as it is between two changes of its bounty or of its account's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BountyVersion {
    /// Which bounty.
    pub(crate) id: BountyId,
    /// The update of the mirror that changed the row last.
    update: u64,
}

/// The rows of a page, to be read from the engine.
pub(crate) struct BountyPage {
    /// In the contract's order.
    pub(crate) rows: Vec<BountyVersion>,
    /// The number of rows on all pages.
    pub(crate) total: i64,
}

#[derive(Clone, Copy)]
struct BountyRow {
    version: BountyVersion,
    account_id: AccountId,
    budget: Number,
    deadline: Option<Date>,
}

impl BountyRow {
    fn new(bounty: &ChangedBounty, update: u64) -> Self {
        Self {
            version: BountyVersion { id: bounty.id, update },
            account_id: bounty.account_id,
            budget: bounty.budget,
            deadline: bounty.deadline,
        }
    }

    /// What the orders compare.
    fn order_key(&self) -> OrderKey {
        OrderKey {
            id: self.version.id,
            budget: self.budget,
            deadline: self.deadline,
        }
    }
}

/// The places of the rows that meet conditions.
enum Matching<'b> {
    /// All rows.
    All,
    /// Those that meet the test.
    One(Test<'b>),
    /// Those that meet the tests: these, ascending.
    Each(Vec<Test<'b>>, Vec<usize>),
}

impl Matching<'_> {
    fn accepts(&self, place: usize) -> bool {
        match self {
            Self::All => true,
            Self::One(test) => test.accepts(place),
            Self::Each(tests, _) => tests.iter().all(|test| test.accepts(place)),
        }
    }
}

impl Default for Bounties {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            columns: Columns::new(&COLUMNS),
            orders: BountyOrders::default(),
            owned: Owned::default(),
            hidden: HashSet::new(),
        }
    }
}

impl Bounties {
    /// The row of a bounty, if lists show it, and its account.
    pub(super) fn get(&self, id: BountyId) -> Option<(BountyVersion, AccountId)> {
        let row = &self.rows[self.place(id).ok()?];
        Some((row.version, row.account_id))
    }

    /// A page of the ids of an account's bounties in this status, or in any, and their total number.
    pub(crate) fn owned(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        self.owned.page(account, status, window)
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(crate) fn count_open(&self, account: AccountId) -> i64 {
        self.owned.open(account)
    }

    /// Whether this bounty of an account does.
    pub(crate) fn counts_as_open(&self, account: AccountId, id: BountyId) -> bool {
        self.owned.is_open(account, id)
    }

    /// How many rows the list without conditions has.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many are open, including those of suspended accounts.
    pub(super) fn open(&self) -> usize {
        self.owned.shown()
    }

    /// A page of the matching bounties, in the contract's order.
    pub(crate) fn find(&self, filter: &BountyFilter, window: PageRequest) -> BountyPage {
        let Some(matching) = self.matching(filter) else {
            return BountyPage {
                rows: Vec::new(),
                total: 0,
            };
        };
        let total = match &matching {
            Matching::All => self.rows.len(),
            Matching::One(test) => test.count(),
            Matching::Each(_, places) => places.len(),
        };
        let order = filter.order.unwrap_or(BountyOrder::Newest);
        let places = self.page(matching, order, window, total);
        BountyPage {
            rows: places.into_iter().map(|place| self.rows[place].version).collect(),
            total: count(total),
        }
    }

    /// The values of a field of the matching bounties, each with their number.
    pub(crate) fn values(&self, field: &str, filter: &BountyFilter) -> Vec<(String, u64)> {
        match self.matching(filter) {
            None => Vec::new(),
            Some(Matching::All) => self.columns.counts(field, 0..self.rows.len()),
            Some(Matching::One(test)) => self.columns.counts(field, test.places().into_iter()),
            Some(Matching::Each(_, places)) => self.columns.counts(field, places.into_iter()),
        }
    }

    /// The rows that meet a filter, or `None` if no row can meet it.
    fn matching(&self, filter: &BountyFilter) -> Option<Matching<'_>> {
        let mut tests = self.columns.tests(&filter.conditions)?;
        Some(match tests.len() {
            0 => Matching::All,
            1 => Matching::One(tests.remove(0)),
            _ => {
                let places = Test::all(&tests);
                Matching::Each(tests, places)
            }
        })
    }

    /// The places of the rows on a page, of so many in `total`: behind the last one, nothing is looked at.
    fn page(&self, matching: Matching<'_>, order: BountyOrder, window: PageRequest, total: usize) -> Vec<usize> {
        let is_wanted = |place: &usize| matching.accepts(*place);
        let Some(ids) = self.orders.ids(order) else {
            return match &matching {
                Matching::All => window.of((0..self.rows.len()).rev()).collect(),
                Matching::One(test) => {
                    let last = test.last(window.positions().end.min(total));
                    window.of(last.into_iter()).collect()
                }
                Matching::Each(_, places) => window.of(places.iter().rev().copied()).collect(),
            };
        };
        let place = |id: BountyId| self.place(id).ok();
        match matching {
            Matching::All => window.of(ids).filter_map(place).collect(),
            _ if self.is_near(&window, total) => {
                let wanted = ids.filter_map(place).filter(is_wanted);
                window.of(wanted.take(total)).collect()
            }
            // In the order, the rows of the page would be far away.
            Matching::One(test) => self.sorted(order, test.places(), window),
            Matching::Each(_, places) => self.sorted(order, places, window),
        }
    }

    /// A page of the rows at these places.
    fn sorted(&self, order: BountyOrder, places: Vec<usize>, window: PageRequest) -> Vec<usize> {
        OrderKey::page(order, places, window.positions(), |place| self.rows[*place].order_key())
    }

    /// Whether a page of so many rows in `total` is found sooner on the way through an order than by a look at all rows, each of
    /// which takes less time.
    fn is_near(&self, window: &PageRequest, total: usize) -> bool {
        let steps = self.rows.len().saturating_mul(window.positions().end) / total.max(1);
        steps.saturating_mul(STEP_COST) <= self.rows.len()
    }

    /// Updates bounties, in the order of their ids, to their new state. One that lists show no more is removed.
    pub(super) fn apply(&mut self, changed: Vec<ChangedBounty>, update: u64) {
        let mut new = Vec::new();
        for bounty in changed {
            self.owned.set(&bounty);
            let is_listed = bounty.is_shown && !self.hidden.contains(&bounty.account_id);
            match (self.place(bounty.id), is_listed) {
                (Ok(place), true) => {
                    let former = std::mem::replace(&mut self.rows[place], BountyRow::new(&bounty, update));
                    self.columns.set(place, &bounty.cells);
                    self.orders.remove(&former.order_key());
                    self.orders.insert(&self.rows[place].order_key());
                }
                (Ok(place), false) => {
                    let former = self.rows.remove(place);
                    self.columns.remove(place);
                    self.orders.remove(&former.order_key());
                }
                (Err(_), true) => new.push(bounty),
                (Err(_), false) => {}
            }
        }
        self.insert(&new, update);
        self.columns.forget_texts(1_000 + 2 * self.rows.len());
    }

    /// The ids of all bounties that the account's lists get back when its suspension ends; none if it is not suspended.
    pub(super) fn hidden_of(&self, account: AccountId) -> Vec<BountyId> {
        match self.hidden.contains(&account) {
            true => self.owned.shown_of(account).collect(),
            false => Vec::new(),
        }
    }

    /// Removes the account's bounties if lists do not show them, as the contract states. If they are shown again,
    /// [`Self::apply`] has to receive them.
    pub(super) fn show(&mut self, account: &Account) {
        if shows_of_account(account) {
            self.hidden.remove(&account.id);
        } else if self.hidden.insert(account.id) {
            let kept: Vec<bool> = self.rows.iter().map(|row| row.account_id != account.id).collect();
            for (row, _) in self.rows.iter().zip(&kept).filter(|(_, is_kept)| !**is_kept) {
                self.orders.remove(&row.order_key());
            }
            self.columns.retain(&kept);
            retain(&mut self.rows, &kept);
        }
    }

    /// Updates the account's name on its bounties. Scans all rows, so it is called only when the name changes.
    pub(super) fn rename(&mut self, account: AccountId, update: u64) {
        for row in self.rows.iter_mut().filter(|row| row.account_id == account) {
            row.version.update = update;
        }
    }

    /// The place of a bounty's row, or the place where it belongs.
    fn place(&self, id: BountyId) -> Result<usize, usize> {
        self.rows.binary_search_by_key(&id, |row| row.version.id)
    }

    /// Inserts rows in the order of their ids.
    fn insert(&mut self, new: &[ChangedBounty], update: u64) {
        let rows: Vec<_> = new.iter().map(|bounty| BountyRow::new(bounty, update)).collect();
        let place = |row: &BountyRow| self.rows.partition_point(|other| other.version.id < row.version.id);
        let places: Vec<usize> = rows.iter().map(place).collect();
        let cells: Vec<_> = new.iter().map(|bounty| &*bounty.cells).collect();
        for row in &rows {
            self.orders.insert(&row.order_key());
        }
        insert(&mut self.rows, &places, &rows);
        self.columns.insert(&places, &cells);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;

    use contract::agent::list_bounties as agent;
    use contract::support::conditions::Condition;
    use contract::support::text::{Part, fold};
    use contract::worker::list_bounties::{Query, matches, order, shows};
    use contract::{AccountSeed, Bounty, BountySeed, Number, Plan, Timestamp};

    use super::*;
    use crate::store::mirror::{Change, Mirror, Update};

    fn account(id: i64) -> Arc<Account> {
        Arc::new(Account::from(AccountSeed {
            id: AccountId::new(id),
            name: format!("account {id}"),
            plan: Plan::Free,
            created_at: Timestamp::from_unix(0),
        }))
    }

    fn accounts() -> HashMap<AccountId, Arc<Account>> {
        (1..4).map(|id| (AccountId::new(id), account(id))).collect()
    }

    /// A bounty whose properties follow from its id and `turn`.
    fn bounty(id: i64, turn: i64) -> Bounty {
        let mut bounty = Bounty::from(BountySeed {
            id: BountyId::new(id),
            account_id: AccountId::new(id % 3 + 1),
            title: "A task".to_owned(),
            description: "To be done".to_owned(),
            budget: Number::ZERO,
        });
        bounty.category = ((id + turn) % 4 != 0).then(|| format!("Category {}", (id + turn) % 4));
        let town = ["", "京都市 ", "東京都 ", "KYOTO-FU "][id as usize % 4];
        bounty.location = ((id * turn) % 5 != 0).then(|| format!("{town}Street {} of {}", id * turn % 50, turn % 3));
        bounty.is_remote = (id ^ turn) % 3 == 0;
        bounty.deadline = Date::parse(&format!("2026-01-{:02}", id * turn % 28 + 1)).filter(|_| (id + turn) % 3 != 0);
        bounty.budget = Number::from((id + 2 * turn) % 9);
        bounty.required_skills = (0..(id + turn) % 3)
            .map(|nth| format!("Skill {}", (id + nth) % 5))
            .collect();
        if (id + turn) % 7 == 0 {
            bounty.status = BountyStatus::Cancelled;
        }
        bounty
    }

    /// Compares all filters with a plain scan of `all`, by the conditions of the contract.
    fn check(bounties: &Bounties, all: &BTreeMap<i64, Bounty>, accounts: &HashMap<AccountId, Arc<Account>>) {
        let categories = [None, Some("ＣＡＴＥＧＯＲＹ 2"), Some("Category"), Some("none")];
        let locations = [
            None,
            Some("street 1"),
            Some("OF 2"),
            Some("7 of"),
            Some("1 of 1street"),
            Some("ｋｙｏｔｏ"),
            Some("none"),
        ];
        let budgets = [None, Some(Number::ZERO), Some(Number::from(4))];
        let skills = [None, Some("ＳＫＩＬＬ 3"), Some("Skill")];
        let searches = [
            (None, BountyOrder::Newest),
            (None, BountyOrder::Deadline),
            (Some("street 1"), BountyOrder::Pay),
            (Some("ＴＡＳＫ 3"), BountyOrder::Deadline),
            (Some("skill gory"), BountyOrder::Newest),
            (Some("none task"), BountyOrder::Pay),
        ];
        for (category, location) in categories.iter().flat_map(|c| locations.map(|l| (*c, l))) {
            let others = [false, true].into_iter().flat_map(|r| budgets.map(|b| (r, b)));
            let others = others.flat_map(|o| skills.map(|s| (o, s)));
            let all_of = others.flat_map(|o| searches.map(|s| (o, s)));
            for (((remote_only, min_budget), skill), (words, by)) in all_of {
                let query = Query {
                    category: category.map(str::to_owned),
                    is_remote: Some(remote_only),
                    location: location.map(str::to_owned),
                    min_budget,
                    skill: skill.map(str::to_owned),
                    q: words.map(str::to_owned),
                    sort: by,
                    ..Query::parse("").expect("all are optional")
                };
                let filter = BountyFilter {
                    conditions: query.conditions(),
                    order: Some(by),
                    sandbox: false,
                };
                if min_budget.is_none() && skill.is_none() && words.is_none() && by == BountyOrder::Newest {
                    let query = agent::Query {
                        category: query.category.clone(),
                        is_remote: query.is_remote,
                        location: query.location.clone(),
                        ..agent::Query::parse("").expect("all are optional")
                    };
                    let filter = BountyFilter {
                        conditions: query.conditions(),
                        ..BountyFilter::default()
                    };
                    let matches = |one: &&Bounty| agent::matches(one, &accounts[&one.account_id], &query, false);
                    let found = bounties.find(&filter, PageRequest::new(1, 0));
                    assert_eq!(found.total, all.values().filter(matches).count() as i64, "{filter:?}");
                }
                let matches = |one: &&Bounty| matches(one, &accounts[&one.account_id], &query, false);
                let mut expected: Vec<_> = all.values().filter(matches).collect();
                if category.is_none() && by == BountyOrder::Newest {
                    let mut categories: BTreeMap<String, u64> = BTreeMap::new();
                    for one in expected.iter().filter_map(|one| one.category.as_deref()) {
                        *categories.entry(fold(one)).or_default() += 1;
                    }
                    assert_eq!(
                        BTreeMap::from_iter(bounties.values("category", &filter)),
                        categories,
                        "{filter:?}"
                    );
                }
                expected.sort_by(|a, b| order(by, a, b));
                let expected: Vec<_> = expected.into_iter().map(|one| one.id.get()).collect();
                // Near the start a page is found in the order, and otherwise among all rows.
                for (limit, offset) in [(1, 0), (3, 2)] {
                    let page = bounties.find(&filter, PageRequest::new(limit, offset));
                    assert_eq!(page.total, expected.len() as i64, "{filter:?}");
                    let ids: Vec<_> = page.rows.iter().map(|row| row.id.get()).collect();
                    let wanted = expected.iter().copied().skip(offset as usize).take(limit as usize);
                    assert_eq!(ids, wanted.collect::<Vec<_>>(), "{filter:?}");
                }
            }
        }
    }

    #[test]
    fn lists_are_those_of_a_plain_scan_after_any_changes() {
        let mut accounts = accounts();
        let (mut bounties, mut all) = (Bounties::default(), BTreeMap::new());
        for turn in 0..20 {
            let changed: Vec<_> = (1..100)
                .filter(|id| (id * 31 + turn * 17) % 11 < 3)
                .map(|id| bounty(id, turn))
                .collect();
            bounties.apply(changed.iter().map(ChangedBounty::from).collect(), turn as u64);
            all.extend(changed.into_iter().map(|one| (one.id.get(), one)));
            if turn % 4 == 0 {
                let account = accounts.get_mut(&AccountId::new(2)).map(Arc::make_mut);
                let account = account.expect("it is there");
                account.suspended = turn % 8 == 0;
                let returning = match account.suspended {
                    true => Vec::new(),
                    false => bounties.hidden_of(account.id),
                };
                bounties.show(account);
                let returning = returning.iter().map(|id| ChangedBounty::from(&all[&id.get()]));
                bounties.apply(returning.collect(), turn as u64);
            }
            let open = all.values().filter(|one| shows(one)).count();
            assert_eq!(bounties.open(), open);
            // Sometimes with a suspended account, and sometimes without.
            if turn % 5 == 4 {
                check(&bounties, &all, &accounts);
            }
        }
    }

    #[test]
    fn the_order_of_ids_is_the_contracts_backwards() {
        let all: Vec<_> = (1..50).map(|id| bounty(id, 50 - id)).collect();
        assert!(all.is_sorted_by(|a, b| order(BountyOrder::Newest, a, b).is_gt()));
    }

    /// Accounts that share open bounties in one place, each with a text of 10,000 characters.
    fn filled(accounts: i64, bounties: i64) -> Mirror {
        let mut mirror = Mirror::default();
        let all = (1..=accounts).map(account).map(Change::Account);
        mirror.apply(Update::from_changes(all.collect()));
        for id in 1..=bounties {
            let bounty = Bounty {
                account_id: AccountId::new(id % accounts + 1),
                description: "字".repeat(10_000),
                required_skills: vec!["字".repeat(100)],
                category: Some("errand".to_owned()),
                location: Some("Kyoto".to_owned()),
                status: BountyStatus::Open,
                ..bounty(id, 0)
            };
            mirror.apply(Update::from_changes(vec![Change::Bounty((&bounty).into())]));
        }
        mirror
    }

    /// What `fill` returns, and the bytes of memory that it takes.
    fn measured<T>(fill: impl FnOnce() -> T) -> (T, i64) {
        let mut filled = None;
        let counted = allocation_counter::measure(|| filled = Some(fill()));
        (filled.expect("it was filled"), counted.bytes_current)
    }

    #[test]
    fn a_bounty_takes_440_bytes_at_most_besides_its_title() {
        // At one more than a power of two, the lists have just grown.
        for (accounts, count) in [(1, 1_025), (1, 4_096), (1_025, 1_025)] {
            let (_, empty) = measured(|| filled(accounts, 0));
            let (mirror, bytes) = measured(|| filled(accounts, count));
            assert_eq!(mirror.bounties.open() as i64, count);
            let each = (bytes - empty) / count;
            println!("{each} bytes for each of {count} bounties of {accounts} accounts");
            assert!(each <= 440, "{each} bytes");
        }
    }

    #[test]
    fn of_the_bounties_of_a_suspended_account_only_the_ids_stay_in_memory() {
        let count = 4_096;
        let (_, empty) = measured(|| filled(1, 0));
        let (mut mirror, bytes) = measured(|| filled(1, count));
        let mut account = Account::clone(mirror.account(AccountId::new(1)).expect("it is there"));
        account.suspended = true;
        let suspend = Update::from_changes(vec![Change::Account(Arc::new(account))]);
        let ((), freed) = measured(|| mirror.apply(suspend));
        let each = (bytes + freed - empty) / count;
        assert!(each <= 32, "{each} bytes");
        assert_eq!((mirror.bounties.of(false).len(), mirror.bounties.open()), (0, 4_096));
    }

    #[test]
    fn texts_of_closed_bounties_are_forgotten() {
        let mut bounties = Bounties::default();
        for id in 1..10_000 {
            let mut one = bounty(3, 1);
            one.location = Some(format!("Street {id}"));
            bounties.apply(vec![ChangedBounty::from(&one)], 1);
        }
        let kept = bounties.columns.texts("location");
        assert!(kept <= 1_003, "{kept}");
        let wanted = Part::of("street 9999".to_owned(), fold);
        let filter = BountyFilter {
            conditions: vec![Condition::Part("location", wanted)],
            ..BountyFilter::default()
        };
        assert_eq!(bounties.find(&filter, PageRequest::new(1, 0)).total, 1);
    }
}
