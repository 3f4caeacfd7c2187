//! The grammar of contracts as data: every map that a contract may contain, its keys, and the shape of each value.
//!
//! [`crate::read`], the JSON Schema and `codegen/REFERENCE.md` are driven by these tables, and [`places`] walks a
//! contract along them; a new key needs an entry here and a line in its reader. Knows no contract and no meaning of
//! names.

mod answers;
mod callers;
mod choices;
mod endpoints;
mod file;
mod form;
mod lists;
mod name;
mod place;
mod scalar;
mod shown;
mod types;

pub use answers::{DECISION, ENVELOPE, ERROR_ROW, UNTESTABLE};
pub use callers::{CREDENTIAL, LIMIT, QUOTA};
pub(crate) use choices::{BUILT_IN, METHODS};
pub use choices::{BUILT_IN_TYPES, Choice};
pub use endpoints::{BODY, ENDPOINT, SUCCESS, SURFACE};
pub use file::{API, BODY_BOUNDS, CONTACT, FILE, LICENSE, MIN_RATE};
pub use form::{Form, Key, Presence, Section};
pub use lists::PAGES;
pub use name::Name;
pub use place::{Place, places};
pub use scalar::{GREATEST, Scalar, Uses};
pub use shown::RESOURCE;
pub use types::{ENUM_PART, FREE_FORM, INTEGER, LIST, NUMBER, STATE, STRING, TYPE};

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
