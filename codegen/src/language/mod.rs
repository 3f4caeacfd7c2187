//! The grammar of contracts as data: every map that a contract may contain, its keys, and the shape of each value.
//!
//! [`crate::syntax`] declares the sections; the JSON Schema and `codegen/REFERENCE.md` are made from them, and [`places`]
//! walks a contract along them. Knows no contract and no meaning of names.

mod choices;
mod form;
mod name;
mod place;
mod scalar;

pub use crate::syntax::{
    API, BODY, CREDENTIAL, ENDPOINT, ENUM_PART, ERROR_ROW, FILE, LIMIT, LIST, PAGES, RESOURCE, STATE, STRING, SUCCESS,
    SURFACE, TYPE,
};
pub(crate) use choices::{ANY, BIDI_CONTROLS, BUILT_IN, COUNTS, METHODS, OF_ERROR, OF_HTTP, OF_SUCCESS, PER, STEPS};
pub use choices::{BUILT_IN_TYPES, Choice};
pub use form::{Form, Key, Presence, Section};
pub use name::Name;
pub use place::{Place, places};
pub use scalar::{GREATEST, Scalar, Uses};

/// Every section, in the order of a contract. A section comes before the sections inside it.
pub fn sections() -> Vec<&'static Section> {
    let mut sections = vec![&FILE];
    FILE.keys.iter().for_each(|key| collect(&key.form, &mut sections));
    sections
}

fn collect(form: &'static Form, sections: &mut Vec<&'static Section>) {
    match form {
        Form::Section(section) if !sections.contains(section) => {
            sections.push(section);
            section.keys.iter().for_each(|key| collect(&key.form, sections));
        }
        Form::List { of, .. } | Form::Map { of, .. } | Form::Pair { of, .. } => collect(of, sections),
        Form::Either { of, .. } => of.iter().for_each(|form| collect(form, sections)),
        Form::Section(_) | Form::Scalar(_) => {}
    }
}
