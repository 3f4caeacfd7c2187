//! Sentences for people, generated from the model.

use crate::fault_codes;
use crate::model::{
    Counts, Enum, ErrorEntry, FileBody, Limit, Model, Operation, Per, Quota, Resource, ResponseBytes, SortKey, States,
    Surface, Unit,
};
use crate::names::{self, snake, with_article};
use crate::step::Step;

/// The rule for members that a document does not name: requests may not have them, answers may get them.
pub(crate) const UNNAMED: &str = "Undocumented parameters and members of a request are rejected. Responses may gain members: ignore those that you do not know.";

/// The meaning of a rejection at a step. A business rule has its own text.
pub(crate) fn meaning(error: &ErrorEntry) -> String {
    let text = match error.step {
        Step::Route => "no operation has this path",
        Step::Method => "the path exists, but not with this method",
        Step::Available => "the service is not available at the moment",
        Step::CredentialLimit => "too many requests with invalid credentials from this address",
        Step::Credential => "no valid credential",
        Step::Suspended => "the caller is suspended",
        Step::Limit => "too many requests",
        Step::ResponseBytes => "too many bytes of responses to the caller",
        Step::InFlight => "too many concurrent requests of the caller",
        Step::Busy => "too many response bytes wait to be sent, to this caller or to all callers",
        Step::MediaType => "the body is not declared as JSON, or is encoded",
        Step::BodySize => "the body is too large",
        Step::BodyTime => "the body took too long to arrive",
        Step::Decode => "the path, the query or the body is invalid",
        Step::KeyReused => "the idempotency key was sent with another request",
        Step::KeyInProgress => "the first request with the idempotency key has no answer yet",
        Step::KeySecret => "the first answer to the idempotency key had a secret, which is not stored",
        Step::Plan => "the caller does not have the required plan",
        Step::Exists => "the resource does not exist",
        Step::Owner => "the resource belongs to another caller",
        Step::Quota => "the quota is used up",
        Step::Transition => "the current state cannot change to this one",
        Step::Rule => return error.text.to_string(),
        Step::Write => "the server cannot write at the moment",
        Step::Outcome => "the operation may or may not have taken effect",
        Step::Internal => "an error inside the server",
    };
    text.to_owned()
}

/// The meaning of an error and what to do next, in whole sentences.
pub(crate) fn meaning_and_help(error: &ErrorEntry) -> String {
    match &error.help {
        Some(help) => joined(&meaning(error), help),
        None => meaning(error),
    }
}

/// The text of the contract, followed by the generated text.
pub(crate) fn both(doc: Option<&str>, generated: &str) -> String {
    doc.map_or_else(|| generated.to_owned(), |doc| joined(doc, generated))
}

/// The unit that limits count by: what each credential identifies, and its owner if credentials are counted together.
#[derive(Clone, Copy)]
pub(crate) struct CountedBy<'m> {
    caller: &'m str,
    owner: Option<&'m str>,
}

impl<'m> CountedBy<'m> {
    /// Callers of more than one kind.
    pub(crate) const ANY: Self = Self {
        caller: "caller",
        owner: Some("caller"),
    };

    /// The unit whose requests in flight are counted together: the owner of all credentials.
    fn holder(self) -> &'m str {
        self.owner.unwrap_or(self.caller)
    }

    /// Whether this limit counts all credentials of an owner together.
    pub(crate) fn counts_owners(self, limit: &Limit) -> bool {
        limit.owner_max.is_some() && self.owner.is_some()
    }
}

