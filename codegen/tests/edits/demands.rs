//! Checks the reported changes of an edit.

use super::contract::Contract;
use super::edit::{Edit, Kind, Step};
use super::touched::{Path, is_near, is_order_alone, touched};
use crate::mutations::yaml::Yaml;
use codegen::Model;
use codegen::diff::{Change, compare};
use codegen::syntax::Name;
use std::collections::BTreeSet;

/// An edit that the compiler accepts.
pub(super) struct EditCase<'c> {
    pub(super) contract: &'c Contract,
    pub(super) edit: Edit,
    pub(super) tree: Yaml,
    pub(super) model: Model,
    /// Whether more than the edit was changed, so that it is accepted.
    pub(super) is_mended: bool,
    pub(super) touched: Vec<Path>,
    pub(super) changes: Vec<Change>,
    /// The changes when the edit is undone.
    pub(super) back: Vec<Change>,
}

impl<'c> EditCase<'c> {
    /// The edit, if it is accepted unchanged.
    pub(super) fn accepted(contract: &'c Contract, edit: &Edit) -> Option<EditCase<'c>> {
        let tree = edit.applied(contract);
        let model = codegen::compile(&tree.render()).ok()?;
        EditCase::new(contract, edit.clone(), (tree, model), false)
    }

    /// The edit with its consequences; `None` if it is still rejected or has no effect.
    pub(super) fn mended(contract: &'c Contract, edit: &Edit) -> Option<EditCase<'c>> {
        let new = super::mend::mended(edit.applied(contract))?;
        EditCase::new(contract, edit.clone(), new, true)
    }

    fn new(contract: &'c Contract, edit: Edit, (tree, model): (Yaml, Model), is_mended: bool) -> Option<EditCase<'c>> {
        let touched = touched(&contract.tree, &tree);
        (!touched.is_empty()).then(|| EditCase {
            changes: compare(&contract.model, &model),
            back: compare(&model, &contract.model),
            contract,
            edit,
            tree,
            model,
            is_mended,
            touched,
        })
    }

    /// The keys that the edit changes: those that it touches, those around them, and those of added or removed entries.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let touched: Vec<String> = self.touched.iter().map(|path| path.join(".")).collect();
        let is_within = |path: &str, of: &str| {
            path.strip_prefix(of)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let spots = self.contract.spots.iter();
        let keys = spots.filter(move |spot| {
            touched
                .iter()
                .any(|path| is_within(&spot.path, path) || is_within(path, &spot.path))
        });
        keys.map(|spot| (spot.section.what, spot.key.name))
            .chain([(self.edit.section.what, self.edit.key.name)])
    }

    /// The failed checks.
    pub(super) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        self.is_reported(&mut failures);
        self.is_all_that_is_reported(&mut failures);
        self.is_reversed(&mut failures);
        self.has_two_texts(&mut failures);
        failures
    }

    fn is_reported(&self, failures: &mut Vec<String>) {
        let is_same = self.contract.meaning == meaning(&self.model);
        match self.changes.len() {
            0 if !is_same && may_mean_nothing(self).is_none() => failures.push("it is not reported".to_owned()),
            1.. if is_same => failures.push("the models are alike".to_owned()),
            1.. if is_order_alone(&self.contract.tree, &self.tree) => {
                failures.push("nothing but an order that means nothing".to_owned())
            }
            2.. if self.is_of_one_scalar() => failures.push("more than one change".to_owned()),
            1.. if !self.is_renamed() => failures.push("one change says that it is called otherwise".to_owned()),
            _ => {}
        }
    }

    /// Whether the edit changes one scalar and nothing else.
    fn is_of_one_scalar(&self) -> bool {
        let is_scalar = matches!(&self.edit.step, Step::At(_, Yaml::Plain(_) | Yaml::Text(_)));
        // A scalar may be mended by leaving out what has it, and which list is counted decides the whole request.
        let is_alone = |touched: &[String]| {
            touched.join(".").len() >= self.edit.path.len() && !touched.contains(&"counts".to_owned())
        };
        is_scalar && self.touched.len() == 1 && is_alone(&self.touched[0])
    }

    /// Whether a rename is reported as one change for each renamed thing, if all mentions follow it.
    fn is_renamed(&self) -> bool {
        let Step::Rename(kind, old, _) = &self.edit.step else {
            return true;
        };
        let are_renamed = self
            .changes
            .iter()
            .all(|change| change.rule.name().ends_with("-renamed"));
        let is_each = self.changes.len() == self.contract.declarations(*kind, old);
        !DECLARED.contains(kind) || self.is_mended || (are_renamed && is_each)
    }

    fn is_all_that_is_reported(&self, failures: &mut Vec<String>) {
        for change in &self.changes {
            let mut paths = [&change.old, &change.new].into_iter().flatten();
            if !paths.all(|path| is_near(path, &self.touched)) {
                failures.push(format!("`{}` is elsewhere: {}", change.rule.name(), change.path()));
            }
        }
        let places: BTreeSet<_> = self
            .changes
            .iter()
            .map(|change| (change.rule.name(), &change.old, &change.new))
            .collect();
        if places.len() < self.changes.len() {
            failures.push("one rule twice at one place".to_owned());
        }
    }

    /// Checks that the way back reports the same places and the opposite changes.
    fn is_reversed(&self, failures: &mut Vec<String>) {
        // If two entries change places, either one may be reported as moved.
        let path = |change: &Change, path: &Option<String>| match change.rule.name() {
            "error-order-changed" => Some("errors".to_owned()),
            _ => path.clone(),
        };
        let places = |change: &Change| (path(change, &change.old), path(change, &change.new));
        let there: BTreeSet<_> = self.changes.iter().map(places).collect();
        let back = self.back.iter().map(places);
        let here: BTreeSet<_> = back.map(|(old, new)| (new, old)).collect();
        if there != here {
            let (only_there, only_back) = (there.difference(&here), here.difference(&there));
            let (there, back): (Vec<_>, Vec<_>) = (only_there.collect(), only_back.collect());
            failures.push(format!(
                "the way back is another: only there {there:?}, only back {back:?}"
            ));
        }
        for change in &self.changes {
            let mut opposite = self
                .back
                .iter()
                .filter(|back| (&back.old, &back.new) == (&change.new, &change.old));
            let wanted = self.opposite(change.rule.name());
            // The opposite of an added move may also be a move out of a former final state.
            let is_opposite = |rule: &str, wanted: &str| rule.ends_with(wanted) || rule == "final-state-left";
            if wanted.is_some_and(|wanted| !opposite.any(|back| is_opposite(back.rule.name(), wanted))) {
                failures.push(format!("the way back of `{}` is not the opposite", change.rule.name()));
            }
        }
    }

    /// Checks that no sentence shows the same text before and after.
    fn has_two_texts(&self, failures: &mut Vec<String>) {
        let messages = self.changes.iter().chain(&self.back).map(Change::message);
        failures.extend(
            messages
                .filter(|message| has_one_text(message))
                .map(|message| format!("no difference: {message}")),
        );
    }

    /// The ending of the rule's name on the way back, where that is simple.
    fn opposite(&self, rule: &str) -> Option<&'static str> {
        const NAMES: [(&str, &str); 4] = [
            ("-added", "-removed"),
            ("-removed", "-added"),
            ("-renamed", "-renamed"),
            ("-moved", "-moved"),
        ];
        // Another rate, type or class of characters can be narrower and wider at once.
        const BOUNDS: [(&str, &str); 4] = [
            ("-raised", "-lowered"),
            ("-lowered", "-raised"),
            ("-narrowed", "-widened"),
            ("-widened", "-narrowed"),
        ];
        let bounds: &[_] = match self.edit.kind {
            Kind::Raised | Kind::Lowered => &BOUNDS,
            _ => &[],
        };
        let mut opposites = NAMES.iter().chain(bounds);
        opposites.find(|(end, _)| rule.ends_with(end)).map(|(_, back)| *back)
    }

    /// Renders the edit and its reported changes.
    pub(super) fn render(&self) -> String {
        let touched: Vec<String> = self.touched.iter().map(|path| path.join(".")).collect();
        let value = match &self.edit.step {
            Step::At(pointer, value) => {
                let now = short(self.contract.tree.at(pointer));
                format!("{now}\n   -> {}", short(value))
            }
            other => format!("{other:?}"),
        };
        let changes = self.changes.iter().map(|change| {
            let paths = (change.old.as_deref(), change.new.as_deref());
            format!("\n   {} {paths:?}: {}", change.rule.name(), change.message())
        });
        format!(
            "{}: {:?} of `{}` of {} at {}\n   {value}\n   touched: {}{}",
            self.contract.name,
            self.edit.kind,
            self.edit.key.name,
            self.edit.section.what,
            self.edit.path,
            touched.join(", "),
            changes.collect::<String>(),
        )
    }
}

fn short(value: &Yaml) -> String {
    let text = value.render().replace('\n', " ");
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(300)
        .collect()
}

/// Whether a sentence of a message has one text before and after, as "`n` is 1, was 1".
pub(crate) fn has_one_text(message: &str) -> bool {
    message.split("; ").any(|sentence| {
        let split = sentence
            .rsplit_once(", was ")
            .or_else(|| sentence.rsplit_once(", were "));
        // "`n` is a list, each item a date, was a date"
        let is_within = |is: &str| is.ends_with(", each item ");
        split.is_some_and(|(is, was)| {
            is.strip_suffix(was)
                .is_some_and(|rest| rest.ends_with(' ') && !is_within(rest))
        })
    })
}

/// The kinds of names whose declarations can be renamed.
const DECLARED: [Name; 13] = [
    Name::Decision,
    Name::ErrorRow,
    Name::Limit,
    Name::Quota,
    Name::Credential,
    Name::Type,
    Name::Enum,
    Name::Object,
    Name::Input,
    Name::Resource,
    Name::View,
    Name::Surface,
    Name::Operation,
];

/// A model without positions in the file.
pub(super) fn meaning(model: &Model) -> String {
    let text = format!("{model:?}");
    let mut parts = text.split("Span {");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    rest
}

/// Why an edit may be no change although the model differs.
fn may_mean_nothing(case: &EditCase<'_>) -> Option<&'static str> {
    if is_order_alone(&case.contract.tree, &case.tree) {
        return Some("an order that means nothing");
    }
    match (case.edit.kind, case.edit.key.name) {
        (Kind::ItemMoved, "guards" | "enums" | "only") | (Kind::EntryMoved, "errors" | "enums") => {
            Some("two that never meet, or that nothing is sorted by")
        }
        (Kind::ItemAdded | Kind::ItemRemoved | Kind::Other, "sort" | "orders") => {
            Some("what stands behind `id`, or is it at the end")
        }
        (Kind::Default, "fields") if matches!(&case.edit.step, Step::At(_, Yaml::Text(of)) if of == "boolean") => {
            Some("`false`, which a boolean is that was never given")
        }
        (Kind::Default, "fields") if matches!(&case.edit.step, Step::At(_, Yaml::Text(of)) if of.ends_with(" = []")) => {
            Some("no items, which a list has that was never given")
        }
        (_, "event") => Some("that nothing is to be told, which only the linter asks"),
        (_, "example") => Some("a value that only documents show"),
        (Kind::EntryCopied, _) => Some("what has two names and is the same"),
        (Kind::Optional, "success" | "error") => {
            Some("a member of the envelope that there is always something to say of")
        }
        _ => None,
    }
}
