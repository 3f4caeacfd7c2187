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
    doc: "The endpoints of one kind of caller.",
    example: "{ base: /v1, endpoints: { list_books: { GET: /books, success: {} } } }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("Who calls it, and what for.")
            .makes("The documentation of the surface's module.")
            .such_as("For readers at home."),
        Key::required("base", Form::Scalar(Scalar::Base))
            .doc("The path before every route of the surface. No surface lies under another's.")
            .makes("The paths that the surface's filter claims; a version stands here, too.")
            .such_as("/v1"),
        Key::optional(
            "credential",
            Form::Scalar(Scalar::Name(Name::Credential)),
            "the surface is open to everybody",
        )
        .doc("The credential that every request carries.")
        .makes("The error responses of the steps `credential` and `suspended`; a `caller` in every handler.")
        .such_as("card"),
        Key::optional(
            "limits",
            Form::list(&Form::Scalar(Scalar::Name(Name::Limit)), "[reads, writes]"),
            "requests are not limited",
        )
        .doc("The limits that count its requests: each method of its endpoints by exactly one of them.")
        .makes("The error response of the step `limit`, and the headers of `limit_headers`."),
        Key::required(
            "endpoints",
            Form::map(
                Name::Operation,
                &Form::Section(&ENDPOINT),
                "{ list_books: { GET: /books, success: {} } }",
            ),
        )
        .doc("Its endpoints. The names are those of the operations in code and logs.")
        .makes(
            "For each a module, a trait with one method that a handler implements, and a filter; a missing \
             handler is a compile error that names the endpoint and its line.",
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
    doc: "One operation: a method and a path, what it takes, what is proven before its handler runs, and what it \
          answers.",
    example: "{ GET: /books, success: { data: \"[Book.item]\" } }",
    keys: &[
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What it is for, in a sentence.")
            .makes("The documentation of the handler's trait.")
            .such_as("Search the shelves."),
        Key::choice("GET", ROUTE)
            .doc("An endpoint that reads: method and path behind the surface's base.")
            .makes("The route. It has no body.")
            .such_as("/books/:id"),
        Key::choice("POST", ROUTE)
            .doc(
                "An endpoint that makes something, or does what can be done twice: method and path behind the \
                 surface's base.",
            )
            .makes("The route.")
            .such_as("/books"),
        Key::choice("PUT", ROUTE)
            .doc("An endpoint that puts something in its place: method and path behind the surface's base.")
            .makes("The route.")
            .such_as("/books/:id/cover"),
        Key::choice("PATCH", ROUTE)
            .doc("An endpoint that changes what is mentioned: method and path behind the surface's base.")
            .makes("The route.")
            .such_as("/books/:id"),
        Key::choice("DELETE", ROUTE)
            .doc("An endpoint that takes something away: method and path behind the surface's base.")
            .makes("The route. It has no body.")
            .such_as("/books/:id"),
        Key::optional(
            "path",
            typed(Name::PathParameter, &Form::Scalar(Scalar::TypeUse(Uses::Path))),
            "the route has no parameters",
        )
        .doc("The types of the route's parameters, each an id.")
        .makes("Typed ids in the request, decoded before anything is looked up.")
        .such_as("{ id: Book.id }"),
        Key::optional(
            "query",
            typed(Name::Parameter, &Form::Scalar(Scalar::TypeUse(Uses::Query))),
            "it has none, and any is rejected",
        )
        .doc("The parameters of the query. An unknown, repeated or empty one is rejected.")
        .makes("A struct in the request, its decoder, and tests of each parameter's values.")
        .such_as("{ tag: tag?, size: count = 20 }"),
        Key::optional(
            "constraints",
            Form::list(&Form::Scalar(Scalar::Constraint), "[min_price <= max_price]"),
            "parameters are independent",
        )
        .doc("Pairs of numeric parameters of which the first may not be above the second.")
        .makes("A validation error that names both."),
        Key::optional(
            "sort",
            Form::list(&Form::Scalar(Scalar::SortKey), "[title asc, id desc]"),
            "the handler's own order",
        )
        .doc(
            "The order of a list: stored fields, the first weighing most; rows that are alike in all of them \
             are in the order of their ids.",
        )
        .makes("A function `order` of two records that handlers sort by, and a test of the order."),
        Key::optional(
            "filters",
            Form::list(
                &Form::Scalar(Scalar::Filter),
                "[tag = tags, \"author = authors[].name\"]",
            ),
            "which rows a list shows is the handler's own matter",
        )
        .doc(
            "Which rows a list shows, as a promise to clients: those of which all of these are so. A parameter that \
             neither a filter nor `pages` names does what its handler says.",
        )
        .makes(
            "Tests that try the filters, none, each alone and in pairs, against a plain model of what is stored. The \
             handler does the filtering.",
        ),
        Key::optional(
            "pages",
            Form::Section(&PAGES),
            "the list is not paged, or in a way of its own",
        )
        .doc("How a list is cut into pages, as a promise to clients who walk it.")
        .makes(
            "Tests of the pages: bounds, past the end, and that walking them shows each row once and as many as \
                 `total` says. The handler does the paging.",
        ),
        Key::optional("body", BODY_USE, "a body that is sent is ignored")
            .doc("What it takes as its JSON body: a named input, or one of its own. Not with GET and DELETE.")
            .makes("A struct in the request, its decoder, and tests of each member's presence and values.")
            .such_as("NewBook"),
        Key::optional("max_bytes", Form::Scalar(Scalar::Count(1)), "`api.body.max_bytes`")
            .doc("Most bytes of this endpoint's body.")
            .makes("The error response of the step `body_size`.")
            .such_as("8388608"),
        Key::optional(
            "waits_at_once",
            Form::Scalar(Scalar::Count(1)),
            "its handler answers as soon as it can",
        )
        .doc(
            "Says that the handler waits on purpose for something to happen (long polling), and how many such requests \
             of one caller may wait at a time. They do not count for `api.in_flight`. Only where a credential tells \
             who calls.",
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
             were found and proofs of ownership, which nothing else can make.",
        ),
        Key::optional(
            "open",
            Form::Scalar(Scalar::Name(Name::Decision)),
            "what it names and shows is proven to be the caller's",
        )
        .doc(
            "The decision that lets callers name or see what belongs to others. Without it each id of something owned \
             is looked up with its `owner`, or `in` a proven parent, and lists of such things are filtered by `$caller` or by \
             a proven parent.",
        )
        .makes("Nothing: it says that this is meant, and why.")
        .such_as("renewal"),
        Key::optional(
            "quota",
            Form::Scalar(Scalar::Name(Name::Quota)),
            "it counts against none",
        )
        .doc("The quota that what it makes counts against.")
        .makes("The error response of the step `quota`, which the handler can give.")
        .such_as("open_loans"),
        Key::optional(
            "transitions",
            Form::Scalar(Scalar::Name(Name::States)),
            "it moves no state",
        )
        .doc("The states that it moves. A guard finds the resource, and the body has one member that says where to.")
        .makes(
            "The error response of the step `transition`, which the handler can give, and tests of the moves that \
             are allowed and of those that are not.",
        )
        .such_as("Loan.status"),
        Key::optional(
            "errors",
            Form::list(&Form::Scalar(Scalar::Name(Name::ErrorRow)), "[lent]"),
            "none of its own",
        )
        .doc("Errors of the step `rule` that its handler can return.")
        .makes("Variants of its error type; another error does not compile."),
        Key::required("success", Form::Section(&SUCCESS)).doc("What it answers."),
    ],
};

