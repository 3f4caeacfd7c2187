//! Other values for a scalar.

use super::contract::Contract;
use super::edit::Kind;
use crate::mutations::random::Random;
use crate::mutations::yaml::Yaml;
use codegen::syntax::{Choice, Name, Scalar};
use codegen::yaml::DESCRIBED;

/// Most words that are tried for one.
const WORDS: usize = 6;

/// Other values of a scalar, each with the kind of its edit.
pub(super) fn others(contract: &Contract, scalar: Scalar, now: &Yaml, random: &mut Random) -> Vec<(Kind, Yaml)> {
    let text = as_text(now);
    let texts = |texts: Vec<String>| {
        let others = texts.into_iter().filter(|other| *other != text);
        others.map(|text| (Kind::Other, Yaml::Text(text))).collect()
    };
    match scalar {
        Scalar::Name(name) => texts(names(contract, name, &text, random)),
        Scalar::OneOf(choices) => texts(words(choices)),
        Scalar::Text => texts(vec![format!("{text} indeed"), "something else".to_owned()]),
        Scalar::Version => texts(vec![format!("{text}1"), format!("{text}+again"), "7".to_owned()]),
        Scalar::Url => texts(vec![format!("{text}/more"), "elsewhere".to_owned()]),
        Scalar::Email => texts(vec![format!("my-{text}"), "nobody".to_owned()]),
        Scalar::MediaType => texts(vec![format!("{text}+more"), "no type".to_owned()]),
        Scalar::ToolName => texts(vec![format!("{text}_again"), "no name".to_owned()]),
        Scalar::Unit => texts(vec!["JPY".to_owned(), "minutes".to_owned(), "furlongs".to_owned()]),
        Scalar::Phrase => before_text(&text, true, |text| {
            let others = [format!("{text} indeed"), "--".to_owned()];
            others.map(|other| (Kind::Other, Yaml::Text(other))).to_vec()
        }),
        Scalar::Template => texts(templates(&text)),
        Scalar::HeaderTemplate => texts(vec![format!("{text}0"), "{request_id}".to_owned(), "7".to_owned()]),
        Scalar::Boolean => vec![(Kind::Other, Yaml::Plain((text != "true").to_string()))],
        Scalar::Number | Scalar::Integer | Scalar::Count(_) => numbers(&text),
        Scalar::Status => [200, 201, 202, 400, 402, 403, 404, 409, 422, 429, 500, 503]
            .into_iter()
            .map(|status: u16| status.to_string())
            .filter(|status| *status != text)
            .map(|status| (Kind::Other, Yaml::Plain(status)))
            .collect(),
        Scalar::Rate => rates(&text),
        Scalar::Period => texts(["90s", "45min", "36h", "3d", "1.5h"].map(str::to_owned).to_vec()),
        Scalar::FieldPath => {
            let fields = some(contract.names(Name::Field), random).into_iter();
            texts(fields.flat_map(|field| [format!("{text}.{field}"), field]).collect())
        }
        Scalar::Cause => texts(
            some(contract.names(Name::Operation), random)
                .iter()
                .filter_map(|name| Some(format!("{}.{name}", text.split_once('.')?.0)))
                .collect(),
        ),
        Scalar::TypeUse(uses) => {
            let names = some(&contract.types(Some(uses)), random);
            before_text(&text, uses.are_described(), |text| uses_of_types(text, names))
        }
        Scalar::EnumValue => before_text(&text, true, |text| {
            let names = names(contract, Name::EnumValue, text, random).into_iter();
            let others = names.filter(|other| other != text);
            others.map(|other| (Kind::Other, Yaml::Text(other))).collect()
        }),
        Scalar::TypeName => texts(some(&contract.types(None), random)),
        Scalar::Guard => texts(guards(contract, &text, random)),
        Scalar::Constraint => texts(constraints(contract, &text, random)),
        Scalar::Filter => texts(filters(contract, &text, random)),
        Scalar::Condition | Scalar::FieldCondition => texts(conditions(contract, &text, random)),
        Scalar::Example => texts(vec![
            format!("{text}9"),
            "true".to_owned(),
            "7".to_owned(),
            "Ulysses".to_owned(),
        ]),
        Scalar::FieldValue => {
            let members = some(contract.names(Name::Member), random).into_iter();
            texts(
                members
                    .map(|member| format!("${member}"))
                    .chain(["$caller".to_owned(), "true".to_owned()])
                    .collect(),
            )
        }
        Scalar::Each => texts(
            some(contract.names(Name::Member), random)
                .iter()
                .map(|member| format!("each {member}"))
                .collect(),
        ),
        Scalar::SortKey => texts(sort_keys(contract, &text, random)),
        Scalar::Base => texts(vec![format!("{}/more", text.trim_end_matches('/'))]),
        Scalar::Route => texts(vec![format!("{text}/more"), text.replacen('/', "/other-", 1)]),
        Scalar::NodePath => {
            let paths: Vec<String> = contract.spots.iter().map(|spot| spot.path.clone()).collect();
            texts(some(&paths, random))
        }
        Scalar::Characters => texts(vec![format!("{text}~"), text.chars().skip(3).collect()]),
        Scalar::Source => texts(some(contract.names(Name::Field), random)),
        Scalar::EnvelopeValue(choices) => envelope_values(now, choices),
    }
}

