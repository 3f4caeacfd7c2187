//! The rows of a list: all of them, or the first ones and a function that reads the others while the answer is sent.

use super::chunks::{CHUNK, Chunks};
use super::encoded::{Encoded, WriteJson};
use super::failure::Failure;
use std::fmt;

/// The rows of a list.
pub struct Rows<V> {
    first: Vec<Encoded<V>>,
    more: Option<ReadBatch<V>>,
}

type ReadBatch<V> = Box<dyn FnMut(&mut Batch<V>) -> Result<(), Failure> + Send + Sync>;

/// A page of a longer list.
#[derive(Debug)]
pub struct Page<V> {
    /// The rows of this page.
    pub rows: Rows<V>,
    /// The number of rows on all pages.
    pub total: i64,
}

/// Rows that are read together. A batch is full at some 32 KiB.
pub struct Batch<V> {
    rows: Vec<Encoded<V>>,
    bytes: usize,
}

impl<V> Batch<V> {
    /// The bytes at which a batch is full.
    pub const FULL: usize = CHUNK;

    fn new() -> Self {
        Self {
            rows: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Encoded<V>) {
        self.bytes += row.as_str().len() + 1;
        self.rows.push(row);
    }

    /// Whether the batch is full.
    pub fn is_full(&self) -> bool {
        self.bytes >= Self::FULL
    }
}

impl<V: 'static> Rows<V> {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The rows that `read` adds to one batch after the other, each time continuing where it stopped. A batch that is
    /// not full is the last one. The first batch is read now, the others while the answer is sent, on a thread where
    /// `read` may block: an answer holds one batch at a time, for lists of any length.
    ///
    /// # Errors
    /// If the first batch cannot be read. If a later one cannot be read, the answer is aborted.
    pub fn read<E: Into<Failure>>(
        mut read: impl FnMut(&mut Batch<V>) -> Result<(), E> + Send + Sync + 'static,
    ) -> Result<Self, E> {
        let mut first = Batch::new();
        read(&mut first)?;
        let more: ReadBatch<V> = Box::new(move |batch| read(batch).map_err(E::into));
        Ok(Self {
            more: first.is_full().then_some(more),
            first: first.rows,
        })
    }

    /// All rows, including those not yet read. It may block.
    ///
    /// # Errors
    /// If a batch cannot be read.
    pub fn read_all(self) -> Result<Vec<Encoded<V>>, Failure> {
        let (mut rows, mut more) = (self.first, self.more);
        while let Some(read) = &mut more {
            let mut batch = Batch::new();
            read(&mut batch)?;
            more.take_if(|_| !batch.is_full());
            rows.append(&mut batch.rows);
        }
        Ok(rows)
    }
}

impl<V> From<Vec<Encoded<V>>> for Rows<V> {
    fn from(rows: Vec<Encoded<V>>) -> Self {
        Self {
            first: rows,
            more: None,
        }
    }
}

impl<V> FromIterator<Encoded<V>> for Rows<V> {
    fn from_iter<I: IntoIterator<Item = Encoded<V>>>(rows: I) -> Self {
        Vec::from_iter(rows).into()
    }
}

impl<V: 'static> WriteJson for Rows<V> {
    fn write_json(&mut self, out: &mut Chunks) {
        let bytes = self.first.iter().map(|row| row.as_str().len() + 1).sum::<usize>() + 2;
        match self.more {
            Some(_) => out.text().reserve(bytes.min(CHUNK)),
            None => out.reserve(bytes),
        }
        out.text().push(b'[');
        for (index, row) in self.first.drain(..).enumerate() {
            if index > 0 {
                out.text().push(b',');
            }
            out.row(&row.json);
        }
        if let Some(mut read) = self.more.take() {
            let mut is_last = false;
            out.more(Box::new(move || {
                if is_last {
                    return Ok(None);
                }
                let mut batch = Batch::new();
                read(&mut batch)?;
                is_last = !batch.is_full();
                Ok(text(&batch))
            }));
        }
        out.text().push(b']');
    }
}

/// The text of the rows after others; `None` if there are none.
fn text<V>(batch: &Batch<V>) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(batch.bytes);
    for row in &batch.rows {
        text.push(b',');
        text.extend_from_slice(row.as_str().as_bytes());
    }
    (!text.is_empty()).then_some(text)
}

impl<V> fmt::Debug for Rows<V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Rows")
            .field("first", &self.first)
            .field("more", &self.more.is_some())
            .finish()
    }
}
