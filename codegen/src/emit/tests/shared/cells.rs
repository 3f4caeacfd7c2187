//! Collects named tests: what each of them tries, and which answer it covers.

use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::rule::Rule;
use crate::model::Model;
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The answers that a test covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Covers {
    /// The declared success.
    Success,
    /// Error responses with these errors; empty if the test is about something else.
    Errors(Vec<String>),
}

/// The tests of one module. A name that is taken gets a number.
pub(crate) struct Cells<'m> {
    context: &'m Context<'m>,
    cells: Vec<Cell>,
}

/// A test.
pub(crate) struct Cell {
    given: String,
    /// Its name, unique in its module.
    pub(crate) name: String,
    /// The answers that it covers.
    pub(crate) covers: Covers,
    body: TokenStream,
}

impl<'m> Cells<'m> {
    pub(crate) fn new(context: &'m Context<'m>) -> Self {
        let cells = Vec::new();
        Self { context, cells }
    }

    /// Adds a test: an attempt with these calls, which the rule accepts.
    pub(crate) fn accepts(&mut self, name: &str, rule: &Rule, calls: TokenStream) {
        self.attempt(name, Covers::Success, rule, calls);
    }

    /// Adds a test: an attempt with these calls, which breaks the rule and is rejected at this step.
    pub(crate) fn rejects(&mut self, name: &str, step: Step, rule: &Rule, calls: TokenStream) {
        let covers = self.at_steps(&[step]);
        self.attempt(name, covers, rule, calls);
    }

    /// The same for an error by its name: a step may have several.
    pub(crate) fn rejects_by(&mut self, name: &str, row: &str, rule: &Rule, calls: TokenStream) {
        self.attempt(name, Covers::Errors(vec![row.to_owned()]), rule, calls);
    }

    /// Adds a test: an attempt with these calls.
    pub(crate) fn attempt(&mut self, name: &str, covers: Covers, rule: &Rule, calls: TokenStream) {
        let (words, at) = self.said(rule);
        self.add_whole(name, covers, quote!(attempt(#words, #at) #calls;));
    }

    /// Adds a test with this body.
    pub(crate) fn add_whole(&mut self, name: &str, covers: Covers, body: TokenStream) {
        let given = names::snake(name);
        let again = self.cells.iter().filter(|known| known.given == given).count();
        let name = match again {
            0 => given.clone(),
            _ => format!("{given}_{}", again + 1),
        };
        self.cells.push(Cell {
            given,
            name,
            covers,
            body,
        });
    }

    /// Error responses at these steps, if the error table has errors for them.
    pub(crate) fn at_steps(&self, steps: &[Step]) -> Covers {
        let rows = steps.iter().filter_map(|step| self.model().error_at(*step));
        Covers::Errors(rows.map(|row| row.name.clone()).collect())
    }

    /// The text of a rule, and its place as `file:line:column`.
    pub(crate) fn said<'r>(&self, rule: &'r Rule) -> (&'r str, String) {
        (&rule.words, self.context.at(rule.at))
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.context.model
    }

    /// The tests, in the order in which they were added: most direct first.
    pub(crate) fn all(self) -> Vec<Cell> {
        self.cells
    }

    /// The tests as functions, and as a table beside them.
    pub(crate) fn emit(&self) -> TokenStream {
        let functions = self.cells.iter().map(Cell::function);
        let entries = self.cells.iter().map(Cell::entry);
        quote! {
            pub(crate) const TESTS: &[Test] = &[#(#entries),*];

            #(#functions)*
        }
    }
}

impl Cell {
    fn function(&self) -> TokenStream {
        let (ident, body) = (self.ident(), &self.body);
        quote! {
            #[test]
            fn #ident() {
                #body
            }
        }
    }

    fn entry(&self) -> TokenStream {
        let (ident, name) = (self.ident(), &self.name);
        match &self.covers {
            Covers::Success => quote!(Test::of_success(#name, #ident)),
            Covers::Errors(rows) => quote!(Test::of_errors(#name, &[#(#rows),*], #ident)),
        }
    }

    fn ident(&self) -> Ident {
        names::value(&self.name)
    }
}
