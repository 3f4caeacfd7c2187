//! Events: their schemas, and the `webhooks` of a document.

use super::Scope;
use super::Version;
use super::names::Component;
use super::schema::{Extent, Of, Schema, SchemaMember, Text};
use crate::documents::shared::{events, examples};
use crate::json::{Json, JsonObject};
use crate::model::{EventKind, Field};
use crate::names;

/// The headers of a request with an event, as Standard Webhooks names them: each with its pattern, an example and its meaning.
const SIGNED_BY: [(&str, &str, &str, &str); 3] = [
    (
        "webhook-id",
        EVENT_ID,
        examples::EVENT_ID,
        "The `eventId`, the same at each attempt. An event that comes twice is known by it.",
    ),
    (
        "webhook-timestamp",
        "^[1-9][0-9]*$",
        "1795338000",
        "When this attempt was sent, in seconds since 1970.",
    ),
    (
        "webhook-signature",
        r"^v1,[A-Za-z0-9+\/]{43}=( v1,[A-Za-z0-9+\/]{43}=)*$",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        "`v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by `.`, with the \
         webhook's secret. If there are several, separated by a space, one of them must fit.",
    ),
];

const EVENT_ID: &str = "^evt_[0-9A-Za-z]{1,60}$";

/// A cursor, or `now`.
pub(super) fn cursor() -> Schema {
    Of::Text(Text {
        pattern: Some("^(now|0|[1-9][0-9]{0,15})$".to_owned()),
        ..Text::default()
    })
    .into()
}

impl Scope<'_> {
    /// The names of some events that these callers can get.
    pub(super) fn event_names(&self, caller: &str) -> Schema {
        let names = self.model.events_to(caller).map(|kind| kind.name.clone());
        Of::List {
            of: Box::new(Of::Words(names.collect()).into()),
            min: 1,
            max: None,
            unique: false,
        }
        .into()
    }

    /// The list of events in a feed.
    pub(super) fn events(&self) -> Schema {
        Of::List {
            of: Box::new(self.part_of(Component::Event)),
            min: 0,
            max: None,
            unique: false,
        }
        .into()
    }

    /// The names of all events.
    pub(super) fn event_name(&self) -> Schema {
        let names = self.model.event_kinds().iter().map(|kind| kind.name.clone());
        Schema::from(Of::Words(names.collect())).described("The name of an event.")
    }

    /// An event of any kind. Its data has the members of its kind.
    pub(super) fn event(&self) -> Schema {
        let members = self.model.event_members().into_iter();
        let data = members.map(|field| self.event_member(field, false)).collect();
        self.event_object(self.part_of(Component::EventName), data)
            .described("An event. Its data has the members of its kind.")
    }

    fn event_of(&self, kind: &EventKind) -> Schema {
        let data = kind.data.iter().map(|member| self.event_member(&member.field, true));
        self.event_object(Of::Constant(kind.name.clone().into()).into(), data.collect())
    }

    fn event_object(&self, name: Schema, data: Vec<SchemaMember>) -> Schema {
        let text = |pattern: &str| {
            Schema::from(Of::Text(Text {
                pattern: Some(pattern.to_owned()),
                ..Text::default()
            }))
        };
        let data = Of::Object {
            members: data,
            extent: Extent::Open,
        };
        let members = [
            (
                "eventId",
                text(EVENT_ID).described(
                    "The id of the event, which no other event has, in no feed. Its characters mean nothing.",
                ),
            ),
            ("name", name),
            ("timestamp", self.part_of(Component::Timestamp)),
            ("data", data.into()),
            (
                "cursor",
                text("^[1-9][0-9]{0,15}$").described("The place of the event in its feed."),
            ),
        ];
        let members = members.map(|(name, of)| SchemaMember {
            name: name.to_owned(),
            of,
            required: true,
        });
        Of::Object {
            members: members.into(),
            extent: Extent::Open,
        }
        .into()
    }

    fn event_member(&self, field: &Field, required: bool) -> SchemaMember {
        let member = self.response_member(&field.name, &field.of, field.doc.as_deref());
        SchemaMember { required, ..member }
    }

    fn part_of(&self, part: Component) -> Schema {
        Schema::reference(self.names.name(&part).to_owned())
    }

    /// A member beside the events of a feed.
    pub(super) fn feed_sibling(&self, name: &str) -> Schema {
        let of: Schema = match name {
            "cursor" => cursor(),
            _ => Of::Boolean.into(),
        };
        of.with_description(Some(events::sibling(name)))
    }

    /// The events that are sent to callers of these surfaces, each as the body of a request: the same object as in the feed.
    pub(super) fn webhooks(&self) -> JsonObject {
        let kinds = self.part.webhooks();
        kinds
            .map(|kind| (kind.name.clone(), self.webhook(kind).into()))
            .collect()
    }

    /// The events that callers of these surfaces get in their feeds only.
    pub(super) fn events_of_feeds(&self) -> JsonObject {
        let is_sent = |kind: &EventKind| self.part.webhooks().any(|sent| sent.name == kind.name);
        let kinds = self.part.events().filter(|kind| !is_sent(kind));
        let event = |kind: &EventKind| {
            JsonObject::new()
                .with("description", events::event(self.model, kind))
                .with("schema", self.write(&self.event_of(kind)))
                .with("example", examples::event(self.model, kind))
                .listing("x-causes", events::causes(kind))
        };
        kinds.map(|kind| (kind.name.clone(), event(kind).into())).collect()
    }

    fn webhook(&self, kind: &EventKind) -> JsonObject {
        let content = JsonObject::new()
            .with("schema", self.write(&self.event_of(kind)))
            .with("example", examples::event(self.model, kind));
        let body = JsonObject::new()
            .with("required", true)
            .with("content", JsonObject::new().with("application/json", content));
        let header = |(name, pattern, example, doc): (&str, &str, &str, &str)| {
            let schema = Schema::from(Of::Text(Text {
                pattern: Some(pattern.to_owned()),
                ..Text::default()
            }));
            JsonObject::new()
                .with("name", name)
                .with("in", "header")
                .with("required", true)
                .with("description", doc)
                .with("schema", self.write(&schema))
                .with("example", example)
        };
        let received = JsonObject::new().with("description", "Received");
        let post = JsonObject::new()
            .with("operationId", names::event_id(&kind.name))
            .with("summary", kind.doc.as_deref().unwrap_or(&kind.name))
            .with("description", events::event(self.model, kind))
            .with("security", Json::List(Vec::new()))
            .listing("parameters", SIGNED_BY.map(header).into())
            .with("requestBody", body)
            .with("responses", JsonObject::new().with("200", received))
            .listing("x-causes", events::causes(kind));
        JsonObject::new().with("post", post)
    }

    /// The member of the document for [`Self::webhooks`]: 3.0 has no such keyword.
    pub(super) fn webhooks_member(&self) -> &'static str {
        match self.version {
            Version::V3_1 => "webhooks",
            Version::V3_0 => "x-webhooks",
        }
    }
}
