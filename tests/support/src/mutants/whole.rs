//! Mutants of what several operations share: errors, quotas, enums, resources, credentials, events, synonyms.

use super::Mutants;
use codegen::Model;
use codegen::model::{
    Alike, Condition, EnvelopeValue, ErrorEntry, Field, Ids, Kind, Origin, Resource, Table, TypeRule, Word,
};
use codegen::step::Step;

impl Mutants<'_> {
    pub(super) fn whole(&mut self) {
        self.errors();
        self.enums();
        for (nth, resource) in self.model.resources.iter().enumerate() {
            self.resource(nth, resource);
        }
        self.credentials();
        self.events();
        self.texts();
    }

    fn errors(&mut self) {
        let model = self.model;
        let is_tried = |error: &ErrorEntry| {
            let is_of_many = matches!(
                error.step,
                Step::Limit | Step::CredentialLimit | Step::Route | Step::Method
            );
            !is_of_many && !error.is_out_of_reach()
        };
        // A handler has an order of its own for these.
        let is_of_handler = |step: Step| matches!(step, Step::Quota | Step::Transition | Step::Rule);
        // The interpreter never answers with a rule that has no condition.
        let is_own = |error: &ErrorEntry| error.step == Step::Rule && error.when.is_none();
        // No request shows the order of two errors that no operation has both.
        let meet = |one: &ErrorEntry, other: &ErrorEntry| {
            let mut operations = model.operations();
            operations.any(|(surface, operation)| {
                [one, other]
                    .iter()
                    .all(|error| model.can_respond(surface, operation, error))
            })
        };
        for (nth, error) in model.errors.iter().enumerate() {
            let name = &error.name;
            if let Some(former) = nth.checked_sub(1).map(|former| &model.errors[former])
                && former.step != error.step
                && is_tried(former)
                && is_tried(error)
                && !(is_of_handler(former.step) && is_of_handler(error.step))
                && meet(former, error)
            {
                self.whole_model("errors swapped", format!("{} and {name}", former.name), move |model| {
                    model.errors.swap(nth - 1, nth);
                });
            }
            if is_tried(error) && !is_own(error) {
                self.whole_model("other status", name, move |model| model.errors[nth].status += 1);
                if model.title_of(error).is_some() {
                    self.whole_model("other title", name, move |model| model.errors[nth].title.push('.'));
                }
            }
            if let Some(Condition::Field { is, .. }) = &error.when {
                self.whole_model("condition turned", format!("{name}, {is}"), move |model| {
                    if let Some(Condition::Field { is, .. }) = &mut model.errors[nth].when {
                        is.not = !is.not;
                    }
                });
            }
            let headers = error.headers.iter().filter(|_| is_tried(error));
            for (at, (header, _)) in headers.enumerate() {
                self.whole_model("header dropped", format!("{name}, {header}"), move |model| {
                    drop(model.errors[nth].headers.remove(at));
                });
            }
        }
        let without = |members: &Table<EnvelopeValue>, nth: usize| -> Table<EnvelopeValue> {
            let others = members.iter().enumerate().filter(|(at, _)| *at != nth);
            others.map(|(_, member)| member.clone()).collect()
        };
        for (nth, (member, value)) in model.error.iter().enumerate() {
            let others = without(&model.error, nth);
            self.whole_model("member of errors dropped", member.as_str(), move |model| {
                model.error.clone_from(&others);
            });
            let EnvelopeValue::Object(members) = value else {
                continue;
            };
            for (at, (inner, _)) in members.iter().enumerate() {
                let with = |(place, (name, value)): (usize, &(Word, EnvelopeValue))| {
                    let object = EnvelopeValue::Object(without(members, at));
                    (name.clone(), if place == nth { object } else { value.clone() })
                };
                let others: Table<EnvelopeValue> = model.error.iter().enumerate().map(with).collect();
                self.whole_model("member of errors dropped", format!("{member}.{inner}"), move |model| {
                    model.error.clone_from(&others);
                });
            }
        }
        for (nth, (member, _)) in model.fault.iter().enumerate() {
            let others = without(&model.fault, nth);
            self.whole_model("member of faults dropped", member.as_str(), move |model| {
                model.fault.clone_from(&others);
            });
        }
        if model.error_media_type.is_some() {
            self.whole_model("media type of errors", "changed", |model| model.error_media_type = None);
        }
        for (nth, quota) in model.quotas.iter().enumerate() {
            self.whole_model("quota shifted", format!("{} + 1", quota.name), move |model| {
                model.quotas[nth].max += 1;
            });
            self.whole_model("quota shifted", format!("{} - 1", quota.name), move |model| {
                model.quotas[nth].max -= 1;
            });
        }
        for (nth, (header, _)) in model.headers.iter().enumerate() {
            self.whole_model("header dropped", header, move |model| drop(model.headers.remove(nth)));
        }
        for (nth, (header, _)) in model.error_headers.iter().enumerate() {
            self.whole_model("header dropped", header, move |model| {
                drop(model.error_headers.remove(nth));
            });
        }
    }

    fn enums(&mut self) {
        for (nth, one) in self.model.enums.iter().enumerate() {
            if let Some(moves) = one.states.as_ref().and_then(|states| states.transitions.as_ref()) {
                self.whole_model("any transition", &one.name, move |model| {
                    if let Some(states) = &mut model.enums[nth].states {
                        states.transitions = None;
                    }
                });
                for (from, (state, to)) in moves.iter().enumerate() {
                    for (at, to) in to.iter().enumerate() {
                        let place = format!("{} from {state} to {to}", one.name);
                        self.whole_model("transition refused", place, move |model| {
                            let states = model.enums[nth].states.as_mut();
                            if let Some(moves) = states.and_then(|states| states.transitions.as_mut()) {
                                drop(moves[from].1.remove(at));
                            }
                        });
                    }
                }
            }
            if one.is_of_events || one.is_of_orders {
                continue;
            }
            self.whole_model("word unknown", &one.name, move |model| {
                drop(model.enums[nth].values.pop());
            });
            self.whole_model("word more", &one.name, move |model| {
                model.enums[nth].values.push("no-such-word".to_owned());
            });
        }
    }

    fn resource(&mut self, nth: usize, resource: &Resource) {
        let name = &resource.name;
        if resource.private {
            self.whole_model("not private", name, move |model| model.resources[nth].private = false);
        }
        if resource.ids.is_uuid() {
            let other = match resource.ids {
                Ids::UuidV4 => Ids::UuidV7,
                _ => Ids::UuidV4,
            };
            self.whole_model("ids are numbers", name, move |model| {
                model.resources[nth].ids = Ids::Numbers
            });
            self.whole_model("other version of UUIDs", name, move |model| {
                model.resources[nth].ids = other
            });
        }
        if resource.realm.is_some() {
            self.whole_model("realms mixed", name, move |model| model.resources[nth].realm = None);
        }
        if resource.hidden.is_some() {
            self.whole_model("not hidden", name, move |model| model.resources[nth].hidden = None);
        }
        for (at, field) in resource.joined.iter().enumerate() {
            self.derived(name, field, move |model| &mut model.resources[nth].joined[at].origin);
        }
        for (at, field) in resource.fields.iter().enumerate() {
            self.derived(name, field, move |model| &mut model.resources[nth].fields[at].origin);
        }
        for (v, view) in resource.views.iter().enumerate() {
            for (at, member) in view.members.iter().enumerate() {
                let place = format!("{name}.{}.{}", view.name, member.shown);
                if member.omitted {
                    self.whole_model("null shown", &place, move |model| {
                        model.resources[nth].views[v].members[at].omitted = false;
                    });
                }
                self.whole_model("member hidden", place, move |model| {
                    drop(model.resources[nth].views[v].members.remove(at));
                });
            }
        }
    }

    /// Mutants of a field whose value comes from elsewhere.
    fn derived(
        &mut self,
        resource: &str,
        field: &Field,
        find: impl Fn(&mut Model) -> &mut Option<Origin> + Copy + Send + Sync + 'static,
    ) {
        let place = format!("{resource}.{}", field.name);
        match &field.origin {
            Some(Origin::Count { only, .. }) => {
                if only.is_some() {
                    self.whole_model("all are counted", &place, move |model| {
                        if let Some(Origin::Count { only, .. }) = find(model) {
                            *only = None;
                        }
                    });
                }
                let mut ids = self.model.resources.iter().flat_map(|one| {
                    let ids = one.fields.iter().filter(|field| matches!(field.of.kind, Kind::Id(_)));
                    ids.map(|id| (one.name.clone(), id.name.clone()))
                });
                let is_other = |(one, id): &(String, String)| !matches!(&field.origin, Some(Origin::Count { resource, via, .. }) if one == resource && id == via);
                let Some(other) = ids.find(is_other) else { return };
                self.whole_model("others are counted", place, move |model| {
                    if let Some(Origin::Count { resource, via, only }) = find(model) {
                        (*resource, *via) = other.clone();
                        *only = None;
                    }
                });
            }
            Some(Origin::Latest { field: shown, .. } | Origin::Follow { field: shown, .. }) if shown != "id" => {
                self.whole_model("id shown instead", place, move |model| {
                    if let Some(Origin::Latest { field, .. } | Origin::Follow { field, .. }) = find(model) {
                        "id".clone_into(field);
                    }
                });
            }
            _ => {}
        }
    }

    fn credentials(&mut self) {
        for (nth, credential) in self.model.credentials.iter().enumerate() {
            let suspended = credential.caller.as_ref().and_then(|caller| caller.suspended.as_ref());
            if suspended.is_some() {
                self.whole_model("suspension ignored", &credential.name, move |model| {
                    if let Some(caller) = &mut model.credentials[nth].caller {
                        caller.suspended = None;
                    }
                });
            }
            if credential.shown.is_some() {
                self.whole_model("start longer", &credential.name, move |model| {
                    let shown = &mut model.credentials[nth].shown;
                    *shown = shown.map(|shown| shown + 1);
                });
            }
        }
    }

    fn events(&mut self) {
        let Some(events) = &self.model.events else { return };
        for (nth, kind) in events.kinds.iter().enumerate() {
            let parts = [
                ("recipient dropped", kind.to.len()),
                ("cause dropped", kind.causes.len()),
                ("event data dropped", kind.data.len()),
            ];
            for (of, (what, number)) in parts.into_iter().enumerate() {
                for at in 0..number {
                    self.whole_model(what, format!("{}, {}", kind.name, at + 1), move |model| {
                        let Some(kind) = model.events.as_mut().map(|events| &mut events.kinds[nth]) else {
                            return;
                        };
                        match of {
                            0 => drop(kind.to.remove(at)),
                            1 => drop(kind.causes.remove(at)),
                            _ => drop(kind.data.remove(at)),
                        }
                    });
                }
            }
        }
    }

    fn texts(&mut self) {
        for (nth, one) in self.model.synonyms.iter().enumerate() {
            self.whole_model(
                "synonyms dropped",
                format!("{}.{}", one.resource, one.field),
                move |model| {
                    drop(model.synonyms.remove(nth));
                },
            );
        }
        for (nth, named) in self.model.types.iter().enumerate() {
            if let TypeRule::Text { alike, .. } = &named.rule
                && *alike != Alike::Exact
            {
                self.whole_model("compared exactly", &named.name, move |model| {
                    if let TypeRule::Text { alike, .. } = &mut model.types[nth].rule {
                        *alike = Alike::Exact;
                    }
                });
            }
        }
    }
}
