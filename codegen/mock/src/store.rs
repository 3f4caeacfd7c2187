//! The records, in maps by their ids, with indexes of references and credentials. A change can be taken back until it
//! is kept.

use crate::value::Value;
use codegen::model::{Kind, Model, Origin, RecordId, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The stored fields of a record.
pub(crate) type Record = BTreeMap<String, Value>;

/// The name of a table and the id of a record in it.
pub(crate) type Key = (String, RecordId);

/// The records of one kind, by their ids. Numbers count up and are never used again.
#[derive(Debug, Default)]
struct Table {
    rows: BTreeMap<RecordId, Record>,
    last: i64,
}

/// A list whose distinct items are records.
#[derive(Clone, Debug)]
struct List {
    name: String,
    /// The member of an item with its number.
    number: String,
    /// The members that the records show.
    texts: Vec<String>,
}

/// Objects that have a number, or that contain such objects.
#[derive(Debug)]
struct Numbered {
    /// The table of the numbers.
    table: String,
    /// The member with the number.
    number: Option<String>,
    members: Vec<(String, Numbered)>,
}

impl Numbered {
    /// Those of a type, if its values are such objects.
    fn from_type(model: &Model, of: &Type) -> Option<Self> {
        let object = model.items(of)?;
        let mut members = object.members.iter();
        let number = members.find(|member| matches!(member.origin, Some(Origin::NumberOf(_))));
        let members = object.members.iter();
        let members = members.filter_map(|member| Some((member.name.clone(), Self::from_type(model, &member.of)?)));
        let numbered = Self {
            table: numbers_of(&object.name),
            number: number.map(|member| member.name.clone()),
            members: members.collect(),
        };
        (numbered.number.is_some() || !numbered.members.is_empty()).then_some(numbered)
    }

    /// The numbers in a value.
    fn collect(&self, value: &Value, numbers: &mut Vec<Key>) {
        value.items().iter().for_each(|item| self.collect(item, numbers));
        let number = self.number.as_ref().and_then(|number| value.member(number)?.as_id());
        numbers.extend(number.map(|number| (self.table.clone(), number)));
        for (name, numbered) in &self.members {
            value
                .member(name)
                .into_iter()
                .for_each(|value| numbered.collect(value, numbers));
        }
    }
}

/// The table of the numbers of objects with this name: what each stands for.
pub(crate) fn numbers_of(object: &str) -> String {
    format!("#{object}")
}

/// All records.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tables: HashMap<String, Table>,
    /// The fields of a table that hold ids.
    references: HashMap<String, Vec<String>>,
    /// The lists of a table whose distinct items are records of another.
    lists: HashMap<String, Vec<List>>,
    /// Table, list and number → the texts of the items with this number, and how many items have them.
    spellings: HashMap<(String, String, RecordId), BTreeMap<Vec<String>, usize>>,
    /// The fields of a table with objects that have numbers.
    numbered: HashMap<String, Vec<(String, Numbered)>>,
    /// How many objects in records have each number.
    numbers: HashMap<Key, usize>,
    /// The fields of a table that hold digests of credentials.
    digests: HashMap<String, Vec<String>>,
    /// Table, field or list, and id or number → the records that hold it.
    referring: HashMap<(String, String), BTreeMap<RecordId, BTreeSet<RecordId>>>,
    /// Digest → the record with it, and its field.
    holders: HashMap<String, (Key, String)>,
    /// What the changed records were before.
    former: Vec<(Key, Option<Record>)>,
    /// The highest ids that were used before this change.
    former_last: BTreeMap<String, i64>,
}

