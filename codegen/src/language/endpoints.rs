//! The sections for requests: `surfaces`, their endpoints, and their bodies.

use super::form::{Form, Key, Section};
use super::lists::PAGES;
use super::scalar::Uses;
use super::types::typed;
use super::{Name, Scalar};

/// An entry of `surfaces`.
pub static SURFACE: Section = Section {
    what: "a surface",
    stands: "surfaces.NAME",
    doc: "The endpoints for one kind of caller.",
    example: "{ base: /v1, endpoints: { list_books: { GET: /books, success: {} } } }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("Who calls it, and what for.")
            .makes("The documentation of the surface's module.")
            .such_as("For readers at home."),
        Key::required("base", Form::Scalar(Scalar::Base))
            .doc("The path before every route of the surface. No base lies under another one.")
            .makes("The paths that the surface's filter serves. A version belongs here.")
            .such_as("/v1"),
        Key::optional(
            "credential",
            Form::Scalar(Scalar::Name(Name::Credential)),
            "the surface is public",
        )
        .doc("The credential that every request needs.")
        .makes(
            "The error responses of the steps `credential` and `suspended`; the `caller` that every handler \
            receives.",
        )
        .such_as("card"),
        Key::optional(
            "limits",
            Form::list(&Form::Scalar(Scalar::Name(Name::Limit)), "[reads, writes]"),
            "requests are not limited",
        )
        .doc("The limits that count its requests: exactly one for each method of its endpoints.")
        .makes("The error response of the step `limit`, and the headers of `limit_headers`."),
        Key::required(
            "endpoints",
            Form::map(
                Name::Operation,
                &Form::Section(&ENDPOINT),
                "{ list_books: { GET: /books, success: {} } }",
            ),
        )
        .doc("Its endpoints. Their names are the names of the operations in code and logs.")
        .makes(
            "For each endpoint a module, a trait with one method for the handler, and a filter. A missing handler is \
             a compile error that names the endpoint and its line.",
        ),
    ],
};

const ROUTE: Form = Form::Scalar(Scalar::Route);

const BODY_USE: Form = Form::Either {
    expected: "the name of an input, or a body",
    of: &[Form::Section(&BODY), Form::Scalar(Scalar::Name(Name::Input))],
};

const DATA: Form = Form::Either {
    expected: "a view, or a map of members",
    of: &[
        Form::Scalar(Scalar::TypeUse(Uses::Answer)),
        typed(Name::Member, &Form::Scalar(Scalar::TypeUse(Uses::AnswerMember))),
    ],
};

