//! The real contract, and how long a large one takes.

use std::fmt::Write;
use std::time::{Duration, Instant};

#[test]
fn the_real_contract_has_no_mistake() {
    let source = include_str!("../../api.yaml");
    if let Err(reports) = codegen::read::understand(source) {
        panic!("{}", codegen::report::render(&reports, "api.yaml", source).join("\n"));
    }
}

#[test]
fn three_hundred_endpoints_are_understood_at_once() {
    let mut source = include_str!("mistakes/base.yaml").to_owned();
    for number in 0..300 {
        let _ = write!(
            source,
            "      get_{number}:\n        GET: /books/:id/more/{number}\n        path: {{ id: Book.id }}\n        \
             guards: [exists Book]\n        query: {{ tag: tag?, size: page_size = 20 }}\n        \
             success: {{ data: Book.whole }}\n"
        );
    }
    let start = Instant::now();
    assert!(codegen::read::understand(&source).is_ok());
    // It takes less than 0.1 s in a debug build on an idle machine; the bound is for a busy one.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
