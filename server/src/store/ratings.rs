//! The rating of a worker: the mean of what the operator has entered and of the reviews.

use contract::{Human, Number};

/// Parts of a star: a rating has two decimals.
const PARTS: i64 = 100;

/// Whether reviews change the rating of a worker.
pub(crate) fn follows(human: &Human) -> bool {
    !human.erased && !human.sandbox
}

/// A worker after a change of what the operator has entered, in `rating` and `total_reviews`, or of what the reviews are.
pub(crate) fn changed(former: &Human, change: impl FnOnce(&mut Human)) -> Human {
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
        // Halves, of which binary fractions would round some down: 4.125 and 4.345.
        assert_eq!(of(0.0, 0, 33, 8), 4.13);
        assert_eq!(of(4.69, 1, 4, 1), 4.35);
        assert_eq!(of(0.0, 0, 2, 3), 0.67);
        assert_eq!(of(4.33, 3, 13, 3), 4.33);
        assert_eq!(of(4.5, i64::MAX, 1, 1), 4.5);
    }
}
