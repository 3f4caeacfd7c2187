//! The content of `api.yaml` as written, with the position of every word: what [`crate::syntax`] reads.

pub use crate::span::{Num, Span, Word};
pub use crate::syntax::{
    Api, Body, BodyBounds, BodyUse, Contact, Credential, Data, Decision, Endpoint, EnumDef, Envelope, EnvelopeValue,
    ErrorEntry, Filter, FilterBy, FreeFormDef, Guard, IntegerDef, License, Limit, ListDef, MinRate, NamedType,
    NumberDef, Pages, Quota, Rate, Resource, Spec, StateDef, StringDef, Success, Surface, Table, TypeDef, TypeUse,
    Untestable, ViewField,
};
