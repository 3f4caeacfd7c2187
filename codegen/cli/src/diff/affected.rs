//! The operations that a change affects, in few words.

use codegen::Model;
use codegen::model::{Operation, Surface};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer operations of a method are named one by one, even if they are all of that method on a surface.
const FEWEST_OF_A_METHOD: usize = 3;

/// The operations that a change affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Affected {
    /// Every operation, those of the new contract first.
    pub(super) operations: Vec<AffectedOperation>,
    /// The same in as few words as possible: `every operation`, or whole surfaces, whole methods and the remaining
    /// operations.
    words: Vec<String>,
}

/// An operation as clients know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AffectedOperation {
    pub(super) surface: String,
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
}

impl Affected {
    pub(super) fn from_names(names: &BTreeSet<String>, old: &Model, new: &Model) -> Self {
        let mut meant: BTreeSet<(&str, &str)> = names.iter().filter_map(|name| name.split_once('.')).collect();
        let mut affected = Affected {
            operations: Vec::new(),
            words: Vec::new(),
        };
        affected.add(&mut meant, new);
        let count: usize = new.surfaces.iter().map(|surface| surface.operations.len()).sum();
        if count > 1 && affected.operations.len() == count {
            affected.words = vec!["every operation".to_owned()];
        }
        affected.add(&mut meant, old);
        affected
    }

    /// Moves the operations that a contract has from `meant` to this list.
    fn add<'n>(&mut self, meant: &mut BTreeSet<(&'n str, &'n str)>, model: &'n Model) {
        for surface in &model.surfaces {
            let operations = surface.operations.iter();
            let found = operations.filter(|operation| meant.remove(&(&*surface.name, &*operation.name)));
            let operations: Vec<AffectedOperation> =
                found.map(|operation| affected_operation(surface, operation)).collect();
            self.words.extend(words(surface, &operations));
            self.operations.extend(operations);
        }
    }

    /// At most `most` of the words, and how many are left out; `None` if no operation shows the change.
    pub(super) fn words(&self, most: usize) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        // A single omitted word would take as much room as the note about it.
        let count = if self.words.len() > most.saturating_add(1) {
            most
        } else {
            self.words.len()
        };
        let mut text = self.words[..count].join(", ");
        if count < self.words.len() {
            text.push_str(&format!(" and {} more", self.words.len() - count));
        }
        Some(text)
    }
}

/// The operations of a surface, with the whole surface or a whole method as one item.
fn words(surface: &Surface, affected: &[AffectedOperation]) -> Vec<String> {
    if affected.len() < FEWEST_OF_A_METHOD && affected.len() < surface.operations.len() {
        return affected.iter().map(AffectedOperation::words).collect();
    }
    let base = match surface.base.as_str() {
        "" => String::new(),
        base => format!(" (`{base}`)"),
    };
    let name = format!("surface `{}`{base}", surface.name);
    if affected.len() > 1 && affected.len() == surface.operations.len() {
        return vec![format!("all of {name}")];
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for operation in &surface.operations {
        counts.entry(&operation.method).or_default().0 += 1;
    }
    for operation in affected {
        counts.entry(&operation.method).or_default().1 += 1;
    }
    let mut named_methods = BTreeSet::new();
    let words = affected
        .iter()
        .filter_map(|operation| match counts[&*operation.method] {
            (all, meant) if all == meant && all >= FEWEST_OF_A_METHOD => named_methods
                .insert(&operation.method)
                .then(|| format!("all `{}` of {name}", operation.method)),
            _ => Some(operation.words()),
        });
    words.collect()
}

impl AffectedOperation {
    /// `` `GET /books/:id` ``
    fn words(&self) -> String {
        format!("`{} {}`", self.method, self.path)
    }
}

fn affected_operation(surface: &Surface, operation: &Operation) -> AffectedOperation {
    AffectedOperation {
        surface: surface.name.clone(),
        name: operation.name.clone(),
        method: operation.method.to_string(),
        path: format!("{}{}", surface.base, operation.route),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is_meant: impl Fn(&Surface, &Operation) -> bool, most: usize, expected: Option<&str>) {
        let source = include_str!("../../../tests/ui/base.yaml");
        let model = codegen::compile(source).expect("no mistake");
        let of_surface = |surface: &Surface| -> Vec<String> {
            let operations = surface.operations.iter();
            let meant = operations.filter(|operation| is_meant(surface, operation));
            meant
                .map(|operation| format!("{}.{}", surface.name, operation.name))
                .collect()
        };
        let names: BTreeSet<String> = model.surfaces.iter().flat_map(of_surface).collect();
        let affected = Affected::from_names(&names, &model, &model);
        assert_eq!(affected.operations.len(), names.len());
        assert_eq!(affected.words(most).as_deref(), expected);
    }

    #[test]
    fn whole_surfaces_and_methods_are_summarized() {
        check(|_, _| true, 9, Some("every operation"));
        check(|_, _| false, 9, None);
        check(
            |one, _| one.name == "reading",
            9,
            Some("all of surface `reading` (`/v1`)"),
        );
        let words = "all `GET` of surface `reading` (`/v1`), `GET /desk/readers`";
        check(|_, one| one.method == "GET", 9, Some(words));
    }

    #[test]
    fn of_many_the_first_are_listed_and_the_others_counted() {
        let is_meant = |_: &Surface, one: &Operation| one.method != "GET";
        check(
            is_meant,
            2,
            Some("`POST /v1/volumes/:id/loans`, `PATCH /v1/loans/:id` and 3 more"),
        );
        let is_meant = |_: &Surface, one: &Operation| one.route.starts_with("/loans/");
        check(is_meant, 1, Some("`PATCH /v1/loans/:id`, `DELETE /v1/loans/:id`"));
    }
}
