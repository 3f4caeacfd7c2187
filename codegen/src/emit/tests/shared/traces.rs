//! Which operations show what another one wrote, to whom, and as what.

mod members;

use crate::emit::shared::literals::option;
use crate::emit::shared::names;
use crate::model::{Data, Exists, Field, Filter, FilterBy, IdSource, Kind, Model, Operation, Resource, Surface, View};
use proc_macro2::TokenStream;
use quote::quote;

/// Something that an operation writes.
#[derive(Clone)]
struct Written<'m> {
    resource: &'m Resource,
    landing: Landing,
    /// Whether it is what the operation is for. What else an answer names came into being on the way.
    is_subject: bool,
    /// The member of the body that lists them, where there are several.
    items: Option<&'m str>,
}

/// How an id is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Landing {
    InData(String),
    Named(String),
    Own,
}

/// An operation that may show it.
#[derive(Clone, Copy)]
struct Shows<'m> {
    surface: &'m Surface,
    operation: &'m Operation,
    view: &'m View,
    rows: Rows<'m>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows<'m> {
    Whole,
    All,
    In(&'m str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Writer,
    Anyone,
    Newcomer,
}

/// Where one thing that an operation writes is shown.
pub(crate) struct Trace<'m> {
    written: Written<'m>,
    shows: Shows<'m>,
    reader: Reader,
    named: Vec<(String, Landing)>,
    /// The member with its id.
    id: Option<&'m str>,
}

/// The traces of an operation: of each thing that it writes all that whoever gets a new credential sees, and what shows the
/// thing itself; or else all that list it.
pub(crate) fn of<'m>(model: &'m Model, surface: &'m Surface, write: &'m Operation) -> Vec<Trace<'m>> {
    if write.method == "GET" {
        return Vec::new();
    }
    let mut traces = Vec::new();
    for written in written(model, surface, write) {
        let mut found: Vec<_> = showing(model, written.resource)
            .filter_map(|shows| Trace::new(model, surface, write, written.clone(), shows))
            .collect();
        found.sort_by_key(|trace| {
            (
                trace.shows.rows != Rows::Whole,
                trace.shows.surface.name != surface.name,
            )
        });
        let is_whole = |trace: &Trace<'_>| trace.reader != Reader::Newcomer && trace.shows.rows == Rows::Whole;
        let whole = found.iter().position(is_whole);
        let mut at = 0..;
        found.retain(|trace| whole.is_none_or(|whole| at.next() == Some(whole) || trace.reader == Reader::Newcomer));
        traces.extend(found);
    }
    traces
}

/// What the operation writes: what its answer names, or else what it is asked to change.
fn written<'m>(model: &'m Model, surface: &Surface, write: &'m Operation) -> Vec<Written<'m>> {
    let members = match &write.data {
        Some(Data::Members(members)) => members.as_slice(),
        _ => &[],
    };
    let ids: Vec<(&Field, &Resource)> = members
        .iter()
        .filter_map(|member| match &member.of.kind {
            Kind::Id(resource) => Some((member, model.resource(resource))),
            _ => None,
        })
        .collect();
    let body = model.body(write);
    let (listed, of_items) = match body.and_then(|body| items(model, body)) {
        Some((member, resource)) => (Some(member), Some(resource)),
        None => (None, None),
    };
    let named = of_items
        .or(body.and_then(|body| body.resource.as_deref()))
        .or(write.transitions.as_ref().map(|(resource, _)| resource.as_str()));
    let made = ids.iter().any(|(_, resource)| Some(resource.name.as_str()) == named);
    if !ids.is_empty() && (made || named.is_none()) {
        let subject = named.unwrap_or(&ids[0].1.name);
        let written = ids.iter().map(|(member, resource)| Written {
            resource,
            landing: Landing::InData(member.name.clone()),
            is_subject: resource.name == subject,
            items: listed.filter(|_| member.of.list && resource.name == subject),
        });
        return written.collect();
    }
    let in_path = |exists: &&Exists| matches!(exists.id, IdSource::Path(_));
    let last = write
        .exists
        .iter()
        .rfind(in_path)
        .map(|exists| exists.resource.as_str());
    changed(model, surface, write, named.or(last)).into_iter().collect()
}

