//! The contract decides limits and quotas: a service switches limits on or off and counts up to the quota, and cannot set,
//! count or report another one.

use lockers::depot::create_terminal;
use lockers::{Limits, LimitSettings, quotas};

fn main() {
    let _ = LimitSettings { reads: 1_000, ..LimitSettings::default() }; //~ E0560: no field named `reads`
    quotas::RESERVATIONS = 9; //~ E0070: left-hand side
    let _ = create_terminal::Error::Exhausted { max: 9 }; //~ E0559: no field named `max`
}

fn uncounted(limits: &Limits, exchange: &mut lockers::support::Exchange) {
    let _ = limits.check_reads(exchange, (0, 1), None); //~ E0624: `check_reads` is private
}
