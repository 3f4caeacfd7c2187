//! What an operation has done, and what its success contains.

use crate::exchange::Exchange;
use crate::value::Value;
use codegen::model::Target;

/// What the effects of an operation have brought about.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Resources and ids, in order.
    pub(crate) made: Vec<(String, i64)>,
    /// Credentials and secrets.
    pub(crate) secrets: Vec<(String, String)>,
}

impl Outcome {
    /// The resource and the id of a record.
    pub(crate) fn id_of<'e>(&'e self, exchange: &'e Exchange, target: &Target) -> Option<(&'e str, i64)> {
        let Target::Made(resource) = target else {
            return exchange.id_of(target);
        };
        let mut made = self.made.iter().rev();
        made.find(|(known, _)| known == resource)
            .map(|(known, id)| (known.as_str(), *id))
    }
}

/// What a success contains.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) data: Option<Value>,
    pub(crate) siblings: Vec<(String, Value)>,
    /// Headers of its own.
    pub(crate) headers: Vec<(String, String)>,
}
