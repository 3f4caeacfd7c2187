//! What the library derives from the compiler's model: types of values, lists, and what shows a write.

mod creators;
pub(crate) mod fields;
pub(crate) mod lists;
pub(crate) mod traces;
mod types;

pub(crate) use types::{body_of, data_of, event_data, member, size, type_of};
