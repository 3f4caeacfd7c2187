//! Prints the tests as Rust code, for editors and test tools that look for functions: each calls a test by its name.

use super::{Group, Suite};
use codegen::emit::identifier;
use std::fmt::Write as _;

impl Suite {
    /// Rust code with a `#[test]` for each test, in modules of the same names. `world` is the path of a function that returns
    /// the world. The tests read the contract again, from the folder of their package.
    pub fn rust(&'static self, world: &str) -> String {
        let file = self.contract.file;
        let mut text = format!(
            r#"// Generated from {file} by codegen; edit that file, not this one.

use conformance::Suite;
use std::sync::LazyLock;

fn run(name: &str) {{
    static SUITE: LazyLock<&Suite> = LazyLock::new(|| {{
        let contract = std::fs::read_to_string({file:?}).expect("the contract is there");
        Suite::from_source(&contract, {file:?})
    }});
    SUITE.run_test(name, {world}());
}}
"#
        );
        for groups in self.groups.chunk_by(|one, other| one.surface() == other.surface()) {
            let modules: String = groups.iter().map(Group::rust).collect();
            let _ = match groups[0].surface() {
                Some(surface) => {
                    let modules = modules.replace('\n', "\n    ").replace("\n    \n", "\n\n");
                    let (surface, modules) = (identifier(surface), modules.trim_end());
                    write!(text, "\nmod {surface} {{\n    use super::run;\n{modules}\n}}\n")
                }
                None => write!(text, "{modules}"),
            };
        }
        text
    }
}

impl Group {
    fn surface(&self) -> Option<&str> {
        Some(self.module.rsplit_once("::")?.0)
    }

    fn rust(&self) -> String {
        let module = self.module.rsplit("::").next().map(identifier).unwrap_or_default();
        let tests = self.tests.iter().map(|test| {
            let (name, doc) = (
                identifier(test.name),
                format!("{} ({})", test.tested.rule, test.tested.at),
            );
            let test = format!("{}::{}", self.module, test.name);
            format!("\n    #[doc = {doc:?}]\n    #[test]\n    fn {name}() {{\n        run({test:?});\n    }}\n")
        });
        let tests: String = tests.collect();
        format!("\nmod {module} {{\n    use super::run;\n{tests}}}\n")
    }
}
