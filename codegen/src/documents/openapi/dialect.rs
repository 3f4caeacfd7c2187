//! Writes a schema in each version of OpenAPI. Only here do the versions differ in more than a word.
//!
//! 3.1 is JSON Schema: `null` is a type, and keywords beside a reference apply. 3.0 has `nullable`, which applies only
//! beside a `type`, a boolean `exclusiveMinimum`, and no `const`; keywords beside a reference are ignored. So 3.0 has a
//! copy of each referenced schema that may be null.

use super::Version;
use super::schema::{Extent, Number, Of, Schema, SchemaMember, Text};
use crate::documents::shared::words;
use crate::json::{Json, JsonObject, list, number};

/// Writes schemas in one version, with access to the referenced components.
pub(super) struct Writer<'w> {
    pub(super) version: Version,
    pub(super) component: &'w dyn Fn(&str) -> Schema,
}

impl Writer<'_> {
    pub(super) fn write(&self, schema: &Schema) -> Json {
        if let (Version::V3_0, Of::Reference(name), true) = (self.version, &schema.of, schema.nullable) {
            return self.write(&copied((self.component)(name), schema));
        }
        let mut keywords = self.kind(schema);
        keywords = keywords.maybe("description", schema.description.clone());
        keywords = keywords.maybe("default", schema.default.clone());
        keywords = match (self.version, schema.example.clone()) {
            (_, None) => keywords,
            (Version::V3_1, Some(example)) => keywords.with("examples", list(vec![example])),
            (Version::V3_0, Some(example)) => keywords.with("example", example),
        };
        keywords.and(schema.extensions.clone()).into()
    }

    fn kind(&self, schema: &Schema) -> JsonObject {
        let nullable = schema.nullable;
        match &schema.of {
            Of::Reference(name) => self.reference(name, schema),
            Of::Text(text) => self.typed("string", nullable).and(text.keywords()),
            Of::Integer { min, max } => {
                let keywords = self.typed("integer", nullable).with("format", "int64");
                keywords.maybe("minimum", *min).maybe("maximum", *max)
            }
            Of::Number(bounds) => self.typed("number", nullable).and(self.bounds(bounds)),
            Of::Boolean => self.typed("boolean", nullable),
            Of::Words(words) => {
                let words = words.iter().map(Json::from);
                let words = words.chain(nullable.then(Json::null)).collect();
                self.typed("string", nullable).with("enum", Json::List(words))
            }
            Of::Constant(value) => self.constant(value, nullable),
            // The forms exclude one another. For `anyOf` some client generators create types that cannot be sent.
            Of::Either(forms) => {
                let forms = forms.iter().map(|form| self.write(&form.clone().or_null(nullable)));
                JsonObject::new().with("oneOf", Json::List(forms.collect()))
            }
            Of::List { of, min, max, unique } => {
                let keywords = self.typed("array", nullable).with("items", self.write(of));
                let keywords = keywords
                    .maybe("minItems", (*min > 0).then_some(*min))
                    .maybe("maxItems", *max);
                keywords.maybe("uniqueItems", unique.then_some(true))
            }
            Of::Object { members, extent } => self.object(members, *extent, nullable),
            Of::Open => self.typed("object", nullable).with("additionalProperties", true),
            Of::Null => self.null(),
        }
    }

    fn typed(&self, name: &str, nullable: bool) -> JsonObject {
        match (self.version, nullable) {
            (_, false) => JsonObject::new().with("type", name),
            (Version::V3_1, true) => JsonObject::new().with("type", list(vec![name, "null"])),
            (Version::V3_0, true) => JsonObject::new().with("type", name).with("nullable", true),
        }
    }

    fn reference(&self, name: &str, schema: &Schema) -> JsonObject {
        let target = JsonObject::new().with("$ref", format!("#/components/schemas/{name}"));
        let is_alone = schema.description.is_none() && schema.default.is_none() && schema.extensions.is_empty();
        match self.version {
            Version::V3_1 if schema.nullable => {
                JsonObject::new().with("anyOf", list(vec![target, JsonObject::new().with("type", "null")]))
            }
            Version::V3_0 if !is_alone => JsonObject::new().with("allOf", list(vec![target])),
            Version::V3_1 | Version::V3_0 => target,
        }
    }

    fn bounds(&self, bounds: &Number) -> JsonObject {
        let lower = match (bounds.exclusive_min, self.version) {
            (None, _) => JsonObject::new().maybe("minimum", bounds.min.map(number)),
            (Some(above), Version::V3_1) => JsonObject::new().with("exclusiveMinimum", number(above)),
            (Some(above), Version::V3_0) => JsonObject::new()
                .with("minimum", number(above))
                .with("exclusiveMinimum", true),
        };
        lower.maybe("maximum", bounds.max.map(number))
    }

    fn constant(&self, value: &Json, nullable: bool) -> JsonObject {
        let keywords = match value {
            Json::Text(_) => self.typed("string", nullable),
            Json::Plain(text) if text == "null" => return self.null(),
            Json::Plain(text) if text == "true" || text == "false" => self.typed("boolean", nullable),
            Json::Plain(text) if text.contains(['.', 'e', 'E']) => self.typed("number", nullable),
            Json::Plain(_) => self.typed("integer", nullable),
            Json::List(_) => self.typed("array", nullable),
            Json::Object(_) => self.typed("object", nullable),
        };
        match self.version {
            Version::V3_1 => keywords.with("const", value.clone()),
            Version::V3_0 => keywords.with("enum", list(vec![value.clone()])),
        }
    }

    fn null(&self) -> JsonObject {
        match self.version {
            Version::V3_1 => JsonObject::new().with("type", "null"),
            Version::V3_0 => self.typed("object", true).with("enum", list(vec![Json::null()])),
        }
    }

    fn object(&self, members: &[SchemaMember], extent: Extent, nullable: bool) -> JsonObject {
        let required = members.iter().filter(|member| member.required);
        let required: Vec<&str> = required.map(|member| member.name.as_str()).collect();
        let properties = members
            .iter()
            .map(|member| (member.name.clone(), self.write(&member.of)));
        let keywords = self.typed("object", nullable).listing("required", required);
        let keywords = keywords.maybe("minProperties", (extent == Extent::Partial).then_some(1_u64));
        let keywords = keywords.with("properties", properties.collect::<JsonObject>());
        // Only a restriction is written: for `true` some client generators create an index of any type.
        keywords.maybe("additionalProperties", (extent != Extent::Open).then_some(false))
    }
}

