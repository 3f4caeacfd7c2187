//! The records of a kind by id, each with what follows from other records.

use codegen_store::Findings;
use contract::support::derived::{Derived, differences};
use contract::{Account, AccountId, Bounty, BountyId, Conversation, ConversationId, Human, HumanId, Tallies};

use super::finding::Finding;
use super::name::Name;
use crate::store::keys::Id;
use crate::store::record::Record;
use crate::store::tables;

/// Sorted ids: the trees yield them in order, and a sorted list takes less than half the memory of a map.
pub(super) struct Tally<R: Derived>(Vec<(i64, Option<Values<R>>)>);

/// The values that follow from other records, as the record states them and as the others give them.
struct Values<R: Derived> {
    stated: R::Values,
    found: R::Values,
}

impl<R: Derived> Default for Tally<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Record<Id: Id> + Derived> Tally<R> {
    /// Adds an id that is higher than all before. `record` is `None` if it cannot be read.
    pub(super) fn push(&mut self, id: i64, record: Option<&R>) {
        let values = record.map(|record| Values {
            stated: record.stated(),
            found: R::Values::default(),
        });
        self.0.push((id, values));
    }

    /// Whether there is a readable record with this id.
    fn has(&self, id: R::Id) -> bool {
        self.place(id).is_some_and(|place| self.0[place].1.is_some())
    }

    /// Whether there is a record with this id, readable or not.
    pub(super) fn knows(&self, id: R::Id) -> bool {
        self.place(id).is_some()
    }

    /// What is found of a readable record.
    pub(super) fn found(&mut self, id: R::Id) -> Option<&mut R::Values> {
        let place = self.place(id)?;
        self.0[place].1.as_mut().map(|values| &mut values.found)
    }

    /// Checks that the record to which `of` belongs exists, readable or not. Returns whether it is readable.
    fn require(&self, id: R::Id, of: Name, findings: &mut Findings) -> bool {
        if !self.knows(id) {
            let missing = Name::of::<R>(id);
            findings.push(&Finding::Orphan { of, missing });
        }
        self.has(id)
    }

    /// Compares the stated values with those that were found.
    pub(super) fn verify(&self, findings: &mut Findings) {
        for (id, values) in &self.0 {
            let Some(Values { stated, found }) = values else {
                continue;
            };
            let of = Name::of::<R>(R::Id::from_number(*id));
            for [field, source, stated, found] in differences::<R>(stated, found) {
                findings.push(&Finding::Derived {
                    of,
                    field,
                    source,
                    stated,
                    found,
                });
            }
        }
    }

    fn place(&self, id: R::Id) -> Option<usize> {
        self.0.binary_search_by_key(&id.number(), |(id, _)| *id).ok()
    }
}

/// The records with single ids that other records name.
#[derive(Default)]
pub(super) struct Records {
    pub(super) accounts: Tally<Account>,
    pub(super) humans: Tally<Human>,
    pub(super) bounties: Tally<Bounty>,
    pub(super) conversations: Tally<Conversation>,
}

impl Records {
    /// Checks that the records exist that this one names, readable or not. Returns whether all are readable.
    pub(super) fn require(&self, record: &impl Record, of: Name, findings: &mut Findings) -> bool {
        let mut has_all = true;
        for (tree, id) in record.references() {
            has_all &= match tree {
                tables::ACCOUNTS => self.accounts.require(AccountId::new(id), of, findings),
                tables::HUMANS => self.humans.require(HumanId::new(id), of, findings),
                tables::BOUNTIES => self.bounties.require(BountyId::new(id), of, findings),
                tables::CONVERSATIONS => self.conversations.require(ConversationId::new(id), of, findings),
                tree => unreachable!("nothing names records of {}", tree.name()),
            };
        }
        has_all
    }

    /// Checks that the conversation exists whose id is in the key of a message.
    pub(super) fn require_conversation(&self, of: Name, findings: &mut Findings) {
        let id = of.under.expect("the key of a message has two ids");
        self.conversations.require(ConversationId::new(id), of, findings);
    }

    /// Compares what the records state with what was found.
    pub(super) fn verify(&self, findings: &mut Findings) {
        self.accounts.verify(findings);
        self.humans.verify(findings);
        self.bounties.verify(findings);
        self.conversations.verify(findings);
    }
}

impl Tallies for Records {
    fn account(&mut self, id: AccountId) -> Option<&mut <Account as Derived>::Values> {
        self.accounts.found(id)
    }

    fn bounty(&mut self, id: BountyId) -> Option<&mut <Bounty as Derived>::Values> {
        self.bounties.found(id)
    }

    fn conversation(&mut self, id: ConversationId) -> Option<&mut <Conversation as Derived>::Values> {
        self.conversations.found(id)
    }
}
