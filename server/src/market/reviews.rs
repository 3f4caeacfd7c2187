//! Reviews of workers by the owners of bounties, and the rating that follows from them.

use codegen_store::{Index, Tree};
use contract::support::Done;
use contract::{Human, Number, Review, ReviewId, ReviewSeed, agent, operator};

use super::by_key;
use crate::app::Hitode;
use crate::store::{Actor, Decided, Market, TransactionError, Tx, emit};

/// Application → its review.
const REVIEWED: Tree = Index::tree_with::<Market, Review>("unique application_id");
/// Worker, review.
pub(super) const OF_HUMAN: Tree = Index::tree_with::<Market, Review>("human_id, id desc");
/// Parts of a star: a rating has two decimals.
const PARTS: i64 = 100;

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
    let review = Review { id, ..review.clone() };
    tx.create(&review)?;
    count(tx, &review, 1)?;
    emit(tx, events(&review), review.created_at)?;
    Ok(id)
}

/// Counts a review for the rating of its worker, or with -1 no more. Accounts share the simulated workers, who keep their
/// rating: one account's run must not depend on another's.
fn count(tx: &mut Tx<'_>, review: &Review, times: i64) -> Result<(), TransactionError> {
    let former: Human = tx.existing(review.human_id)?;
    if former.erased || former.sandbox {
        return Ok(());
    }
    let human = changed(&former, |human| {
        human.review_count += times;
        human.review_stars += times * review.rating;
    });
    tx.replace(&former, &human)
}

/// A worker after a change of what the operator has entered, in `rating` and `total_reviews`, or of what the reviews are.
pub(super) fn changed(former: &Human, change: impl FnOnce(&mut Human)) -> Human {
    let mut human = former.clone();
    if let (Some(rating), Some(reviews)) = (human.given_rating.take(), human.given_reviews.take()) {
        (human.rating, human.total_reviews) = (rating, reviews);
    }
    change(&mut human);
    if human.review_count > 0 {
        let given = (human.rating, human.total_reviews);
        (human.given_rating, human.given_reviews) = (Some(given.0), Some(given.1));
        human.rating = mean(given, (human.review_stars, human.review_count));
        human.total_reviews = given.1.saturating_add(human.review_count);
    }
    human
}

/// The mean of so many given ratings and of the stars of so many reviews, with two decimals, half up.
fn mean((given, number): (Number, i64), (stars, reviews): (i64, i64)) -> Number {
    // A rating has at most two decimals, so that this is exact.
    let given = (given.get() * PARTS as f64).round() as i128;
    let count = i128::from(number) + i128::from(reviews);
    let sum = given * i128::from(number) + i128::from(stars) * i128::from(PARTS);
    let mean = (2 * sum + count) / (2 * count);
    Number::new(mean as f64 / PARTS as f64).unwrap_or(Number::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_exact_and_rounded_half_up() {
        let of = |given: f64, number, stars, reviews| {
            mean((Number::new(given).expect("finite"), number), (stars, reviews)).get()
        };
        assert_eq!(of(0.0, 0, 5, 1), 5.0);
        assert_eq!(of(4.8, 31, 5, 1), 4.81);
        // 4.125, 4.345 and 4.3349…: binary fractions would round the second one down.
        assert_eq!(of(0.0, 0, 33, 8), 4.13);
        assert_eq!(of(4.34, 1, 870 - 434, 199), 2.2);
        assert_eq!(of(0.0, 0, 2, 3), 0.67);
        assert_eq!(of(4.33, 3, 13, 3), 4.33);
        assert_eq!(of(4.5, i64::MAX, 1, 1), 4.5);
    }
}
