//! `limits`, `quotas` and `credentials`

use super::section::section;
use super::values::{Count, Counts, FieldCondition, List, Map, Method, Per, Period, QuotaCounts, Rate, Text, name};
use crate::span::Word;

section! {
    /// An entry of `limits`.
    Limit = "a limit" at "limits.NAME";
    doc "A rate limit over fixed windows, which begin with each second, minute, hour or day of the clock (UTC). A \
         correction of the clock while the server runs does not move them. Only accepted requests are counted, each by \
         one limit.";
    example "{ methods: [GET], rate: 100/min, per: caller }";
    keys {
        methods: default(List<Method>), absent "`counts` is required", example "[GET]",
            doc "The HTTP methods whose requests it counts. The limits of a surface cover each method of its endpoints \
                 exactly once.",
            effect "Which endpoints it counts.";
        rate: required(Rate), example "100/min",
            doc "Maximum number of requests in a window, and the window.",
            effect "The rate limiter, and the error response of the step `limit` with the seconds to wait.";
        per: required(Per), example "caller",
            doc "Whose requests are counted together.",
            effect "The key of the rate limiter.";
        owner_rate: optional(Rate), absent "each credential is counted alone", example "300/min",
            doc "Maximum number of requests in the same window for all credentials of one `caller` together. Only with \
                 `per: caller`, and only for a credential that is `limited_by` a resource of which a caller can have \
                 several. Not less than `rate`. A request that one of the two rates rejects does not count towards the \
                 other.",
            effect "A second count, by the caller's id. Headers and error responses report the count with less \
                    remaining; this one has the name `NAME:owner`.";
        counts: optional(Counts), absent "it counts requests", example "failed_credentials",
            doc "Counts something other than requests. At most one limit of a contract has this key, and no surface \
                 lists it.",
            effect "The error response of the step `credential_limit`. Requests with valid credentials from the same \
                    address are still served.";
    }
    aliases {
        "max" "limit" "window" "period" => "write number and window together: `rate: 100/min`";
        "key" "by" "scope" => "write `per: caller` or `per: address`";
    }
}

/// What a quota counts.
#[derive(Clone, Debug)]
pub enum QuotaOf {
    /// Records of this resource.
    Records(Word),
    /// What [`QUOTA_COUNTS`](super::grammar::QUOTA_COUNTS) names.
    Other(Word),
}

impl QuotaOf {
    /// The resource whose records it counts.
    pub fn records(&self) -> Option<&Word> {
        match self {
            QuotaOf::Records(resource) => Some(resource),
            QuotaOf::Other(_) => None,
        }
    }
}

section! {
    /// An entry of `quotas`.
    Quota = "a quota" at "quotas.NAME";
    doc "How much an owner may have at a time, or make within a period: records of a resource, or bytes of bodies. A \
         quota without `within` counts the records that there are. One with `within` counts what accepted requests have \
         made since the period began; what ends later does not make room. Periods begin with each multiple of their \
         length since the beginning of 1970, so that `1d` is a day in UTC.";
    example "{ max: 3, of: Loan, per: Reader, noun: loans }";
    keys {
        max: required(Count<0>), example "5",
            doc "The maximum; at least 1. Records above a new maximum stay: only further ones are rejected.",
            effect "The constant `quotas::OPEN_LOANS`, and `uses` in the handler's request: what it counts towards its \
                    quotas. The store decides in the transaction that makes the next record. `{max}` of the error \
                    response.";
        per: required(name::Resource), example "Reader",
            doc "The resource for each of whose records is counted: the caller, or a resource that a guard of the \
                 endpoint finds.",
            effect "None: the compiler checks that the endpoint has such a caller or guard.";
        noun: required(Text), example "loans",
            doc "The plural noun for what is counted in texts. With `within` it names the period: `loans a day`.",
            effect "`{noun}` of the error response.";
        only = "where": optional(FieldCondition), absent "every record counts", example "status is out",
            doc "Which records count: those whose field has one of these values, or none of them. Only without `within`. \
                 An endpoint whose caller can make a record count again must name the quota, too.",
            effect "A function `quotas::open_loans` that tells whether a record counts.";
        window = "within": optional(Period), absent "records are counted as long as they exist", example "1d",
            doc "The period in which is counted what requests make.",
            effect "The period in `uses` of the handler's request.";
    }
    choice(of: QuotaOf) {
        "of"(name::Resource) => QuotaOf::Records, example "Loan",
            doc "The resource whose records are counted. `per` must be among its owners. Or, with `within`, a resource \
                 that is `distinct` of a list of `per`: counted are the records that come into being because an \
                 endpoint puts into that list what no list had.",
            effect "None: the compiler checks that it can be counted.";
        "counts"(QuotaCounts) => QuotaOf::Other, example "body_bytes",
            doc "Counts something other than records.",
            effect "The number of bytes in `uses` of the handler's request.";
    }
}