impl Text {
    fn keywords(&self) -> JsonObject {
        let keywords = JsonObject::new().maybe("format", self.format);
        let keywords = keywords.maybe("minLength", (self.min > 0).then_some(self.min));
        keywords
            .maybe("maxLength", self.max)
            .maybe("pattern", self.pattern.as_ref())
    }
}

/// A copy of a component in place of a reference to it that may be null and has its own description.
fn copied(component: Schema, reference: &Schema) -> Schema {
    Schema {
        nullable: true,
        description: match (&reference.description, component.description) {
            (Some(own), Some(more)) => Some(words::joined(own, &more)),
            (own, more) => own.clone().or(more),
        },
        default: reference.default.clone().or(component.default),
        extensions: component.extensions.and(reference.extensions.clone()),
        example: component.example,
        of: component.of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(_: &str) -> Schema {
        Schema::from(Of::Words(vec!["a".to_owned()])).described("A word.")
    }

    #[track_caller]
    fn check(schema: impl Into<Schema>, newer: &str, older: &str) {
        let schema = schema.into();
        for (version, expected) in [(Version::V3_1, newer), (Version::V3_0, older)] {
            let writer = Writer {
                version,
                component: &component,
            };
            assert_eq!(
                writer.write(&schema).compact().replace(' ', ""),
                expected.replace(' ', ""),
                "{version:?}"
            );
        }
    }

    #[test]
    fn null_is_a_type_or_a_keyword_beside_one() {
        check(
            Schema::from(Of::Boolean).or_null(true),
            r#"{"type": ["boolean", "null"]}"#,
            r#"{"type": "boolean", "nullable": true}"#,
        );
        check(
            Schema::from(Of::Words(vec!["a".to_owned()])).or_null(true),
            r#"{"type": ["string", "null"], "enum": ["a", null]}"#,
            r#"{"type": "string", "nullable": true, "enum": ["a", null]}"#,
        );
        check(
            Of::Null,
            r#"{"type": "null"}"#,
            r#"{"type": "object", "nullable": true, "enum": [null]}"#,
        );
    }

    #[test]
    fn a_reference_that_may_be_null_is_a_copy_where_nothing_counts_beside_it() {
        check(
            Schema::reference("A".to_owned()).or_null(true).described("Mine."),
            r##"{"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}], "description": "Mine."}"##,
            r#"{"type": "string", "nullable": true, "enum": ["a", null], "description": "Mine. A word."}"#,
        );
        check(
            Schema {
                default: Some("a".into()),
                ..Schema::reference("A".to_owned())
            },
            r##"{"$ref": "#/components/schemas/A", "default": "a"}"##,
            r##"{"allOf": [{"$ref": "#/components/schemas/A"}], "default": "a"}"##,
        );
    }

    #[test]
    fn an_excluded_bound_is_a_number_or_a_flag_beside_one() {
        let above = Number {
            min: None,
            exclusive_min: Some(0.0),
            max: Some(0.5),
        };
        check(
            Of::Number(above),
            r#"{"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}"#,
            r#"{"type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 0.5}"#,
        );
    }

    #[test]
    fn of_several_forms_a_value_has_one() {
        let forms = vec![Of::Boolean.into(), Of::Constant(Json::Plain("1".to_owned())).into()];
        let newer = r#"{"oneOf": [{"type": "boolean"}, {"type": "integer", "const": 1}]}"#;
        check(
            Of::Either(forms),
            newer,
            &newer.replace("\"const\": 1", "\"enum\": [1]"),
        );
    }

    #[test]
    fn a_constant_is_an_enumeration_of_one_where_there_are_none() {
        for (value, of) in [("true", "boolean"), ("2", "integer"), ("2.5", "number")] {
            let newer = format!(r#"{{"type": "{of}", "const": {value}}}"#);
            let older = format!(r#"{{"type": "{of}", "enum": [{value}]}}"#);
            check(Of::Constant(Json::Plain(value.to_owned())), &newer, &older);
        }
    }
}
