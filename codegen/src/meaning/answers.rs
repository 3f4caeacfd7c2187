//! Resolves where the members of answers come from.

use super::Known;
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{AnswerFrom, Data, Effect, Field, Kind, Model, Operation, Surface, Target};

pub(super) fn declare(model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    let answers = seen.operations().map(|(surface, operation)| {
        let answering = Answering {
            known: Known::for_operation(&seen, surface, operation),
            operation,
        };
        answering.all(surface, diagnostics)
    });
    let answers: Vec<Vec<AnswerFrom>> = answers.collect();
    let operations = model.surfaces.iter_mut().flat_map(|surface| &mut surface.operations);
    for (operation, answers) in operations.zip(answers) {
        operation.answers = answers;
    }
}

struct Answering<'m> {
    known: Known<'m>,
    operation: &'m Operation,
}

impl Answering<'_> {
    fn all(&self, surface: &Surface, diagnostics: &mut Vec<Diagnostic>) -> Vec<AnswerFrom> {
        match &self.operation.data {
            None | Some(Data::Many { .. } | Data::Counts(_) | Data::Events) => Vec::new(),
            Some(Data::One { resource, view }) => {
                let from = match self.target(resource) {
                    Some(target) => AnswerFrom::View(target),
                    None => self.unfilled(&format!("{resource}.{view}"), self.operation.at, surface, diagnostics),
                };
                vec![from]
            }
            Some(Data::Members(members)) => {
                let from = |member| match self.member(member) {
                    Some(from) => from,
                    None => self.unfilled(&member.name, member.at, surface, diagnostics),
                };
                members.iter().map(from).collect()
            }
        }
    }

    fn unfilled(
        &self,
        what: &str,
        at: crate::model::Span,
        surface: &Surface,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> AnswerFrom {
        if self.operation.undeclared.is_none() {
            let message = format!(
                "nothing that `{}::{}` knows is the `{what}` that it returns",
                surface.name, self.operation.name
            );
            let help = "it can be of a record that the endpoint creates, that a guard finds or that calls; or state in \
                        `undeclared` why the contract cannot say where it comes from";
            diagnostics.push(Diagnostic::new(Rule::UnfilledAnswer, at, message).help(help));
        }
        AnswerFrom::Undeclared
    }

    fn member(&self, member: &Field) -> Option<AnswerFrom> {
        match &member.of.kind {
            Kind::Id(resource) if member.of.list => self.made_each(resource),
            Kind::Id(resource) => {
                let named = self.named(member);
                let own = self.target(resource).map(AnswerFrom::Id);
                // `compartment_id` of a new reservation, not the id of the record that is shown.
                if member.name == "id" {
                    own.or(named)
                } else {
                    named.or(own)
                }
            }
            Kind::Secret => self.minted().map(AnswerFrom::Secret),
            Kind::View(resource, _) if !member.of.list => self.target(resource).map(AnswerFrom::View),
            _ => self.named(member),
        }
    }

    fn made_each(&self, resource: &str) -> Option<AnswerFrom> {
        let mut effects = self.operation.effects.iter();
        effects.find_map(|effect| match effect {
            Effect::Make {
                resource: made,
                each: Some(_),
                ..
            } if made == resource => Some(AnswerFrom::Ids(made.clone())),
            _ => None,
        })
    }

    /// The resources of which the operation creates one record.
    fn made(&self) -> impl Iterator<Item = &str> {
        self.operation.effects.iter().filter_map(|effect| match effect {
            Effect::Make {
                resource, each: None, ..
            } => Some(resource.as_str()),
            _ => None,
        })
    }

    fn target(&self, resource: &str) -> Option<Target> {
        let made = self.made().find(|made| *made == resource);
        made.map(|made| Target::Made(made.to_owned()))
            .or_else(|| self.known.target(resource))
    }

    /// The credential that the operation creates: the one that it renews, else that of a record that it creates.
    fn minted(&self) -> Option<String> {
        let mut effects = self.operation.effects.iter();
        let renewed = effects.find_map(|effect| match effect {
            Effect::Renew { credential, .. } => Some(credential.clone()),
            _ => None,
        });
        let mut credentials = self.known.model.credentials.iter();
        renewed.or_else(|| {
            let of_made = credentials.find(|one| {
                let whose = one.caller.as_ref().map(|caller| caller.limited_by.as_str());
                whose.is_some_and(|whose| self.made().any(|made| made == whose))
            });
            of_made.map(|one| one.name.clone())
        })
    }

    /// A field with the name and type of the member: of the records that the operation creates, the last one that a
    /// guard found, or the caller; else a member of the body.
    fn named(&self, member: &Field) -> Option<AnswerFrom> {
        let made = self.made().map(|made| Target::Made(made.to_owned()));
        let found = self
            .known
            .found
            .iter()
            .rev()
            .map(|found| Target::Found((*found).to_owned()));
        let caller = self.known.caller.map(|_| Target::Caller);
        let mut targets = made.chain(found).chain(caller);
        let is_it = |field: &&Field| field.name == member.name && field.of.kind == member.of.kind;
        let field = targets.find_map(|target| {
            let resource = self.known.resource(&target);
            let mut fields = resource.fields.iter().chain(&resource.joined);
            fields
                .find(is_it)
                .map(|field| AnswerFrom::Field(target, field.name.clone()))
        });
        let body = self.known.model.body(self.operation);
        let mut members = body.into_iter().flat_map(|body| &body.members).map(|one| &one.field);
        field.or_else(|| members.find(is_it).map(|one| AnswerFrom::Member(one.name.clone())))
    }
}
