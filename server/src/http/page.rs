//! Helpers for pages outside of the contract.

use http::HeaderValue;
use http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::filters::path::FullPath;

/// Matches `GET` and `HEAD` of exactly this path; rejects anything else as not found.
pub(super) fn page(path: &'static str) -> BoxedFilter<()> {
    // Unlike `warp::path`, the full path does not match with a trailing slash.
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

/// Sets the media type, and `nosniff`.
pub(super) fn set_content_type<B>(response: &mut http::Response<B>, media_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
