//! Reads what another operation wrote: who reads, which resources the path names, and which pages.

use super::trace::{DataLocation, IdOrigin, Place, Reader, Trace};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::pages::page_query;
use crate::stage::Stage;
use crate::types::{Type, named};
use crate::world::{Caller, RequestedResources};
use codegen::model::{Credential, Effect};
use codegen::step::Step;
use serde_json::Value as Json;
use std::rc::Rc;

/// The resource that the place of a trace shows, if the write may hide it from others than its owner.
fn hidden_by(write: &Write<'_>, trace: &Trace) -> Option<&'static str> {
    let model = trace.operation.contract.model;
    write.attempt.operation.declared.effects.iter().find_map(|effect| {
        let Effect::Change { resource, .. } = effect else {
            return None;
        };
        let hidden = model.hidden_from(trace.operation.surface, resource)?;
        let is_named = trace.named.iter().any(|(named, _)| named == resource);
        let is_set = named(write.attempt.operation.members(), &hidden.when.field).is_some();
        (is_named && is_set).then_some(resource.as_str())
    })
}

/// The owner of a record, who always sees it; `None` if none of these callers owns it.
fn owner(attempt: &Attempt, resource: &'static str, id: i64) -> Option<Caller> {
    let model = attempt.operation.contract.model;
    model.owner_field(attempt.operation.surface, model.resource(resource))?;
    attempt.world.request_for(attempt.operation, (resource, id))?.0
}

/// How often a list is walked without success: others may move items from later to earlier pages meanwhile.
const WALKS: usize = 3;

/// A write: its sender, its resources, and its answer, once there is one.
#[derive(Clone, Copy)]
pub(super) struct Write<'w> {
    pub(super) attempt: &'w Attempt,
    pub(super) caller: &'w Caller,
    pub(super) arranged: &'w RequestedResources,
    pub(super) answer: Option<&'w Answer>,
}

impl Write<'_> {
    /// The ids from this origin; empty for the caller's own resource.
    pub(super) fn ids(&self, id_origin: IdOrigin) -> Vec<i64> {
        match id_origin {
            IdOrigin::Named(resource) => vec![self.arranged.id(resource)],
            IdOrigin::Own => Vec::new(),
            IdOrigin::InData(member) => match self.answer.map(|answer| answer.data()[member].take()) {
                Some(Json::Array(ids)) => ids.iter().filter_map(Json::as_i64).collect(),
                one => one.and_then(|id| id.as_i64()).into_iter().collect(),
            },
        }
    }
}

/// A place with its reader.
pub(crate) struct Reading {
    place: Place,
    attempt: Attempt,
    reader: Caller,
    arranged: RequestedResources,
}

/// A found resource, and the answer that shows it.
pub(crate) struct Found {
    pub(crate) answer: Rc<Answer>,
    pub(crate) row: Json,
}

impl Found {
    /// Fails: after the request of `by`, the answer shows something else than what is wanted.
    #[track_caller]
    pub(crate) fn fail(&self, wanted: &str, came: &str, by: &Answer) -> ! {
        self.answer.fail(wanted, &format!("{came} after {}", by.request.curl()))
    }
}

impl Reading {
    /// The trace of a write for one of its resources; `None` if no caller can read it.
    pub(super) fn of_write(write: &Write<'_>, trace: &'static Trace, id: Option<i64>) -> Option<Self> {
        let attempt = write.attempt.anew(trace.operation);
        let mut arranged = RequestedResources::default();
        for (resource, id_origin) in &trace.named {
            let is_it = *id_origin == trace.id_origin;
            let named = id.filter(|_| is_it).or_else(|| write.ids(*id_origin).first().copied());
            arranged.0.push((*resource, named?));
        }
        let reader = match trace.reader {
            Reader::Writer => write.caller.clone(),
            Reader::Anyone => match hidden_by(write, trace) {
                Some(resource) => owner(&attempt, resource, arranged.id(resource))?,
                None => attempt.stage(true).caller.clone(),
            },
            Reader::Newcomer => newcomer(trace.operation.credential?, write.answer?)?,
        };
        Some(Self {
            place: trace.place(),
            attempt,
            reader,
            arranged,
        })
    }

    /// The place, read by this caller and for these resources. `attempt` calls the operation of the place.
    pub(crate) fn at(place: Place, attempt: Attempt, stage: Stage) -> Self {
        Self {
            place,
            attempt,
            reader: stage.caller,
            arranged: stage.arranged,
        }
    }

