//! Resolves decisions.

use super::words::text;
use crate::model::Decision;
use crate::syntax::{self, Word};

pub(super) fn decision(name: &Word, decision: &syntax::Decision) -> Decision {
    Decision {
        name: text(name),
        gap: text(&decision.gap),
        choice: text(&decision.choice),
        enacted_by: decision.at.as_ref().map(text),
        test: decision.test.as_ref().map(text),
        at: name.at,
    }
}
