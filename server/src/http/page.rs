//! Helpers for pages outside of the contract.

use contract::Response;
use http::header::{ALLOW, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::filters::path::FullPath;

/// Answers `GET` and `HEAD` of exactly this path by `answer`, and other methods by 405. Rejects other paths as not found.
pub(super) fn page<F, A>(path: &'static str, answer: F) -> BoxedFilter<(Response,)>
where
    F: Fn(HeaderMap) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Response> + Send,
{
    // Unlike `warp::path`, the full path does not match with a trailing slash.
    let here = warp::path::full().and_then(move |asked: FullPath| {
        std::future::ready(if asked.as_str() == path {
            Ok(())
        } else {
            Err(warp::reject::not_found())
        })
    });
    let request = here
        .untuple_one()
        .and(warp::method())
        .and(warp::header::headers_cloned());
    let answered = request.then(move |method: Method, headers| {
        let answer = [Method::GET, Method::HEAD].contains(&method).then(|| answer(headers));
        async move {
            match answer {
                Some(answer) => answer.await,
                None => not_allowed(),
            }
        }
    });
    answered.boxed()
}

fn not_allowed() -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let allowed = HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(ALLOW, allowed);
    response
}

/// Sets the media type, and `nosniff`.
pub(super) fn set_content_type<B>(response: &mut http::Response<B>, media_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
