//! From words to meaning: makes the [`Model`] of a [`Spec`] that [`crate::check`] found no fault with.
//!
//! Nothing is refused here; what could not be resolved has been reported before.

mod operations;
mod resources;

use crate::model::{
    Caller, Counts, Credential, Enum, EnvelopeValue, Field, Input, Kind, Limit, Model, NamedType, Object, Per, Piece,
    Quota, Row, States, Template, Type, TypeRule,
};
use crate::spec::{self, Num, Spec, Table, TypeDef, TypeUse, Word};
use crate::step::Step;

/// Resolves every name of a checked specification.
pub fn resolve(spec: &Spec) -> Model {
    let names = Names { spec };
    Model {
        title: spec.api.title.text.clone(),
        headers: templates(&spec.api.headers),
        body_max_bytes: whole(spec.api.body_max_bytes),
        body_max_seconds: whole(spec.api.body_max_seconds),
        success: envelope(&spec.envelope.success),
        error: envelope(&spec.envelope.error),
        rows: spec.errors.iter().map(|(name, row)| error_row(name, row)).collect(),
        limits: spec
            .limits
            .iter()
            .map(|(name, limit)| rate_limit(name, limit))
            .collect(),
        limit_headers: templates(&spec.limit_headers),
        quotas: spec
            .quotas
            .iter()
            .map(|(name, quota)| names.quota(name, quota))
            .collect(),
        credentials: spec
            .credentials
            .iter()
            .map(|(name, credential)| names.credential(name, credential))
            .collect(),
        types: spec.types.iter().map(|(name, of)| names.named_type(name, of)).collect(),
        enums: spec
            .enums
            .iter()
            .map(|(name, of)| names.enumeration(name, of))
            .collect(),
        objects: spec
            .objects
            .iter()
            .map(|(name, members)| names.object(name, members))
            .collect(),
        inputs: spec
            .inputs
            .iter()
            .map(|(name, body)| Input {
                name: text(name),
                body: names.body(body),
            })
            .collect(),
        resources: spec
            .resources
            .iter()
            .map(|(name, resource)| names.resource(name, resource))
            .collect(),
        surfaces: spec
            .surfaces
            .iter()
            .map(|(name, surface)| names.surface(name, surface))
            .collect(),
    }
}

fn text(word: &Word) -> String {
    word.text.clone()
}

fn texts(words: &[Word]) -> Vec<String> {
    words.iter().map(text).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked: whole and not negative"
)]
fn whole(num: Num) -> u64 {
    num.value as u64
}

#[expect(clippy::cast_possible_truncation, reason = "checked: whole")]
fn signed(num: Num) -> i64 {
    num.value as i64
}

fn small(num: Num) -> u32 {
    u32::try_from(whole(num)).unwrap_or(u32::MAX)
}

fn status(num: Num) -> u16 {
    u16::try_from(whole(num)).unwrap_or(u16::MAX)
}

fn lookup<'s, T>(table: &'s Table<T>, name: &str) -> Option<&'s T> {
    table.iter().find(|(word, _)| word.text == name).map(|(_, entry)| entry)
}

fn known<'s, T>(table: &'s Table<T>, name: &str) -> &'s T {
    lookup(table, name).expect("checked: the name is known")
}

/// Cuts a text at its `{placeholders}`.
pub fn template(source: &str) -> Template {
    let mut pieces = Vec::new();
    let mut rest = source;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Placeholder(name.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Template(pieces)
}

fn templates(table: &Table<Word>) -> Vec<(String, Template)> {
    table
        .iter()
        .map(|(name, source)| (text(name), template(&source.text)))
        .collect()
}

fn envelope(members: &Table<spec::EnvelopeValue>) -> Vec<(String, EnvelopeValue)> {
    let value = |value: &spec::EnvelopeValue| match value {
        spec::EnvelopeValue::Literal(json) => EnvelopeValue::Literal(json.clone()),
        spec::EnvelopeValue::Placeholder { name, optional } => EnvelopeValue::Placeholder {
            name: text(name),
            optional: *optional,
        },
    };
    members.iter().map(|(name, of)| (text(name), value(of))).collect()
}

fn error_row(name: &Word, row: &spec::ErrorRow) -> Row {
    Row {
        name: text(name),
        status: status(row.status),
        step: Step::parse(&row.step.text).expect("checked: the step is known"),
        text: template(&row.text.text),
        headers: templates(&row.headers),
        at: name.at,
    }
}

fn rate_limit(name: &Word, limit: &spec::Limit) -> Limit {
    let counts = match limit.counts {
        Some(_) => Counts::FailedCredentials,
        None => Counts::Methods {
            methods: texts(&limit.methods),
            per: if limit.per.text == "address" {
                Per::Address
            } else {
                Per::Caller
            },
        },
    };
    Limit {
        name: text(name),
        counts,
        max: small(limit.max),
        window_seconds: limit.window_seconds,
        at: name.at,
    }
}

/// What the names of a specification stand for.
struct Names<'s> {
    spec: &'s Spec,
}

