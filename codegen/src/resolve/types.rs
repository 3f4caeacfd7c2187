//! Resolves kinds, named types, enums and objects.

use super::Resolver;
use super::words::{known, lookup, signed, text, texts};
use crate::formats;
use crate::model::{Alike, Enum, Field, Kind, NamedType, Object, States, Type, TypeRule, Unit};
use crate::syntax::{self, FreeFormDef, IntegerDef, ListDef, Num, NumberDef, StringDef, Table, TypeDef, TypeUse, Word};

impl Resolver<'_> {
    pub(super) fn kind(&self, name: &str) -> Kind {
        match name {
            "string" => return Kind::Stored,
            "secret" => return Kind::Secret,
            "boolean" => return Kind::Boolean,
            "flag" => return Kind::Flag,
            "timestamp" => return Kind::Timestamp,
            "cursor" => return Kind::Cursor,
            // The surface states whose.
            "event_names" => return Kind::EventNames(String::new()),
            _ => {}
        }
        if let Some(format) = formats::find(name) {
            return Kind::Format(format);
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

    pub(super) fn of(&self, used: &TypeUse) -> Type {
        Type {
            kind: self.kind(&used.name.text),
            list: used.list,
            optional: used.optional,
            default: used.default.as_ref().map(text),
            example: self.example(used),
            has_states: false,
        }
    }

    /// The example of the description, or else that of the type. A default is a better example than that of the type.
    fn example(&self, used: &TypeUse) -> Option<String> {
        let of_type = || lookup(&self.spec.types, &used.name.text)?.example.as_ref().map(text);
        let has_examples = matches!(
            self.kind(&used.name.text),
            Kind::Named(_) | Kind::Stored | Kind::Enum(_)
        );
        let own = used.example().filter(|_| has_examples).as_ref().map(text);
        own.or_else(|| of_type().filter(|_| used.default.is_none()))
    }

    pub(super) fn fields(&self, table: &Table<TypeUse>) -> Vec<Field> {
        table.iter().map(|(name, used)| self.field(name, used)).collect()
    }

    /// A name that is declared with a type.
    pub(super) fn field(&self, name: &Word, used: &TypeUse) -> Field {
        Field {
            name: text(name),
            of: self.of(used),
            origin: None,
            doc: used.doc.as_ref().map(text),
            at: name.at,
        }
    }

    pub(super) fn enum_of(&self, resource: &str, field: &str) -> String {
        text(&known(&known(&self.spec.resources, resource).fields, field).name)
    }

    pub(super) fn named_type(&self, name: &Word, of: &syntax::NamedType) -> NamedType {
        NamedType {
            name: text(name),
            rule: self.rule(&of.def),
            doc: of.doc.as_ref().map(text),
            unit: of.unit.as_ref().and_then(|unit| Unit::parse(&unit.text)),
            is_secret: matches!(&of.def, TypeDef::String(text) if text.secret),
            is_multiline: matches!(&of.def, TypeDef::String(text) if text.multiline),
            example: of.example.as_ref().map(text),
            at: name.at,
        }
    }

    fn rule(&self, of: &TypeDef) -> TypeRule {
        match of {
            TypeDef::String(StringDef {
                min,
                max,
                chars,
                bidi_controls,
                alike,
                multiline: _,
                secret: _,
            }) => TypeRule::Text {
                min: min.map_or(0, Num::whole),
                max: max.map(Num::whole),
                chars: chars.as_ref().map(text),
                bidi_controls: bidi_controls.is_none(),
                alike: alike
                    .as_ref()
                    .map_or(Alike::Exact, |alike| Alike::from_name(&alike.text)),
            },
            TypeDef::Number(NumberDef {
                min,
                exclusive_min,
                max,
                decimals,
            }) => TypeRule::Number {
                min: min.map(|num| num.value),
                exclusive_min: exclusive_min.map(|num| num.value),
                max: max.map(|num| num.value),
                decimals: decimals.map(Num::small),
            },
            TypeDef::Integer(IntegerDef { min, max }) => TypeRule::Integer {
                min: min.map(signed),
                max: max.map(signed),
            },
            TypeDef::List(ListDef { of, min, max, unique }) => TypeRule::List {
                of: Box::new(Type {
                    kind: self.kind(&of.text),
                    list: false,
                    optional: false,
                    default: None,
                    example: None,
                    has_states: false,
                }),
                min: min.map_or(0, Num::whole),
                max: max.map(Num::whole),
                unique: unique.as_ref().map(text),
            },
            TypeDef::FreeForm(FreeFormDef { max_bytes }) => TypeRule::FreeForm {
                max_bytes: max_bytes.whole(),
            },
        }
    }

    pub(super) fn enumeration(&self, name: &Word, of: &syntax::EnumDef) -> Enum {
        let states = self.spec.states.iter().find_map(|(place, states)| {
            let (resource, field) = place
                .text
                .split_once('.')
                .expect("checked: states stand under Resource.field");
            (self.enum_of(resource, field) == name.text).then(|| States {
                of: (resource.to_owned(), field.to_owned()),
                initial: text(&states.initial),
                transitions: states
                    .transitions
                    .as_ref()
                    .map(|transitions| transitions.iter().map(|(from, to)| (text(from), texts(to))).collect()),
                at: place.at,
            })
        });
        Enum {
            name: text(name),
            values: texts(&of.values),
            docs: self.docs(of),
            part_of: of.of.as_ref().map(text),
            is_of_events: of.is_of_events,
            is_of_orders: of.is_of_orders,
            states,
            at: name.at,
        }
    }

    fn docs(&self, of: &syntax::EnumDef) -> Vec<(String, String)> {
        let whole = of.of.as_ref().map_or(of, |whole| known(&self.spec.enums, &whole.text));
        let said = |value: &Word| Some((text(value), text(whole.docs.get(&value.text)?)));
        of.values.iter().filter_map(said).collect()
    }

    pub(super) fn object(&self, name: &Word, members: &Table<TypeUse>) -> Object {
        Object {
            name: text(name),
            members: self.fields(members),
            at: name.at,
        }
    }
}
