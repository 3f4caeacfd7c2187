//! Values that are one of a fixed set of words: methods, steps, built-in types, and what a limit counts.

use crate::formats;

/// One of the words that a key accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub word: &'static str,
    /// What it means. Markdown.
    pub doc: &'static str,
}

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

/// Types that need no declaration.
pub const BUILT_IN_TYPES: [Choice; 7 + formats::ALL.len()] = {
    let mut all = [OTHERS[0]; 7 + formats::ALL.len()];
    let mut next = 0;
    while next < all.len() {
        // The formats come third.
        all[next] = match next {
            0 | 1 => OTHERS[next],
            _ if next < 2 + formats::ALL.len() => choice(formats::ALL[next - 2].name, formats::ALL[next - 2].doc),
            _ => OTHERS[next - formats::ALL.len()],
        };
        next += 1;
    }
    all
};

/// Those that are no formats.
const OTHERS: [Choice; 7] = [
    choice(
        "boolean",
        "`true` or `false`. In a query, `flag` also accepts `1` and `0`.",
    ),
    choice("flag", "Only in a query: `1` or `true`, `0` or `false`."),
    choice(
        "timestamp",
        "A time that the service sets: UTC, in whole seconds, `2026-11-21T15:04:05`, without an offset. Never read \
         from a request.",
    ),
    choice(
        "string",
        "A text that the service creates, such as a digest. Never read from a request: declare a type for that.",
    ),
    choice(
        "secret",
        "A credential, returned once: in the response to the request that creates it.",
    ),
    choice(
        "cursor",
        "Only in the query of a feed: a place in the feed, which a response of the feed stated as `cursor`; or `now`.",
    ),
    choice(
        "event_names",
        "Only in the query of a feed: names of `events`, separated by commas.",
    ),
];

/// The words of [`BUILT_IN_TYPES`].
pub(crate) const BUILT_IN: [&str; BUILT_IN_TYPES.len()] = words(&BUILT_IN_TYPES);

/// The HTTP methods of endpoints.
pub(crate) const OF_HTTP: &[Choice] = &[
    choice("GET", "Reads, and changes nothing. It has no body."),
    choice("POST", "Creates something, or does something that is not idempotent."),
    choice("PUT", "Creates or replaces the record of its path. Idempotent."),
    choice("PATCH", "Changes the given members and keeps the others."),
    choice("DELETE", "Deletes something. It has no body."),
];

/// The words of the HTTP methods of endpoints.
pub(crate) const METHODS: [&str; 5] = words(OF_HTTP);

/// How bidirectional controls are handled.
pub(crate) const BIDI_CONTROLS: &[Choice] = &[choice(
    "refused",
    "A text with one is rejected: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 (Unicode's Bidi_Control).",
)];

/// How filters compare texts.
pub(crate) const ALIKE: &[Choice] = &[
    choice("exact", "Texts are alike if they have the same characters."),
    choice("casefold", "Upper and lower case are alike (Unicode case folding)."),
    choice(
        "nfkc_casefold",
        "Upper and lower case, full and half width, and composed and decomposed characters are alike (Unicode NFKC \
         normalization and case folding).",
    ),
];

/// What the ids of a resource are.
pub(crate) const IDS: &[Choice] = &[
    choice(
        "numbers",
        "Whole numbers from 1, consecutive, that are never used again.",
    ),
    choice(
        "uuid_v4",
        "Random UUIDs (RFC 9562, version 4). Nobody can guess one, and their order says nothing.",
    ),
    choice(
        "uuid_v7",
        "UUIDs that begin with the time in milliseconds (RFC 9562, version 7). Later records have greater ids, also if the \
         clock was set back.",
    ),
];

/// By whom a limit counts.
pub(crate) const PER: &[Choice] = &[
    choice(
        "caller",
        "Each caller, by the resource that the credential's `limited_by` names.",
    ),
    choice(
        "address",
        "Each address (an IPv6 network of 64 bits counts as one), for all callers together.",
    ),
];

/// What a limit can count instead of requests.
pub(crate) const COUNTS: &[Choice] = &[choice(
    "failed_credentials",
    "Requests without a valid credential, on all surfaces together. Needs `per: address` and no `methods`.",
)];

/// What a quota can count beside records.
pub(crate) const QUOTA_COUNTS: &[Choice] = &[
    choice(
        "body_bytes",
        "The bytes of the bodies of requests that succeed, within a period. A repetition that gets a stored answer does not count.",
    ),
    choice(
        "file_bytes",
        "The bytes of the files that were sent, as long as the records exist that they made. Only without `within`.",
    ),
];

/// Why an endpoint causes no event.
pub(crate) const NO_EVENT: &[Choice] = &[choice(
    "none",
    "It changes something, and nobody else needs to learn of it by an event.",
)];

/// What a success has around its data.
pub(crate) const NO_ENVELOPE: &[Choice] = &[choice(
    "none",
    "The body is `data` itself: a JSON object, or a JSON list.",
)];

/// Which states may follow a state.
pub(crate) const ANY: &[Choice] = &[choice("any", "Any state may follow any other.")];

/// An enum whose values are declared elsewhere.
pub(crate) const EVENTS: &[Choice] = &[choice(
    "events",
    "The names of those `events` that callers who send one can get, with their descriptions. If no body has the enum, of all.",
)];

/// The placeholders of a success in the envelope.
pub(crate) const OF_SUCCESS: &[Choice] = &[
    choice("data", "The `data` of the endpoint's `success`."),
    choice("message", "The `message` of the endpoint's `success`."),
    choice(
        "siblings",
        "The members that an endpoint lists in `siblings`. Each keeps its own name, so the key here is `...`.",
    ),
];

