//! Resolves resources with their views, and the bodies that create or change them.

use super::Resolver;
use super::words::{known, lookup, text, texts};
use crate::model::{Body, BodyMember, Field, Ids, Input, Kind, Realm, Resource, Source, Type, View, ViewMember};
use crate::names::plural;
use crate::syntax::{self, Origin, TypeDef, TypeUse, Word};

impl Resolver<'_> {
    pub(super) fn input(&self, name: &Word, body: &syntax::Body) -> Input {
        Input {
            name: text(name),
            body: self.body(body),
        }
    }

    pub(super) fn body(&self, body: &syntax::Body) -> Body {
        let mut members = Vec::new();
        if let Some(record) = &body.resource {
            let resource = known(&self.spec.resources, &record.text);
            let fields = &resource.fields;
            let named = [(&body.required, true), (&body.optional, false), (&body.any, false)];
            for (words, required) in named {
                members.extend(words.iter().map(|word| BodyMember {
                    field: self.field(word, known(fields, &word.text)),
                    of_record: true,
                    required,
                    never_null: !required && body.any.is_empty() && resource.nulls.is_some(),
                }));
            }
        }
        let partial = !body.any.is_empty();
        members.extend(self.fields(&body.members).into_iter().map(|field| BodyMember {
            of_record: false,
            required: !partial && !field.of.optional && field.of.default.is_none(),
            never_null: false,
            field,
        }));
        Body {
            resource: body.resource.as_ref().map(text),
            partial,
            members,
            at: body.at,
        }
    }

    pub(super) fn resource(&self, name: &Word, resource: &syntax::Resource) -> Resource {
        Resource {
            name: text(name),
            noun: text(&resource.noun),
            plural: resource
                .plural
                .as_ref()
                .map_or_else(|| plural(&resource.noun.text), text),
            label: resource.label.as_ref().map(text),
            columns: texts(&resource.columns),
            doc: resource.doc.as_ref().map(text),
            ids: resource
                .ids
                .as_ref()
                .map_or(Ids::Numbers, |ids| Ids::from_name(&ids.text)),
            owner: resource
                .owner
                .iter()
                .map(|(caller, field)| (text(caller), text(field)))
                .collect(),
            omits_nulls: resource.nulls.is_some(),
            private: resource.private,
            realm: resource.realm.as_ref().map(|realm| self.realm(resource, realm)),
            // `meaning` resolves them.
            hidden: None,
            distinct: None,
            average: None,
            fields: self.stored(&text(name), resource),
            joined: self.fields(&resource.joined),
            views: resource
                .views
                .iter()
                .map(|(view, members)| self.view(resource, view, members))
                .collect(),
            at: name.at,
        }
    }

    fn realm(&self, resource: &syntax::Resource, realm: &Word) -> Realm {
        let (through, field) = match realm.text.split_once('.') {
            None => (None, self.stored_field(realm, known(&resource.fields, &realm.text))),
            Some((id, field)) => {
                let Kind::Id(next) = self.of(known(&resource.fields, id)).kind else {
                    unreachable!("checked: an id leads to another record")
                };
                let field = realm.part(field);
                let used = known(&known(&self.spec.resources, &next).fields, &field.text);
                (Some((id.to_owned(), next)), self.stored_field(&field, used))
            }
        };
        Realm {
            through,
            field: field.name,
            of: field.of,
        }
    }

    fn stored(&self, name: &str, resource: &syntax::Resource) -> Vec<Field> {
        let declared = resource.fields.iter();
        let mut fields: Vec<Field> = declared.map(|(name, used)| self.stored_field(name, used)).collect();
        for field in &mut fields {
            let place = format!("{name}.{}", field.name);
            field.of.has_states = lookup(&self.spec.states, &place).is_some();
        }
        fields
    }

    /// A count has the default 0: a record that was stored without it names no other one yet.
    fn stored_field(&self, name: &Word, used: &TypeUse) -> Field {
        let mut field = self.field(name, used);
        if let Some(Origin::Count(..)) = used.origin.as_deref() {
            field.of.default = Some("0".to_owned());
        }
        field
    }

    fn view(&self, resource: &syntax::Resource, name: &Word, members: &[syntax::ViewField]) -> View {
        View {
            name: text(name),
            members: members
                .iter()
                .map(|member| self.view_member(resource, member))
                .collect(),
        }
    }

    fn view_member(&self, resource: &syntax::Resource, member: &syntax::ViewField) -> ViewMember {
        let (source, Field { of, doc, .. }) = self.source(resource, &member.source);
        ViewMember {
            shown: text(&member.shown),
            // Of a member of each item the list is always there.
            omitted: resource.nulls.is_some() && of.optional && !matches!(source, Source::Each(..)),
            source,
            of,
            doc,
        }
    }

    /// The source of a member of a view, and the field that it shows: a field, or a member of each item of a field.
    pub(super) fn source(&self, resource: &syntax::Resource, source: &Word) -> (Source, Field) {
        if let Some((field, part)) = source.text.split_once("[].") {
            let items = self.item_members(self.of(known(&resource.fields, field)));
            let mut member = items
                .into_iter()
                .find(|item| item.name == part)
                .expect("checked: the member is known");
            member.of.list = true;
            (Source::Each(field.to_owned(), part.to_owned()), member)
        } else if let Some(used) = lookup(&resource.fields, &source.text) {
            (Source::Stored(text(source)), self.stored_field(source, used))
        } else {
            let used = known(&resource.joined, &source.text);
            (Source::Joined(text(source)), self.field(source, used))
        }
    }

    fn item_members(&self, list: Type) -> Vec<Field> {
        match list.kind {
            Kind::Object(name) => self.fields(known(&self.spec.objects, &name)),
            Kind::Named(name) => match &known(&self.spec.types, &name).def {
                TypeDef::List(list) => self.fields(known(&self.spec.objects, &list.of.text)),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
