//! Recipients and their profiles.

use crate::support::{Done, Encoded, Failure};
use crate::{Lockers, RecipientId, RecipientProfile, depot, pass, recipient};
use depot::{create_pass, create_recipient, delete_pass};
use recipient::{get_me, update_me};

impl depot::CreateRecipient for Lockers {
    async fn create_recipient(
        &self,
        request: create_recipient::Request,
    ) -> Result<Done<create_recipient::Success>, create_recipient::Error> {
        let pass = pass::mint();
        let mut store = self.store();
        let id = store.recipients.add(RecipientId::new, |id| {
            request.body.into_recipient(create_recipient::Rest { id })
        });
        store.passes.insert(pass.clone(), id);
        Ok(store.done(&request.once, create_recipient::Success { id, pass }))
    }
}

impl depot::CreatePass for Lockers {
    async fn create_pass(&self, request: create_pass::Request) -> Result<create_pass::Success, create_pass::Error> {
        let pass = pass::mint();
        let mut store = self.store();
        store.passes.retain(|_, id| *id != request.recipient.id);
        store.passes.insert(pass.clone(), request.recipient.id);
        Ok(create_pass::Success { pass })
    }
}

impl depot::DeletePass for Lockers {
    async fn delete_pass(&self, request: delete_pass::Request) -> Result<(), delete_pass::Error> {
        self.store().passes.retain(|_, id| *id != request.recipient.id);
        Ok(())
    }
}

impl recipient::GetMe for Lockers {
    async fn get_me(&self, request: get_me::Request) -> Result<Encoded<RecipientProfile>, get_me::Error> {
        let store = self.store();
        let me = store.recipients.get(request.caller.id).ok_or(Failure::Internal)?;
        Ok(me.profile())
    }
}

impl recipient::UpdateMe for Lockers {
    async fn update_me(&self, request: update_me::Request) -> Result<(), update_me::Error> {
        let mut store = self.store();
        let me = store.recipients.get_mut(request.caller.id).ok_or(Failure::Internal)?;
        request.body.apply(me);
        Ok(())
    }
}
