//! The places at which two trees differ.

use crate::mutations::yaml::Yaml;
use codegen::yaml::DESCRIBED;

/// The parts of a path.
pub(super) type Path = Vec<String>;

/// Lists and maps whose order has a meaning: the precedence of error responses, the sort order of a list, the order in which
/// records are looked up, the columns of a table, and the values of an enum that lists are sorted by.
const ORDERED: [&str; 4] = ["sort", "guards", "enums", "columns"];

/// Whether two trees differ only in an order that has no meaning.
pub(super) fn is_order_alone(old: &Yaml, new: &Yaml) -> bool {
    in_order(old, 0) == in_order(new, 0)
}

fn in_order(node: &Yaml, depth: usize) -> Yaml {
    match node {
        Yaml::List(items) => {
            let mut items: Vec<Yaml> = items.iter().map(|item| in_order(item, depth + 1)).collect();
            items.sort_by_key(Yaml::render);
            Yaml::List(items)
        }
        Yaml::Map(entries) => {
            let is_ordered = |key: &str| ORDERED.contains(&key) || (depth == 0 && key == "errors");
            let entry = |(key, value): &(String, Yaml)| match is_ordered(key) {
                true => (key.clone(), value.clone()),
                false => (key.clone(), in_order(value, depth + 1)),
            };
            let mut entries: Vec<(String, Yaml)> = entries.iter().map(entry).collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Yaml::Map(entries)
        }
        scalar => scalar.clone(),
    }
}

/// The places at which two trees differ, as deep as possible.
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
        // Only the order differs.
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
        Yaml::Plain(text) | Yaml::Text(text) => {
            let name = text.split_once(DESCRIBED).map_or(text.as_str(), |(name, _)| name);
            (name.to_owned(), node)
        }
        Yaml::Map(entries) => match entries.as_slice() {
            [(name, value)] => (name.clone(), value),
            _ => (String::new(), node),
        },
        Yaml::List(_) => (String::new(), node),
    }
}

const ROUTES: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Whether a path is at one of these places, inside one, or closely above.
///
/// A route identifies an endpoint: if it moves to another endpoint, every difference between the two endpoints is a
/// change for the caller. The same holds for the step of an error response.
pub(super) fn is_near(path: &str, places: &[Path]) -> bool {
    places.iter().any(|place| {
        let whole = match place.as_slice() {
            [endpoint @ .., method] if ROUTES.contains(&method.as_str()) => endpoint.join("."),
            [surface @ .., base] if base == "base" => surface.join("."),
            // A feed is the whole answer, counts are the whole request, too, and the record of an event is what its data are of.
            [endpoint @ .., key] if ["feed", "counts"].contains(&key.as_str()) => endpoint.join("."),
            [endpoint @ .., counts, _] if counts == "counts" => endpoint.join("."),
            [events, kinds @ .., of] if events == "events" && of == "of" => format!("{events}.{}", kinds.join(".")),
            [errors, error, at] if errors == "errors" && at == "at" => format!("errors.{error}"),
            place => place.join("."),
        };
        let is_below = path
            .strip_prefix(&whole)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        is_below || above(place).any(|above| above == path) || is_of_event(path, place) || is_made_of(path, place)
    })
}

/// Whether a path is of an event that depends on a place: its causes are endpoints, and its data have values of enums.
fn is_of_event(path: &str, place: &Path) -> bool {
    let Some(event) = path.strip_prefix("events.kinds.") else {
        return false;
    };
    let is_route = place.last().is_some_and(|last| ROUTES.contains(&last.as_str()));
    is_route || (place[0] == "enums" && event.contains(".data."))
}

/// Whether a path is what an endpoint makes, which has a value for each member of its body.
fn is_made_of(path: &str, place: &Path) -> bool {
    let body = place.iter().position(|key| key == "body");
    let makes = body.map(|body| format!("{}.makes", place[..body].join(".")));
    makes.is_some_and(|makes| makes == path)
}

/// The key around a place, and the owner of that key.
fn above(place: &Path) -> impl Iterator<Item = String> + '_ {
    (1..=2)
        .filter(|up| *up < place.len())
        .map(|up| place[..place.len() - up].join("."))
}
