//! A mock of a small contract, in this process.

mod fault_codes;
mod ids;
mod library;
mod meaning;
mod requests;
mod shapes;
