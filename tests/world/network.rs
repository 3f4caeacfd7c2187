//! A market on another server: the environment has its address and its operator's token.

use super::market::Market;
use super::{Api, Place};
use conformance::{LimitedService, Need, Network, Request, Response};

/// Its address: `http://HOST:PORT`. Not the `HITODE_URL` of the operator's commands: a user who has set that does not expect
/// tests to create accounts there.
pub(crate) const URL: &str = "HITODE_TEST_URL";
/// The operator's token; the operator's commands use the same variable.
pub(crate) const OPERATOR_TOKEN: &str = "HITODE_OPERATOR_TOKEN";

/// The market that the environment names, if it names one.
pub(super) fn of_environment() -> Option<Market<Network>> {
    let url = std::env::var(URL).ok().filter(|url| !url.is_empty())?;
    let operator = std::env::var(OPERATOR_TOKEN).ok().filter(|token| !token.is_empty());
    let operator = operator.unwrap_or_else(|| panic!("{OPERATOR_TOKEN} is to hold the operator's token of {url}"));
    Some(market(&url, operator))
}

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
