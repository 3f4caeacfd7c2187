//! Reads stored records member by member, in any order, and skips unknown members. The code that does not depend on
//! the record's type is here; a record adds its members and how to build it. This compiles to a third of what serde's
//! derive would generate for each record.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A type that is read from a map of members; generated for each record.
pub trait Stored<'de>: Sized {
    /// The names of the members in the contract.
    const MEMBERS: &'static [&'static str];

    /// Reads all members and builds a record of them.
    ///
    /// # Errors
    /// If a member is invalid, repeated, or missing without a default.
    fn read<A: MapAccess<'de>>(members: &mut StoredMembers<A>) -> Result<Self, A::Error>;
}

/// Reads a record.
///
/// # Errors
/// As [`Stored::read`], and if the value is not a map.
pub fn read_stored<'de, T: Stored<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Record(PhantomData))
}

/// The members of a record during reading.
pub struct StoredMembers<A> {
    map: A,
    known: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> StoredMembers<A> {
    /// The index of the next member among the known ones; their number if it is unknown.
    ///
    /// # Errors
    /// If a name is expected and missing.
    pub fn next_index(&mut self) -> Result<Option<usize>, A::Error> {
        self.map.next_key_seed(Name(self.known))
    }

    /// Reads the current member.
    ///
    /// # Errors
    /// If it is invalid or repeated.
    pub fn read<T: Deserialize<'de>>(&mut self, name: &'static str, slot: &mut Option<T>) -> Result<(), A::Error> {
        if slot.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        *slot = Some(self.map.next_value()?);
        Ok(())
    }

    /// Skips the current member.
    ///
    /// # Errors
    /// If it is not a value.
    pub fn skip(&mut self) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(drop)
    }

    /// A member without a default.
    ///
    /// # Errors
    /// If it is missing.
    pub fn required<T>(&self, name: &'static str, slot: Option<T>) -> Result<T, A::Error> {
        slot.ok_or_else(|| A::Error::missing_field(name))
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

/// The name of a member, read as its index among the known ones.
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
            while let Some(place) = members.next_index()? {
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
        let result = read.map_err(|error| error.to_string());
        match (result, expected) {
            (Err(result), Err(start)) => assert!(result.starts_with(start), "{result}"),
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
