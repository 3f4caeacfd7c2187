//! An answer to an invalid request names all that is invalid.

use crate::attempt::Attempt;
use crate::sample::{wrong_texts, wrong_types};
use crate::types::Member;
use codegen::step::Step;

/// Where a request is invalid.
#[derive(Clone, Copy)]
pub(crate) enum Invalid {
    /// A parameter of the query.
    Parameter(&'static Member),
    /// A member of the body.
    Member(&'static Member),
}

impl Invalid {
    fn name(self) -> &'static str {
        let (Self::Parameter(one) | Self::Member(one)) = self;
        one.name
    }
}

impl Attempt {
    /// A request that is invalid in both places is answered with the names of both.
    #[track_caller]
    pub(crate) fn names_both(self, both: [Invalid; 2]) {
        let stage = self.stage(true);
        let attempt = both.into_iter().fold(self, Attempt::spoilt);
        let answer = attempt.send(&stage.caller, &stage.arranged);
        let error = attempt.operation.contract.error(Step::Decode);
        answer.expect_error(error, &[]);
        answer.expect_names(error, &both.map(Invalid::name));
    }

    fn spoilt(self, invalid: Invalid) -> Self {
        match invalid {
            Invalid::Parameter(one) => {
                self.raw_parameter(one.name, wrong_texts(one.of).first().copied().unwrap_or_default())
            }
            Invalid::Member(one) => {
                let value = wrong_types(one.of).into_iter().next();
                value
                    .into_iter()
                    .fold(self, |attempt, value| attempt.with(one.name, value))
            }
        }
    }
}