/// An entry of `endpoints`.
pub static ENDPOINT: Section = Section {
    what: "an endpoint",
    stands: "surfaces.NAME.endpoints.NAME",
    doc: "An endpoint, also called an operation: its method and path, its input, what is proven before its handler \
          runs, and its response.",
    example: "{ GET: /books, success: { data: \"[Book.item]\" } }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What it is for, in a sentence.")
            .makes("The documentation of the handler's trait.")
            .such_as("Search the shelves."),
        Key::choice("GET", ROUTE)
            .doc("An endpoint that reads: method, and path after the surface's base.")
            .makes("The route. It has no body.")
            .such_as("/books/:id"),
        Key::choice("POST", ROUTE)
            .doc(
                "An endpoint that creates something, or does something that is not idempotent: method, and path after \
                 the surface's base.",
            )
            .makes("The route.")
            .such_as("/books"),
        Key::choice("PUT", ROUTE)
            .doc(
                "An endpoint that creates or replaces the record of its path: method, and path after the surface's \
                base.",
            )
            .makes("The route.")
            .such_as("/books/:id/cover"),
        Key::choice("PATCH", ROUTE)
            .doc("An endpoint that changes the given members: method, and path after the surface's base.")
            .makes("The route.")
            .such_as("/books/:id"),
        Key::choice("DELETE", ROUTE)
            .doc("An endpoint that deletes something: method, and path after the surface's base.")
            .makes("The route. It has no body.")
            .such_as("/books/:id"),
        Key::optional(
            "path",
            typed(Name::PathParameter, &Form::Scalar(Scalar::TypeUse(Uses::Path))),
            "the route has no parameters",
        )
        .doc("The types of the route's parameters, each an id.")
        .makes("Typed ids in the request, decoded before any look-up.")
        .such_as("{ id: Book.id }"),
        Key::optional(
            "query",
            typed(Name::Parameter, &Form::Scalar(Scalar::TypeUse(Uses::Query))),
            "there are none, and any is rejected",
        )
        .doc("The query parameters. An unknown, repeated or empty one is rejected.")
        .makes("A struct in the request, its decoder, and tests of each parameter's values.")
        .such_as("{ tag: tag?, size: count = 20 }"),
        Key::optional(
            "constraints",
            Form::list(&Form::Scalar(Scalar::Constraint), "[min_price <= max_price]"),
            "parameters are independent",
        )
        .doc("Pairs of numeric parameters of which the first must not be above the second.")
        .makes("A validation error that names both."),
        Key::optional(
            "sort",
            Form::list(&Form::Scalar(Scalar::SortKey), "[title asc, id desc]"),
            "the handler chooses the order",
        )
        .doc(
            "The order of a list: stored fields, the most significant first. Records that are equal in all of them \
             are ordered by id.",
        )
        .makes("A function `order` that compares two records, for sorting in handlers; a test of the order."),
        Key::optional(
            "filters",
            Form::list(
                &Form::Scalar(Scalar::Filter),
                "[tag = tags, \"author = authors[].name\"]",
            ),
            "the handler chooses which records a list contains",
        )
        .doc(
            "Which records a list contains, as a promise to clients: those that match all filters. The handler \
             defines the meaning of a parameter that neither a filter nor `pages` names.",
        )
        .makes(
            "Tests that compare the list with a plain model of the stored records: without filters, with each filter, \
             and with pairs of filters. The handler does the filtering.",
        ),
        Key::optional(
            "pages",
            Form::Section(&PAGES),
            "the list is not paged, or paged in a way of its own",
        )
        .doc("How a list is divided into pages, as a promise to clients.")
        .makes(
            "Tests of the pages: their bounds, a page past the end, and that all pages together contain each record \
             once and as many as `total` says. The handler does the paging.",
        ),
        Key::optional("body", BODY_USE, "a body that is sent is ignored")
            .doc("Its JSON body: a named input, or a body declared here. Not with GET and DELETE.")
            .makes("A struct in the request, its decoder, and tests of each member's presence and values.")
            .such_as("NewBook"),
        Key::optional("max_bytes", Form::Scalar(Scalar::Count(1)), "`api.body.max_bytes`")
            .doc("Maximum number of bytes of this endpoint's body.")
            .makes("The error response of the step `body_size`.")
            .such_as("8388608"),
        Key::optional(
            "waits_at_once",
            Form::Scalar(Scalar::Count(1)),
            "its handler responds without waiting",
        )
        .doc(
            "Marks a handler that waits for an event (long polling), and sets how many such requests of one caller \
             may wait at a time. They do not count for `api.in_flight`. Only where a credential identifies the \
             caller.",
        )
        .makes("The error response of the step `in_flight` with this `{max}`.")
        .such_as("4"),
        Key::optional(
            "guards",
            Form::list(&Form::Scalar(Scalar::Guard), "[exists Book, owner Book]"),
            "every caller of the surface may use it",
        )
        .doc("What is proven before the handler runs, in the order of `errors`.")
        .makes(
            "The error responses of the steps `plan`, `exists` and `owner`. The handler receives the records that \
             were found, and proofs of ownership that only the guards can create.",
        ),
        Key::optional(
            "open",
            Form::Scalar(Scalar::Name(Name::Decision)),
            "all records that it names and shows are proven to belong to the caller",
        )
        .doc(
            "The decision that lets callers name or see what belongs to others. Without it, each id of an owned \
             resource needs a guard: `owner`, or `exists … in` a parent whose owner is proven. Lists of owned records \
             need a filter: by `$caller`, or by such a parent.",
        )
        .makes("None: it records that this is intended, and why.")
        .such_as("renewal"),
        Key::optional("quota", Form::Scalar(Scalar::Name(Name::Quota)), "no quota")
            .doc("The quota that the created record counts towards.")
            .makes("The error response of the step `quota`, which the handler can return.")
            .such_as("open_loans"),
        Key::optional(
            "transitions",
            Form::Scalar(Scalar::Name(Name::States)),
            "it changes no state",
        )
        .doc("The states that it changes. A guard finds the record, and the body has one member with the new state.")
        .makes(
            "The error response of the step `transition`, which the handler can return, and tests of allowed and \
             rejected transitions.",
        )
        .such_as("Loan.status"),
        Key::optional(
            "errors",
            Form::list(&Form::Scalar(Scalar::Name(Name::ErrorRow)), "[lent]"),
            "no errors of its own",
        )
        .doc("Errors of the step `rule` that its handler can return.")
        .makes("Variants of its error type; another error does not compile."),
        Key::required("success", Form::Section(&SUCCESS)).doc("Its response."),
    ],
};

