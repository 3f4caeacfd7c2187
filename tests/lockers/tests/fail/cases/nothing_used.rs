//! A program that uses nothing of its contract is told of dead code, which it may allow, and of nothing else.

fn main() {}

#[deny(warnings)]
#[allow(dead_code, reason = "nothing is used")]
mod contract {
    include!(env!("CONTRACT"));
}
