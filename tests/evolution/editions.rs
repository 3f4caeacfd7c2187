//! Edited copies of `api.yaml`, and what `cargo build` makes of them.

use super::edits::{self, Edit};
use fs2::FileExt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The contract as it stands.
pub(crate) static UNEDITED: Edition = Edition::new("unedited", "/api/v1", &[]);

/// Numbers and texts, two rows of the error table that change places, and what is no longer there.
pub(crate) static TIGHTENED: Edition = Edition::new(
    "tightened",
    "/api/v1",
    &[
        edits::READ_LIMIT,
        edits::KEY_QUOTA,
        edits::TITLE_BOUND,
        edits::TEXT_AND_STATUS,
        edits::PLAN_BEFORE_INVALID,
        edits::NO_FIELD,
        edits::NO_ENUM_VALUE,
    ],
);

/// Shapes, paths and rights, and what is new.
pub(crate) static RESHAPED: Edition = Edition::new(
    "reshaped",
    "/agents/v2",
    &[
        edits::CODE_MEMBER,
        edits::BASE_PATH,
        edits::VIEW_WITHOUT_FIELD,
        edits::MOVES,
        edits::NO_PLAN_GUARD,
        edits::NEW_FIELD,
        edits::NEW_FIELD_WITH_DEFAULT,
        edits::NEW_FIELD_OF_WORKERS,
        edits::NEW_MEMBERS_OF_SKILLS,
        edits::NEW_ENUM_VALUE,
    ],
);

/// What is no contract.
pub(crate) static MISTAKEN: Edition = Edition::new("mistaken", "/api/v1", &[edits::MISTAKES]);

/// Edits that do not disturb one another, built together: once a test run, when the first test asks.
pub(crate) struct Edition {
    name: &'static str,
    /// Where its agents call.
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

    /// The server that it makes.
    #[track_caller]
    pub(crate) fn program(&self) -> &Path {
        match self.built.get_or_init(|| self.build()) {
            Ok(program) => program,
            Err(said) => panic!("`{}` does not build:\n{said}", self.name),
        }
    }

    /// What the build says that makes no server of it.
    #[track_caller]
    pub(crate) fn failure(&self) -> &str {
        match self.built.get_or_init(|| self.build()) {
            Ok(_) => panic!("`{}` builds", self.name),
            Err(said) => said,
        }
    }

    /// The place in the edited copy where `part` begins, as messages show it.
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

    /// All editions are built in one place, so that what they share is built once; one after another, other test runs
    /// included.
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

    /// Beside what cargo built for this run, of which everything is taken that an edit does not change: the same packages
    /// are asked for, with a target (`serve`) that has their tests' features. What an edit changes has a feature of its own,
    /// so that nothing of this run is replaced; programs go to `target`.
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
