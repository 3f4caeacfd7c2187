//! The open bounties of a realm in memory, in the contract's order: of each its id and a short key that filters compare. Their
//! texts stay in the engine, which reads the rows of a page by [`BountyVersion`]. Of the bounties that no list shows, only the
//! ids.

use std::collections::{BTreeSet, HashSet};

use contract::agent::list_bounties::shows_of_account;
use contract::support::text::fold;
use contract::{Account, AccountId, BountyId, BountyOrder, BountyStatus, Date, Number};

use super::bounty_orders::{BountyOrders, OrderKey};
use super::changed_bounty::{ChangedBounty, between_ends};
use super::owned::Owned;
use super::texts::{TextSet, Texts};
use crate::prefectures;
use crate::search::TextId;
use crate::store::filter::{BountyFilter, PageRequest, count};

/// The open bounties of accounts that are not suspended.
pub(crate) struct Bounties {
    /// In the order of ids, so from the last row of the list to the first: new bounties go to the end.
    rows: Vec<BountyRow>,
    /// Of the row at the same place. A search reads all keys, so they are small and lie side by side.
    keys: Vec<RowKey>,
    /// The rows in the other orders that a list can have.
    orders: BountyOrders,
    /// How many rows are remote.
    remote: usize,
    titles: Texts,
    categories: Texts,
    locations: Texts,
    skills: Texts,
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
    title: Option<TextId>,
    deadline: Option<Date>,
}

impl BountyRow {
    /// What the orders compare of the bounty with this key.
    fn order_key(&self, key: &RowKey) -> OrderKey {
        OrderKey {
            id: self.version.id,
            budget: key.budget,
            deadline: self.deadline,
        }
    }
}

/// The properties that the filters of every list compare.
#[derive(Clone, Copy)]
struct RowKey {
    category: Option<TextId>,
    location: Option<TextId>,
    skills: Option<TextId>,
    is_remote: bool,
    budget: Number,
}

/// A filter in the numbers of its texts.
struct Condition {
    category: Option<TextId>,
    locations: Option<TextSet>,
    skills: Option<TextSet>,
    words: Vec<Word>,
    remote_only: bool,
    min_budget: Option<Number>,
}

/// A word of a search: the texts of which it is a part.
struct Word {
    titles: TextSet,
    categories: TextSet,
    locations: TextSet,
    skills: TextSet,
}

impl Word {
    fn is_in(&self, row: &BountyRow, key: &RowKey) -> bool {
        let has = |set: &TextSet, text: Option<TextId>| text.is_some_and(|text| set.contains(text));
        has(&self.titles, row.title)
            || has(&self.categories, key.category)
            || has(&self.locations, key.location)
            || has(&self.skills, key.skills)
    }
}

impl Condition {
    /// Whether every row meets it.
    fn is_none(&self) -> bool {
        self.category.is_none()
            && self.locations.is_none()
            && self.skills.is_none()
            && self.words.is_empty()
            && self.min_budget.is_none()
            && !self.remote_only
    }

    fn accepts(&self, key: &RowKey) -> bool {
        (!self.remote_only || key.is_remote)
            && (self.category.is_none() || key.category == self.category)
            && self.min_budget.is_none_or(|least| least <= key.budget)
            && is_in(self.locations.as_ref(), key.location)
            && is_in(self.skills.as_ref(), key.skills)
    }

    /// Whether a row meets it.
    fn accepts_row(&self, row: &BountyRow, key: &RowKey) -> bool {
        self.accepts(key) && self.words.iter().all(|word| word.is_in(row, key))
    }

