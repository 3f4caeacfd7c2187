//! The compiler's tests, in one program.

mod consequences;
mod contract;
mod mistakes;
mod mutations;
mod places;
mod refusals;
mod rules;