/// The placeholders of an error in the envelope.
pub(crate) const OF_ERROR: &[Choice] = &[
    choice("text", "The text of the error."),
    choice("code", "The name of the error."),
    choice("status", "The HTTP status, as a number."),
    choice("request_id", "The id of the request, which is also in the log."),
    choice(
        "title",
        "The `title` of the error: the same for each response with this error.",
    ),
    choice("path", "The path of the request as it was sent, without its query."),
    choice(
        "time",
        "When the service answered, by its system's clock: `2026-11-21T15:04:05Z` (RFC 3339).",
    ),
    choice(
        "faults",
        "What is wrong with an invalid request: a list with one object for each fault that the text names, as `fault` \
         declares it. Other errors have none: `$faults` is an empty list then, and `$faults?` is omitted.",
    ),
];

/// The placeholders of a fault of a request.
pub(crate) const OF_FAULT: &[Choice] = &[
    choice(
        "text",
        "What is wrong, with its place, for people: `` `age` must be at least 1 ``.",
    ),
    choice("place", crate::fault_codes::PLACE),
    choice("code", "The code of the fault: `range`. The reference page lists all."),
];

/// What a member without a value is in a response.
pub(crate) const NULLS: &[Choice] = &[choice(
    "omitted",
    "It is left out. A body for a new record must leave it out, too; where a body has `at_least_one_of`, null removes the value.",
)];

/// Error bodies in a standard form.
pub(crate) const PROBLEM: &[Choice] = &[choice(
    "problem",
    "Problem details (RFC 9457) with the media type `application/problem+json`: `{ type: about:blank, title: $title, \
     status: $status, detail: $text, code: $code, errors: $faults? }`, and for each fault `{ detail: $text, field: \
     $place, code: $code }`.",
)];

/// The steps at which a request can be rejected.
pub(crate) const STEPS: &[Choice] = &[
    choice("route", "No endpoint has this path. No placeholders."),
    choice(
        "method",
        "The path has endpoints, but none with this method. Placeholder: `{allow}`.",
    ),
    choice(
        "available",
        "The application is not available, as it states by the trait `Available`: no endpoint is served, and nothing \
         is done. Without an error of this step there is no such trait, and a store that is not available gives the \
         error of `internal`.",
    ),
    choice(
        "credential_limit",
        "Too many failed credentials from this address. Placeholder: `{seconds}` to wait.",
    ),
    choice(
        "credential",
        "No valid credential, or more than one. Placeholder: `{header}`.",
    ),
    choice(
        "suspended",
        "The caller is suspended: the field that the credential's `suspended` names is true.",
    ),
    choice(
        "limit",
        "The limit of this caller or address is used up. Placeholder: `{seconds}` to wait.",
    ),
    choice(
        "response_bytes",
        "In this window, at least `api.response_bytes` were sent to the caller. Placeholders: `{max}` bytes, and \
         `{seconds}` to wait.",
    ),
    choice(
        "in_flight",
        "The caller has the maximum number of requests in flight. Placeholder: `{max}`.",
    ),
    choice(
        "busy",
        "Too many bytes are waiting to be sent, to this caller or to all. Without an error of this step, these bytes \
         are not limited.",
    ),
    choice(
        "media_type",
        "The body is not declared as JSON, or as a file of a type that the endpoint takes, or has a `Content-Encoding`. The \
         answer to the latter has `Accept-Encoding: identity`. Placeholder: `{types}`, what it may be declared as.",
    ),
    choice("body_size", "The body has too many bytes. Placeholder: `{max_bytes}`."),
    choice(
        "body_time",
        "The body takes too long to arrive. Placeholder: `{max_seconds}`.",
    ),
    choice(
        "decode",
        "Path, query or body is invalid. Placeholders: `{faults}`, all validation errors, and for headers \
         `{fault_codes}`, the same for programs. An HTTP request whose `Host` \
         is missing, repeated or malformed (RFC 9112, section 3.2) gets this error before all other steps.",
    ),
    choice(
        "key_reused",
        "The idempotency key was sent before, with another request. No placeholders.",
    ),
    choice(
        "key_in_progress",
        "The first request with the idempotency key has no answer yet. No placeholders.",
    ),
    choice(
        "key_secret",
        "The first answer to the idempotency key had a secret, which is not stored. Placeholders: `{noun}` and `{id}` \
         of what was made.",
    ),
    choice("plan", "A guard `plan` requires another plan. Placeholder: `{plan}`."),
    choice(
        "exists",
        "A guard `exists` finds no record. Placeholders: `{noun}` and `{id}`.",
    ),
    choice(
        "owner",
        "A guard `owner` finds a record of another owner. Placeholders: `{noun}` and `{id}`.",
    ),
    choice(
        "quota",
        "The caller has reached a quota. Placeholders: `{max}` and `{noun}`.",
    ),
    choice(
        "transition",
        "The new state may not follow the current one. Placeholders: `{noun}`, `{id}`, `{from}` and `{to}`.",
    ),
    choice(
        "rule",
        "A business rule. There can be many: endpoints name them in `errors`, and handlers return them. Placeholders: \
         the path parameters that all these endpoints have.",
    ),
    choice("write", "Nothing can be written at the moment, and nothing was."),
    choice(
        "outcome",
        "Something was to be written, and it is not known whether it was. Without an error of this step, the error of \
         `internal`.",
    ),
    choice("internal", "Any other failure: a defect of the service."),
];

const fn words<const N: usize>(choices: &[Choice]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = choices[at].word;
        at += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Step;

    #[test]
    fn every_step_is_explained() {
        let explained: Vec<&str> = STEPS.iter().map(|step| step.word).collect();
        assert_eq!(explained, Step::ALL.map(|(_, word)| word));
    }
}
