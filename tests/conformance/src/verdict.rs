//! The verdict on an attempt: it is accepted, or rejected by the expected error.

use crate::answer::Answer;
use crate::attempt::{Attempt, Presented};
use crate::level::Level;
use crate::stage::Stage;
use crate::world::{Caller, Request, RequestedResources, Response};
use codegen::model::{ErrorEntry, Quota, Resource};
use codegen::step::Step;

impl Attempt {
    /// Sends the request; the answer must be the declared success.
    #[track_caller]
    pub(crate) fn accepted(self) -> Answer {
        let stage = self.stage(self.operation.declared.method == "GET");
        self.accepted_on(&stage.caller, &stage.arranged)
    }

    #[track_caller]
    pub(crate) fn accepted_on(&self, caller: &Caller, arranged: &RequestedResources) -> Answer {
        let answer = self.send(caller, arranged);
        self.expect_declared(&answer);
        answer
    }

    /// Checks that the answer is the declared success.
    #[track_caller]
    pub(crate) fn expect_declared(&self, answer: &Answer) {
        answer.expect_success(&self.siblings());
        self.expect_limit_headers(answer, true);
    }

    /// Sends the request; this step must reject it.
    #[track_caller]
    pub(crate) fn rejected_at(&self, step: Step, stage: &Stage) {
        let error = self.operation.contract.error(step);
        self.rejected_by(error, stage, &self.values(step, &stage.arranged));
    }

