//! Relates the matched declarations: how the values of two types differ, and which operations take or show them.

pub(crate) mod chars;
pub(crate) mod numbers;
mod relation;
mod types;
mod uses;

pub(crate) use crate::model::Node;
pub(crate) use relation::Relation;
pub(crate) use types::{Relations, is_required, of_unique};
pub(crate) use uses::{Audience, UseGraph};
