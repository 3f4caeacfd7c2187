//! Whom a change concerns: the operations that show it, in few words.

use codegen::Model;
use codegen::model::{Operation, Surface};
use std::collections::BTreeSet;

/// Fewer operations of a method are told one by one, even where they are all of a surface.
const FEWEST_OF_A_METHOD: usize = 3;

/// The operations that show a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Concerned {
    /// Each of them, those of the new contract first.
    pub(super) operations: Vec<Shown>,
    /// The same in as few words as possible: `every operation`, or whole surfaces, whole methods and what is left.
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
            if !is_all {
                self.words.extend(words(surface, &shown));
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

/// Operations of a surface, all of it or all of a method in one.
fn words(surface: &Surface, shown: &[Shown]) -> Vec<String> {
    let base = match surface.base.as_str() {
        "" => String::new(),
        base => format!(" (`{base}`)"),
    };
    let name = format!("surface `{}`{base}", surface.name);
    if shown.len() > 1 && shown.len() == surface.operations.len() {
        return vec![format!("all of {name}")];
    }
    let are_all = |method: &str| {
        let of_surface = surface.operations.iter().filter(|operation| operation.method == method);
        let of_shown = shown.iter().filter(|shown| shown.method == method);
        let count = of_shown.count();
        count >= FEWEST_OF_A_METHOD && count == of_surface.count()
    };
    let words = shown.iter().map(|shown| match are_all(&shown.method) {
        true => format!("all `{}` of {name}", shown.method),
        false => shown.words(),
    });
    let mut words: Vec<String> = words.collect();
    let mut before = BTreeSet::new();
    words.retain(|words| before.insert(words.clone()));
    words
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is_meant: impl Fn(&Surface, &Operation) -> bool, most: usize, expected: Option<&str>) {
        let source = include_str!("../../../tests/mistakes/base.yaml");
        let model = codegen::understand(source).expect("no mistake");
        let of_surface = |surface: &Surface| -> Vec<String> {
            let operations = surface.operations.iter();
            let meant = operations.filter(|operation| is_meant(surface, operation));
            meant.map(|operation| named(surface, operation)).collect()
        };
        let names: BTreeSet<String> = model.surfaces.iter().flat_map(of_surface).collect();
        let concerned = Concerned::of(&names, &model, &model);
        assert_eq!(concerned.operations.len(), names.len());
        assert_eq!(concerned.words(most).as_deref(), expected);
    }

    #[test]
    fn whole_surfaces_and_methods_are_told_in_one() {
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
    fn of_many_the_first_are_told_and_how_many_are_not() {
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
