//! `surfaces` and their endpoints

use super::api::MinRate;
use super::bodies::BodyUse;
use super::consequences::Consequence;
use super::effects::Makes;
use super::events::Feed;
use super::expressions::TypeUse;
use super::grammar::Form;
use super::idempotency::KeyUse;
use super::reader::Reader;
use super::section::section;
use super::sorting::Sort;
use super::table::Table;
use super::tools::{Mcp, Tool};
use super::value::Value;
use super::values::{
    AnswerMember, AnswerType, Base, Constraint, Count, Example, Expressions, Filter, Guard, List, Map, MediaType,
    NoEnvelope, NoEvent, OneOrSeveral, PathType, QueryType, Route, Status, Text, name,
};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};
use std::convert::identity;

section! {
    /// An entry of `surfaces`.
    Surface = "a surface" at "surfaces.NAME";
    doc "The endpoints for one kind of caller.";
    example "{ base: /v1, endpoints: { list_books: { GET: /books, success: {} } } }";
    keys {
        doc: optional(Text), absent "none", example "For readers at home.",
            doc "Who calls it, and what for.",
            effect "The documentation of the surface's module.";
        base: required(Base), example "/v1",
            doc "The path before every route of the surface. No base lies under another one.",
            effect "The paths that the surface's filter serves. A version belongs here.";
        credential: optional(name::Credential), absent "the surface is public", example "card",
            doc "The credential that every request needs.",
            effect "The error responses of the steps `credential` and `suspended`; the `caller` that every handler \
                    receives.";
        limits: default(List<name::Limit>), absent "requests are not limited", example "[reads, writes]",
            doc "The limits that count its requests: exactly one for each method of its endpoints.",
            effect "The error response of the step `limit`, and the headers of `limit_headers`.";
        envelope: optional(NoEnvelope), absent "successes are in the `envelope` of the contract", example "none",
            doc "That no success of the surface has the envelope: the body is `data` alone, and a success without `data` \
                 has no body. Errors keep their envelope.",
            effect "The bodies of the successes.";
        mcp: optional(Mcp), absent "the endpoints are not offered as tools",
            doc "Offers the endpoints as tools for AI agents.";
        endpoints: required(Map<name::Operation, Endpoint>), example "{ list_books: { GET: /books, success: {} } }",
            doc "Its endpoints. Their names are the names of the operations in code and logs.",
            effect "For each endpoint a module, a trait with one method for the handler, and a filter. A missing \
                    handler is a compile error that names the endpoint and its line.";
    }
    aliases {
        "security" "auth" => "name one of `credentials`: `credential: name`";
        "path" "prefix" "url" => "write the path before every route as `base`";
        "paths" "routes" => "declare endpoints in `endpoints`";
    }
}

