//! Which endpoints take idempotency keys, by what the contract says of them.

use super::endpoints::{Data, Endpoint, Surface};
use super::expressions::TypeUse;
use super::file::Spec;
use super::idempotency::KeyUse;
use crate::span::Word;

impl Endpoint {
    /// Whether it could take idempotency keys: it makes records for a known caller, and its answer can be stored.
    pub fn can_take_keys(&self, surface: &Surface) -> bool {
        let can_be_stored = match &self.success.data {
            None => true,
            Some(Data::View(_)) => false,
            Some(Data::Members(members)) => {
                let is_secret = members.iter().any(|(_, used)| used.name.text == "secret");
                !is_secret || self.made_id().is_some()
            }
        };
        let makes = self.method.text == "POST" && self.makes.is_some();
        makes && surface.credential.is_some() && can_be_stored && self.success.siblings.is_empty()
    }

    /// For how many seconds it keeps its answers, if it takes idempotency keys.
    pub fn keep_seconds(&self, spec: &Spec, surface: &Surface) -> Option<u32> {
        let general = spec.idempotency.as_ref()?.keep;
        let own = match &self.idempotency {
            Some(KeyUse::Off(_)) => None,
            Some(KeyUse::Kept(own)) => Some(own.keep),
            None => Some(general),
        };
        own.filter(|_| self.can_take_keys(surface)).map(|keep| keep.seconds)
    }

    /// Whether its success has a secret.
    pub fn shows_secret(&self) -> bool {
        let is_secret = |(_, used): &(Word, TypeUse)| used.name.text == "secret";
        matches!(&self.success.data, Some(Data::Members(members)) if members.iter().any(is_secret))
    }

    /// The first member of the success that is the id of a record that it makes.
    pub fn made_id(&self) -> Option<&Word> {
        let (Some(Data::Members(members)), Some(makes)) = (&self.success.data, &self.makes) else {
            return None;
        };
        let is_made = |id: &str| {
            let resource = id.strip_suffix(".id");
            resource.is_some_and(|resource| makes.get(resource).is_some())
        };
        let mut ids = members
            .iter()
            .filter(|(_, used)| !used.list && is_made(&used.name.text));
        ids.next().map(|(name, _)| name)
    }
}