    /// How many of these it accepts, of which so many are `remote`. It is not none.
    fn count(&self, rows: &[BountyRow], keys: &[RowKey], remote: usize) -> usize {
        // With one condition, the loop needs no branches for the others.
        match (self.category, &self.locations, &self.skills, self.min_budget) {
            _ if !self.words.is_empty() => {
                let all = rows.iter().zip(keys);
                all.filter(|(row, key)| self.accepts_row(row, key)).count()
            }
            (None, None, None, None) => remote,
            (None, Some(wanted), None, None) if !self.remote_only => {
                let is_wanted = |key: &&RowKey| key.location.is_some_and(|location| wanted.contains(location));
                keys.iter().filter(is_wanted).count()
            }
            _ => keys.iter().filter(|key| self.accepts(key)).count(),
        }
    }
}

/// Whether a text is one of the wanted ones, if any are.
fn is_in(wanted: Option<&TextSet>, text: Option<TextId>) -> bool {
    wanted.is_none_or(|wanted| text.is_some_and(|text| wanted.contains(text)))
}

impl Default for Bounties {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            keys: Vec::new(),
            orders: BountyOrders::default(),
            remote: 0,
            titles: Texts::default(),
            categories: Texts::shared(),
            locations: Texts::shared(),
            skills: Texts::shared(),
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
        let Some(condition) = self.condition(filter) else {
            return BountyPage {
                rows: Vec::new(),
                total: 0,
            };
        };
        let order = filter.order.unwrap_or(BountyOrder::Newest);
        let total = match condition.is_none() {
            true => self.rows.len(),
            false => condition.count(&self.rows, &self.keys, self.remote),
        };
        let places = self.page(&condition, order, window, total);
        BountyPage {
            rows: places.into_iter().map(|place| self.rows[place].version).collect(),
            total: count(total),
        }
    }

    /// The categories of the matching bounties, each with their number.
    pub(crate) fn categories(&self, filter: &BountyFilter) -> Vec<(String, u64)> {
        let Some(condition) = self.condition(filter) else {
            return Vec::new();
        };
        let mut numbers = vec![0_u64; self.categories.len()];
        let all = self.rows.iter().zip(&self.keys);
        for (_, key) in all.filter(|(row, key)| condition.accepts_row(row, key)) {
            if let Some(category) = key.category {
                numbers[category.index()] += 1;
            }
        }
        let found = self.categories.iter().zip(numbers).filter(|(_, number)| *number > 0);
        found.map(|(text, number)| (text.to_owned(), number)).collect()
    }

    /// The places of the rows on a page, of so many in `total`.
    fn page(&self, condition: &Condition, order: BountyOrder, window: PageRequest, total: usize) -> Vec<usize> {
        let is_wanted = |place: &usize| condition.accepts_row(&self.rows[*place], &self.keys[*place]);
        match self.orders.ids(order) {
            None => window.of(self.matching(condition, total)).collect(),
            Some(ids) if condition.is_none() => window.of(ids).filter_map(|id| self.place(id).ok()).collect(),
            Some(ids) if self.is_near(&window, total) => {
                let places = ids.filter_map(|id| self.place(id).ok());
                window.of(places.filter(is_wanted).take(total)).collect()
            }
            // In the order, the rows of the page would be far away.
            Some(_) => {
                let places = self.matching(condition, total).collect();
                OrderKey::page(order, places, window.positions(), |place| self.order_key(*place))
            }
        }
    }

    /// The places of the rows that meet the condition, the newest first. They are so many in `total`: behind the last one,
    /// nothing is looked at.
    fn matching<'s>(&'s self, condition: &'s Condition, total: usize) -> Box<dyn Iterator<Item = usize> + 's> {
        let last_first = (0..self.rows.len()).rev();
        let keys = self.keys.iter().enumerate().rev();
        if condition.is_none() {
            Box::new(last_first)
        } else if condition.words.is_empty() {
            let wanted = keys.filter(|(_, key)| condition.accepts(key));
            Box::new(wanted.map(|(place, _)| place).take(total))
        } else {
            let wanted = keys.filter(|(place, key)| condition.accepts_row(&self.rows[*place], key));
            Box::new(wanted.map(|(place, _)| place).take(total))
        }
    }

    /// Whether a page of so many rows in `total` is found sooner on the way through an order than by a look at all rows, each of
    /// which takes less time.
    fn is_near(&self, window: &PageRequest, total: usize) -> bool {
        let steps = self.rows.len().saturating_mul(window.positions().end) / total.max(1);
        steps.saturating_mul(STEP_COST) <= self.rows.len()
    }

    fn order_key(&self, place: usize) -> OrderKey {
        self.rows[place].order_key(&self.keys[place])
    }

    /// The condition of a filter, or `None` if no bounty can meet it.
    fn condition(&self, filter: &BountyFilter) -> Option<Condition> {
        let category = match &filter.category {
            Some(category) => Some(self.categories.find(&fold(category))?),
            None => None,
        };
        let locations = filter.location.as_deref().map(|part| match filter.with_synonyms {
            true => self.locations.having(&prefectures::part(part)),
            false => self.locations.containing(&fold(part)),
        });
        Some(Condition {
            category,
            locations,
            skills: filter
                .skill
                .as_deref()
                .map(|name| self.skills.containing(&between_ends(name))),
            words: self.words(filter.words.as_deref().unwrap_or_default()),
            remote_only: filter.remote_only,
            min_budget: filter.min_budget,
        })
    }

    /// The different words of a text.
    fn words(&self, text: &str) -> Vec<Word> {
        let words: BTreeSet<String> = text.split_whitespace().map(fold).collect();
        let word = |word: String| Word {
            titles: self.titles.containing(&word),
            categories: self.categories.containing(&word),
            locations: self.locations.containing(&word),
            skills: self.skills.containing(&word),
        };
        words.into_iter().map(word).collect()
    }

    /// Updates bounties, in the order of their ids, to their new state. One that lists show no more is removed.
    pub(super) fn apply(&mut self, changed: Vec<ChangedBounty>, update: u64) {
        let mut new = Vec::new();
        for bounty in changed {
            self.owned.set(&bounty);
            let is_listed = bounty.is_shown && !self.hidden.contains(&bounty.account_id);
            let place = self.place(bounty.id);
            match (place, is_listed) {
                (Ok(place), true) => {
                    self.orders.remove(&self.order_key(place));
                    let (row, key) = self.row(&bounty, update);
                    self.remote += usize::from(key.is_remote);
                    self.rows[place] = row;
                    self.remote -= usize::from(std::mem::replace(&mut self.keys[place], key).is_remote);
                    self.orders.insert(&self.order_key(place));
                }
                (Ok(place), false) => {
                    self.orders.remove(&self.order_key(place));
                    self.rows.remove(place);
                    self.remote -= usize::from(self.keys.remove(place).is_remote);
                }
                (Err(_), true) => new.push(self.row(&bounty, update)),
                (Err(_), false) => {}
            }
        }
        self.insert(&new);
        self.forget_texts();
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
            let is_kept = |row: &BountyRow| row.account_id != account.id;
            for place in (0..self.rows.len()).filter(|place| !is_kept(&self.rows[*place])) {
                let key = self.order_key(place);
                self.orders.remove(&key);
            }
            let mut rows = self.rows.iter();
            self.keys.retain(|_| rows.next().is_some_and(is_kept));
            self.rows.retain(is_kept);
            self.remote = self.keys.iter().filter(|key| key.is_remote).count();
            if self.rows.len() < self.rows.capacity() / 4 {
                self.rows.shrink_to(2 * self.rows.len());
                self.keys.shrink_to(2 * self.keys.len());
            }
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

    fn row(&mut self, bounty: &ChangedBounty, update: u64) -> (BountyRow, RowKey) {
        let number = |texts: &mut Texts, text: &Option<String>| text.as_deref().map(|text| texts.add(text));
        let key = RowKey {
            category: number(&mut self.categories, &bounty.category),
            location: number(&mut self.locations, &bounty.location),
            skills: number(&mut self.skills, &bounty.skills),
            is_remote: bounty.is_remote,
            budget: bounty.budget,
        };
        let version = BountyVersion { id: bounty.id, update };
        let row = BountyRow {
            version,
            account_id: bounty.account_id,
            title: Some(self.titles.add(&bounty.title)),
            deadline: bounty.deadline,
        };
        (row, key)
    }

    /// Inserts rows in the order of their ids. Each row behind them moves once.
    fn insert(&mut self, new: &[(BountyRow, RowKey)]) {
        let Some((row, key)) = new.first() else { return };
        self.remote += new.iter().filter(|(_, key)| key.is_remote).count();
        for (row, key) in new {
            self.orders.insert(&row.order_key(key));
        }
        let mut end = self.rows.len();
        let mut free = end + new.len();
        self.rows.resize(free, *row);
        self.keys.resize(free, *key);
        for (row, key) in new.iter().rev() {
            let place = self.rows[..end].partition_point(|other| other.version.id < row.version.id);
            free -= end - place;
            self.rows.copy_within(place..end, free);
            self.keys.copy_within(place..end, free);
            free -= 1;
            (self.rows[free], self.keys[free]) = (*row, *key);
            end = place;
        }
    }

    /// Frees the texts that no row has any more, once they are the most.
    fn forget_texts(&mut self) {
        let most = 1_000 + 2 * self.rows.len();
        if self.titles.len() > most {
            self.titles.retain(self.rows.iter_mut().map(|row| &mut row.title));
        }
        if self.categories.len() > most {
            self.categories
                .retain(self.keys.iter_mut().map(|key| &mut key.category));
        }
        if self.locations.len() > most {
            self.locations.retain(self.keys.iter_mut().map(|key| &mut key.location));
        }
        if self.skills.len() > most {
            self.skills.retain(self.keys.iter_mut().map(|key| &mut key.skills));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;

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
                let filter = BountyFilter {
                    category: category.map(str::to_owned),
                    remote_only,
                    location: location.map(str::to_owned),
                    with_synonyms: true,
                    min_budget,
                    skill: skill.map(str::to_owned),
                    words: words.map(str::to_owned),
                    order: Some(by),
                    sandbox: false,
                };
                let query = Query {
                    category: filter.category.clone(),
                    is_remote: Some(remote_only),
                    location: filter.location.clone(),
                    min_budget,
                    skill: filter.skill.clone(),
                    q: filter.words.clone(),
                    limit: 3,
                    offset: 2,
                    sort: by,
                };
                let matches = |one: &&Bounty| matches(one, &accounts[&one.account_id], &query, false);
                let mut expected: Vec<_> = all.values().filter(matches).collect();
                if category.is_none() && by == BountyOrder::Newest {
                    let mut categories: BTreeMap<String, u64> = BTreeMap::new();
                    for one in expected.iter().filter_map(|one| one.category.as_deref()) {
                        *categories.entry(fold(one)).or_default() += 1;
                    }
                    assert_eq!(
                        BTreeMap::from_iter(bounties.categories(&filter)),
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
        for turn in 0..40 {
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
    fn a_bounty_takes_430_bytes_at_most_besides_its_title() {
        // At one more than a power of two, the lists have just grown.
        for (accounts, count) in [(1, 1_025), (1, 4_096), (1_025, 1_025)] {
            let (_, empty) = measured(|| filled(accounts, 0));
            let (mirror, bytes) = measured(|| filled(accounts, count));
            assert_eq!(mirror.bounties.open() as i64, count);
            let each = (bytes - empty) / count;
            println!("{each} bytes for each of {count} bounties of {accounts} accounts");
            assert!(each <= 430, "{each} bytes");
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
        assert!(bounties.locations.len() <= 1_003, "{}", bounties.locations.len());
        let filter = BountyFilter {
            location: Some("street 9999".to_owned()),
            ..BountyFilter::default()
        };
        assert_eq!(bounties.find(&filter, PageRequest::new(1, 0)).total, 1);
    }
}
