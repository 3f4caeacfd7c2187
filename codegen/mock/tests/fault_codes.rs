//! The codes of validation errors: those that are documented are those that are sent.

use codegen::fault_codes::ALL;
use codegen_support::Code;
use std::collections::BTreeSet;

/// The codes of requests that are wrong as a whole, which generated code writes itself.
const OF_REQUESTS: [&str; 3] = ["broken", "content", "host"];

#[test]
fn each_code_is_documented_once() {
    let of_values = Code::ALL.iter().map(|code| code.as_str());
    let sent: BTreeSet<&str> = of_values.chain(OF_REQUESTS).collect();
    let documented: BTreeSet<&str> = ALL.iter().map(|code| code.name).collect();
    assert_eq!(sent, documented);
    assert_eq!(documented.len(), ALL.len());
}
