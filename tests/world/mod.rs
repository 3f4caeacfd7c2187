//! The world of the tests: the service in this process, over a store in its own directory.

mod market;
mod people;
mod service;

pub(crate) use market::Market;
pub(crate) use people::{Api, Reply, op, request};
pub(crate) use service::Service;

use ::contract::Clock;
use conformance::Contract;
use std::sync::{LazyLock, OnceLock};

/// The market that all tests of the process share; each creates its own users in it.
pub(crate) fn market() -> &'static Market {
    static MARKET: OnceLock<Market> = OnceLock::new();
    MARKET.get_or_init(|| Market::open(Clock::system()))
}

/// The contract that this program was built for.
pub(crate) fn contract() -> Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::from_source(&contract_source(), "api.yaml"));
    *CONTRACT
}

/// The text of that contract.
pub(crate) fn contract_source() -> String {
    let file = option_env!("HITODE_API").unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../api.yaml"));
    std::fs::read_to_string(file).expect("the contract is there")
}

/// The secrets that no operation creates.
pub(crate) fn roots(operator: String) -> Vec<(String, String)> {
    vec![("operator_token".to_owned(), operator)]
}
