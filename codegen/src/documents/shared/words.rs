//! Sentences for people, generated from the model.

use super::{examples, lists};
use crate::model::{
    Counts, Enum, ErrorEntry, Field, Kind, Limit, Model, Operation, Per, Quota, States, Surface, Template,
};
use crate::model::{Exists, IdSource, Piece, Resource};
use crate::names::with_article;
use crate::step::Step;

/// The rule for members that a document does not name: requests may not have them, answers may get them.
pub(crate) const UNNAMED: &str =
    "What a request has that is not named here is rejected. What an answer may get in time, clients ignore.";

/// The meaning of a rejection at a step. A business rule has its own text.
pub(crate) fn meaning(error: &ErrorEntry) -> String {
    let text = match error.step {
        Step::Route => "there is nothing at this path",
        Step::Method => "the path is there, but not with this method",
        Step::CredentialLimit => "too many failed credentials from this address",
        Step::Credential => "no valid credential",
        Step::Suspended => "the caller is suspended",
        Step::Limit => "too many requests",
        Step::InFlight => "too many requests of the caller at a time",
        Step::Busy => "too much waits to be sent, to this caller or to all",
        Step::MediaType => "the body is not declared as JSON",
        Step::BodySize => "the body has too many bytes",
        Step::BodyTime => "the body took too long to arrive",
        Step::Decode => "path, query or body is not what is declared",
        Step::Plan => "the caller's plan is another one",
        Step::Exists => "what is named does not exist",
        Step::Owner => "it belongs to somebody else",
        Step::Quota => "the caller has as many as it may have",
        Step::Transition => "the present state may not become this one",
        Step::Rule => return template(&error.text),
        Step::Write => "nothing can be written at the moment",
        Step::Internal => "a fault of the service",
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

/// A template as the contract writes it.
pub(crate) fn template(template: &Template) -> String {
    let pieces = template.0.iter().map(|piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Placeholder(name) => format!("{{{name}}}"),
    });
    pieces.collect()
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
        owner: Some("owner"),
    };

    /// The unit whose requests in flight are counted together: the owner of all credentials.
    fn holder(self) -> &'m str {
        let owner = self.owner.filter(|_| self.caller != Self::ANY.caller);
        owner.unwrap_or(self.caller)
    }

    /// Whether this limit counts all credentials of an owner together.
    pub(crate) fn counts_owners(self, limit: &Limit) -> bool {
        limit.owner_max.is_some() && self.owner.is_some()
    }
}

/// `100 requests in 60 s for each API key, 300 for each account`
pub(crate) fn limit(limit: &Limit, by: CountedBy<'_>) -> String {
    let (max, seconds, caller) = (limit.max, limit.window_seconds, by.caller);
    let owners = limit.owner_max.zip(by.owner);
    let owners = owners.map(|(max, owner)| format!(", {max} for each {owner}"));
    match limit.counts {
        Counts::Methods { per: Per::Caller, .. } => {
            format!(
                "{max} requests in {seconds} s for each {caller}{}",
                owners.unwrap_or_default()
            )
        }
        Counts::Methods { per: Per::Address, .. } => format!("{max} requests in {seconds} s for each address"),
        Counts::FailedCredentials => format!("{max} failed credentials in {seconds} s for each address"),
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
    Some(format!(
        "At most {max} requests of each {caller} are worked on at a time."
    ))
}

/// States that an operation waits on purpose, and for how many requests at a time.
pub(crate) fn waits(operation: &Operation) -> Option<String> {
    let max = operation.waits_at_once?;
    Some(format!(
        "It may wait before it answers. At most {max} of your requests wait for it at a time."
    ))
}

/// The minimum rate of a body, if there is one.
pub(crate) fn pace(model: &Model) -> Option<String> {
    let rate = model.body_min_rate?;
    let (bytes, seconds) = (rate.bytes_per_second, rate.grace_seconds);
    Some(format!(
        "A body has to come at {bytes} bytes per second at least, and may be behind by {seconds} s."
    ))
}

/// The start of the windows of limits.
pub(crate) const WINDOWS: &str = "Windows begin with the clock's second, minute, hour or day (UTC).";

/// Which of two rates a limit reports.
pub(crate) const OWNERS: &str = "Of two rates that with less left is told, the owner's as `NAME:owner`.";

/// The meaning of a placeholder in a header that reports a limit.
pub(crate) fn of_limit(placeholder: &str) -> &'static str {
    match placeholder {
        "limit" => "its name",
        "max" => "most requests in a window",
        "window_seconds" => "the window's length in seconds",
        "remaining" => "how many more may come in this window",
        "seconds" => "seconds until the window ends",
        _ => "when the window ends, in Unix time",
    }
}

