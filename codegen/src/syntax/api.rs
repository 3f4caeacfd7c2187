//! `api`

use super::section::section;
use super::values::{Count, Email, HeaderTemplate, List, Map, Rate, Status, Text, Url, Version, name};

section! {
    /// `api`
    Api = "`api`" at "api";
    doc "The service's names, and settings for every endpoint.";
    example "{ name: books, title: Books, statuses: [200], body: { max_bytes: 1000, max_seconds: 30 } }";
    keys {
        name: required(name::Service), example "library",
            doc "The service's short name.",
            effect "None: it identifies the contract.";
        title: required(Text), example "Town Library",
            doc "The service's name for people.",
            effect "`codegen list --json`, `codegen diff` and the documents show it.";
        version: optional(Version), absent "`0.0.0`", example "1.2.0",
            doc "The version of the contract, as in semantic versioning.",
            effect "The documents show it.";
        doc: optional(Text), absent "none", example "\"Lends books to everybody in town.\"",
            doc "What the service is for, in a sentence or two.",
            effect "The documents begin with it.";
        contact: optional(Contact), absent "none",
            doc "Whom to ask about the service.";
        license: optional(License), absent "none",
            doc "The terms under which the service can be used.";
        statuses: required(List<Status>), example "[200, 400]",
            doc "Every HTTP status (RFC 9110) that the service uses. A used status that is not listed is an error, and \
                 so is a listed one that is never used. So no status is added by accident.",
            effect "None: a promise to clients, which the compiler checks.";
        body: required(BodyBounds),
            doc "Bounds of every request body.";
        in_flight: optional(Count<1>), absent "a caller may have any number in flight", example "32",
            doc "Maximum number of concurrent requests (requests in flight) of one caller, for all its credentials \
                 together. A request counts from the step `in_flight` (see `at` of `errors`) until its response is \
                 sent. Requests with a credential without a `caller` do not count.",
            effect "The error response of the step `in_flight`, before the body is read; none while limits are turned \
                    off.";
        response_bytes: optional(Rate), absent "a caller can be sent any number of bytes", example "67108864/min",
            doc "Maximum number of bytes of response bodies in a window for one caller, for all its credentials together. \
                 Windows are those of `limits`. A response counts while it is sent, and is never rejected or cut for its \
                 own length: a request is rejected if the responses before it have used up the maximum. Requests with \
                 a credential without a `caller` do not count.",
            effect "The error response of the step `response_bytes`; none while limits are turned off.";
        headers: default(Map<name::Header, HeaderTemplate>), absent "only the headers of HTTP itself",
            example "{ X-Trace: \"{request_id}\" }",
            doc "Headers of every response. Placeholder: `{request_id}`, which is also in the log.",
            effect "The headers, also on error responses and for unknown paths.";
        error_headers: default(Map<name::Header, HeaderTemplate>), absent "none beside those that an error declares",
            example "{ X-Error: \"{code}\" }",
            doc "Headers of every error response. Placeholder: `{code}`, the name of the error.",
            effect "The headers, also for unknown paths. So programs can tell errors apart, whatever the envelope shows.";
    }
    aliases {
        "termsOfService" => "write the terms of use as `license`";
    }
}

section! {
    /// `api.contact`
    #[derive(PartialEq)]
    Contact = "`contact`" at "api.contact";
    doc "Whom to ask about the service.";
    example "{ name: Town Library }";
    keys {
        name: required(Text), example "Town Library",
            doc "The name of a person or an organization.",
            effect "The documents show it.";
        url: optional(Url), absent "there is no page", example "https://library.example/contact",
            doc "A page with ways to reach them.",
            effect "The documents show it.";
        email: optional(Email), absent "there is no e-mail address", example "desk@library.example",
            doc "The e-mail address.",
            effect "The documents show it.";
    }
}

section! {
    /// `api.license`
    #[derive(PartialEq)]
    License = "`license`" at "api.license";
    doc "The terms under which the service can be used: their name, and where to find them.";
    example "{ name: MIT License, identifier: MIT }";
    keys {
        name: required(Text), example "MIT License",
            doc "The name of the license.",
            effect "The documents show it.";
        identifier: optional(Text), absent "it has none", example "MIT OR Apache-2.0",
            doc "Its SPDX expression.",
            effect "The documents show it.";
        url: optional(Url), absent "there is no page", example "https://library.example/terms",
            doc "The page with its text. If both are given, OpenAPI 3.1 documents contain only the identifier, and 3.0 \
                 documents only the page.",
            effect "The documents show it.";
    }
}

section! {
    /// `api.body`
    BodyBounds = "`body`" at "api.body";
    doc "Bounds of every request body.";
    example "{ max_bytes: 1000, max_seconds: 30 }";
    keys {
        max_bytes: required(Count<1>), example "262144",
            doc "Maximum number of bytes of a request body, as `Content-Length` counts them. An endpoint can have a \
                 maximum of its own.",
            effect "The error response of the step `body_size`, as soon as the maximum is exceeded.";
        max_seconds: required(Count<1>), example "30",
            doc "Maximum number of seconds until a body has arrived completely.",
            effect "The error response of the step `body_time`.";
        min_rate: optional(MinRate), absent "only `max_seconds` applies",
            doc "The minimum rate at which a body must arrive.";
    }
}

section! {
    /// `api.body.min_rate`
    #[derive(PartialEq)]
    MinRate = "`min_rate`" at "api.body.min_rate";
    doc "The minimum rate at which a body must arrive. Faster arrival at first does not permit a slower rate later.";
    example "{ bytes_per_second: 1024, grace_seconds: 10 }";
    keys {
        bytes_per_second: required(Count<1>), example "1024",
            doc "Minimum number of bytes per second.",
            effect "The error response of the step `body_time`, as soon as the body is more than `grace_seconds` late.";
        grace_seconds: required(Count<1>), example "10",
            doc "Maximum number of seconds that a body may fall behind this rate. This is also the longest possible \
                 pause.",
            effect "How long the server waits for a body that has stopped arriving.";
    }
}
