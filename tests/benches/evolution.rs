//! The cost of changing the contract. For each patch under `evolution/`: its files and lines, and the seconds from the edit to
//! a server and to passing tests (all tests of the contract but those that build edited contracts of their own).
//!
//! The edits are made in a clone of the last commit, each with a copy of the unedited build. Ratios are relative to an edit
//! without a meaning: a comment line at the top of `api.yaml`, which moves every position in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::machine::{self, Cores};
use crate::table::Table;

const BUILD: &str = "build --offline --package hitode";
const TEST: &str = "test --offline --package hitode-tests --package hitode-codegen-cli -- --skip evolution::";

/// Wall and CPU, in seconds.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

/// A clone, and its build before any edit.
struct Workshop {
    clone: PathBuf,
    target: PathBuf,
    unedited: PathBuf,
}

pub(crate) fn measure(_: &Path, _: Option<usize>, cores: Cores) {
    machine::stay_on_all(cores);
    let workshop = Workshop::open();
    println!("## What a change of the contract takes\n");
    let mut table = Table::new(&[
        "edit",
        "files",
        "lines",
        "s to a server",
        "CPU s",
        "ratio",
        "s to green tests",
        "CPU s",
        "ratio",
    ]);
    let nothing = workshop.cost("a line of comment", Workshop::comment);
    row(
        &mut table,
        "a line of comment",
        [String::new(), String::new()],
        nothing,
        nothing,
    );
    for patch in patches() {
        let name = name(&patch);
        let costs = workshop.cost(&name, |workshop| workshop.git(&["apply", path(&patch)]));
        row(&mut table, &name, size(&patch), costs, nothing);
    }
    table.print();
    machine::stay_on(cores.load);
}

fn row(table: &mut Table, name: &str, size: [String; 2], costs: [Cost; 2], nothing: [Cost; 2]) {
    let mut cells = vec![name.to_owned()];
    cells.extend(size);
    for (cost, nothing) in costs.into_iter().zip(nothing) {
        cells.push(format!("{:.0}", cost.wall));
        cells.push(format!("{:.0}", cost.cpu));
        cells.push(format!("{:.2}", cost.cpu / nothing.cpu));
    }
    table.row(cells);
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("the target directory's name is text")
}

fn patches() -> Vec<PathBuf> {
    let folder = root().join("tests/benches/evolution");
    let files = fs::read_dir(folder).expect("the patches are there");
    let mut patches: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    patches.sort();
    patches
}

/// Renders `a_plain_field.patch` as words.
fn name(patch: &Path) -> String {
    patch.file_stem().expect("a name").to_string_lossy().replace('_', " ")
}

/// The number of files, and of added and removed lines.
fn size(patch: &Path) -> [String; 2] {
    let counted = run(Command::new("git").args(["apply", "--numstat", path(patch)]), root());
    let numbers = |column: usize| {
        let lines = counted.lines();
        lines
            .filter_map(|line| line.split('\t').nth(column)?.parse::<u32>().ok())
            .sum::<u32>()
    };
    [
        counted.lines().count().to_string(),
        format!("+{} −{}", numbers(0), numbers(1)),
    ]
}

impl Workshop {
    /// Opens it in the target directory, so that a later run rebuilds only what has changed.
    fn open() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits");
        let workshop = Self {
            clone: folder.join("clone"),
            target: folder.join("target"),
            unedited: folder.join("unedited"),
        };
        fs::create_dir_all(&workshop.clone).expect("the target directory can be written");
        workshop.git(&["init", "--quiet"]);
        workshop.git(&["fetch", "--quiet", path(root()), "HEAD"]);
        workshop.git(&["checkout", "--quiet", "--force", "FETCH_HEAD"]);
        eprintln!("building the unedited contract");
        workshop.put_back();
        let target = if workshop.unedited.exists() {
            &workshop.unedited
        } else {
            &workshop.target
        };
        for arguments in [BUILD, TEST] {
            workshop.cargo(arguments, target);
        }
        let _ = fs::rename(&workshop.target, &workshop.unedited);
        workshop
    }

    /// The cost of the edit: to a server, and to passing tests, which includes the server.
    fn cost(&self, name: &str, edit: impl FnOnce(&Self)) -> [Cost; 2] {
        eprintln!("editing: {name}");
        run(
            Command::new("cp").args(["--archive", path(&self.unedited), path(&self.target)]),
            root(),
        );
        let (before, cpu_before) = (Instant::now(), cpu_of_children());
        edit(self);
        let cost = || Cost {
            wall: before.elapsed().as_secs_f64(),
            cpu: cpu_of_children() - cpu_before,
        };
        self.cargo(BUILD, &self.target);
        let server = cost();
        self.cargo(TEST, &self.target);
        let green = cost();
        self.put_back();
        [server, green]
    }

    fn put_back(&self) {
        self.git(&["checkout", "--quiet", "--force", "."]);
        let _ = fs::remove_dir_all(&self.target);
    }

    fn comment(&self) {
        let file = self.clone.join("api.yaml");
        let contract = fs::read_to_string(&file).expect("the contract is there");
        fs::write(file, format!("# A comment.\n{contract}")).expect("the clone can be written");
    }

    fn git(&self, arguments: &[&str]) {
        run(Command::new("git").args(arguments), &self.clone);
    }

    fn cargo(&self, arguments: &str, target: &Path) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments.split(' ')).env("CARGO_TARGET_DIR", target);
        run(cargo.env_remove("HITODE_API"), &self.clone);
    }
}

/// The output of a command that must succeed.
fn run(command: &mut Command, folder: &Path) -> String {
    let output = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} fails:\n{text}{complaint}");
    text
}

/// User and system time of all ended child processes, in seconds (`proc(5)`, clock ticks of 10 ms).
fn cpu_of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux tells it");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("clock ticks");
    (ticks(13) + ticks(14)) / 100.0
}
