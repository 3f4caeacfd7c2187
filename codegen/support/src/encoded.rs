//! Rows and bodies as JSON text: encoded once and sent many times. Must not know any view; the generated encoders do.

use super::chunks::Chunks;
use serde::Serialize;
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A view of a resource; implemented by generated code only.
pub trait View {
    /// The members of the view, which only the generated encoder can fill.
    type Row<'a>: Serialize;
}

/// One row of the view `V` as JSON text, made by the view's encoder only. A clone is cheap.
pub struct Encoded<V> {
    pub(super) json: Arc<RawValue>,
    view: PhantomData<fn() -> V>,
}

impl<V: View> Encoded<V> {
    /// Encodes the row.
    pub fn encode(row: &V::Row<'_>) -> Self {
        let json = serde_json::value::to_raw_value(row).expect("rows have text keys and finite numbers");
        Self {
            json: json.into(),
            view: PhantomData,
        }
    }
}

impl<V> Encoded<V> {
    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.json.get()
    }
}

impl<V> Clone for Encoded<V> {
    fn clone(&self) -> Self {
        Self {
            json: Arc::clone(&self.json),
            view: PhantomData,
        }
    }
}

impl<V> fmt::Debug for Encoded<V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl<V> Serialize for Encoded<V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// A value in a body.
pub trait WriteJson: Send {
    /// Appends itself as JSON text. Called once.
    fn write_json(&mut self, out: &mut Chunks);
}

impl<V> WriteJson for Encoded<V> {
    fn write_json(&mut self, out: &mut Chunks) {
        out.reserve(self.as_str().len());
        out.row(&self.json);
    }
}

/// A row with lists that are read while it is sent. The lists may be absent.
pub struct Streamed<V> {
    json: Chunks,
    view: PhantomData<fn() -> V>,
}

impl<V> Streamed<V> {
    /// The row of this object, whose members must be those of the view. For generated code only.
    pub fn from_object(object: ObjectWriter) -> Self {
        Self {
            json: object.finish(),
            view: PhantomData,
        }
    }
}

impl<V> From<Encoded<V>> for Streamed<V> {
    fn from(row: Encoded<V>) -> Self {
        let mut json = Chunks::default();
        json.row(&row.json);
        Self {
            json,
            view: PhantomData,
        }
    }
}

impl<V> WriteJson for Streamed<V> {
    fn write_json(&mut self, out: &mut Chunks) {
        out.append(std::mem::take(&mut self.json));
    }
}

impl<V> fmt::Debug for Streamed<V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.json.fmt(out)
    }
}

/// A member of a response beside its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sibling {
    /// A number.
    Number(i64),
    /// A number as a text.
    Text(i64),
    /// `true` or `false`.
    Flag(bool),
}

/// Appends a value as JSON text.
pub fn write_json(value: &impl Serialize, out: &mut Chunks) {
    serde_json::to_writer(out.text(), value)
        .expect("values of the contract have text keys, and a Vec takes every write");
}

/// Writes one JSON object, one member after the other.
pub struct ObjectWriter {
    out: Chunks,
    has_members: bool,
}

impl ObjectWriter {
    /// An empty object.
    #[expect(clippy::new_without_default, reason = "an empty object is begun, not defaulted to")]
    pub fn new() -> Self {
        let mut out = Chunks::default();
        out.text().reserve(256);
        out.text().push(b'{');
        Self {
            out,
            has_members: false,
        }
    }

    fn name(&mut self, name: &str) {
        if std::mem::replace(&mut self.has_members, true) {
            self.out.text().push(b',');
        }
        let needs_escapes = !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if needs_escapes {
            write_json(&name, &mut self.out);
        } else {
            let text = self.out.text();
            text.push(b'"');
            text.extend_from_slice(name.as_bytes());
            text.push(b'"');
        }
        self.out.text().push(b':');
    }

    /// Adds a member whose value is JSON text.
    pub fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.out.text().extend_from_slice(json.as_bytes());
    }

    /// Adds a member that writes itself.
    pub fn json(&mut self, name: &str, value: &mut dyn WriteJson) {
        self.name(name);
        value.write_json(&mut self.out);
    }

    /// Adds a member of any other type.
    pub fn value(&mut self, name: &str, value: &impl Serialize) {
        self.name(name);
        write_json(value, &mut self.out);
    }

    /// Adds a text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.value(name, &text);
    }

    /// Adds an integer.
    pub fn number(&mut self, name: &str, number: i64) {
        self.value(name, &number);
    }

    /// Adds an object.
    pub fn object(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.name(name);
        self.nested(write);
    }

    /// Adds a list of objects, one for each item.
    pub fn list<T>(&mut self, name: &str, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.name(name);
        self.out.text().push(b'[');
        for (nth, item) in items.iter().enumerate() {
            if nth > 0 {
                self.out.text().push(b',');
            }
            self.nested(|object| write(object, item));
        }
        self.out.text().push(b']');
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self)) {
        self.out.text().push(b'{');
        self.has_members = false;
        write(self);
        self.has_members = true;
        self.out.text().push(b'}');
    }

    /// Adds a member beside the data.
    pub fn sibling(&mut self, name: &str, value: &Sibling) {
        match value {
            Sibling::Number(number) => self.number(name, *number),
            Sibling::Text(number) => self.value(name, &number.to_string()),
            Sibling::Flag(flag) => self.value(name, flag),
        }
    }

    /// The finished object.
    pub fn finish(mut self) -> Chunks {
        self.out.text().push(b'}');
        self.out
    }
}
