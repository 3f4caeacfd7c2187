//! Edited copies of `api.yaml`, and the results of `cargo build` with them.

use super::edits::{self, Edit};
use fs2::FileExt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The unedited contract.
pub(crate) static UNEDITED: Edition = Edition::new("unedited", "/api/v1", &[]);

/// Numbers, texts, paths, rights and shapes; two errors of the error table that change places; additions and removals.
pub(crate) static EDITED: Edition = Edition::new(
    "edited",
    "/agents/v2",
    &[
        edits::READ_LIMIT,
        edits::KEY_QUOTA,
        edits::TITLE_BOUND,
        edits::TEXT_AND_STATUS,
        edits::RATE_BEFORE_SUSPENDED,
        edits::NO_FIELD,
        edits::CODE_MEMBER,
        edits::BASE_PATH,
        edits::VIEW_WITHOUT_FIELD,
        edits::MOVES,
        edits::NO_PLAN_GUARD,
        edits::NEW_FIELD,
        edits::NEW_FIELD_WITH_DEFAULT,
        edits::NEW_FIELD_OF_WORKERS,
        edits::NEW_MEMBERS_OF_SKILLS,
        edits::OTHER_ENUM_VALUE,
        edits::NEW_RESOURCE,
    ],
);

/// An invalid contract.
pub(crate) static MISTAKEN: Edition = Edition::new("mistaken", "/api/v1", &[edits::MISTAKES]);

/// Independent edits that are built together: once in a test run, when the first test needs them.
pub(crate) struct Edition {
    name: &'static str,
    /// The base path of its agent API.
    pub(crate) base: &'static str,
    edits: &'static [Edit],
    built: OnceLock<Result<PathBuf, String>>,
}

impl Edition {
    const fn new(name: &'static str, base: &'static str, edits: &'static [Edit]) -> Self {
        let built = OnceLock::new();
        Edition {
            name,
            base,
            edits,
            built,
        }
    }

    /// The built server.
    #[track_caller]
    pub(crate) fn program(&self) -> &Path {
        match self.built.get_or_init(|| self.build()) {
            Ok(program) => program,
            Err(message) => panic!("`{}` does not build:\n{message}", self.name),
        }
    }

    /// The output of the failed build.
    #[track_caller]
    pub(crate) fn failure(&self) -> &str {
        match self.built.get_or_init(|| self.build()) {
            Ok(_) => panic!("`{}` builds", self.name),
            Err(message) => message,
        }
    }

    /// The position of `part` in the edited copy, as messages show it.
    #[track_caller]
    pub(crate) fn place_of(&self, part: &str) -> String {
        let text = self.text();
        let (before, _) = text
            .split_once(part)
            .unwrap_or_else(|| panic!("{part} does not stand there"));
        let column = before
            .lines()
            .last()
            .filter(|_| !before.ends_with('\n'))
            .map_or(0, |line| line.chars().count());
        format!("api.yaml:{}:{}", before.matches('\n').count() + 1, column + 1)
    }

    #[track_caller]
    fn text(&self) -> String {
        let contract = fs::read_to_string(workspace().join("api.yaml")).expect("the contract is there");
        self.edits.iter().copied().flatten().fold(contract, |text, (old, new)| {
            assert_eq!(
                text.matches(old).count(),
                1,
                "`{}` edits what stands there once: {old}",
                self.name
            );
            text.replace(old, new)
        })
    }

    /// All editions are built in one target directory, so that shared crates are built once; one after another, also
    /// across test runs.
    fn build(&self) -> Result<PathBuf, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evolution");
        let own = folder.join(self.name);
        fs::create_dir_all(&own).expect("the target directory can be written");
        let lock = File::create(folder.join("lock")).expect("the target directory can be written");
        lock.lock_exclusive().expect("the lock can be waited for");
        fs::write(own.join("api.yaml"), self.text()).expect("the target directory can be written");
        self.cargo_build(&folder.join("target"), &own.join("api.yaml"))?;
        let program = own.join("hitode");
        let _ = fs::remove_file(&program);
        fs::copy(folder.join("target/debug/hitode"), &program).expect("cargo built it");
        Ok(program)
    }

    /// Builds in the target directory of this run, so that everything an edit does not change is reused: the same packages,
    /// with a target (`serve`) that has the features of their tests. What an edit changes has a feature of its own, so that
    /// nothing of this run is replaced; programs go to `target`.
    fn cargo_build(&self, target: &Path, contract: &Path) -> Result<(), String> {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
        let mut cargo = test_support::process::cargo();
        cargo
            .args(
                "build --workspace --bin hitode --example serve --offline --locked --color never --target-dir"
                    .split(' '),
            )
            .arg(target)
            .current_dir(workspace())
            .env(
                "CARGO_BUILD_BUILD_DIR",
                shared.expect("it lies in the target directory"),
            );
        match self.edits {
            [] => cargo.env_remove("HITODE_API"),
            _ => cargo
                .args(["--features", "hitode-contract/edited"])
                .env("HITODE_API", contract),
        };
        let built = cargo.output().expect("cargo starts");
        match built.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
        }
    }
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
