//! Pages of open bounties, whose rows are on disk: each is of one moment, and memory holds a bounded number of them.

use std::pin::pin;
use std::sync::Arc;

use contract::{Account, BountyList, Encoded, FindBounty};

use super::group::{gated, poll};
use super::*;

/// A store whose cache of rows has this many bytes, with an account.
async fn with_cache(bytes: usize) -> (TestStore, AccountId) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(dir.path(), Durability::Unsynced).expect("the directory opens");
    let place = TestStore::over(store, dir);
    place.app.limit_row_cache(bytes);
    let account = place.account("a").await;
    (place, account)
}

impl TestStore {
    /// Bounties of which each is longer than what is read at once.
    async fn long_bounties(&self, account: AccountId, count: usize) {
        for _ in 0..count {
            let draft = Bounty {
                description: "long ".repeat(8_000),
                ..plain_bounty(account)
            };
            let created = self.store().create_bounty(Actor::Operator, draft);
            created.await.expect("a bounty is made");
        }
    }

    async fn set(&self, bounty: BountyId, to: BountyStatus) {
        let moved = self.store().set_status(Actor::Operator, bounty, to);
        moved.await.expect("a write").expect("moved");
    }

    async fn status(&self, bounty: BountyId) -> BountyStatus {
        self.bounty_record(bounty).await.status
    }
}

fn statuses(rows: &[Encoded<BountyList>]) -> Vec<String> {
    rows.iter().map(|row| text_of(row, "status")).collect()
}

#[tokio::test]
async fn a_bounty_is_shown_as_it_was_until_its_change_is_on_disk() {
    let (place, began, let_through) = gated();
    (0..3).for_each(|_| let_through.send(()).expect("the store is open"));
    let account = place.account("a").await;
    let (one, _) = (place.bounty(account, "one").await, place.bounty(account, "two").await);
    assert_eq!(began.try_iter().count(), 3);
    let to = BountyStatus::Completed;
    let mut moving = pin!(place.store().set_status(Actor::Operator, one, to));
    while began.try_recv().is_err() {
        assert!(poll(moving.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    assert_eq!(place.status(one).await, BountyStatus::Open);
    assert_eq!(statuses(&whole(place.open_page().await.rows)), ["open", "open"]);
    let own = place.app.own_bounties(account, None, all()).await.expect("a page");
    assert_eq!(statuses(&whole(own.rows)), ["open", "open"]);
    let_through.send(()).expect("the sync waits");
    moving.await.expect("a write").expect("moved");
    assert_eq!(place.status(one).await, to);
    assert_eq!(place.open_titles().await, ["two"]);
}

#[tokio::test]
async fn a_page_shows_what_was_there_when_it_was_chosen_also_if_it_is_sent_later() {
    // The cache has shards: each has room for all rows of this test.
    let (place, account) = with_cache(16 << 20).await;
    place.long_bounties(account, 4).await;
    let page = place.open_page().await;
    place.set(BountyId::new(1), BountyStatus::Completed).await;
    let rename = |account: &mut Account| account.name = "b".to_owned();
    let renamed = place.store().update_account(account, rename).await;
    renamed.expect("a write");
    assert_eq!(place.open_page().await.total, 3);
    let rows = whole(page.rows);
    assert_eq!(statuses(&rows), ["open"; 4]);
    let posters = |rows: &[Encoded<BountyList>]| rows.iter().map(|row| text_of(row, "poster_name")).collect::<Vec<_>>();
    assert_eq!(posters(&rows), ["a"; 4]);
    assert_eq!(posters(&whole(place.open_page().await.rows)), ["b"; 3]);
}

#[tokio::test]
async fn a_page_whose_rest_has_changed_and_is_not_kept_is_aborted_instead_of_wrong() {
    let (place, account) = with_cache(0).await;
    place.long_bounties(account, 4).await;
    let (page, other) = (place.open_page().await, place.open_page().await);
    assert_eq!(whole(other.rows).len(), 4);
    place.set(BountyId::new(1), BountyStatus::Completed).await;
    assert!(page.rows.read_all().is_err());
}

#[tokio::test]
async fn rows_are_kept_up_to_a_bound() {
    const BYTES: usize = 1 << 20;
    let (place, account) = with_cache(BYTES).await;
    place.long_bounties(account, 60).await;
    let texts = |rows: Vec<Encoded<BountyList>>| rows.iter().map(|row| row.as_str().to_owned()).collect::<Vec<_>>();
    let first = texts(whole(place.open_page().await.rows));
    assert!(first.iter().map(String::len).sum::<usize>() > 2 * BYTES);
    let kept = place.app.bounty_rows().bytes();
    assert!(kept > BYTES as u64 / 2 && kept <= BYTES as u64, "{kept} bytes");
    assert_eq!(texts(whole(place.open_page().await.rows)), first);
}

#[tokio::test]
async fn a_bounty_by_id_is_as_the_last_write_left_it_and_read_once_while_lists_show_it() {
    let (place, account) = with_cache(1 << 20).await;
    place.bounty(account, "1").await;
    let id = BountyId::new(1);
    for turn in 0..20 {
        let to = [BountyStatus::Completed, BountyStatus::Open][turn % 2];
        place.set(id, to).await;
        let find = async || place.app.find_bounty(id).await.expect("it reads").expect("it is there");
        let (first, second) = (find().await, find().await);
        assert_eq!((first.status, second.status), (to, to));
        assert_eq!(Arc::ptr_eq(&first, &second), to == BountyStatus::Open, "{to:?}");
    }
    assert!(
        place
            .app
            .find_bounty(BountyId::new(2))
            .await
            .expect("it reads")
            .is_none()
    );
}

#[tokio::test]
async fn pages_hold_only_open_bounties_while_some_are_closed_and_opened() {
    let (place, account) = with_cache(0).await;
    for title in ["1", "2", "3", "4", "5"] {
        place.bounty(account, title).await;
    }
    let moves = async {
        for turn in 0..60 {
            let to = [BountyStatus::Completed, BountyStatus::Open][turn % 2];
            place.set(BountyId::new(1 + turn as i64 / 2 % 5), to).await;
        }
    };
    let reads = async {
        for _ in 0..200 {
            let page = place.open_page().await;
            let rows = whole(page.rows);
            assert_eq!(usize::try_from(page.total), Ok(rows.len()));
            assert!(rows.len() >= 4 && statuses(&rows).iter().all(|status| status == "open"));
        }
    };
    tokio::join!(moves, reads);
}
