//! The lighthouse's handlers, in memory: what an engineer writes for a contract of their own.

use super::log::{CreateSighting, GetSighting, ListSightings, create_sighting, get_sighting, list_sightings};
use super::open::{Ping, ping};
use super::{AdmitKeeperPass, FindSighting, KeeperId, KeeperPassCaller, Sighting, SightingId};
use contract::{Failure, Page};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Passes of two keepers; the keeper's number is the place.
pub const PASSES: [&str; 2] = ["keeper-one", "keeper-two"];

/// All sightings, in memory.
#[derive(Default)]
pub struct Lighthouse {
    sightings: Mutex<Vec<Arc<Sighting>>>,
}

impl Lighthouse {
    fn sightings(&self) -> MutexGuard<'_, Vec<Arc<Sighting>>> {
        self.sightings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AdmitKeeperPass for Lighthouse {
    async fn admit_keeper_pass(&self, presented: &str) -> Result<Option<KeeperPassCaller>, Failure> {
        let place = PASSES.iter().position(|pass| *pass == presented);
        let id = place.and_then(|place| i64::try_from(place).ok()).map(KeeperId::new);
        Ok(id.map(|id| KeeperPassCaller { id, limited_by: id }))
    }
}

impl FindSighting for Lighthouse {
    async fn find_sighting(&self, id: SightingId) -> Result<Option<Arc<Sighting>>, Failure> {
        Ok(self.sightings().iter().find(|sighting| sighting.id == id).cloned())
    }
}

impl Ping for Lighthouse {
    async fn ping(&self, _: ping::Request) -> Result<(), ping::Error> {
        Ok(())
    }
}

impl CreateSighting for Lighthouse {
    async fn create_sighting(
        &self,
        request: create_sighting::Request,
    ) -> Result<create_sighting::Success, create_sighting::Error> {
        let mut sightings = self.sightings();
        let id = SightingId::new(i64::try_from(sightings.len()).map_err(|_| Failure::Internal)? + 1);
        let rest = create_sighting::Rest {
            id,
            keeper_id: request.caller.id,
        };
        sightings.push(Arc::new(request.body.into_sighting(rest)));
        Ok(create_sighting::Success { id })
    }
}

impl ListSightings for Lighthouse {
    async fn list_sightings(
        &self,
        request: list_sightings::Request,
    ) -> Result<list_sightings::Success, list_sightings::Error> {
        let list_sightings::Query { bearing, most } = request.query;
        let mut seen: Vec<_> = self
            .sightings()
            .iter()
            .filter(|one| one.keeper_id == request.caller.id)
            .cloned()
            .collect();
        seen.retain(|one| bearing.is_none_or(|bearing| one.bearing == bearing));
        seen.sort_by(|a, b| list_sightings::order(a, b));
        let total = i64::try_from(seen.len()).map_err(|_| Failure::Internal)?;
        seen.truncate(usize::try_from(most).map_err(|_| Failure::Internal)?);
        Ok(Page {
            rows: seen.iter().map(|one| one.entry()).collect(),
            total,
        })
    }
}

impl GetSighting for Lighthouse {
    async fn get_sighting(&self, request: get_sighting::Request) -> Result<get_sighting::Success, get_sighting::Error> {
        Ok(request.sighting.entry())
    }
}
