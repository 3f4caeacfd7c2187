//! Pages that lie outside of the contract.

use http::HeaderValue;
use http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
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

/// Says what a page is, and that nothing else is to be made of it.
pub(super) fn typed(response: &mut contract::Response, media_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