fn as_text(now: &Yaml) -> String {
    match now {
        Yaml::Plain(text) | Yaml::Text(text) => text.clone(),
        Yaml::List(items) => format!("[{}]", items.iter().map(as_text).collect::<String>()),
        Yaml::Map(_) => String::new(),
    }
}

fn some(among: &[String], random: &mut Random) -> Vec<String> {
    (0..WORDS.min(among.len())).map(|_| random.of(among).clone()).collect()
}

fn words(choices: &[Choice]) -> Vec<String> {
    choices.iter().map(|choice| choice.word.to_owned()).collect()
}

fn names(contract: &Contract, name: Name, text: &str, random: &mut Random) -> Vec<String> {
    let free = [Name::Service, Name::Test, Name::Header, Name::Prefix];
    if free.contains(&name) {
        return vec![format!("{text}x")];
    }
    let mut found = some(contract.names(name), random);
    match name {
        Name::Sibling => found.extend(some(contract.names(Name::Parameter), random)),
        Name::Member => found.extend(some(contract.names(Name::Field), random)),
        Name::EnumValue => found.push(format!("{text}_too")),
        _ => {}
    }
    found
}

fn templates(text: &str) -> Vec<String> {
    let without = text
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?.1)));
    let without = without.map(|(before, behind)| format!("{before}one{behind}"));
    let more = [format!("{text} indeed"), format!("{text} ({{id}})")];
    more.into_iter().chain(without).collect()
}

fn numbers(text: &str) -> Vec<(Kind, Yaml)> {
    let Ok(now) = text.parse::<f64>() else {
        return Vec::new();
    };
    [now + 1.0, now * 2.0, now - 1.0, (now / 2.0).floor(), 0.0]
        .into_iter()
        .filter(|other| *other != now)
        .map(|other| {
            let kind = if other > now { Kind::Raised } else { Kind::Lowered };
            (kind, Yaml::Plain(other.to_string()))
        })
        .collect()
}

fn rates(text: &str) -> Vec<(Kind, Yaml)> {
    let Some((max, unit)) = text.split_once('/') else {
        return Vec::new();
    };
    let max: u32 = max.trim().parse().unwrap_or(1);
    let mut rates = vec![
        (Kind::Raised, format!("{}/{unit}", max + 1)),
        (Kind::Raised, format!("{max}/s")),
        (Kind::Lowered, format!("{max}/day")),
        (Kind::Other, format!("{}/h", max.saturating_mul(70))),
    ];
    if max > 1 {
        rates.push((Kind::Lowered, format!("{}/{unit}", max - 1)));
    }
    rates.retain(|(_, rate)| rate != text);
    rates.into_iter().map(|(kind, rate)| (kind, Yaml::Text(rate))).collect()
}

/// Other values with the same description, and other descriptions where one is allowed.
fn before_text(text: &str, is_described: bool, others: impl FnOnce(&str) -> Vec<(Kind, Yaml)>) -> Vec<(Kind, Yaml)> {
    let (described, doc) = match text.split_once(DESCRIBED) {
        Some((described, doc)) => (described, format!("{DESCRIBED}{doc}")),
        None => (text, String::new()),
    };
    let with = |other: Yaml| Yaml::Text(as_text(&other) + &doc);
    let mut found: Vec<_> = others(described)
        .into_iter()
        .map(|(kind, other)| (kind, with(other)))
        .collect();
    if is_described {
        let more = [
            format!("{text}{DESCRIBED}Indeed."),
            format!("{described}{DESCRIBED}Something else."),
            described.to_owned(),
        ];
        let more = more.into_iter().filter(|other| other != text);
        found.extend(more.map(|other| (Kind::Described, Yaml::Text(other))));
    }
    found
}

fn uses_of_types(text: &str, names: Vec<String>) -> Vec<(Kind, Yaml)> {
    let (rest, default) = match text.split_once('=') {
        Some((rest, default)) => (rest.trim(), Some(default.trim())),
        None => (text, None),
    };
    let bare = rest.trim_end_matches('?');
    let is_optional = bare.len() < rest.len();
    let name = bare.trim_start_matches('[').trim_end_matches(']');
    let tail = match default {
        Some(default) => format!(" = {default}"),
        None if is_optional => "?".to_owned(),
        None => String::new(),
    };
    let listed = if bare == name {
        format!("[{name}]")
    } else {
        name.to_owned()
    };
    let mut uses = vec![
        (Kind::Listed, format!("{listed}{tail}")),
        (
            Kind::Optional,
            if is_optional {
                bare.to_owned()
            } else {
                format!("{bare}?")
            },
        ),
    ];
    uses.extend(
        names
            .into_iter()
            .map(|other| (Kind::Other, format!("{}{tail}", bare.replace(name, &other)))),
    );
    for default in ["5", "[]", "true", "some", "a"] {
        uses.push((Kind::Default, format!("{bare} = {default}")));
    }
    if default.is_some() {
        uses.push((Kind::Default, bare.to_owned()));
    }
    uses.retain(|(_, other)| other != text);
    uses.into_iter()
        .map(|(kind, other)| (kind, Yaml::Text(other)))
        .collect()
}

