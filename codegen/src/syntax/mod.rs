//! The language of contracts: its sections with their keys, which are the grammar, the structs of the parsed contract, and
//! their readers at once. In: the nodes of `api.yaml`; out: a [`Spec`], and every structural error. What names mean is
//! unknown here: [`crate::check`] checks it.

mod grammar;
mod table;
mod value;

mod expressions;
mod read;
pub mod values;

mod section;

mod file;

mod answers;
mod api;
mod bodies;
mod callers;
mod endpoints;
mod enums;
mod resources;
mod types;

mod places;

pub use answers::{DECISION, Decision, ENVELOPE, ERROR_ROW, Envelope, ErrorEntry, UNTESTABLE, Untestable};
pub use api::{API, Api, BODY_BOUNDS, BodyBounds, CONTACT, Contact, LICENSE, License, MIN_RATE, MinRate};
pub use bodies::{BODY, Body, BodyUse};
pub use callers::{CREDENTIAL, Credential, LIMIT, Limit, QUOTA, Quota};
pub use endpoints::{Data, ENDPOINT, Endpoint, PAGES, Pages, SUCCESS, SURFACE, Success, Surface};
pub use enums::{ENUM_PART, EnumDef, EnumPart, STATE, StateDef, Transitions};
pub use expressions::{EnvelopeValue, Filter, FilterBy, Guard, Rate, TypeUse};
pub use file::{FILE, Spec};
pub(crate) use grammar::{BUILT_IN, METHODS};
pub use grammar::{BUILT_IN_TYPES, Choice, Form, GREATEST, Key, Name, Presence, Scalar, Section, Uses};
pub use places::{Place, places, sections};
pub use resources::{RESOURCE, Resource, ViewField};
pub use table::Table;
pub use types::{
    FREE_FORM, FreeFormDef, INTEGER, IntegerDef, LIST, ListDef, NUMBER, NamedType, NumberDef, STRING, StringDef, TYPE,
    TypeDef,
};
pub use value::Value;

use crate::diagnostic::Diagnostic;
use crate::yaml::{Node, Value as Tree};

/// Reads a tree. After structural errors the [`Spec`] has gaps. `None` if the file is not a map.
pub(crate) fn read(tree: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Spec> {
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        diagnostics.push(Diagnostic::new("wrong-form", tree.at, message));
        return None;
    };
    Some(Spec::item(tree, diagnostics))
}
