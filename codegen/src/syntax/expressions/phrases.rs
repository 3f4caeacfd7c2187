//! What people read in place of a name.

use crate::span::Word;
use crate::syntax::grammar::Form;
use crate::syntax::read::{described, word};
use crate::syntax::reader::Reader;
use crate::yaml::Node;

/// `本 -- 図書館の本`
#[derive(Clone, Debug, Default)]
pub struct Phrase {
    /// In place of the name.
    pub name: Word,
    /// In place of the description. `None`: the name says all.
    pub doc: Option<Word>,
}

pub(crate) fn phrase(node: &Node, form: &'static Form, reader: &mut Reader) -> Phrase {
    let (name, doc) = described(&word(node, form, reader), reader);
    Phrase { name, doc }
}
