//! Generated code contains lines of a contract only where the compiler quotes them.

use crate::language::understood;
use codegen::emit;

const CONTRACT: &str = include_str!("../../tests/lockers/api.yaml");

fn code(contract: &str) -> String {
    let model = understood(contract);
    let options = codegen::Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    emit::rust(&model, options)
}

/// A missing handler, credential or finder of a resource is reported with its position in the contract.
#[test]
fn an_inserted_line_changes_only_the_messages_of_on_unimplemented() {
    let (before, after) = (code(CONTRACT), code(&format!("# A line more.\n{CONTRACT}")));
    let lines: Vec<_> = before.lines().zip(after.lines()).collect();
    assert_eq!(before.lines().count(), after.lines().count());
    let attributes = before.matches("#[diagnostic::on_unimplemented(").count();
    let mut changed = 0;
    for pair in lines.windows(2) {
        let [(above, _), (old, new)] = pair else { unreachable!() };
        if old != new {
            assert_eq!(above.trim(), "#[diagnostic::on_unimplemented(", "{old}\n{new}");
            assert!(new.trim_start().starts_with("message = "), "{new}");
            changed += 1;
        }
    }
    assert_eq!(changed, attributes);
}
