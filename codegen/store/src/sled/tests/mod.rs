//! The guards of the engine: files, damage, snapshots, across closing and reopening.

mod checksum;
mod damage;
mod kinds;
mod life;
mod lost;
mod snapshots;

use std::ops::Bound;

use tempfile::TempDir;

use super::*;
use crate::schema::HITODE;

const ONE: Tree = Tree::at(Tree::FIRST, "one");
const TWO: Tree = Tree::at(Tree::FIRST + 1, "two");
const LEFT_OUT: Tree = Tree::at(Tree::FIRST + 2, "left_out").without_checksum();

static SCHEMA: Schema = Schema {
    program: HITODE,
    layout: 1,
    trees: &[Tree::META, ONE, TWO, LEFT_OUT],
};

const ORDER: [Tree; 2] = [TWO, ONE];

/// Reads everything.
fn load(reader: &mut Reader<'_>) -> Result<Result<(), Findings>, EngineError> {
    let mut findings = Findings::default();
    for tree in SCHEMA.trees {
        let mut entries = reader.tree(*tree);
        while entries.next(reader)?.is_some() {}
    }
    reader.pieces(&mut findings, |tree, key| format!("{} {key:?}", tree.name()))?;
    Ok(if findings.is_empty() { Ok(()) } else { Err(findings) })
}

fn open(dir: &TempDir) -> Opened<()> {
    SledEngine::open(dir.path(), &SCHEMA, Durability::Unsynced, load).expect("it opens")
}

fn engine() -> (TempDir, SledEngine) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let engine = open(&dir).engine;
    (dir, engine)
}

/// A store in a directory of its own.
struct Place {
    opened: Opened<()>,
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Self::of(dir)
    }

    fn of(dir: TempDir) -> Self {
        let opened = SledEngine::open(dir.path(), &SCHEMA, Durability::Synced, load).expect("it opens");
        Self { opened, dir }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Closes the store.
    fn closed(self) -> TempDir {
        self.dir
    }

    fn reopened(self) -> Self {
        Self::of(self.closed())
    }

    /// Stores a value in a commit of its own.
    fn put(&self, key: &str, value: &[u8]) {
        let batch = Batch::from([((ONE, Bytes::from(key)), Some(Bytes::from(value)))]);
        self.opened.engine.commit(&batch).expect("it is written");
    }

    fn has(&self, key: &str) -> bool {
        self.opened.engine.get(ONE, key.as_bytes()).expect("a read").is_some()
    }
}

/// All entries of all trees, by tree, key and value.
fn entries(reads: &impl Reads) -> Vec<(Tree, Bytes, Bytes)> {
    let mut all = Vec::new();
    for tree in SCHEMA.trees {
        let entries = reads.range(*tree, (Bound::Unbounded, Bound::Unbounded), usize::MAX);
        let entries = entries.expect("it can be read").into_iter();
        all.extend(entries.map(|(key, value)| (*tree, key, value)));
    }
    all
}

/// Opens a directory and closes it again.
fn try_open(path: &Path) -> Result<(), OpenError> {
    SledEngine::open(path, &SCHEMA, Durability::Synced, load).map(drop)
}
