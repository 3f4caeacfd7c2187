//! A mock of a small contract, in this process.

mod library;
mod meaning;
mod requests;
mod shapes;
