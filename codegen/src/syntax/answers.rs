//! `errors` and `decisions`

use super::section::section;
use super::values::{Condition, HeaderTemplate, Map, NodePath, Status, StepName, Template, Text, name};

section! {
    /// An entry of `decisions`.
    Decision = "a decision" at "decisions.NAME";
    doc "A gap in the specification, and how it was closed. A decision names the node that implements it (`at`) or a \
         test that shows it (`test`), or an endpoint names the decision in `open`. So a decision cannot become \
         outdated unnoticed.";
    example "{ gap: \"§4 how many\", choice: \"5\", at: quotas.loans }";
    keys {
        gap: required(Text), example "\"§4 how many books one may have\"",
            doc "The gap. If it begins with its section of the specification, as in `§4`, documents leave that out: their \
                 readers do not have the specification.";
        choice: required(Text), example "\"five\"",
            doc "What was decided.";
        at: optional(NodePath), absent "`test` is required, or an `open` that names the decision",
            example "quotas.open_loans.max",
            doc "The node of the contract that implements it: its keys with dots between, items of lists by their \
                 text.",
            effect "An error if the node does not exist. A rule that allows exceptions does not report this node.";
        test: optional(name::Test), absent "`at` is required, or an `open` that names the decision",
            example "loans_are_not_renewed",
            doc "The test that shows it.",
            effect "None; a test of the service can compare these names with its tests.";
    }
}

impl Decision {
    /// The gap without the section of the specification, as a question that can be understood alone.
    pub(crate) fn question(&self) -> &str {
        let section = self.gap.strip_prefix('§').and_then(|rest| rest.split_once(' '));
        section.map_or(&self.gap, |(_, question)| question)
    }
}

section! {
    /// An entry of `errors`.
    ErrorEntry = "an error" at "errors.NAME";
    doc "An error response. Each step at which this contract can reject a request has one error; the step `rule` can \
         have any number.";
    example "{ status: 400, at: decode, text: \"{faults}\" }";
    keys {
        status: required(Status), example "404",
            doc "The HTTP status (RFC 9110): 400 to 499 if the request must change, 500 to 599 if nothing is wrong \
                 with it.",
            effect "The status of the response. Handlers name the error, never a status.";
        step = "at": required(StepName), example "exists",
            doc "The step that rejects the request. It determines which placeholders the text and the headers can use.",
            effect "When the check runs, and the arguments of the error's constructor if handlers return it.";
        text: required(Template), example "\"{noun} {id} not found\"",
            doc "The text for the caller. It can have placeholders for the values that are known at its step.",
            effect "`$text` of the envelope.";
        title: optional(Text), absent "the phrase of the status: `Not Found`", example "\"Book not found\"",
            doc "A short name of the error for people, the same in each response. With the `type` `about:blank` it should be \
                 the phrase of the status (RFC 9457).",
            effect "`$title` of the envelope.";
        help: optional(Text), absent "none",
            example "\"Wait as long as `Retry-After` says, and send the request again.\"",
            doc "What a caller should do after this error.",
            effect "The documentation of the error; responses do not contain it.";
        when: optional(Condition), absent "the handler decides when", example "Book.is_lent is true",
            doc "When a rule rejects a request: what is so of a record that the endpoint found, or of its caller; or \
                 which record there is, or is not. Only at the step `rule`.",
            effect "`codegen mock` decides by it. The documents show it.";
        headers: default(Map<name::Header, HeaderTemplate>), absent "no headers of its own",
            example "{ Retry-After: \"{seconds}\" }",
            doc "Headers of this response, with the same placeholders except `{faults}` and `{noun}`, which may \
                 contain non-ASCII characters. At the step `decode` also `{fault_codes}`, the validation errors for programs.",
            effect "The headers, in addition to those of every response.";
        untestable: optional(Untestable), absent "probes must cover the error, or the tests fail",
            doc "Why requests alone cannot cause this error. Only at the steps `available`, `response_bytes`, \
                 `in_flight`, `busy`, `body_time`, `key_in_progress`, `write`, `outcome` and `internal`, which need many \
                 bytes, requests that are held open, a timeout or a failure, and at the step `rule`, if the verifier cannot know \
                 when the handler rejects a request: without `when`, or if that is about a field that no body has.",
            effect "The evidence for the error in the coverage matrix, which counts the probes of each response of each \
                    operation.";
    }
    aliases {
        "message" "description" "detail" => "write the text for the caller as `text`";
        "code" "name" => "the name of the error is its code: the envelope returns it as `$code`";
        "step" => "write the step that rejects the request as `at`";
        "doc" "hint" "remedy" => "write what the caller should do next as `help`";
    }
}

impl ErrorEntry {
    /// Its `title`, or the phrase of its status (RFC 9110 §15). `None`: it has neither.
    pub(crate) fn shown_title(&self) -> Option<&str> {
        let status = u16::try_from(self.status.whole()).ok();
        let phrase = status.and_then(|status| match status {
            // The crate still has the phrases of RFC 7231.
            413 => Some("Content Too Large"),
            422 => Some("Unprocessable Content"),
            _ => http::StatusCode::from_u16(status).ok()?.canonical_reason(),
        });
        self.title.as_ref().map(|title| title.text.as_str()).or(phrase)
    }
}

section! {
    /// `untestable` of an error
    Untestable = "`untestable`" at "errors.NAME.untestable" with head;
    doc "Why requests alone cannot cause an error, and the test that injects its cause.";
    example "{ reason: \"a disk must fail\", test: a_failing_disk_is_told }";
    keys {
        reason: required(Text), example "\"a disk must fail\"",
            doc "What would have to happen, which no request can cause.",
            effect "The reason in the coverage matrix.";
        test: required(name::Test), example "a_failing_disk_is_told",
            doc "The service's own test, which injects the cause and checks the error.",
            effect "Its name in the coverage matrix; a test of the service can compare these names with its tests.";
    }
}
