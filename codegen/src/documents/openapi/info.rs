//! What stands above the operations: what the document is of, and what holds for all of it.

use super::Scope;
use super::types::capitalised;
use crate::documents::shared::json::Object;
use crate::documents::shared::words;
use crate::model::{Credential, Surface};
use crate::names::with_article;
use std::fmt::Write;

/// The language has no version of a contract yet.
const VERSION: &str = "0.0.0";

impl Scope<'_> {
    pub(super) fn info(&self) -> Object {
        let title = match self.surfaces.as_slice() {
            [surface] if self.model.surfaces.len() > 1 => format!("{}: {}", self.model.title, surface.name),
            _ => self.model.title.clone(),
        };
        let object = Object::new().with("title", title).with("version", VERSION);
        object.with("description", self.introduction())
    }

    /// The groups of operations, in the order in which they come.
    pub(super) fn tags(&self) -> Vec<Object> {
        let mut tags: Vec<(&str, String)> = Vec::new();
        for (surface, operation) in self.operations() {
            let tag = self.tag(surface, operation);
            if tags.iter().all(|(known, _)| *known != tag) {
                let is_of_surface = tag == surface.name;
                let about = self.about(operation).filter(|_| !is_of_surface);
                let text = about.map_or_else(|| self.surface(surface), |resource| self.resource(&resource));
                tags.push((tag, text));
            }
        }
        let tags = tags.into_iter();
        tags.map(|(name, text)| Object::new().with("name", name).with("description", text))
            .collect()
    }

    fn surface(&self, surface: &Surface) -> String {
        match surface.credential.as_ref().map(|name| self.model.credential(name)) {
            Some(credential) => format!(
                "Under `{}`, with a credential in `{}`.",
                surface.base, credential.header
            ),
            None => format!("Under `{}`, for anyone.", surface.base),
        }
    }

    fn resource(&self, name: &str) -> String {
        let resource = self.model.resource(name);
        let noun = with_article(&resource.noun);
        let owners = resource
            .owner
            .iter()
            .map(|(owner, _)| with_article(&self.model.resource(owner).noun));
        let owners: Vec<String> = owners.collect();
        let owned = match (owners.is_empty(), resource.private) {
            (true, _) => format!("What concerns {noun}."),
            (false, false) => format!("{} belongs to {}.", capitalised(&noun), owners.join(" and to ")),
            (false, true) => {
                let owners = owners.join(" and to ");
                format!(
                    "{} belongs to {owners}, and to others it does not exist.",
                    capitalised(&noun)
                )
            }
        };
        let mut states = self.model.enums.iter().filter_map(|one| one.states.as_ref());
        let states = states.find(|states| states.of.0 == name);
        let states = states.map(|states| format!(" Its `{}`: {}", states.of.1, words::states(states)));
        owned + &states.unwrap_or_default()
    }

    fn introduction(&self) -> String {
        let mut text = String::new();
        for surface in &self.surfaces {
            let _ = writeln!(text, "{}", self.entrance(surface));
        }
        text.push_str("\nWhat a request has that is not named here is refused.\n");
        let _ = write!(
            text,
            "\n## Errors\n\nOf two faults in one request, the upper row answers.\n\n{}",
            self.error_table()
        );
        let limits: Vec<_> = self.limits().into_iter().chain(self.failed_credentials()).collect();
        if !limits.is_empty() {
            let lines = limits
                .iter()
                .map(|limit| format!("- `{}`: {}\n", limit.name, words::limit(limit, "caller")));
            let _ = write!(text, "\n## Limits\n\n{}", lines.collect::<String>());
            let _ = writeln!(text, "\n{}", words::WINDOWS);
        }
        text.trim().to_owned()
    }

    fn entrance(&self, surface: &Surface) -> String {
        let (name, base) = (&surface.name, &surface.base);
        match surface.credential.as_ref().map(|name| self.model.credential(name)) {
            Some(credential) => format!("- `{name}`, under `{base}`: {}", self.presented(credential)),
            None => format!("- `{name}`, under `{base}`: anyone may ask."),
        }
    }

    fn presented(&self, credential: &Credential) -> String {
        let (header, prefix) = (&credential.header, &credential.prefix);
        let who = match &credential.caller {
            Some(caller) => format!(
                "{}'s credential",
                with_article(&self.model.resource(&caller.resource).noun)
            ),
            None => "the one credential".to_owned(),
        };
        format!("each request has {who} in the header `{header}`, which begins with `{prefix}`.")
    }

    fn error_table(&self) -> String {
        let mut text = String::from("| error | status | meaning |\n| --- | --- | --- |\n");
        for row in self.all_rows() {
            let _ = writeln!(text, "| `{}` | {} | {} |", row.name, row.status, words::meaning(row));
        }
        text
    }
}
