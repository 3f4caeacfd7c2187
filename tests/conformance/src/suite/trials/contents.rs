//! Tests of an operation whose answer is a file.

use crate::contract::Operation;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    if operation.declared.content_of.is_none() {
        return;
    }
    let rule = |words: &str| Rule::new(words, operation.declared.at);
    let part = rule("`Range` gives a part of the file");
    trials.accepts("part_of_the_file", &part, calls!(.sends_a_part()));
    let whole = rule("a range or a condition that does not fit gives the whole file");
    trials.accepts("whole_file", &whole, calls!(.sends_the_whole()));
    let known = rule("a file that the client has is not sent again");
    trials.accepts("known_file", &known, calls!(.sends_no_known_file()));
}
