//! Collects the changes of a comparison: under which rule, for whom and in which words.

mod change;
mod comparison;
pub(crate) mod descriptions;
pub(crate) mod differences;
pub(crate) mod findings;
mod operation_pair;
mod path_pair;
mod sentence;
mod subject;
pub(crate) mod words;

pub(crate) use crate::rules::Rule;
pub use change::Change;
pub(crate) use comparison::Comparison;
pub(crate) use findings::{Findings, affected};
pub(crate) use operation_pair::{OperationPair, line};
pub(crate) use path_pair::PathPair;
pub(crate) use sentence::Sentence;
pub(crate) use subject::ChangeSubject;