impl Store {
    /// An empty store. `digests` are tables with their fields that hold digests of credentials.
    pub(crate) fn new(model: &Model, digests: impl Iterator<Item = (String, String)>) -> Self {
        let mut store = Self::default();
        for resource in &model.resources {
            let is_id = |name: &&String, kind: &Kind| matches!(kind, Kind::Id(_)) && *name != "id";
            let fields = resource.fields.iter().map(|field| (&field.name, &field.of.kind));
            let ids = fields
                .filter(|(name, kind)| is_id(name, kind))
                .map(|(name, _)| name.clone());
            store.references.insert(resource.name.clone(), ids.collect());
            let fields = resource.fields.iter();
            let numbered =
                fields.filter_map(|field| Some((field.name.clone(), Numbered::from_type(model, &field.of)?)));
            store.numbered.insert(resource.name.clone(), numbered.collect());
        }
        for resource in &model.resources {
            let Some(distinct) = &resource.distinct else { continue };
            let list = List {
                name: distinct.list.clone(),
                number: distinct.number.clone(),
                texts: resource.item_members().map(|field| field.name.clone()).collect(),
            };
            store.lists.entry(distinct.resource.clone()).or_default().push(list);
        }
        for (table, field) in digests {
            store.digests.entry(table).or_default().push(field);
        }
        store
    }

    /// The record with this id.
    pub(crate) fn get(&self, table: &str, id: RecordId) -> Option<&Record> {
        self.tables.get(table)?.rows.get(&id)
    }

    /// The ids of all records, ascending.
    pub(crate) fn ids(&self, table: &str) -> Vec<RecordId> {
        let table = self.tables.get(table);
        table.map_or_else(Vec::new, |table| table.rows.keys().copied().collect())
    }

    /// The ids of the records whose field holds this id, ascending.
    pub(crate) fn referring(
        &self,
        table: &str,
        field: &str,
        id: RecordId,
    ) -> impl DoubleEndedIterator<Item = RecordId> {
        let ids = self.referring.get(&(table.to_owned(), field.to_owned()));
        ids.and_then(|ids| ids.get(&id)).into_iter().flatten().copied()
    }

    /// The ids or numbers that the field or list of some record holds, ascending.
    pub(crate) fn referred(&self, table: &str, field: &str) -> Vec<RecordId> {
        let ids = self.referring.get(&(table.to_owned(), field.to_owned()));
        ids.map_or_else(Vec::new, |ids| ids.keys().copied().collect())
    }

    /// Of the texts of the items with this number, those that come first by code points.
    pub(crate) fn spelling(&self, table: &str, list: &str, number: RecordId) -> Option<&[String]> {
        let spellings = self.spellings.get(&(table.to_owned(), list.to_owned(), number))?;
        spellings.keys().next().map(Vec::as_slice)
    }

    /// The record that holds this digest, and the field.
    pub(crate) fn holder(&self, digest: &str) -> Option<(&str, RecordId, &str)> {
        let ((table, id), field) = self.holders.get(digest)?;
        Some((table, *id, field))
    }

    /// The next id of a table with numbers, which is used from now on.
    pub(crate) fn next_id(&mut self, table: &str) -> RecordId {
        RecordId::Number(self.next_number(table))
    }

    /// The next number of a table, which is used from now on.
    pub(crate) fn next_number(&mut self, table: &str) -> i64 {
        self.next_from(table, 0)
    }

    /// The next number of a table, at least this one.
    pub(crate) fn next_from(&mut self, table: &str, least: i64) -> i64 {
        let last = &mut self.tables.entry(table.to_owned()).or_default().last;
        self.former_last.entry(table.to_owned()).or_insert(*last);
        *last = least.max(*last + 1);
        *last
    }

    /// Uses this id, if it is a number above all that were used before, or a UUID that no record has. The next id of version 7 is
    /// above it.
    pub(crate) fn use_id(&mut self, table: &str, id: RecordId) -> bool {
        let (number, is_free) = match (id, id.order()) {
            (RecordId::Number(number), _) => (number, true),
            (RecordId::Uuid(_), Some(order)) => (order, self.get(table, id).is_none()),
            (RecordId::Uuid(_), None) => return self.get(table, id).is_none(),
        };
        let last = &mut self.tables.entry(table.to_owned()).or_default().last;
        let is_above = number > *last;
        if is_above {
            self.former_last.entry(table.to_owned()).or_insert(*last);
            *last = number;
        }
        is_free && (is_above || matches!(id, RecordId::Uuid(_)))
    }