    /// What is wrong with its credential, if that follows from how it is presented.
    fn problem(&self) -> Option<&'static str> {
        match self.presented {
            Presented::Not => Some("missing"),
            Presented::Twice => Some("sent more than once"),
            Presented::Rightly | Presented::As(_) => None,
        }
    }

    /// Sends the request; this error must reject it.
    #[track_caller]
    pub(crate) fn rejected_by(&self, error: &'static ErrorEntry, stage: &Stage, values: &[(&str, String)]) {
        let answer = self.send(&stage.caller, &stage.arranged);
        let open = answer.expect_error(error, values);
        let allow = open
            .iter()
            .find(|(name, _)| name == "allow")
            .filter(|_| error.step == Step::Method);
        if let Some((_, allow)) = allow {
            // HTTP allows HEAD and OPTIONS everywhere.
            let is_extra = |one: &&str| self.world.level() < Level::Texts && matches!(*one, "HEAD" | "OPTIONS");
            let offered = allow.split(',').map(str::trim);
            let offered: Vec<&str> = offered
                .filter(|one| self.operation.allow.contains(one) || !is_extra(one))
                .collect();
            let right = offered.len() == self.operation.allow.len()
                && self.operation.allow.iter().all(|one| offered.contains(one));
            if !right {
                answer.fail(
                    &format!("exactly the methods {:?}", self.operation.allow),
                    &format!("it offers {allow}"),
                );
            }
        }
        self.expect_limit_headers(&answer, self.operation.contract.counts(error));
    }

    /// Checks that the limit reports itself exactly where it has counted.
    #[track_caller]
    fn expect_limit_headers(&self, answer: &Answer, is_counted: bool) {
        match self.operation.limit.filter(|_| is_counted && self.world.is_limited()) {
            Some(limit) => answer.expect_headers_of(limit),
            None => answer.expect_no_limit_headers(),
        }
    }

    #[track_caller]
    pub(crate) fn send(&self, caller: &Caller, arranged: &RequestedResources) -> Answer {
        let request = self.request(caller, arranged);
        let response = self.world.call(&request);
        self.received(request, response)
    }

    /// A body of one byte too many is rejected.
    #[track_caller]
    pub(crate) fn rejects_a_large_body(self) {
        let most = self.operation.max_bytes();
        let stage = self.stage(true);
        self.padded_to(most + 1).rejected_at(Step::BodySize, &stage);
    }

    /// The answer to a request.
    #[track_caller]
    pub(crate) fn received(&self, request: Request, response: Response) -> Answer {
        let excuse = self.operation.contract.model.errors.iter().find_map(|error| {
            let excuse = self.world.excuse(self.operation, error)?;
            self.operation
                .is_error(error, &response, self.world.level())
                .then_some(excuse)
        });
        Answer {
            operation: self.operation,
            tried: self.tried,
            request,
            response,
            level: self.world.level(),
            excuse,
        }
    }

    /// The known values for an error response's text and headers.
    pub(crate) fn values(&self, step: Step, arranged: &RequestedResources) -> Vec<(&'static str, String)> {
        let operation = self.operation;
        let named = |resource: &str| {
            let absent = self.absent.iter().find(|(known, _)| *known == resource);
            absent.map_or_else(|| arranged.id(resource).to_string(), |(_, id)| id.clone())
        };
        let of_resource = |one: &Resource| vec![("noun", one.noun.clone()), ("id", named(&one.name))];
        match step {
            Step::Credential => {
                let header = operation.credential.iter();
                let header = header.map(|kind| ("header", kind.header.to_owned()));
                header
                    .chain(self.problem().map(|problem| ("problem", problem.to_owned())))
                    .collect()
            }
            Step::Route if self.suffix == "/" => {
                vec![("did_you_mean", format!(", did you mean `{}`?", operation.path))]
            }
            Step::MediaType => vec![("types", operation.contract.model.media_types(operation.declared))],
            Step::BodySize => vec![("max_bytes", operation.max_bytes().to_string())],
            Step::Plan => operation.plan.iter().map(|plan| ("plan", (*plan).to_owned())).collect(),
            Step::Exists | Step::Owner => {
                let about = operation.exists.iter().find(|exists| match step {
                    Step::Exists if !self.absent.is_empty() => {
                        self.absent.iter().any(|(known, _)| *known == exists.resource.name)
                    }
                    // To others a private record does not exist.
                    Step::Exists if operation.owned.is_empty() => true,
                    _ => operation.owns(exists.resource),
                });
                about.map_or_else(Vec::new, |one| of_resource(one.resource))
            }
            Step::KeySecret => {
                let made = operation
                    .declared
                    .made_id()
                    .map(|(_, made)| operation.contract.model.resource(made));
                made.map_or_else(Vec::new, |made| vec![("noun", made.noun.clone())])
            }
            Step::Transition => {
                let moves = operation.transitions.as_ref();
                moves.map_or_else(Vec::new, |moves| of_resource(moves.resource))
            }
            Step::Quota => operation.quota.map_or_else(Vec::new, quota_values),
            Step::Rule => {
                let parameters = operation.parameters.iter();
                let ids = parameters.filter_map(|one| Some((one.name, named(one.of.id_of()?))));
                ids.collect()
            }
            Step::Route
            | Step::Method
            | Step::CredentialLimit
            | Step::Available
            | Step::Suspended
            | Step::Limit
            | Step::ResponseBytes
            | Step::InFlight
            | Step::Busy
            | Step::BodyTime
            | Step::Decode
            | Step::KeyReused
            | Step::KeyInProgress
            | Step::Write
            | Step::Outcome
            | Step::Internal => Vec::new(),
        }
    }

    /// The declared siblings: a parameter of the same name shows the given value or its default.
    pub(crate) fn siblings(&self) -> Vec<(&'static str, Option<i64>)> {
        let siblings = self.operation.declared.siblings.iter();
        siblings.map(|name| (name.as_str(), self.number(name))).collect()
    }

    pub(crate) fn number(&self, parameter: &str) -> Option<i64> {
        let declared = self.operation.query(parameter)?;
        let sent = self
            .query
            .iter()
            .find(|(name, _)| name == parameter)
            .map(|(_, text)| text.as_str());
        sent.or(declared.default)?.parse().ok()
    }
}

/// The placeholders of an error of the step `quota`.
pub(crate) fn quota_values(quota: &Quota) -> Vec<(&'static str, String)> {
    vec![("max", quota.max.to_string()), ("noun", quota.noun.clone())]
}
