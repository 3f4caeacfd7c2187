//! A program that uses nothing of its contract gets warnings of dead code, which it may allow, and no others.

fn main() {}

#[deny(warnings)]
#[allow(dead_code, reason = "nothing is used")]
mod contract {
    include!(env!("CONTRACT"));
}
