//! The cost of the lists of bounties and of accounts in the store itself, in this process: CPU time, without HTTP.

use std::path::Path;

use contract::{AccountId, Bounty, BountyId, BountySeed, Number, Plan, Timestamp};
use hitode::digest::Digest;
use hitode::store::sled::{Durability, SledStore};
use hitode::store::{Actor, BountyFilter, Engine, NewAccount, NewKey, PageRequest, Store, WithoutKeys};

use crate::machine::Cores;
use crate::search::timed;
use crate::table::{Rounds, Table};

const BOUNTIES: [usize; 2] = [1_000, 100_000];
/// Writes that share a transaction.
const GROUP: usize = 250;
/// Lists of one shape that are timed together.
const BATCH: usize = 50;
const ROUNDS: usize = 10;
const PAGE: i64 = 20;
const LONG_PAGE: i64 = 100;
/// Bytes of the cache of rows, as `serve` has it.
const CACHE: usize = 64 << 20;

/// Category, only remote, part of the location.
type Wanted = (Option<&'static str>, bool, Option<&'static str>);

/// The kinds of lists: conditions, and the offset.
const SHAPES: [(&str, Wanted, i64); 7] = [
    ("all", (None, false, None), 0),
    ("all, from 50,000", (None, false, None), 50_000),
    ("category", (Some("Category 7"), false, None), 0),
    ("remote", (None, true, None), 0),
    ("frequent part of the location", (None, false, Some("street")), 0),
    ("rare part of the location", (None, false, Some("street 999")), 0),
    ("category, remote, part", (Some("category 3"), true, Some("1")), 0),
];

/// A store with this number of accounts, each with an open bounty. Every location is different.
async fn filled(folder: &Path, bounties: usize) -> SledStore {
    let store = SledStore::open(folder, Durability::Unsynced).expect("an empty folder opens");
    for group in (0..bounties).collect::<Vec<_>>().chunks(GROUP) {
        futures_util::future::join_all(group.iter().map(|number| account(&store, *number))).await;
        futures_util::future::join_all(group.iter().map(|number| bounty(&store, *number))).await;
    }
    store
}

async fn account(store: &SledStore, number: usize) {
    let account = NewAccount {
        name: format!("Account {number}"),
        sandbox: false,
        plan: Plan::Free,
        created_at: Timestamp::from_unix(0),
    };
    let key = NewKey {
        name: "first".to_owned(),
        prefix: "htd_1234...".to_owned(),
        digest: Digest::from_secret(&number.to_string()),
        created_at: Timestamp::from_unix(0),
    };
    store
        .unkeyed()
        .create_account(account, key)
        .await
        .expect("the disk takes it");
}

async fn bounty(store: &SledStore, number: usize) {
    let draft = Bounty {
        category: Some(format!("Category {}", number % 40)),
        location: Some(format!("{number} Long street {}, some city", number % 1_000)),
        is_remote: number.is_multiple_of(5),
        ..Bounty::from(BountySeed {
            id: BountyId::new(0),
            account_id: AccountId::new(1 + (number / 2) as i64),
            title: format!("Photograph shop {number}"),
            description: "Front, entrance, opening hours.".repeat(4),
            budget: Number::new(20.0).expect("finite"),
        })
    };
    store
        .unkeyed()
        .create_bounty(Actor::Operator, draft)
        .await
        .expect("the disk takes it");
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, _: Cores) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let stores = BOUNTIES.map(|bounties| {
        eprintln!("entering {bounties} bounties");
        runtime.block_on(filled(&folder.join(format!("lists-{bounties}")), bounties))
    });
    println!("## Lists of the store, CPU time in this process\n");
    println!("Medians of batches of {BATCH} lists with a page of {PAGE}, in µs:\n");
    let head = BOUNTIES.map(|bounties| format!("{bounties} open bounties, as many accounts"));
    let mut table = Table::new(&["list", &head[0], &head[1]]);
    let mut row = |name: &str, list: &dyn Fn(&SledStore)| {
        let cells = stores.iter().map(|store| {
            let mut took = Rounds::default();
            for _ in 0..rounds.unwrap_or(ROUNDS) {
                let (_, spent) = timed(|| (0..BATCH).for_each(|_| list(store)));
                took.push(spent.as_secs_f64() * 1e6 / BATCH as f64);
            }
            took.cell(1)
        });
        table.row([name.to_owned()].into_iter().chain(cells));
    };
    for (name, (category, remote_only, location), offset) in SHAPES {
        row(&format!("bounties: {name}"), &|store| {
            let filter = BountyFilter {
                sandbox: false,
                category: category.map(str::to_owned),
                remote_only,
                location: location.map(str::to_owned),
            };
            let page = runtime.block_on(store.find_bounties(filter, PageRequest::new(PAGE, offset)));
            std::hint::black_box(page.expect("a page").total);
        });
    }
    for offset in [0, 50_000] {
        row(&format!("accounts, from {offset}"), &|store| {
            let page = runtime.block_on(store.list_accounts(PageRequest::new(PAGE, offset)));
            std::hint::black_box(page.expect("a page").total);
        });
    }
    for (name, is_cold) in [("in the cache", false), ("not in the cache", true)] {
        row(&format!("bounties: {LONG_PAGE} rows {name}"), &|store| {
            if is_cold {
                store.limit_row_cache(0);
                store.limit_row_cache(CACHE);
            }
            let page = runtime.block_on(store.find_bounties(BountyFilter::default(), PageRequest::new(LONG_PAGE, 0)));
            std::hint::black_box(page.expect("a page").total);
        });
    }
    table.print();
    for store in &stores {
        runtime.block_on(store.close()).expect("the store closes");
    }
}
