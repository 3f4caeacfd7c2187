//! Which operations show what another operation wrote, to which callers, and in which members.

mod asked;
mod members;
mod written;

use self::asked::asked;
pub(crate) use self::asked::is_narrowed;
use self::written::{Written, written};
use crate::contract::{Contract, Operation};
use crate::invariants::{DataLocation, IdOrigin, Place, Reader, Trace};
use codegen::model::{Data, Kind, Resource, View};
use std::cmp::Reverse;

/// An operation that shows a resource.
#[derive(Clone, Copy)]
pub(crate) struct Shows {
    pub(crate) operation: &'static Operation,
    pub(crate) view: &'static View,
    rows: DataLocation,
}

impl Shows {
    /// Where it shows records of this resource; `None` if items of a list cannot be told apart.
    pub(crate) fn place(self, resource: &Resource) -> Option<Place> {
        let id = self.id(resource);
        (id.is_some() || self.rows == DataLocation::Whole).then_some(Place {
            operation: self.operation,
            location: self.rows,
            id,
        })
    }

    /// The member with the id of a record.
    fn id(self, resource: &Resource) -> Option<&'static str> {
        let own = Kind::Id(resource.name.clone());
        let mut members = self.view.members.iter();
        let id = members.find(|member| member.of.kind == own && !member.of.list);
        id.map(|member| member.shown.as_str())
    }
}

/// The traces of an operation: for each written resource all reads of a caller with a new credential, and the reads of
/// the resource itself; or else all lists of it.
pub(crate) fn of_write(write: &Operation) -> Vec<Trace> {
    if write.declared.method == "GET" {
        return Vec::new();
    }
    let mut traces = Vec::new();
    for written in written(write) {
        let mut found: Vec<_> = showing(write.contract, written.resource)
            .filter_map(|shows| Some((shows, trace(write, &written, shows)?)))
            .collect();
        let is_elsewhere = |shows: &Shows| shows.operation.surface.name != write.surface.name;
        // Of the reads of a whole resource the one that shows most of what was written, if possible of the same surface.
        found.sort_by_key(|(shows, trace)| {
            let shown = trace.members.len() + trace.repeated_members.len();
            (shows.rows != DataLocation::Whole, Reverse(shown), is_elsewhere(shows))
        });
        let mut found: Vec<Trace> = found.into_iter().map(|(_, trace)| trace).collect();
        let is_whole = |trace: &Trace| trace.reader != Reader::Newcomer && trace.location == DataLocation::Whole;
        let whole = found.iter().position(is_whole);
        let mut at = 0..;
        found.retain(|trace| whole.is_none_or(|whole| at.next() == Some(whole) || trace.reader == Reader::Newcomer));
        traces.extend(found);
    }
    traces
}

/// The operations that show such a resource.
pub(crate) fn showing(contract: &'static Contract, resource: &'static Resource) -> impl Iterator<Item = Shows> {
    let all = contract.operations().iter();
    all.filter(|operation| operation.declared.method == "GET")
        .flat_map(move |operation| {
            let views = views(resource, operation).into_iter();
            views.map(|(view, rows)| Shows { operation, view, rows })
        })
}

fn views(resource: &'static Resource, operation: &'static Operation) -> Vec<(&'static View, DataLocation)> {
    let model = operation.contract.model;
    let (of, name, rows) = match &operation.declared.data {
        Some(Data::One { resource, view }) => (resource, view, DataLocation::Whole),
        Some(Data::Many { resource, view }) => (resource, view, DataLocation::All),
        _ => return Vec::new(),
    };
    let view = model.view(of, name);
    if *of == resource.name {
        return vec![(view, rows)];
    }
    let lists = view
        .members
        .iter()
        .filter(|member| member.of.list && rows == DataLocation::Whole);
    let shown = lists.filter_map(|member| match &member.of.kind {
        Kind::View(of, name) if *of == resource.name => Some((model.view(of, name), DataLocation::In(&member.shown))),
        _ => None,
    });
    shown.collect()
}

fn trace(write: &Operation, written: &Written, shows: Shows) -> Option<Trace> {
    let (reader, named) = asked(write, written, shows)?;
    let place = shows.place(written.resource)?;
    Some(Trace {
        operation: shows.operation,
        reader,
        named,
        location: place.location,
        id: place.id,
        id_origin: written.id_origin,
        items: written.items,
        members: members::decided(write, written, shows.view),
        repeated_members: members::told(write, written, shows.view),
        is_declared: !write.declared.effects.is_empty()
            || write.declared.transitions.is_some()
            || write.declared.undeclared.is_none(),
        // No other test changes what is shown.
        is_apart: shows.rows != DataLocation::All || is_narrowed(shows.operation.declared),
    })
}

/// Whether what a trace shows can be read before the write.
pub(crate) fn is_there_before(trace: &Trace) -> bool {
    let is_known = |id_origin: &IdOrigin| !matches!(id_origin, IdOrigin::InData(_));
    let named = trace.named.iter().all(|(_, id_origin)| is_known(id_origin));
    let is_shown = trace.is_apart || trace.id_origin != IdOrigin::Own;
    let rows = is_known(&trace.id_origin) || (trace.is_apart && trace.location != DataLocation::Whole);
    named && rows && is_shown && trace.reader != Reader::Newcomer && trace.operation.plan.is_none()
}
