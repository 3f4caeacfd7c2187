//! Edits of a contract. Each is of the kind that the form of its place has.

use super::contract::{Contract, Spot};
use super::{copies, keys, scalars};
use crate::mutations::random::Random;
use crate::mutations::yaml::Yaml;
use codegen::syntax::{self, Form, Key, Name, Section};

/// The kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A number or a rate goes up.
    Raised,
    /// A number or a rate goes down.
    Lowered,
    /// Another word, text, status, …
    Other,
    /// `?` is added or removed.
    Optional,
    /// `[x]` for `x`, or the reverse.
    Listed,
    /// A default is added, removed or changed.
    Default,
    /// A description is added, removed or changed.
    Described,
    /// An item is added.
    ItemAdded,
    /// An item is removed.
    ItemRemoved,
    /// Two items change places.
    ItemMoved,
    /// An entry is removed.
    EntryRemoved,
    /// Two entries change places.
    EntryMoved,
    /// An entry is renamed, but its mentions keep the old name.
    EntryRenamed,
    /// An entry and all its mentions are renamed.
    RenamedEverywhere,
    /// An entry is copied under another name, and one of its mentions names the copy.
    EntryCopied,
    /// A key is added.
    KeyAdded,
    /// A key is removed.
    KeyRemoved,
    /// A key replaces another one.
    KeyExchanged,
    /// Two entries of a map exchange the values of a key.
    Swapped,
    /// A resource replaces another one at every mention in an endpoint.
    Retargeted,
    /// An item or entry moves into the list or map of the neighbouring key.
    MovedAcross,
}

/// An edit.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) kind: Kind,
    pub(super) section: &'static Section,
    pub(super) key: &'static Key,
    pub(super) path: String,
    pub(super) step: Step,
}

/// One step of an edit.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Another value at one place.
    At(Vec<usize>, Yaml),
    /// Renames all declarations and mentions of a name.
    Rename(Name, String, String),
    /// Copies a named entry.
    Copy(Name, Vec<usize>, usize, usize),
}

impl Edit {
    /// The tree after the edit.
    pub(super) fn applied(&self, contract: &Contract) -> Yaml {
        match &self.step {
            Step::At(pointer, value) => {
                let mut tree = contract.tree.clone();
                *tree.at_mut(pointer) = value.clone();
                tree
            }
            Step::Rename(kind, old, new) => copies::renamed(contract, *kind, old, new),
            Step::Copy(kind, map, entry, mention) => copies::copied(contract, *kind, map, *entry, *mention),
        }
    }
}

/// All edits that are tried at a place.
pub(super) fn edits_at(contract: &Contract, spot: &Spot, random: &mut Random) -> Vec<Edit> {
    let now = contract.tree.at(&spot.pointer);
    let edit = |(kind, value): (Kind, Yaml)| Edit {
        kind,
        section: spot.section,
        key: spot.key,
        path: spot.path.clone(),
        step: Step::At(spot.pointer.clone(), value),
    };
    match (spot.form, now) {
        (Form::Scalar(scalar), _) => {
            let others = scalars::others(contract, *scalar, now, random);
            others.into_iter().map(edit).collect()
        }
        (Form::List { of, .. }, Yaml::List(items)) => {
            of_items(contract, of, items, random).into_iter().map(edit).collect()
        }
        (Form::Map { names, of, .. }, Yaml::Map(entries)) => {
            let mut edits: Vec<Edit> = of_entries(entries, random).into_iter().map(edit).collect();
            if *names == Name::EnumValue {
                edits.extend(more_states(contract, entries, random).map(edit));
            }
            edits.extend(copies::edits(contract, *names, spot, entries, random));
            if let Form::Section(section) = of {
                edits.extend(swaps(spot, section, entries, random));
            }
            edits
        }
        (Form::Section(section), Yaml::Map(entries)) => {
            let mut edits = keys::edits(contract, (spot, section), entries, random);
            if *section == syntax::Endpoint::SECTION {
                edits.extend(copies::retargeted(contract, now, random).into_iter().map(edit));
            }
            edits
        }
        _ => Vec::new(),
    }
}