/// `100 requests in 60 s for each API key, 300 for each account`
pub(crate) fn limit(limit: &Limit, by: CountedBy<'_>) -> String {
    let (max, seconds) = (limit.max, limit.window_seconds);
    let owners = limit.owner_max.zip(by.owner);
    // Of two rates, one is for all credentials of a caller.
    let caller = match owners {
        Some((_, owner)) if owner == by.caller => "credential",
        _ => by.caller,
    };
    let owners = owners.map(|(max, owner)| match owner == by.caller {
        true => format!(", {max} for all credentials of a {owner} together"),
        false => format!(", {max} for each {owner}"),
    });
    match limit.counts {
        Counts::Methods { per: Per::Caller, .. } => {
            format!(
                "{max} requests in {seconds} s for each {caller}{}",
                owners.unwrap_or_default()
            )
        }
        Counts::Methods { per: Per::Address, .. } => format!("{max} requests in {seconds} s for each address"),
        Counts::FailedCredentials => format!("{max} requests with invalid credentials in {seconds} s for each address"),
    }
}

/// The maximum number of a caller's requests in flight in these operations; `None` if none of them bounds it.
pub(crate) fn in_flight<'o>(
    model: &Model,
    operations: impl Iterator<Item = (&'o Surface, &'o Operation)>,
    by: CountedBy<'_>,
) -> Option<String> {
    let caller = by.holder();
    let mut bounded = operations.filter(|(_, operation)| operation.waits_at_once.is_none());
    let max = bounded.find_map(|(surface, operation)| model.at_once(surface, operation))?;
    Some(format!("At most {max} concurrent requests for each {caller}."))
}

/// The maximum bytes of responses to a caller of these surfaces; `None` if they are not bounded.
pub(crate) fn response_bytes<'s>(
    model: &Model,
    surfaces: impl IntoIterator<Item = &'s Surface>,
    by: CountedBy<'_>,
) -> Option<String> {
    let mut bounded = surfaces.into_iter().filter_map(|surface| model.response_bytes(surface));
    let ResponseBytes { max, window_seconds } = bounded.next()?;
    let caller = by.holder();
    Some(format!(
        "After {max} bytes of responses to {} in {window_seconds} s, its requests are rejected until this window ends.",
        with_article(caller)
    ))
}

/// States that an operation waits for events, and how many requests may wait at a time.
pub(crate) fn waits(operation: &Operation) -> Option<String> {
    let max = operation.waits_at_once?;
    if operation.file.is_some() {
        return Some(format!(
            "At most {max} of your requests to it can run at the same time."
        ));
    }
    Some(format!(
        "The response may be delayed (long polling). At most {max} of your requests to it can wait at the same time."
    ))
}

/// The file that the body of an operation is: its types and its bounds.
pub(crate) fn file(operation: &Operation) -> Option<String> {
    let FileBody {
        types,
        max_seconds,
        min_rate,
        ..
    } = operation.file.as_ref()?;
    let rate = min_rate.as_ref().map(|rate| {
        let (bytes, seconds) = (rate.bytes_per_second.whole(), rate.grace_seconds.whole());
        format!(" at {bytes} bytes per second or faster (it may fall behind by {seconds} s)")
    });
    Some(format!(
        "The body is a file of at most {} bytes, which arrives within {max_seconds} s{}. Its `Content-Type` is {}. With \
         `Content-Length`, quotas are checked before it is read.",
        operation.max_bytes,
        rate.unwrap_or_default(),
        listed(&types.iter().collect::<Vec<_>>(), "or")
    ))
}

/// The file that the answer of an operation is.
pub(crate) fn content(model: &Model, operation: &Operation) -> Option<String> {
    let resource = operation.content_of.as_ref()?;
    Some(format!(
        "The response is the content of the {}, without the envelope. It has an `ETag`, and `Range` gives a part of it (206).",
        model.resource(resource).noun
    ))
}

/// The minimum rate of a body, if there is one.
pub(crate) fn pace(model: &Model) -> Option<String> {
    let rate = model.body_min_rate.as_ref()?;
    let (bytes, seconds) = (rate.bytes_per_second.whole(), rate.grace_seconds.whole());
    Some(format!(
        "A body must arrive at {bytes} bytes per second or faster. It may fall behind by at most {seconds} s."
    ))
}

/// The start of the windows of limits.
pub(crate) const WINDOWS: &str = "Each window begins at a full second, minute, hour or day of the clock (UTC).";

