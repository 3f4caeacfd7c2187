//! The content of the measured stores: an account, and different workers of realistic size.

use std::path::Path;

use contract::operator::{CreateAccount, ImportHumans, create_account, import_humans};
use contract::support::Once;
use contract::{Clock, Gender, NewHuman, NewSkill, Number, Plan};
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::{Durability, Store};

/// Workers entered at once, as in an import.
const GROUP: usize = 1_000;

const STATES: [&str; 8] = [
    "東京都",
    "大阪府",
    "北海道",
    "愛知県",
    "福岡県",
    "京都府",
    "沖縄県",
    "長野県",
];
const SKILLS: [&str; 12] = [
    "Cooking",
    "Cleaning",
    "Photography",
    "Delivery",
    "Translation",
    "Gardening",
    "Repairs",
    "Driving",
    "Tutoring",
    "Sewing",
    "Childcare",
    "Queueing",
];

/// The argument that selects numbers of workers.
pub(crate) const SELECT: &str = "--workers=";

/// The numbers of workers that the arguments select, or these.
pub(crate) fn selected<const N: usize>(otherwise: [usize; N]) -> Vec<usize> {
    let words: Vec<String> = std::env::args().collect();
    let numbers = words.iter().filter_map(|word| word.strip_prefix(SELECT));
    let numbers = numbers.flat_map(|numbers| numbers.split(',').map(|number| number.parse().expect("a number")));
    let selected: Vec<usize> = numbers.collect();
    if selected.is_empty() {
        otherwise.into()
    } else {
        selected
    }
}

/// Accounts that post bounties: enough that none has too many open ones, or exceeds its limit of simultaneous requests.
pub(crate) const WRITERS: usize = 1_000;

/// Makes a store with this number of workers at `folder`, and an account; returns the account's key.
pub(crate) fn enter(folder: &Path, workers: usize) -> String {
    enter_for(folder, workers, 1, worker).remove(0)
}

/// The same with this number of accounts, and with workers by number, from 0; returns the key of each account.
pub(crate) fn enter_for(
    folder: &Path,
    workers: usize,
    accounts: usize,
    worker: impl Fn(usize) -> NewHuman,
) -> Vec<String> {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let store = Store::open(folder, Durability::Synced).expect("an empty folder opens");
        let app = Hitode::new(store, OperatorToken::from_text("operator"), Clock::system());
        let mut entered = 0;
        while entered < workers {
            let humans: Vec<_> = (entered..workers.min(entered + GROUP)).map(&worker).collect();
            entered += humans.len();
            let request = import_humans::Request {
                body: import_humans::Body { humans },
                once: Once::without_key(),
            };
            let imported = app.import_humans(request).await;
            imported.expect("the disk takes them");
        }
        let mut keys = Vec::new();
        for _ in 0..accounts {
            let body = create_account::Body {
                sandbox: false,
                name: "Speed".to_owned(),
                plan: Plan::Verified,
            };
            let account = app
                .create_account(create_account::Request {
                    body,
                    once: Once::without_key(),
                })
                .await;
            keys.push(account.expect("an account").into_inner().key);
        }
        app.store().close().await.expect("the store closes");
        keys
    })
}

/// A worker, the same at every call.
pub(crate) fn worker(number: usize) -> NewHuman {
    let of = |words: &[&str], place: usize| words[place % words.len()].to_owned();
    let skills = (0..1 + number % 5).map(|skill| NewSkill {
        name: of(&SKILLS, number + skill * 5 % SKILLS.len()),
        category: "Everyday".to_owned(),
    });
    NewHuman {
        name: format!("山田 花子 {number}"),
        headline: format!("Careful with people and things, {} years in the trade", 1 + number % 30),
        bio: "I have worked in hotels, kitchens and private homes, and I like to know beforehand what a task is for. \
              I speak Japanese and English, have a driving licence, and can usually start on the same day. "
            .repeat(1 + number % 3),
        city: "世田谷区".to_owned(),
        state: of(&STATES, number / 3),
        gender: [Gender::Female, Gender::Male, Gender::Other][number % 3],
        hourly_rate: Number::new((1_000 + number % 40 * 100) as f64).expect("finite"),
        rating: Number::new((number % 51) as f64 / 10.0).expect("finite"),
        total_reviews: (number % 200) as i64,
        is_verified: number.is_multiple_of(2),
        is_available: !number.is_multiple_of(7),
        photos: Vec::new(),
        external_id: None,
        skills: skills.collect(),
    }
}
