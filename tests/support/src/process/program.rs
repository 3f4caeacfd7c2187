//! Selects the program to start, and runs cargo, which builds it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// `hitode` as it is built with the running test.
///
/// Cargo builds it for the tests of its own package and names its path there; for tests of other packages it is built here.
pub fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| match std::env::var_os("CARGO_BIN_EXE_hitode") {
        Some(program) => program.into(),
        None => build("--bin hitode").join("hitode"),
    });
    &PROGRAM
}

/// Builds programs of the workspace beside the running test, and returns their folder. An example is built with them, so that
/// their dependencies have the features that the tests of the workspace need, and are built already.
pub fn build(programs: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    let profile = test.ancestors().nth(2).expect("it lies in the folder of a profile");
    let mut cargo = cargo();
    cargo.args(["build", "--workspace", "--offline", "--locked", "--example", "serve"]);
    cargo.args(programs.split(' ')).arg("--target-dir");
    cargo.arg(profile.parent().expect("the profile lies in the target directory"));
    if profile.ends_with("release") {
        // `cargo bench` passes `--bench`.
        let is_benchmark = std::env::args().any(|argument| argument == "--bench");
        cargo.args(["--profile", if is_benchmark { "bench" } else { "release" }]);
    }
    let built = cargo
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    profile.to_owned()
}

/// Cargo, without the variables that it sets for tests of a package, which build scripts read.
pub fn cargo() -> Command {
    const OWN_VARIABLES: [&str; 6] = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_",
        "CARGO_CRATE_",
        "CARGO_PRIMARY_",
        "OUT_DIR",
    ];
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let name_of_package = |name: &str| OWN_VARIABLES.iter().any(|prefix| name.starts_with(prefix));
        if name.to_str().is_some_and(name_of_package) {
            cargo.env_remove(name);
        }
    }
    cargo
}
