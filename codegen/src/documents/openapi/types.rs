//! The schemas of the contract's types, in requests and in answers.

use super::Scope;
use super::events;
use super::names::{Component, Direction};
use super::people;
use super::schema::{Extent, Number, Of, Schema, SchemaMember, Text};
use crate::documents::shared::{examples, patterns, words};
use crate::formats::Format;
use crate::json::{Json, list};
use crate::model::{
    Body, BodyMember, Class, Field, Kind, NamedType, Owner, Resource, Source, Type, TypeRule, View, ViewMember,
};
use crate::names::with_article;

/// The greatest id: the greatest integer that every JSON reader keeps exactly.
const GREATEST_ID: i64 = (1 << 53) - 1;

impl Scope<'_> {
    /// The schema of a value that is present.
    pub(super) fn value(&self, of: &Type, form: Direction) -> Schema {
        let single = self.single(&of.kind, form);
        if of.list {
            Of::List {
                of: Box::new(single),
                min: 0,
                max: None,
                unique: false,
            }
            .into()
        } else {
            single
        }
    }

    /// A member of an answer, which is always present.
    pub(super) fn response_member(&self, name: &str, of: &Type, doc: Option<&str>) -> SchemaMember {
        let schema = self.value(of, Direction::Response).or_null(of.optional);
        SchemaMember {
            name: name.to_owned(),
            of: schema.with_description(doc),
            required: true,
        }
    }

    /// A member of an object in a request. An optional one may be null as well.
    pub(super) fn request_member(&self, field: &Field) -> SchemaMember {
        self.member_of_request(field, true)
    }

    /// The same; `nullable`: whether an optional one may be null.
    fn member_of_request(&self, field: &Field, nullable: bool) -> SchemaMember {
        let Field { name, of, doc, .. } = field;
        let default = self.model.default_of(of);
        let required = !of.optional && default.is_none();
        let schema = self
            .value(of, Direction::Request)
            .or_null(nullable && !required)
            .with_description(doc.as_deref());
        SchemaMember {
            name: name.clone(),
            of: Schema { default, ..schema },
            required,
        }
    }

    fn body_member(&self, body: &Body, member: &BodyMember) -> SchemaMember {
        let Field { name, of, doc, .. } = &member.field;
        let request_value = || self.value(of, Direction::Request).with_description(doc.as_deref());
        match (body.partial, member.required) {
            (true, _) => SchemaMember {
                name: name.clone(),
                of: request_value().or_null(of.optional),
                required: false,
            },
            (false, true) => SchemaMember {
                name: name.clone(),
                of: request_value(),
                required: true,
            },
            (false, false) => self.member_of_request(&member.field, !member.never_null),
        }
    }

    /// A body as an object.
    pub(super) fn body(&self, owner: Owner<'_>, body: &Body) -> Schema {
        let members = body.members.iter().map(|member| {
            let of_record = body.resource.as_deref().filter(|_| member.of_record);
            let owner = of_record.map_or(owner, Owner::Declaration);
            self.with_text(owner, self.body_member(body, member))
        });
        Of::Object {
            members: members.collect(),
            extent: if body.partial { Extent::Partial } else { Extent::Closed },
        }
        .into()
    }

    /// A parameter. A given parameter is never empty.
    pub(super) fn parameter(&self, of: &Type) -> Schema {
        let may_be_empty = |named: &NamedType| matches!(named.rule, TypeRule::Text { min: 0, .. });
        let schema = match &of.kind {
            Kind::Named(name) if may_be_empty(self.model.named_type(name)) => match &self.model.named_type(name).rule {
                TypeRule::Text {
                    max,
                    chars,
                    bidi_controls,
                    ..
                } => text(1, *max, chars.as_deref(), *bidi_controls),
                _ => self.value(of, Direction::Request),
            },
            _ => self.value(of, Direction::Request),
        };
        let default = self.model.default_of(of);
        Schema { default, ..schema }
    }

    fn single(&self, kind: &Kind, form: Direction) -> Schema {
        let part = match kind {
            Kind::Stored => return Of::Text(Text::default()).into(),
            Kind::Secret => return self.secret(None),
            Kind::Boolean => return Of::Boolean.into(),
            Kind::Format(format) => return formatted(format),
            Kind::Cursor => return events::cursor(),
            Kind::EventNames(caller) => return self.event_names(caller),
            Kind::Named(name) => self.names.named(name, form),
            Kind::Object(name) => self.names.object(name, form),
            Kind::Enum(name) => Component::Enum(name.clone()),
            Kind::Input(name) => Component::Input(name.clone()),
            Kind::View(resource, view) => Component::View(resource.clone(), view.clone()),
            Kind::Id(resource) => Component::Id(resource.clone()),
            Kind::Timestamp => Component::Timestamp,
            Kind::Flag => Component::Flag,
        };
        Schema::reference(self.names.name(&part).to_owned())
    }

    /// The component for a part of the contract.
    pub(super) fn component(&self, part: &Component) -> Schema {
        let model = self.model;
        match part {
            Component::Type(name, form) => {
                let named = model.named_type(name);
                let schema = self.named(named, *form);
                let schema = match &named.unit {
                    Some(unit) => schema.with_description(Some(&words::unit(unit))),
                    None => schema,
                };
                let schema = schema.with_description(named.doc.as_deref());
                let schema = match named.unit.as_ref().and_then(|unit| self.unit(unit)) {
                    Some(unit) => schema.extended("x-unit", unit),
                    None => schema,
                };
                let flags = [("x-multiline", named.is_multiline), ("x-secret", named.is_secret)];
                let flags = flags.into_iter().filter(|(_, is_so)| *is_so);
                flags.fold(schema, |schema, (name, _)| schema.extended(name, true))
            }
            Component::Enum(name) => self.enumeration(name),
            Component::Object(name, form) => {
                let members = model.object(name).members.iter();
                let members = members.map(|member| match form {
                    Direction::Request => self.request_member(member),
                    Direction::Response => self.response_member(&member.name, &member.of, member.doc.as_deref()),
                });
                let members = members.map(|member| self.with_text(Owner::Declaration(name), member));
                Of::Object {
                    members: members.collect(),
                    extent: match form {
                        Direction::Request => Extent::Closed,
                        Direction::Response => Extent::Open,
                    },
                }
                .into()
            }
            Component::Input(name) => self.body(Owner::Declaration(name), &model.input(name).body),
            Component::View(resource, view) => {
                let view = model.view(resource, view);
                let resource = model.resource(resource);
                let schema = self.view(resource, view).with_description(resource.doc.as_deref());
                people::with_facts(model, schema, resource, view)
            }
            Component::Id(name) => {
                let schema = model.ids(name).format().map_or_else(
                    || {
                        Schema::from(Of::Integer {
                            min: Some(1),
                            max: Some(GREATEST_ID),
                        })
                    },
                    formatted,
                );
                let text = format!("The id of {}.", with_article(&model.resource(name).noun));
                schema.described(text).extended("x-ref", name)
            }
            Component::Timestamp => timestamp(),
            Component::Flag => flag(),
            Component::EventName => self.event_name(),
            Component::Event => self.event(),
            Component::Error => self.error(),
        }
    }

    fn view(&self, resource: &Resource, view: &View) -> Schema {
        let member = |member| self.with_text_of_view(&resource.name, member, self.view_member(member));
        let schema = Schema::from(Of::Object {
            members: view.members.iter().map(member).collect(),
            extent: Extent::Open,
        });
        schema.described(format!(
            "{} in the view `{}`.",
            words::capitalised(&with_article(&resource.noun)),
            view.name
        ))
    }

    fn view_member(&self, member: &ViewMember) -> SchemaMember {
        let Source::Each(..) = &member.source else {
            let of = Type {
                optional: member.of.optional && !member.omitted,
                ..member.of.clone()
            };
            return SchemaMember {
                required: !member.omitted,
                ..self.response_member(&member.shown, &of, member.doc.as_deref())
            };
        };
        // The picked member of each item may be null, not the list.
        let pick = self
            .single(&member.of.kind, Direction::Response)
            .or_null(member.of.optional);
        let pick = pick.with_description(member.doc.as_deref());
        let picks = Of::List {
            of: Box::new(pick),
            min: 0,
            max: None,
            unique: false,
        };
        SchemaMember {
            name: member.shown.clone(),
            of: picks.into(),
            required: true,
        }
    }

    fn enumeration(&self, name: &str) -> Schema {
        let one = self.model.enumeration(name);
        let schema = Schema::from(Of::Words(one.values.clone()));
        let schema = match (&one.states, &one.part_of) {
            (Some(states), _) => schema.described(words::states(states)),
            (None, Some(whole)) => schema.described(format!("A subset of `{whole}`.")),
            (None, None) => schema,
        };
        let schema = self.with_value_texts(one, schema);
        let Some(values) = words::values(one) else {
            return schema;
        };
        let text = match &schema.description {
            Some(text) => format!("{text}\n\n{values}"),
            None => values,
        };
        let docs = one.values.iter().map(|value| one.doc(value).unwrap_or_default());
        schema
            .described(text)
            .extended("x-enum-descriptions", list(docs.collect()))
    }

    fn named(&self, named: &NamedType, form: Direction) -> Schema {
        match &named.rule {
            TypeRule::Text {
                min,
                max,
                chars,
                bidi_controls,
                alike: _,
            } => text(*min, *max, chars.as_deref(), *bidi_controls),
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => {
                let bounds = Number {
                    min: *min,
                    exclusive_min: *exclusive_min,
                    max: *max,
                };
                number(bounds, *decimals)
            }
            TypeRule::Integer { min, max } => Of::Integer { min: *min, max: *max }.into(),
            TypeRule::List { of, min, max, unique } => {
                let schema = Schema::from(Of::List {
                    of: Box::new(self.value(of, form)),
                    min: *min,
                    max: *max,
                    unique: unique.is_some(),
                });
                let Some(member) = unique else { return schema };
                let text = format!("No two items have the same `{member}`, regardless of case and width.");
                schema.described(text).extended("x-unique", member)
            }
            TypeRule::FreeForm { max_bytes } => {
                let text = format!("Any members, at most {max_bytes} bytes as JSON without white space.");
                let schema = Schema::from(Of::Open).described(text);
                schema.extended("x-max-bytes", *max_bytes)
            }
        }
    }
}