section! {
    /// An entry of `endpoints`.
    Endpoint = "an endpoint" at "surfaces.NAME.endpoints.NAME";
    doc "An endpoint, also called an operation: its method and path, its input, what is proven before its handler \
         runs, and its response.";
    example "{ GET: /books, success: { data: \"[Book.item]\" } }";
    keys {
        doc: optional(Text), absent "none", example "Search the shelves.",
            doc "What it is for, in a sentence.",
            effect "The documentation of the handler's trait.";
    }
    choice(route: Word, method) {
        "GET"(Route) => identity, example "/books/:id",
            doc "An endpoint that reads: method, and path after the surface's base.",
            effect "The route. It has no body.";
        "POST"(Route) => identity, example "/books",
            doc "An endpoint that creates something, or does something that is not idempotent: method, and path after \
                 the surface's base.",
            effect "The route.";
        "PUT"(Route) => identity, example "/books/:id/cover",
            doc "An endpoint that creates or replaces the record of its path: method, and path after the surface's \
                 base.",
            effect "The route.";
        "PATCH"(Route) => identity, example "/books/:id",
            doc "An endpoint that changes the given members: method, and path after the surface's base.",
            effect "The route.";
        "DELETE"(Route) => identity, example "/books/:id",
            doc "An endpoint that deletes something: method, and path after the surface's base.",
            effect "The route. It has no body.";
    }
    keys {
        path: default(Map<name::PathParameter, PathType>), absent "the route has no parameters",
            example "{ id: Book.id }",
            doc "The types of the route's parameters, each an id.",
            effect "Typed ids in the request, decoded before any look-up.";
        query: default(Map<name::Parameter, QueryType>), absent "there are none, and any is rejected",
            example "{ tag: tag?, size: count = 20 }",
            doc "The query parameters. An unknown, repeated or empty one is rejected.",
            effect "A struct in the request, its decoder, and tests of each parameter's values.";
        constraints: default(Expressions<Constraint>), absent "parameters are independent",
            example "[min_price <= max_price]",
            doc "Pairs of numeric parameters of which the first must not be above the second.",
            effect "A validation error that names both.";
        sort: default(Sort), absent "the handler chooses the order", example "[title asc, id desc]",
            doc "The order of a list: stored fields, the most significant first. Records that are equal in all of them \
                 are ordered by id. Of a field that can be null the key says where nulls are: `until asc nulls last`. Or \
                 several orders, of which the client chooses one.",
            effect "A function `order` that compares two records, for sorting in handlers; a test of the order.";
        filters: default(Expressions<Filter>), absent "the handler chooses which records a list contains",
            example "[tag = tags, \"author = authors[].name\"]",
            doc "Which records a list contains, as a promise to clients: those that match all filters. The handler \
                 defines the meaning of a parameter that neither a filter nor `pages` names; the compiler warns of it, \
                 unless a decision or `undeclared` says so.",
            effect "Tests that compare the list with a plain model of the stored records: without filters, with each \
                    filter, and with pairs of filters. The handler does the filtering.";
        pages: optional(Pages), absent "the list is not paged, or paged in a way of its own",
            doc "How a list is divided into pages, as a promise to clients.",
            effect "Tests of the pages: their bounds, a page past the end, and that all pages together contain each \
                    record once and as many as `total` says. The handler does the paging.";
        nearest: default(Map<name::Parameter, name::Header>), absent "a search that finds nothing proposes nothing",
            example "{ author: X-Nearest-Author }",
            doc "Query parameters that a filter compares with names that are known, each with a header: with the \
                 `synonyms` of a field, or with the texts of the items of a list that `distinct` makes records. If the \
                 search finds nothing and the name is not known, the header has up to three known names that are near: \
                 percent-encoded, with commas between, the nearest first.",
            effect "A function of the handler that finds the names of items; the header; a line in the result of the tool.";
        body: optional(BodyUse), absent "a body that is sent is ignored", example "NewBook",
            doc "Its JSON body: a named input, or a body declared here. Not with GET and DELETE.",
            effect "A struct in the request, its decoder, and tests of each member's presence and values.";
        file: optional(FileBody), absent "its body is JSON, if it has one",
            doc "That its body is a file. Not beside `body`, and only with POST and PUT.",
            effect "A member `file` of the request: the received file, which is deleted unless the handler keeps it. The \
                    application implements `support::KeepFiles`.";
        max_bytes: optional(Count<1>), absent "`api.body.max_bytes`", example "8388608",
            doc "Maximum number of bytes of this endpoint's body.",
            effect "The error response of the step `body_size`.";
        waits_at_once: optional(Count<1>), absent "its handler responds without waiting", example "4",
            doc "Marks a handler that waits for an event (long polling), and sets how many such requests of one caller \
                 may wait at a time. They do not count for `api.in_flight`. Only where a credential identifies the \
                 caller. All callers together share 500 places, unless the program sets another number: if all are taken, \
                 the caller with the most gives up its oldest one for a caller with at least two fewer. That request is \
                 answered at once, and so is one whose client has closed its half of the connection.",
            effect "The error response of the step `in_flight` with this `{max}`.";
        idempotency: optional(KeyUse), absent "as the contract's `idempotency` says", example "false",
            doc "Whether the endpoint takes idempotency keys: `false` if it takes none, or how long it keeps its \
                 answers. Only for an endpoint that would take them otherwise.";
        guards: default(Expressions<Guard>), absent "every caller of the surface may use it",
            example "[exists Book, owner Book]",
            doc "What is proven before the handler runs, in the order of `errors`.",
            effect "The error responses of the steps `plan`, `exists` and `owner`. The handler receives the records \
                    that were found, and proofs of ownership that only the guards can create; `Option`s of them if \
                    the body may lack the id.";
        open: optional(name::Decision), absent "all records that it names and shows are proven to belong to the caller",
            example "renewal",
            doc "The decision that lets callers name or see what belongs to others. Without it, each id of an owned \
                 resource needs a guard: `owner`, or `exists … in` a parent whose owner is proven. Lists of owned \
                 records need a filter: by `$caller`, or by such a parent.",
            effect "None: it records that this is intended, and why.";
        quotas = "quota": default(OneOrSeveral<name::Quota>), absent "no quota", example "open_loans",
            doc "The quota, or the list of quotas, that its request counts towards: by a record that it makes or makes \
                 count again, or by the bytes of its body.",
            effect "The error response of the step `quota`, which the handler can return.";
        makes: optional(Makes), absent "it creates no record", example "{ Loan: { until: $until } }",
            doc "The records that it creates: a resource, or a map from resources to what fills their \
                 fields. A field that is not listed is filled by the first that applies: what its type says after `=`, \
                 the next id, the member of the body with its name, the record of its id type that is created beside \
                 it, that a guard finds or that calls, its initial state, its default, null or an empty list.",
            effect "`codegen mock` creates these records. `codegen list --json` shows what fills each field.";
        puts: optional(Makes), absent "it replaces no record that it may have to make", example "{ Rating: { book_id: $id } }",
            doc "The record that it makes, or changes if there is one with the same ids: those of the records that guards \
                 find, and of the caller. Written as `makes` is, without `each`. Of a record that there is, members of the \
                 body and fixed values replace the fields that they fill; all others stay.",
            effect "`codegen mock` makes or changes the record.";
        changes: optional(name::Resource), absent "it changes no fields", example "Book",
            doc "The resource whose fields the members of the body replace: of the record that a guard finds, or of \
                 the caller. Members that are absent change nothing.",
            effect "`codegen mock` changes the record.";
        ends: optional(name::Resource), absent "it deletes nothing", example "Loan",
            doc "The resource whose record it deletes: the one that a guard finds. Its credential ends with it.",
            effect "`codegen mock` deletes the record.";
        renews: optional(name::Credential), absent "no credential is replaced", example "card",
            doc "The credential that it creates in place of the former one: of the record that a guard finds, or of \
                 the caller. The former one ends at once.",
            effect "`codegen mock` replaces the credential.";
        revokes: optional(name::Credential), absent "no credential ends", example "card",
            doc "The credential that it ends without a new one: of the record that a guard finds, or of the caller.",
            effect "`codegen mock` ends the credential.";
        dry_run: optional(name::Operation), absent "it does what it declares", example "create_book",
            doc "The endpoint of the same surface that it tries, which makes records and does nothing else: it takes the same \
                 request but for the path, has the same guards, quotas and errors, and does nothing. Only with POST, without the keys that it takes from \
                 there, and without data. Nothing counts towards quotas but for the limits of requests.",
            effect "A handler that decides as the tried endpoint's does: written by hand if that is.";
        counts: optional(Counts), absent "it counts no list",
            doc "Makes the endpoint count the records of a list by the value of a field. Then `success` is `{}`.";
        undeclared: optional(Text), absent "all that it does and returns is declared",
            example "The printer chooses the number of the receipt.",
            doc "Why the contract does not declare all that the endpoint does or returns: an effect outside of the \
                 service, a value that only the handler knows.",
            effect "`codegen mock` invents the values that nothing fills.";
        transitions: optional(name::States), absent "it changes no state", example "Loan.status",
            doc "The states that it changes. A guard finds the record, and the body has one member with the new state.",
            effect "The error response of the step `transition`, which the handler can return, and tests of allowed \
                    and rejected transitions.";
        consequence: optional(Consequence),
            absent "people are asked before what it `ends`, `renews` or `revokes`, without a text of its own",
            example "The reader loses the place in the queue.",
            doc "What a person has to know before doing it: a text in a sentence or two.",
            effect "The console shows it and asks first. OpenAPI has it as `x-consequence`.";
        errors: default(List<name::ErrorRow>), absent "no errors of its own", example "[lent]",
            doc "Errors of the step `rule` that its handler can return.",
            effect "Variants of its error type; another error does not compile.";
        example: default(Map<name::Known<name::Member>, Example>),
            absent "each value is the example of its description, or of its type",
            doc "A request that a person would send: values of parameters and of members of the body, by name. Of a \
                 list: one of its items.",
            effect "The examples of this endpoint in all documents, and calls that `codegen mock` prints. They show the \
                    optional parameters that it names.";
        tool: optional(Tool), absent "a tool with the endpoint's own name and `doc`, if the surface has `mcp`",
            example "false",
            doc "The endpoint as a tool for AI agents: `false` if it is none, or its name and text.";
        event: optional(NoEvent), absent "if there are `events`: it causes one of them, or it is a GET", example "none",
            doc "That the endpoint changes something and causes no event.",
            effect "None: it records that no event was forgotten.";
        feed: optional(Feed), absent "it is no feed of events",
            doc "Makes the endpoint the feed of the caller's events. Then `success` is `{}`.";
        envelope: optional(NoEnvelope), absent "as the surface says", example "none",
            doc "That its success has no envelope: the body is `data` alone, and without `data` there is none. What the \
                 envelope would show beside it, `message` and `siblings`, has no place then.",
            effect "The body of the success. A tool still returns an object: with a list as its member `data`, or empty.";
        success: required(Success),
            doc "Its response.";
    }
    aliases {
        "operationId" => "the key of an operation is its name: `list_books: { GET: /books, … }`";
        "method" "route" "url" "HEAD" "OPTIONS" => "write method and path as one entry, such as `GET: /books/:id`";
        "parameters" "params" =>
            "declare the types of path parameters in `path: { id: Book.id }`, and of query parameters in `query: { \
             most: count = 20 }`";
        "responses" "response" "returns" =>
            "declare the response in `success: { data: Book.item }`, and error responses in `errors`";
        "requestBody" "request" "input" => "declare the request body in `body`";
        "data" "message" "status" "siblings" => "write it inside `success`";
        "required" "optional" "members" "resource" "at_least_one_of" => "write it inside `body`";
        "security" "auth" "credential" "limits" =>
            "a credential and limits apply to a whole surface: move this endpoint to another surface";
        "tags" => "surfaces group endpoints: move the endpoint to its surface";
        "where" "search" "matches" => "write `filters: [tag = tags, $caller = reader_id, status is open]`";
        "pagination" "paging" "cursor" => "write `pages: { size: size, offset: offset, total: total }`";
    }
}

