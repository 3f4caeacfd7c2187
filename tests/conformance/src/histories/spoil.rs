//! Makes one thing of a call wrong, so that a certain error rejects it.

use super::call::Call;
use super::generate::Generator;
use super::ids::unused;
use super::known::Knowledge;
use super::values::{Values, quoted};
use codegen::Model;
use codegen::model::{Body, Effect};
use codegen::step::Step;
use serde_json::Value;

/// The steps whose errors any call can meet.
pub(super) const SPOILED: [Step; 5] = [
    Step::Credential,
    Step::MediaType,
    Step::BodySize,
    Step::Decode,
    Step::Exists,
];

impl<'m> Generator<'m> {
    /// Makes a call meet the error of this step, if it can.
    pub(super) fn spoil(&mut self, call: &mut Call<'m>, known: &Knowledge<'m>, step: Step) {
        let Some((surface, operation)) = call.operation else {
            return;
        };
        match step {
            Step::Credential => {
                call.credential = None;
                if let (Some(credential), true) = (self.model.credential_of(surface), self.random.percent(60)) {
                    call.other_secret = Some((credential.header.clone(), "x".to_owned()));
                }
            }
            Step::MediaType if call.body.is_some() => {
                let other = if operation.file.is_some() {
                    "application/json"
                } else {
                    "text/plain"
                };
                call.media_type = self.random.of(&[None, Some(other)]).copied().flatten();
            }
            // A file is so large that the request would take too long.
            Step::BodySize if operation.file.is_none() => {
                if let Some(body) = &mut call.body {
                    let more = (operation.max_bytes as usize + 1).saturating_sub(body.len());
                    body.push_str(&" ".repeat(more));
                }
            }
            Step::Decode => match self.random.below(3) {
                0 if !call.path.is_empty() => {
                    let at = self.random.below(call.path.len());
                    "x1".clone_into(&mut call.path[at].1);
                }
                _ if operation.file.is_some() => call.body = Some(String::new()),
                1 if call.body.is_some() => {
                    let body = self.random.word(&["{}", "[]", "{", "{\"unknown_one\":1}"]);
                    call.body = Some(body.to_owned());
                    call.json = serde_json::from_str(body).unwrap_or(Value::Null);
                }
                _ => call.query.push("unknown_one=1".to_owned()),
            },
            Step::KeyReused | Step::KeySecret => {
                let now = self.now;
                let can_call = |index: usize| known.credentials[index].can_call(now);
                let is_of_call = |one: &&Call<'m>| one.name() == call.name() && one.credential.is_some_and(can_call);
                let former: Vec<Call<'m>> = self.keyed.iter().filter(is_of_call).cloned().collect();
                if let Some(former) = self.random.of(&former) {
                    let (key, credential) = (former.key, former.credential);
                    if step == Step::KeySecret {
                        call.clone_from(former);
                    }
                    (call.key, call.credential) = (key, credential);
                }
            }
            Step::Exists => {
                let ended = |resource: &str| known.ended(resource).last().copied();
                let mentions = call.mentions(self.model);
                if let Some(mention) = self.random.of(&mentions) {
                    let id = ended(mention.resource).filter(|_| self.random.percent(40));
                    let unused = unused(self.model.ids(mention.resource));
                    call.replace(mention, &id.unwrap_or(unused).to_string());
                }
            }
            _ => {}
        }
    }
}

impl Values<'_, '_> {
    /// Makes one member of a body wrong.
    pub(super) fn spoil(&mut self, members: &mut Vec<String>, body: &Body) {
        let any = self.random.below(members.len());
        let declared = self.random.of(&body.members);
        match (self.random.below(5), declared) {
            (0, _) if !members.is_empty() => drop(members.remove(any)),
            (1, _) => members.extend(members.get(any).cloned()),
            (2, _) => members.push("\"unknown_member\":1".to_owned()),
            (3, Some(member)) => members.push(format!("\"{}s\":1", member.field.name)),
            (_, Some(member)) => {
                let key = format!("{}:", quoted(&member.field.name));
                members.retain(|written| !written.starts_with(&key));
                members.push(format!("{key}{}", self.invalid(&member.field.of)));
            }
            _ => {}
        }
    }
}

/// Whether a call can be sent several times at once: it changes something, and not its own credential.
pub(super) fn can_be_copied(model: &Model, call: &Call) -> bool {
    let Some((_, operation)) = call.operation else {
        return false;
    };
    let mut effects = operation.effects.iter();
    let holds_credential = |resource: &String| {
        let mut callers = model.credentials.iter().filter_map(|one| one.caller.as_ref());
        callers.any(|caller| caller.limited_by == *resource || caller.resource == *resource)
    };
    let is_small = call.body.as_ref().is_none_or(|body| body.len() < 10_000);
    let is_plain = effects.all(|effect| match effect {
        Effect::Make { .. } | Effect::Change { .. } => true,
        Effect::End { resource, .. } => !holds_credential(resource),
        Effect::Renew { .. } | Effect::Revoke { .. } => false,
    });
    !call.is_read() && is_plain && is_small && (!operation.effects.is_empty() || operation.transitions.is_some())
}
