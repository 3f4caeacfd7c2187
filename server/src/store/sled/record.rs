//! Records as values: JSON with the contract's field names. The text names its own fields, so a record of an older
//! contract still loads.

use std::fmt;
use std::sync::Arc;

use codegen_store::Tree;
use contract::support::Stored;
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, Bounty, BountyId, Conversation, ConversationId,
    Human, HumanId, Message, MessageId, Webhook, WebhookId,
};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::keys::{self, Id};
use crate::store::mirror::Change;
use crate::store::tables;

/// A value stored under an id.
pub(super) trait Record: Serialize + DeserializeOwned + for<'de> Stored<'de> + Clone {
    /// The tree of these records.
    const TREE: Tree;
    /// The id of a record.
    type Id: Copy;
    /// The last part of the id, which is numbered consecutively.
    type Counter: Id;

    /// The id of this one.
    fn id(&self) -> Self::Id;
    /// The key of an id.
    fn key(id: Self::Id) -> impl AsRef<[u8]>;
    /// The change for the mirror when this record is written.
    fn change(&self) -> Option<Change>;

    /// The value.
    fn encode(&self) -> Vec<u8> {
        // Enough for most records, so that the vector is not reallocated.
        let mut value = Vec::with_capacity(1024);
        serde_json::to_writer(&mut value, self).expect("records have text keys and finite numbers");
        value
    }
    /// The record of a value.
    fn decode(value: &[u8]) -> Result<Self, Misread> {
        decode(value)
    }
}

/// Why a value cannot be read.
#[derive(Debug)]
pub(super) enum Misread {
    /// It is not JSON, or incomplete.
    Broken(String),
    /// It is JSON, but does not fit the contract. It may have been written under another contract.
    Unfit(String),
}

impl fmt::Display for Misread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Broken(cause) | Self::Unfit(cause)) = self;
        out.write_str(cause)
    }
}

/// Reads a JSON value.
pub(super) fn decode<T: DeserializeOwned>(value: &[u8]) -> Result<T, Misread> {
    serde_json::from_slice(value).map_err(|error| match serde_json::from_slice::<IgnoredAny>(value) {
        Ok(_) => Misread::Unfit(misfit::<T>(value).unwrap_or_else(|| error.to_string())),
        Err(error) => Misread::Broken(error.to_string()),
    })
}

/// The error and the member that causes it. Reads the value a second time, since tracking members is slow.
fn misfit<T: DeserializeOwned>(value: &[u8]) -> Option<String> {
    let read: Result<T, _> = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(value));
    let error = read.err()?;
    let text = error.inner().to_string();
    let cause = text.split(" at line ").next().unwrap_or_default();
    Some(match error.path().iter().next() {
        Some(_) => format!("`{}`: {cause}", error.path()),
        None => cause.to_owned(),
    })
}

macro_rules! records {
    ($($record:ident, $id:ident, $tree:ident, $change:expr;)*) => {$(
        impl Record for $record {
            const TREE: Tree = tables::$tree;
            type Id = $id;
            type Counter = $id;

            fn id(&self) -> $id {
                self.id
            }
            fn key(id: $id) -> impl AsRef<[u8]> {
                keys::one(id)
            }
            fn change(&self) -> Option<Change> {
                let change: Option<fn(&$record) -> Change> = $change;
                change.map(|change| change(self))
            }
        }
    )*};
}

records! {
    Account, AccountId, ACCOUNTS, Some(|record| Change::Account(Arc::new(record.clone())));
    ApiKey, ApiKeyId, KEYS, Some(|record| Change::Key(Arc::new(record.clone())));
    Human, HumanId, HUMANS, Some(|record| Change::Human(Arc::new(record.clone())));
    Bounty, BountyId, BOUNTIES, Some(|record| Change::Bounty(record.into()));
    Application, ApplicationId, APPLICATIONS, None;
    Conversation, ConversationId, CONVERSATIONS, None;
    Webhook, WebhookId, WEBHOOKS, None;
}

impl Record for Message {
    const TREE: Tree = tables::MESSAGES;
    type Id = (ConversationId, MessageId);
    type Counter = MessageId;

    fn id(&self) -> Self::Id {
        (self.conversation_id, self.id)
    }
    fn key((conversation, message): Self::Id) -> impl AsRef<[u8]> {
        keys::pair(conversation, message)
    }
    fn change(&self) -> Option<Change> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_named_with_its_member() {
        let misread = |value: &str| {
            decode::<Human>(value.as_bytes())
                .expect_err("it does not fit")
                .to_string()
        };
        let human = |skills: &str| {
            format!(
                r#"{{"id":1,"name":"n","headline":"h","bio":"","city":"c","state":"s","gender":"female","hourly_rate":1,"skills":{skills}}}"#
            )
        };
        assert_eq!(misread(r#"{"id":1}"#), "missing field `name`");
        assert_eq!(
            misread(&human("[{\"id\":true}]")),
            "`skills[0].id`: invalid type: boolean `true`, expected i64"
        );
        assert!(decode::<Human>(human("[]").as_bytes()).is_ok());
        assert!(matches!(decode::<Human>(b"{\"id\":"), Err(Misread::Broken(_))));
    }
}
