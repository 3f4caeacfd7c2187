//! Compiles accepted mutants: a package with a module for each, with its code.
//!
//! The package is in the target directory, depends on the support crate, and is checked once for all mutants. Its dependencies stay built for the next run.

use super::{OPTIONS, folder, mutant, number};
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mutants that are compiled at once, so that the compiler's memory stays bounded.
const BATCH: usize = 20;

#[test]
fn accepted_mutants_compile() {
    let seed = number("SEED").unwrap_or(20_250_614);
    let wanted = number("ACCEPTED").unwrap_or(4);
    println!("SEED={seed} ACCEPTED={wanted}");
    let mut mutants = Accepted::new(seed);
    let mut broken = 0;
    for start in (0..wanted as usize).step_by(BATCH) {
        let batch = mutants.by_ref().take(BATCH.min(wanted as usize - start)).collect();
        for (mutant, errors) in broken_of(batch) {
            let file = folder().join(format!("broken-{seed}-{}.yaml", mutant.round));
            std::fs::write(&file, &mutant.contract).expect("the target directory can be written");
            println!("--- round {}, {}\n{}", mutant.round, file.display(), errors[0]);
            broken += 1;
        }
    }
    assert!(
        broken == 0,
        "SEED={seed}: {broken} accepted contracts give Rust that does not compile"
    );
}

/// The mutants of a batch that do not compile, with the compiler's errors. A syntax error hides other errors, so the
/// rest is tried again without that mutant.
fn broken_of(mut batch: Vec<Mutant>) -> Vec<(Mutant, Vec<String>)> {
    let package = folder().join("accepted");
    let mut broken = Vec::new();
    loop {
        write_package(&package, &batch);
        let output = check(&package);
        let (wrong, right): (Vec<Mutant>, Vec<Mutant>) =
            batch.into_iter().partition(|mutant| !mutant.errors(&output).is_empty());
        assert!(output.is_empty() || !wrong.is_empty(), "{output}");
        batch = right;
        if wrong.is_empty() {
            return broken;
        }
        broken.extend(wrong.into_iter().map(|mutant| {
            let errors = mutant.errors(&output);
            (mutant, errors)
        }));
    }
}

/// A contract that codegen accepts.
struct Mutant {
    round: u64,
    contract: String,
    code: String,
}

impl Mutant {
    fn module(&self) -> String {
        format!("c{}", self.round)
    }

    /// The compiler's errors in its module.
    fn errors(&self, output: &str) -> Vec<String> {
        let file = format!("src/{}.rs:", self.module());
        let own = output.split("\n\n").filter(|part| part.contains(&file));
        own.map(str::to_owned).collect()
    }
}

/// Accepted mutants with different code. There are many small and few large ones, so that compiling stays short.
struct Accepted {
    seed: u64,
    round: u64,
    accepted: usize,
    large: usize,
    seen: HashSet<u64>,
}

impl Accepted {
    fn new(seed: u64) -> Self {
        Accepted {
            seed,
            round: 0,
            accepted: 0,
            large: 0,
            seen: HashSet::new(),
        }
    }
}

impl Iterator for Accepted {
    type Item = Mutant;

    fn next(&mut self) -> Option<Mutant> {
        const LARGE: usize = 16_000;
        loop {
            let round = self.round;
            self.round += 1;
            let contract = mutant(self.seed, round);
            let is_large = contract.len() > LARGE;
            if is_large && self.large * 10 > self.accepted {
                continue;
            }
            let Ok(model) = codegen::compile(&contract) else {
                continue;
            };
            let code = codegen::emit::rust(&model, OPTIONS);
            if !self.seen.insert(without_places(&code)) {
                continue;
            }
            self.accepted += 1;
            self.large += usize::from(is_large);
            return Some(Mutant { round, contract, code });
        }
    }
}

/// A digest of code without its comments, and without the messages that name lines of the contract.
fn without_places(code: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let is_code = |line: &&str| {
        !["//", "message = "]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    code.lines().filter(is_code).for_each(|line| line.hash(&mut hasher));
    hasher.finish()
}

fn write_package(package: &Path, mutants: &[Mutant]) {
    let source = package.join("src");
    let _ = std::fs::remove_dir_all(&source);
    std::fs::create_dir_all(&source).expect("the target directory can be written");
    let write = |path: PathBuf, text: &str| std::fs::write(path, text).expect("the target directory can be written");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = workspace.canonicalize().expect("the workspace is there");
    let manifest = format!(
        "[package]\nname = \"accepted\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         codegen_support = {{ package = \"hitode-codegen-support\", path = {:?} }}\n\n[workspace]\n",
        workspace.join("codegen/support"),
    );
    write(package.join("Cargo.toml"), &manifest);
    std::fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).expect("the lock file can be copied");
    let mut root = "#![deny(unused)]\n".to_owned();
    for mutant in mutants {
        let module = mutant.module();
        let _ = write!(root, "\npub mod {module};\n");
        write(source.join(format!("{module}.rs")), &mutant.code);
    }
    write(source.join("lib.rs"), &root);
}

/// The compiler's errors in the package; empty if it compiles. The call equals that of cargo, with the libraries that were
/// built for this run: the same packages, with a target that has the features of their tests.
fn check(package: &Path) -> String {
    let cargo = Path::new(env!("CARGO"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("it lies in the target directory");
    let built = Command::new(cargo)
        .args("build --workspace --example serve --offline --message-format json --target-dir".split(' '))
        .arg(target)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut rustc = Command::new(cargo.with_file_name("rustc"));
    rustc
        .args("--edition 2024 --crate-name accepted --test --emit metadata --out-dir target src/lib.rs".split(' '))
        .arg("-L")
        .arg(format!("dependency={}", target.join("debug/deps").display()))
        .current_dir(package);
    let lines = built
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    for line in lines {
        let message: serde_json::Value = serde_json::from_slice(line).expect("cargo writes JSON");
        let name = message["target"]["name"].as_str().unwrap_or_default();
        if name != "codegen_support" || message["reason"] != "compiler-artifact" {
            continue;
        }
        let library = message["filenames"][0].as_str().expect("a path");
        rustc.arg("--extern").arg(format!("{name}={library}"));
    }
    let output = rustc.output().expect("the compiler runs");
    match output.status.success() {
        true => String::new(),
        false => String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
