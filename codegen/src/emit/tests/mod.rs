//! The conformance suite of a contract: what its operations are, as statics, and one named test for each thing that the
//! contract promises or refuses.
//!
//! The tests lean on a kit (the crate `conformance` in `tests/kit`) that makes requests and judges answers, and on a world
//! that somebody writes for the service at hand. What is tried and with which values is decided here; how, there.

mod bodies;
mod contract;
mod declared;
mod guards;
mod limits;
mod operations;
mod precedence;
mod queries;
mod shared;

use crate::emit::shared::{Context, file, names};
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::model::{Model, Operation, Surface};
use proc_macro2::TokenStream;
use quote::quote;

/// Where a generated suite stands and what it leans on.
#[derive(Clone, Copy, Debug)]
pub struct TestOptions<'o> {
    /// The file that lines are quoted from, as a person would name it: `api.yaml`.
    pub file: &'o str,
    /// The Rust path of the kit: `conformance`.
    pub kit: &'o str,
    /// The Rust path of a function that gives the world, a `&'static dyn World`.
    pub world: &'o str,
}

/// The tests of a contract, in one formatted text.
pub fn tests(model: &Model, options: TestOptions<'_>) -> String {
    let path = |text: &str| syn::parse_str::<syn::Path>(text).expect("the options are Rust paths");
    let (kit, world) = (path(options.kit), path(options.world));
    let context = Context::new(model, options.file);
    let contract = contract::emit(&context);
    let declared = declared::emit(&context);
    let surfaces = model.surfaces.iter().map(|surface| emit_surface(&context, surface));
    let shared = limits::shared(model);
    let parts = quote! {
        #[allow(unused_imports)]
        use #kit::*;
        #[allow(unused_imports)]
        use #world as world;

        #contract
        #declared
        #(#surfaces)*
        #shared
    };
    file::formatted(options.file, parts)
}

fn emit_surface(context: &Context<'_>, surface: &Surface) -> TokenStream {
    let module = names::value(&surface.name);
    let operations = surface
        .operations
        .iter()
        .map(|operation| emit_operation(context, surface, operation));
    let limits = limits::of_surface(context.model, surface);
    quote! {
        pub(crate) mod #module {
            #(#operations)*
            #limits
        }
    }
}

fn emit_operation(context: &Context<'_>, surface: &Surface, operation: &Operation) -> TokenStream {
    let module = names::value(&operation.name);
    let place = context.at(operation.at);
    let doc = format!("`{} {}{}` ({place})", operation.method, surface.base, operation.route);
    let described = operations::emit(context, surface, operation);
    let subject = Subject {
        model: context.model,
        surface,
        operation,
    };
    let mut cells = Cells::default();
    guards::common(&subject, &mut cells);
    queries::add(&subject, &mut cells);
    bodies::add(&subject, &mut cells);
    guards::declared(&subject, &mut cells);
    limits::of_operation(&subject, &mut cells);
    precedence::add(&subject, &mut cells);
    quote! {
        #[doc = #doc]
        pub(crate) mod #module {
            #[allow(unused_imports)]
            use super::super::*;

            #described

            fn attempt() -> Attempt {
                Attempt::new(world(), &CONTRACT, &OPERATION)
            }

            #cells
        }
    }
}