fn of_items(contract: &Contract, of: &Form, items: &[Yaml], random: &mut Random) -> Vec<(Kind, Yaml)> {
    let mut edits = Vec::new();
    let changed = |change: &dyn Fn(&mut Vec<Yaml>)| {
        let mut items = items.to_vec();
        change(&mut items);
        Yaml::List(items)
    };
    for number in 0..items.len() {
        edits.push((Kind::ItemRemoved, changed(&|items| drop(items.remove(number)))));
    }
    if items.len() > 1 {
        let first = random.below(items.len());
        let last = (first + 1 + random.below(items.len() - 1)) % items.len();
        edits.push((Kind::ItemMoved, changed(&|items| items.swap(first, last))));
    }
    let example = Yaml::parse(of.example());
    let now = items.first().cloned().or(example);
    let others = match (of.scalar(), now) {
        (Some(scalar), Some(now)) => {
            let others = scalars::others(contract, scalar, &now, random);
            others.into_iter().map(|(_, other)| other).chain([now]).collect()
        }
        _ => Vec::new(),
    };
    for other in others.into_iter().filter(|other| !items.contains(other)) {
        let at = random.below(items.len() + 1);
        edits.push((Kind::ItemAdded, changed(&|items| items.insert(at, other.clone()))));
    }
    edits
}

fn of_entries(entries: &[(String, Yaml)], random: &mut Random) -> Vec<(Kind, Yaml)> {
    let mut edits = Vec::new();
    for number in 0..entries.len() {
        let mut fewer = entries.to_vec();
        fewer.remove(number);
        edits.push((Kind::EntryRemoved, Yaml::Map(fewer)));
        let mut renamed = entries.to_vec();
        renamed[number].0 = copies::another(&renamed[number].0);
        edits.push((Kind::EntryRenamed, Yaml::Map(renamed)));
    }
    if entries.len() > 1 {
        let first = random.below(entries.len());
        let last = (first + 1 + random.below(entries.len() - 1)) % entries.len();
        let neighbours = (1..entries.len()).map(|behind| (behind - 1, behind));
        for (first, last) in neighbours.chain([(first, last)]) {
            let mut moved = entries.to_vec();
            moved.swap(first, last);
            edits.push((Kind::EntryMoved, Yaml::Map(moved)));
        }
    }
    edits
}

/// A state with the successors of another one.
fn more_states(
    contract: &Contract,
    entries: &[(String, Yaml)],
    random: &mut Random,
) -> impl Iterator<Item = (Kind, Yaml)> {
    const FEW: usize = 5;
    let values = contract.names(Name::EnumValue);
    let more = (0..FEW).filter_map(|_| {
        let mut more = entries.to_vec();
        let value = more.first()?.1.clone();
        more.push((random.of(values).clone(), value));
        Some((Kind::EntryCopied, Yaml::Map(more)))
    });
    more.collect::<Vec<_>>().into_iter()
}

/// For each key, two entries that exchange their values.
fn swaps(spot: &Spot, section: &'static Section, entries: &[(String, Yaml)], random: &mut Random) -> Vec<Edit> {
    const FEW: usize = 6;
    let mut edits = Vec::new();
    for key in section.keys {
        let has = |number: &usize| matches!(&entries[*number].1, Yaml::Map(keys) if keys.iter().any(|(name, _)| name == key.name));
        let having: Vec<usize> = (0..entries.len()).filter(has).collect();
        for _ in 0..FEW.min(having.len()) {
            let (one, other) = (*random.of(&having), *random.of(&having));
            let mut swapped = entries.to_vec();
            let value = |entries: &[(String, Yaml)], number: usize| match &entries[number].1 {
                Yaml::Map(keys) => keys
                    .iter()
                    .find(|(name, _)| name == key.name)
                    .map(|(_, value)| value.clone()),
                _ => None,
            };
            for (to, from) in [(one, other), (other, one)] {
                if let (Some(now), Some(new)) = (swapped[to].1.entry_mut(key.name), value(entries, from)) {
                    *now = new;
                }
            }
            edits.push(Edit {
                kind: Kind::Swapped,
                section,
                key,
                path: spot.path.clone(),
                step: Step::At(spot.pointer.clone(), Yaml::Map(swapped)),
            });
        }
    }
    edits
}