section! {
    /// `file` of an endpoint
    FileBody = "`file`" at "surfaces.NAME.endpoints.NAME.file" with head;
    doc "A body that is a file. `Content-Type` names its type, and its bytes must be of that type: the service looks at \
         the first bytes of JPEG, PNG, WebP, GIF and PDF files, and texts must be UTF-8 without null characters. It is \
         streamed to a directory of the application, so its length costs no memory. `max_bytes` of the endpoint bounds it. \
         Before any of it is read, the service checks that quotas and the disk have room for what `Content-Length` \
         announces beside other files that arrive at the same time: the errors of the steps `quota` and `write`. At most 64 \
         arrive at once: the error of the step `busy`, or without one they wait.";
    example "{ types: [image/jpeg, image/png], max_seconds: 600 }";
    keys {
        types: required(List<MediaType>), example "[image/jpeg, image/png]",
            doc "The types that the endpoint takes.",
            effect "The error response of the step `media_type` for any other one.";
        max_seconds: optional(Count<1>), absent "`api.body.max_seconds`", example "600",
            doc "Maximum number of seconds until the file has arrived.",
            effect "The error response of the step `body_time`.";
        min_rate: optional(MinRate), absent "`api.body.min_rate`", example "{ bytes_per_second: 8192, grace_seconds: 10 }",
            doc "The minimum rate at which the file must arrive.",
            effect "The error response of the step `body_time`.";
    }
    aliases {
        "content_types" "accept" "media_types" => "name the media types in `types`";
        "max_bytes" "size" => "write `max_bytes` beside `file`";
    }
}