    /// The operation that reads.
    pub(crate) fn operation(&self) -> &'static Operation {
        self.place.operation
    }

    /// Whether the request names this record.
    pub(crate) fn names(&self, resource: &str, id: i64) -> bool {
        self.arranged.has(resource) && self.arranged.id(resource) == id
    }

    /// Who reads.
    pub(crate) fn reader(&self) -> &Caller {
        &self.reader
    }

    /// The resource with this id, on any page; without an id, the only one.
    #[track_caller]
    pub(crate) fn find(&self, id: Option<i64>) -> Option<Found> {
        let first = self.page(0);
        let total = self.place.operation.declared.pages.as_ref();
        let total = total.and_then(|pages| pages.total.as_ref());
        let total = total.and_then(|total| first.total(total).as_i64());
        if let Some(found) = self.within(&Rc::new(first), id) {
            return Some(found);
        }
        if !self.has_more_pages() {
            return None;
        }
        let on_page = |page: i64| self.within(&Rc::new(self.page(page)), id);
        // A new item is usually first or last, and others may have come meanwhile.
        let last = total.map(|total| (total - 1).max(0) / self.size());
        if let Some(found) = last.and_then(|last| on_page(last).or_else(|| on_page(last + 1))) {
            return Some(found);
        }
        (0..WALKS).find_map(|_| self.walk(&|row: &Json| self.is_it(row, id)))
    }

    /// The first row that this is so of, on any page.
    #[track_caller]
    pub(crate) fn find_where(&self, is_it: impl Fn(&Json) -> bool) -> Option<Found> {
        (0..WALKS).find_map(|_| self.walk(&|row: &Json| is_it(row)))
    }

    /// The path names what does not exist.
    #[track_caller]
    pub(super) fn expect_absent(&self, values: &[(&str, String)]) {
        let answer = self.attempt.send(&self.reader, &self.arranged);
        answer.expect_error(self.place.operation.contract.error(Step::Exists), values);
    }

    /// Requests page after page, until one is empty or equals the one before it.
    #[track_caller]
    fn walk(&self, is_it: &dyn Fn(&Json) -> bool) -> Option<Found> {
        let mut before = Vec::new();
        for page in 0.. {
            let answer = Rc::new(self.page(page));
            let rows = self.rows(&answer);
            if rows.is_empty() || rows == before {
                break;
            }
            if let Some(row) = rows.iter().find(|row| is_it(row)).cloned() {
                return Some(Found { answer, row });
            }
            before = rows;
        }
        None
    }

    /// The resource with this id in an answer.
    pub(super) fn within(&self, answer: &Rc<Answer>, id: Option<i64>) -> Option<Found> {
        let row = self.rows(answer).into_iter().find(|row| self.is_it(row, id))?;
        let answer = Rc::clone(answer);
        Some(Found { answer, row })
    }

    fn is_it(&self, row: &Json, id: Option<i64>) -> bool {
        match (self.place.id, id) {
            (Some(member), Some(id)) => row[member].as_i64() == Some(id),
            _ => true,
        }
    }

    /// The page with this number, from 0, in the largest size; the whole list if it has no pages.
    #[track_caller]
    pub(crate) fn page(&self, page: i64) -> Answer {
        let mut attempt = self.attempt.clone();
        if let Some(pages) = &self.place.operation.declared.pages {
            for (name, text) in page_query(pages, self.size(), page * self.size()) {
                attempt = attempt.parameter(name, &text);
            }
        }
        attempt.accepted_on(&self.reader, &self.arranged)
    }

    fn has_more_pages(&self) -> bool {
        let pages = self.place.operation.declared.pages.as_ref();
        pages.is_some_and(|pages| !pages.is_one())
    }

    /// Most items of a page.
    fn size(&self) -> i64 {
        let pages = self.place.operation.declared.pages.as_ref();
        let parameter = pages.and_then(|pages| self.place.operation.query(&pages.size));
        match parameter.map(|one| one.of) {
            Some(Type::Integer { max: Some(max), .. }) => *max,
            _ => 100,
        }
    }

    fn rows(&self, answer: &Answer) -> Vec<Json> {
        let mut data = answer.data();
        let rows = match self.place.location {
            DataLocation::Whole => return vec![data],
            DataLocation::All => data,
            DataLocation::In(member) => data[member].take(),
        };
        match rows {
            Json::Array(rows) => rows,
            _ => Vec::new(),
        }
    }
}

/// The caller with the credential of this kind in the answer.
fn newcomer(kind: &'static Credential, answer: &Answer) -> Option<Caller> {
    let secret = answer
        .declared_secrets()
        .into_iter()
        .find(|secret| has_form(kind, secret))?;
    Some(Caller {
        secret,
        id: 0,
        kind: &kind.name,
    })
}

/// Whether a credential has the form of this kind.
pub(super) fn has_form(kind: &Credential, secret: &str) -> bool {
    kind.split(secret).is_some()
}
