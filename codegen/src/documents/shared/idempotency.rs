//! Sentences about idempotency keys.

use super::words::listed;
use crate::model::{Idempotency, Operation, period_in_words};

/// The syntax of a key: bare, or a string of RFC 9651, as `IdempotencyKey::parse` reads it.
pub(crate) const PATTERN: &str = r#"^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$"#;

/// The purpose of a key and how long its answer is kept, for one operation. `None` if it takes none.
pub(crate) fn of_operation(operation: &Operation) -> Option<String> {
    let kept = period_in_words(operation.keep_seconds?);
    let then = match operation.shows_secret() {
        true => "is rejected, since the secret is not stored",
        false => "changes nothing, and gets the first response again",
    };
    Some(format!(
        "Makes it safe to send the request again, for example after a timeout: with the same key, within {kept} after a \
         success, the same request {then}. 1 to 255 visible ASCII characters, a new one for each thing to make."
    ))
}

/// The same for the operations with these names, and the header of a repeated response.
pub(crate) fn of_operations(keys: &Idempotency, operations: &[(String, &Operation)]) -> Option<String> {
    let keeping = operations
        .iter()
        .filter_map(|(name, one)| Some((name, one.keep_seconds?)));
    let keeping: Vec<_> = keeping.collect();
    let general = keys.keep.seconds;
    let names: Vec<&str> = keeping.iter().map(|(name, _)| name.as_str()).collect();
    let own = keeping.iter().filter(|(_, seconds)| *seconds != general);
    let own: Vec<String> = own
        .map(|(name, seconds)| format!("{} for `{name}`", period_in_words(*seconds)))
        .collect();
    let own = match own.as_slice() {
        [] => String::new(),
        own => format!(" ({})", own.join(", ")),
    };
    let (kept, header, replayed) = (period_in_words(general), &keys.header, &keys.replayed);
    let take = if names.len() == 1 { "takes" } else { "take" };
    let names = listed(&names, "and");
    (!names.is_empty()).then(|| format!(
        "{names} {take} the header `{header}`, 1 to 255 visible ASCII characters that you choose anew for each thing to \
         make: within {kept}{own} after a success, the same request with the same key changes nothing and gets the first \
         response again, with `{replayed}: true`."
    ))
}
