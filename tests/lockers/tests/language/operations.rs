//! The parts of an operation.

use super::{has_all, model, operations};
use codegen::model::{BodyUse, Data, FilterBy, IdSource, Matching, Model, Operation, Source};

#[test]
fn every_form_of_an_operation_is_there() {
    let model = model();
    let all = operations(&model);
    let found = all.iter().flat_map(|operation| forms(&model, operation));
    let wanted = [
        "takes an input",
        "takes an own body",
        "takes a partial body",
        "partial beside others",
        "has a bound of its own",
        "needs a plan",
        "finds by path",
        "finds by body",
        "finds within",
        "owns",
        "has a quota",
        "moves states",
        "has rules",
        "compares",
        "sorts by several",
        "sorts upwards",
        "sorts downwards",
        "shows one",
        "shows many",
        "shows members",
        "shows counts",
        "shows nothing",
        "says something",
        "counts its rows",
        "repeats a parameter",
        "is limited",
        "is not limited",
    ];
    has_all(found, wanted);
    has_all(
        all.iter().map(|operation| operation.method.as_str()),
        ["GET", "POST", "PUT", "PATCH", "DELETE"],
    );
    has_all(all.iter().map(|operation| operation.status), [200, 201, 202]);
}

fn forms(model: &Model, operation: &Operation) -> Vec<&'static str> {
    let body = model.body(operation);
    let is_by = |path| {
        operation
            .exists()
            .any(|one| matches!(one.id, IdSource::Path(_)) == path)
    };
    let data = match &operation.data {
        Some(Data::One { .. }) => "shows one",
        Some(Data::Many { .. }) => "shows many",
        Some(Data::Members(_)) => "shows members",
        Some(Data::Counts(_)) => "shows counts",
        Some(Data::Events) => "shows events",
        None => "shows nothing",
    };
    let forms = [
        (data, true),
        ("takes an input", matches!(operation.body, Some(BodyUse::Named(_)))),
        ("takes an own body", matches!(operation.body, Some(BodyUse::Inline(_)))),
        ("takes a partial body", body.is_some_and(|body| body.partial)),
        (
            "partial beside others",
            body.is_some_and(|body| body.partial && body.members.iter().any(|one| !one.of_record)),
        ),
        ("has a bound of its own", operation.max_bytes != model.body_max_bytes),
        ("needs a plan", operation.plan().is_some()),
        ("finds by path", is_by(true)),
        ("finds by body", is_by(false)),
        ("finds within", operation.exists().any(|one| one.parent.is_some())),
        ("owns", operation.owned().next().is_some()),
        ("has a quota", !operation.quotas.is_empty()),
        ("moves states", operation.transitions.is_some()),
        ("has rules", !operation.rules.is_empty()),
        ("compares", !operation.constraints.is_empty()),
        ("sorts by several", operation.sort.len() > 1),
        ("sorts upwards", operation.sort.iter().any(|key| !key.descends)),
        ("sorts downwards", operation.sort.iter().any(|key| key.descends)),
        ("lets the client choose the order", operation.orders.is_some()),
        ("says something", operation.message.is_some()),
        ("counts its rows", operation.siblings.iter().any(|name| name == "total")),
        (
            "repeats a parameter",
            operation.siblings.iter().any(|name| name != "total"),
        ),
        ("is limited", operation.limit.is_some()),
        ("is not limited", operation.limit.is_none()),
    ];
    forms
        .into_iter()
        .filter(|(_, is_so)| *is_so)
        .map(|(form, _)| form)
        .collect()
}

#[test]
fn every_form_of_a_filter_and_of_pages_is_there() {
    let model = model();
    let all = operations(&model);
    let filters = || all.iter().flat_map(|operation| &operation.filters);
    let compared = filters().map(|filter| match &filter.by {
        FilterBy::Query(_, matching) => matching.as_str(),
        FilterBy::Path(_) => "a parameter of the path",
        FilterBy::Caller => "who calls",
        FilterBy::Value(_) => "is",
    });
    let others = ["a parameter of the path", "who calls", "is"];
    has_all(compared, Matching::ALL.map(|(_, word)| word).into_iter().chain(others));
    let fields = filters().map(|filter| match filter.field {
        Source::Stored(_) => "stored",
        Source::Each(..) => "each",
        Source::Joined(_) => "joined",
    });
    has_all(fields, ["stored", "each", "joined"]);
    let pages = all.iter().filter_map(|operation| operation.pages.as_ref());
    let named = pages.map(|pages| pages.named().map(|(_, name)| name.is_some()));
    let only_size = [true, false, false, false];
    has_all(named, [only_size, [true, true, false, true], [true, false, true, true]]);
}
