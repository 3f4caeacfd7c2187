//! Lists as they are answered: their rows, or the first of them and how the others are read while the answer is sent.

use super::chunks::{CHUNK, Chunks};
use super::encoded::{Encoded, WriteJson};
use super::exchange::Failure;
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
    /// How many rows there are on all pages.
    pub total: i64,
}

/// Rows that are read together. It is full when they have some 32 KiB.
pub struct Batch<V> {
    rows: Vec<Encoded<V>>,
    bytes: usize,
}

impl<V> Batch<V> {
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

    /// Whether no more rows should be added.
    pub fn is_full(&self) -> bool {
        self.bytes >= CHUNK
    }
}

impl<V: 'static> Rows<V> {
    /// The rows that `read` adds to batch after batch, each time going on where it stopped; a batch that it leaves unfilled
    /// is the last one. The first batch is read now and the others while the answer is sent, on a thread where `read` may
    /// block: an answer holds one batch at a time, however long the list is.
    ///
    /// # Errors
    /// When the first batch cannot be read. Where a later one cannot, the answer breaks off.
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

    /// All rows, with those that were not read yet. It may block.
    ///
    /// # Errors
    /// When a batch cannot be read.
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
        if self.more.is_some() || !out.split_for(bytes) {
            out.text().reserve(bytes.min(CHUNK));
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

/// The rows behind others; nothing where there are none.
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
