//! The answers with a file: the whole, a part of it, or nothing because the client has it (RFC 9110 §13, §14).

use super::Scope;
use super::operations::file_content;
use super::schema::{Of, Schema, Text};
use crate::json::{Json, JsonObject};
use crate::model::Operation;

/// The headers of a request for a file.
const OF_REQUESTS: [(&str, &str); 3] = [
    (
        "Range",
        "The part to send, such as `bytes=0-1023`. Anything but one range of bytes that the file has gets the whole file.",
    ),
    (
        "If-Range",
        "The `ETag` of the content that the range is of. If the file has another one, the whole file is sent.",
    ),
    (
        "If-None-Match",
        "The `ETag` of each content that you have. If the file has one of them, it is not sent again (304).",
    ),
];

/// The headers of every answer with a file.
const OF_ANSWERS: [(&str, &str); 4] = [
    ("ETag", "Names this content."),
    ("Accept-Ranges", "`bytes`: `Range` gives a part."),
    (
        "Content-Disposition",
        "`attachment`, with the name of the file (RFC 6266).",
    ),
    (
        "Content-Security-Policy",
        "`sandbox; default-src 'none'`: a browser runs nothing of it.",
    ),
];

impl Scope<'_> {
    /// The parameters of an operation that returns a file.
    pub(super) fn file_parameters(&self, operation: &Operation) -> Vec<JsonObject> {
        let headers = OF_REQUESTS.iter().filter(|_| operation.content_of.is_some());
        let parameter = |(name, what): &(&str, &str)| {
            let object = JsonObject::new().with("name", *name).with("in", "header");
            object.with("description", *what).with("schema", self.text())
        };
        headers.map(parameter).collect()
    }

    /// The successes of an operation that returns the content of such a resource, by their status.
    pub(super) fn file_answers(&self, operation: &Operation, resource: &str) -> Vec<(String, Json)> {
        let noun = &self.model.resource(resource).noun;
        let headers = || {
            let own = OF_ANSWERS.iter().map(|(name, what)| self.file_header(name, what));
            self.headers_of_success(operation).and(own.collect())
        };
        let content = || file_content(self.version, self.model.content_types(resource).into_iter());
        let part = self.file_header("Content-Range", "Which part it is, such as `bytes 0-1023/48213`.");
        let whole = JsonObject::new()
            .with("description", format!("The content of the {noun}."))
            .with("headers", headers())
            .with("content", content());
        let part = JsonObject::new()
            .with("description", format!("The part of the {noun} that `Range` names."))
            .with("headers", headers().and([part].into_iter().collect()))
            .with("content", content());
        let known = JsonObject::new()
            .with(
                "description",
                format!("You have the content of the {noun}: see `If-None-Match`."),
            )
            .with("headers", headers());
        vec![
            (operation.status.to_string(), whole.into()),
            ("206".to_owned(), part.into()),
            ("304".to_owned(), known.into()),
        ]
    }

    fn file_header(&self, name: &str, what: &str) -> (String, Json) {
        let header = JsonObject::new().with("description", what).with("schema", self.text());
        (name.to_owned(), header.into())
    }

    fn text(&self) -> Json {
        self.write(&Schema::from(Of::Text(Text::default())))
    }
}