/// A text of a fixed form.
fn formatted(format: &Format) -> Schema {
    Of::Text(Text {
        min: format.length.0,
        max: format.length.1,
        format: Some(format.json_schema),
        ..Text::default()
    })
    .into()
}

/// `multipleOf` cannot bound the number of decimal places: as a double, 0.07 is no multiple of 0.01.
fn number(bounds: Number, decimals: Option<u32>) -> Schema {
    let schema = Schema::from(Of::Number(bounds));
    let Some(decimals) = decimals else { return schema };
    let places = if decimals == 1 { "place" } else { "places" };
    let schema = schema.described(format!("At most {decimals} decimal {places}."));
    schema.extended("x-decimals", decimals)
}

fn text(min: u64, max: Option<u64>, chars: Option<&str>, bidi_controls: bool) -> Schema {
    let pattern = match chars {
        Some(chars) => patterns::of_chars(&Class::parse(chars), min, max),
        None => patterns::text(min == 0, bidi_controls),
    };
    let schema = Schema::from(Of::Text(Text {
        min,
        max,
        pattern: Some(pattern),
        format: None,
    }));
    match chars {
        Some(_) => schema,
        None if bidi_controls => schema.described(OPEN_TEXT),
        None => schema.described(format!("{OPEN_TEXT} No bidirectional controls.")),
    }
}

/// Describes the rules for characters beyond U+FFFF, which no pattern covers.
const OPEN_TEXT: &str = "Not only white space and invisible characters (Default_Ignorable_Code_Point of Unicode). No control characters except tabs and line breaks.";

fn timestamp() -> Schema {
    let text = Text {
        pattern: Some(patterns::timestamp()),
        ..Text::default()
    };
    let schema = Schema::from(Of::Text(text)).described("UTC in whole seconds, without an offset.");
    schema.with_example(examples::TIMESTAMP).extended("x-time-zone", "UTC")
}

/// A query accepts words and digits; clients send booleans.
fn flag() -> Schema {
    let digit = |digit: &str| Schema::from(Of::Constant(Json::Plain(digit.to_owned())));
    let forms = vec![Of::Boolean.into(), digit("1"), digit("0")];
    Schema::from(Of::Either(forms))
        .described("`true` or `1`, `false` or `0`.")
        .extended("x-flag", true)
}
