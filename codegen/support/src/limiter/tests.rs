use super::*;
use std::time::Duration;

/// 17 seconds into a clock minute.
const START: u64 = 1_700_000_040 - 43;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[test]
fn every_window_lets_exactly_the_quota_through() {
    for max in [1, 2, 3, 7, 20, 100, 999, 99_999] {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(max, 60, clock.clone());
        for window in 0..6 {
            for already in 0..max {
                let decision = limiter.check(&1);
                assert_eq!(
                    (decision.allowed, decision.remaining),
                    (true, max - already - 1),
                    "{max} {window} {already}"
                );
            }
            let rejected = limiter.check(&1);
            assert!(!rejected.allowed && rejected.remaining == 0, "{max} {window}");
            clock.advance(seconds(60));
        }
    }
}

#[test]
fn what_one_window_left_over_is_not_added_to_the_next() {
    let clock = Clock::manual(START);
    let limiter = Limiter::new(100, 60, clock.clone());
    for (used, pause) in [(1, 60), (0, 60), (99, 60), (100, 60), (3, 600), (50, 86_400), (100, 60)] {
        assert!((0..used).all(|_| limiter.check(&"key").allowed));
        clock.advance(seconds(pause));
        let allowed = (0..300).filter(|_| limiter.check(&"key").allowed).count();
        assert_eq!(allowed, 100, "after {used} and {pause} s");
        clock.advance(seconds(60));
    }
}

#[test]
fn a_window_ends_with_the_clock_minute_and_not_before() {
    let clock = Clock::manual(START);
    let limiter = Limiter::new(1, 60, clock.clone());
    let first = limiter.check(&1);
    assert_eq!(
        first,
        LimitDecision {
            allowed: true,
            remaining: 0,
            is_owners: false,
            seconds: 43,
            reset_unix: START + 43
        }
    );
    clock.advance(Duration::from_millis(42_001));
    let rejected = limiter.check(&1);
    assert_eq!(
        rejected,
        LimitDecision {
            allowed: false,
            remaining: 0,
            is_owners: false,
            seconds: 1,
            reset_unix: START + 43
        }
    );
    clock.advance(Duration::from_millis(998));
    assert!(!limiter.check(&1).allowed);
    clock.advance(Duration::from_millis(1));
    let next = limiter.check(&1);
    assert_eq!(
        next,
        LimitDecision {
            allowed: true,
            remaining: 0,
            is_owners: false,
            seconds: 60,
            reset_unix: START + 103
        }
    );
}

#[test]
fn a_corrected_date_moves_the_reported_end_and_no_window() {
    for correction in [7_200, -7_200, -1_000_000_000] {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(1, 60, clock.clone());
        assert!(limiter.check(&1).allowed);
        clock.correct(correction * 1_000);
        let rejected = limiter.check(&1);
        assert!(!rejected.allowed && rejected.seconds == 43, "{rejected:?}");
        let end = START.checked_add_signed(correction).unwrap() + 43;
        assert_eq!(rejected.reset_unix, end);
        clock.advance(seconds(42));
        assert!(!limiter.check(&1).allowed);
        clock.advance(seconds(1));
        let next = limiter.check(&1);
        assert!(
            next.allowed && next.seconds == 60 && next.reset_unix == end + 60,
            "{next:?}"
        );
    }
}

#[test]
fn a_date_that_drifts_gives_the_same_end() {
    for drift in [-499, -1, 0, 1, 499] {
        let clock = Clock::manual(START);
        clock.correct(drift);
        let limiter = Limiter::new(1, 60, clock.clone());
        for pause in [0, 1, 998, 41_001, 999] {
            clock.advance(Duration::from_millis(pause));
            assert_eq!(limiter.check(&1).reset_unix, START + 43, "{drift} {pause}");
        }
    }
}

