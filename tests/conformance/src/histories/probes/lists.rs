//! Probes of lists that are longer than a page, or than what many frameworks show by default.

use super::{NotSent, Probing};
use crate::histories::aims::maker;
use crate::histories::call::Call;
use crate::histories::growth::{Growth, growth};
use crate::histories::wish::{Called, Wish};
use crate::histories::wishes::has_credential;
use codegen::model::{RecordId, Surface};

impl Probing<'_> {
    /// Makes more rows than a page has by default. It is read from then on.
    pub(super) fn long_list(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let growth = self.growth(called)?;
        for _ in 0..growth.missing {
            self.row(&growth)?;
        }
        let read = self.find((called.0, called.1, None), &growth.reading);
        let read = read.ok_or_else(|| NotSent::Lacks("the list cannot be read".to_owned()))?;
        self.base = Some(Call {
            query: Vec::new(),
            ..read.clone()
        });
        self.send(&read).map(|_| ())
    }

    /// A list that can be read, and that can get one more row.
    fn growth(&mut self, called: Called<'static>) -> Result<Growth<'static>, NotSent> {
        const TRIES: usize = 12;
        let mut wish = Wish::valid();
        for _ in 0..TRIES {
            let growth = growth(&mut self.generator, &self.session.known, called, &wish);
            let Some(growth) = growth else {
                return Err(NotSent::Lacks("no operation makes enough rows".to_owned()));
            };
            let can_read = self.find((called.0, called.1, None), &growth.reading).is_some();
            let maker = (growth.maker.0, growth.maker.1, None);
            if can_read && (growth.missing == 0 || self.find(maker, &growth.making).is_some()) {
                return Ok(growth);
            }
            self.new_caller(growth.maker.0)?;
            for (resource, _) in &growth.making.records {
                self.make(resource);
            }
            self.steps_planned()?;
            let of_rules = self
                .aims
                .set_up(&mut self.generator, &self.session.known, growth.maker.1);
            self.steps_planned()?;
            wish = of_rules.unwrap_or_else(Wish::valid);
        }
        let reason = "no call makes a row of a list that can be read";
        Err(NotSent::Lacks(reason.to_owned()))
    }

    /// Makes one more row; by a new caller, if no other one can.
    fn row(&mut self, growth: &Growth<'static>) -> Result<(), NotSent> {
        let goal = (growth.maker.0, growth.maker.1, None);
        let mut found = self.find(goal, &growth.making);
        if found.is_none() && growth.making.caller.is_none() {
            let making = Wish {
                caller: self.new_caller(growth.maker.0)?,
                ..growth.making.clone()
            };
            found = self.find(goal, &making);
        }
        if found.is_none() {
            // It may need another record, such as one that the caller has not used yet.
            let guards = growth.maker.1.exists().map(|guard| guard.resource.as_str());
            guards.for_each(|resource| self.make(resource));
            self.steps_planned()?;
            found = self.find(goal, &growth.making);
        }
        let call = found.ok_or_else(|| NotSent::Lacks("the list gets too few rows".to_owned()))?;
        self.send(&call).map(|_| ())
    }

    /// A new caller of this surface, with a credential.
    pub(super) fn new_caller(&mut self, surface: &Surface) -> Result<Option<RecordId>, NotSent> {
        self.new_caller_like(surface, Wish::valid())
    }

    /// The same, made by a call like this.
    pub(super) fn new_caller_like(&mut self, surface: &Surface, wish: Wish) -> Result<Option<RecordId>, NotSent> {
        let credential = self.generator.model.credential_of(surface);
        let Some((credential, acting)) = credential.and_then(|one| Some((one, one.caller.as_ref()?))) else {
            return Ok(None);
        };
        if let Some(maker) = maker(&self.generator, &acting.resource) {
            self.aims.success(maker, wish);
        }
        self.steps_planned()?;
        let known = &self.session.known;
        let Some(caller) = known.records(&acting.resource).last() else {
            return Ok(None);
        };
        let (id, is_complete) = (caller.id, has_credential(known, surface, caller));
        let mut operations = self.generator.operations.iter();
        let renews = operations.find(|(_, operation)| operation.renews(&credential.name).is_some());
        if let (false, Some(renews)) = (is_complete, renews) {
            self.aims.success(*renews, Wish::naming(&acting.resource, id));
            self.steps_planned()?;
        }
        Ok(Some(id))
    }
}
