//! What people see of the contract: labels and columns of views, units, and texts in further languages.

use super::Scope;
use super::schema::{Schema, SchemaMember};
use crate::json::{Json, JsonObject, list};
use crate::model::{
    Data, Enum, Field, Kind, Language, LanguageText, Model, NamedType, Owner, Resource, Source, TextOf, Type, TypeRule,
    Unit, View, ViewMember,
};

/// The most columns of a table, if the contract names none.
const MOST_COLUMNS: usize = 9;

/// The facts about a view for people: its own id, its label and its columns.
pub(super) fn with_facts(model: &Model, schema: Schema, resource: &Resource, view: &View) -> Schema {
    let named = [("x-id", own_id(view)), ("x-label", label(model, resource, view))];
    let named = named.into_iter().filter_map(|(name, member)| Some((name, member?)));
    let schema = named.fold(schema, |schema, (name, member)| schema.extended(name, member));
    schema.extended("x-columns", list(columns(model, resource, view)))
}

/// The member of a view that tells its records apart for people.
fn label<'v>(model: &Model, resource: &Resource, view: &'v View) -> Option<&'v str> {
    if let Some(label) = &resource.label {
        return member_of(view, label);
    }
    let own = resource.fields.iter().filter(|field| field.origin.is_none());
    let texts: Vec<&Field> = own
        .chain(&resource.joined)
        .filter(|field| is_text(model, &field.of))
        .collect();
    let (several, one): (Vec<&Field>, Vec<&Field>) =
        texts.into_iter().partition(|field| is_multiline(model, &field.of));
    one.into_iter()
        .chain(several)
        .find_map(|field| member_of(view, &field.name))
}

/// The members of a view that a table shows.
fn columns<'v>(model: &Model, resource: &Resource, view: &'v View) -> Vec<&'v str> {
    if !resource.columns.is_empty() {
        return resource
            .columns
            .iter()
            .filter_map(|field| member_of(view, field))
            .collect();
    }
    let label = label(model, resource, view);
    let is_short = |member: &&ViewMember| {
        let is_of_objects = member.of.list && matches!(member.of.kind, Kind::Object(_) | Kind::View(..));
        label == Some(&member.shown)
            || !(is_of_objects || is_multiline(model, &member.of) || lists_objects(model, &member.of))
    };
    let shown = view.members.iter().filter(is_short).take(MOST_COLUMNS);
    shown.map(|member| member.shown.as_str()).collect()
}

/// The member of a view that shows a field, whole.
fn member_of<'v>(view: &'v View, field: &str) -> Option<&'v str> {
    let shows = |member: &&ViewMember| member.source.field() == field;
    view.members.iter().find(shows).map(|member| member.shown.as_str())
}

/// The member of a view with the record's own id.
fn own_id(view: &View) -> Option<&str> {
    let is_it = |member: &&ViewMember| matches!(&member.source, Source::Stored(name) if name == "id");
    view.members.iter().find(is_it).map(|member| member.shown.as_str())
}

fn named<'m>(model: &'m Model, of: &Type) -> Option<&'m NamedType> {
    match &of.kind {
        Kind::Named(name) => Some(model.named_type(name)),
        _ => None,
    }
}

fn is_text(model: &Model, of: &Type) -> bool {
    !of.list && named(model, of).is_some_and(|named| matches!(named.rule, TypeRule::Text { .. }))
}

fn is_multiline(model: &Model, of: &Type) -> bool {
    named(model, of).is_some_and(|named| named.is_multiline)
}

/// Whether it is of a type that lists objects, or has any members.
fn lists_objects(model: &Model, of: &Type) -> bool {
    named(model, of).is_some_and(|named| match &named.rule {
        TypeRule::List { of, .. } => matches!(of.kind, Kind::Object(_) | Kind::Input(_)) || lists_objects(model, of),
        TypeRule::FreeForm { .. } => true,
        _ => false,
    })
}

/// The languages of a contract, each with what `of` has in it.
fn in_languages<J: Into<Json>>(model: &Model, of: impl Fn(&Language) -> Option<J>) -> Option<JsonObject> {
    let all = model.languages.iter();
    let all: JsonObject = all
        .filter_map(|language| Some((language.tag.clone(), of(language)?.into())))
        .collect();
    Some(all).filter(|all| !all.is_empty())
}

fn written(text: &LanguageText) -> JsonObject {
    JsonObject::new()
        .with("name", &text.name)
        .maybe("doc", text.doc.as_ref())
}

impl Scope<'_> {
    /// `x-text`: what the first of these that has a text is called in each language.
    pub(super) fn text_of(&self, of: &[TextOf]) -> Option<JsonObject> {
        in_languages(self.model, |language| language.first(of).map(written))
    }

    /// A member with its texts.
    pub(super) fn with_text(&self, owner: Owner<'_>, member: SchemaMember) -> SchemaMember {
        match self.text_of(&owner.names_of(&member.name)) {
            Some(texts) => SchemaMember {
                of: member.of.extended("x-text", texts),
                ..member
            },
            None => member,
        }
    }

    /// A member of a view with its texts: those of the member, or of the field that it shows.
    pub(super) fn with_text_of_view(&self, resource: &str, shown: &ViewMember, member: SchemaMember) -> SchemaMember {
        let owner = Owner::Declaration(resource);
        let [own, any] = owner.names_of(&shown.shown);
        let [of_field, any_field] = owner.names_of(shown.source.field());
        match self.text_of(&[own, of_field, any, any_field]) {
            Some(texts) => SchemaMember {
                of: member.of.extended("x-text", texts),
                ..member
            },
            None => member,
        }
    }

    /// `x-enum-text`: what each value is called in each language, in their order.
    pub(super) fn with_value_texts(&self, one: &Enum, schema: Schema) -> Schema {
        let texts = in_languages(self.model, |language| {
            let values = one.values.iter().map(|value| {
                let text = language.first(&self.model.value_names(&one.name, value));
                text.map_or_else(Json::null, |text| written(text).into())
            });
            let values: Vec<Json> = values.collect();
            (values.iter().any(|value| *value != Json::null())).then_some(Json::List(values))
        });
        match texts {
            Some(texts) => schema.extended("x-enum-text", texts),
            None => schema,
        }
    }

    /// `x-unit`: the unit, or the operation of this document and the member of its `data` that state it.
    pub(super) fn unit(&self, unit: &Unit) -> Option<Json> {
        match unit {
            Unit::Currency(_) | Unit::Measure(_) => Some(unit.to_string().into()),
            Unit::Stated { operation, member } => {
                let has_it = |data: &Option<Data>| matches!(data, Some(Data::Members(members)) if members.iter().any(|one| one.name == *member));
                let (surface, found) = self
                    .operations()
                    .find(|(_, one)| one.name == *operation && has_it(&one.data))?;
                let id = crate::documents::shared::words::operation_id(surface, found);
                let stated = JsonObject::new().with("operation", id).with("member", member);
                Some(stated.into())
            }
        }
    }
}
