//! The section for pages of lists: `pages`.

use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// `pages` of an endpoint
pub static PAGES: Section = Section {
    what: "`pages`",
    stands: "surfaces.NAME.endpoints.NAME.pages",
    doc: "How a list is cut into pages. Each key names a parameter of the query, or what stands beside `data`. \
          With `offset` a page begins behind so many rows, with `number` behind so many pages; with neither there \
          is the first page only.",
    example: "{ size: size, offset: offset, total: total }",
    keys: &[
        Key::required("size", Form::Scalar(Scalar::Name(Name::Parameter)))
            .doc("The parameter that says how many rows a page has at most.")
            .such_as("size"),
        Key::optional(
            "offset",
            Form::Scalar(Scalar::Name(Name::Parameter)),
            "pages are numbered, or there is one",
        )
        .doc("The parameter that says how many rows stand before the page, from 0.")
        .such_as("offset"),
        Key::optional(
            "number",
            Form::Scalar(Scalar::Name(Name::Parameter)),
            "pages begin at an `offset`, or there is one",
        )
        .doc("The parameter that says which page it is, from 1.")
        .such_as("page"),
        Key::optional(
            "total",
            Form::Scalar(Scalar::Name(Name::Sibling)),
            "nothing counts all rows",
        )
        .doc("What stands beside `data` and counts all rows that the filters let through, on whatever page.")
        .such_as("total"),
    ],
};
