//! Which callers can read what was written, and how the request names it.

use super::Shows;
use super::written::Written;
use crate::contract::Operation;
use crate::invariants::{DataLocation, IdOrigin, Reader};
use codegen::model::{self, Data, Field, Filter, FilterBy, Kind, Pages};

/// Whether a list without parameters shows every item that the caller may see.
fn is_all_shown(read: &model::Operation) -> bool {
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
    let is_cut = read.pages.as_ref().is_some_and(Pages::is_one);
    !read.filters.iter().any(leaves_out) && (!is_cut || is_narrowed(read))
}

/// Whether a list shows only items of its caller or of the resources in its path.
pub(crate) fn is_narrowed(read: &model::Operation) -> bool {
    let narrows = |filter: &Filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_));
    read.filters.iter().any(narrows)
}

/// The callers who can read it, and the values of the path; `None` if no caller can.
pub(super) fn asked(
    write: &Operation,
    written: &Written,
    shows: Shows,
) -> Option<(Reader, Vec<(&'static str, IdOrigin)>)> {
    let read = shows.operation;
    let declared = read.declared;
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    if declared.query.iter().any(needs_more) || (read.plan.is_some() && read.plan != write.plan) {
        return None;
    }
    if shows.rows == DataLocation::All && !is_all_shown(declared) {
        return None;
    }
    let mut named = Vec::new();
    for field in &declared.path {
        let Kind::Id(resource) = &field.of.kind else {
            return None;
        };
        named.push((resource.as_str(), known(write, written, shows.rows, resource)?));
    }
    let is_by_id = named.iter().any(|(resource, _)| *resource == written.resource.name);
    if shows.rows == DataLocation::Whole && !is_by_id && !read.exists.is_empty() {
        return None;
    }
    let reader = reader(write, written, shows, is_by_id)?;
    // A resource that was created as a side effect need not belong to the resources that the write named.
    let is_made = |(_, id_origin): &(&str, IdOrigin)| matches!(id_origin, IdOrigin::InData(_));
    let is_safe = written.is_subject || reader == Reader::Newcomer || (!named.is_empty() && named.iter().all(is_made));
    is_safe.then_some((reader, named))
}

/// The source of the id of this resource, which a path names.
fn known(write: &Operation, written: &Written, rows: DataLocation, resource: &'static str) -> Option<IdOrigin> {
    if rows == DataLocation::Whole && written.resource.name == resource {
        return Some(written.id_origin);
    }
    if write.exists.iter().any(|exists| exists.resource.name == resource) {
        return Some(IdOrigin::Named(resource));
    }
    let Some(Data::Members(members)) = &write.declared.data else {
        return None;
    };
    let is_it = |member: &&Field| !member.of.list && member.of.kind == Kind::Id(resource.to_owned());
    let member = members.iter().find(is_it)?;
    Some(IdOrigin::InData(&member.name))
}

fn reader(write: &Operation, written: &Written, shows: Shows, is_by_id: bool) -> Option<Reader> {
    let read = shows.operation;
    let is_own = shows.rows == DataLocation::Whole && !is_by_id;
    let makes_a_credential = write.declared.shows_secret();
    let caller = read.credential.and_then(|credential| credential.caller.as_ref());
    if read.credential.is_some() && read.surface.credential == write.surface.credential {
        let is_right = !is_own || written.id_origin == IdOrigin::Own || caller.is_none();
        return is_right.then_some(Reader::Writer);
    }
    let is_callers = read.declared.filters.iter().any(|filter| filter.by == FilterBy::Caller);
    if caller.is_none() {
        return (!is_callers).then_some(Reader::Anyone);
    }
    if makes_a_credential && read.declared.path.is_empty() {
        return Some(Reader::Newcomer);
    }
    (shows.rows != DataLocation::All && !is_own && read.owned.is_empty()).then_some(Reader::Anyone)
}
