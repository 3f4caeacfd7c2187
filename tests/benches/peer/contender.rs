//! The two compared programs: built, filled with the same workers, and started.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use contract::{NewHuman, NewSkill};
use serde_json::{Value, json};

use crate::load::Load;
use crate::machine::{Cores, on_disk};
use crate::market;
use crate::population;
use crate::process::Server;
use crate::table::Rounds;

/// The folder of temporary files, which lies in cargo's target directory.
const TARGET: &str = env!("CARGO_TARGET_TMPDIR");

pub(super) struct Programs {
    hitode: PathBuf,
    peer: PathBuf,
}

impl Programs {
    pub(super) fn build() -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (target, own) = (Path::new(TARGET).join(".."), Path::new(TARGET).join("peer"));
        build(&tests.join("../Cargo.toml"), "hitode", &target);
        build(&tests.join("peer/Cargo.toml"), "peer", &own);
        Self {
            hitode: target.join("release/hitode"),
            peer: own.join("release/peer"),
        }
    }
}

fn build(manifest: &Path, program: &str, target: &Path) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--profile",
        "bench",
        "--locked",
        "--bin",
        program,
        "--manifest-path",
    ]);
    // Build scripts that read variables of the cargo that runs this benchmark would run again each time.
    for (name, _) in std::env::vars_os() {
        let is_of_cargo = name.to_string_lossy().starts_with("CARGO_") || name == "OUT_DIR";
        if is_of_cargo && name != "CARGO_HOME" {
            cargo.env_remove(name);
        }
    }
    let status = cargo.arg(manifest).env("CARGO_TARGET_DIR", target).status();
    assert!(status.expect("cargo starts").success(), "{program} is not built");
}

/// A program with its data, and what was measured of it as a whole.
pub(super) struct Contender {
    program: PathBuf,
    arguments: Vec<String>,
    /// Seconds.
    pub(super) entering: f64,
    /// Bytes.
    pub(super) on_disk: f64,
    /// Seconds until the first answer.
    pub(super) starts: Rounds,
    /// Bytes after the requests of a round.
    pub(super) resident: Rounds,
    /// The part of these bytes that is mapped from files.
    pub(super) mapped: Rounds,
}

impl Contender {
    /// Also returns an API key.
    pub(super) fn hitode(programs: &Programs, folder: &Path, workers: u64) -> (Self, String) {
        let before = Instant::now();
        let keys = market::enter_for(folder, workers as usize, 1, worker);
        let arguments = "serve --listen 127.0.0.1:0 --rate-limits off --data".split(' ');
        let contender = Self::new(&programs.hitode, arguments, folder, before);
        (contender, keys.concat())
    }

    pub(super) fn peer(programs: &Programs, folder: &Path, workers: u64) -> Self {
        fs::create_dir_all(folder).expect("a folder");
        let file = folder.join("workers.sqlite");
        let before = Instant::now();
        let mut command = Command::new(&programs.peer);
        let mut process = command
            .arg("load")
            .arg(&file)
            .stdin(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufWriter::new(process.stdin.take().expect("piped"));
        for number in 0..workers as usize {
            writeln!(lines, "{}", line(worker(number))).expect("it reads");
        }
        drop(lines);
        assert!(
            process.wait().expect("it ends").success(),
            "the workers are not entered"
        );
        Self::new(&programs.peer, ["serve"], &file, before)
    }

    fn new<'a>(program: &Path, arguments: impl IntoIterator<Item = &'a str>, data: &Path, before: Instant) -> Self {
        let entering = before.elapsed().as_secs_f64();
        let arguments = arguments.into_iter().map(str::to_owned);
        Self {
            program: program.to_owned(),
            arguments: arguments.chain([data.display().to_string()]).collect(),
            entering,
            on_disk: on_disk(data),
            starts: Rounds::default(),
            resident: Rounds::default(),
            mapped: Rounds::default(),
        }
    }

    /// Starts the server and waits for the answer to `request`.
    pub(super) fn start(&mut self, request: &str, cores: Cores) -> Server {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env("HITODE_OPERATOR_TOKEN", "operator")
            .env("HITODE_LOG", "off");
        let before = Instant::now();
        let server = Server::run(command, cores);
        let load = Load {
            address: server.address,
            connections: 1,
            requests: vec![request.to_owned()],
        };
        load.body();
        self.starts.push(before.elapsed().as_secs_f64());
        server
    }

    pub(super) fn measure_memory(&mut self, server: &Server) {
        self.resident.push(server.resident());
        self.mapped.push(server.mapped());
    }
}

/// A worker of realistic size with the searched properties of the population.
fn worker(number: usize) -> NewHuman {
    let profile = population::profile(number as u64);
    let names: BTreeSet<String> = profile.skills.into_iter().collect();
    let skill = |name| NewSkill {
        name,
        category: "Everyday".to_owned(),
    };
    NewHuman {
        state: profile.state,
        gender: profile.gender,
        hourly_rate: profile.rate,
        rating: profile.rating,
        skills: names.into_iter().map(skill).collect(),
        ..market::worker(number)
    }
}

fn line(worker: NewHuman) -> Value {
    let skill = |skill: &NewSkill| json!({ "name": skill.name, "category": skill.category });
    json!({
        "name": worker.name,
        "headline": worker.headline,
        "bio": worker.bio,
        "city": worker.city,
        "state": worker.state,
        "gender": worker.gender,
        "hourly_rate": worker.hourly_rate,
        "rating": worker.rating,
        "total_reviews": worker.total_reviews,
        "is_verified": worker.is_verified,
        "is_available": worker.is_available,
        "photos": [],
        "skills": worker.skills.iter().map(skill).collect::<Vec<_>>(),
    })
}
