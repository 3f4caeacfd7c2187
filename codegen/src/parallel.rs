//! Runs work on all processors. It is meant for build scripts, which have nothing else to do and are not optimised.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// The usual stack of the main thread. Deep recursion must not depend on the thread that runs it.
const STACK_BYTES: usize = 8 << 20;

/// Applies `make` to each item, and returns the results in order. The first items are started first.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], make: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    map_on(processors, items, make)
}

fn map_on<I: Sync, T: Send>(threads: usize, items: &[I], make: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        items.get(place).map(|item| (place, make(item)))
    };
    let work = || std::iter::from_fn(take).collect::<Vec<_>>();
    let mut results = thread::scope(|scope| {
        let helper = |_| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok();
        // If no thread can be started, this one does all work.
        let helpers: Vec<_> = (1..threads.min(items.len())).filter_map(helper).collect();
        let mut results = work();
        for helper in helpers {
            results.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::map_on;

    #[test]
    fn the_order_does_not_depend_on_the_number_of_threads() {
        let items: Vec<usize> = (0..1_000).collect();
        for threads in [0, 1, 2, 3, 64, 2_000] {
            assert_eq!(
                map_on(threads, &items, |item| item * 2),
                map_on(1, &items, |item| item * 2)
            );
        }
        assert_eq!(map_on(4, &items[..0], |item| *item), Vec::<usize>::new());
    }

    #[test]
    #[should_panic(expected = "of item 7")]
    fn a_panic_of_any_thread_is_reported() {
        let items: Vec<usize> = (0..10).collect();
        map_on(3, &items, |item| assert!(*item != 7, "of item 7"));
    }
}