/// `success` of an endpoint
pub static SUCCESS: Section = Section {
    what: "`success`",
    stands: "surfaces.NAME.endpoints.NAME.success",
    doc: "What an endpoint answers. `success: {}` says that it was done, and nothing more.",
    example: "{ data: Book.item, message: Book added }",
    keys: &[
        Key::optional("status", Form::Scalar(Scalar::Status), "200")
            .doc(
                "The HTTP status (RFC 9110): 200 to 299 without 204 and 205, which have no body; 201 only \
                 where a POST or PUT makes something.",
            )
            .makes("The status of every success.")
            .such_as("201"),
        Key::optional("data", DATA, "there is nothing to show")
            .doc("A view, a list of one (`\"[Book.item]\"`), or a map of members and their types.")
            .makes("What the handler returns: encoded views, or a struct of these members.")
            .such_as("\"[Book.item]\""),
        Key::optional("message", Form::Scalar(Scalar::Text), "there is nothing to say")
            .doc("What a person may read. It has no placeholders: what differs belongs into `data`.")
            .makes("`$message` of the envelope.")
            .such_as("Book added"),
        Key::optional(
            "siblings",
            Form::list(&Form::Scalar(Scalar::Name(Name::Sibling)), "[total, size]"),
            "none",
        )
        .doc(
            "Members beside `data`: `total`, the number of all rows of which this is a page, or parameters of \
             the query that are whole numbers and have a default.",
        )
        .makes("`$siblings` of the envelope; with `total` the handler returns a page."),
    ],
};

/// `body` of an endpoint, or an entry of `inputs`
pub static BODY: Section = Section {
    what: "a body",
    stands: "inputs.NAME",
    doc: "The members of a request body, as `inputs` name it or an endpoint has it as its own. Unknown members are rejected. Those of a resource's fields have the fields' types.",
    example: "{ resource: Book, required: [title] }",
    keys: &[
        Key::optional(
            "resource",
            Form::Scalar(Scalar::Name(Name::Resource)),
            "it takes no fields of a resource",
        )
        .doc("The resource whose fields `required`, `optional` and `at_least_one_of` name.")
        .makes("The types and decoders of these members.")
        .such_as("Book"),
        Key::optional(
            "required",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[title, price]"),
            "none",
        )
        .doc("Fields that must be given, and not as null.")
        .makes("A validation error where one is missing."),
        Key::optional(
            "optional",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[tags, cover]"),
            "none",
        )
        .doc(
            "Fields that may be given; one that is not has its default, or null. For new records: a PATCH \
             names its fields in `at_least_one_of`.",
        )
        .makes("Members with a default."),
        Key::optional(
            "at_least_one_of",
            Form::list(&Form::Scalar(Scalar::Name(Name::Field)), "[title, price]"),
            "the body is no partial one",
        )
        .doc("Fields of a partial body: each may be absent, which changes nothing, and one at least is given.")
        .makes("Members that tell absent from null and from a value; a validation error where all are absent."),
        Key::optional(
            "members",
            typed(Name::Member, &Form::Scalar(Scalar::TypeUse(Uses::Body))),
            "none",
        )
        .doc(
            "Members that are no fields of the resource, with their types. Beside `at_least_one_of` each of \
             them may be absent, too.",
        )
        .makes("Members of the struct.")
        .such_as("{ authors: authors, until: date }"),
    ],
};
