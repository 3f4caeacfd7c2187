//! The places at which two trees differ.

use crate::mutations::yaml::Yaml;

/// A path in parts.
pub(super) type Path = Vec<String>;

/// Where two trees differ, as deep as the difference stands.
pub(super) fn touched(old: &Yaml, new: &Yaml) -> Vec<Path> {
    let mut found = Vec::new();
    differ(old, new, &mut Vec::new(), &mut found);
    found
}

fn differ(old: &Yaml, new: &Yaml, path: &mut Path, found: &mut Vec<Path>) {
    if old == new {
        return;
    }
    let (Some(olds), Some(news)) = (children(old), children(new)) else {
        return found.push(path.clone());
    };
    let is_either_list = |one: &Yaml, other: &Yaml| matches!((one, other), (Yaml::List(_), Yaml::Map(_)));
    if is_either_list(old, new) || is_either_list(new, old) {
        return found.push(path.clone());
    }
    let before = found.len();
    for (name, old) in &olds {
        path.push(name.clone());
        match news.iter().find(|(other, _)| other == name) {
            Some((_, new)) => differ(old, new, path, found),
            None => found.push(path.clone()),
        }
        path.pop();
    }
    for (name, _) in news
        .iter()
        .filter(|(name, _)| !olds.iter().any(|(other, _)| other == name))
    {
        found.push([path.as_slice(), std::slice::from_ref(name)].concat());
    }
    if found.len() == before {
        // Nothing but their order.
        found.push(path.clone());
    }
}

/// The entries of a map, or the items of a list by their text.
fn children(node: &Yaml) -> Option<Vec<(String, &Yaml)>> {
    match node {
        Yaml::Map(entries) => Some(entries.iter().map(|(name, value)| (name.clone(), value)).collect()),
        Yaml::List(items) => Some(items.iter().map(item).collect()),
        _ => None,
    }
}

fn item(node: &Yaml) -> (String, &Yaml) {
    match node {
        Yaml::Plain(text) | Yaml::Text(text) => (text.clone(), node),
        Yaml::Map(entries) => match entries.as_slice() {
            [(name, value)] => (name.clone(), value),
            _ => (String::new(), node),
        },
        Yaml::List(_) => (String::new(), node),
    }
}

/// Whether what stands at a path is at one of these places, in one of them, or not far above.
pub(super) fn is_near(path: &str, places: &[Path]) -> bool {
    places.iter().any(|place| {
        let whole = place.join(".");
        let is_below = path
            .strip_prefix(&whole)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        is_below || above(place).any(|above| above == path)
    })
}

/// The key that holds it, and what that is a key of.
fn above(place: &Path) -> impl Iterator<Item = String> + '_ {
    (1..=2)
        .filter(|up| *up < place.len())
        .map(|up| place[..place.len() - up].join("."))
}
