//! The sections for callers and their limits: `limits`, `quotas`, `credentials`.

use super::choices::{COUNTS, OF_HTTP, PER};
use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// An entry of `limits`.
pub static LIMIT: Section = Section {
    what: "a limit",
    stands: "limits.NAME",
    doc: "A rate limit over windows that begin with the clock's second, minute, hour or day (UTC). What is let \
          through counts; each request is counted by one limit.",
    example: "{ methods: [GET], rate: 100/min, per: caller }",
    keys: &[
        Key::optional(
            "methods",
            Form::list(&Form::Scalar(Scalar::OneOf(OF_HTTP)), "[GET]"),
            "`counts` must be given",
        )
        .doc(
            "The HTTP methods whose requests it counts. The limits of a surface cover each method of its \
             endpoints exactly once.",
        )
        .makes("Which endpoints it counts."),
        Key::required("rate", Form::Scalar(Scalar::Rate))
            .doc("Most requests in a window, and the window.")
            .makes("The limiter, and the error response of the step `limit` with the seconds to wait.")
            .such_as("100/min"),
        Key::required("per", Form::Scalar(Scalar::OneOf(PER)))
            .doc("Whose requests are counted together.")
            .makes("What the limiter counts by.")
            .such_as("caller"),
        Key::optional("owner_rate", Form::Scalar(Scalar::Rate), "each is counted for itself alone")
            .doc(
                "Most requests in the same window of all credentials of one `caller` together, where a credential is \
                 `limited_by` something that the caller can make more of. At least `rate`, and only `per: caller`. A request that one of the two rejects is not counted by the other.",
            )
            .makes(
                "A second count, by the caller's id. Headers and error responses report whichever has less left, this one \
                 under the name `NAME:owner`.",
            )
            .such_as("300/min"),
        Key::optional("counts", Form::Scalar(Scalar::OneOf(COUNTS)), "it counts requests")
            .doc("What it counts in place of requests. One limit of a contract may, and no surface lists it.")
            .makes(
                "The error response of the step `credential_limit`; good credentials from the same address are still \
                 served.",
            )
            .such_as("failed_credentials"),
    ],
};

/// An entry of `quotas`.
pub static QUOTA: Section = Section {
    what: "a quota",
    stands: "quotas.NAME",
    doc: "How many of a resource its owner may have at a time.",
    example: "{ max: 3, of: Loan, per: Reader, noun: loans }",
    keys: &[
        Key::required("max", Form::Scalar(Scalar::Count(0)))
            .doc("Most of them; at least 1.")
            .makes(
                "The constant `quotas::OPEN_LOANS`. Handlers give it to the store, which counts in the \
                 transaction that makes one more. `{max}` of the error response.",
            )
            .such_as("5"),
        Key::required("of", Form::Scalar(Scalar::Name(Name::Resource)))
            .doc("The resource that is counted. `per` must be among its owners.")
            .makes("Nothing: the compiler checks that it can be counted.")
            .such_as("Loan"),
        Key::required("per", Form::Scalar(Scalar::Name(Name::Resource)))
            .doc("The resource that owns them: the caller, or what a guard of the endpoint finds.")
            .makes("Nothing: the compiler checks that the endpoint knows one.")
            .such_as("Reader"),
        Key::required("noun", Form::Scalar(Scalar::Text))
            .doc("What they are called, in the plural.")
            .makes("`{noun}` of the error response.")
            .such_as("loans"),
    ],
};

/// An entry of `credentials`.
pub static CREDENTIAL: Section = Section {
    what: "a credential",
    stands: "credentials.NAME",
    doc: "A kind of credential: a secret in a header of its own, and who calls with it.",
    example: "{ header: X-Card, caller: Reader, limited_by: Reader, prefix: card_, random_chars: 40 }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("Who has one, and how it is obtained.")
            .makes("The documentation of the credential's module.")
            .such_as("The desk hands it out."),
        Key::required("header", Form::Scalar(Scalar::Name(Name::Header)))
            .doc(
                "The request header that carries it. `Authorization` and `Cookie` have forms of their own, \
                 and cannot.",
            )
            .makes("What is read from a request, and `{header}` of the error response.")
            .such_as("X-Card"),
        Key::optional(
            "caller",
            Form::Scalar(Scalar::Name(Name::Resource)),
            "there is one who can call, such as an operator",
        )
        .doc("The resource that calls.")
        .makes(
            "The type `CardCaller` that handlers receive, and the trait `AdmitCard` that finds one by its \
             credential.",
        )
        .such_as("Reader"),
        Key::optional("limited_by", Form::Scalar(Scalar::Name(Name::Resource)), "the caller")
            .doc(
                "The resource by whose id the limits count: the caller, or something that it owns, such as \
                 one key of several.",
            )
            .makes("What a limit `per: caller` counts by.")
            .such_as("Card"),
        Key::optional("plan", Form::Scalar(Scalar::Name(Name::Field)), "there are no plans")
            .doc("The caller's field that holds its plan. Its type is an enum.")
            .makes("What guards `plan …` look at.")
            .such_as("kind"),
        Key::optional(
            "suspended",
            Form::Scalar(Scalar::Name(Name::Field)),
            "callers cannot be suspended",
        )
        .doc("The caller's field that suspends it while it is true. Its type is `boolean`.")
        .makes("The error response of the step `suspended`.")
        .such_as("is_blocked"),
        Key::required("prefix", Form::Scalar(Scalar::Name(Name::Prefix)))
            .doc(
                "The first characters of every credential of this kind, by which a leaked one is known. No \
                 two kinds begin alike.",
            )
            .makes("The function `mint`, which makes a new one.")
            .such_as("card_"),
        Key::required("random_chars", Form::Scalar(Scalar::Count(1)))
            .doc("Number of random characters behind the prefix, of 5.95 bits each: 22 to 200.")
            .makes("The function `mint`, which makes a new one.")
            .such_as("40"),
        Key::optional("shown_chars", Form::Scalar(Scalar::Count(1)), "no part is ever shown")
            .doc(
                "Number of first characters, the prefix included, that may be kept and listed, so that its \
                 owner can tell it from others. At least 22 random ones stay hidden.",
            )
            .makes("The function `shown`.")
            .such_as("8"),
    ],
};
