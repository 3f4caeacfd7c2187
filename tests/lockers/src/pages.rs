//! Pages of lists.

use crate::support::{Encoded, Failure, Page};

/// The page of at most `size` items after the first `offset` of the found ones.
pub(crate) fn page<R, V>(
    found: &[R],
    offset: i64,
    size: i64,
    show: impl Fn(&R) -> Result<Encoded<V>, Failure>,
) -> Result<Page<V>, Failure> {
    let whole = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = found.iter().skip(whole(offset)).take(whole(size)).map(show);
    Ok(Page {
        rows: rows.collect::<Result<_, _>>()?,
        total: i64::try_from(found.len()).map_err(|_| Failure::Internal)?,
    })
}
