//! Examples of the error responses of an operation: the errors of the error table, with example values for their
//! placeholders.

use super::Scope;
use super::validation_errors::FaultExample;
use crate::documents::shared::{examples, possible_errors};
use crate::model::{ErrorEntry, GuardKind, Operation, Surface, Template};
use crate::names::snake;
use crate::step::Step;

/// An error response with its text.
pub(super) struct ErrorExample<'m> {
    pub(super) error: &'m ErrorEntry,
    /// Its name, unique in the operation: the error's, with the resource if the error applies to several.
    pub(super) name: String,
    /// Its subject, for the name of an answer that several operations share.
    pub(super) about: String,
    pub(super) text: String,
    pub(super) headers: Vec<(String, Template, String)>,
    /// The path of its request: that of all operations of the surface, so that they can share the response.
    pub(super) path: String,
    /// What is wrong with its request, if it is invalid.
    pub(super) fault: Option<FaultExample>,
}

/// An error of an operation, and the resource that it concerns.
#[derive(Clone, Copy)]
struct Case<'c> {
    surface: &'c Surface,
    operation: &'c Operation,
    error: &'c ErrorEntry,
    resource: Option<&'c str>,
}

impl<'m> Scope<'m> {
    /// The error responses of an operation, in order of precedence.
    pub(super) fn error_examples(&self, surface: &Surface, operation: &Operation) -> Vec<ErrorExample<'m>> {
        let errors = self.errors(surface, operation).into_iter();
        let examples = errors.flat_map(|error| {
            let about = self.about_which(operation, error);
            let is_one_of_many = about.len() > 1;
            let cases: Vec<Option<&str>> = if about.is_empty() {
                vec![None]
            } else {
                about.into_iter().map(Some).collect()
            };
            let cases = cases.into_iter().map(move |resource| {
                let case = Case {
                    surface,
                    operation,
                    error,
                    resource,
                };
                let resource = resource.filter(|_| is_one_of_many);
                let name = resource.map_or(error.name.clone(), |one| format!("{}_{}", error.name, snake(one)));
                self.error_example(error, name, case)
            });
            cases.collect::<Vec<_>>()
        });
        examples.collect()
    }

    fn error_example(&self, error: &'m ErrorEntry, name: String, case: Case<'_>) -> ErrorExample<'m> {
        let fill = |template: &Template| {
            template
                .filled(|placeholder| Some(self.placeholder(case, placeholder)))
                .to_string()
        };
        let headers = self.model.headers_of_error(error).into_iter();
        ErrorExample {
            error,
            name,
            about: self.about_what(case),
            text: fill(&error.text),
            path: format!("/{}", case.surface.base.trim_start_matches('/')),
            fault: (error.step == Step::Decode).then(|| self.fault(case.operation)),
            headers: headers
                .map(|(header, template)| {
                    let value = fill(&template);
                    (header, template, value)
                })
                .collect(),
        }
    }

    /// The resources that an error concerns.
    fn about_which<'o>(&self, operation: &'o Operation, error: &ErrorEntry) -> Vec<&'o str> {
        if let (Step::Transition, Some(moved)) = (error.step, &operation.transitions) {
            return vec![&moved.resource];
        }
        let guards = operation.guard_kinds().filter(|guard| guard.step() == error.step);
        let guards = guards.filter(|guard| self.model.step_that_rejects(guard) == error.step);
        guards.filter_map(GuardKind::resource).collect()
    }

    fn about_what(&self, case: Case<'_>) -> String {
        let Case { operation, .. } = case;
        let is_own = operation.max_bytes != self.model.body_max_bytes;
        let about = match case.error.step {
            Step::Credential => case.surface.credential.clone(),
            Step::Decode => self.fault(operation).about,
            Step::InFlight => operation.waits_at_once.map(|max| max.to_string()),
            Step::BodySize => is_own.then(|| operation.max_bytes.to_string()),
            Step::Plan => operation.plan().map(str::to_owned),
            Step::Quota => operation.quotas.first().map(|quota| quota.text.clone()),
            Step::KeySecret => operation.made_id().map(|(_, made)| made.to_owned()),
            _ => case.resource.map(str::to_owned),
        };
        about.unwrap_or_default()
    }

    /// An example value for a placeholder.
    fn placeholder(&self, case: Case<'_>, name: &str) -> String {
        let (model, operation) = (self.model, case.operation);
        let credential = || model.credential_of(case.surface);
        let quota = || operation.quotas.first().map(|quota| model.quota(quota));
        let (from, to) = possible_errors::rejected_move(model, operation).unwrap_or_default();
        let value = match (case.error.step, name) {
            (Step::ResponseBytes, "max") => model.response_bytes.map(|bytes| bytes.max.to_string()),
            (Step::Limit | Step::CredentialLimit | Step::ResponseBytes, _) => Some(self.seconds(case).to_string()),
            (Step::InFlight, _) => model.at_once(case.surface, operation).map(|max| max.to_string()),
            (Step::Credential, "problem") => Some("missing".to_owned()),
            (Step::Credential, _) => credential().map(|credential| credential.header.clone()),
            (Step::MediaType, _) => Some(model.media_types(operation)),
            (Step::BodySize, _) => Some(operation.max_bytes.to_string()),
            (Step::BodyTime, _) => Some(model.max_seconds(operation).to_string()),
            (Step::Decode, "fault_codes") => Some(self.fault(operation).code),
            (Step::Decode, _) => Some(self.fault(operation).text),
            (Step::Plan, _) => operation.plan().map(str::to_owned),
            (Step::Quota, "max") => quota().map(|quota| quota.max.to_string()),
            (Step::Quota, _) => quota().map(|quota| quota.noun.clone()),
            (Step::Transition, "from") => Some(from.to_owned()),
            (Step::Transition, "to") => Some(to.to_owned()),
            (Step::Exists | Step::Owner | Step::Transition, "noun") => {
                case.resource.map(|resource| model.resource(resource).noun.clone())
            }
            (Step::Exists | Step::Owner | Step::Transition, _) => {
                case.resource.map(|resource| examples::id(model, resource).to_string())
            }
            (Step::KeySecret, name) => operation.made_id().map(|(_, made)| match name {
                "noun" => model.resource(made).noun.clone(),
                _ => examples::id(model, made).to_string(),
            }),
            (Step::Rule, _) => self.parameter_example(operation, name),
            // They have no placeholders here: see `Step::placeholders`.
            (Step::Route | Step::Method | Step::Available | Step::Suspended | Step::Busy, _)
            | (Step::KeyReused | Step::KeyInProgress | Step::Write | Step::Outcome | Step::Internal, _) => None,
        };
        value.unwrap_or_default()
    }

    fn seconds(&self, case: Case<'_>) -> u32 {
        let limit = match case.error.step {
            Step::ResponseBytes => self.model.response_bytes.map(|bytes| bytes.window_seconds),
            Step::Limit => case
                .operation
                .limit
                .as_ref()
                .map(|name| self.model.limit(name).window_seconds),
            _ => self.failed_credentials().map(|limit| limit.window_seconds),
        };
        limit.map_or(1, |seconds| (seconds * 2 / 3).max(1))
    }

    fn parameter_example(&self, operation: &Operation, name: &str) -> Option<String> {
        let field = operation.path.iter().find(|field| field.name == name)?;
        let value = examples::value(self.model, &field.of, name).compact();
        Some(value.trim_matches('"').to_owned())
    }
}
