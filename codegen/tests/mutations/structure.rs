//! Changes to the tree of a contract: the result is still YAML, and often still a contract.

use super::random::Random;
use super::yaml::Yaml;

/// Names that are valid in a contract and that could break generated code.
const NAMES: [&str; 76] = [
    "type",
    "match",
    "async",
    "await",
    "dyn",
    "try",
    "gen",
    "union",
    "static",
    "ref",
    "move",
    "where",
    "impl",
    "box",
    "self",
    "Self",
    "crate",
    "super",
    "abstract",
    "yield",
    "macro",
    "_",
    "a",
    "x1",
    "main",
    "std",
    "core",
    "alloc",
    "caller",
    "request",
    "response",
    "query",
    "body",
    "path",
    "id",
    "ids",
    "value",
    "values",
    "rest",
    "page",
    "total",
    "new",
    "clone",
    "from",
    "into",
    "eq",
    "cmp",
    "hash",
    "fmt",
    "drop",
    "default",
    "as_str",
    "parse",
    "order",
    "rows",
    "found",
    "owned",
    "data",
    "message",
    "status",
    "Caller",
    "Request",
    "Error",
    "Success",
    "ErrorResponse",
    "String",
    "Option",
    "Vec",
    "Result",
    "Id",
    "Bodies",
    "Test",
    "T",
    "名前",
    "é",
    "no-hyphen",
];

/// Numbers at the limits of machines and of the language.
const NUMBERS: [&str; 22] = [
    "0",
    "-1",
    "1",
    "2",
    "15",
    "16",
    "100",
    "255",
    "999",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
    "9223372036854775807",
    "18446744073709551615",
    "1e15",
    "1e308",
    "0.1",
    "-0.0",
    "1e-7",
];

pub(super) fn mutated(tree: &mut Yaml, random: &mut Random) {
    match random.below(16) {
        0 => swap(tree, random),
        1 => with_map(tree, random, |entries, random| {
            drop(entries.remove(random.below(entries.len())))
        }),
        2 => with_map(tree, random, twice),
        3 => with_map(tree, random, |entries, random| {
            let (one, other) = (random.below(entries.len()), random.below(entries.len()));
            entries.swap(one, other);
        }),
        4..7 => renamed(tree, random),
        7 => with_scalar(tree, random, |scalar, random| {
            *scalar = Yaml::Plain((*random.of(&NUMBERS)).to_owned())
        }),
        8 => number(tree, random),
        9 => copied(tree, random),
        10 => moved(tree, random),
        11 => nested(tree, random),
        12 => with_list(tree, random),
        13 => boolean(tree, random),
        _ => used_otherwise(tree, random),
    }
}

fn any<'y>(tree: &'y mut Yaml, random: &mut Random) -> &'y mut Yaml {
    let number = random.below(tree.size());
    tree.nth(number).expect("the number is below the size")
}

/// Draws nodes until one is of the right kind.
fn find<'y>(tree: &'y mut Yaml, random: &mut Random, is_right: impl Fn(&Yaml) -> bool) -> Option<&'y mut Yaml> {
    let size = tree.size();
    let number = (0..200)
        .map(|_| random.below(size))
        .find(|number| tree.nth(*number).is_some_and(|node| is_right(node)))?;
    tree.nth(number)
}

fn with_map(tree: &mut Yaml, random: &mut Random, change: impl Fn(&mut Vec<(String, Yaml)>, &mut Random)) {
    let is_map = |node: &Yaml| matches!(node, Yaml::Map(entries) if !entries.is_empty());
    if let Some(Yaml::Map(entries)) = find(tree, random, is_map) {
        change(entries, random);
    }
}

fn with_scalar(tree: &mut Yaml, random: &mut Random, change: impl Fn(&mut Yaml, &mut Random)) {
    let is_scalar = |node: &Yaml| matches!(node, Yaml::Plain(_) | Yaml::Text(_));
    if let Some(scalar) = find(tree, random, is_scalar) {
        change(scalar, random);
    }
}

fn with_list(tree: &mut Yaml, random: &mut Random) {
    let is_list = |node: &Yaml| matches!(node, Yaml::List(items) if !items.is_empty());
    if let Some(Yaml::List(items)) = find(tree, random, is_list) {
        let (one, other) = (random.below(items.len()), random.below(items.len()));
        match random.below(3) {
            0 => items.swap(one, other),
            1 => drop(items.remove(one)),
            _ => items.insert(one, items[other].clone()),
        }
    }
}

fn swap(tree: &mut Yaml, random: &mut Random) {
    let (one, other) = (any(tree, random).clone(), any(tree, random).clone());
    let places = (random.below(tree.size()), random.below(tree.size()));
    if let Some(node) = tree.nth(places.0) {
        *node = one;
    }
    if let Some(node) = tree.nth(places.1) {
        *node = other;
    }
}

/// Repeats an entry: under the same name, under another one, or very often.
fn twice(entries: &mut Vec<(String, Yaml)>, random: &mut Random) {
    let (key, value) = random.of(entries).clone();
    match random.below(4) {
        0 => entries.push((key, value)),
        1 => entries.push(((*random.of(&NAMES)).to_owned(), value)),
        2 => entries.push((format!("{key}_2"), value)),
        _ => {
            let few = value.size() * 100 < 2000;
            let times = if few { 100 } else { 3 };
            entries.extend((0..times).map(|number| (format!("{key}_{number}"), value.clone())));
        }
    }
}

