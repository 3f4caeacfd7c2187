//! What another server has chosen freely. A mock that follows it checks that it was allowed, and chooses the same.

use codegen::model::RecordId;

/// The choices of a server in its response to one request.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The ids of new records: resource and id, in order.
    pub ids: Vec<(String, RecordId)>,
    /// New secrets, by the names of their credentials.
    pub secrets: Vec<(String, String)>,
    /// Whether a list has all its rows on one page.
    pub is_unpaged: bool,
    /// Whether nothing is changed or counted: the response is only what it would be.
    pub is_forecast: bool,
}

impl Choices {
    /// Whether limits count the request, and changes are kept.
    pub(crate) fn has_effect(&self) -> bool {
        !self.is_unpaged && !self.is_forecast
    }
}
