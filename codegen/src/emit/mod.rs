//! From the model to Rust: one emitter a theme, none knows another; what they share lies in `shared`. This is the
//! only place where they are put together.
//!
//! Generated code is documented and clean under `clippy::pedantic`, whatever the crate around it asks for; what it allows
//! itself stands with its reason at the item.

mod bodies;
mod callers;
mod decoders;
mod envelope;
mod errors;
mod gate;
mod guards;
mod inputs;
mod operation;
mod records;
mod service;
mod shared;
mod surface;
mod tests;
mod values;
mod views;

pub use tests::{TestOptions, tests};

use crate::model::{Model, Surface};
use proc_macro2::TokenStream;
use quote::quote;
use shared::{Context, Subject, file, names};

/// Where generated code stands and what it leans on.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The file that lines are quoted from, as a person would name it: `api.yaml`.
    pub file: &'o str,
    /// The Rust path of the support crate: `codegen_support`, or what it is called where the code stands.
    pub support: &'o str,
}

/// A part of a contract's code.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is: `records`, or `SURFACE/OPERATION`.
    pub name: String,
    /// Its code, formatted.
    pub text: String,
}

/// The Rust code of a contract: types, traits, guards and filters, in one formatted text.
pub fn rust(model: &Model, options: Options<'_>) -> String {
    let context = Context::new(model, options.file);
    let support = support(options.support);
    let parts = parts_of_all(&context).into_iter().map(|(_, code)| code);
    let surfaces = model.surfaces.iter().map(|surface| {
        let parts = parts_of_surface(&context, surface).into_iter().map(|(_, code)| code);
        module(&context, surface, parts.collect())
    });
    file::formatted(options.file, quote!(#support #(#parts)* #(#surfaces)*))
}

/// The same code part by part: what a person would keep in a file of its own. A surface's parts stand in its module.
pub fn parts(model: &Model, options: Options<'_>) -> Vec<Part> {
    let context = Context::new(model, options.file);
    let of_all = parts_of_all(&context).into_iter();
    let of_all = of_all.map(|(name, code)| (name.to_owned(), code));
    let of_surfaces = model.surfaces.iter();
    let of_surfaces = of_surfaces.flat_map(|surface| parts_of_surface(&context, surface));
    let text = |(name, code)| Part {
        name,
        text: file::formatted(options.file, code),
    };
    of_all.chain(of_surfaces).map(text).collect()
}

fn support(path: &str) -> TokenStream {
    let support: syn::Path = syn::parse_str(path).expect("the support path is a Rust path");
    quote!(#[allow(unused_imports)] use #support as support;)
}

fn parts_of_all(context: &Context<'_>) -> [(&'static str, TokenStream); 12] {
    [
        ("values", values::emit(context)),
        ("decoders", decoders::emit(context)),
        ("records", records::emit(context)),
        ("views", views::emit(context)),
        ("inputs", inputs::emit(context)),
        ("errors", errors::emit(context)),
        ("envelope", envelope::emit(context)),
        ("bodies", bodies::emit(context)),
        ("callers", callers::emit(context)),
        ("guards", guards::emit(context)),
        ("gate", gate::emit(context)),
        ("service", service::emit(context)),
    ]
}

fn parts_of_surface(context: &Context<'_>, surface: &Surface) -> Vec<(String, TokenStream)> {
    let name = &surface.name;
    let mut parts = vec![(name.clone(), surface::emit(context, surface))];
    for operation in &surface.operations {
        let subject = Subject {
            context,
            surface,
            operation,
        };
        parts.push((format!("{name}/{}", operation.name), operation::emit(&subject)));
    }
    parts
}

fn module(context: &Context<'_>, surface: &Surface, parts: TokenStream) -> TokenStream {
    let (module, place) = (names::value(&surface.name), context.place(surface.at));
    let doc = format!("The surface `{}`, under `{}`. {place}", surface.name, surface.base);
    quote! {
        #[doc = #doc]
        #[allow(clippy::wildcard_imports, reason = "an operation sees all that stands around it")]
        pub mod #module {
            use super::*;

            #parts
        }
    }
}