/// The meaning of a placeholder of the envelope.
pub(crate) fn member(placeholder: &str) -> &'static str {
    match placeholder {
        "data" => "What the operation answers.",
        "message" => "For people.",
        "siblings" => "What the operation names beside its data.",
        "code" => "The row of the error table.",
        "status" => "The HTTP status.",
        "request_id" => "The id of the request, which the service's log has, too.",
        _ => "What is wrong and what to do, for people.",
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
    let first = format!("The first is `{}`.", states.initial);
    let Some(transitions) = &states.transitions else {
        return format!("{first} Any may follow any.");
    };
    let moves = transitions.iter().filter(|(_, to)| !to.is_empty());
    let moves = moves.map(|(from, to)| format!("`{from}` may become {}", listed(to, "or")));
    let moves: Vec<String> = moves.collect();
    format!("{first} {}. The present one again changes nothing.", moves.join("; "))
}

/// `` `a`, `b` or `c` ``
pub(crate) fn listed(names: &[impl AsRef<str>], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
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

/// The description of a parameter: the text of the contract, and the parameter's effect on a list.
pub(crate) fn parameter(model: &Model, operation: &Operation, field: &Field) -> Option<String> {
    let of_list = lists::parameter(model, operation, &field.name);
    let of_id = || match &field.of.kind {
        Kind::Id(resource) => Some(format!("The id of the {}.", model.resource(resource).noun)),
        _ => None,
    };
    match (&field.doc, of_list) {
        // The generated text would repeat the contract's.
        (Some(doc), _) if lists::is_of_pages(operation, &field.name) => Some(doc.clone()),
        (Some(doc), Some(more)) => Some(joined(doc, &more)),
        (Some(doc), None) => Some(doc.clone()),
        (None, of_list) => of_list.or_else(of_id),
    }
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

/// The purpose, the requirements and the promises of an operation, one sentence a line.
pub(crate) fn operation(model: &Model, surface: &Surface, operation: &Operation) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(operation.plan.iter().map(|plan| format!("Needs the plan `{plan}`.")));
    lines.extend(operation.exists.iter().map(|exists| exists_line(model, exists)));
    lines.extend(operation.owned.iter().map(|owned| owned_line(model, owned)));
    lines.extend(operation.quota.iter().map(|name| quota(model, model.quota(name))));
    lines.extend(transitions(model, operation));
    lines.extend(lists::always(operation));
    let constraints = operation.constraints.iter();
    lines.extend(constraints.map(|(lower, upper)| format!("`{lower}` may not be above `{upper}`.")));
    lines.extend(sorted(operation));
    if operation.body.is_some() {
        lines.push(format!("The body has at most {} bytes.", operation.max_bytes));
    }
    let credential = model.credential_of(surface);
    lines.extend(operation.limit.iter().map(|name| {
        let limited = limit(model.limit(name), counted_by(model, surface));
        format!("Counts against the limit `{name}`: {limited}.")
    }));
    lines.extend(credential.map(|credential| format!("Needs a credential in `{}`.", credential.header)));
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    let doc = operation.doc.clone().unwrap_or_else(|| summary(operation) + ".");
    if lines.is_empty() {
        doc
    } else {
        format!("{doc}\n\n{}", lines.join("\n"))
    }
}

fn exists_line(model: &Model, exists: &Exists) -> String {
    let noun = &model.resource(&exists.resource).noun;
    let (IdSource::Path(id) | IdSource::Body(id)) = &exists.id;
    match &exists.parent {
        Some((parent, _)) => format!(
            "The {noun} `{id}` must be there, in the {}.",
            model.resource(parent).noun
        ),
        None => format!("The {noun} `{id}` must be there."),
    }
}

fn owned_line(model: &Model, owned: &str) -> String {
    let resource = model.resource(owned);
    let others = if resource.private {
        "; for others it does not exist"
    } else {
        ""
    };
    format!("The {} must be the caller's own{others}.", resource.noun)
}

fn transitions(model: &Model, operation: &Operation) -> Option<String> {
    let (resource, name) = operation.transitions.as_ref()?;
    let states = model.enumeration(name).states.as_ref()?;
    let noun = &model.resource(resource).noun;
    Some(format!(
        "Moves the `{}` of the {noun}. {}",
        states.of.1,
        self::states(states)
    ))
}

/// The order of a list.
pub(crate) fn sorted(operation: &Operation) -> Option<String> {
    let key = |(field, reversed): &(String, bool)| {
        format!("`{field}` {}", if *reversed { "descending" } else { "ascending" })
    };
    let keys: Vec<String> = operation.sort.iter().map(key).collect();
    (!keys.is_empty()).then(|| format!("Sorted by {}.", keys.join(", then ")))
}

/// The start of the paths of a surface.
pub(crate) fn base(surface: &Surface) -> &str {
    if surface.base.is_empty() { "/" } else { &surface.base }
}

/// The name of an operation, unique over all surfaces.
pub(crate) fn operation_id(surface: &Surface, operation: &Operation) -> String {
    format!("{}_{}", surface.name, operation.name)
}

/// The first sentence, without its full stop.
pub(crate) fn summary(operation: &Operation) -> String {
    let doc = operation
        .doc
        .clone()
        .unwrap_or_else(|| examples::words(&operation.name));
    let first = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first);
    first.trim_end_matches('.').to_owned()
}

/// The text with a capital first letter.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
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