fn guards(contract: &Contract, text: &str, random: &mut Random) -> Vec<String> {
    let resources = contract.names(Name::Resource);
    let mut guards = Vec::new();
    if text.starts_with("plan") {
        let plans = contract.names(Name::EnumValue).iter();
        return plans.map(|plan| format!("plan {plan}")).collect();
    }
    match text.split_once(" in ") {
        Some((alone, _)) => guards.push(alone.to_owned()),
        None => guards.extend(resources.iter().map(|parent| format!("{text} in {parent}"))),
    }
    for resource in some(resources, random) {
        guards.push(format!("exists {resource}"));
        guards.push(format!("owner {resource}"));
    }
    let plans = some(contract.names(Name::EnumValue), random).into_iter();
    guards.extend(plans.map(|plan| format!("plan {plan}")));
    guards
}

fn constraints(contract: &Contract, text: &str, random: &mut Random) -> Vec<String> {
    let parameters = contract.names(Name::Parameter);
    let mut constraints: Vec<String> = (0..WORDS)
        .map(|_| format!("{} <= {}", random.of(parameters), random.of(parameters)))
        .collect();
    if let Some((one, other)) = text.split_once(" <= ") {
        constraints.push(format!("{other} <= {one}"));
    }
    constraints
}

fn filters(contract: &Contract, text: &str, random: &mut Random) -> Vec<String> {
    let mut filters = Vec::new();
    let parts: Vec<&str> = text.split(' ').collect();
    if let [left, sign, right] = parts.as_slice() {
        let signs = ["=", "<=", ">=", "within", "implies"].iter();
        filters.extend(signs.map(|sign| format!("{left} {sign} {right}")));
        let fields = some(contract.names(Name::Field), random).into_iter();
        filters.extend(fields.map(|field| format!("{left} {sign} {field}")));
        let parameters = some(contract.names(Name::Parameter), random).into_iter();
        filters.extend(parameters.map(|name| format!("{name} {sign} {right}")));
    }
    for field in some(contract.names(Name::Field), random) {
        filters.push(format!("$caller = {field}"));
        let values = some(contract.names(Name::EnumValue), random).into_iter();
        filters.extend(values.map(|value| format!("{field} is {value}")));
        filters.push(format!("{} = {field}", random.of(contract.names(Name::Parameter))));
    }
    filters
}

fn conditions(contract: &Contract, text: &str, random: &mut Random) -> Vec<String> {
    let mut conditions = vec![text.replace("exists ", "no ")];
    match text.split_once(" is ") {
        Some((field, value)) => {
            conditions.push(match value.strip_prefix("not ") {
                Some(value) => format!("{field} is {value}"),
                None => format!("{field} is not {value}"),
            });
            let values = some(contract.names(Name::EnumValue), random).into_iter();
            conditions.extend(values.map(|value| format!("{field} is {value}")));
        }
        None => {
            let resources = some(contract.names(Name::Resource), random).into_iter();
            conditions.extend(resources.map(|resource| format!("exists {resource} of caller")));
        }
    }
    conditions
}

fn sort_keys(contract: &Contract, text: &str, random: &mut Random) -> Vec<String> {
    let mut keys: Vec<String> = some(contract.names(Name::Field), random)
        .into_iter()
        .map(|field| format!("{field} asc"))
        .collect();
    keys.push(match text.strip_suffix(" asc") {
        Some(field) => format!("{field} desc"),
        None => text.replace(" desc", " asc"),
    });
    keys
}

fn envelope_values(now: &Yaml, choices: &[Choice]) -> Vec<(Kind, Yaml)> {
    let other = match now {
        Yaml::Plain(text) if text == "true" => Yaml::Plain("false".to_owned()),
        Yaml::Plain(text) if text == "false" => Yaml::Plain("true".to_owned()),
        Yaml::Plain(_) => Yaml::Plain("77".to_owned()),
        Yaml::Text(text) if text.starts_with('$') => {
            let other = match text.strip_suffix('?') {
                Some(always) => always.to_owned(),
                None => format!("{text}?"),
            };
            let words = words(choices).into_iter().map(|word| (Kind::Other, format!("${word}")));
            let all = words.chain([(Kind::Optional, other)]);
            let all = all.filter(|(_, other)| other != text);
            return all.map(|(kind, other)| (kind, Yaml::Text(other))).collect();
        }
        Yaml::Text(text) => Yaml::Text(format!("{text} indeed")),
        _ => return Vec::new(),
    };
    vec![(Kind::Other, other)]
}
