//! Reviews of workers by the owners of bounties, and the rating that follows from them.

use codegen_store::{Index, Tree};
use contract::support::Done;
use contract::{Human, Review, ReviewId, ReviewSeed, agent, operator};

use super::{ERASED, by_key};
use crate::app::Hitode;
use crate::store::ratings::{changed, follows};
use crate::store::{Actor, Decided, Market, TransactionError, Tx, emit};

/// Application → its review.
const REVIEWED: Tree = Index::tree_with::<Market, Review>("unique application_id");
/// Worker, review.
pub(super) const OF_HUMAN: Tree = Index::tree_with::<Market, Review>("human_id, id desc");

impl agent::CreateReview for Hitode {
    async fn create_review(
        &self,
        request: agent::create_review::Request,
    ) -> Result<Done<agent::create_review::Success>, agent::create_review::Error> {
        let now = self.now();
        let by = by_key(&request.caller).counting(request.uses, now);
        let review = Review {
            comment: request.body.comment,
            ..Review::from(ReviewSeed {
                id: ReviewId::new(0),
                application_id: request.application.id,
                bounty_id: request.owned_bounty.id,
                human_id: request.application.human_id,
                account_id: request.caller.id,
                rating: request.body.rating,
                created_at: now,
            })
        };
        let once = request.once.map(|id| agent::create_review::Success { id });
        self.write_once(by, once, move |tx| create(tx, &review)).await
    }
}

impl operator::UpdateReview for Hitode {
    async fn update_review(
        &self,
        request: operator::update_review::Request,
    ) -> Result<(), operator::update_review::Error> {
        let (id, hidden) = (request.review.id, request.body.hidden);
        self.write(Actor::Operator, move |tx| {
            let former: Review = tx.existing(id)?;
            let review = Review {
                hidden,
                ..former.clone()
            };
            if review != former {
                tx.replace(&former, &review)?;
                count(tx, &review, if hidden { -1 } else { 1 })?;
            }
            Ok(())
        })
        .await
    }
}

/// Creates a review of an accepted worker of a completed bounty, at most one for each application. Its id is drawn.
pub(super) fn create(tx: &mut Tx<'_>, review: &Review) -> Decided<ReviewId, agent::create_review::Error> {
    use agent::create_review::{Error, events, is_not_accepted, is_not_completed};
    let application = tx.get(review.application_id)?;
    if is_not_accepted(&application.ok_or(Error::AbsentApplication)?) {
        return Err(Error::NotAccepted.into());
    }
    if is_not_completed(&tx.existing(review.bounty_id)?) {
        return Err(Error::NotCompleted.into());
    }
    if tx.is_taken(REVIEWED, review)? {
        return Err(Error::AlreadyReviewed.into());
    }
    let id = tx.next_id::<Review>()?;
    let mut review = Review { id, ..review.clone() };
    if tx.existing::<Human>(review.human_id)?.erased {
        // It may name the worker.
        review.comment = review.comment.map(|_| ERASED.to_owned());
    }
    tx.create(&review)?;
    count(tx, &review, 1)?;
    emit(tx, events(&review), review.created_at)?;
    Ok(id)
}

/// Counts a review for the rating of its worker, or with -1 no more. Accounts share the simulated workers, who keep their
/// rating: one account's run must not depend on another's.
fn count(tx: &mut Tx<'_>, review: &Review, times: i64) -> Result<(), TransactionError> {
    let former: Human = tx.existing(review.human_id)?;
    if !follows(&former) {
        return Ok(());
    }
    let human = changed(&former, |human| {
        human.review_count += times;
        human.review_stars += times * review.rating;
    });
    tx.replace(&former, &human)
}
