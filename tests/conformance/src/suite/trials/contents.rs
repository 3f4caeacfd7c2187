//! Tests of an operation that takes a file, or whose answer is one.

use crate::contract::Operation;
use crate::suite::trials::rule::{Rule, counted};
use crate::suite::trials::{Trials, calls};
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    if let Some(file) = &operation.declared.file {
        let words = format!("at most {}", counted(operation.declared.max_bytes, "byte"));
        let most = Rule::new(words, file.at);
        trials.rejects("too_large_file", Step::BodySize, &most, calls!(.rejects_a_large_body()));
    }
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