/// Which of two rates a limit reports.
pub(crate) const OWNERS: &str = "If a limit has a rate for each credential and one for its caller, the headers report the rate with fewer requests left. The caller's rate has the name `NAME:owner`.";

/// The meaning of a placeholder in a header that reports a limit.
pub(crate) fn of_limit(placeholder: &str) -> &'static str {
    match placeholder {
        "limit" => "the name of the limit",
        "max" => "the maximum number of requests in a window",
        "window_seconds" => "the length of the window in seconds",
        "remaining" => "the number of requests left in this window",
        "seconds" => "the number of seconds until the window ends",
        _ => "the end of the window in Unix time",
    }
}

/// The meaning of a placeholder of the envelope.
pub(crate) fn member(placeholder: &str) -> &'static str {
    match placeholder {
        "data" => "The result of the operation.",
        "message" => "A text for people.",
        "siblings" => "The other members that the operation documents.",
        "code" => "The name of the error in the error table.",
        "status" => "The HTTP status.",
        "request_id" => "The id of the request. The log of the server has it, too.",
        "title" => "A short name of the error, the same in each response.",
        "path" => "The path of the request.",
        "time" => "When the server answered.",
        "faults" => "What is wrong with an invalid request, one by one.",
        _ => "What is wrong and what to do, as a text for people.",
    }
}

/// What a member of a fault of an invalid request shows, by its placeholder.
pub(crate) fn member_of_fault(placeholder: &str) -> &'static str {
    match placeholder {
        "code" => "The code of the fault.",
        "place" => fault_codes::PLACE,
        _ => "What is wrong, as a text for people.",
    }
}

/// A text on one line: the `doc` of a contract may have line breaks; a list item or a table cell may not.
pub(crate) fn in_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `At most 3 active API keys for each account.`
pub(crate) fn quota(model: &Model, quota: &Quota) -> String {
    let owner = &model.resource(&quota.per).noun;
    format!("At most {} {} for each {owner}.", quota.max, quota.noun)
}

/// `an account and to a human`: the owners of a resource, if it has any.
pub(crate) fn owners(model: &Model, resource: &Resource) -> Option<String> {
    let owners = resource.owner.iter();
    let owners = owners.map(|(owner, _)| with_article(&model.resource(owner).noun));
    let owners: Vec<String> = owners.collect();
    (!owners.is_empty()).then(|| owners.join(" and to "))
}

/// The unit by which the requests of a surface are counted.
pub(crate) fn counted_by<'m>(model: &'m Model, surface: &Surface) -> CountedBy<'m> {
    let credential = model.credential_of(surface);
    let Some((credential, caller)) = credential.and_then(|one| Some((one, one.caller.as_ref()?))) else {
        return CountedBy {
            caller: "caller",
            owner: None,
        };
    };
    let noun = |resource: &str| &*model.resource(resource).noun;
    CountedBy {
        caller: noun(&caller.limited_by),
        owner: model.has_other_credentials(credential).then(|| noun(&caller.resource)),
    }
}

/// The allowed transitions.
pub(crate) fn states(states: &States) -> String {
    let first = format!("The initial value is `{}`.", states.initial);
    let Some(transitions) = &states.transitions else {
        return format!("{first} Every transition is allowed.");
    };
    let moves = transitions.iter().filter(|(_, to)| !to.is_empty());
    let moves = moves.map(|(from, to)| format!("`{from}` can change to {}", listed(to, "or")));
    let moves: Vec<String> = moves.collect();
    format!(
        "{first} {}. Setting the current value again changes nothing.",
        moves.join("; ")
    )
}

/// A code span of Markdown, also of a text with backticks.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max();
    match longest.unwrap_or_default() {
        0 => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// `` `a`, `b` or `c` ``, of names, without backticks of their own.
pub(crate) fn listed(names: &[impl AsRef<str>], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    in_words(&quoted, last)
}

/// `a, b or c`
pub(crate) fn in_words(phrases: &[String], last: &str) -> String {
    match phrases.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, others)) => format!("{} {last} {end}", others.join(", ")),
        None => String::new(),
    }
}

