//! From the model to Rust: one emitter a theme, none knows another; this is the only place where they are put
//! together, formatted and headed.

mod bodies;
mod callers;
mod envelope;
mod errors;
mod filters;
mod gate;
mod names;
mod operation;
mod records;
mod requests;
mod surface;
mod templates;
mod tests;
mod types;
mod values;

pub use tests::{TestOptions, tests};

use crate::model::Model;
use proc_macro2::TokenStream;
use quote::quote;

/// Where generated code stands and what it leans on.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The file that lines are quoted from, as a person would name it: `api.yaml`.
    pub file: &'o str,
    /// The Rust path of the support crate: `codegen_support`, or what it is called where the code stands.
    pub support: &'o str,
}

/// The Rust code of a contract: types, traits, guards and filters, in one formatted text.
pub fn rust(model: &Model, options: Options<'_>) -> String {
    let support: syn::Path = syn::parse_str(options.support).expect("the support path is a Rust path");
    let context = Context {
        model,
        file: options.file,
    };
    let parts: TokenStream = [
        quote! { #[allow(unused_imports)] use #support as support; },
        values::emit(&context),
        records::emit(&context),
        requests::emit_inputs(&context),
        errors::emit(&context),
        envelope::emit(&context),
        bodies::emit(&context),
        callers::emit(&context),
        gate::emit(&context),
        surface::emit(&context),
    ]
    .into_iter()
    .collect();
    format(options.file, parts)
}

fn format(file: &str, parts: TokenStream) -> String {
    let tree: syn::File = syn::parse2(parts).expect("emitters write Rust");
    let code = prettyplease::unparse(&tree);
    let mut text = format!("// Generated from {file} by codegen; edit that file, not this one.\n\n");
    for line in code.lines() {
        text.push_str(&spaced(line));
        text.push('\n');
    }
    text
}

/// `///text`, as doc attributes come out, with the blank that a person would write.
fn spaced(line: &str) -> std::borrow::Cow<'_, str> {
    let code = line.trim_start();
    match code.strip_prefix("///") {
        Some(text) if !text.is_empty() && !text.starts_with([' ', '/']) => {
            let indent = &line[..line.len() - code.len()];
            format!("{indent}/// {text}").into()
        }
        _ => line.into(),
    }
}

/// What every emitter is given.
struct Context<'m> {
    model: &'m Model,
    file: &'m str,
}

impl Context<'_> {
    /// `(api.yaml:LINE:COL)`, for doc comments.
    fn place(&self, at: crate::spec::Span) -> String {
        format!("({}:{}:{})", self.file, at.line, at.column)
    }
}
