//! Edits of the keys of a section. Each counts for the key that is added, removed or gives its value.

use super::contract::{Contract, Spot};
use super::edit::{Edit, Kind, Step};
use crate::mutations::random::Random;
use crate::mutations::yaml::Yaml;
use codegen::syntax::{Key, Presence, Section};

type Entries = Vec<(String, Yaml)>;

/// The edits of the present and the possible keys of a section.
pub(super) fn edits(
    contract: &Contract,
    (spot, section): (&Spot, &'static Section),
    entries: &[(String, Yaml)],
    random: &mut Random,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for key in section.keys {
        let changed = match position(entries, key) {
            Some(at) => of_present(contract, section, (key, at), entries, random),
            None if key.presence == Presence::Choice => Vec::new(),
            None => of_absent(contract, section, key, entries, random),
        };
        edits.extend(changed.into_iter().map(|(kind, entries)| Edit {
            kind,
            section,
            key,
            path: format!("{}.{}", spot.path, key.name),
            step: Step::At(spot.pointer.clone(), Yaml::Map(entries)),
        }));
    }
    edits
}

fn position(entries: &[(String, Yaml)], key: &Key) -> Option<usize> {
    entries.iter().position(|(name, _)| name == key.name)
}

fn of_absent(
    contract: &Contract,
    section: &Section,
    key: &Key,
    entries: &[(String, Yaml)],
    random: &mut Random,
) -> Vec<(Kind, Entries)> {
    let with = |value: Yaml| {
        let mut more = entries.to_vec();
        more.push((key.name.to_owned(), value));
        (Kind::KeyAdded, more)
    };
    values(contract, section, key, random).into_iter().map(with).collect()
}

fn of_present(
    contract: &Contract,
    section: &'static Section,
    (key, at): (&Key, usize),
    entries: &[(String, Yaml)],
    random: &mut Random,
) -> Vec<(Kind, Entries)> {
    let mut edits = Vec::new();
    let mut add = |kind, change: &dyn Fn(&mut Entries)| {
        let mut changed = entries.to_vec();
        change(&mut changed);
        edits.push((kind, changed));
    };
    if matches!(key.presence, Presence::Optional(_)) {
        add(Kind::KeyRemoved, &|entries| drop(entries.remove(at)));
    }
    for other in section.keys {
        let is_alike = format!("{:?}", other.form) == format!("{:?}", key.form);
        let is_choice = (key.presence, other.presence) == (Presence::Choice, Presence::Choice);
        match position(entries, other) {
            None if is_alike => add(Kind::KeyExchanged, &|entries| other.name.clone_into(&mut entries[at].0)),
            None if is_choice => {
                for value in values(contract, section, other, random) {
                    add(Kind::KeyExchanged, &|entries| {
                        entries[at] = (other.name.to_owned(), value.clone())
                    });
                }
            }
            Some(to) if to != at && is_alike && key.form.scalar().is_none() => {
                add(Kind::MovedAcross, &|entries| across(entries, at, to));
            }
            _ => {}
        }
    }
    edits
}

/// Moves the last item or entry of a list or map into another one.
fn across(entries: &mut [(String, Yaml)], from: usize, to: usize) {
    let mut source = std::mem::replace(&mut entries[from].1, Yaml::List(Vec::new()));
    match (&mut source, &mut entries[to].1) {
        (Yaml::List(items), Yaml::List(others)) => others.extend(items.pop()),
        (Yaml::Map(own), Yaml::Map(others)) => others.extend(own.pop()),
        _ => {}
    }
    entries[from].1 = source;
}

/// Values for a key: some that it has elsewhere, and its example.
fn values(contract: &Contract, section: &Section, key: &Key, random: &mut Random) -> Vec<Yaml> {
    const FEW: usize = 4;
    let elsewhere = contract.values(section, key);
    let some = (0..FEW.min(elsewhere.len())).map(|_| random.of(&elsewhere).clone());
    some.chain(Yaml::parse(key.example())).collect()
}
