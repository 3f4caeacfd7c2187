//! `codegen new`: the folder of a service that a contract says whole.

use crate::output::Output;
use clap::Args;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the new service.
#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The folder to make. Its last part is the name of the package: lower-case letters, digits, `-` and `_`
    #[arg(value_name = "NAME")]
    folder: PathBuf,

    /// Where the crates of codegen are: a clone of its repository, or the address of one; without it, the clone that this command
    /// was built from
    #[arg(long, value_name = "DIR|URL")]
    codegen: Option<String>,
}

/// The clone that this command was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The files. `NAME`, `TITLE` and `{ SOURCE/…"` are replaced.
const FILES: [(&str, &str); 5] = [
    (".gitignore", include_str!("../new/gitignore")),
    ("Cargo.toml", include_str!("../new/manifest.toml")),
    ("api.yaml", include_str!("../new/api.yaml")),
    ("build.rs", include_str!("../new/build.rs")),
    ("src/main.rs", include_str!("../new/main.rs")),
];

/// Names that cargo takes for something else, and packages that the service depends on.
const TAKEN: [&str; 13] = [
    "alloc",
    "build",
    "codegen",
    "codegen-store",
    "codegen-support",
    "core",
    "deps",
    "examples",
    "incremental",
    "proc_macro",
    "std",
    "test",
    "tokio",
];

/// Makes the folder.
pub(crate) fn run(arguments: &NewArguments) -> Output {
    match make(arguments) {
        Ok(()) => {
            let folder = arguments.folder.display();
            Output::from_text(format!(
                "Made {folder}. It keeps notes, as {folder}/api.yaml says. Start it:\n  cd {folder} && cargo run\n"
            ))
        }
        Err(error) => Output::failed(&error),
    }
}

fn make(NewArguments { folder, codegen }: &NewArguments) -> Result<(), String> {
    let name = package(folder)?;
    let failed =
        |doing: &str, path: &Path, error: &std::io::Error| format!("cannot {doing} {}: {error}", path.display());
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => {
            return Err(format!(
                "{} is there and not empty: choose another name",
                folder.display()
            ));
        }
        Ok(false) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed("read", folder, &error)),
    }
    let given = codegen.as_deref().unwrap_or(BUILT_FROM);
    let is_address = given.contains("://");
    if let Some(reason) = why_no_clone(Path::new(given)).filter(|_| !is_address) {
        let which = if codegen.is_some() {
            given
        } else {
            "the clone that this command was built from"
        };
        return Err(format!(
            "{which} {reason}: name a clone of the repository of codegen, or its address with https:// or ssh://, with --codegen"
        ));
    }
    fs::create_dir_all(folder.join("src")).map_err(|error| failed("make", folder, &error))?;
    let source = match is_address {
        true => format!("git = \"{}", escaped(given)),
        false => format!("path = \"{}", escaped(&path_to(Path::new(given), folder)?)),
    };
    for (file, text) in FILES {
        let text = text.replace("NAME", name).replace("TITLE", &title(name));
        let text = match is_address {
            // Cargo finds a package of a repository by its name.
            true => ["/codegen/store\"", "/codegen/support\"", "/codegen\""]
                .iter()
                .fold(text.replace("{ SOURCE", &format!("{{ {source}")), |text, of| {
                    text.replace(of, "\"")
                }),
            false => text.replace("{ SOURCE", &format!("{{ {source}")),
        };
        let path = folder.join(file);
        fs::write(&path, text).map_err(|error| failed("write", &path, &error))?;
    }
    let manifest = folder.join("Cargo.toml");
    leave_workspace(&manifest).map_err(|error| failed("write", &manifest, &error))
}

/// Why the crates cannot be taken from this folder.
fn why_no_clone(folder: &Path) -> Option<&'static str> {
    if !folder.join("codegen/store/Cargo.toml").is_file() {
        return Some("has no codegen/store/Cargo.toml");
    }
    let is_checkout = folder.join(".cargo-ok").exists();
    is_checkout.then_some("is a copy of cargo's, which cargo removes when it is old")
}

/// Cargo builds no package below a workspace that does not have it as a member. Such a package gets a workspace of its own. Cargo
/// says whether it is one, because only it knows all forms of `members`.
fn leave_workspace(manifest: &Path) -> std::io::Result<()> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let located = cargo
        .args(["locate-project", "--workspace", "--manifest-path"])
        .arg(manifest)
        .output();
    let is_left_out = located.is_ok_and(|located| String::from_utf8_lossy(&located.stderr).contains("`[workspace]`"));
    if !is_left_out {
        return Ok(());
    }
    let table =
        "\n# This package is not a member of the workspace above it. To make it one, remove this table.\n[workspace]\n";
    fs::write(manifest, fs::read_to_string(manifest)? + table)
}

/// The name of the package.
fn package(folder: &Path) -> Result<&str, String> {
    let last = folder.file_name().unwrap_or(folder.as_os_str());
    let name = last.to_str().unwrap_or_default();
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.bytes().all(is_plain) {
        return Err(format!(
            "`{name}` cannot be the name of a package: use lower-case letters, digits, `-` and `_`, and begin with a letter"
        ));
    }
    if TAKEN.contains(&name) || codegen::emit::identifier(name) != name.replace('-', "_") {
        return Err(format!(
            "`{name}` cannot be the name of a package: it is taken, choose another one"
        ));
    }
    Ok(name)
}

/// `job-board` as `Job board`.
fn title(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

/// The path of a clone, relative to the folder unless they have nothing but the root in common. Both must be there.
fn path_to(clone: &Path, folder: &Path) -> Result<String, String> {
    let whole = |path: &Path| {
        let found = fs::canonicalize(path);
        found.map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let (clone, folder) = (whole(clone)?, whole(folder)?);
    let is_near = clone.components().nth(1) == folder.components().nth(1);
    let path = pathdiff::diff_paths(&clone, &folder)
        .filter(|_| is_near)
        .unwrap_or(clone);
    let path = path
        .to_str()
        .ok_or("the path of the clone is no Unicode text, which a manifest needs")?;
    Ok(path.replace('\\', "/"))
}

/// A text in a string of TOML.
fn escaped(text: &str) -> String {
    text.replace('"', "\\\"")
}
