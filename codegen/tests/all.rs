//! The compiler's tests, in one program.

mod architecture;
mod cases;
mod consequences;
mod contract;
mod diff;
mod edits;
mod expected;
mod files;
mod language;
mod lines;
mod lints;
mod llms;
mod many;
mod matrix;
mod mutations;
mod openapi;
mod page;
mod pasted;
mod places;
mod possible_errors;
mod reference;
mod rights;
mod rules;
mod schema;
mod suite;
mod ui;