section! {
    /// `pages` of an endpoint
    Pages = "`pages`" at "surfaces.NAME.endpoints.NAME.pages" with head;
    doc "How a list is divided into pages. Each key names a query parameter, or a member beside `data`. A page begins \
         after `offset` records, or after `number` - 1 pages; without both there is only the first page.";
    example "{ size: size, offset: offset, total: total }";
    keys {
        size: required(name::Parameter), example "size",
            doc "The parameter with the maximum number of records on a page. It may be optional if pages have no numbers: \
                 without it, the list is complete.";
        offset: optional(name::Parameter), absent "pages are numbered, or there is only one", example "offset",
            doc "The parameter with the number of records before the page, from 0.";
        number: optional(name::Parameter), absent "pages begin at an `offset`, or there is only one", example "page",
            doc "The parameter with the number of the page, from 1.";
        total: optional(name::Sibling), absent "nothing counts all records", example "total",
            doc "The member beside `data` that counts all records that match the filters, on all pages.";
    }
    aliases {
        "limit" "per_page" "most" => "`size` names the parameter with the number of records on a page";
        "skip" "start" "after" => "`offset` names the parameter with the number of records before the page";
        "page" "count" => "`number` names the parameter with the number of the page; `total` counts all records";
    }
}

section! {
    /// `counts` of an endpoint
    Counts = "`counts`" at "surfaces.NAME.endpoints.NAME.counts" with head;
    doc "Makes the endpoint count the records of another list by the value of a field. It takes guards, filters and their \
         parameters from there, without pages, order and what filters by this field alone. `data` is a list of objects, \
         each a value and the number of records with it: the most frequent first, then by code points. Values that \
         filters take as equal are one, in the spelling that comes first by code points. Records without a value are not \
         counted.";
    example "{ list: list_books, by: shelf, max: 100 }";
    keys {
        list: required(name::Operation), example "list_books",
            doc "The endpoint of the same surface with the list. Its path has no parameters.";
        by: required(name::Known<name::Field>), example "shelf",
            doc "The field of the listed resource: a text, or a word of an enum.",
            effect "A struct of the value and `count`, of which the handler returns a list.";
        max: required(Count<1>), example "100",
            doc "Maximum number of values in the response. Less frequent ones are left out.";
    }
    aliases {
        "group" "group_by" "field" => "`by` names the field by whose values the records are counted";
        "limit" "size" => "`max` is the maximum number of values";
        "of" => "`list` names the endpoint whose list is counted";
    }
}

