//! The windows of limits: their ends, and the possible times of an answer.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::level::Level;
use crate::template::{fill_template, match_template};
use crate::world::{LimitedService, Request, World};
use codegen::model::Limit;
use codegen::step::Step;
use std::time::Duration;

/// The end of a window.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// In how many seconds, rounded up.
    pub(super) seconds: u64,
    /// The Unix second.
    pub(super) unix: u64,
}

impl End {
    fn of_window(window_seconds: u32, now: u64) -> Self {
        let length = u64::from(window_seconds) * 1000;
        let end = (now / length + 1) * length;
        Self {
            seconds: (end - now).div_ceil(1000),
            unix: end / 1000,
        }
    }
}

/// An answer, and its possible times by the clock of the limits: one moment, unless that clock runs.
pub(super) struct Timed {
    pub(super) answer: Answer,
    after: u64,
    before: u64,
}

impl Timed {
    /// The possible ends of the present window.
    pub(super) fn ends(&self, window_seconds: u32) -> impl Iterator<Item = End> {
        let last = self.before;
        let moments = (self.after..last).step_by(1000).chain([last]);
        moments.map(move |now| End::of_window(window_seconds, now))
    }

    /// Checks that it is the error of this step, which names the seconds to the end of the window.
    #[track_caller]
    pub(super) fn expect_error(&self, step: Step, window_seconds: u32, others: &[(&str, String)]) {
        let error = self.answer.operation.contract.error(step);
        let body = String::from_utf8_lossy(&self.answer.response.body);
        let values = |end: End| [&[("seconds", end.seconds.to_string())], others].concat();
        let mut ends = self.ends(window_seconds).map(values);
        let is_right = |values: &Vec<(&str, String)>| match self.answer.level {
            Level::Texts => body.contains(&fill_template(&error.text, values)),
            Level::Shape | Level::Values => error.headers.iter().all(|(name, template)| {
                let came = self.answer.response.header(name);
                came.is_some_and(|came| match_template(template, values, came).is_some())
            }),
        };
        let values = self.ends(window_seconds).map(values).find(is_right);
        self.answer
            .expect_error(error, &values.or_else(|| ends.next()).unwrap_or_default());
    }
}

pub(super) fn window(limit: &Limit) -> Duration {
    Duration::from_secs(limit.window_seconds.into())
}

#[track_caller]
pub(super) fn timed(attempt: &Attempt, limited_service: &dyn LimitedService, request: Request) -> Timed {
    let slack = u64::try_from(limited_service.slack().as_millis()).unwrap_or(u64::MAX);
    let after = limited_service.unix_millis() - slack;
    let response = limited_service.call(&request);
    Timed {
        answer: attempt.received(request, response),
        after,
        before: limited_service.unix_millis() + slack,
    }
}

/// Advances to just before the end of the present window, calls the function, and advances to the next window.
pub(super) fn around_the_end(
    world: &dyn World,
    limited_service: &dyn LimitedService,
    window_seconds: u32,
    before_it: impl FnOnce(),
) {
    // In real time a request takes time.
    let margin = if world.is_limited() { 5 } else { 1 };
    let seconds = End::of_window(window_seconds, limited_service.unix_millis()).seconds;
    limited_service.advance(Duration::from_secs(seconds.saturating_sub(margin)));
    before_it();
    limited_service.advance(Duration::from_secs(seconds.min(margin)));
}
