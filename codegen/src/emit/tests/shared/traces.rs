//! Which operations show what another operation wrote, to which callers, and in which members.

mod asked;
mod members;
mod written;

use self::asked::{Reader, asked, is_narrowed};
use self::written::{IdOrigin, Written, written};
use crate::emit::shared::literals::option;
use crate::emit::shared::names;
use crate::model::{Data, Kind, Model, Operation, Resource, Surface, View};
use proc_macro2::TokenStream;
use quote::quote;

/// An operation that may show the written resource.
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

/// A place where a written resource is shown.
pub(crate) struct Trace<'m> {
    written: Written<'m>,
    shows: Shows<'m>,
    reader: Reader,
    named: Vec<(String, IdOrigin)>,
    /// The member with its id.
    id: Option<&'m str>,
}

/// The traces of an operation: for each written resource all reads of a caller with a new credential, and the reads of
/// the resource itself; or else all lists of it.
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

/// The operations that show such a resource.
fn showing<'m>(model: &'m Model, resource: &'m Resource) -> impl Iterator<Item = Shows<'m>> {
    let all = model.operations();
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
        // Without an id the items of a list cannot be told apart.
        (id.is_some() || shows.rows == Rows::Whole).then_some(Self {
            written,
            shows,
            reader,
            named,
            id,
        })
    }

    /// Whether this operation shows the written resource.
    pub(crate) fn is_read_by(&self, operation: &Operation) -> bool {
        std::ptr::eq(self.shows.operation, operation)
    }

    /// Whether no other test changes what is shown.
    fn is_apart(&self) -> bool {
        self.shows.rows != Rows::All || is_narrowed(self.shows.operation)
    }

    /// Whether it can be read before the write.
    pub(crate) fn is_there_before(&self) -> bool {
        let is_known = |id_origin: &IdOrigin| !matches!(id_origin, IdOrigin::InData(_));
        let named = self.named.iter().all(|(_, id_origin)| is_known(id_origin));
        let is_shown = self.is_apart() || self.written.id_origin != IdOrigin::Own;
        let rows = is_known(&self.written.id_origin) || (self.is_apart() && self.shows.rows != Rows::Whole);
        named && rows && is_shown && self.reader != Reader::Newcomer && self.shows.operation.plan.is_none()
    }

    /// The trace, as a value of the conformance library.
    pub(crate) fn emit(&self, model: &Model, write: &Operation) -> TokenStream {
        let shows = &self.shows;
        let (module, operation) = (names::value(&shows.surface.name), names::value(&shows.operation.name));
        let named = self.named.iter().map(|(resource, of)| {
            let of = id_origin(of);
            quote!((#resource, #of))
        });
        let reader = match self.reader {
            Reader::Writer => quote!(Reader::Writer),
            Reader::Anyone => quote!(Reader::Anyone),
            Reader::Newcomer => quote!(Reader::Newcomer),
        };
        let rows = match shows.rows {
            Rows::Whole => quote!(DataLocation::Whole),
            Rows::All => quote!(DataLocation::All),
            Rows::In(member) => quote!(DataLocation::In(#member)),
        };
        let (id, items, is_apart) = (option(self.id), option(self.written.items), self.is_apart());
        let id_origin = id_origin(&self.written.id_origin);
        let members = members::decided(model, write, &self.written, shows.view);
        let told = members::told(write, &self.written, shows.view);
        quote! {
            Trace {
                operation: &super::super::#module::#operation::OPERATION,
                reader: #reader,
                named: &[#(#named),*],
                location: #rows,
                id: #id,
                id_origin: #id_origin,
                items: #items,
                members: &[#(#members),*],
                repeated_members: &[#(#told),*],
                is_apart: #is_apart,
            }
        }
    }
}

fn id_origin(of: &IdOrigin) -> TokenStream {
    match of {
        IdOrigin::InData(member) => quote!(IdOrigin::InData(#member)),
        IdOrigin::Named(resource) => quote!(IdOrigin::Named(#resource)),
        IdOrigin::Own => quote!(IdOrigin::Own),
    }
}
