//! Small jobs that members offer and take, on disk and without a handler: `work --data DIR --listen ADDRESS --desk SECRET`.

#[macro_use]
mod serve;

service!("/work.rs", desk);
