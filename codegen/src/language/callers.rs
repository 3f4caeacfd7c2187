//! The sections for callers and their limits: `limits`, `quotas`, `credentials`.

use super::choices::{COUNTS, OF_HTTP, PER};
use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// An entry of `limits`.
pub static LIMIT: Section = Section {
    what: "a limit",
    stands: "limits.NAME",
    doc: "A rate limit over fixed windows, which begin with each second, minute, hour or day of the clock (UTC). A \
        correction of the clock while the server runs does not move them. Only accepted requests are counted, each by \
        one limit.",
    example: "{ methods: [GET], rate: 100/min, per: caller }",
    keys: &[
        Key::optional(
            "methods",
            Form::list(&Form::Scalar(Scalar::OneOf(OF_HTTP)), "[GET]"),
            "`counts` is required",
        )
        .doc(
            "The HTTP methods whose requests it counts. The limits of a surface cover each method of its endpoints \
             exactly once.",
        )
        .makes("Which endpoints it counts."),
        Key::required("rate", Form::Scalar(Scalar::Rate))
            .doc("Maximum number of requests in a window, and the window.")
            .makes("The rate limiter, and the error response of the step `limit` with the seconds to wait.")
            .such_as("100/min"),
        Key::required("per", Form::Scalar(Scalar::OneOf(PER)))
            .doc("Whose requests are counted together.")
            .makes("The key of the rate limiter.")
            .such_as("caller"),
        Key::optional(
            "owner_rate",
            Form::Scalar(Scalar::Rate),
            "each credential is counted alone",
        )
        .doc(
            "Maximum number of requests in the same window for all credentials of one `caller` together. Only with \
             `per: caller`, and only for a credential that is `limited_by` a resource of which a caller can have \
             several. Not less than `rate`. A request that one of the two rates rejects does not count towards the \
             other.",
        )
        .makes(
            "A second count, by the caller's id. Headers and error responses report the count with less \
                 remaining; this one has the name `NAME:owner`.",
        )
        .such_as("300/min"),
        Key::optional("counts", Form::Scalar(Scalar::OneOf(COUNTS)), "it counts requests")
            .doc(
                "Counts something other than requests. At most one limit of a contract has this key, and no surface \
                lists it.",
            )
            .makes(
                "The error response of the step `credential_limit`. Requests with valid credentials from the same \
                 address are still served.",
            )
            .such_as("failed_credentials"),
    ],
};

/// An entry of `quotas`.
pub static QUOTA: Section = Section {
    what: "a quota",
    stands: "quotas.NAME",
    doc: "How many records of a resource its owner may have at a time.",
    example: "{ max: 3, of: Loan, per: Reader, noun: loans }",
    keys: &[
        Key::required("max", Form::Scalar(Scalar::Count(0)))
            .doc("The maximum; at least 1.")
            .makes(
                "The constant `quotas::OPEN_LOANS`. Handlers pass it to the store, which counts in the transaction \
                 that creates the next record. `{max}` of the error response.",
            )
            .such_as("5"),
        Key::required("of", Form::Scalar(Scalar::Name(Name::Resource)))
            .doc("The resource that is counted. `per` must be among its owners.")
            .makes("None: the compiler checks that it can be counted.")
            .such_as("Loan"),
        Key::required("per", Form::Scalar(Scalar::Name(Name::Resource)))
            .doc("The resource that owns them: the caller, or a resource that a guard of the endpoint finds.")
            .makes("None: the compiler checks that the endpoint has such a caller or guard.")
            .such_as("Reader"),
        Key::required("noun", Form::Scalar(Scalar::Text))
            .doc("The plural noun for these records in texts.")
            .makes("`{noun}` of the error response.")
            .such_as("loans"),
    ],
};

/// An entry of `credentials`.
pub static CREDENTIAL: Section = Section {
    what: "a credential",
    stands: "credentials.NAME",
    doc: "A kind of credential: a secret in a request header, and the resource that calls with it.",
    example: "{ header: X-Card, caller: Reader, limited_by: Reader, prefix: card_, random_chars: 40 }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("Who has one, and how to obtain it.")
            .makes("The documentation of the credential's module.")
            .such_as("The desk hands it out."),
        Key::required("header", Form::Scalar(Scalar::Name(Name::Header)))
            .doc(
                "The request header that carries it. Not `Authorization` or `Cookie`, which have a format of their \
                 own.",
            )
            .makes("What is read from a request, and `{header}` of the error response.")
            .such_as("X-Card"),
        Key::optional(
            "caller",
            Form::Scalar(Scalar::Name(Name::Resource)),
            "it identifies no caller, as for a single operator",
        )
        .doc("The resource that calls.")
        .makes(
            "The type `CardCaller` that handlers receive, and the trait `AdmitCard` that finds one by its \
             credential.",
        )
        .such_as("Reader"),
        Key::optional("limited_by", Form::Scalar(Scalar::Name(Name::Resource)), "the caller")
            .doc(
                "The resource whose requests a limit `per: caller` counts together: the caller, or a resource that it \
                 owns, such as one of several API keys.",
            )
            .makes("The key of limits `per: caller`.")
            .such_as("Card"),
        Key::optional("plan", Form::Scalar(Scalar::Name(Name::Field)), "there are no plans")
            .doc("The caller's field with its plan. Its type is an enum.")
            .makes("The value that guards `plan …` check.")
            .such_as("kind"),
        Key::optional(
            "suspended",
            Form::Scalar(Scalar::Name(Name::Field)),
            "callers cannot be suspended",
        )
        .doc("The caller's field that is true while the caller is suspended. Its type is `boolean`.")
        .makes("The error response of the step `suspended`.")
        .such_as("is_blocked"),
        Key::required("prefix", Form::Scalar(Scalar::Name(Name::Prefix)))
            .doc(
                "The first characters of every credential of this kind, which identify a leaked one. Each kind has a \
                 prefix of its own.",
            )
            .makes("The function `mint`, which creates a new one.")
            .such_as("card_"),
        Key::required("random_chars", Form::Scalar(Scalar::Count(1)))
            .doc("Number of random characters after the prefix, of 5.95 bits each: 22 to 200.")
            .makes("The function `mint`, which creates a new one.")
            .such_as("40"),
        Key::optional(
            "shown_chars",
            Form::Scalar(Scalar::Count(1)),
            "no part is ever displayed",
        )
        .doc(
            "Number of leading characters, including the prefix, that may be stored and listed, so that the owner can \
                 recognize the credential. At least 22 random characters stay hidden.",
        )
        .makes("The function `shown`.")
        .such_as("8"),
    ],
};
