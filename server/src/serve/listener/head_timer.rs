//! The time that a client has for the head of a request, which does not run while it is still taking an answer.
//!
//! hyper starts it as soon as an answer is in its buffer, so that without this a large answer would have to be taken within
//! the time for the next head, however steadily it is being taken.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};
use pin_project_lite::pin_project;

use super::activity::Activity;

/// hyper's clock for one connection. It sets nothing but the time for heads by it.
pub(super) struct HeadTimer {
    pub(super) activity: Arc<Activity>,
    pub(super) head: Duration,
}

pin_project! {
    struct HeadSleep {
        #[pin]
        sleep: tokio::time::Sleep,
        activity: Arc<Activity>,
        head: Duration,
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(HeadSleep {
            sleep: tokio::time::sleep_until(deadline.into()),
            activity: self.activity.clone(),
            head: self.head,
        })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }
}

impl Sleep for HeadSleep {}

impl Future for HeadSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        loop {
            ready!(this.sleep.as_mut().poll(context));
            if !this.activity.answer_waits() {
                return Poll::Ready(());
            }
            this.sleep.as_mut().reset(tokio::time::Instant::now() + *this.head);
        }
    }
}