    /// Sets a record; `None` removes it. Numbers that no record has any more stand for nothing then.
    pub(crate) fn set(&mut self, table: &str, id: RecordId, record: Option<Record>) {
        let former = self.replace(table, id, record);
        let former_numbers = former.as_ref().map_or_else(Vec::new, |row| self.numbers_in(table, row));
        self.former.push(((table.to_owned(), id), former));
        for (table, number) in former_numbers {
            if !self.numbers.contains_key(&(table.clone(), number)) {
                self.set(&table, number, None);
            }
        }
    }

    fn replace(&mut self, table: &str, id: RecordId, record: Option<Record>) -> Option<Record> {
        let rows = &mut self.tables.entry(table.to_owned()).or_default().rows;
        let former = match record.clone() {
            Some(record) => rows.insert(id, record),
            None => rows.remove(&id),
        };
        for (row, is_new) in [(&former, false), (&record, true)] {
            let Some(row) = row else { continue };
            for (field, to) in self.referred_by(table, row) {
                let ids = self.referring.entry((table.to_owned(), field)).or_default();
                let holders = ids.entry(to).or_default();
                _ = if is_new {
                    holders.insert(id)
                } else {
                    holders.remove(&id)
                };
                if holders.is_empty() {
                    ids.remove(&to);
                }
            }
            for (key, texts) in self.items_of(table, row) {
                let spellings = self.spellings.entry(key).or_default();
                let items = spellings.entry(texts.clone()).or_default();
                *items = if is_new { *items + 1 } else { *items - 1 };
                if *items == 0 {
                    spellings.remove(&texts);
                }
            }
            for key in self.numbers_in(table, row) {
                let objects = self.numbers.entry(key.clone()).or_default();
                *objects = if is_new { *objects + 1 } else { *objects - 1 };
                if *objects == 0 {
                    self.numbers.remove(&key);
                }
            }
            for field in self.digests.get(table).into_iter().flatten() {
                if let Some(digest) = row.get(field).and_then(Value::as_text) {
                    let place = ((table.to_owned(), id), field.clone());
                    _ = match is_new {
                        true => self.holders.insert(digest.to_owned(), place),
                        false => self.holders.remove(digest),
                    };
                }
            }
        }
        former
    }

    /// The fields and lists of a record with what they hold: ids, and numbers of items.
    fn referred_by(&self, table: &str, row: &Record) -> Vec<(String, RecordId)> {
        let fields = self.references.get(table).into_iter().flatten();
        let ids = fields.filter_map(|field| Some((field.clone(), row.get(field)?.as_id()?)));
        let items = self.items_of(table, row).into_iter();
        ids.chain(items.map(|((_, list, number), _)| (list, number))).collect()
    }

    /// The numbers of the objects in a record.
    fn numbers_in(&self, table: &str, row: &Record) -> Vec<Key> {
        let mut numbers = Vec::new();
        for (field, numbered) in self.numbered.get(table).into_iter().flatten() {
            row.get(field)
                .into_iter()
                .for_each(|value| numbered.collect(value, &mut numbers));
        }
        numbers
    }

    /// The items of a record in lists whose items are records: table, list and number, and the texts.
    fn items_of(&self, table: &str, row: &Record) -> Vec<((String, String, RecordId), Vec<String>)> {
        let lists = self.lists.get(table).into_iter().flatten();
        let items = lists.flat_map(|list| {
            let items = row.get(&list.name).map_or(&[][..], Value::items).iter();
            items.filter_map(move |item| {
                let number = item.member(&list.number)?.as_id()?;
                let text = |name: &String| {
                    item.member(name)
                        .and_then(Value::as_text)
                        .unwrap_or_default()
                        .to_owned()
                };
                Some((
                    (table.to_owned(), list.name.clone(), number),
                    list.texts.iter().map(text).collect(),
                ))
            })
        });
        items.collect()
    }

