//! The compiler's tests, in one program.

mod architecture;
mod contract;
mod mistakes;
mod mutations;
mod places;
