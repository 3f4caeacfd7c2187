//! The whole file, and `api`.

use super::form::{Form, Key, Section};
use super::{Name, Scalar, answers, callers, endpoints, shown, types};

/// The whole file.
pub static FILE: Section = Section {
    what: "api.yaml",
    stands: "",
    doc: "A contract is a map of these sections. Their order in the file is free; this one reads well.",
    example: "",
    keys: &[
        Key::required("api", Form::Section(&API)).doc("The service's names, and what holds for every endpoint."),
        Key::required("envelope", Form::Section(&answers::ENVELOPE))
            .doc("The form of every JSON body that the service answers with."),
        Key::optional(
            "decisions",
            Form::map(
                Name::Decision,
                &Form::Section(&answers::DECISION),
                "{ loans: { gap: \"§4 how many\", choice: \"5\", at: quotas.loans } }",
            ),
            "nothing was left open",
        )
        .doc("What the specification behind the contract leaves open, and what was decided.")
        .makes(
            "Nothing. A rule that a contract breaks on purpose is quiet where a decision names the place with \
             `at`: the rule's page says which place that is.",
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
            "All error responses, in order of precedence: a request that causes several errors gets the upper one.",
        )
        .makes(
            "The order of the checks in every endpoint; the error type of each endpoint, with the errors that it can cause; the tests of precedence, which cause two errors at once.",
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
        .doc("Rate limits. A surface names those that count its requests.")
        .makes("A limiter for each, a switch to turn them off, and tests that use one up."),
        Key::optional(
            "limit_headers",
            Form::map(
                Name::Header,
                &Form::Scalar(Scalar::HeaderTemplate),
                "{ X-Left: \"{remaining}\" }",
            ),
            "limits report themselves nowhere",
        )
        .doc(
            "Headers of every answer to a request that a limit counted. They know `{limit}` (its name), \
             `{max}`, `{remaining}`, `{window_seconds}`, `{seconds}` until the window ends, and \
             `{reset_unix}`, that moment in Unix time.",
        )
        .makes("The headers, on error responses too; none while limits are turned off."),
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
            "How many of a resource its owner may have at a time. An endpoint that makes such a thing names \
             its quota.",
        ),
        Key::optional(
            "credentials",
            Form::map(
                Name::Credential,
                &Form::Section(&callers::CREDENTIAL),
                "{ card: { header: X-Card, prefix: card_, random_chars: 40 } }",
            ),
            "every surface is open",
        )
        .doc("Kinds of credentials. A surface names the one that all its requests carry."),
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
            "Named types with their bounds. Whatever a request may hold has a type from here, an enum, an \
             object, an id, `boolean` or `date`.",
        ),
        Key::optional(
            "enums",
            Form::map(Name::Enum, &types::ENUM, "{ Color: [red, green] }"),
            "there are no enumerations",
        )
        .doc("Closed sets of words, and parts of them.")
        .makes("A Rust enum, which nothing but these words is decoded into."),
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
            "Fields whose value changes along allowed ways only. The key is `Resource.field`; the field has \
             an enum of its own as its type, which no other states have.",
        )
        .makes(
            "A constant for the first state and a function that says whether one may follow another. To stay \
             as it is, is always allowed.",
        ),
        Key::optional(
            "objects",
            Form::map(Name::Object, &types::TYPED_STORED, "{ Author: { name: name } }"),
            "there are no objects",
        )
        .doc(
            "Parts of resources, bodies and answers that have members of their own. Each is a map from \
             members to their types.",
        )
        .makes("A Rust struct for each, its decoder where a request may hold it, and its JSON."),
        Key::optional(
            "inputs",
            Form::map(
                Name::Input,
                &Form::Section(&endpoints::BODY),
                "{ NewBook: { resource: Book, required: [title] } }",
            ),
            "bodies stand at their endpoints",
        )
        .doc("Request bodies with a name, for more than one endpoint or as items of a list.")
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
        .doc("What is stored, and the shapes in which it is shown."),
        Key::required(
            "surfaces",
            Form::map(
                Name::Surface,
                &Form::Section(&endpoints::SURFACE),
                "{ public: { base: /v1, endpoints: { list_books: { GET: /books, success: {} } } } }",
            ),
        )
        .doc("The endpoints, grouped by who calls them.")
        .makes("A module and a `warp` filter for each, mountable on its own."),
    ],
};

