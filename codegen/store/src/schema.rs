//! What a store contains, and how its errors name the program.

use crate::tree::Tree;

/// The content of a store.
#[derive(Debug)]
pub struct Schema {
    /// Whose store it is.
    pub program: Program,
    /// The version of the layout: of trees, keys and values. A store with another one is rejected.
    pub layout: i64,
    /// Its trees, [`Tree::META`] first, each at its place.
    pub trees: &'static [Tree],
}

/// The words in which errors tell the operator of a program what to do.
#[derive(Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// The option that names the data directory, such as `--data DIR`.
    pub data_option: &'static str,
    /// The option that names a database, such as `--url URL`.
    pub database_option: &'static str,
    /// The file with its contract.
    pub contract: &'static str,
}

#[cfg(test)]
pub(crate) const HITODE: Program = Program {
    name: "hitode",
    data_option: "--data DIR",
    database_option: "--url URL",
    contract: "api.yaml",
};