fn changed<'m>(model: &'m Model, surface: &Surface, write: &Operation, named: Option<&str>) -> Option<Written<'m>> {
    let resource = model.resource(named?);
    let is_named = write.exists.iter().any(|exists| exists.resource == resource.name);
    let caller = surface.credential.as_ref().map(|name| model.credential(name));
    let caller = caller.and_then(|credential| credential.caller.as_ref());
    let is_own = caller.is_some_and(|caller| caller.resource == resource.name) && write.path.is_empty();
    let landing = match (is_named, is_own) {
        (true, _) => Landing::Named(resource.name.clone()),
        (false, true) => Landing::Own,
        (false, false) => return None,
    };
    Some(Written {
        resource,
        landing,
        is_subject: true,
        items: None,
    })
}

/// The member of a body that lists what is made, and what that is.
fn items<'m>(model: &'m Model, body: &'m crate::model::Body) -> Option<(&'m str, &'m str)> {
    body.members.iter().find_map(|member| {
        let input = members::input_of_items(model, &member.field.of)?;
        Some((member.field.name.as_str(), input.body.resource.as_deref()?))
    })
}

/// The operations that show such a resource.
fn showing<'m>(model: &'m Model, resource: &'m Resource) -> impl Iterator<Item = Shows<'m>> {
    let all = model.surfaces.iter();
    let all = all.flat_map(|surface| surface.operations.iter().map(move |operation| (surface, operation)));
    all.filter(|(_, operation)| operation.method == "GET")
        .flat_map(move |(surface, operation)| {
            views(model, resource, operation).map(move |(view, rows)| Shows {
                surface,
                operation,
                view,
                rows,
            })
        })
}

fn views<'m>(
    model: &'m Model,
    resource: &'m Resource,
    operation: &'m Operation,
) -> impl Iterator<Item = (&'m View, Rows<'m>)> {
    let view = |of: &str, name: &str| {
        let views = &model.resource(of).views;
        views
            .iter()
            .find(|one| one.name == name)
            .expect("resolved names name something")
    };
    let mut found = Vec::new();
    match &operation.data {
        Some(Data::One {
            resource: of,
            view: name,
        }) if *of == resource.name => found.push((view(of, name), Rows::Whole)),
        Some(Data::Many {
            resource: of,
            view: name,
        }) if *of == resource.name => found.push((view(of, name), Rows::All)),
        Some(Data::One {
            resource: of,
            view: name,
        }) => {
            for member in view(of, name).members.iter().filter(|member| member.of.list) {
                if let Kind::View(of, name) = &member.of.kind
                    && *of == resource.name
                {
                    found.push((view(of, name), Rows::In(&member.shown)));
                }
            }
        }
        _ => {}
    }
    found.into_iter()
}

/// Whether a list shows every row that the caller may see, if it is asked for nothing in particular.
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

/// Whether a list shows only what belongs to its caller or to what its path names.
fn is_narrowed(read: &Operation) -> bool {
    let narrows = |filter: &Filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_));
    read.filters.iter().any(narrows)
}

/// Who can ask for it, and how the path is filled, if anybody can.
fn asked(
    model: &Model,
    surface: &Surface,
    write: &Operation,
    written: &Written<'_>,
    shows: Shows<'_>,
) -> Option<(Reader, Vec<(String, Landing)>)> {
    let read = shows.operation;
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    if read.query.iter().any(needs_more) || (read.plan.is_some() && read.plan != write.plan) {
        return None;
    }
    if shows.rows == Rows::All && !is_all_shown(read) {
        return None;
    }
    let mut named = Vec::new();
    for field in &read.path {
        let Kind::Id(resource) = &field.of.kind else {
            return None;
        };
        named.push((resource.clone(), known(write, written, shows.rows, resource)?));
    }
    let is_by_id = named.iter().any(|(resource, _)| *resource == written.resource.name);
    if shows.rows == Rows::Whole && !is_by_id && !read.exists.is_empty() {
        return None;
    }
    let reader = reader(model, surface, write, written, shows, is_by_id)?;
    // What came into being on the way need not be within what the write named.
    let is_made = |(_, landing): &(String, Landing)| matches!(landing, Landing::InData(_));
    let is_safe = written.is_subject || reader == Reader::Newcomer || (!named.is_empty() && named.iter().all(is_made));
    is_safe.then_some((reader, named))
}

/// How the id of this resource is known, which a path names.
fn known(write: &Operation, written: &Written<'_>, rows: Rows<'_>, resource: &str) -> Option<Landing> {
    if rows == Rows::Whole && written.resource.name == resource {
        return Some(written.landing.clone());
    }
    if write.exists.iter().any(|exists| exists.resource == resource) {
        return Some(Landing::Named(resource.to_owned()));
    }
    let Some(Data::Members(members)) = &write.data else {
        return None;
    };
    let is_it = |member: &&Field| !member.of.list && member.of.kind == Kind::Id(resource.to_owned());
    let member = members.iter().find(is_it)?;
    Some(Landing::InData(member.name.clone()))
}

