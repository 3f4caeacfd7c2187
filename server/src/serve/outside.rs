//! Pages that lie outside of the contract.

use warp::Filter;
use warp::filters::BoxedFilter;
use warp::filters::path::FullPath;

/// Lets `GET` and `HEAD` of exactly this path through; anything else is rejected as not found.
pub(super) fn page(path: &'static str) -> BoxedFilter<()> {
    // Unlike `warp::path`, the whole path leaves no room for a slash behind it.
    let here = warp::path::full().and_then(move |asked: FullPath| {
        std::future::ready(if asked.as_str() == path {
            Ok(())
        } else {
            Err(warp::reject::not_found())
        })
    });
    let asked = warp::get().or(warp::head()).unify().and(here);
    asked.untuple_one().boxed()
}
