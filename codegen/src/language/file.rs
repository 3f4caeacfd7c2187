//! The whole file, and `api`.

use super::form::{Form, Key, Section};
use super::{Name, Scalar, answers, callers, endpoints, shown, types};

/// The whole file.
pub static FILE: Section = Section {
    what: "api.yaml",
    stands: "",
    doc: "A contract is a map of these sections. They can have any order; this one reads well.",
    example: "",
    keys: &[
        Key::required("api", Form::Section(&API)).doc("The service's names, and settings for every endpoint."),
        Key::required("envelope", Form::Section(&answers::ENVELOPE)).doc("The structure of every JSON response body."),
        Key::optional(
            "decisions",
            Form::map(
                Name::Decision,
                &Form::Section(&answers::DECISION),
                "{ loans: { gap: \"§4 how many\", choice: \"5\", at: quotas.loans } }",
            ),
            "no gaps are recorded",
        )
        .doc("Gaps in the specification behind the contract, and how they were closed.")
        .makes(
            "None on the server. Some rules allow exceptions: a decision permits one if its `at` names the right node. \
             `codegen explain RULE` says which node.",
        ),
        Key::required(
            "errors",
            Form::map(
                Name::ErrorRow,
                &Form::Section(&answers::ERROR_ROW),
                "{ invalid: { status: 400, at: decode, text: \"{faults}\" } }",
            ),
        )
        .doc(
            "All error responses, in order of precedence: a request with several errors gets the first of them. A \
              request is checked in steps, and each error names its step in `at`.",
        )
        .makes(
            "The order of the checks in every endpoint; the error type of each endpoint, with the errors that it can \
             return; tests of precedence, which cause two errors at once.",
        ),
        Key::optional(
            "limits",
            Form::map(
                Name::Limit,
                &Form::Section(&callers::LIMIT),
                "{ read: { methods: [GET], rate: 100/min, per: caller } }",
            ),
            "nothing is limited",
        )
        .doc("Rate limits. A surface names the limits that count its requests.")
        .makes("A rate limiter for each, a switch to turn them off, and tests that use each one up."),
        Key::optional(
            "limit_headers",
            Form::map(
                Name::Header,
                &Form::Scalar(Scalar::HeaderTemplate),
                "{ X-Left: \"{remaining}\" }",
            ),
            "no headers report limits",
        )
        .doc(
            "Headers of every response to a request that a limit counted. Placeholders: `{limit}` (its name), \
             `{max}`, `{remaining}`, `{window_seconds}`, `{seconds}` until the window ends, and `{reset_unix}`, the \
             end of the window in Unix time.",
        )
        .makes("The headers, also on error responses; none while limits are turned off."),
        Key::optional(
            "quotas",
            Form::map(
                Name::Quota,
                &Form::Section(&callers::QUOTA),
                "{ loans: { max: 3, of: Loan, per: Reader, noun: loans } }",
            ),
            "nothing is counted",
        )
        .doc(
            "How many records of a resource its owner may have at a time. An endpoint that creates such records names \
             the quota.",
        ),
        Key::optional(
            "credentials",
            Form::map(
                Name::Credential,
                &Form::Section(&callers::CREDENTIAL),
                "{ card: { header: X-Card, prefix: card_, random_chars: 40 } }",
            ),
            "every surface is public",
        )
        .doc("Kinds of credentials. A surface names the one that all its requests need."),
        Key::optional(
            "types",
            Form::map(
                Name::Type,
                &Form::Section(&types::TYPE),
                "{ title: { string: { min: 1, max: 200 } } }",
            ),
            "only built-in types are used",
        )
        .doc(
            "Named types with their bounds. A value in a request has a type declared here, an enum, an object, an id, \
             `boolean` or `date`.",
        ),
        Key::optional(
            "enums",
            Form::map(Name::Enum, &types::ENUM, "{ Color: [red, green] }"),
            "there are no enums",
        )
        .doc("Closed sets of values, and subsets of them.")
        .makes("A Rust enum for each. Its decoder rejects all other values."),
        Key::optional(
            "states",
            Form::map(
                Name::States,
                &Form::Section(&types::STATE),
                "{ Loan.status: { initial: out, transitions: any } }",
            ),
            "no field has states",
        )
        .doc(
            "Fields with restricted transitions. The key is `Resource.field`. The field's type is an enum that no \
             other states use.",
        )
        .makes(
            "A constant for the initial state, and a function that says whether one state may follow another. Staying \
             in a state is always allowed.",
        ),
        Key::optional(
            "objects",
            Form::map(Name::Object, &types::TYPED_STORED, "{ Author: { name: name } }"),
            "there are no objects",
        )
        .doc("Nested objects of resources, bodies and responses. Each is a map from members to their types.")
        .makes("A Rust struct for each, its decoder if a request can contain it, and its JSON."),
        Key::optional(
            "inputs",
            Form::map(
                Name::Input,
                &Form::Section(&endpoints::BODY),
                "{ NewBook: { resource: Book, required: [title] } }",
            ),
            "endpoints declare their bodies themselves",
        )
        .doc("Named request bodies, for several endpoints or as items of a list.")
        .makes("A Rust struct for each and its decoder."),
        Key::optional(
            "resources",
            Form::map(
                Name::Resource,
                &Form::Section(&shown::RESOURCE),
                "{ Book: { noun: book, fields: { id: Book.id } } }",
            ),
            "nothing is stored",
        )
        .doc("What is stored, and the views in which it is returned."),
        Key::required(
            "surfaces",
            Form::map(
                Name::Surface,
                &Form::Section(&endpoints::SURFACE),
                "{ public: { base: /v1, endpoints: { list_books: { GET: /books, success: {} } } } }",
            ),
        )
        .doc("The endpoints, grouped by who calls them.")
        .makes("A module and a `warp` filter for each, which can be mounted separately."),
    ],
};

