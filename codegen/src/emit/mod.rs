//! Generates Rust code from the model and joins the parts. Each emitter is a module that knows no other emitter; they
//! share `shared`.
//!
//! Generated code is documented and passes `clippy::pedantic`. Exceptions have an `allow` with a reason at the item.

mod bodies;
mod callers;
mod decoders;
mod derived;
mod envelope;
mod errors;
mod events;
mod guards;
mod indexes;
mod inputs;
mod limits;
mod operation;
mod quotas;
mod records;
mod service;
mod shared;
mod stored;
mod surface;
mod synonyms;
mod values;
mod views;

use crate::documents;
use crate::model::{Model, Surface};
use proc_macro2::TokenStream;
use quote::quote;
use shared::file::{self, FilePiece, Make};
use shared::{Context, OperationContext, names};

pub use shared::keeping::{Host, Keeping};
pub use shared::plain::{Handler, handlers};

/// How generated code names its contract and its support crate.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The file name of the contract in messages: `api.yaml`.
    pub file: &'o str,
    /// The Rust path of the support crate, as the generated code names it: `codegen_support` by default.
    pub support: &'o str,
}

/// A part of a contract's code.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Its name: `records`, or `SURFACE/OPERATION`.
    pub name: String,
    /// Its code, formatted.
    pub text: String,
}

/// The Rust code of a contract: types, traits, guards and filters, in one formatted text.
pub fn rust(model: &Model, options: Options<'_>) -> String {
    let context = &context(model, options);
    let mut pieces = vec![FilePiece::items(|| support(options.support))];
    pieces.extend(parts_of_all(context).map(|(_, make)| FilePiece::Items(make)));
    for surface in &model.surfaces {
        pieces.push(FilePiece::opening(|| module(surface)));
        pieces.extend(parts_of_surface(context, surface).map(|(_, make)| FilePiece::Within(make)));
        pieces.push(FilePiece::Closing);
    }
    file::formatted(options.file, &pieces)
}

/// The same with the module `stored`: the records on disk, and the handlers that follow from the contract.
pub fn rust_with_store(model: &Model, options: Options<'_>, keeping: Keeping<'_>) -> String {
    let context = &context(model, options);
    let stored = file::formatted(options.file, &[FilePiece::items(|| stored::emit(context, keeping))]);
    rust(model, options) + &stored
}

/// The module `stored` alone, for a service that has a store of its own.
///
/// # Panics
/// If `keeping` has no host.
pub fn handlers_in_host(model: &Model, options: Options<'_>, keeping: Keeping<'_>) -> String {
    let context = &context(model, options);
    file::formatted(
        options.file,
        &[FilePiece::items(|| stored::in_host(context, keeping, options.support))],
    )
}

/// The same code in parts, one for each file that a person would keep. The parts of a surface belong in its module.
pub fn parts(model: &Model, options: Options<'_>) -> Vec<Fragment> {
    let context = &context(model, options);
    let of_surfaces = model.surfaces.iter();
    let of_surfaces = of_surfaces.flat_map(|surface| parts_of_surface(context, surface));
    let text = |(name, make)| Fragment {
        name,
        text: file::formatted(options.file, &[FilePiece::Items(make)]),
    };
    parts_of_all(context).chain(of_surfaces).map(text).collect()
}

fn context<'m>(model: &'m Model, options: Options<'m>) -> Context<'m> {
    let tools = model.surfaces.iter().filter_map(|surface| {
        let texts = documents::tools::texts(model, surface)?;
        let tools = shared::Tools {
            list: texts.list,
            titles: texts.titles,
            server: texts.server,
            instructions: texts.instructions,
        };
        Some((surface.name.as_str(), tools))
    });
    Context::new(model, options.file, tools.collect())
}

fn support(path: &str) -> TokenStream {
    let support: syn::Path = syn::parse_str(path).expect("the support path is a Rust path");
    quote!(use #support as support;)
}

/// The name of a value in Rust: snake case, raw if it is a keyword.
pub fn identifier(name: &str) -> String {
    names::value(name).to_string()
}

type Emitter = fn(&Context<'_>) -> TokenStream;

/// The parts that all surfaces use.
const OF_ALL: [(&str, Emitter); 17] = [
    ("values", values::emit),
    ("decoders", decoders::emit),
    ("records", records::emit),
    ("derived", derived::emit),
    ("indexes", indexes::emit),
    ("views", views::emit),
    ("synonyms", synonyms::emit),
    ("inputs", inputs::emit),
    ("events", events::emit),
    ("errors", errors::emit),
    ("envelope", envelope::emit),
    ("bodies", bodies::emit),
    ("callers", callers::emit),
    ("guards", guards::emit),
    ("quotas", quotas::emit),
    ("limits", limits::emit),
    ("service", service::emit),
];

fn parts_of_all<'m>(context: &'m Context<'m>) -> impl Iterator<Item = (String, Make<'m>)> {
    OF_ALL.into_iter().map(move |(name, emit)| {
        let make: Make<'m> = Box::new(move || emit(context));
        (name.to_owned(), make)
    })
}

fn parts_of_surface<'m>(context: &'m Context<'m>, surface: &'m Surface) -> impl Iterator<Item = (String, Make<'m>)> {
    let frame: Make<'m> = Box::new(move || surface::emit(context, surface));
    let operations = surface.operations.iter().map(move |operation| {
        let subject = OperationContext {
            context,
            surface,
            operation,
        };
        let make: Make<'m> = Box::new(move || operation::emit(&subject));
        (format!("{}/{}", surface.name, operation.name), make)
    });
    std::iter::once((surface.name.clone(), frame)).chain(operations)
}

/// The module of a surface. The parts of the surface follow it.
fn module(surface: &Surface) -> TokenStream {
    let module = names::value(&surface.name);
    let doc_sentence = shared::doc_sentence(surface.doc.as_deref());
    let doc = format!(
        "The surface `{}`, under `{}`.{doc_sentence}",
        surface.name, surface.base
    );
    quote! {
        #[doc = #doc]
        #[allow(clippy::wildcard_imports, reason = "an operation uses any type of the contract")]
        pub mod #module {
            use super::*;
        }
    }
}
