//! The declarations that operations use: types, enums, states, objects, inputs and resources.

pub(crate) mod bodies;
pub(crate) mod enums;
mod hidden;
pub(crate) mod members;
pub(crate) mod objects;
mod realms;
pub(crate) mod resources;
pub(crate) mod shapes;
pub(crate) mod states;
mod transitions;
pub(crate) mod type_change;
pub(crate) mod types;
