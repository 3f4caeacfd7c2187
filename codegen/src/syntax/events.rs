//! `events`, and `feed` of an endpoint

use super::section::section;
use super::values::{Cause, Count, FieldPath, List, Map, Period, Text, name};

section! {
    /// `events`
    Events = "`events`" at "events" with head;
    doc "What callers learn without asking again: events, which endpoints cause. Each recipient has a feed of its own, \
         in which events are numbered from 1 without gaps, in the order in which their causes took effect. An event is \
         stored together with its cause. A cause that changes nothing, such as a status that is set again, gives none.";
    example "{ keep: 30d, max: 10000, kinds: { loan.created: { of: Loan, to: [book_id.keeper_id], on: [public.lend] } } }";
    keys {
        keep: required(Period), example "30d",
            doc "How long an event is kept.",
            effect "A constant; feeds that begin after the oldest event state that they are truncated.";
        max: required(Count<1>), example "10000",
            doc "Maximum number of events that are kept for each recipient. The oldest go first.",
            effect "A constant.";
        recipients: optional(Count<1>), absent "an event has one recipient for each path in `to`", example "1000",
            doc "Maximum number of recipients of one event. Only where a `to` begins with a resource, so that there is \
                 a recipient for each of its records. Those with the lowest ids get the event.",
            effect "A constant.";
        kinds: required(Map<name::Event, EventKind>), example "{ loan.created: { of: Loan, to: [book_id.keeper_id], on: [public.lend] } }",
            doc "The kinds of events, by their names on the wire.",
            effect "The enum `Event` with a variant for each, and its JSON.";
    }
    aliases {
        "retention" "ttl" => "write how long events are kept as `keep: 30d`, and how many as `max: 10000`";
    }
}

section! {
    /// An entry of `kinds`.
    EventKind = "an event" at "events.kinds.NAME";
    doc "A kind of event: about which record it is, who gets it, and what causes it.";
    example "{ of: Loan, to: [book_id.keeper_id], on: [public.lend], data: { loan_id: id, book_id: book_id } }";
    keys {
        doc: optional(Text), absent "none", example "Somebody has borrowed a book of yours.",
            doc "What has happened, as its recipient sees it.",
            effect "The documentation of its variant.";
        of: required(name::Resource), example "Loan",
            doc "The resource of the record that it is about: the one that each cause creates, changes, or sets the \
                 state of.",
            effect "The argument of the functions that make the event.";
        to: default(List<FieldPath>), absent "nobody: write at least one path", example "[book_id.keeper_id]",
            doc "Who gets it: fields of the record, or of records that it names, with the id of a caller. \
                 `Loan.reader_id`: that field of each `Loan` that names the record. Callers of the kind that the cause \
                 itself serves are left out: they know. Each gets it once, however many records lead to it.",
            effect "Whose feed the event is stored in.";
        on: default(List<Cause>), absent "the service causes it by itself", example "[public.lend]",
            doc "The endpoints that cause it, as `surface.endpoint`.",
            effect "A function `events` in the module of each endpoint, which makes its events.";
        data: default(Map<name::Member, FieldPath>), absent "it has no data", example "{ loan_id: id, book_id: book_id }",
            doc "Its members: fields of the record, or of records that it names. Ids, states and numbers only: who wants \
                 texts reads them, with the rights that readers have then. A member has the same type in all kinds.",
            effect "The fields of its variant, with their types.";
    }
    aliases {
        "payload" "members" "fields" => "write the members of the event as `data: { loan_id: id }`";
        "resource" "subject" => "name the resource of the record that it is about as `of`";
        "recipient" "for" => "write who gets it as `to: [book_id.keeper_id]`";
        "when" "causes" "from" => "write the endpoints that cause it as `on: [surface.endpoint]`";
    }
}

section! {
    /// `feed` of an endpoint
    Feed = "`feed`" at "surfaces.NAME.endpoints.NAME.feed" with head;
    doc "Makes the endpoint the feed of the caller's events. `data` is a list of events, each `{ eventId, name, \
         timestamp, data, cursor }`, the oldest first; no two events of all feeds have one `eventId`; beside it are `cursor`, from which the next call goes on, \
         `has_more`, and `truncated`, whether events after the given cursor are no longer kept. These are the shapes of \
         MCP Events. Each key names a parameter of the query.";
    example "{ after: after, types: types, size: size, wait: wait }";
    keys {
        after: required(name::Parameter), example "after",
            doc "The parameter with the cursor after which the feed begins, of the type `cursor?`. Without it, the feed \
                 begins with the oldest event that is kept. `now` gives no events, only the cursor.",
            effect "A cursor that is none of the feed's is rejected at the step `decode`.";
        types: optional(name::Parameter), absent "all kinds are listed", example "types",
            doc "The parameter with the kinds to list, of the type `event_names?`.";
        size: required(name::Parameter), example "size",
            doc "The parameter with the maximum number of events in a response.";
        wait: optional(name::Parameter), absent "the endpoint responds at once", example "wait",
            doc "The parameter with the number of seconds to wait for an event if there is none: an integer from 0. The \
                 endpoint also needs `waits_at_once`.",
            effect "The credential is checked again before the response. While too many requests wait, the error response \
                    of the step `busy`.";
        tool_wait: optional(Count<0>), absent "the default of the parameter", example "25",
            doc "The default of `wait` for the endpoint as a tool.",
            effect "The schema of the tool's arguments.";
    }
    aliases {
        "cursor" "since" "from" => "`after` names the parameter with the cursor";
        "limit" => "`size` names the parameter with the maximum number of events";
        "timeout" => "`wait` names the parameter with the seconds to wait";
    }
}
