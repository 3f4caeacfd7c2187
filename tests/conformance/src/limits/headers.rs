//! The headers by which a limit reports itself.

use crate::answer::Answer;
use crate::level::Level;
use crate::template::{fill_template, match_template};
use codegen::model::Limit;

impl Answer {
    /// Checks that this limit reports itself, with any remaining number.
    #[track_caller]
    pub(crate) fn expect_headers_of(&self, limit: &Limit) {
        let values = [
            ("limit", limit.name.to_owned()),
            ("max", limit.max.to_string()),
            ("window_seconds", limit.window_seconds.to_string()),
        ];
        for (name, template) in &self.operation.contract.model.limit_headers {
            let came = self.response.header(name);
            if came.and_then(|came| match_template(template, &values, came)).is_none() {
                let at = self.operation.contract.at(limit.at);
                let value = fill_template(template, &values);
                let wanted = format!("{name}: {value}, by limits.{} ({at})", limit.name);
                self.fail_part(&format!("header {name}"), came, &wanted, "");
            }
        }
    }

    /// Checks that no limit reports itself.
    #[track_caller]
    pub(crate) fn expect_no_limit_headers(&self) {
        if self.level < Level::Texts {
            return;
        }
        for (name, _) in &self.operation.contract.model.limit_headers {
            if self
                .response
                .headers
                .iter()
                .any(|(known, _)| known.eq_ignore_ascii_case(name))
            {
                let cause = format!("header {name} not expected");
                self.fail_by(Level::Texts, cause, "no header of a limit", &format!("{name} is there"));
            }
        }
    }
}