/// `api`
pub static API: Section = Section {
    what: "`api`",
    stands: "api",
    doc: "The service's names, and what holds for every endpoint.",
    example: "{ name: books, title: Books, statuses: [200], body: { max_bytes: 1000, max_seconds: 30 } }",
    keys: &[
        Key::required("name", Form::Scalar(Scalar::Name(Name::Service)))
            .doc("The service's short name.")
            .makes("Nothing: it says whose contract this is.")
            .such_as("library"),
        Key::required("title", Form::Scalar(Scalar::Text))
            .doc("The service's name for people.")
            .makes("Nothing in the server; `codegen list --json`, `codegen diff` and the documents show it.")
            .such_as("Town Library"),
        Key::optional("version", Form::Scalar(Scalar::Version), "`0.0.0`")
            .doc("The version of the contract, in the form of semantic versioning.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("1.2.0"),
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What the service is for, in a sentence or two.")
            .makes("Nothing in the server; the documents begin with it.")
            .such_as("\"Lends books to everybody in town.\""),
        Key::optional("contact", Form::Section(&CONTACT), "none").doc("Whom to ask about the service."),
        Key::optional("license", Form::Section(&LICENSE), "none").doc("The terms under which the service can be used."),
        Key::required("statuses", Form::list(&Form::Scalar(Scalar::Status), "[200, 400]"))
            .doc(
                "Every HTTP status (RFC 9110) that the service answers with. A new one is a decision: what \
                 answers with an unlisted one is reported, and so is what is listed and never answered.",
            )
            .makes("Nothing: a promise to clients, which the compiler keeps."),
        Key::required("body", Form::Section(&BODY_BOUNDS)).doc("Bounds of every request body."),
        Key::optional(
            "in_flight",
            Form::Scalar(Scalar::Count(1)),
            "a caller may have any number under way",
        )
        .doc(
            "Most requests of one caller that are worked on at a time, whichever of its credentials they carry. A \
             request counts from the step `in_flight` until its answer is sent. Requests of a credential without a \
             `caller` do not count.",
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
            "no headers but HTTP's own",
        )
        .doc("Headers of every answer. They know `{request_id}`, which the log has, too.")
        .makes("The headers, on error responses and unknown paths too."),
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
            .doc("Who that is.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("Town Library"),
        Key::optional("url", Form::Scalar(Scalar::Url), "there is no page")
            .doc("A page on which they can be reached.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("https://library.example/contact"),
        Key::optional("email", Form::Scalar(Scalar::Email), "there is no such address")
            .doc("The address to write to.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("desk@library.example"),
    ],
};

/// `api.license`
pub static LICENSE: Section = Section {
    what: "`license`",
    stands: "api.license",
    doc: "The terms under which the service can be used: their name, and where they are found.",
    example: "{ name: MIT License, identifier: MIT }",
    keys: &[
        Key::required("name", Form::Scalar(Scalar::Text))
            .doc("The name of the licence.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("MIT License"),
        Key::optional("identifier", Form::Scalar(Scalar::Text), "it has none")
            .doc("Its SPDX expression.")
            .makes("Nothing in the server; the documents show it.")
            .such_as("MIT OR Apache-2.0"),
        Key::optional("url", Form::Scalar(Scalar::Url), "there is no page")
            .doc("The page on which it stands. OpenAPI has room for one of the two: 3.1 shows the identifier, 3.0 the page.")
            .makes("Nothing in the server; the documents show it.")
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
                "Most bytes of a request body, as `Content-Length` counts them. An endpoint may have a bound \
                 of its own.",
            )
            .makes("The error response of the step `body_size`, as soon as the bound is passed.")
            .such_as("262144"),
        Key::required("max_seconds", Form::Scalar(Scalar::Count(1)))
            .doc("Most seconds in which a body must have arrived.")
            .makes("The error response of the step `body_time`.")
            .such_as("30"),
        Key::optional(
            "min_rate",
            Form::Section(&MIN_RATE),
            "a body may come as slowly as it likes until then",
        )
        .doc("The pace that a body has to keep while it comes."),
    ],
};

/// `api.body.min_rate`
pub static MIN_RATE: Section = Section {
    what: "`min_rate`",
    stands: "api.body.min_rate",
    doc: "The pace that a body has to keep. What came faster at first is no credit for later.",
    example: "{ bytes_per_second: 1024, grace_seconds: 10 }",
    keys: &[
        Key::required("bytes_per_second", Form::Scalar(Scalar::Count(1)))
            .doc("Least bytes in a second.")
            .makes("The error response of the step `body_time`, as soon as a body has fallen behind by the grace.")
            .such_as("1024"),
        Key::required("grace_seconds", Form::Scalar(Scalar::Count(1)))
            .doc("By how many seconds a body may be behind, and so how long it may halt.")
            .makes("When a body that does not come is given up.")
            .such_as("10"),
    ],
};
