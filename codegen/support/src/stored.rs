//! How stored records are read: member by member, in any order, past those that are not known any more.
//!
//! What can be said without the record's type is said here once; a record adds which members it has and what becomes of
//! them. That is a third of what serde's own derive would have each record compile.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// What is read from a map of members; generated for each record.
pub trait Stored<'de>: Sized {
    /// The members, by the words of the contract.
    const MEMBERS: &'static [&'static str];

    /// Takes all members, and makes one of them.
    ///
    /// # Errors
    /// When a member is not what it must be, is given twice, or is missing and nothing stands in for it.
    fn read<A: MapAccess<'de>>(members: &mut StoredMembers<A>) -> Result<Self, A::Error>;
}

/// Reads a record.
///
/// # Errors
/// As [`Stored::read`], and when it is no map at all.
pub fn read_stored<'de, T: Stored<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Record(PhantomData))
}

/// The members of a record that is being read.
pub struct StoredMembers<A> {
    map: A,
    known: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> StoredMembers<A> {
    /// The place of the next member among the known ones; beyond them all where it is unknown.
    ///
    /// # Errors
    /// When there should be a name, and is none.
    pub fn next_place(&mut self) -> Result<Option<usize>, A::Error> {
        self.map.next_key_seed(Name(self.known))
    }

    /// Reads the present member.
    ///
    /// # Errors
    /// When it is not what it must be, or came before.
    pub fn read<T: Deserialize<'de>>(&mut self, name: &'static str, given: &mut Option<T>) -> Result<(), A::Error> {
        if given.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        *given = Some(self.map.next_value()?);
        Ok(())
    }

    /// Passes over the present member.
    ///
    /// # Errors
    /// When it is no value.
    pub fn skip(&mut self) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(drop)
    }

    /// A member for which nothing stands in.
    ///
    /// # Errors
    /// When it was not given.
    pub fn required<T>(&self, name: &'static str, given: Option<T>) -> Result<T, A::Error> {
        given.ok_or_else(|| A::Error::missing_field(name))
    }
}

struct Record<T>(PhantomData<T>);

impl<'de, T: Stored<'de>> Visitor<'de> for Record<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(&mut StoredMembers { map, known: T::MEMBERS })
    }
}

/// The name of a member, read as its place among the known ones.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|known| *known == name);
        Ok(place.unwrap_or(self.0.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Book {
        title: String,
        pages: Option<u32>,
    }

    impl<'de> Stored<'de> for Book {
        const MEMBERS: &'static [&'static str] = &["title", "pages"];

        fn read<A: MapAccess<'de>>(members: &mut StoredMembers<A>) -> Result<Self, A::Error> {
            let (mut title, mut pages) = (None, None);
            while let Some(place) = members.next_place()? {
                match place {
                    0 => members.read("title", &mut title),
                    1 => members.read("pages", &mut pages),
                    _ => members.skip(),
                }?;
            }
            Ok(Self {
                title: members.required("title", title)?,
                pages: pages.unwrap_or_default(),
            })
        }
    }

    #[track_caller]
    fn check(json: &str, expected: Result<(&str, Option<u32>), &str>) {
        let read: Result<Book, _> = read_stored(&mut serde_json::Deserializer::from_str(json));
        let expected = expected.map(|(title, pages)| Book {
            title: title.to_owned(),
            pages,
        });
        let said = read.map_err(|error| error.to_string());
        match (said, expected) {
            (Err(said), Err(start)) => assert!(said.starts_with(start), "{said}"),
            (read, expected) => assert_eq!(read, expected.map_err(str::to_owned)),
        }
    }

    #[test]
    fn members_come_in_any_order_and_former_ones_are_passed_over() {
        check(r#"{"title": "Sult", "pages": 7}"#, Ok(("Sult", Some(7))));
        check(
            r#"{"pages": null, "shelf": {"row": [1, {}]}, "title": "Sult"}"#,
            Ok(("Sult", None)),
        );
    }

    #[test]
    fn a_record_that_lacks_a_member_has_what_stands_in_or_is_rejected() {
        check(r#"{"title": "Sult"}"#, Ok(("Sult", None)));
        check(r#"{"pages": 7}"#, Err("missing field `title`"));
    }

    #[test]
    fn what_is_damaged_is_rejected() {
        check(r#"{"title": "Sult", "title": "Pan"}"#, Err("duplicate field `title`"));
        check(r#"{"title": 7}"#, Err("invalid type: integer `7`, expected a string"));
        check(r#"["Sult", 7]"#, Err("invalid type: sequence, expected an object"));
        check(r#"{"title": "Su"#, Err("EOF while parsing a string"));
    }
}