/// `success` of an endpoint
pub static SUCCESS: Section = Section {
    what: "`success`",
    stands: "surfaces.NAME.endpoints.NAME.success",
    doc: "The response of an endpoint. `success: {}` confirms the operation and returns no data.",
    example: "{ data: Book.item, message: Book added }",
    keys: &[
        Key::optional("status", Form::Scalar(Scalar::Status), "200")
            .doc(
                "The HTTP status (RFC 9110): 200 to 299 without 204 and 205, which have no body; 201 only if a POST \
                 or PUT creates something.",
            )
            .makes("The status of every success.")
            .such_as("201"),
        Key::optional("data", DATA, "no data is returned")
            .doc(
                "A view (`Book.item`), a list of records in a view (`\"[Book.item]\"`), or a map of members and \
                  their types.",
            )
            .makes("What the handler returns: encoded views, or a struct of these members.")
            .such_as("\"[Book.item]\""),
        Key::optional("message", Form::Scalar(Scalar::Text), "there is no message")
            .doc("A message for people. It has no placeholders: put values that differ into `data`.")
            .makes("`$message` of the envelope.")
            .such_as("Book added"),
        Key::optional(
            "siblings",
            Form::list(&Form::Scalar(Scalar::Name(Name::Sibling)), "[total, size]"),
            "none",
        )
        .doc(
            "Members beside `data`: `total`, the number of records on all pages, or query parameters that are whole \
             numbers and have a default.",
        )
        .makes("`$siblings` of the envelope; with `total` the handler returns a page."),
    ],
};

/// `body` of an endpoint, or an entry of `inputs`
pub static BODY: Section = Section {
    what: "a body",
    stands: "inputs.NAME",
    doc: "The members of a request body, declared under `inputs` or at an endpoint. Unknown members are rejected. \
        Members that name a field of the resource have the type of the field.",
    example: "{ resource: Book, required: [title] }",
    keys: &[
        Key::optional(
            "resource",
            Form::Scalar(Scalar::Name(Name::Resource)),
            "it has no fields of a resource",
        )
        .doc("The resource whose fields `required`, `optional` and `at_least_one_of` name.")
        .makes("The types and decoders of these members.")
        .such_as("Book"),
        Key::optional(
            "required",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[title, price]"),
            "none",
        )
        .doc("Fields that must be present and not null.")
        .makes("A validation error if one is missing."),
        Key::optional(
            "optional",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[tags, cover]"),
            "none",
        )
        .doc(
            "Fields that may be absent, and then have their default or null. For new records: a PATCH names its \
             fields in `at_least_one_of`.",
        )
        .makes("Members with a default."),
        Key::optional(
            "at_least_one_of",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[title, price]"),
            "it is not a partial body",
        )
        .doc("Fields of a partial body: an absent field keeps its value, and at least one must be present.")
        .makes("Members that distinguish absent, null and a value; a validation error if all are absent."),
        Key::optional(
            "members",
            typed(Name::Member, &Form::Scalar(Scalar::TypeUse(Uses::Body))),
            "none",
        )
        .doc(
            "Members that are not fields of the resource, with their types. In a body with `at_least_one_of`, they may \
             also be absent.",
        )
        .makes("Members of the struct.")
        .such_as("{ authors: authors, until: date }"),
    ],
};
