//! The keys on disk: an id is eight bytes, big-endian, so that a tree iterates in the order of ids. An index key is a
//! sequence of ids.

use contract::{
    AccountId, ApiKeyId, ApplicationId, BountyId, ConversationId, HumanId, MessageId, Timestamp, WebhookId,
};

/// An id as part of a key.
pub(super) trait Id: Copy {
    /// The number.
    fn number(self) -> i64;
    /// The id with this number.
    fn of(number: i64) -> Self;
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl Id for $id {
            fn number(self) -> i64 {
                self.get()
            }
            fn of(number: i64) -> Self {
                Self::new(number)
            }
        }
    )*};
}

ids!(AccountId ApiKeyId HumanId BountyId ApplicationId ConversationId MessageId WebhookId);

/// The key of one id. Ids below 1, which no record has, get keys that no record has.
pub(super) fn one(id: impl Id) -> [u8; 8] {
    id.number().to_be_bytes()
}

/// The key of `first` followed by `second`.
pub(super) fn pair(first: impl Id, second: impl Id) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&one(first));
    key[8..].copy_from_slice(&one(second));
    key
}

/// The key with which the conversations of `party` iterate from the latest message to the earliest. Of two in the same
/// second, the newer conversation comes first.
pub(super) fn latest_first(party: impl Id, at: Timestamp, conversation: ConversationId) -> [u8; 24] {
    let mut key = [0; 24];
    key[..8].copy_from_slice(&one(party));
    key[8..16].copy_from_slice(&(!at.unix()).to_be_bytes());
    key[16..].copy_from_slice(&(!conversation.get()).to_be_bytes());
    key[8] ^= 0x80;
    key
}

/// The conversation in a key of [`latest_first`]. `None` if the key is malformed.
pub(super) fn conversation_of(key: &[u8]) -> Option<ConversationId> {
    number(key.get(16..)?).map(|inverted| ConversationId::new(!inverted))
}

/// The time in a key of [`latest_first`]. `None` if the key is malformed.
pub(super) fn time_of(key: &[u8]) -> Option<Timestamp> {
    let inverted = number(key.get(8..16)?)? ^ i64::MIN;
    Some(Timestamp::from_unix(!inverted))
}

/// The last id in a key. `None` if there is none.
pub(super) fn last<I: Id>(key: &[u8]) -> Option<I> {
    number(key.get(key.len().checked_sub(8)?..)?).map(I::of)
}

/// The number in eight bytes. `None` if the length differs.
pub(super) fn number(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_conversations_come_first() {
        let key = |at, id| latest_first(AccountId::new(7), Timestamp::from_unix(at), ConversationId::new(id));
        let mut keys = [key(10, 1), key(20, 2), key(20, 3), key(-5, 4), key(1 << 40, 5)];
        keys.sort_unstable();
        let ids: Vec<_> = keys.iter().filter_map(|key| conversation_of(key)).collect();
        assert_eq!(ids, [5, 3, 2, 1, 4].map(ConversationId::new));
        let times: Vec<_> = keys.iter().filter_map(|key| time_of(key)).collect();
        assert_eq!(times, [1 << 40, 20, 20, 10, -5].map(Timestamp::from_unix));
    }

    #[test]
    fn ids_iterate_in_their_order() {
        assert!(one(BountyId::new(255)) < one(BountyId::new(256)));
        assert_eq!(last(&pair(BountyId::new(1), HumanId::new(9))), Some(HumanId::new(9)));
        assert_eq!(last::<HumanId>(&[1, 2]), None);
    }
}
