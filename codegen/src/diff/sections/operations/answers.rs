//! Compares `data` of a success: the answer of an operation.

use crate::diff::matching::{Declared, MemberKind};
use crate::diff::output::{Comparison, PathPair, Rule, findings};
use crate::diff::relations::Audience;
use crate::diff::sections::declarations::shapes::{self, Shown};
use crate::model::{Data, Operation};

/// Compares the answers of an operation that is in both contracts. `name` is its name in the new one, as
/// `surface.operation`.
pub(crate) fn compare(comparison: &mut Comparison<'_>, at: &PathPair, name: &str, old: &Operation, new: &Operation) {
    let place = at.join("success.data");
    let audience = Audience::shown_by(name);
    match (&old.data, &new.data) {
        (None, None) => {}
        (None, Some(_)) => {
            let message = "the response now has `data`".to_owned();
            comparison.added(Rule::DataAdded, &place.new, audience.operations(), message);
        }
        (Some(_), None) => {
            let message = "the response no longer has `data`".to_owned();
            comparison.removed(Rule::DataRemoved, &place.old, audience.operations(), message);
        }
        (Some(Data::Members(old)), Some(Data::Members(new))) => {
            let (olds, news): (Vec<_>, Vec<_>) = (old.iter().collect(), new.iter().collect());
            comparison.described_members(&place, (&olds, &news), &audience.operations());
            let shapes = (&*shapes::of_members(old), &*shapes::of_members(new));
            shapes::compare(comparison, &place, &audience, shapes);
        }
        // The events themselves are compared at their declarations.
        (Some(Data::Events), Some(Data::Events)) => {}
        (Some(Data::Counts(old)), Some(Data::Counts(new))) => {
            let of = |counts| shapes::of_members(std::slice::from_ref(counts));
            let shapes = (&*of(&old.value), &*of(&new.value));
            shapes::compare(comparison, &place, &audience, shapes);
        }
        (Some(old), Some(new)) => compare_data(comparison, &place, &audience, old, new),
    }
}

/// Compares data of which at least one is a view. A view that both answers show is compared at its declaration.
fn compare_data(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, old: &Data, new: &Data) {
    let names = comparison.names;
    if let (Some((resource, view)), Some(new_view)) = (view_of(old), view_of(new)) {
        let same = (names.resource(resource), names.inside(MemberKind::View, resource, view));
        if same == new_view && is_list(old) == is_list(new) {
            return;
        }
        if same.0 != new_view.0 {
            let message = format!("`data` is {}, was {}", words(comparison, new), words(comparison, old));
            comparison.between(Rule::DataReplaced, place, audience.operations(), message);
            return;
        }
    }
    let form = |data: &Data| {
        (
            is_list(data),
            matches!(data, Data::Events),
            matches!(data, Data::Counts(_)),
        )
    };
    if form(old) != form(new) {
        let message = format!("`data` is {}, was {}", words(comparison, new), words(comparison, old));
        comparison.between(Rule::DataReplaced, place, audience.operations(), message);
        return;
    }
    let (was, is) = (members_of(comparison.was, old), members_of(comparison.now, new));
    let rules = [Rule::DataExtended, Rule::DataReplaced];
    findings::as_one(comparison, place, audience, rules, |aside| {
        shapes::compare(aside, place, audience, (&was, &is));
    });
}

fn view_of(data: &Data) -> Option<(&str, &str)> {
    match data {
        Data::One { resource, view } | Data::Many { resource, view } => Some((resource, view)),
        Data::Members(_) | Data::Counts(_) | Data::Events => None,
    }
}

fn is_list(data: &Data) -> bool {
    matches!(data, Data::Many { .. } | Data::Counts(_) | Data::Events)
}

fn members_of<'m>(declared: &Declared<'m>, data: &'m Data) -> Vec<Shown<'m>> {
    match data {
        Data::Members(members) => shapes::of_members(members),
        Data::Counts(_) | Data::Events => Vec::new(),
        Data::One { resource, view } | Data::Many { resource, view } => {
            let view = declared.views.get(&(resource.as_str(), view.as_str()));
            view.map(|view| shapes::of_view(resource, view)).unwrap_or_default()
        }
    }
}

fn words(comparison: &Comparison<'_>, data: &Data) -> String {
    let noun = |resource: &str| {
        let found = comparison
            .now
            .resources
            .get(resource)
            .or(comparison.was.resources.get(resource));
        found.map_or(resource, |resource| resource.noun.as_str()).to_owned()
    };
    match data {
        Data::One { resource, view } => format!("one {} (`{resource}.{view}`)", noun(resource)),
        Data::Many { resource, view } => format!("a list, each item one {} (`{resource}.{view}`)", noun(resource)),
        Data::Events => "a list of events".to_owned(),
        Data::Counts(counts) => format!("a list, each item a `{}` and a number", counts.value.name),
        Data::Members(_) => "an object that the operation declares".to_owned(),
    }
}