section! {
    /// `success` of an endpoint
    Success = "`success`" at "surfaces.NAME.endpoints.NAME.success";
    doc "The response of an endpoint. `success: {}` confirms the operation and returns no data.";
    example "{ data: Book.item, message: Book added }";
    keys {
        status: optional(Status), absent "200", example "201",
            doc "The HTTP status (RFC 9110): 200 to 299 without 205; 201 only if a POST or PUT creates something; 204 only if \
                 there is nothing to return: it has no body, and so no envelope.",
            effect "The status of every success.";
        data: optional(Data), absent "no data is returned", example "\"[Book.item]\"",
            doc "A view (`Book.item`), a list of records in a view (`\"[Book.item]\"`), or a map of members and their \
                 types.",
            effect "What the handler returns: encoded views, or a struct of these members.";
        file: optional(name::Resource), absent "the response is JSON", example "Cover",
            doc "That the response is the content of a file, instead of the envelope: of a record of this resource, which \
                 an endpoint with `file` makes and a guard has found. It has an `ETag`, supports ranges and conditional \
                 requests (RFC 9110), is downloaded instead of shown, and is not cached. `Range` with anything but one range of \
                 bytes that the file has gets the whole file. Only with GET, without `data`, `message` and `siblings`.",
            effect "The handler returns a `support::file::StoredFile`. `codegen mock` returns the bytes that were sent.";
        message: optional(Text), absent "there is no message", example "Book added",
            doc "A message for people. It has no placeholders: put values that differ into `data`.",
            effect "`$message` of the envelope.";
        siblings: default(List<name::Sibling>), absent "none", example "[total, size]",
            doc "Members beside `data`: `total`, the number of records on all pages, or query parameters that are \
                 whole numbers and have a default.",
            effect "`$siblings` of the envelope; with `total` the handler returns a page.";
        location: optional(name::Operation), absent "there is no `Location`", example "get_book",
            doc "The GET of this surface at whose path the record is that the success is about: the header `Location` \
                 (RFC 9110) has that path, with the ids that `data` shows, or those of the request's own path.",
            effect "The header, also of a repetition with the same idempotency key.";
        headers: default(Map<name::Header, name::Member>), absent "none of its own", example "{ X-Book-Status: status }",
            doc "Headers of the success, each with the value of a member of `data`, or with `total`, the number of \
                 records of a list on all pages. Null gives no header. A member can be an id, a number, a boolean, a time, \
                 a format, an enum, or a text whose `chars` are visible ASCII characters: a value never breaks a line.",
            effect "The headers, also of a repetition with the same idempotency key; with `total` the handler returns a \
                    page.";
    }
    aliases {
        "body" "content" "schema" "view" "returns" => "write the data of the response as `data`, and a file as `file`";
        "code" => "write the HTTP status as `status`";
        "Location" => "name the GET whose path it has: `location: get_book`";
    }
}

