//! Of two faults in one request the upper row of the error table answers.

use crate::attempt::{Attempt, Presented};
use crate::contract::Step;
use crate::limits::Trial;
use crate::stage::Stage;
use crate::world::{Front, Standing};
use std::sync::Arc;

/// An id that nothing has: the largest that there may be.
const NOBODYS: i64 = (1 << 53) - 1;

impl Attempt {
    /// Whatever else is wrong, `first` refuses. Each of the other faults comes with it in a request of its own.
    #[track_caller]
    pub fn precedes(self, first: Step, others: &[Step]) {
        for other in others {
            let mut spoilt = Spoilt {
                attempt: self.clone(),
                stage: self.stage(false),
                front: None,
            };
            // The later fault first: what it takes to bring it about would be refused for the earlier one. But a quota is
            // filled by what a rule may refuse.
            let is_filled = first == Step::Quota;
            let [one, two] = if is_filled { [first, *other] } else { [*other, first] };
            spoilt.spoil(one);
            spoilt.spoil(two);
            spoilt.refused(first, *other);
        }
    }
}

struct Spoilt {
    attempt: Attempt,
    stage: Arc<Stage>,
    front: Option<Box<dyn Front>>,
}

impl Spoilt {
    #[track_caller]
    fn spoil(&mut self, step: Step) {
        let operation = self.attempt.operation;
        match step {
            Step::Route => self.attempt.suffix = "/",
            Step::Method => {
                let other = ["PUT", "GET", "DELETE"]
                    .into_iter()
                    .find(|method| !operation.allow.contains(method));
                self.attempt.method = other.expect("no path offers all of them");
            }
            Step::Credential => self.attempt.presented = Presented::Twice,
            Step::Suspended => self.attempt.suspend(&self.stage.caller),
            Step::Limit => {
                let trial = Trial::new(&self.attempt, &self.stage.caller, &self.stage.arranged);
                trial.exhaust();
                self.front = Some(trial.into_front());
            }
            Step::MediaType => self.attempt.content_types = vec!["text/plain"],
            Step::BodySize => self.attempt = self.attempt.clone().padded_to(operation.max_bytes + 1),
            Step::Decode => self.attempt = self.attempt.clone().parameter("no_such_parameter", "1"),
            Step::Plan => {
                let plans = operation.credential.map_or(&[][..], |kind| kind.plans).iter();
                let lesser = plans
                    .copied()
                    .find(|plan| Some(*plan) != operation.plan)
                    .expect("there is another plan");
                self.attempt.world.change(&self.stage.caller, Standing::Plan(lesser));
            }
            Step::Exists => {
                let about = operation.exists.last().expect("the operation names something");
                self.attempt = self.attempt.clone().absent(about.resource, NOBODYS);
            }
            Step::Owner => {
                let caller = self.attempt.fresh_caller();
                self.stage = Arc::new(Stage {
                    caller,
                    ..(*self.stage).clone()
                });
            }
            Step::Quota => self.attempt.fill_quota(&self.stage),
            Step::Rule(row) => self
                .attempt
                .world
                .arrange(row, &self.stage.caller, &self.stage.arranged),
            other => panic!("no request can bring about {other:?}"),
        }
    }

    #[track_caller]
    fn refused(self, first: Step, other: Step) {
        let Self { attempt, stage, front } = self;
        let request = attempt.request(&stage.caller, &stage.arranged);
        let response = match &front {
            Some(front) => front.call(&request),
            None => attempt.world.call(&request),
        };
        let contract = attempt.contract;
        let answer = attempt.answer(request, response);
        let row = contract.row(first);
        if answer.response.status != row.status {
            answer.fail(
                &format!("{} {}", row.status, row.name),
                &format!("{first:?} comes before {other:?}"),
            );
        }
        answer.expect_row(row, &attempt.values(first, &stage.arranged));
    }
}
