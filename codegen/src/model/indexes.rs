//! What a store needs to answer the lists of a contract: how records are stored, and their indexes.

use super::order::{nulls, with_id};
use super::{
    Condition, Data, Effect, Field, FieldIs, Filter, FilterBy, Kind, Model, Operation, Origin, Quota, Resource, SortKey,
};
use std::fmt;

/// An index of a resource. Its rows are in the order of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The fields of a row in their order. The id is the last one, unless there is one record at most for each row.
    pub parts: Vec<SortKey>,
    /// Whether there is.
    pub is_unique: bool,
    /// Which records have a row. `None`: all.
    pub only: Option<FieldIs>,
}

/// `account_id, last_message_at desc, id desc`, `unique bounty_id, human_id`, `account_id, id where status is open`
impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_unique { "unique " } else { "" })?;
        for (place, key) in self.parts.iter().enumerate() {
            let (before, after) = (
                if place == 0 { "" } else { ", " },
                if key.descends { " desc" } else { "" },
            );
            let nulls = nulls(key.nulls.filter(|_| key.moves_nulls()), " ");
            write!(f, "{before}{}{after}{nulls}", key.field)?;
        }
        match &self.only {
            Some(only) => write!(f, " where {only}"),
            None => Ok(()),
        }
    }
}

impl Index {
    /// The records with a text of which there is one only.
    pub(super) fn of_text(field: &Field) -> Self {
        Self {
            parts: vec![SortKey::new(&field.name, false)],
            is_unique: true,
            only: None,
        }
    }

    /// The index with the same rows for each record by which a list chooses, in the opposite order.
    pub fn opposite(&self, list: &Operation) -> Self {
        let chosen = usize::from(list.parent_filter().is_some());
        let parts = self.parts.iter().enumerate().map(|(place, key)| match place < chosen {
            true => key.clone(),
            false => key.opposite(),
        });
        Self {
            parts: parts.collect(),
            ..self.clone()
        }
    }

    /// The records of another one, which has its id in the field `via`, in the order of their ids.
    pub fn by_id(via: &str, only: Option<FieldIs>) -> Self {
        Self {
            parts: vec![SortKey::new(via, false), SortKey::new("id", false)],
            is_unique: false,
            only,
        }
    }
}

impl Resource {
    /// Its field with the id, if it is stored.
    pub fn stored_id(&self) -> Option<&Field> {
        let is_id = |field: &&Field| field.name == "id" && field.of.kind == Kind::Id(self.name.clone());
        self.fields.iter().find(is_id).filter(|_| self.distinct.is_none())
    }
}

impl Operation {
    /// The filter of a list that the caller or the record of the path decides, by a field that all records have.
    pub fn parent_filter(&self) -> Option<&Filter> {
        self.filters.iter().find(|filter| {
            matches!(filter.by, FilterBy::Path(_) | FilterBy::Caller)
                && filter.through.is_none()
                && matches!(filter.of.kind, Kind::Id(_))
                && !filter.of.list
                && !filter.of.optional
        })
    }
}

impl Model {
    /// The indexes that the lists of a resource need, and its uniqueness. A list in the order of the keys needs none.
    pub fn indexes(&self, resource: &Resource) -> Vec<Index> {
        let stored_in_order = self.stored_in(resource).into_iter().chain(["id"]);
        let mut indexes: Vec<Index> = Vec::new();
        let digests = resource
            .fields
            .iter()
            .filter(|field| matches!(field.origin, Some(Origin::Digest(_))));
        let digests = digests.map(Index::of_text);
        for index in digests.chain(self.unique(resource)).chain(self.lists_of(resource)) {
            let fields = index.parts.iter().map(|key| key.field.as_str());
            let is_stored_so = fields.eq(stored_in_order.clone()) && index.only.is_none();
            if !is_stored_so && !indexes.contains(&index) {
                indexes.push(index);
            }
        }
        for fields in self.asked(resource) {
            let begins = |index: &Index| {
                let mut parts = index.parts.iter();
                fields
                    .iter()
                    .all(|field| parts.next().is_some_and(|part| part.field == *field && !part.descends))
            };
            if !indexes.iter().any(|index| index.only.is_none() && begins(index)) {
                let parts = fields.into_iter().chain(["id".to_owned()]);
                indexes.push(Index {
                    parts: parts.map(|field| SortKey::new(&field, false)).collect(),
                    is_unique: false,
                    only: None,
                });
            }
        }
        indexes
    }