/// The `data` of a success.
#[derive(Clone, Debug)]
pub enum Data {
    /// A view, or a list of a view.
    View(TypeUse),
    /// An object of these members.
    Members(Table<TypeUse>),
}

impl Value for Data {
    const FORM: Form = Form::Either {
        expected: "a view, or a map of members",
        of: &[AnswerType::FORM, Map::<name::Member, AnswerMember>::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        match &node.form {
            Tree::Map(_) => Data::Members(Map::<name::Member, AnswerMember>::read(node, form, reader)),
            _ => Data::View(AnswerType::read(node, form, reader)),
        }
    }
}

impl Surface {
    /// Its endpoint with this name, and where that is declared.
    fn endpoint(&self, wanted: &Word) -> Option<(&Word, &Endpoint)> {
        let found = self.endpoints.iter().find(|(name, _)| name.text == wanted.text);
        found.map(|(name, endpoint)| (name, endpoint))
    }
}

impl Endpoint {
    /// The endpoint that it tries, with its name.
    pub fn tried<'s>(&self, surface: &'s Surface) -> Option<(&'s Word, &'s Endpoint)> {
        surface.endpoint(self.dry_run.as_ref()?)
    }

    /// The endpoint whose list it counts, with its name.
    pub fn counted<'s>(&self, surface: &'s Surface) -> Option<(&'s Word, &'s Endpoint)> {
        surface.endpoint(&self.counts.as_ref()?.list)
    }

    /// Whether a request has a body: JSON or a file.
    pub fn takes_body(&self) -> bool {
        self.body.is_some() || self.file.is_some()
    }
}
