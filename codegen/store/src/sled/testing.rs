//! A data directory without any guard, for tests that damage it.

use std::path::Path;

use super::checksum::Commit;
use super::reader::Reader;
use super::start::open_trees;
use super::trees::Trees;
use crate::engine::{Bytes, EngineError, Reads};
use crate::schema::Schema;
use crate::tree::Tree;

/// What sled finds in a data directory. Every method panics if sled fails.
pub struct Raw {
    trees: Trees,
    schema: &'static Schema,
}

impl Raw {
    /// The tree with the pieces of long values.
    pub const PIECES: Tree = Tree::PIECES;

    /// Opens a directory without any check.
    ///
    /// # Panics
    /// If sled cannot open it.
    #[must_use]
    pub fn open(path: &Path, schema: &'static Schema) -> Self {
        let trees = open_trees(path, schema).expect("it opens");
        Self { trees, schema }
    }

    /// Reads values.
    #[must_use]
    pub fn reads(&self) -> &impl Reads {
        &self.trees
    }

    /// What is stored under a key, where something is: a value, or a reference to its pieces.
    #[must_use]
    pub fn stored(&self, tree: Tree, key: &[u8]) -> Bytes {
        let stored = self.trees.stored(tree, key).expect("it can be read");
        stored.expect("it is there")
    }

    /// Stores anything under a key.
    pub fn put(&self, tree: Tree, key: &[u8], stored: &[u8]) {
        self.trees.tree(tree).insert(key, stored).expect("it can be written");
    }

    /// Removes what is stored under a key, where something is stored.
    pub fn take(&self, tree: Tree, key: &[u8]) -> Bytes {
        let taken = self.trees.tree(tree).remove(key).expect("it can be written");
        taken.expect("it was there")
    }

    /// How many pieces of long values there are.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.trees.all_stored(Tree::PIECES).count()
    }

    /// Sets the checksum to that of the present entries.
    pub fn seal(&self) {
        let last = self.trees.stored(Tree::META, Commit::NAME.as_bytes()).expect("a read");
        let last = last.and_then(|entry| Commit::decode(&entry)).expect("a commit");
        let checksum = self.load(|reader| {
            for tree in self.schema.trees.iter().chain([&Tree::PIECES]) {
                let mut entries = reader.tree(*tree);
                while entries.next(reader)?.is_some() {}
            }
            Ok::<_, EngineError>(reader.checksum())
        });
        let checksum = checksum.expect("all trees can be read");
        let sealed = Commit { checksum, ..last };
        self.put(Tree::META, Commit::NAME.as_bytes(), &sealed.encode());
    }

    /// Passes the content to `load`, whatever it is.
    pub fn load<T>(&self, load: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        load(&mut Reader::new(&self.trees))
    }
}
