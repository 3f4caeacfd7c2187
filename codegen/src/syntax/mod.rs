//! The language of contracts: its sections with their keys, which are the grammar, the structs of the parsed contract, and
//! their readers at once. In: the nodes of `api.yaml`; out: a [`Spec`], and every structural error. What names mean is
//! unknown here: [`crate::check`] checks it.

mod grammar;
mod reader;
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
mod chosen_orders;
mod consequences;
mod effects;
mod endpoints;
mod enums;
mod envelope;
mod events;
mod idempotency;
mod ids;
mod resources;
mod retries;
mod sorting;
mod texts;
mod tools;
mod types;

mod places;

pub use crate::span::{Num, Span, Word};
pub use answers::{Decision, ErrorEntry, Untestable};
pub use api::{Api, BodyBounds, Contact, License, MinRate};
pub use bodies::{Body, BodyUse};
pub use callers::{Credential, CredentialRealm, Limit, Quota, QuotaOf};
pub use consequences::{Consequence, ConsequenceIf};
pub use effects::{Made, Makes};
pub use endpoints::{Counts, Data, Endpoint, FileBody, Pages, Success, Surface};
pub use enums::{EnumDef, EnumPart, StateDef, Transitions};
pub use envelope::{Envelope, ErrorMembers};
pub use events::{EventKind, Events, Feed};
pub use expressions::{
    Condition, EnvelopeValue, FieldIs, FileFact, Filter, FilterBy, Guard, Origin, Period, Phrase, Rate, TypeUse,
    period_in_words,
};
pub use file::{FILE, Spec};
pub(crate) use grammar::{BUILT_IN, METHODS, OF_ERROR, OF_FAULT, OF_SUCCESS};
pub use grammar::{BUILT_IN_TYPES, Choice, Form, GREATEST, Key, Name, Presence, Scalar, Section, Uses};
pub use idempotency::{Idempotency, KeyUse, OwnIdempotency};
pub use places::{Place, places, sections};
pub(crate) use reader::UsedType;
pub use reader::{Names, Reader};
pub use resources::{Average, Resource, ViewField};
pub use sorting::{KeyParts, Nulls, Orders, Sort, enum_of_orders};
pub use table::Table;
pub use texts::Texts;
pub use tools::{Mcp, Tool, ToolWords};
pub use types::{FreeFormDef, IntegerDef, ListDef, NamedType, NumberDef, StringDef, TypeDef};
pub use value::Value;

use crate::diagnostic::{Diagnostic, Rule, places as positions};
use crate::yaml::{Node, Value as Tree};

/// Reads a tree, and the names in it. After structural errors the [`Spec`] has gaps. `None` if the file is not a map.
pub(crate) fn read(tree: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<(Spec, Names)> {
    let Tree::Map(_) = tree.form else {
        let message = "an api.yaml is a map of sections such as `api`, `errors`, `types` and `surfaces`";
        diagnostics.push(Diagnostic::new(Rule::WrongForm, tree.at, message));
        return None;
    };
    let mut reader = Reader::default();
    let mut spec = Spec::item(tree, &mut reader);
    if let Some(events) = &spec.events {
        enums::add_events(&mut spec.enums, &events.kinds);
    }
    chosen_orders::add_orders(&mut spec);
    // A name is not looked up where it is reported already: twice in a list, or as the key of a missing value.
    let reported = positions(&reader.diagnostics);
    reader.names.used.retain(|(_, name)| !reported.contains(&name.at));
    diagnostics.append(&mut reader.diagnostics);
    Some((spec, reader.names))
}