    /// The place among [`Self::indexes`] of [`Index::by_id`]. `None`: the records are stored in that order.
    pub fn index_by_id(&self, resource: &Resource, via: &str, only: Option<FieldIs>) -> Option<usize> {
        let by_id = Index::by_id(via, only);
        self.indexes(resource).iter().position(|index| *index == by_id)
    }

    /// The place of the index with the unique texts of a field.
    pub fn index_of_text(&self, resource: &Resource, field: &str) -> Option<usize> {
        let of_text = Index::of_text(resource.field(field));
        self.indexes(resource).iter().position(|index| *index == of_text)
    }

    /// The place of an index whose rows begin with these fields, which all records have.
    pub fn index_beginning<'f>(
        &self,
        resource: &Resource,
        fields: impl Iterator<Item = &'f str> + Clone,
    ) -> Option<usize> {
        let begins = |index: &Index| {
            let mut parts = index.parts.iter();
            index.only.is_none()
                // The row of a null begins in another way.
                && fields.clone().all(|field| !resource.field(field).of.optional)
                && fields.clone().all(|field| parts.next().is_some_and(|part| part.field == field && !part.descends))
        };
        self.indexes(resource).iter().position(begins)
    }

    /// The field with the id of the record in whose lists alone the records of a resource are: they are stored in the order of
    /// that record.
    pub fn stored_in<'r>(&self, resource: &'r Resource) -> Option<&'r str> {
        let finds = |guard: &super::Guard| guard.kind.resource() == Some(&resource.name);
        let is_found = self.operations().any(|(_, operation)| {
            operation.guards.iter().any(finds)
                || matches!(&operation.data, Some(Data::One { resource: one, .. }) if *one == resource.name)
        });
        let others = self.resources.iter().filter(|other| other.name != resource.name);
        let is_named = others
            .flat_map(|other| &other.fields)
            .any(|field| field.of.kind == Kind::Id(resource.name.clone()) && field.origin.is_none());
        let indexes = self.lists_of(resource).filter(|index| index.only.is_none());
        let mut parents = indexes.map(|index| index.parts[0].field.clone());
        let parent = parents.next()?;
        let mut lists = self.lists(resource);
        let is_alone = parents.all(|other| other == parent) && lists.all(|list| list.parent_filter().is_some());
        let parent = resource
            .fields
            .iter()
            .find(|field| field.name == parent && field.name != "id")?;
        let is_parent = matches!(parent.of.kind, Kind::Id(_)) && !parent.of.optional;
        (is_alone && is_parent && !is_found && !is_named && self.unique(resource).next().is_none())
            .then_some(parent.name.as_str())
    }

    /// The index in the order of a list: the field of [`Operation::parent_filter`], the order, and the id. `None` if the list is
    /// sorted by what is not stored.
    pub fn index_of_order(&self, operation: &Operation, order: &[SortKey]) -> Option<Index> {
        let Some(Data::Many { resource, .. }) = &operation.data else {
            return None;
        };
        let resource = self.resource(resource);
        let of_one = operation.parent_filter();
        let of_one = of_one.map(|filter| SortKey::new(filter.field.field(), false));
        let mut parts = with_id(of_one.into_iter().chain(order.iter().cloned()).collect());
        let is_stored = |key: &SortKey| resource.fields.iter().any(|field| field.name == key.field);
        // What follows the id does not change the order.
        let end = parts
            .iter()
            .position(|key| key.field == "id")
            .map_or(parts.len(), |id| id + 1);
        parts.truncate(end);
        // Two orders with nulls at the same place have one index.
        for key in parts.iter_mut().filter(|key| !key.moves_nulls()) {
            key.nulls = None;
        }
        let index = Index {
            parts,
            is_unique: false,
            only: None,
        };
        index.parts.iter().all(is_stored).then_some(index)
    }

    /// The indexes in the orders that a list can have. Of two opposite orders one has an index. `None` if it is sorted by what
    /// is not stored.
    pub fn indexes_of_list(&self, operation: &Operation) -> Option<Vec<Index>> {
        let orders = operation.each_order().map(|(_, keys)| keys);
        let mut orders: Vec<&[SortKey]> = orders.collect();
        if orders.is_empty() {
            orders.push(&[]);
        }
        let indexes: Option<Vec<Index>> = orders
            .into_iter()
            .map(|keys| self.index_of_order(operation, keys))
            .collect();
        let mut indexes = indexes?;
        let all = indexes.clone();
        indexes.retain(|index| {
            let descends = index.parts.last().is_some_and(|id| id.descends);
            !descends || !all.contains(&index.opposite(operation))
        });
        Some(indexes)
    }

    /// The field of an owner's record with the number of records that a quota counts, if there is one.
    pub fn count_of(&self, quota: &Quota) -> Option<&Field> {
        let of = quota.records().filter(|_| quota.only.is_none())?;
        let (_, owner) = self.resource(of).owner.iter().find(|(owner, _)| *owner == quota.per)?;
        let is_count = |field: &&Field| matches!(&field.origin, Some(Origin::Count { resource, via, only: None }) if resource == of && via == owner);
        self.resource(&quota.per).fields.iter().find(is_count)
    }

    /// The lists of a resource.
    fn lists<'m>(&'m self, resource: &'m Resource) -> impl Iterator<Item = &'m Operation> + use<'m> {
        let operations = self.operations().map(|(_, operation)| operation);
        operations.filter(
            |operation| matches!(&operation.data, Some(Data::Many { resource: of, .. }) if *of == resource.name),
        )
    }

    /// The indexes of all lists of a resource, of the recipients of events, and of what quotas count.
    fn lists_of<'m>(&'m self, resource: &'m Resource) -> impl Iterator<Item = Index> + use<'m> {
        let indexes = self
            .lists(resource)
            .filter_map(|list| self.indexes_of_list(list))
            .flatten();
        let shown = self.resources.iter().flat_map(|other| &other.joined);
        let shown = shown.filter_map(|field| match &field.origin {
            Some(Origin::All { resource: of, via }) if *of == resource.name => Some(Index::by_id(via, None)),
            _ => None,
        });
        let recipients = self.event_kinds().iter().flat_map(|kind| &kind.to);
        let recipients = recipients.filter_map(|to| match &to.each {
            Some((of, via)) if *of == resource.name => Some(Index::by_id(via, None)),
            _ => None,
        });
        let counted = self.quotas.iter().filter_map(|quota| {
            let of_resource = quota.records() == Some(resource.name.as_str()) && quota.window_seconds.is_none();
            let (_, owner) = resource.owner.iter().find(|(owner, _)| *owner == quota.per)?;
            let is_there = of_resource && resource.distinct.is_none() && !resource.field(owner).of.optional;
            let is_there = is_there && self.count_of(quota).is_none();
            is_there.then(|| Index::by_id(owner, quota.only.clone()))
        });
        indexes.chain(shown).chain(recipients).chain(counted)
    }

    /// Of each rule that asks whether there is such a record, and of each operation that makes it if there is none: the fields
    /// with the ids of others.
    fn asked<'m>(&'m self, resource: &'m Resource) -> impl Iterator<Item = Vec<String>> + use<'m> {
        let rules = self.operations().flat_map(|(_, operation)| &operation.rules);
        let rules = rules.filter_map(|rule| match &self.error(&rule.text).when {
            Some(Condition::Exists {
                resource: of, within, ..
            }) if *of == resource.name => {
                let fields = within.iter().map(|(_, field)| field);
                let are_stored = fields.clone().all(|field| !resource.field(field).of.optional);
                are_stored.then(|| fields.cloned().collect())
            }
            _ => None,
        });
        let effects = self.operations().flat_map(|(_, operation)| &operation.effects);
        let put = effects.filter_map(|effect| match effect {
            Effect::Make {
                resource: of, one_for, ..
            } if *of == resource.name && !one_for.is_empty() => Some(one_for.clone()),
            _ => None,
        });
        rules.chain(put)
    }

    /// Of each rule that permits one record for several others: the fields with their ids. And each text of which there is one only.
    fn unique<'m>(&'m self, resource: &'m Resource) -> impl Iterator<Item = Index> + use<'m> {
        let rules = self
            .operations()
            .filter(|(_, operation)| operation.makes(&resource.name));
        let rules = rules.flat_map(|(_, operation)| &operation.rules);
        let rules = rules.filter_map(|rule| self.errors.iter().find(|error| error.name == rule.text));
        let of_texts = self.unique_fields(&resource.name).map(Index::of_text);
        let of_records = rules.filter_map(|error| match error.when.as_ref()? {
            Condition::Exists {
                resource: of,
                none: false,
                within,
            } if *of == resource.name => Some(Index {
                parts: within.iter().map(|(_, field)| SortKey::new(field, false)).collect(),
                is_unique: true,
                only: None,
            }),
            _ => None,
        });
        of_records.chain(of_texts)
    }
}
