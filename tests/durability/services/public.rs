//! Operations of public APIs, on disk and without a handler: `public --data DIR --listen ADDRESS --desk SECRET`.

#[macro_use]
mod serve;

service!("/public.rs", desk);
