//! Which callers can read what was written, and how the request names it.

use super::Shows;
use super::written::Written;
use crate::invariants::{DataLocation, IdOrigin, Reader};
use codegen::model::{Data, Field, Filter, FilterBy, Kind, Model, Operation, Surface};

/// Whether a list without parameters shows every item that the caller may see.
fn is_all_shown(read: &Operation) -> bool {
    let has_default = |name: &String| {
        read.query
            .iter()
            .any(|one| one.name == *name && one.of.default.is_some())
    };
    let leaves_out = |filter: &Filter| match &filter.by {
        FilterBy::Value(_) => true,
        FilterBy::Query(name, _) => has_default(name),
        FilterBy::Caller | FilterBy::Path(_) => false,
    };
    let is_cut = read
        .pages
        .as_ref()
        .is_some_and(|pages| pages.offset.is_none() && pages.number.is_none());
    !read.filters.iter().any(leaves_out) && (!is_cut || is_narrowed(read))
}

/// Whether a list shows only items of its caller or of the resources in its path.
pub(super) fn is_narrowed(read: &Operation) -> bool {
    let narrows = |filter: &Filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_));
    read.filters.iter().any(narrows)
}

/// The callers who can read it, and the values of the path; `None` if no caller can.
pub(super) fn asked(
    model: &Model,
    surface: &Surface,
    write: &'static Operation,
    written: &Written,
    shows: Shows,
) -> Option<(Reader, Vec<(&'static str, IdOrigin)>)> {
    let read = shows.operation;
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    if read.query.iter().any(needs_more) || (read.plan().is_some() && read.plan() != write.plan()) {
        return None;
    }
    if shows.rows == DataLocation::All && !is_all_shown(read) {
        return None;
    }
    let mut named = Vec::new();
    for field in &read.path {
        let Kind::Id(resource) = &field.of.kind else {
            return None;
        };
        named.push((resource.as_str(), known(write, written, shows.rows, resource)?));
    }
    let is_by_id = named.iter().any(|(resource, _)| *resource == written.resource.name);
    if shows.rows == DataLocation::Whole && !is_by_id && read.exists().next().is_some() {
        return None;
    }
    let reader = reader(model, surface, write, written, shows, is_by_id)?;
    // A resource that was created as a side effect need not belong to the resources that the write named.
    let is_made = |(_, id_origin): &(&str, IdOrigin)| matches!(id_origin, IdOrigin::InData(_));
    let is_safe = written.is_subject || reader == Reader::Newcomer || (!named.is_empty() && named.iter().all(is_made));
    is_safe.then_some((reader, named))
}

/// The source of the id of this resource, which a path names.
fn known(write: &'static Operation, written: &Written, rows: DataLocation, resource: &'static str) -> Option<IdOrigin> {
    if rows == DataLocation::Whole && written.resource.name == resource {
        return Some(written.id_origin);
    }
    if write.finds(resource) {
        return Some(IdOrigin::Named(resource));
    }
    let Some(Data::Members(members)) = &write.data else {
        return None;
    };
    let is_it = |member: &&Field| !member.of.list && member.of.kind == Kind::Id(resource.to_owned());
    let member = members.iter().find(is_it)?;
    Some(IdOrigin::InData(&member.name))
}

fn reader(
    model: &Model,
    surface: &Surface,
    write: &Operation,
    written: &Written,
    shows: Shows,
    is_by_id: bool,
) -> Option<Reader> {
    let read = shows.operation;
    let is_own = shows.rows == DataLocation::Whole && !is_by_id;
    let makes_a_credential = write.shows_secret();
    let credential = shows.surface.credential.as_ref();
    let caller = credential.and_then(|name| model.credential(name).caller.as_ref());
    if credential.is_some() && credential == surface.credential.as_ref() {
        let is_right = !is_own || written.id_origin == IdOrigin::Own || caller.is_none();
        return is_right.then_some(Reader::Writer);
    }
    let is_callers = read.filters.iter().any(|filter| filter.by == FilterBy::Caller);
    if caller.is_none() {
        return (!is_callers).then_some(Reader::Anyone);
    }
    if makes_a_credential && read.path.is_empty() {
        return Some(Reader::Newcomer);
    }
    (shows.rows != DataLocation::All && !is_own && read.owned().next().is_none()).then_some(Reader::Anyone)
}
