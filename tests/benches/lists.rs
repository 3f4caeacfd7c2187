//! The cost of the lists of bounties and of accounts, from their handlers on, in this process: CPU time, without HTTP.

use std::path::Path;

use contract::agent::{CreateBounty, ListBounties, create_bounty, list_bounties};
use contract::operator::{CreateAccount, ListAccounts, create_account, list_accounts};
use contract::support::{Once, PresentedCredential};
use contract::{ApiKeyCaller, Clock, Number, Plan};
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::{Durability, Store};
use tokio::runtime::Runtime;
use warp::http::HeaderMap;

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

/// The service with this number of open bounties, two for each account. Every location is different.
async fn filled(folder: &Path, bounties: usize) -> (Hitode, ApiKeyCaller) {
    let store = Store::open(folder, Durability::Unsynced).expect("an empty folder opens");
    let app = Hitode::new(store, OperatorToken::from_text("operator"), Clock::system());
    let mut last = None;
    for group in (0..bounties).step_by(2).collect::<Vec<_>>().chunks(GROUP) {
        let accounts = futures_util::future::join_all(group.iter().map(|number| account(&app, *number))).await;
        for second in 0..2 {
            let posts = accounts.iter().zip(group);
            let posts = posts.map(|(caller, number)| bounty(&app, caller.clone(), number + second));
            futures_util::future::join_all(posts).await;
        }
        last = accounts.into_iter().last().or(last);
    }
    (app, last.expect("an account"))
}

async fn account(app: &Hitode, number: usize) -> ApiKeyCaller {
    let body = create_account::Body {
        name: format!("Account {number}"),
        plan: Plan::Free,
        sandbox: false,
    };
    let once = Once::without_key();
    let created = app.create_account(create_account::Request { body, once }).await;
    let created = created.expect("the disk takes it").into_inner();
    ApiKeyCaller {
        id: created.id,
        limited_by: created.key_id,
        plan: Plan::Free,
        suspended: false,
        realm: false,
    }
}

async fn bounty(app: &Hitode, caller: ApiKeyCaller, number: usize) {
    let body = create_bounty::Body {
        title: format!("Photograph shop {number}"),
        description: "Front, entrance, opening hours.".repeat(4),
        budget: Number::new(20.0).expect("finite"),
        category: Some(format!("Category {}", number % 40)),
        location: Some(format!("{number} Long street {}, some city", number % 1_000)),
        is_remote: number.is_multiple_of(5),
        deadline: None,
        estimated_hours: None,
        required_skills: Vec::new(),
    };
    let request = create_bounty::Request {
        caller,
        presented_credential: PresentedCredential::from_headers(&HeaderMap::new(), ""),
        once: Once::without_key(),
        uses: Vec::new(),
        body,
    };
    app.create_bounty(request).await.expect("the disk takes it");
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
    let head = BOUNTIES.map(|bounties| format!("{bounties} open bounties, half as many accounts"));
    let mut table = Table::new(&["list", &head[0], &head[1]]);
    let mut row = |name: &str, list: &dyn Fn(&(Hitode, ApiKeyCaller))| {
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
        row(&format!("bounties: {name}"), &|(app, caller)| {
            let query = list_bounties::Query {
                category: category.map(str::to_owned),
                is_remote: remote_only.then_some(true),
                location: location.map(str::to_owned),
                ..list_bounties::Query::parse(&format!("limit={PAGE}&offset={offset}")).expect("a page")
            };
            list(&runtime, app, caller, query);
        });
    }
    for offset in [0, 50_000] {
        row(&format!("accounts, from {offset}"), &|(app, _)| {
            let query = list_accounts::Query {
                name: None,
                plan: None,
                suspended: None,
                sandbox: None,
                limit: PAGE,
                offset,
            };
            let page = runtime.block_on(app.list_accounts(list_accounts::Request { query }));
            std::hint::black_box(page.expect("a page").total);
        });
    }
    for (name, is_cold) in [("in the cache", false), ("not in the cache", true)] {
        row(&format!("bounties: {LONG_PAGE} rows {name}"), &|(app, caller)| {
            if is_cold {
                app.limit_row_cache(0);
                app.limit_row_cache(CACHE);
            }
            let query = list_bounties::Query {
                limit: LONG_PAGE,
                ..list_bounties::Query::parse("").expect("all are optional")
            };
            list(&runtime, app, caller, query);
        });
    }
    table.print();
    for (app, _) in &stores {
        runtime.block_on(app.store().close()).expect("the store closes");
    }
}

fn list(runtime: &Runtime, app: &Hitode, caller: &ApiKeyCaller, query: list_bounties::Query) {
    let caller = caller.clone();
    let page = runtime.block_on(app.list_bounties(list_bounties::Request { caller, query }));
    std::hint::black_box(page.expect("a page").total);
}