fn reader(
    model: &Model,
    surface: &Surface,
    write: &Operation,
    written: &Written<'_>,
    shows: Shows<'_>,
    is_by_id: bool,
) -> Option<Reader> {
    let read = shows.operation;
    let is_own = shows.rows == Rows::Whole && !is_by_id;
    let makes_a_credential = matches!(&write.data, Some(Data::Members(members))
        if members.iter().any(|member| member.of.kind == Kind::Secret));
    let credential = shows.surface.credential.as_ref();
    let caller = credential.and_then(|name| model.credential(name).caller.as_ref());
    if credential.is_some() && credential == surface.credential.as_ref() {
        let is_right = !is_own || written.landing == Landing::Own || caller.is_none();
        return is_right.then_some(Reader::Writer);
    }
    let is_callers = read.filters.iter().any(|filter| filter.by == FilterBy::Caller);
    if caller.is_none() {
        return (!is_callers).then_some(Reader::Anyone);
    }
    if makes_a_credential && read.path.is_empty() {
        return Some(Reader::Newcomer);
    }
    (shows.rows != Rows::All && !is_own && read.owned.is_empty()).then_some(Reader::Anyone)
}

impl<'m> Trace<'m> {
    fn new(
        model: &'m Model,
        surface: &Surface,
        write: &Operation,
        written: Written<'m>,
        shows: Shows<'m>,
    ) -> Option<Self> {
        let (reader, named) = asked(model, surface, write, &written, shows)?;
        let own = Kind::Id(written.resource.name.clone());
        let mut members = shows.view.members.iter();
        let id = members.find(|member| member.of.kind == own && !member.of.list);
        let id = id.map(|member| member.shown.as_str());
        // Without an id there is no telling one row from another.
        (id.is_some() || shows.rows == Rows::Whole).then_some(Self {
            written,
            shows,
            reader,
            named,
            id,
        })
    }

    /// Whether this operation shows it.
    pub(crate) fn is_read_by(&self, operation: &Operation) -> bool {
        std::ptr::eq(self.shows.operation, operation)
    }

    /// Whether nobody else changes what is shown, for all that tests do.
    fn is_apart(&self) -> bool {
        self.shows.rows != Rows::All || is_narrowed(self.shows.operation)
    }

    /// Whether it can be read before anything is written.
    pub(crate) fn is_there_before(&self) -> bool {
        let is_known = |landing: &Landing| !matches!(landing, Landing::InData(_));
        let named = self.named.iter().all(|(_, landing)| is_known(landing));
        let is_shown = self.is_apart() || self.written.landing != Landing::Own;
        let rows = is_known(&self.written.landing) || (self.is_apart() && self.shows.rows != Rows::Whole);
        named && rows && is_shown && self.reader != Reader::Newcomer && self.shows.operation.plan.is_none()
    }

    /// The trace, as a value of the kit.
    pub(crate) fn emit(&self, model: &Model, write: &Operation) -> TokenStream {
        let shows = &self.shows;
        let (module, operation) = (names::value(&shows.surface.name), names::value(&shows.operation.name));
        let named = self.named.iter().map(|(resource, of)| {
            let of = landing(of);
            quote!((#resource, #of))
        });
        let reader = match self.reader {
            Reader::Writer => quote!(Reader::Writer),
            Reader::Anyone => quote!(Reader::Anyone),
            Reader::Newcomer => quote!(Reader::Newcomer),
        };
        let rows = match shows.rows {
            Rows::Whole => quote!(Rows::Whole),
            Rows::All => quote!(Rows::All),
            Rows::In(member) => quote!(Rows::In(#member)),
        };
        let (id, items, is_apart) = (option(self.id), option(self.written.items), self.is_apart());
        let landing = landing(&self.written.landing);
        let members = members::decided(model, write, &self.written, shows.view);
        let told = members::told(write, &self.written, shows.view);
        quote! {
            Trace {
                operation: &super::super::#module::#operation::OPERATION,
                reader: #reader,
                named: &[#(#named),*],
                rows: #rows,
                id: #id,
                landing: #landing,
                items: #items,
                members: &[#(#members),*],
                told: &[#(#told),*],
                is_apart: #is_apart,
            }
        }
    }
}

fn landing(of: &Landing) -> TokenStream {
    match of {
        Landing::InData(member) => quote!(Landing::InData(#member)),
        Landing::Named(resource) => quote!(Landing::Named(#resource)),
        Landing::Own => quote!(Landing::Own),
    }
}
