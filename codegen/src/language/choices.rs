//! Values that are one of a fixed set of words: methods, steps, built-in types, and what a limit counts.

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
pub const BUILT_IN_TYPES: [Choice; 6] = [
    choice(
        "boolean",
        "`true` or `false`. In a query `flag` takes `1` and `0`, too.",
    ),
    choice("flag", "In a query only: `1` or `true`, `0` or `false`."),
    choice(
        "date",
        "A day of the calendar, `2026-11-21` (RFC 3339 `full-date`); one that does not exist is rejected.",
    ),
    choice(
        "timestamp",
        "A moment that the service notes: UTC, in whole seconds, `2026-11-21T15:04:05`, without an offset. Never taken \
         from a request.",
    ),
    choice(
        "string",
        "Text that the service makes, such as a digest. Never taken from a request: that needs a type.",
    ),
    choice(
        "secret",
        "A credential, shown once: in the answer to the request that makes it.",
    ),
];

/// The words of [`BUILT_IN_TYPES`].
pub(crate) const BUILT_IN: [&str; 6] = words(&BUILT_IN_TYPES);

/// The HTTP methods of endpoints.
pub(super) const OF_HTTP: &[Choice] = &[
    choice("GET", "Reads, and changes nothing. It has no body."),
    choice("POST", "Makes something, or does what can be done twice."),
    choice(
        "PUT",
        "Puts something in a place, or sets what it is; twice is as once.",
    ),
    choice("PATCH", "Changes what is mentioned, and leaves the rest."),
    choice("DELETE", "Takes something away. It has no body."),
];

/// The words of the HTTP methods of endpoints.
pub(crate) const METHODS: [&str; 5] = words(OF_HTTP);

/// How bidirectional controls are handled.
pub(super) const BIDI_CONTROLS: &[Choice] = &[choice(
    "refused",
    "A text with one is rejected: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 (Unicode's Bidi_Control).",
)];

/// By whom a limit counts.
pub(super) const PER: &[Choice] = &[
    choice(
        "caller",
        "Each caller, by the resource that the credential's `limited_by` names.",
    ),
    choice(
        "address",
        "Each address (an IPv6 network of 64 bits is one), for all callers together.",
    ),
];

/// What a limit can count instead of requests.
pub(super) const COUNTS: &[Choice] = &[choice(
    "failed_credentials",
    "Requests without a valid credential, on all surfaces together. Needs `per: address` and no `methods`.",
)];

/// Which states may follow a state.
pub(super) const ANY: &[Choice] = &[choice("any", "Any state may follow any other.")];

/// The steps at which a request can be rejected.
pub(super) const STEPS: &[Choice] = &[
    choice("route", "No endpoint has this path. The text can name nothing."),
    choice(
        "method",
        "The path has endpoints, but none of this method. Knows `{allow}`.",
    ),
    choice(
        "credential_limit",
        "Too many failed credentials from this address. Knows `{seconds}` to wait.",
    ),
    choice(
        "credential",
        "No valid credential, or more than one. Knows the `{header}`.",
    ),
    choice(
        "suspended",
        "The caller is suspended: the field that the credential's `suspended` names is true.",
    ),
    choice(
        "limit",
        "The limit of this caller or address is used up. Knows `{seconds}` to wait.",
    ),
    choice(
        "in_flight",
        "As many requests of this caller are worked on as may be at a time. Knows the `{max}`.",
    ),
    choice(
        "busy",
        "Too much waits to be sent, to this caller or to all. Without such an error nothing is counted.",
    ),
    choice("media_type", "The body is not declared as JSON."),
    choice("body_size", "The body has too many bytes. Knows `{max_bytes}`."),
    choice("body_time", "The body takes too long to arrive. Knows `{max_seconds}`."),
    choice(
        "decode",
        "Path, query or body is not what is declared. Knows all `{faults}`. A request over HTTP whose `Host` is missing, \
         repeated or malformed (RFC 9112, section 3.2) is rejected with this error before all other steps.",
    ),
    choice("plan", "A guard `plan` asks for another plan. Knows the `{plan}`."),
    choice("exists", "A guard `exists` finds nothing. Knows `{noun}` and `{id}`."),
    choice("owner", "A guard `owner` finds another's. Knows `{noun}` and `{id}`."),
    choice("quota", "The caller has as many as it may. Knows `{max}` and `{noun}`."),
    choice(
        "transition",
        "The state may not follow the present one. Knows `{noun}`, `{id}`, `{from}` and `{to}`.",
    ),
    choice(
        "rule",
        "A rule of the business, of which there may be many; endpoints name them in `errors`, and \
         handlers give them. Knows the path parameters that all these endpoints have.",
    ),
    choice("write", "Nothing can be written at the moment."),
    choice("internal", "Anything else: a defect of the service."),
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
