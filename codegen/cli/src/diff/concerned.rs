//! Whom a change concerns: the operations that show it, in few words.

use codegen::Model;
use codegen::model::{Operation, Surface};
use std::collections::BTreeSet;

/// The operations that show a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Concerned {
    /// Each of them, those of the new contract first.
    pub(super) operations: Vec<Shown>,
    /// The same in as few words as possible: `every operation`, or whole surfaces and what is left.
    words: Vec<String>,
}

/// An operation as clients know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) surface: String,
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
}

impl Concerned {
    pub(super) fn of(names: &BTreeSet<String>, old: &Model, new: &Model) -> Self {
        let mut concerned = Concerned {
            operations: Vec::new(),
            words: Vec::new(),
        };
        let all: BTreeSet<String> = names_of(new);
        let (known, gone): (BTreeSet<&str>, BTreeSet<&str>) =
            names.iter().map(String::as_str).partition(|name| all.contains(*name));
        if known.len() > 1 && known.len() == all.len() {
            concerned.words.push("every operation".to_owned());
        }
        concerned.add(&known, new);
        concerned.add(&gone, old);
        concerned
    }

    fn add(&mut self, names: &BTreeSet<&str>, model: &Model) {
        let is_all = !self.words.is_empty();
        for surface in &model.surfaces {
            let is_meant = |operation: &&Operation| names.contains(named(surface, operation).as_str());
            let meant = surface.operations.iter().filter(is_meant);
            let shown: Vec<Shown> = meant.map(|operation| shown(surface, operation)).collect();
            let is_whole = shown.len() > 1 && shown.len() == surface.operations.len();
            match (is_all, is_whole) {
                (true, _) => {}
                (false, true) => self.words.push(format!("all of surface `{}`", surface.name)),
                (false, false) => self.words.extend(shown.iter().map(Shown::words)),
            }
            self.operations.extend(shown);
        }
    }

    /// At most so many of the words, and how many are left out; none where no operation shows the change.
    pub(super) fn words(&self, most: usize) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        // One that is left out takes as much room as saying so.
        let shown = if self.words.len() > most.saturating_add(1) {
            most
        } else {
            self.words.len()
        };
        let mut text = self.words[..shown].join(", ");
        if shown < self.words.len() {
            text.push_str(&format!(" and {} more", self.words.len() - shown));
        }
        Some(text)
    }
}

impl Shown {
    /// `` `GET /books/:id` ``
    fn words(&self) -> String {
        format!("`{} {}`", self.method, self.path)
    }
}

fn names_of(model: &Model) -> BTreeSet<String> {
    let of_surface = |surface: &Surface| -> Vec<String> {
        let operations = surface.operations.iter();
        operations.map(|operation| named(surface, operation)).collect()
    };
    model.surfaces.iter().flat_map(of_surface).collect()
}

fn named(surface: &Surface, operation: &Operation) -> String {
    format!("{}.{}", surface.name, operation.name)
}

fn shown(surface: &Surface, operation: &Operation) -> Shown {
    Shown {
        surface: surface.name.clone(),
        name: operation.name.clone(),
        method: operation.method.clone(),
        path: format!("{}{}", surface.base, operation.route),
    }
}
