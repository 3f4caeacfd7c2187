//! `email`: the address of an email account.

use super::{Format, as_written};

pub(super) const EMAIL: Format = Format {
    name: "email",
    doc: "An email address, `ann@example.org`: the form that browsers accept (WHATWG HTML, `input type=email`), at most 254 \
          characters. Upper and lower case differ.",
    noun: "an email address",
    notation: "`NAME@HOST`, up to 254 ASCII characters",
    demand: "an email address, such as ann@example.org",
    tested: ("email", "an email address"),
    codes: ("string", "format;email"),
    json_schema: "email",
    length: (3, Some(254)),
    rust: None,
    order: None,
    read: |text| as_written(text, is_email),
    values: [
        "ann@example.org",
        "bob@example.org",
        "c.d@example.com",
        "e+f@mail.example.com",
        "x@y",
    ],
    unused: ["a@example.org", "b@example.org", "z@example.org"],
    edges: &[
        ("x@y", "x@y"),
        ("a.b+c@d-e.example", "a.b+c@d-e.example"),
        (
            "O'Neil!#$%&*/=?^_`{|}~@Example.org",
            "O'Neil!#$%&*/=?^_`{|}~@Example.org",
        ),
    ],
    others: &[
        (
            "has no host that there can be",
            &["ann@-x.org", "ann@x-.org", "ann@x..org", "ann@x.org.", "ann@é.org"],
        ),
        (
            "is no address",
            &[
                "ann",
                "ann@",
                "@example.org",
                "a n@x.org",
                "ann@x.org ",
                "é@x.org",
                "a@b@c",
                "<ann@x.org>",
                "",
            ],
        ),
    ],
};

fn is_email(text: &str) -> bool {
    let is_name = |c: u8| c.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&c);
    let is_label = |label: &str| {
        let is_inner = |c: u8| c.is_ascii_alphanumeric() || c == b'-';
        let has_ends = !label.starts_with('-') && !label.ends_with('-');
        (1..=63).contains(&label.len()) && has_ends && label.bytes().all(is_inner)
    };
    text.split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && name.bytes().all(is_name) && host.split('.').all(is_label))
}
