//! A market on the mock of the contract.

use super::market::Market;
use super::{Api, Place};
use conformance::{LimitedService, Request, Response, World};
use contract::Clock;
use mock::{Mock, Options};
use std::sync::LazyLock;
use test_support::in_process::{InProcess, Limited};

/// The mock, without limits.
pub(crate) struct Mocked {
    mock: Mock,
    calls: InProcess,
}

/// An empty market.
pub(crate) fn market() -> Market<Mocked> {
    static MODEL: LazyLock<codegen::Model> =
        LazyLock::new(|| codegen::compile(&super::contract_source()).expect("the build understood it, too"));
    let operator = contract::operator_token::mint();
    let options = Options {
        rate_limits: false,
        credentials: vec![("operator_token".to_owned(), operator.clone())],
        ..Options::default()
    };
    let mock = Mock::new(&MODEL, options);
    let calls = InProcess::mocked(mock.clone(), Clock::system());
    Market::at(Mocked { mock, calls }, operator)
}

impl Api for Mocked {
    fn answer(&self, request: &Request) -> Response {
        self.calls.call(request)
    }
}

impl Place for Mocked {
    fn limited_service(&self) -> Box<dyn LimitedService> {
        Box::new(Limited::mocked(&self.mock))
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.calls.call_held(request, meanwhile)
    }

    fn apart(&self) -> Option<&'static dyn World> {
        Some(Box::leak(Box::new(market())))
    }
}
