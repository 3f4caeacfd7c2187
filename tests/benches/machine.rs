//! The machine of the benchmarks: its description, and the use of its cores.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::Command;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The core of the servers and the core of the load. They differ if the machine has two cores.
#[derive(Clone, Copy)]
pub(crate) struct Cores {
    pub(crate) server: usize,
    pub(crate) load: usize,
    all: CpuSet,
}

impl Cores {
    /// The first two cores that this process may use.
    pub(crate) fn of_this_process() -> Self {
        let allowed = sched_getaffinity(None).expect("Linux tells which cores there are");
        let mut cores = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core));
        let server = cores.next().expect("this runs on a core");
        let load = cores.next().unwrap_or(server);
        let all = allowed;
        Self { server, load, all }
    }
}

/// Pins the calling thread, and the threads that it starts from now on, to one core.
pub(crate) fn stay_on(core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).expect("a core of this process");
}

/// Lets the calling thread, and the threads that it starts from now on, use all cores of this process.
pub(crate) fn stay_on_all(cores: Cores) {
    sched_setaffinity(None, &cores.all).expect("the cores of this process");
}

pub(crate) const MIB: f64 = 1024.0 * 1024.0;

/// The bytes of a file or of the files in a folder.
pub(crate) fn on_disk(path: &Path) -> f64 {
    let Ok(files) = fs::read_dir(path) else {
        return fs::metadata(path).expect("the file is there").len() as f64;
    };
    files.flatten().map(|file| on_disk(&file.path())).sum()
}

/// The date, and the processor with its number of cores.
pub(crate) fn date_and_processor() -> String {
    let now = contract::Clock::system().now().to_string();
    format!("{}, {}", now.get(..10).unwrap_or(&now), processor())
}

fn processor() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let number = cpus.lines().filter(|line| line.starts_with("processor")).count();
    format!("{}, {number} cores", value(&cpus, "model name"))
}

/// Prints the machine that the numbers belong to; `folder` is where the servers write.
pub(crate) fn print(cores: Cores, folder: &Path) {
    let line = |what: &str, is: &dyn Display| println!("- {what}: {is}");
    line("date", &format!("{} UTC", contract::Clock::system().now()));
    let changed = if output_of("git", &["status", "--porcelain"]).is_empty() {
        ""
    } else {
        ", with changes"
    };
    line(
        "commit",
        &format!("{}{changed}", output_of("git", &["rev-parse", "--short", "HEAD"])),
    );
    line("compiler", &output_of("rustc", &["--version"]));
    line("processor", &processor());
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    line("memory", &value(&memory, "MemTotal"));
    line("kernel", &read("/proc/sys/kernel/osrelease"));
    line("disk", &file_system(folder));
    line("load before", &read("/proc/loadavg"));
    let Cores { server, load, .. } = cores;
    match server == load {
        false => line("cores", &format!("servers on {server}, load on {load}")),
        true => line(
            "cores",
            &"**one for servers and load together**: only the CPU of a request says something",
        ),
    }
    println!();
}

/// The file system of `folder`: the one with the longest mount point above it.
fn file_system(folder: &Path) -> String {
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (device, point, kind, options) = (words.next()?, words.next()?, words.next()?, words.next()?);
        folder
            .starts_with(point)
            .then(|| (point.len(), format!("{kind} ({options}) on {device}")))
    });
    mounts
        .max_by_key(|(length, _)| *length)
        .map_or_else(String::new, |(_, rest)| rest)
}

fn value(text: &str, name: &str) -> String {
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(String::new, |(_, value)| value.trim().to_owned())
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
