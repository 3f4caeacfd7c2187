//! Stored fields that follow from other records, such as `count Loan` or `latest Message.text`.

use super::index::Indexed;
use serde::Serialize;
use serde_json::Value;

/// A stored record, some of whose fields may follow from other records.
pub trait Derived {
    /// The values of these fields. The default is that of a record which no other one names.
    type Values: Default + Serialize;
    /// The names of these fields, and what they follow from.
    const SOURCES: &'static [(&'static str, &'static str)];

    /// The values that the record states.
    fn stated(&self) -> Self::Values;
    /// Makes the record state other values.
    fn state(&mut self, values: Self::Values);
}

/// A stored record, beside the others.
pub trait Facts: Derived + Indexed {
    /// The name of its resource, such as `Loan`.
    const RESOURCE: &'static str;
    /// Whether records of other resources name it.
    const IS_NAMED: bool;

    /// Passes the records of other resources that must exist for this one to `each`: their resources and keys.
    fn named(&self, each: &mut impl FnMut(&'static str, &[u8]));
    /// The digest of its credential, which no other record of the resource has.
    fn digest(&self) -> Option<&str>;
    /// Includes this record in the values that follow from it.
    fn tally(&self, tallies: &mut impl Tallies);
}

/// The values of derived fields while all records of a store are read, each kind after those that it names.
pub trait Tallies {
    /// Of the record with this key, if there is one.
    fn found<P: Facts>(&mut self, key: &[u8]) -> Option<&mut P::Values>;
}

/// A record from which fields of a record `P` follow.
pub trait Source<P: Derived> {
    /// Includes this record, whose id is greater than those before.
    fn include(&self, values: &mut P::Values);

    /// Includes this new record in what its parent states.
    fn added_to(&self, parent: &mut P) {
        let mut values = parent.stated();
        self.include(&mut values);
        parent.state(values);
    }
}

/// A record that records `P` count.
pub trait Counted<P: Derived>: Source<P> {
    /// Counts this record no more, which is deleted.
    fn removed_from(&self, parent: &mut P);
}

/// The fields that differ: the name, the source, the stated and the right value, both as JSON.
pub fn differences<P: Derived>(stated: &P::Values, found: &P::Values) -> Vec<[String; 4]> {
    let list = |values| match serde_json::to_value(values) {
        Ok(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let pairs = list(stated).into_iter().zip(list(found)).zip(P::SOURCES);
    let texts = pairs.filter(|((stated, found), _)| stated != found);
    let texts = texts.map(|((stated, found), (field, source))| {
        [
            (*field).to_owned(),
            (*source).to_owned(),
            stated.to_string(),
            found.to_string(),
        ]
    });
    texts.collect()
}
