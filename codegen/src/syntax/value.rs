//! A type of values states their form in the grammar, what is kept of them, and how they are read.

use super::grammar::Form;
use super::reader::Reader;
use crate::yaml::Node;

/// A value of a key, of a list or of a map.
pub trait Value {
    /// Its form in the grammar.
    const FORM: Form;
    /// An example of a list or a map of such values, if no key states one.
    const SEVERAL: &'static str = "";
    /// What is kept of it.
    type Out;

    /// Reads it. `form` is [`Value::FORM`], with the example of the key. An absent node is read as an empty value, without
    /// a diagnostic.
    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out;

    /// Reads it where no key states an example: in a list, in a map, or as a choice.
    fn item(node: &Node, reader: &mut Reader) -> Self::Out {
        Self::read(node, const { &Self::FORM }, reader)
    }
}
