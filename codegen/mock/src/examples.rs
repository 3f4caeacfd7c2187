//! Calls to try, as lines for a shell.

use crate::mock::Mock;
use crate::random::{MadeUp, mixed};
use crate::value::Value;
use codegen::model::{Operation, Surface};
use std::time::{SystemTime, UNIX_EPOCH};

impl Mock {
    /// A call that reads and one that writes, of those that need no ids and no credential that is yet to be made.
    pub fn calls_to_try(&self, address: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for is_read in [true, false] {
            let mut operations = self.model.operations();
            let wanted = operations.find(|(surface, operation)| {
                let is_open = surface
                    .credential
                    .as_ref()
                    .is_none_or(|name| self.root_of(name).is_some());
                is_open && operation.path.is_empty() && (operation.method == "GET") == is_read
            });
            found.extend(wanted.map(|(surface, operation)| self.call(address, surface, operation)));
        }
        found
    }

    fn root_of(&self, credential: &str) -> Option<&str> {
        let root = self.root_credentials().iter().find(|(known, _)| known == credential);
        root.map(|(_, secret)| secret.as_str())
    }

    fn call(&self, address: &str, surface: &Surface, operation: &Operation) -> String {
        let mut line = format!("curl -s http://{address}{}{}", surface.base, operation.route);
        if let Some(credential) = self.model.credential_of(surface) {
            let secret = self.root_of(&credential.name).unwrap_or_default();
            line += &format!(" -H {}", quoted(&format!("{}: {secret}", credential.header)));
        }
        if let Some(body) = self.model.body(operation) {
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs();
            let needed = body.members.iter().filter(|member| {
                body.partial || member.required || {
                    let of = &member.field.of;
                    !member.of_record && !of.optional && of.default.is_none()
                }
            });
            let members = needed.zip(1..).map(|(member, place)| {
                let ids = |_: &str| Vec::new();
                let made_up = MadeUp {
                    model: self.model,
                    ids: &ids,
                    now,
                    seed: mixed(0, place),
                };
                let value = made_up.example(&operation.exemplified(&member.field));
                (member.field.name.clone(), value)
            });
            let body = Value::Object(members.collect()).to_string();
            line += &format!(" -H 'Content-Type: application/json' -d {}", quoted(&body));
        }
        match operation.method.as_str() {
            "GET" => line,
            method => line.replacen("curl -s", &format!("curl -s -X {method}"), 1),
        }
    }
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
