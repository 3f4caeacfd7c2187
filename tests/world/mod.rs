//! The world of the tests: the service in this process, over a store in its own directory, or on another server.

mod market;
mod people;
mod service;

pub(crate) use market::Market;
pub(crate) use people::{Api, Reply, op, request};
pub(crate) use service::Service;

use conformance::{DeclaredWorld, Level, LimitedService, Network, Request, Response, Subject, Suite};
use contract::Clock;
use std::sync::{LazyLock, OnceLock};
use test_support::in_process::Limited;

/// The market that all tests of the process share; each creates its own users in it.
pub(crate) fn market() -> &'static Market {
    static MARKET: OnceLock<Market> = OnceLock::new();
    MARKET.get_or_init(|| Market::open(Clock::system()))
}

/// The suite of the contract that this program was built for.
pub(crate) fn suite() -> &'static Suite {
    static SUITE: LazyLock<&Suite> = LazyLock::new(|| Suite::from_source(&contract_source(), "api.yaml"));
    &SUITE
}

/// The text of that contract.
pub(crate) fn contract_source() -> String {
    let file = option_env!("HITODE_API").unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../api.yaml"));
    std::fs::read_to_string(file).expect("the contract is there")
}

/// The world of a market in this process.
pub(crate) fn world_of(market: Market) -> DeclaredWorld {
    let roots = roots(market.operator().secret);
    DeclaredWorld::new(suite().contract, Box::new(market), roots).at(Level::Texts)
}

/// The world of a server behind an address.
pub(crate) fn world_at(server: Network, operator: String) -> DeclaredWorld {
    DeclaredWorld::new(suite().contract, Box::new(server), roots(operator)).at(Level::Texts)
}

/// The secrets that no operation creates.
pub(crate) fn roots(operator: String) -> Vec<(String, String)> {
    vec![("operator_token".to_owned(), operator)]
}

impl Subject for Market {
    fn call(&self, request: &Request) -> Response {
        self.answer(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service().calls().call_held(request, meanwhile)
    }

    fn apart(&self) -> Option<Box<dyn Subject>> {
        Some(Box::new(Market::new(self.operator().secret, Clock::system())))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        let limited = |clock| Service::limited(self.app(), clock).calls().clone();
        Box::new(Limited::new(limited))
    }
}
