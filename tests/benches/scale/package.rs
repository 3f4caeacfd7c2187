//! The contracts and their services as packages of a workspace of their own. Cargo builds them, and the CPU of each compiler
//! run is measured.
//!
//! The workspace is kept between runs, so that shared dependencies are compiled once.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::{contract, handlers};
use crate::process;

/// Names the file to which compilers and build scripts append their times. If it is set, this program acts as a
/// compiler.
const LEDGER: &str = "SCALE_LEDGER";
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The profile of a build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// CPU seconds of one build, and the seconds of its build script on all cores.
pub(crate) struct Build {
    pub(crate) generating: f64,
    pub(crate) generating_cpu: f64,
    pub(crate) contract: f64,
    pub(crate) service: f64,
}

pub(crate) struct Workspace {
    folder: PathBuf,
}

/// Compiles for cargo if the environment asks for it: runs the compiler that the arguments name and records its time.
pub(crate) fn compile_if_told() -> Option<ExitCode> {
    let ledger = std::env::var_os(LEDGER)?;
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let (compiler, rest) = arguments.split_first().expect("cargo names the compiler");
    let status = Command::new(compiler).args(rest).status().expect("the compiler starts");
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let is_measured = package.starts_with("scale-") && rest.iter().all(|word| word != "build_script_build");
    if is_measured {
        let seconds = process::cpu_of_children().as_secs_f64();
        let mut file = OpenOptions::new()
            .append(true)
            .open(ledger)
            .expect("the ledger is there");
        writeln!(file, "{package} {seconds}").expect("the ledger takes a line");
    }
    Some(ExitCode::from(
        status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
    ))
}

impl Workspace {
    /// Writes the packages for these numbers of endpoints.
    pub(crate) fn write(sizes: &[usize]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale");
        let workspace = Self { folder };
        let members = sizes
            .iter()
            .map(|size| format!("\"contract-{size}\", \"service-{size}\""));
        let members = members.collect::<Vec<_>>().join(", ");
        workspace.put(
            "Cargo.toml",
            &format!("[workspace]\nmembers = [{members}]\nresolver = \"3\"\n"),
        );
        let lock =
            fs::read_to_string(Path::new(REPOSITORY).join("Cargo.lock")).expect("the repository has a lock file");
        workspace.put("Cargo.lock", &lock);
        for size in sizes {
            workspace.write_packages(*size);
        }
        workspace
    }

    fn write_packages(&self, size: usize) {
        let fill = |text: &str| {
            text.replace("SIZE", &size.to_string())
                .replace("REPOSITORY", REPOSITORY)
        };
        self.put(&format!("contract-{size}/Cargo.toml"), &fill(CONTRACT));
        self.put(&format!("contract-{size}/build.rs"), BUILD);
        self.put(&format!("contract-{size}/src/lib.rs"), LIBRARY);
        self.put(&format!("contract-{size}/api.yaml"), &contract::yaml(size));
        self.put(&format!("service-{size}/Cargo.toml"), &fill(SERVICE));
        self.put(&format!("service-{size}/src/main.rs"), &handlers::source(size));
    }

    /// Writes a file if its content differs: cargo compares modification times.
    fn put(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return;
        }
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Builds as after a change of the contract: the contract is generated, then it and its service are compiled.
    pub(crate) fn build(&self, size: usize, profile: Profile) -> Build {
        let contract = self.folder.join(format!("contract-{size}/api.yaml"));
        fs::write(contract, contract::yaml(size)).expect("a file");
        let ledger = self.cargo(size, profile);
        let took = |name: &str| {
            let line = ledger.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
            line.and_then(|seconds| seconds.parse().ok()).expect("it was built")
        };
        Build {
            generating: took("generating"),
            generating_cpu: took("generating-cpu"),
            contract: took(&format!("scale-contract-{size}")),
            service: took(&format!("scale-service-{size}")),
        }
    }

    /// The path of the built service.
    pub(crate) fn service(&self, size: usize) -> PathBuf {
        self.folder.join(format!("target/release/scale-service-{size}"))
    }

    /// Runs cargo; returns the records of the compilers and the build script.
    fn cargo(&self, size: usize, profile: Profile) -> String {
        let ledger = self.folder.join("ledger");
        fs::write(&ledger, "").expect("a file");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "build",
            "--offline",
            "--quiet",
            "--package",
            &format!("scale-service-{size}"),
        ]);
        if profile == Profile::Release {
            cargo.arg("--release");
        }
        let status = cargo
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .env("RUSTC_WRAPPER", std::env::current_exe().expect("this program"))
            .env(LEDGER, &ledger)
            .stdin(Stdio::null())
            .status()
            .expect("cargo starts");
        assert!(status.success(), "cargo builds the service of {size} endpoints");
        fs::read_to_string(ledger).expect("a file")
    }
}

const CONTRACT: &str = r#"[package]
name = "scale-contract-SIZE"
version = "0.0.0"
edition = "2024"

[lib]
name = "contract"

[dependencies]
codegen-support = { path = "REPOSITORY/codegen/support", package = "hitode-codegen-support" }

[build-dependencies]
codegen = { path = "REPOSITORY/codegen", package = "hitode-codegen" }
"#;

/// Like the contract's own build script, and it records its time.
const BUILD: &str = r#"use std::io::Write;

fn main() {
    let start = std::time::Instant::now();
    println!("cargo::rerun-if-changed=build.rs");
    let options = codegen::Options { file: "api.yaml", support: "codegen_support" };
    codegen::cargo::generate("api.yaml".as_ref(), "api.yaml", "contract.rs", |model| codegen::emit::rust(model, options));
    let seconds = start.elapsed().as_secs_f64();
    // proc(5): user and system time of all threads, in clock ticks of 10 ms.
    let told = std::fs::read_to_string("/proc/self/stat").expect("this is Linux");
    let fields = told.rsplit(')').next().expect("a line").split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).map(|field| field.parse::<f64>().expect("a number")).sum();
    let cpu = ticks / 100.0;
    let ledger = std::env::var_os("SCALE_LEDGER").expect("the benchmark sets it");
    let mut ledger = std::fs::OpenOptions::new().append(true).open(ledger).expect("a file");
    writeln!(ledger, "generating {seconds}\ngenerating-cpu {cpu}").expect("two lines");
}
"#;

const LIBRARY: &str = r#"//! A contract.
pub use codegen_support as support;
pub use generated::*;
pub use support::{Clock, Date, Encoded, Failure, Number, OpenObject, Page, Peer, Response, Rows, Streamed, Timestamp};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}
"#;

const SERVICE: &str = r#"[package]
name = "scale-service-SIZE"
version = "0.0.0"
edition = "2024"

[dependencies]
contract = { path = "../contract-SIZE", package = "scale-contract-SIZE" }
hyper = { version = "1", features = ["http1", "server"] }
hyper-util = { version = "0.1", features = ["service", "tokio"] }
tokio = { version = "1", features = ["macros", "net", "rt"] }
"#;
