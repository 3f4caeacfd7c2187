//! Reads maps and scalars, and reports every structural error. A reader always returns a value: after an error the value
//! has no position (line 0), so that checks can skip it.

mod clipped;
mod descriptions;
pub(crate) mod formats;
mod members;
mod words;

pub(crate) use clipped::clipped;
pub(crate) use descriptions::{bracketed, described, undescribed};
pub(crate) use members::{Members, without_duplicates};
pub(crate) use words::{boolean, field_value, formed, number, one_of, parsed, unique, whole, word, wrong_form};
