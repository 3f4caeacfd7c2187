//! The sections of a contract, each with its keys: the grammar, the structs of the parsed contract, and their readers.

mod answers;
mod api;
mod bodies;
mod callers;
mod endpoints;
mod enums;
mod file;
mod resources;
mod section;
mod types;
pub mod values;

pub use answers::{DECISION, Decision, ENVELOPE, ERROR_ROW, Envelope, ErrorEntry, UNTESTABLE, Untestable};
pub use api::{API, Api, BODY_BOUNDS, BodyBounds, CONTACT, Contact, LICENSE, License, MIN_RATE, MinRate};
pub use bodies::{BODY, Body, BodyUse};
pub use callers::{CREDENTIAL, Credential, LIMIT, Limit, QUOTA, Quota};
pub use endpoints::{Data, ENDPOINT, Endpoint, PAGES, Pages, SUCCESS, SURFACE, Success, Surface};
pub use enums::{ENUM_PART, EnumDef, EnumPart, STATE, StateDef, Transitions};
pub use file::{FILE, Spec};
pub use resources::{RESOURCE, Resource, ViewField};
pub use types::{
    FREE_FORM, FreeFormDef, INTEGER, IntegerDef, LIST, ListDef, NUMBER, NamedType, NumberDef, STRING, StringDef, TYPE,
    TypeDef,
};
pub use values::Value;
