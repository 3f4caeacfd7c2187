//! The part of a credential that is shown: its first characters, as many as the contract declares.

use crate::attempt::Attempt;
use crate::level::Level;
use crate::suite::description::traces;
use codegen::model::{AnswerFrom, Credential, Origin, Resource};
use serde_json::Value as Json;

impl Attempt {
    /// Wherever a new record shows the start of its credential, it is the declared number of characters, and `...`.
    #[track_caller]
    pub(crate) fn shows_the_start(self, kind: &'static Credential, resource: &'static Resource) {
        let stage = self.stage(false);
        let answer = self.done(&stage);
        let Some(secret) = answer.secret(&kind.name) else {
            answer.fail(&format!("a {}", kind.name), "it is missing");
        };
        let start = kind.shown_of(&secret);
        let is_start = |field: &str| {
            let mut fields = resource.fields.iter();
            fields.any(|one| one.name == field && matches!(&one.origin, Some(Origin::Start(of)) if *of == kind.name))
        };
        // How the rest is marked as left out is a matter of texts.
        let is_exact = self.world.level() == Level::Texts;
        let is_shown = |came: &Json| match came.as_str() {
            Some(came) if !is_exact => came.trim_end_matches(['.', '…']) == start.trim_end_matches('.'),
            came => came == Some(&start),
        };
        for (member, from) in answer.operation.answers() {
            if matches!(from, AnswerFrom::Field(_, field) if is_start(field)) && !is_shown(&answer.data()[member]) {
                answer.fail(
                    &format!("`{member}` as {start}"),
                    &format!("it is {}", answer.data()[member]),
                );
            }
        }
        // The answer need not name the record.
        let Some(record) = answer.made(resource).first().copied() else {
            return;
        };
        for shows in traces::showing(self.operation.contract, resource) {
            let member = shows.view.members.iter().find(|member| is_start(member.source.field()));
            let (Some(member), Some(place)) = (member, shows.place(resource)) else {
                continue;
            };
            let Some(reading) = self.reading(place, record) else {
                return;
            };
            let found = reading.find(Some(record.id));
            if let Some(found) = found.filter(|found| !is_shown(&found.row[&member.shown])) {
                let came = found.row[&member.shown].clone();
                let wanted = format!("`{}` as {start}", member.shown);
                found.answer.fail(&wanted, &format!("it is {came}"));
            }
        }
    }
}
