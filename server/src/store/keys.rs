//! The keys on disk: an id is eight bytes, big-endian, so that a tree iterates in the order of ids. An index key is a
//! sequence of ids.

pub(crate) use codegen_store::number;
use contract::events::Recipient;
use contract::{AccountId, ConversationId, HumanId, Timestamp};

/// An id as part of a key.
pub(crate) trait Id: Copy {
    /// The number.
    fn number(self) -> i64;
    /// The id with this number.
    fn from_number(number: i64) -> Self;
}

/// The key of one id. Ids below 1, which no record has, get keys that no record has.
pub(crate) fn one(id: impl Id) -> [u8; 8] {
    id.number().to_be_bytes()
}

/// The key of `first` followed by `second`.
pub(crate) fn pair(first: impl Id, second: impl Id) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&one(first));
    key[8..].copy_from_slice(&one(second));
    key
}

/// The key with which the conversations of `party` iterate from the latest message to the earliest. Of two in the same
/// second, the newer conversation comes first.
pub(crate) fn latest_first(party: impl Id, at: Timestamp, conversation: ConversationId) -> [u8; 24] {
    let mut key = [0; 24];
    key[..8].copy_from_slice(&one(party));
    key[8..16].copy_from_slice(&(!at.unix()).to_be_bytes());
    key[16..].copy_from_slice(&(!conversation.get()).to_be_bytes());
    key[8] ^= 0x80;
    key
}

/// The conversation in a key of [`latest_first`]. `None` if the key is malformed.
pub(crate) fn conversation_of(key: &[u8]) -> Option<ConversationId> {
    number(key.get(16..)?).map(|inverted| ConversationId::new(!inverted))
}

/// The time in a key of [`latest_first`]. `None` if the key is malformed.
pub(crate) fn time_of(key: &[u8]) -> Option<Timestamp> {
    let inverted = number(key.get(8..16)?)? ^ i64::MIN;
    Some(Timestamp::from_unix(!inverted))
}

/// The key of the feed of a recipient.
pub(crate) fn feed(of: Recipient) -> [u8; 9] {
    let (kind, id) = match of {
        Recipient::Account(id) => (0, one(id)),
        Recipient::Human(id) => (1, one(id)),
    };
    let mut key = [kind; 9];
    key[1..].copy_from_slice(&id);
    key
}

/// The recipient in a key of [`feed`]. `None` if the key is malformed.
pub(crate) fn recipient_of(key: &[u8]) -> Option<Recipient> {
    let (kind, id) = key.split_first()?;
    match kind {
        0 => number(id).map(|id| Recipient::Account(AccountId::new(id))),
        1 => number(id).map(|id| Recipient::Human(HumanId::new(id))),
        _ => None,
    }
}

/// The key of the event with this number in the feed of a recipient.
pub(crate) fn event(of: Recipient, number: i64) -> [u8; 17] {
    let mut key = [0; 17];
    key[..9].copy_from_slice(&feed(of));
    key[9..].copy_from_slice(&number.to_be_bytes());
    key
}

/// The last id in a key. `None` if there is none.
pub(crate) fn last<I: Id>(key: &[u8]) -> Option<I> {
    number(key.get(key.len().checked_sub(8)?..)?).map(I::from_number)
}

#[cfg(test)]
mod tests {
    use contract::BountyId;

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
    fn events_iterate_by_recipient_and_number() {
        let (account, worker) = (Recipient::Account(AccountId::new(7)), Recipient::Human(HumanId::new(1)));
        let mut keys = [event(worker, 1), event(account, 256), event(account, 255)];
        keys.sort_unstable();
        assert_eq!(keys, [event(account, 255), event(account, 256), event(worker, 1)]);
        assert_eq!(
            [account, worker].map(|of| recipient_of(&feed(of))),
            [Some(account), Some(worker)]
        );
        assert_eq!(recipient_of(&[2; 9]), None);
        assert_eq!(recipient_of(&[0; 8]), None);
    }

    #[test]
    fn ids_iterate_in_their_order() {
        assert!(one(BountyId::new(255)) < one(BountyId::new(256)));
        assert_eq!(last(&pair(BountyId::new(1), HumanId::new(9))), Some(HumanId::new(9)));
        assert_eq!(last::<HumanId>(&[1, 2]), None);
    }
}
