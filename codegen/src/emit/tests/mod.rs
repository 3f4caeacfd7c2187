//! Generates the conformance suite of a contract: its operations as statics, and one named test for each promise and
//! each rejection.
//!
//! The tests call the conformance library (`tests/conformance`), which makes requests and checks answers, and a `World`
//! that each service implements. This module decides what to test and with which values; the library decides how.

mod bodies;
mod contract;
mod declared;
mod guards;
mod holds;
mod limits;
mod lists;
mod operations;
mod precedence;
mod queries;
mod readers;
mod shared;

pub use self::shared::matrix::Matrix;

use crate::emit::shared::file::{self, FilePiece};
use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::matrix::Gathered;
use crate::model::{Model, Operation, Surface};
use proc_macro2::TokenStream;
use quote::quote;

/// How a generated suite names its contract, the conformance library and the world.
#[derive(Clone, Copy, Debug)]
pub struct TestOptions<'o> {
    /// The file name of the contract in messages: `api.yaml`.
    pub file: &'o str,
    /// The Rust path of the conformance library: `conformance`.
    pub library: &'o str,
    /// The Rust path of a function that returns the world, a `&'static dyn World`.
    pub world: &'o str,
}

/// The tests of a contract, in one formatted text.
pub fn tests(model: &Model, options: TestOptions<'_>) -> String {
    let context = &Context::new(model, options.file);
    let mut pieces = vec![
        FilePiece::items(|| uses(options)),
        FilePiece::items(|| contract::emit(context)),
        FilePiece::items(|| declared::emit(context)),
    ];
    for surface in &model.surfaces {
        let operations = surface.operations.iter();
        pieces.push(FilePiece::opening(|| module(surface)));
        pieces
            .extend(operations.map(|operation| FilePiece::within(move || emit_operation(context, surface, operation))));
        pieces.push(FilePiece::within(|| emit_limits(context, surface)));
        pieces.push(FilePiece::Closing);
    }
    pieces.push(FilePiece::items(|| emit_failed_credentials(context)));
    pieces.push(FilePiece::items(|| suite(context)));
    file::formatted(options.file, &pieces)
}

/// The tests of a contract, as [`tests`] returns them, if they cover every answer of every operation.
///
/// # Errors
/// The answers without a covering test, as [`Matrix::gaps`] describes them.
pub fn complete_tests(model: &Model, options: TestOptions<'_>) -> Result<String, Vec<String>> {
    match matrix(model, options.file).gaps() {
        gaps if gaps.is_empty() => Ok(tests(model, options)),
        gaps => Err(gaps),
    }
}

/// Which test of [`tests`] covers which answer; `file` is the name of the contract.
pub fn matrix<'m>(model: &'m Model, file: &'m str) -> Matrix<'m> {
    let context = &Context::new(model, file);
    let surfaces = model.surfaces.iter().map(|surface| {
        let operations = surface.operations.iter();
        let cells = operations.map(|operation| cells_of(context, surface, operation));
        (surface, cells.collect(), limits::of_surface(context, surface))
    });
    let gathered = Gathered {
        surfaces: surfaces.collect(),
        shared: limits::shared(context),
    };
    Matrix::of(Context::new(model, file), gathered)
}

fn uses(options: TestOptions<'_>) -> TokenStream {
    let path = |text: &str| syn::parse_str::<syn::Path>(text).expect("the options are Rust paths");
    let (library, world) = (path(options.library), path(options.world));
    quote! {
        use #library::*;
        use #world as world;
    }
}

fn module(surface: &Surface) -> TokenStream {
    let module = names::value(&surface.name);
    quote!(pub(crate) mod #module {})
}

fn emit_operation(context: &Context<'_>, surface: &Surface, operation: &Operation) -> TokenStream {
    let module = names::value(&operation.name);
    let doc = format!("`{} {}{}`", operation.method, surface.base, operation.route);
    let described = operations::emit(context, surface, operation);
    let cells = cells_of(context, surface, operation).emit();
    quote! {
        #[doc = #doc]
        pub(crate) mod #module {
            use super::super::*;

            #described

            fn attempt(rule: &'static str, at: &'static str) -> Attempt {
                Attempt::new(world(), &CONTRACT, &OPERATION).trying(rule, at)
            }

            #cells
        }
    }
}

/// All tests of an operation.
fn cells_of<'m>(context: &'m Context<'m>, surface: &Surface, operation: &Operation) -> Cells<'m> {
    let subject = Subject {
        model: context.model,
        surface,
        operation,
    };
    let mut cells = Cells::new(context);
    guards::common(&subject, &mut cells);
    queries::add(&subject, &mut cells);
    lists::add(&subject, &mut cells);
    readers::add(&subject, &mut cells);
    bodies::add(&subject, &mut cells);
    guards::declared(&subject, &mut cells);
    limits::of_operation(&subject, &mut cells);
    precedence::add(&subject, &mut cells);
    holds::add(&subject, &mut cells);
    cells
}

fn emit_limits(context: &Context<'_>, surface: &Surface) -> TokenStream {
    let Some(cells) = limits::of_surface(context, surface) else {
        return quote!();
    };
    let cells = cells.emit();
    quote! {
        /// The limits of the surface.
        pub(crate) mod limits {
            use super::super::*;

            fn attempt(operation: &'static Operation, rule: &'static str, at: &'static str) -> Attempt {
                Attempt::new(world(), &CONTRACT, operation).trying(rule, at)
            }

            #cells
        }
    }
}

fn emit_failed_credentials(context: &Context<'_>) -> TokenStream {
    let Some(cells) = limits::shared(context) else {
        return quote!();
    };
    let cells = cells.emit();
    quote! {
        /// The limit on failed credentials.
        pub(crate) mod failed_credentials {
            use super::*;

            #cells
        }
    }
}

/// The tests as a table, by operation.
fn suite(context: &Context<'_>) -> TokenStream {
    let failed = limits::shared(context).map(|_| quote!(failed_credentials::TESTS));
    let of_surfaces = context.model.surfaces.iter().flat_map(|surface| {
        let module = names::value(&surface.name);
        let limits = limits::of_surface(context, surface).map(|_| quote!(#module::limits::TESTS));
        let failed = failed.clone().filter(|_| surface.credential.is_some());
        let shared: Vec<_> = limits.into_iter().chain(failed).collect();
        let operations = surface.operations.iter();
        operations.map(move |operation| {
            let operation = names::value(&operation.name);
            quote! {
                OperationTests {
                    operation: &#module::#operation::OPERATION,
                    tests: #module::#operation::TESTS,
                    shared: &[#(#shared),*],
                }
            }
        })
    });
    quote! {
        /// Every test, by operation.
        #[allow(dead_code, reason = "only mutation tests read it")]
        pub(crate) static SUITE: &[OperationTests] = &[#(#of_surfaces),*];
    }
}
