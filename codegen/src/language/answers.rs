//! The sections for answers, error responses and decisions: `envelope`, `errors`, `decisions`.

use super::choices::{Choice, STEPS};
use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// `envelope`
pub static ENVELOPE: Section = Section {
    what: "`envelope`",
    stands: "envelope",
    doc: "The form of every JSON body that the service answers with. A member is a literal, or a placeholder for \
          what there is to say: `$name` is null and `$name?` is left out where there is nothing.",
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
            "Members of a success, in order: `$data` must be among them, `$message` and `$siblings` where \
             endpoints have these.",
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
        .doc("Members of an error, in order: `$text` must be among them.")
        .makes("The one function that writes error responses, including those for unknown paths.")
        .such_as("{ ok: false, code: $code, error: $text }"),
    ],
};

const OF_SUCCESS: &[Choice] = &[
    Choice {
        word: "data",
        doc: "What the endpoint's `success` shows as `data`.",
    },
    Choice {
        word: "message",
        doc: "The `message` of the endpoint's `success`.",
    },
    Choice {
        word: "siblings",
        doc: "The members that an endpoint names beside `data`. They have names of their own, so the key is `...`.",
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
        doc: "The id of the request, which the log has, too.",
    },
];

/// An entry of `decisions`.
pub static DECISION: Section = Section {
    what: "a decision",
    stands: "decisions.NAME",
    doc: "What the specification leaves open, and what was decided. It names the node that enacts it or a test \
          that shows it, so that it cannot go stale.",
    example: "{ gap: \"§4 how many\", choice: \"5\", at: quotas.loans }",
    keys: &[
        Key::required("gap", Form::Scalar(Scalar::Text))
            .doc("What is left open, with its section.")
            .such_as("\"§4 how many books one may have\""),
        Key::required("choice", Form::Scalar(Scalar::Text))
            .doc("What was decided.")
            .such_as("\"five\""),
        Key::optional("at", Form::Scalar(Scalar::NodePath), "`test` must be given")
            .doc("The node of the contract that enacts it: its keys with dots between, items of lists by their text.")
            .makes("A report when there is no such node any more; quiet of the rules that this decision answers.")
            .such_as("quotas.open_loans.max"),
        Key::optional("test", Form::Scalar(Scalar::Name(Name::Test)), "`at` must be given")
            .doc("The test that shows it.")
            .makes("Nothing; a test of the service's own can hold these names against its tests.")
            .such_as("loans_are_not_renewed"),
    ],
};

/// An entry of `errors`.
pub static ERROR_ROW: Section = Section {
    what: "an error",
    stands: "errors.NAME",
    doc: "An error response. Each step that can reject a request of this contract has one, the step `rule` any number.",
    example: "{ status: 400, at: decode, text: \"{faults}\" }",
    keys: &[
        Key::required("status", Form::Scalar(Scalar::Status))
            .doc(
                "The HTTP status (RFC 9110): 400 to 499 where the request must change, 500 to 599 where \
                 nothing is wrong with it.",
            )
            .makes("The status of the response; handlers name the error and never a status.")
            .such_as("404"),
        Key::required("at", Form::Scalar(Scalar::OneOf(STEPS)))
            .doc("The step that rejects the request. It determines the placeholders of the text and the headers.")
            .makes(
                "Where the check stands among the others; the arguments of the error's constructor where handlers return it.",
            )
            .such_as("exists"),
        Key::required("text", Form::Scalar(Scalar::Template))
            .doc("What the caller reads. It may name in braces what is known at its step.")
            .makes("`$text` of the envelope.")
            .such_as("\"{noun} {id} not found\""),
        Key::optional("help", Form::Scalar(Scalar::Text), "none")
            .doc("What a caller should do who gets this error.")
            .makes("The documentation of the error; no response contains it.")
            .such_as("\"Wait as long as `Retry-After` says, and send the request again.\""),
        Key::optional(
            "headers",
            Form::map(
                Name::Header,
                &Form::Scalar(Scalar::HeaderTemplate),
                "{ X-Trace: \"{request_id}\" }",
            ),
            "none of its own",
        )
        .doc("Headers of this response, with the same placeholders but `{faults}` and `{noun}`, which are no ASCII.")
        .makes("The headers, beside those of every answer.")
        .such_as("{ Retry-After: \"{seconds}\" }"),
        Key::optional(
            "untestable",
            Form::Section(&UNTESTABLE),
            "the suite must cover the error, or does not build",
        )
        .doc(
            "Why requests alone cannot cause this error. Only at the steps `body_time`, \
             `write` and `internal`, where a clock must run out or something break.",
        )
        .makes("The evidence for the error in the coverage matrix, for every operation."),
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
            .makes("The reason in the matrix.")
            .such_as("\"a disk must fail\""),
        Key::required("test", Form::Scalar(Scalar::Name(Name::Test)))
            .doc("The service's own test, which injects the cause and checks the error.")
            .makes("Its name in the matrix; a test of the service's own can hold these names against its tests.")
            .such_as("a_failing_disk_is_told"),
    ],
};
