//! A pet clinic, on disk and without a handler: `clinic --data DIR --listen ADDRESS`.

#[macro_use]
mod serve;

service!("/clinic.rs");
