//! Probes of an operation that sends the content of a file: parts of it, and what a client has already.

use super::{NotSent, Probing};
use crate::exchange::{Request, Response};
use crate::histories::call::Call;
use crate::histories::found::differ;
use crate::histories::session::Sent;
use crate::histories::wish::Called;
use crate::level::Level;

/// Stands for the validator of the content.
const TAG: &str = "{etag}";

/// The part behind the end of the file. A server may also say that there is none (RFC 9110 §15.5.17).
const OUTSIDE: &str = "bytes={length}-";

/// The headers of requests for parts, for the whole file, and for one that the client has (RFC 9110 §13, §14).
const REQUESTS: [&[(&str, &str)]; 14] = [
    &[("Range", "bytes=1-2")],
    &[("Range", "bytes=1-")],
    &[("Range", "bytes=-2")],
    &[("Range", "bytes=1-2"), ("If-Range", TAG)],
    &[("Range", "bytes=1-"), ("If-Range", TAG)],
    &[("Range", "bytes=-2"), ("If-Range", TAG)],
    &[("Range", "bytes=1-2"), ("If-Range", "\"other\"")],
    &[("Range", "lines=1-2")],
    &[("Range", OUTSIDE)],
    &[("If-None-Match", "\"other\"")],
    &[("If-None-Match", TAG), ("Range", "bytes=1-2")],
    &[("If-None-Match", "W/{etag}"), ("Range", "bytes=1-2")],
    &[("If-None-Match", "\"other\", {etag}"), ("Range", "bytes=1-2")],
    &[("If-None-Match", "*"), ("Range", "bytes=1-2")],
];

impl Probing<'_> {
    pub(super) fn parts(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let (subject, model) = (self.run.subject, self.generator.model);
        let base = self.base(called)?;
        self.send(&base)?;
        let Some(whole) = self.all.last() else { return Ok(()) };
        let length = whole.response.body.len().to_string();
        let tags = [&self.session.preview(&base), &whole.response];
        let [own, tag] = tags.map(|response| response.header("etag").unwrap_or_default().to_owned());
        for headers in REQUESTS {
            if subject.options.level < Level::Texts && headers.iter().any(|(_, value)| *value == OUTSIDE) {
                continue;
            }
            let with = |tag: &str| {
                let headers = headers.iter();
                headers
                    .map(|(name, value)| ((*name).to_owned(), value.replace(TAG, tag).replace("{length}", &length)))
                    .collect::<Vec<_>>()
            };
            let call = Call {
                headers: base.headers.iter().cloned().chain(with(&tag)).collect(),
                ..base.clone()
            };
            let request = call.request(model, &self.session.known);
            // The server chooses its validators.
            let asked = Request {
                headers: base
                    .request(model, &self.session.known)
                    .headers
                    .into_iter()
                    .chain(with(&own))
                    .collect(),
                ..request.clone()
            };
            let answers = subject.send(&request, 0);
            let answers =
                answers.map_err(|found| self.differs(Sent::new(&call, request.clone(), Response::none()), *found))?;
            for response in answers {
                let verdict = self.session.observe(&call, &asked, &response);
                let is_of_file = response.status < 400;
                let verdict = verdict.and_then(|()| match response.header("etag") {
                    came if is_of_file && came != Some(&tag) => {
                        differ("header etag of a part", came.unwrap_or_default(), &tag)
                    }
                    _ => Ok(()),
                });
                if let Err(found) = verdict {
                    return Err(self.differs(Sent::new(&call, request.clone(), response), *found));
                }
            }
        }
        Ok(())
    }
}
