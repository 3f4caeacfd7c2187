//! A market that somebody else runs: the environment has its address and its operator's token.

use super::market::Market;
use super::{Api, Place};
use conformance::{Front, Need, Network, Request, Response};

/// Where it answers: `http://HOST:PORT`. Not the `HITODE_URL` of the operator's commands: whoever has that in the environment
/// does not expect tests to make accounts there.
pub(crate) const URL: &str = "HITODE_TEST_URL";
/// The token itself, as the operator's commands take it, too.
pub(crate) const OPERATOR_TOKEN: &str = "HITODE_OPERATOR_TOKEN";

/// The market that the environment names, if it names one.
pub(super) fn of_environment() -> Option<Market<Network>> {
    let url = std::env::var(URL).ok().filter(|url| !url.is_empty())?;
    let operator = std::env::var(OPERATOR_TOKEN).ok().filter(|token| !token.is_empty());
    let operator = operator.unwrap_or_else(|| panic!("{OPERATOR_TOKEN} is to hold the operator's token of {url}"));
    Some(Market::at(Network::new(&url, &crate::generated::CONTRACT), operator))
}

impl Api for Network {
    fn answer(&self, request: &Request) -> Response {
        self.call(request)
    }
}

impl Place for Network {
    fn front(&self) -> Box<dyn Front> {
        Network::front(self)
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
