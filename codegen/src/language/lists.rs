//! The section for pages of lists: `pages`.

use super::form::{Form, Key, Section};
use super::{Name, Scalar};

/// `pages` of an endpoint
pub static PAGES: Section = Section {
    what: "`pages`",
    stands: "surfaces.NAME.endpoints.NAME.pages",
    doc: "How a list is divided into pages. Each key names a query parameter, or a member beside `data`. A page \
        begins after `offset` records, or after `number` - 1 pages; without both there is only the first page.",
    example: "{ size: size, offset: offset, total: total }",
    keys: &[
        Key::required("size", Form::Scalar(Scalar::Name(Name::Parameter)))
            .doc("The parameter with the maximum number of records on a page.")
            .such_as("size"),
        Key::optional(
            "offset",
            Form::Scalar(Scalar::Name(Name::Parameter)),
            "pages are numbered, or there is only one",
        )
        .doc("The parameter with the number of records before the page, from 0.")
        .such_as("offset"),
        Key::optional(
            "number",
            Form::Scalar(Scalar::Name(Name::Parameter)),
            "pages begin at an `offset`, or there is only one",
        )
        .doc("The parameter with the number of the page, from 1.")
        .such_as("page"),
        Key::optional(
            "total",
            Form::Scalar(Scalar::Name(Name::Sibling)),
            "nothing counts all records",
        )
        .doc("The member beside `data` that counts all records that match the filters, on all pages.")
        .such_as("total"),
    ],
};