#[test]
fn keys_are_counted_apart_and_forgotten_when_idle() {
    let clock = Clock::manual(START);
    let limiter = Limiter::new(2, 60, clock.clone());
    assert!((0..2_000).all(|count| limiter.check(&(count / 2)).allowed));
    assert!((0..1_000).all(|key| !limiter.check(&key).allowed));
    limiter.evict_idle();
    assert_eq!(limiter.len(), 1_000);
    clock.advance(seconds(60));
    assert!(limiter.check(&5).allowed);
    limiter.evict_idle();
    assert_eq!(
        limiter.check(&5).remaining,
        0,
        "a sweep forgets nothing that still counts"
    );
    assert!(!limiter.check(&5).allowed);
    clock.advance(seconds(60));
    limiter.evict_idle();
    assert!(limiter.len() <= 1);
    clock.advance(seconds(60));
    limiter.evict_idle();
    assert!(limiter.is_empty());
}

#[test]
fn the_keys_of_an_owner_together_get_the_owners_quota_and_no_more() {
    let clock = Clock::manual(START);
    let limiter = Limiter::new(100, 60, clock.clone()).with_owner_max(300);
    for window in 0..3 {
        for (owner, key) in [(1, 10), (2, 20), (1, 11), (1, 12), (1, 13)] {
            let key = key + 100 * window;
            let allowed = (0..150)
                .filter(|_| limiter.check_owned(&key, Some(&owner)).allowed)
                .count();
            assert_eq!(allowed, if key % 100 == 13 { 0 } else { 100 }, "{window} {key}");
        }
        clock.advance(seconds(60));
    }
}

#[test]
fn a_verdict_reports_whichever_has_less_left() {
    let limiter = Limiter::new(3, 60, Clock::manual(START)).with_owner_max(4);
    let calls = [(1, 1), (1, 1), (1, 1), (2, 1), (2, 1), (1, 1), (2, 2)];
    let reported = calls.map(|(key, owner)| {
        let decision = limiter.check_owned(&key, Some(&owner));
        (decision.allowed, decision.remaining, decision.is_owners)
    });
    let expected = [
        (true, 2, false),
        (true, 1, false),
        (true, 0, false),
        (true, 0, true),
        (false, 0, true),
        (false, 0, false),
        (true, 1, false),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn what_one_count_rejects_the_other_does_not_count() {
    let limiter = Limiter::new(2, 60, Clock::manual(START)).with_owner_max(3);
    let allowed = |key, times| {
        (0..times)
            .filter(|_| limiter.check_owned(&key, Some(&0)).allowed)
            .count()
    };
    assert_eq!(allowed(1, 50), 2, "the key rejects 48");
    assert_eq!(allowed(2, 50), 1, "the owner has one left, and rejects 49");
    assert!(
        limiter.check(&2).allowed,
        "those 49 were not counted for the key, which has one left"
    );
    assert!(!limiter.check(&2).allowed);
}

#[test]
fn owners_are_forgotten_with_their_keys() {
    let clock = Clock::manual(START);
    let limiter = Limiter::new(2, 60, clock.clone()).with_owner_max(3);
    for key in 0..1_000 {
        assert!(limiter.check_owned(&key, Some(&(key / 2))).allowed);
    }
    limiter.evict_idle();
    assert_eq!((limiter.len(), limiter.owners()), (1_000, 500));
    clock.advance(seconds(60));
    limiter.evict_idle();
    assert_eq!((limiter.len(), limiter.owners()), (0, 0));
}

#[test]
fn threads_together_get_no_more_than_one_alone() {
    let limiter = Limiter::new(400, 60, Clock::manual(START)).with_owner_max(1_000);
    let allowed = |key| (0..600).filter(|_| limiter.check_owned(&key, Some(&0)).allowed).count();
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|thread| scope.spawn(move || allowed(thread / 2))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(counts.iter().sum::<usize>(), 1_000);
    assert!(counts.chunks(2).all(|pair| pair[0] + pair[1] <= 400), "{counts:?}");
}

#[test]
fn senseless_settings_do_no_harm() {
    for (max, window) in [(0, 0), (u32::MAX, 1), (1, u32::MAX), (u32::MAX, u32::MAX)] {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(max, window, clock.clone());
        assert!(limiter.check(&1).allowed);
        clock.advance(seconds(100 * 365 * 86_400));
        assert!(limiter.check(&1).allowed);
        limiter.evict_idle();
    }
}
