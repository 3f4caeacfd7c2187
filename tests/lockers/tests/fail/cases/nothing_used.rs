//! A program need not use all of its contract, nor any of it: whatever it leaves, generated code is free of warnings.

fn main() {}

#[deny(warnings)]
mod contract {
    include!(env!("CONTRACT"));
}