    /// What has changed since the last `keep`: records as they are now, and the highest used ids.
    pub(crate) fn changes(&self) -> Changes<'_> {
        let keys: BTreeSet<&Key> = self.former.iter().map(|(key, _)| key).collect();
        let records = keys.into_iter().map(|key| (key, self.get(&key.0, key.1)));
        let last = self.former_last.keys().map(|table| (table, self.tables[table].last));
        Changes {
            records: records.collect(),
            last: last.collect(),
        }
    }

    /// Keeps the changes. Returns whether there are any.
    pub(crate) fn keep(&mut self) -> bool {
        let is_changed = !self.former.is_empty();
        self.former.clear();
        self.former_last.clear();
        is_changed
    }

    /// Takes the changes back.
    pub(crate) fn take_back(&mut self) {
        for ((table, id), former) in std::mem::take(&mut self.former).into_iter().rev() {
            self.replace(&table, id, former);
        }
        for (table, last) in std::mem::take(&mut self.former_last) {
            self.tables.entry(table).or_default().last = last;
        }
    }

    /// The highest id of a table that was used.
    pub(crate) fn last(&self, table: &str) -> i64 {
        self.tables.get(table).map_or(0, |table| table.last)
    }

    /// Sets the highest used id of a table, for a store that is read from a file.
    pub(crate) fn set_last(&mut self, table: &str, last: i64) {
        self.tables.entry(table.to_owned()).or_default().last = last;
    }
}

/// Changes of a store.
pub(crate) struct Changes<'s> {
    pub(crate) records: Vec<(&'s Key, Option<&'s Record>)>,
    pub(crate) last: Vec<(&'s String, i64)>,
}

impl Changes<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.last.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> Store {
        let mut store = Store::default();
        store.references.insert("Book".to_owned(), vec!["reader_id".to_owned()]);
        store.digests.insert("Book".to_owned(), vec!["digest".to_owned()]);
        store
    }

    fn book(reader: i64, digest: &str) -> Option<Record> {
        let fields = [("reader_id", Value::integer(reader)), ("digest", Value::text(digest))];
        Some(fields.map(|(name, value)| (name.to_owned(), value)).into())
    }

    #[test]
    fn indexes_follow_changes_and_what_takes_them_back() {
        let mut store = store();
        let id = store.next_id("Book");
        store.set("Book", id, book(7, "a"));
        store.keep();
        store.set("Book", id, book(8, "b"));
        let other = store.next_id("Book");
        store.set("Book", other, book(7, "c"));
        assert_eq!(
            store
                .referring("Book", "reader_id", RecordId::Number(7))
                .collect::<Vec<_>>(),
            [other]
        );
        assert_eq!((store.changes().records.len(), store.changes().last.len()), (2, 1));
        store.take_back();
        assert_eq!(
            store
                .referring("Book", "reader_id", RecordId::Number(7))
                .collect::<Vec<_>>(),
            [id]
        );
        assert_eq!(store.holder("a"), Some(("Book", id, "digest")));
        assert_eq!((store.holder("b"), store.holder("c")), (None, None));
        assert_eq!(store.next_id("Book"), other);
    }

    #[test]
    fn an_id_is_never_used_again() {
        let mut store = store();
        let first = store.next_id("Book");
        store.set("Book", first, book(7, "a"));
        store.set("Book", first, None);
        assert_eq!(store.holder("a"), None);
        assert_eq!(
            (first, store.next_id("Book")),
            (RecordId::Number(1), RecordId::Number(2))
        );
    }
}
