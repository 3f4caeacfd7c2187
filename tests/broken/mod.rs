//! The conformance suite and the random histories against stores with one defect each, which no declaration suggested.

mod defect;
mod inputs;
mod memory;
mod store;
mod webhooks;

use crate::histories::{MODEL, compare_in_time};
use crate::world::{Service, directory, roots, suite};
use conformance::{DeclaredWorld, HistoriesReport, HistoryOptions, LimitedService, Request, Response, Subject};
use contract::Clock;
use defect::{Defect, defects};
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::sled::{Durability, SledStore};
use std::sync::Arc;
use store::BrokenStore;
use tempfile::TempDir;
use test_support::in_process::{Limited, RUNTIME};
use test_support::planted::Planted;

/// A service over a store with a defect.
struct Broken {
    defect: Defect,
    app: Arc<Hitode<BrokenStore<SledStore>>>,
    service: Service,
    operator: String,
    _directory: TempDir,
}

impl Broken {
    fn new(defect: Defect, operator: String, clock: Clock) -> Self {
        let directory = directory();
        // No test here ends a process.
        let store = SledStore::open(directory.path(), Durability::Unsynced).expect("a new directory can be opened");
        let memory = memory::Memory::default();
        let app = Hitode::new(
            BrokenStore { store, defect, memory },
            OperatorToken::from_text(&operator),
            clock.clone(),
        );
        let app = Arc::new(app);
        let service = RUNTIME.block_on(async { Service::unlimited(Arc::clone(&app), clock) });
        Self {
            defect,
            app,
            service,
            operator,
            _directory: directory,
        }
    }
}

impl Subject for Broken {
    fn call(&self, request: &Request) -> Response {
        self.service.call(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service.calls().call_held(request, meanwhile)
    }

    fn apart(&self) -> Option<Box<dyn Subject>> {
        Some(Box::new(Self::new(self.defect, self.operator.clone(), Clock::system())))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        let app = Arc::clone(&self.app);
        Box::new(Limited::new(move |clock| {
            Service::limited(Arc::clone(&app), clock).calls().clone()
        }))
    }
}

fn histories(defect: Defect, options: &HistoryOptions) -> HistoriesReport {
    let clock = Clock::manual(1_750_000_027);
    let operator = contract::operator_token::mint();
    let broken = Broken::new(defect, operator.clone(), clock.clone());
    let sender = |request: &Request| Ok(broken.call(request));
    compare_in_time(&clock, &MODEL, &sender, operator, options)
}

fn world(defect: Defect) -> DeclaredWorld {
    let operator = contract::operator_token::mint();
    let broken = Broken::new(defect, operator.clone(), Clock::system());
    DeclaredWorld::new(suite().contract, Box::new(broken), roots(operator))
}

/// What is tried with these defects.
fn planted(defects: &[Defect]) -> Planted<'_, Defect> {
    Planted {
        defects,
        histories: &histories,
        suite: suite(),
        world: &world,
    }
}

#[test]
fn a_sample_of_broken_stores_is_noticed() {
    planted(&defects()).expect_sample_noticed();
}

#[test]
fn every_broken_store_is_noticed() {
    planted(&defects()).expect_all_noticed();
}
