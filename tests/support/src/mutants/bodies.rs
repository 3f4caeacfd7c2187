//! Mutants of what a body may hold.

use super::Mutants;
use super::neighbours::{neighbours, retype};
use codegen::model::{Body, BodyMember, BodyUse, NamedType, Operation};

impl Mutants<'_> {
    pub(super) fn body(&mut self, operation: &Operation) {
        let model = self.model;
        let Some(body) = model.body(operation) else { return };
        for (nth, sent) in body.members.iter().enumerate() {
            let name = &sent.field.name;
            self.member("member unknown", name, body, move |body, _| {
                drop(body.members.remove(nth));
            });
            let (kind, is_required) = match sent.required {
                true => ("member optional", false),
                false => ("member required", true),
            };
            if !body.partial {
                self.member(kind, name, body, move |body, _| {
                    let member = &mut body.members[nth];
                    member.required = is_required;
                    member.field.of.optional = !is_required;
                    member.field.of.default = None;
                });
            }
            if sent.never_null {
                self.member("null accepted", name, body, move |body, _| {
                    body.members[nth].never_null = false
                });
            }
            for (place, rule) in neighbours(model, &sent.field.of) {
                let place = format!("{name}: {place}");
                self.member("bound shifted", &place, body, move |body, types| {
                    retype(types, &mut body.members[nth].field.of, &rule);
                });
            }
        }
        self.items(body);
    }

    /// A mutant with a body of its own, so that others that use the input stay right.
    fn member(
        &mut self,
        kind: &'static str,
        place: &str,
        body: &Body,
        edit: impl Fn(&mut Body, &mut Vec<NamedType>) + Send + Sync + 'static,
    ) {
        let ((s, o), whole) = (self.at, body.clone());
        self.whole_model(kind, place, move |model| {
            let mut body = whole.clone();
            edit(&mut body, &mut model.types);
            model.surfaces[s].operations[o].body = Some(BodyUse::Inline(body));
        });
    }

    /// Mutants of the members of the body's items.
    fn items(&mut self, body: &Body) {
        let model = self.model;
        for (nth, object) in model.objects.iter().enumerate() {
            let is_item = |sent: &BodyMember| model.items(&sent.field.of).is_some_and(|of| of.name == object.name);
            if !body.members.iter().any(is_item) {
                continue;
            }
            for (at, field) in object.members.iter().enumerate() {
                for (place, rule) in neighbours(model, &field.of) {
                    let place = format!("{}.{}: {place}", object.name, field.name);
                    self.whole_model("bound shifted", place, move |model| {
                        retype(&mut model.types, &mut model.objects[nth].members[at].of, &rule);
                    });
                }
            }
        }
    }
}
