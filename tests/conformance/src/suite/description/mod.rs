//! What the library derives from the compiler's model: types of values, lists, and what shows a write.

mod creators;
pub(crate) mod fields;
pub(crate) mod lists;
pub(crate) mod traces;
mod types;

pub(crate) use types::{body_of, data_of, member, size, type_of};
