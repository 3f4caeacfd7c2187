//! Three operations of the lockers with their emitted handlers, and with handlers that are written by hand over the same store,
//! which is in memory: what is compared is not the disk.

use std::sync::Arc;

use codegen_store::{Decided, Index, StoreResult, Tree};
use lockers::depot::{CreateStation, create_station};
use lockers::finder::{GetStation, ListCompartments, get_station, list_compartments};
use lockers::stored::{Actor, Keeps, Stored, Tx};
use lockers::support::warp::Filter;
use lockers::support::warp::filters::BoxedFilter;
use lockers::support::{AnswerId, Clock, Done, Failure, Key, Response, Rows, Streamed, Timestamp};
use lockers::{
    AdmitBadge, BadgeCaller, Compartment, CompartmentItem, CompartmentSeed, FindAnswer, FindStation, LimitSettings,
    Limits, Lockers, NewStationRest, Size, Station, StationId, StationWhole, badge,
};

use crate::load::{get, header, post};

const BADGE: &str = "badge_of_the_crew";
/// The compartments of the first station.
const COMPARTMENTS: usize = 20;
const STATION: &str = r#"{"code":"HBF","name":"Main station","city":"Bremen","opened_on":"2024-04-01","address":{"street":"Bahnhofsplatz 15","postal_code":"28195"}}"#;

/// The operations, with a request for each. The first one makes the station that the others read.
pub(crate) fn requests() -> [(&'static str, String); 3] {
    let of_station = |path: &str| get(&path.replace(":station", "1"), "");
    [
        (
            "create a station",
            post(create_station::PATH, &header(badge::HEADER, BADGE), STATION),
        ),
        ("a station by id, with 20 compartments", of_station(get_station::PATH)),
        ("a list of 20 compartments", of_station(list_compartments::PATH)),
    ]
}

/// The emitted handlers.
pub(crate) async fn emitted() -> BoxedFilter<(Response,)> {
    filter(lockers().await)
}

/// The others.
pub(crate) async fn handwritten() -> BoxedFilter<(Response,)> {
    filter(Handwritten(lockers().await))
}

async fn lockers() -> Lockers {
    let lockers = Lockers::in_memory(BADGE, Clock::system());
    let filled = lockers
        .store()
        .write(Actor::Service, |tx: &mut Tx<'_>| -> Decided<_, Failure> {
            for place in 0..COMPARTMENTS {
                let seed = CompartmentSeed {
                    id: tx.next_id::<Compartment>()?,
                    station_id: StationId::new(1),
                    label: format!("{place:02}"),
                    size: Size::Small,
                };
                tx.create(&Compartment::from(seed))?;
            }
            Ok(())
        });
    filled.await.expect("memory takes them").expect("no rule");
    lockers
}

fn filter<A>(app: A) -> BoxedFilter<(Response,)>
where
    A: CreateStation + GetStation + ListCompartments + AdmitBadge + FindAnswer + FindStation,
{
    let settings = LimitSettings {
        rate_limits: false,
        ..LimitSettings::default()
    };
    let (app, limits) = (Arc::new(app), Arc::new(Limits::new(&settings)));
    let create = create_station::filter(Arc::clone(&app), Arc::clone(&limits));
    let read = get_station::filter(Arc::clone(&app), Arc::clone(&limits));
    let reads = read.or(list_compartments::filter(app, limits)).unify();
    create.or(reads).unify().boxed()
}

struct Handwritten(Lockers);

impl AdmitBadge for Handwritten {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        self.0.admit_badge(presented).await
    }
}

impl FindAnswer for Handwritten {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        self.0.find_answer(id, now).await
    }
}

impl FindStation for Handwritten {
    async fn find_station(&self, id: StationId) -> Result<Option<Arc<Station>>, Failure> {
        let found = self.0.store().read(move |trees, _| trees.get(id));
        Ok(found.await?.map(Arc::new))
    }
}

impl CreateStation for Handwritten {
    async fn create_station(
        &self,
        request: create_station::Request,
    ) -> Result<Done<create_station::Success>, create_station::Error> {
        let create = move |tx: &mut Tx<'_>| -> Decided<_, create_station::Error> {
            let id = tx.next_id::<Station>()?;
            tx.create(&request.body.clone().into_station(NewStationRest { id }))?;
            Ok(create_station::Success { id })
        };
        let created = self.0.store().write_once(Actor::Service, request.once.clone(), create);
        created.await.map_err(Failure::from)?
    }
}

impl Handwritten {
    /// The compartments of a station that are wanted, in the order of an index.
    async fn items(
        &self,
        order: Tree,
        station: StationId,
        is_wanted: impl Fn(&Compartment) -> bool + Send + 'static,
    ) -> StoreResult<Rows<CompartmentItem>> {
        let read = self.0.store().read(move |trees, _| {
            let mut items = Vec::new();
            for id in trees.listed::<Compartment>(order, &station.bytes(), usize::MAX)? {
                let compartment: Compartment = trees.named(id)?;
                if is_wanted(&compartment) {
                    items.push(compartment.item());
                }
            }
            Ok(items)
        });
        Ok(read.await?.into_iter().collect())
    }
}

impl GetStation for Handwritten {
    async fn get_station(&self, request: get_station::Request) -> Result<Streamed<StationWhole>, get_station::Error> {
        const ORDER: Tree = Index::tree_with::<Stored, Compartment>("station_id, id");
        let items = self.items(ORDER, request.station.id, |_| true).await;
        Ok(request.station.whole(items.map_err(Failure::from)?))
    }
}

impl ListCompartments for Handwritten {
    async fn list_compartments(
        &self,
        request: list_compartments::Request,
    ) -> Result<Rows<CompartmentItem>, list_compartments::Error> {
        const ORDER: Tree = Index::tree_with::<Stored, Compartment>("station_id, label, id");
        let items = self.items(ORDER, request.path.station, list_compartments::shows).await;
        Ok(items.map_err(Failure::from)?)
    }
}