impl Names<'_> {
    fn kind(&self, name: &str) -> Kind {
        match name {
            "string" => return Kind::Stored,
            "secret" => return Kind::Secret,
            "boolean" => return Kind::Boolean,
            "flag" => return Kind::Flag,
            "date" => return Kind::Date,
            "timestamp" => return Kind::Timestamp,
            _ => {}
        }
        if let Some((resource, part)) = name.split_once('.') {
            return if part == "id" {
                Kind::Id(resource.to_owned())
            } else {
                Kind::View(resource.to_owned(), part.to_owned())
            };
        }
        if lookup(&self.spec.types, name).is_some() {
            Kind::Named(name.to_owned())
        } else if lookup(&self.spec.enums, name).is_some() {
            Kind::Enum(name.to_owned())
        } else if lookup(&self.spec.objects, name).is_some() {
            Kind::Object(name.to_owned())
        } else {
            Kind::Input(name.to_owned())
        }
    }

    fn of(&self, used: &TypeUse) -> Type {
        Type {
            kind: self.kind(&used.name.text),
            list: used.list,
            optional: used.optional,
            default: used.default.as_ref().map(text),
        }
    }

    fn fields(&self, table: &Table<TypeUse>) -> Vec<Field> {
        table
            .iter()
            .map(|(name, used)| Field {
                name: text(name),
                of: self.of(used),
                at: name.at,
            })
            .collect()
    }

    fn quota(&self, name: &Word, quota: &spec::Quota) -> Quota {
        Quota {
            name: text(name),
            max: whole(quota.max),
            noun: text(&quota.noun),
            at: name.at,
        }
    }

    fn credential(&self, name: &Word, credential: &spec::Credential) -> Credential {
        let caller = credential.caller.as_ref().map(|resource| Caller {
            resource: text(resource),
            limited_by: text(credential.limited_by.as_ref().unwrap_or(resource)),
            plan: credential
                .plan
                .as_ref()
                .map(|field| (text(field), self.enum_of(&resource.text, &field.text))),
            suspended: credential.suspended.as_ref().map(text),
        });
        Credential {
            name: text(name),
            header: text(&credential.header),
            caller,
            prefix: text(&credential.prefix),
            random: whole(credential.random),
            shown: credential.shown.map(whole),
            at: name.at,
        }
    }

    fn enum_of(&self, resource: &str, field: &str) -> String {
        text(&known(&known(&self.spec.resources, resource).fields, field).name)
    }

    fn named_type(&self, name: &Word, of: &TypeDef) -> NamedType {
        let rule = match of {
            TypeDef::String { min, max, chars } => TypeRule::Text {
                min: min.map_or(0, whole),
                max: max.map(whole),
                chars: chars.as_ref().map(text),
            },
            TypeDef::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => TypeRule::Number {
                min: min.map(|num| num.value),
                exclusive_min: exclusive_min.map(|num| num.value),
                max: max.map(|num| num.value),
                decimals: decimals.map(small),
            },
            TypeDef::Integer { min, max } => TypeRule::Integer {
                min: min.map(signed),
                max: max.map(signed),
            },
            TypeDef::List { of, min, max, unique } => TypeRule::List {
                of: Box::new(Type {
                    kind: self.kind(&of.text),
                    list: false,
                    optional: false,
                    default: None,
                }),
                min: min.map_or(0, whole),
                max: max.map(whole),
                unique: unique.as_ref().map(text),
            },
            TypeDef::FreeForm { max_bytes } => TypeRule::FreeForm {
                max_bytes: whole(*max_bytes),
            },
        };
        NamedType {
            name: text(name),
            rule,
            at: name.at,
        }
    }

    fn enumeration(&self, name: &Word, of: &spec::EnumDef) -> Enum {
        let states = self.spec.states.iter().find_map(|(place, states)| {
            let (resource, field) = place
                .text
                .split_once('.')
                .expect("checked: states stand under Resource.field");
            (self.enum_of(resource, field) == name.text).then(|| States {
                initial: text(&states.initial),
                transitions: states
                    .transitions
                    .as_ref()
                    .map(|transitions| transitions.iter().map(|(from, to)| (text(from), texts(to))).collect()),
            })
        });
        Enum {
            name: text(name),
            values: texts(&of.values),
            part_of: of.of.as_ref().map(text),
            states,
            at: name.at,
        }
    }

    fn object(&self, name: &Word, members: &Table<TypeUse>) -> Object {
        Object {
            name: text(name),
            members: self.fields(members),
            at: name.at,
        }
    }
}
