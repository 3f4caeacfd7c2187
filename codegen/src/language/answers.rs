//! The sections for answers, error responses and decisions: `envelope`, `errors`, `decisions`.

use super::choices::{Choice, STEPS};
use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// `envelope`
pub static ENVELOPE: Section = Section {
    what: "`envelope`",
    stands: "envelope",
    doc: "The structure of every JSON response body. A member is a literal, or a placeholder for a value: without a \
          value, `$name` becomes null and `$name?` is omitted.",
    example: "{ success: { ok: true, data: $data? }, error: { ok: false, error: $text } }",
    keys: &[
        Key::required(
            "success",
            Form::map(
                Name::EnvelopeMember,
                &Form::Scalar(Scalar::EnvelopeValue(OF_SUCCESS)),
                "{ ok: true, data: $data? }",
            ),
        )
        .doc(
            "Members of a success, in order. `$data` is required; `$message` and `$siblings` are required if \
             endpoints use them.",
        )
        .makes("The one function that writes successes.")
        .such_as("{ ok: true, data: $data?, message: $message?, ...: $siblings }"),
        Key::required(
            "error",
            Form::map(
                Name::EnvelopeMember,
                &Form::Scalar(Scalar::EnvelopeValue(OF_ERROR)),
                "{ ok: false, error: $text }",
            ),
        )
        .doc("Members of an error, in order. `$text` is required.")
        .makes("The one function that writes error responses, including those for unknown paths.")
        .such_as("{ ok: false, code: $code, error: $text }"),
    ],
};

const OF_SUCCESS: &[Choice] = &[
    Choice {
        word: "data",
        doc: "The `data` of the endpoint's `success`.",
    },
    Choice {
        word: "message",
        doc: "The `message` of the endpoint's `success`.",
    },
    Choice {
        word: "siblings",
        doc: "The members that an endpoint lists in `siblings`. Each keeps its own name, so the key here is `...`.",
    },
];

const OF_ERROR: &[Choice] = &[
    Choice {
        word: "text",
        doc: "The text of the error.",
    },
    Choice {
        word: "code",
        doc: "The name of the error.",
    },
    Choice {
        word: "status",
        doc: "The HTTP status, as a number.",
    },
    Choice {
        word: "request_id",
        doc: "The id of the request, which is also in the log.",
    },
];

/// An entry of `decisions`.
pub static DECISION: Section = Section {
    what: "a decision",
    stands: "decisions.NAME",
    doc: "A gap in the specification, and how it was closed. A decision names the node that implements it (`at`) or a \
          test that shows it (`test`), or an endpoint names the decision in `open`. So a decision cannot become \
          outdated unnoticed.",
    example: "{ gap: \"§4 how many\", choice: \"5\", at: quotas.loans }",
    keys: &[
        Key::required("gap", Form::Scalar(Scalar::Text))
            .doc("The gap, with its section of the specification.")
            .such_as("\"§4 how many books one may have\""),
        Key::required("choice", Form::Scalar(Scalar::Text))
            .doc("What was decided.")
            .such_as("\"five\""),
        Key::optional(
            "at",
            Form::Scalar(Scalar::NodePath),
            "`test` is required, or an `open` that names the decision",
        )
        .doc(
            "The node of the contract that implements it: its keys with dots between, items of lists by their \
                text.",
        )
        .makes("An error if the node does not exist. A rule that allows exceptions does not report this node.")
        .such_as("quotas.open_loans.max"),
        Key::optional(
            "test",
            Form::Scalar(Scalar::Name(Name::Test)),
            "`at` is required, or an `open` that names the decision",
        )
        .doc("The test that shows it.")
        .makes("None; a test of the service can compare these names with its tests.")
        .such_as("loans_are_not_renewed"),
    ],
};

/// An entry of `errors`.
pub static ERROR_ROW: Section = Section {
    what: "an error",
    stands: "errors.NAME",
    doc: "An error response. Each step at which this contract can reject a request has one error; the step `rule` can \
        have any number.",
    example: "{ status: 400, at: decode, text: \"{faults}\" }",
    keys: &[
        Key::required("status", Form::Scalar(Scalar::Status))
            .doc(
                "The HTTP status (RFC 9110): 400 to 499 if the request must change, 500 to 599 if nothing is wrong \
                 with it.",
            )
            .makes("The status of the response. Handlers name the error, never a status.")
            .such_as("404"),
        Key::required("at", Form::Scalar(Scalar::OneOf(STEPS)))
            .doc(
                "The step that rejects the request. It determines which placeholders the text and the headers can \
                use.",
            )
            .makes("When the check runs, and the arguments of the error's constructor if handlers return it.")
            .such_as("exists"),
        Key::required("text", Form::Scalar(Scalar::Template))
            .doc("The text for the caller. It can have placeholders for the values that are known at its step.")
            .makes("`$text` of the envelope.")
            .such_as("\"{noun} {id} not found\""),
        Key::optional("help", Form::Scalar(Scalar::Text), "none")
            .doc("What a caller should do after this error.")
            .makes("The documentation of the error; responses do not contain it.")
            .such_as("\"Wait as long as `Retry-After` says, and send the request again.\""),
        Key::optional(
            "headers",
            Form::map(
                Name::Header,
                &Form::Scalar(Scalar::HeaderTemplate),
                "{ X-Trace: \"{request_id}\" }",
            ),
            "no headers of its own",
        )
        .doc(
            "Headers of this response, with the same placeholders except `{faults}` and `{noun}`, which may contain \
            non-ASCII characters.",
        )
        .makes("The headers, in addition to those of every response.")
        .such_as("{ Retry-After: \"{seconds}\" }"),
        Key::optional(
            "untestable",
            Form::Section(&UNTESTABLE),
            "the generated suite must cover the error, or it fails",
        )
        .doc(
            "Why requests alone cannot cause this error. Only at the steps `in_flight`, `busy`, `body_time`, `write` \
             and `internal`, which need requests that are held open, a timeout or a failure.",
        )
        .makes(
            "The evidence for the error in the coverage matrix, which shows the test of each response of each \
                operation.",
        ),
    ],
};

/// `untestable` of an error
pub static UNTESTABLE: Section = Section {
    what: "`untestable`",
    stands: "errors.NAME.untestable",
    doc: "Why requests alone cannot cause an error, and the test that injects its cause.",
    example: "{ reason: \"a disk must fail\", test: a_failing_disk_is_told }",
    keys: &[
        Key::required("reason", Form::Scalar(Scalar::Text))
            .doc("What would have to happen, which no request can cause.")
            .makes("The reason in the coverage matrix.")
            .such_as("\"a disk must fail\""),
        Key::required("test", Form::Scalar(Scalar::Name(Name::Test)))
            .doc("The service's own test, which injects the cause and checks the error.")
            .makes("Its name in the coverage matrix; a test of the service can compare these names with its tests.")
            .such_as("a_failing_disk_is_told"),
    ],
};
