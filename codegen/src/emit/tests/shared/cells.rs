//! Collects named tests: what each of them tries, and which answer it covers.

use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::rule::Rule;
use crate::model::Model;
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The answers that a test covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// The declared success.
    Success,
    /// Error responses with these errors; empty if the test is about something else.
    Rows(Vec<String>),
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
    pub(crate) shows: Shows,
    body: TokenStream,
}

impl<'m> Cells<'m> {
    pub(crate) fn new(context: &'m Context<'m>) -> Self {
        let cells = Vec::new();
        Self { context, cells }
    }

    /// Adds a test: an attempt with these calls, which the rule accepts.
    pub(crate) fn accepts(&mut self, name: &str, rule: &Rule, calls: TokenStream) {
        self.attempt(name, Shows::Success, rule, calls);
    }

    /// Adds a test: an attempt with these calls, which breaks the rule and is rejected at this step.
    pub(crate) fn rejects(&mut self, name: &str, step: Step, rule: &Rule, calls: TokenStream) {
        let shows = self.at_steps(&[step]);
        self.attempt(name, shows, rule, calls);
    }

    /// The same for an error by its name: a step may have several.
    pub(crate) fn rejects_by(&mut self, name: &str, row: &str, rule: &Rule, calls: TokenStream) {
        self.attempt(name, Shows::Rows(vec![row.to_owned()]), rule, calls);
    }

    /// Adds a test: an attempt with these calls.
    pub(crate) fn attempt(&mut self, name: &str, shows: Shows, rule: &Rule, calls: TokenStream) {
        let (words, at) = self.said(rule);
        self.add_whole(name, shows, quote!(attempt(#words, #at) #calls;));
    }

    /// Adds a test with this body.
    pub(crate) fn add_whole(&mut self, name: &str, shows: Shows, body: TokenStream) {
        let given = names::snake(name);
        let again = self.cells.iter().filter(|known| known.given == given).count();
        let name = match again {
            0 => given.clone(),
            _ => format!("{given}_{}", again + 1),
        };
        self.cells.push(Cell {
            given,
            name,
            shows,
            body,
        });
    }

    /// Error responses at these steps, if the error table has errors for them.
    pub(crate) fn at_steps(&self, steps: &[Step]) -> Shows {
        let rows = steps.iter().filter_map(|step| self.model().error_at(*step));
        Shows::Rows(rows.map(|row| row.name.clone()).collect())
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
        match &self.shows {
            Shows::Success => quote!(Test::of_success(#name, #ident)),
            Shows::Rows(rows) => quote!(Test::of_rows(#name, &[#(#rows),*], #ident)),
        }
    }

    fn ident(&self) -> Ident {
        names::value(&self.name)
    }
}
