//! Answers that are files: whole, in part, or unchanged (RFC 9110 §13, §14).

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::{Operation, file_sample};
use crate::level::Level;
use crate::stage::Stage;
use std::sync::Arc;

/// What keeps a browser from showing a file as a page of this origin, and says that it can be read in parts: the header, and its
/// value or the start of it.
const HEADERS: [(&str, &str); 3] = [
    ("content-security-policy", "sandbox; default-src 'none'"),
    ("content-disposition", "attachment"),
    ("accept-ranges", "bytes"),
];

impl Operation {
    /// The media type and the bytes of the file that it shows, as tests send it.
    fn shown_file(&self) -> Option<(&'static str, &'static str)> {
        let resource = self.declared.content_of.as_ref()?;
        let mut makers = self.contract.model.operations();
        makers.find_map(|(_, maker)| file_sample(maker).filter(|_| maker.makes(resource)))
    }
}

impl Answer {
    /// Checks that it is the whole file that was sent.
    #[track_caller]
    pub(crate) fn expect_file(&self, wanted: &str) {
        let file = self.operation.shown_file();
        let (media_type, content) = file.expect("the contract makes such files");
        self.expect_content(media_type, content.as_bytes(), wanted);
    }

    /// Checks that its content is this, with the headers of a file.
    #[track_caller]
    fn expect_content(&self, media_type: &str, content: &[u8], wanted: &str) {
        self.expect_content_headers(wanted);
        let declared = self.response.header("content-type");
        let given = declared.map(|declared| match self.level {
            Level::Texts => declared,
            Level::Shape | Level::Values => declared.split(';').next().unwrap_or_default(),
        });
        if given != Some(media_type) {
            self.fail_part(
                "header Content-Type",
                declared,
                wanted,
                &format!(", not `{media_type}`"),
            );
        }
        if self.response.body != content {
            self.fail(wanted, "the content is not the one that was sent");
        }
    }

    /// Checks the headers of a file, which its content does not change.
    #[track_caller]
    fn expect_content_headers(&self, wanted: &str) {
        self.expect_named_headers(wanted);
        self.expect_no_store(wanted);
        let etag = self.response.header("etag");
        if !etag.is_some_and(|etag| etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"')) {
            self.fail_part("header ETag", etag, wanted, ", not a strong validator");
        }
        for (name, value) in HEADERS.iter().filter(|_| self.level == Level::Texts) {
            let given = self.response.header(name);
            if !given.is_some_and(|given| given.strip_prefix(value).is_some_and(is_end)) {
                self.fail_part(&format!("header {name}"), given, wanted, &format!(", not `{value}`"));
            }
        }
    }

    #[track_caller]
    fn expect_status(&self, status: u16, wanted: &str) {
        if self.response.status != status {
            self.fail_status(&status.to_string(), wanted);
        }
    }
}

/// Whether a value may go on like this: it ends, or has parameters.
fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(';')
}

impl Attempt {
    /// `Range` gives a part of the file, also if `If-Range` names the present content.
    #[track_caller]
    pub(crate) fn sends_a_part(self) {
        let (stage, etag) = self.known_file();
        let (media_type, content) = self.operation.shown_file().expect("it shows a file");
        let last = content.len() - 1;
        for (range, first, last) in [("bytes=1-2", 1, 2), ("bytes=1-", 1, last), ("bytes=-2", last - 1, last)] {
            for condition in [None, Some(("If-Range", etag.as_str()))] {
                let headers = [("Range", range)].into_iter().chain(condition);
                let answer = self.ask_for(&stage, headers);
                let wanted = format!("206 with `{range}` of the file");
                answer.expect_status(206, &wanted);
                answer.expect_content(media_type, &content.as_bytes()[first..=last], &wanted);
                let stated = answer.response.header("content-range");
                let right = format!("bytes {first}-{last}/{}", content.len());
                if stated != Some(right.as_str()) {
                    answer.fail_part("header Content-Range", stated, &wanted, &format!(", not `{right}`"));
                }
                answer.expect_etag(&etag, &wanted);
            }
        }
    }

    /// What asks for no part of the present content gets the whole file.
    #[track_caller]
    pub(crate) fn sends_the_whole(self) {
        let (stage, etag) = self.known_file();
        let content = self.operation.shown_file().map_or(0, |(_, content)| content.len());
        let outside = format!("bytes={content}-");
        let part = ("Range", "bytes=1-2");
        let requests = [
            vec![part, ("If-Range", "\"other\"")],
            vec![("If-None-Match", "\"other\"")],
            vec![("Range", outside.as_str())],
            vec![("Range", "lines=1-2")],
        ];
        for headers in requests {
            let wanted = format!("the whole file for {headers:?}");
            let is_outside = headers.contains(&("Range", outside.as_str()));
            let answer = self.ask_for(&stage, headers);
            // A server may also say that the file has no such part (RFC 9110 §15.5.17).
            if is_outside && answer.response.status == 416 && self.world.level() < Level::Texts {
                continue;
            }
            answer.expect_status(200, &wanted);
            answer.expect_file(&wanted);
            answer.expect_etag(&etag, &wanted);
        }
    }

    /// A file that the client has is not sent again.
    #[track_caller]
    pub(crate) fn sends_no_known_file(self) {
        let (stage, etag) = self.known_file();
        let [weak, several] = [format!("W/{etag}"), format!("\"other\", {etag}")];
        for known in [etag.as_str(), &weak, &several, "*"] {
            let answer = self.ask_for(&stage, [("If-None-Match", known), ("Range", "bytes=1-2")]);
            let wanted = format!("304 for `If-None-Match: {known}`");
            answer.expect_status(304, &wanted);
            answer.expect_content_headers(&wanted);
            answer.expect_etag(&etag, &wanted);
            if !answer.response.body.is_empty() {
                answer.fail(&wanted, "it has a body");
            }
        }
    }

    /// A caller with a file, and its `ETag`.
    #[track_caller]
    fn known_file(&self) -> (Arc<Stage>, String) {
        let stage = self.stage(true);
        let answer = self.send(&stage.caller, &stage.arranged);
        self.expect_declared(&answer);
        let etag = answer.response.header("etag").unwrap_or_default().to_owned();
        (stage, etag)
    }

    fn ask_for<'h>(&self, stage: &Stage, headers: impl IntoIterator<Item = (&'h str, &'h str)>) -> Answer {
        let mut request = self.request(&stage.caller, &stage.arranged);
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        request.headers.extend(headers);
        let response = self.world.call(&request);
        self.received(request, response)
    }
}

impl Answer {
    /// Checks that its `ETag` is that of the whole file.
    #[track_caller]
    fn expect_etag(&self, wanted_etag: &str, wanted: &str) {
        let etag = self.response.header("etag");
        if etag != Some(wanted_etag) {
            self.fail_part("header ETag", etag, wanted, &format!(", not `{wanted_etag}`"));
        }
    }
}
