//! The same request with other texts: a service that confuses equal bodies is only detected with different ones.

use crate::attempt::Attempt;
use crate::stage::Stage;
use crate::suite::skip_test;
use crate::types::{Member, Type};
use crate::value::{Value, nth_text, word};

impl Attempt {
    /// The request with different texts in its body for each index, within their types; if it has none, one is added
    /// where possible.
    pub(crate) fn varied(&self, index: usize) -> Self {
        let members = self.operation.members().iter().filter(|_| self.has_json_body());
        let texts: Vec<&Member> = members.filter(|one| is_text(one.of)).collect();
        let is_present = |member: &&Member| matches!(self.sent(member.name), Some(Value::Text(_)));
        let present: Vec<&Member> = texts.iter().copied().filter(is_present).collect();
        let changed = if present.is_empty() {
            texts.into_iter().take(1).collect()
        } else {
            present
        };
        let varied = changed.iter().fold(self.clone(), |attempt, member| {
            attempt.with_exactly(member.name, word(&nth_text(Some(member.of), index)))
        });
        varied.with_other_texts()
    }

    /// The caller creates resources until only `free` remain of the quota.
    #[track_caller]
    pub(crate) fn fill_quota_but(&self, free: u64, stage: &Stage) {
        let quota = self.operation.quota;
        let quota = quota.expect("only operations with a quota are asked to fill it");
        let limit = self.operation.limit.filter(|_| self.world.is_limited());
        if limit.is_some_and(|limit| quota.max >= limit.max.into()) {
            skip_test("it needs many requests, without limits".to_owned());
        }
        for index in self.world.quota_usage(&quota.name)..quota.max.saturating_sub(free) {
            let index = usize::try_from(index).unwrap_or_default();
            let attempt = self.varied(index).unkeyed();
            match self.operation.makes_one_for_each_parent() {
                true => attempt.accepted_on(&stage.caller, &self.arrange_for(&stage.caller)),
                false => attempt.accepted_on(&stage.caller, &stage.arranged),
            };
        }
    }
}

fn is_text(of: &Type) -> bool {
    matches!(of, Type::Text { .. })
}
