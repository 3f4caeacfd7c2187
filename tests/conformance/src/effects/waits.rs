//! A feed that waits answers when an event comes. That is seen by the order of answers, not by the time that they take.

use super::causes::{Cause, Caused};
use super::feed::{Feed, rows};
use crate::attempt::Attempt;
use crate::suite::leave_out;
use crate::types::Type;
use crate::world::{Request, Response};
use codegen::model;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// How often it is tried: a request that arrives after the event does not wait.
const ROUNDS: usize = 2;

/// Requests that are answered between the beginning of a wait and the event.
const MEANWHILE: usize = 8;

/// Somebody who waits for an event.
struct Waiter {
    cause: Cause,
    feed: Feed,
    begin: String,
}

/// Which of two waiting requests was answered, and how.
type Answered = (usize, Request, Response);

impl Attempt {
    /// A request that waits is answered when its event comes: before another one whose wait is shorter, and that gets its event
    /// only then.
    #[track_caller]
    pub(crate) fn answers_when_an_event_comes(self, wait: &'static str, caused: &'static Caused) {
        let longest = match self.operation.query(wait).map(|wait| wait.of) {
            Some(Type::Integer { max: Some(max), .. }) if *max > 2 => *max,
            _ => return leave_out("it waits too short a time"),
        };
        if self.at_once() == Some(1) {
            return leave_out("it needs two requests of a caller at a time");
        }
        let seconds = [longest - 1, longest * 2 / 3];
        for _ in 0..ROUNDS {
            let [Some(first), Some(second)] = [(); 2].map(|()| self.waiter(caused)) else {
                return;
            };
            let waiters = [first, second];
            std::thread::scope(|scope| {
                let (answer, answers) = channel();
                for (index, waiter) in waiters.iter().enumerate() {
                    waiter.wait(scope, wait, seconds[index], (index, answer.clone()));
                }
                for _ in 0..MEANWHILE {
                    waiters[0].feed.end();
                }
                for (index, waiter) in waiters.iter().enumerate() {
                    let Some(request) = waiter.cause.requests(1).pop() else {
                        return leave_out("no request causes it");
                    };
                    let done = waiter.cause.happen(request);
                    let (which, request, response) = answers.recv().expect("a request that waits is answered");
                    let Feed { attempt, stage, .. } = &waiters[which].feed;
                    let page = attempt.received(&stage.caller, request, response);
                    if which != index {
                        let wanted = "the request that waits for an event is answered when that comes";
                        page.fail(
                            wanted,
                            "this one for other events is answered before, at the end of its wait",
                        );
                    }
                    page.expect_success(&attempt.siblings());
                    match rows(&page).as_slice() {
                        [event] => done.expect_event(&page, event),
                        events => page.fail("the event that it waited for", &format!("there are {}", events.len())),
                    }
                }
            });
        }
    }

    #[track_caller]
    fn waiter(&self, caused: &'static Caused) -> Option<Waiter> {
        let cause = self.cause(caused)?;
        let feed = self.feed_of(&cause)?;
        let begin = feed.end();
        Some(Waiter { cause, feed, begin })
    }
}

impl Waiter {
    /// Sends the request that waits for so many seconds.
    fn wait<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        wait: &str,
        seconds: i64,
        (index, answer): (usize, Sender<Answered>),
    ) -> ScopedJoinHandle<'s, ()> {
        let Feed {
            declared: model::Feed { after, .. },
            attempt,
            stage,
        } = &self.feed;
        let waiting = attempt.clone().parameter(after, &self.begin);
        let waiting = waiting.parameter(wait, &seconds.to_string());
        let request = waiting.request(&stage.caller, &stage.arranged);
        let world = attempt.world;
        scope.spawn(move || {
            let response = world.call(&request);
            // After a failure nobody listens.
            let _ = answer.send((index, request, response));
        })
    }
}
