//! A market on another server.

use super::market::Market;
use super::{Api, Place};
use conformance::{LimitedService, Need, Network, Request, Response};

/// The market at this address.
pub(crate) fn market(url: &str, operator: String) -> Market<Network> {
    Market::at(Network::new(url, super::suite().contract), operator)
}

impl Api for Network {
    fn answer(&self, request: &Request) -> Response {
        self.call(request)
    }
}

impl Place for Network {
    fn limited_service(&self) -> Box<dyn LimitedService> {
        Network::limited_service(self)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        Network::call_held(self, request, meanwhile)
    }

    fn is_limited(&self) -> bool {
        true
    }

    fn lacks(&self, need: Need) -> Option<String> {
        Network::lacks(self, need)
    }
}
