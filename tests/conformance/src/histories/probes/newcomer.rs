//! New callers for handwritten scenarios, made by the operations that the contract declares.

use super::{NotSent, Probes, Probing};
use crate::exchange::Caller;
use crate::histories::aims::maker;
use crate::histories::findings::HistoryOptions;
use crate::histories::known::NOBODY;
use crate::histories::subject::{HistoryClock, Sender, Subject};
use crate::histories::wish::Wish;
use codegen::Model;
use codegen::model::Credential;

/// Makes a new caller with a credential of this kind, on this plan if its kind has plans. The error says what is lacking.
pub(crate) type NewCaller<'f> = dyn FnMut(&Credential, Option<&str>) -> Result<Caller, String> + 'f;

impl Probes {
    /// Lets `run` make callers of a server.
    pub(crate) fn with_callers<T>(
        model: &'static Model,
        sender: &Sender,
        roots: Vec<(String, String)>,
        options: HistoryOptions,
        run: impl FnOnce(&mut NewCaller) -> T,
    ) -> T {
        let subject = Subject::new(model, sender, roots, options, HistoryClock::Real);
        let mut probing = Probing::begin(&subject, subject.options.seed);
        run(&mut |kind, plan| {
            let made = probing.newcomer(kind, plan);
            made.map_err(|lacks| match lacks {
                NotSent::Lacks(reason) | NotSent::Ended(reason) => reason,
                NotSent::Differs(found) | NotSent::Before(found) => format!("no caller can be made: {}", found.cause),
            })
        })
    }
}

impl Probing<'_> {
    fn newcomer(&mut self, kind: &Credential, plan: Option<&str>) -> Result<Caller, NotSent> {
        let lacks = || NotSent::Lacks(format!("no operation makes a caller with a {}", kind.name));
        let model = self.generator.model;
        let kind = model.credential(&kind.name);
        let mut id = NOBODY;
        if let Some(acting) = &kind.caller {
            let mut surfaces = model.surfaces.iter();
            let surface = surfaces.find(|surface| surface.credential.as_ref() == Some(&kind.name));
            let maker = maker(&self.generator, &acting.resource).ok_or_else(lacks)?;
            let members = model.body(maker.1).into_iter().flat_map(|body| &body.members);
            let optional = members.filter(|member| !member.required);
            let plain = Wish {
                absent: optional.map(|member| member.field.name.clone()).collect(),
                ..Wish::valid()
            };
            id = self
                .new_caller_like(surface.ok_or_else(lacks)?, plain)?
                .ok_or_else(lacks)?;
            if let Some((field, plans)) = &acting.plan {
                let first = model.enumeration(plans).values.first().map(String::as_str);
                let plan = plan.or(first).unwrap_or_default();
                let has_plan = |probing: &Self| {
                    let record = probing.session.known.record(&acting.resource, id);
                    let value = record.and_then(|record| record.values.get(field));
                    value.and_then(|value| value.as_str()) == Some(plan)
                };
                if !has_plan(self)
                    && let Some(change) = self.change_of((&acting.resource, id), field, plan.into())
                {
                    self.send(&change)?;
                }
                if !has_plan(self) {
                    return Err(NotSent::Lacks(format!(
                        "no operation gives a {} the plan {plan}",
                        acting.resource
                    )));
                }
            }
        }
        let mut all = self.session.known.credentials.iter();
        let known = all.rfind(|one| one.kind == kind.name && one.caller == id && !one.has_ended);
        Ok(Caller {
            secret: known.ok_or_else(lacks)?.secret.clone(),
            id: id.number().unwrap_or_default(),
            kind: &kind.name,
        })
    }
}