/// `api`
pub static API: Section = Section {
    what: "`api`",
    stands: "api",
    doc: "The service's names, and settings for every endpoint.",
    example: "{ name: books, title: Books, statuses: [200], body: { max_bytes: 1000, max_seconds: 30 } }",
    keys: &[
        Key::required("name", Form::Scalar(Scalar::Name(Name::Service)))
            .doc("The service's short name.")
            .makes("None: it identifies the contract.")
            .such_as("library"),
        Key::required("title", Form::Scalar(Scalar::Text))
            .doc("The service's name for people.")
            .makes("`codegen list --json`, `codegen diff` and the documents show it.")
            .such_as("Town Library"),
        Key::optional("version", Form::Scalar(Scalar::Version), "`0.0.0`")
            .doc("The version of the contract, as in semantic versioning.")
            .makes("The documents show it.")
            .such_as("1.2.0"),
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What the service is for, in a sentence or two.")
            .makes("The documents begin with it.")
            .such_as("\"Lends books to everybody in town.\""),
        Key::optional("contact", Form::Section(&CONTACT), "none").doc("Whom to ask about the service."),
        Key::optional("license", Form::Section(&LICENSE), "none").doc("The terms under which the service can be used."),
        Key::required("statuses", Form::list(&Form::Scalar(Scalar::Status), "[200, 400]"))
            .doc(
                "Every HTTP status (RFC 9110) that the service uses. A used status that is not listed is an error, \
                 and so is a listed one that is never used. So no status is added by accident.",
            )
            .makes("None: a promise to clients, which the compiler checks."),
        Key::required("body", Form::Section(&BODY_BOUNDS)).doc("Bounds of every request body."),
        Key::optional(
            "in_flight",
            Form::Scalar(Scalar::Count(1)),
            "a caller may have any number in flight",
        )
        .doc(
            "Maximum number of concurrent requests (requests in flight) of one caller, for all its credentials \
             together. A request counts from the step `in_flight` (see `at` of `errors`) until its response is sent. \
             Requests with a credential without a `caller` do not count.",
        )
        .makes("The error response of the step `in_flight`, before the body is read; none while limits are turned off.")
        .such_as("32"),
        Key::optional(
            "headers",
            Form::map(
                Name::Header,
                &Form::Scalar(Scalar::HeaderTemplate),
                "{ X-Trace: \"{request_id}\" }",
            ),
            "only the headers of HTTP itself",
        )
        .doc("Headers of every response. Placeholder: `{request_id}`, which is also in the log.")
        .makes("The headers, also on error responses and for unknown paths."),
    ],
};