/// Renames something in all places.
fn renamed(tree: &mut Yaml, random: &mut Random) {
    let is_map = |node: &Yaml| matches!(node, Yaml::Map(entries) if !entries.is_empty());
    let Some(Yaml::Map(entries)) = find(tree, random, is_map) else {
        return;
    };
    let old = random.of(entries).0.clone();
    let new = other_name(&old, random);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    tree.each_text(&mut |text| {
        let mut changed = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(old.as_str()).filter(|_| !old.is_empty()) {
            let behind = &rest[at + old.len()..];
            let is_whole = !rest[..at].ends_with(is_word) && !behind.starts_with(is_word);
            changed.push_str(&rest[..at]);
            changed.push_str(if is_whole { &new } else { &old });
            rest = behind;
        }
        changed.push_str(rest);
        *text = changed;
    });
}

/// Another name, mostly in the same style.
fn other_name(old: &str, random: &mut Random) -> String {
    let name = match random.below(20) {
        0 => "a".repeat(200),
        1 => format!("{old}_id"),
        2 => format!("{old}{}", random.of(&["Id", "Seed", "Row", "Rest", "Caller"])),
        3 => format!("{}{old}", random.of(&["Find", "Admit", "absent_", "find_"])),
        4 => format!("{old}_row"),
        _ => (*random.of(&NAMES)).to_owned(),
    };
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if old.starts_with(|c: char| c.is_ascii_uppercase()) && random.below(8) > 0 => {
            first.to_uppercase().chain(letters).collect()
        }
        Some(first) if random.below(8) > 0 => first.to_lowercase().chain(letters).collect(),
        _ => name,
    }
}

fn number(tree: &mut Yaml, random: &mut Random) {
    let is_number = |node: &Yaml| matches!(node, Yaml::Plain(text) if text.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(Yaml::Plain(text)) = find(tree, random, is_number) {
        *text = (*random.of(&NUMBERS)).to_owned();
    }
}

fn boolean(tree: &mut Yaml, random: &mut Random) {
    let is_boolean = |node: &Yaml| matches!(node, Yaml::Plain(text) if matches!(text.as_str(), "true" | "false"));
    if let Some(Yaml::Plain(text)) = find(tree, random, is_boolean) {
        *text = (text == "false").to_string();
    }
}

/// Replaces a scalar by another one.
fn copied(tree: &mut Yaml, random: &mut Random) {
    let is_scalar = |node: &Yaml| matches!(node, Yaml::Plain(_) | Yaml::Text(_));
    let copy = find(tree, random, is_scalar).cloned();
    if let (Some(copy), Some(place)) = (copy, find(tree, random, is_scalar)) {
        *place = copy;
    }
}

/// Moves an entry to another map.
fn moved(tree: &mut Yaml, random: &mut Random) {
    let is_map = |node: &Yaml| matches!(node, Yaml::Map(entries) if !entries.is_empty());
    let Some(Yaml::Map(entries)) = find(tree, random, is_map) else {
        return;
    };
    let at = random.below(entries.len());
    let entry = entries.remove(at);
    if let Some(Yaml::Map(entries)) = find(tree, random, is_map) {
        entries.push(entry);
    }
}

fn nested(tree: &mut Yaml, random: &mut Random) {
    let depth = *random.of(&[1, 1, 2, 20, 110, 130, 1000]);
    let is_list = random.below(2) == 0;
    let node = any(tree, random);
    let mut inside = std::mem::replace(node, Yaml::Plain("null".to_owned()));
    for _ in 0..depth {
        inside = match is_list {
            true => Yaml::List(vec![inside]),
            false => Yaml::Map(vec![("a".to_owned(), inside)]),
        };
    }
    *any(tree, random) = inside;
}

/// Makes a type optional, a list, another type, or gives it a default.
fn used_otherwise(tree: &mut Yaml, random: &mut Random) {
    let is_text = |node: &Yaml| matches!(node, Yaml::Text(_));
    let types = declared_types(tree);
    if let (Some(Yaml::Text(text)), false) = (find(tree, random, is_text), types.is_empty()) {
        *text = match random.below(8) {
            0 => format!("{text}?"),
            1 => format!("[{text}]"),
            2 => text.trim_end_matches('?').to_owned(),
            3 => format!("{text} = 1"),
            4 => format!("{text} = []"),
            5 => format!("{}?", random.of(&types)),
            6 => format!("[{}]", random.of(&types)),
            _ => random.of(&types).clone(),
        };
    }
}

/// The type names that are allowed.
fn declared_types(tree: &Yaml) -> Vec<String> {
    let Yaml::Map(sections) = tree else { return Vec::new() };
    let mut types: Vec<String> = ["boolean", "flag", "date", "timestamp", "string", "secret"]
        .map(str::to_owned)
        .into();
    for (section, entries) in sections {
        if let Yaml::Map(entries) = entries {
            let names = entries.iter().map(|(name, _)| name.clone());
            match section.as_str() {
                "types" | "enums" | "objects" | "inputs" => types.extend(names),
                "resources" => types.extend(names.map(|name| format!("{name}.id"))),
                _ => {}
            }
        }
    }
    types
}
