//! The kinds of values that requests carry. Only these need decoders.

use super::Context;
use crate::model::{Kind, Model, Type, TypeRule};

impl Context<'_> {
    /// Whether a request carries values of this kind.
    pub(crate) fn is_sent(&self, kind: &Kind) -> bool {
        self.sent.contains(kind)
    }
}

/// Every kind of value in a path, a query or a body, at any depth.
pub(super) fn kinds(model: &Model) -> Vec<Kind> {
    let mut sent = Vec::new();
    for (_, operation) in model.operations() {
        let members = model.body(operation).into_iter().flat_map(|body| &body.members);
        let fields = members.map(|member| &member.field);
        for field in operation.path.iter().chain(&operation.query).chain(fields) {
            add(model, &field.of, &mut sent);
        }
    }
    sent
}

fn add(model: &Model, of: &Type, sent: &mut Vec<Kind>) {
    if sent.contains(&of.kind) {
        return;
    }
    sent.push(of.kind.clone());
    match &of.kind {
        Kind::Named(name) => {
            if let TypeRule::List { of, .. } = &model.named_type(name).rule {
                add(model, of, sent);
            }
        }
        Kind::Object(name) => {
            let members = &model.object(name).members;
            members.iter().for_each(|member| add(model, &member.of, sent));
        }
        Kind::Input(name) => {
            let members = &model.input(name).body.members;
            members.iter().for_each(|member| add(model, &member.field.of, sent));
        }
        _ => {}
    }
}