/// The meaning of each value of an enumeration, one line each; `None` if no value is described.
pub(crate) fn values(one: &Enum) -> Option<String> {
    let line = |value: &String| match one.doc(value) {
        Some(doc) => format!("- `{value}`: {doc}"),
        None => format!("- `{value}`"),
    };
    let lines: Vec<String> = one.values.iter().map(line).collect();
    (!one.docs.is_empty()).then(|| lines.join("\n"))
}

/// Two texts in sequence: the second is a paragraph of its own if it has several lines. A first text without final
/// punctuation gets a full stop.
pub(crate) fn joined(first: &str, second: &str) -> String {
    let stop = if first.ends_with(['.', '!', '?', ':', ';']) {
        ""
    } else {
        "."
    };
    let between = if second.contains('\n') { "\n\n" } else { " " };
    format!("{first}{stop}{between}{second}")
}

pub(crate) fn plan_line(plan: &str) -> String {
    format!("Requires the plan `{plan}`.")
}

pub(crate) fn owned_line(model: &Model, operation: &Operation, owned: &str) -> String {
    let resource = model.resource(owned);
    let named = if_named(operation, owned);
    let others = if resource.private {
        ". To other callers it does not exist"
    } else {
        ""
    };
    format!("The caller must own the {}{named}{others}.", resource.noun)
}

/// The condition of a guard on an id that a request may lack.
pub(crate) fn if_named(operation: &Operation, resource: &str) -> &'static str {
    match operation.may_lack(resource) {
        true => ", if one is named",
        false => "",
    }
}

/// The states that an operation changes, and the allowed transitions.
pub(crate) fn transitions(model: &Model, operation: &Operation) -> Option<String> {
    let moved = operation.transitions.as_ref()?;
    let states = model.enumeration(&moved.states).states.as_ref()?;
    let noun = &model.resource(&moved.resource).noun;
    Some(format!(
        "Changes the `{}` of the {noun}. {}",
        states.of.1,
        self::states(states)
    ))
}

/// The order of a list.
pub(crate) fn sorted(operation: &Operation) -> Option<String> {
    let by = |keys: &[SortKey]| {
        let keys: Vec<String> = keys.iter().map(SortKey::in_words).collect();
        format!("by {}", keys.join(", then "))
    };
    let Some(orders) = &operation.orders else {
        return (!operation.sort.is_empty()).then(|| format!("Sorted {}.", by(&operation.sort)));
    };
    let each = orders
        .all
        .iter()
        .map(|order| format!("`{}` {}", order.name, by(&order.keys)));
    Some(format!(
        "Sorted as `{}` says: {}.",
        orders.by,
        each.collect::<Vec<_>>().join("; ")
    ))
}

/// The name of an operation, unique over all surfaces.
pub(crate) fn operation_id(surface: &Surface, operation: &Operation) -> String {
    names::operation_id(&surface.name, &operation.name)
}

/// The first sentence, without its full stop.
pub(crate) fn summary(operation: &Operation) -> String {
    let doc = operation.doc.clone().unwrap_or_else(|| spaced(&operation.name));
    let first = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first);
    first.trim_end_matches('.').to_owned()
}

/// `poster_name` → `Poster name`
pub(crate) fn spaced(name: &str) -> String {
    capitalised(&snake(name).replace('_', " "))
}

/// The text with a capital first letter.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The unit of a number.
pub(crate) fn unit(unit: &Unit) -> String {
    match unit {
        Unit::Currency(_) | Unit::Measure(_) => format!("In {unit}."),
        Unit::Stated { operation, member } => format!("In the currency that `{operation}` returns as `{member}`."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_lines_is_put_on_one() {
        assert_eq!(in_line(" Wait.\n\n## Then\n  ask "), "Wait. ## Then ask");
    }

    #[test]
    fn what_ends_with_a_mark_gets_no_other() {
        assert_eq!(joined("Gone", "Ask again."), "Gone. Ask again.");
        assert_eq!(joined("Gone!", "Ask again."), "Gone! Ask again.");
    }
}
