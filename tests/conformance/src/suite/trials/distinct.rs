//! Tests of lists of distinct items, each with the operations that make and change the records with the items.

use crate::contract::Operation;
use crate::effects::{Items, changed_member};
use crate::suite::description::traces;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::{Data, Effect};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let (contract, declared) = (operation.contract, operation.declared);
    let Some(Data::Many { resource, .. }) = &declared.data else {
        return;
    };
    let resource = contract.model.resource(resource);
    let Some(distinct) = &resource.distinct else { return };
    let shows = traces::showing(contract, resource).find(|shows| std::ptr::eq(shows.operation, operation));
    let makes =
        |effect: &Effect| matches!(effect, Effect::Make { resource, each: None, .. } if *resource == distinct.resource);
    let mut makers = contract.operations().iter().copied();
    let maker = makers.find(|maker| {
        let takes_items = maker.body.is_some_and(|body| body.member(&distinct.list).is_some());
        takes_items && maker.declared.effects.iter().any(makes)
    });
    let Some((shows, maker)) = shows.zip(maker) else { return };
    let Some(place) = shows.place(resource) else { return };
    let items = Items {
        place,
        view: shows.view,
        resource,
        distinct,
        maker,
    };
    let rule = Rule::new(format!("each distinct item of `{distinct}` once, counted"), distinct.at);
    trials.accepts("items_are_counted", &rule, calls!(.counts_items(items)));
    for by in contract.operations() {
        let by: &'static Operation = by;
        if let Some(member) = changed_member(by, &distinct.resource, &distinct.list) {
            let rule = Rule::new(
                format!("the items of `{distinct}` now, also after `{}`", by.name),
                distinct.at,
            );
            let name = format!("items_after_{}_{}", by.surface.name, by.declared.name);
            trials.accepts(&name, &rule, calls!(.forgets_changed_items(items, (by, member))));
        }
    }
}
