//! The part of the document above the operations: its title, and what applies to all operations.

use super::{Scope, Version};
use crate::documents::shared::{realms, words};
use crate::json::JsonObject;
use crate::model::{Contact, Credential, License, Surface, TextOf};
use crate::names::with_article;
use std::fmt::Write;

/// Base address of licences with an SPDX expression. OpenAPI 3.0 knows only addresses of licences.
const SPDX: &str = "https://spdx.org/licenses/";

impl Scope<'_> {
    pub(super) fn info(&self) -> JsonObject {
        let object = JsonObject::new()
            .with("title", self.title())
            .with("version", &self.model.version);
        object
            .with("description", self.introduction())
            .maybe("contact", self.model.contact.as_ref().map(contact))
            .maybe("license", self.model.license.as_ref().map(|one| self.license(one)))
    }

    fn license(&self, license: &License) -> JsonObject {
        let object = JsonObject::new().with("name", license.name.as_str());
        match (&license.identifier, &license.url, self.version) {
            (Some(expression), _, Version::V3_1) => object.with("identifier", expression.as_str()),
            (Some(_), None, Version::V3_0) => object.with("url", SPDX),
            (_, url, _) => object.maybe("url", url.as_deref()),
        }
    }

    /// The groups of operations, in their order.
    pub(super) fn tags(&self) -> Vec<JsonObject> {
        let mut tags: Vec<(&str, JsonObject)> = Vec::new();
        for (surface, operation) in self.operations() {
            let tag = self.tag(surface, operation);
            if tags.iter().all(|(known, _)| *known != tag) {
                let is_of_surface = tag == surface.name;
                let about = self.about(operation).filter(|_| !is_of_surface);
                let object = JsonObject::new().with("name", tag);
                tags.push((
                    tag,
                    match about {
                        Some(resource) => self.tag_of_resource(object, &resource),
                        None => self.tag_of_surface(object, surface),
                    },
                ));
            }
        }
        tags.into_iter().map(|(_, tag)| tag).collect()
    }

    fn tag_of_resource(&self, tag: JsonObject, name: &str) -> JsonObject {
        tag.with("description", self.resource(name))
            .maybe("x-doc", self.model.resource(name).doc.as_ref())
            .with("x-resource", name)
            .with("x-plural", &self.model.resource(name).plural)
            .maybe("x-text", self.text_of(&[TextOf::Resource(name.to_owned())]))
    }

    fn tag_of_surface(&self, tag: JsonObject, surface: &Surface) -> JsonObject {
        let is_primary = self
            .model
            .primary_surface()
            .is_some_and(|primary| primary.name == surface.name);
        tag.with("description", self.surface(surface))
            .maybe("x-doc", surface.doc.as_ref())
            .maybe("x-primary", is_primary.then_some(true))
            .maybe("x-text", self.text_of(&[TextOf::Surface(surface.name.clone())]))
    }

    fn surface(&self, surface: &Surface) -> String {
        let entrance = match self.model.credential_of(surface) {
            Some(credential) => format!(
                "Paths under `{}`. Requires a credential in the header `{}`.",
                surface.base_path(),
                credential.header
            ),
            None => format!("Paths under `{}`. No credential is required.", surface.base_path()),
        };
        words::both(surface.doc.as_deref(), &entrance)
    }

    fn resource(&self, name: &str) -> String {
        let resource = self.model.resource(name);
        let noun = with_article(&resource.noun);
        let capitalised = words::capitalised(&noun);
        let owned = match (words::owners(self.model, resource), resource.private) {
            (None, _) => format!("Operations on {noun}."),
            (Some(owners), false) => format!("{capitalised} belongs to {owners}."),
            (Some(owners), true) => format!("{capitalised} belongs to {owners}. To other callers it does not exist."),
        };
        let realm = realms::of_resource(self.model, self.surfaces.iter().copied(), resource);
        let hidden = realms::hidden(self.model, self.surfaces.iter().copied(), resource);
        let seen = realm.into_iter().chain(hidden).map(|rule| format!(" {rule}"));
        let owned = owned + &seen.collect::<String>();
        let mut states = self.model.enums.iter().filter_map(|one| one.states.as_ref());
        let states = states.find(|states| states.of.0 == name);
        let states = states.map(|states| format!(" Transitions of its `{}`: {}", states.of.1, words::states(states)));
        words::both(resource.doc.as_deref(), &(owned + &states.unwrap_or_default()))
    }

    fn introduction(&self) -> String {
        let mut text = String::new();
        if let Some(doc) = &self.model.doc {
            let _ = writeln!(text, "{doc}\n");
        }
        for surface in &self.surfaces {
            let _ = writeln!(text, "{}", self.entrance(surface));
        }
        let _ = writeln!(text, "\n{}", words::UNNAMED);
        let _ = write!(
            text,
            "\n## Errors\n\nIf a request causes several errors, the response is the first of them in this table.\n\n{}",
            self.error_table()
        );
        let limits: Vec<_> = self.limits().into_iter().chain(self.failed_credentials()).collect();
        if !limits.is_empty() {
            let by = self.counted_by();
            let lines = limits
                .iter()
                .map(|limit| format!("- `{}`: {}\n", limit.name, words::limit(limit, by)));
            let _ = write!(text, "\n## Limits\n\n{}", lines.collect::<String>());
            let _ = writeln!(text, "\n{}", words::WINDOWS);
            if self.counts_owners() {
                let _ = writeln!(text, "{}", words::OWNERS);
            }
        }
        for bound in [
            words::in_flight(self.model, self.operations(), words::CountedBy::ANY),
            words::response_bytes(self.model, self.surfaces.iter().copied(), words::CountedBy::ANY),
            words::pace(self.model),
        ] {
            let _ = bound.map(|bound| writeln!(text, "\n{bound}"));
        }
        text.trim().to_owned()
    }

    fn entrance(&self, surface: &Surface) -> String {
        let (name, base) = (&surface.name, surface.base_path());
        let entrance = match self.model.credential_of(surface) {
            Some(credential) => self.presented(credential),
            None => "No credential is required.".to_owned(),
        };
        let text = words::in_line(&words::both(surface.doc.as_deref(), &entrance));
        format!("- `{name}`, under `{base}`: {text}")
    }

    fn presented(&self, credential: &Credential) -> String {
        let (header, prefix) = (&credential.header, &credential.prefix);
        let who = match &credential.caller {
            Some(caller) => format!(
                "{}'s credential",
                with_article(&self.model.resource(&caller.resource).noun)
            ),
            None => "the credential of this API".to_owned(),
        };
        let begins = match prefix.as_str() {
            "" => String::new(),
            _ => format!(", which begins with {}", realms::prefixes(credential)),
        };
        format!("Each request needs {who} in the header `{header}`{begins}.")
    }

    fn error_table(&self) -> String {
        let rows = self.all_errors();
        let has_help = rows.iter().any(|row| row.help.is_some());
        let mut text = String::from("| error | status | meaning |");
        text.push_str(if has_help { " what to do next |\n" } else { "\n" });
        text.push_str(if has_help {
            "| --- | --- | --- | --- |\n"
        } else {
            "| --- | --- | --- |\n"
        });
        for row in rows {
            let meaning = cell(&words::meaning(row));
            let _ = write!(text, "| `{}` | {} | {meaning} |", row.name, row.status);
            let help = cell(row.help.as_deref().unwrap_or_default());
            text.push_str(&if has_help {
                format!(" {help} |\n")
            } else {
                "\n".to_owned()
            });
        }
        text
    }
}

/// A text, escaped for a cell of a table.
fn cell(text: &str) -> String {
    words::in_line(text).replace('|', "\\|")
}

fn contact(contact: &Contact) -> JsonObject {
    let object = JsonObject::new().with("name", contact.name.as_str());
    object
        .maybe("url", contact.url.as_deref())
        .maybe("email", contact.email.as_deref())
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_text_stays_within_its_cell() {
        assert_eq!(cell("`a|b`\n| c"), r"`a\|b` \| c");
    }
}
