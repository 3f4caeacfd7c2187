//! Rows and bodies as JSON text: what is written once and sent many times.
//!
//! Knows no view; the generated encoders do.

use serde::Serialize;
use serde_json::value::RawValue;
use std::marker::PhantomData;
use std::sync::Arc;

/// A shape in which a resource is shown; implemented by generated code only.
pub trait View {
    /// The members of the shape, as only the generated encoder can fill them.
    type Row<'a>: Serialize;
}

/// One row of the view `V`, already JSON: only the view's own encoder can have made it. A clone is cheap.
pub struct Encoded<V> {
    json: Arc<RawValue>,
    view: PhantomData<fn() -> V>,
}

impl<V: View> Encoded<V> {
    /// Writes the row down.
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

impl<V> std::fmt::Debug for Encoded<V> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.as_str())
    }
}

impl<V> Serialize for Encoded<V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// A page of a longer list.
#[derive(Clone, Debug)]
pub struct Page<V> {
    /// The rows of this page.
    pub rows: Vec<Encoded<V>>,
    /// How many rows there are on all pages.
    pub total: i64,
}

/// What can stand as a value in a body.
pub trait WriteJson: Sync {
    /// Appends itself as JSON text.
    fn write_json(&self, out: &mut Vec<u8>);
}

impl<V> WriteJson for Encoded<V> {
    fn write_json(&self, out: &mut Vec<u8>) {
        // What closes the body follows: without room for it, the whole body would be moved for a brace.
        out.reserve(self.as_str().len() + 64);
        out.extend_from_slice(self.as_str().as_bytes());
    }
}

impl<V> WriteJson for Vec<Encoded<V>> {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.reserve(self.iter().map(|row| row.as_str().len() + 1).sum::<usize>() + 2);
        out.push(b'[');
        for (index, row) in self.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            row.write_json(out);
        }
        out.push(b']');
    }
}

/// Appends a value as JSON text.
pub fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("values of the contract have text keys, and a Vec takes every write");
}

/// Writes one JSON object, member by member.
pub struct ObjectWriter {
    out: Vec<u8>,
}

impl ObjectWriter {
    /// An object without members yet.
    #[expect(clippy::new_without_default, reason = "an empty object is begun, not defaulted to")]
    pub fn new() -> Self {
        let mut out = Vec::with_capacity(256);
        out.push(b'{');
        Self { out }
    }

    fn name(&mut self, name: &str) {
        if self.out.len() > 1 {
            self.out.push(b',');
        }
        write_json(&name, &mut self.out);
        self.out.push(b':');
    }

    /// A member whose value is JSON text already.
    pub fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.out.extend_from_slice(json.as_bytes());
    }

    /// A member that writes itself.
    pub fn json(&mut self, name: &str, value: &dyn WriteJson) {
        self.name(name);
        value.write_json(&mut self.out);
    }

    /// A text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        write_json(&text, &mut self.out);
    }

    /// A whole number.
    pub fn number(&mut self, name: &str, number: i64) {
        self.name(name);
        write_json(&number, &mut self.out);
    }

    /// The finished object.
    pub fn finish(mut self) -> Vec<u8> {
        self.out.push(b'}');
        self.out
    }
}
