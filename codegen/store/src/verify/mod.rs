//! Verifies at every start, before any request or write, that a store is consistent: facts that are stored twice must
//! agree. Reads each tree once in key order, decodes every record, and returns the findings; memory use is a few words for each
//! record that others name, each long value and each credential. Must not know what is done about a finding.

mod answers;
mod credentials;
mod feeds;
mod finding;
mod reading;
mod records;
mod rows;
mod tally;

pub use self::reading::{Verification, record};

pub use crate::name::Name;
use crate::record::Record;
use crate::service::Service;

/// Does something for each kind of records.
pub trait SeeRecords<S: Service, E> {
    /// For this one.
    ///
    /// # Errors
    /// Its own.
    fn see<R: Record<S>>(&mut self) -> Result<(), E>;
}