/// `api.contact`
pub static CONTACT: Section = Section {
    what: "`contact`",
    stands: "api.contact",
    doc: "Whom to ask about the service.",
    example: "{ name: Town Library }",
    keys: &[
        Key::required("name", Form::Scalar(Scalar::Text))
            .doc("The name of a person or an organization.")
            .makes("The documents show it.")
            .such_as("Town Library"),
        Key::optional("url", Form::Scalar(Scalar::Url), "there is no page")
            .doc("A page with ways to reach them.")
            .makes("The documents show it.")
            .such_as("https://library.example/contact"),
        Key::optional("email", Form::Scalar(Scalar::Email), "there is no e-mail address")
            .doc("The e-mail address.")
            .makes("The documents show it.")
            .such_as("desk@library.example"),
    ],
};

/// `api.license`
pub static LICENSE: Section = Section {
    what: "`license`",
    stands: "api.license",
    doc: "The terms under which the service can be used: their name, and where to find them.",
    example: "{ name: MIT License, identifier: MIT }",
    keys: &[
        Key::required("name", Form::Scalar(Scalar::Text))
            .doc("The name of the license.")
            .makes("The documents show it.")
            .such_as("MIT License"),
        Key::optional("identifier", Form::Scalar(Scalar::Text), "it has none")
            .doc("Its SPDX expression.")
            .makes("The documents show it.")
            .such_as("MIT OR Apache-2.0"),
        Key::optional("url", Form::Scalar(Scalar::Url), "there is no page")
            .doc(
                "The page with its text. If both are given, OpenAPI 3.1 documents contain only the identifier, and 3.0 \
                documents only the page.",
            )
            .makes("The documents show it.")
            .such_as("https://library.example/terms"),
    ],
};

/// `api.body`
pub static BODY_BOUNDS: Section = Section {
    what: "`body`",
    stands: "api.body",
    doc: "Bounds of every request body.",
    example: "{ max_bytes: 1000, max_seconds: 30 }",
    keys: &[
        Key::required("max_bytes", Form::Scalar(Scalar::Count(1)))
            .doc(
                "Maximum number of bytes of a request body, as `Content-Length` counts them. An endpoint can have a \
                 maximum of its own.",
            )
            .makes("The error response of the step `body_size`, as soon as the maximum is exceeded.")
            .such_as("262144"),
        Key::required("max_seconds", Form::Scalar(Scalar::Count(1)))
            .doc("Maximum number of seconds until a body has arrived completely.")
            .makes("The error response of the step `body_time`.")
            .such_as("30"),
        Key::optional("min_rate", Form::Section(&MIN_RATE), "only `max_seconds` applies")
            .doc("The minimum rate at which a body must arrive."),
    ],
};

/// `api.body.min_rate`
pub static MIN_RATE: Section = Section {
    what: "`min_rate`",
    stands: "api.body.min_rate",
    doc: "The minimum rate at which a body must arrive. Faster arrival at first does not permit a slower rate later.",
    example: "{ bytes_per_second: 1024, grace_seconds: 10 }",
    keys: &[
        Key::required("bytes_per_second", Form::Scalar(Scalar::Count(1)))
            .doc("Minimum number of bytes per second.")
            .makes("The error response of the step `body_time`, as soon as the body is more than `grace_seconds` late.")
            .such_as("1024"),
        Key::required("grace_seconds", Form::Scalar(Scalar::Count(1)))
            .doc(
                "Maximum number of seconds that a body may fall behind this rate. This is also the longest possible \
                  pause.",
            )
            .makes("How long the server waits for a body that has stopped arriving.")
            .such_as("10"),
    ],
};