section! {
    /// An entry of `credentials`.
    Credential = "a credential" at "credentials.NAME";
    doc "A kind of credential: a secret in a request header, and the resource that calls with it.";
    example "{ header: X-Card, caller: Reader, limited_by: Reader, prefix: card_, random_chars: 40 }";
    keys {
        doc: optional(Text), absent "none", example "The desk hands it out.",
            doc "Who has one, and how to obtain it.",
            effect "The documentation of the credential's module.";
        header: required(name::Header), example "X-Card",
            doc "The request header that carries it. Not `Authorization` or `Cookie`, which have a format of their \
                 own.",
            effect "What is read from a request, and `{header}` of the error response. Responses to an accepted \
                    credential have `Cache-Control: no-store`, unless `api.headers` has that header.";
        caller: optional(name::Resource), absent "it identifies no caller, as for a single operator", example "Reader",
            doc "The resource that calls.",
            effect "The type `CardCaller` that handlers receive, and the trait `AdmitCard` that finds one by its \
                    credential.";
        limited_by: optional(name::Resource), absent "the caller", example "Card",
            doc "The resource whose requests a limit `per: caller` counts together: the caller, or a resource that it \
                 owns, such as one of several API keys.",
            effect "The key of limits `per: caller`.";
        plan: optional(name::Field), absent "there are no plans", example "kind",
            doc "The caller's field with its plan. Its type is an enum.",
            effect "The value that guards `plan …` check.";
        suspended: optional(name::Field), absent "callers cannot be suspended", example "is_blocked",
            doc "The caller's field that is true while the caller is suspended. Its type is `boolean`.",
            effect "The error response of the step `suspended`.";
        prefix: required(name::Prefix), example "card_",
            doc "The first characters of every credential of this kind, which identify a leaked one. Each kind has a \
                 prefix of its own.",
            effect "The function `mint`, which creates a new one.";
        realms: default(Map<name::EnumValue, CredentialRealm>), absent "credentials are alike in all realms",
            example "{ \"true\": { prefix: card_test_ } }",
            doc "What distinguishes callers of a realm, by the value of the realm: only for a credential whose caller \
                 has a `realm`.";
        random = "random_chars": required(Count<1>), example "40",
            doc "Number of random characters after the prefix, ASCII letters and digits (5.95 bits each): 22 to 200.",
            effect "The function `mint`, which creates a new one.";
        shown = "shown_chars": optional(Count<1>), absent "no part is ever displayed", example "8",
            doc "Number of leading characters, including the prefix, that may be stored and listed, so that the owner \
                 can recognize the credential. At least 22 random characters stay hidden.",
            effect "The function `shown`.";
    }
    aliases {
        "in" "name" "type" "scheme" => "name the header that carries the credential: `header: X-Card`";
        "random" "length" => "write the number of random characters as `random_chars`";
    }
}

section! {
    /// What distinguishes the callers of a realm.
    CredentialRealm = "a realm of a credential" at "credentials.NAME.realms.VALUE";
    doc "How callers of one realm recognize that they are in it.";
    example "{ prefix: card_test_, headers: { X-Test: \"true\" } }";
    keys {
        prefix: optional(name::Prefix), absent "the prefix of the credential", example "card_test_",
            doc "The first characters of every credential for this realm, other than those of all others.",
            effect "The function `mint`, which takes the realm. A displayed part is longer by as much as the prefix.";
        headers: default(Map<name::Header, Text>), absent "none", example "{ X-Test: \"true\" }",
            doc "Headers of every response to such a caller: of those that come after the check of its credential.",
            effect "The headers, also on error responses.";
    }
}
