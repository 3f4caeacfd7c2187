//! The JSON text of a body: one piece while it is small, otherwise a sequence of chunks. Large rows are shared instead
//! of copied, and the rest of a long list is read while the body is sent.

use super::budget::{Budget, Charge, Payer};
use super::failure::Failure;
use bytes::Bytes;
use futures_util::{Stream, stream};
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// The longest body that is one piece, and the length at which a chunk is full.
pub(super) const CHUNK: usize = 32 << 10;
/// The approximate length of the members of the envelope after the data.
const MEMBERS: usize = 128;
/// The length from which a row of a chunked body is shared. Sharing a shorter row costs more than copying it.
const SHARED: usize = 1 << 10;

/// Reads more of a list, as JSON text with a leading comma; `None` at its end. It may block.
pub(super) type ReadMore = Box<dyn FnMut() -> Result<Option<Vec<u8>>, Failure> + Send + Sync>;

/// The JSON text of a body.
#[derive(Default)]
pub struct Chunks {
    full: Vec<Chunk>,
    text: Vec<u8>,
    split: bool,
}

enum Chunk {
    Text(Vec<u8>),
    Row(Arc<RawValue>),
    More(ReadMore),
}

impl Chunks {
    /// The buffer to which more text is appended.
    pub fn text(&mut self) -> &mut Vec<u8> {
        if self.split && self.text.len() >= CHUNK {
            self.cut();
        }
        &mut self.text
    }

    /// Whether there is no text.
    pub(super) fn is_empty(&self) -> bool {
        self.full.is_empty() && self.text.is_empty()
    }

    /// Whether this many more bytes make the body longer than one piece. If so, a new chunk begins here.
    pub(super) fn split_for(&mut self, bytes: usize) -> bool {
        if !self.split && self.text.len() + bytes > CHUNK {
            self.split = true;
            self.cut();
        }
        self.split
    }

    /// Reserves space for this many more bytes and the members that follow, so that a body of one piece is not moved.
    pub(super) fn reserve(&mut self, bytes: usize) {
        if !self.split_for(bytes) {
            self.text().reserve(bytes + MEMBERS);
        }
    }

    pub(super) fn row(&mut self, json: &Arc<RawValue>) {
        let bytes = json.get().as_bytes();
        if self.split_for(bytes.len()) && bytes.len() >= SHARED {
            self.cut();
            self.full.push(Chunk::Row(Arc::clone(json)));
        } else {
            self.text().extend_from_slice(bytes);
        }
    }

    pub(super) fn more(&mut self, read: ReadMore) {
        self.split = true;
        self.cut();
        self.full.push(Chunk::More(read));
    }

    pub(super) fn append(&mut self, other: Chunks) {
        if !other.split && !self.split_for(other.text.len()) {
            self.text.extend_from_slice(&other.text);
            return;
        }
        self.split = true;
        self.cut();
        self.full.extend(other.full);
        self.text = other.text;
    }

    fn cut(&mut self) {
        if !self.text.is_empty() {
            self.full.push(Chunk::Text(std::mem::take(&mut self.text)));
        }
    }

    /// The whole text of a body without lists that are read while it is sent.
    pub fn into_text(mut self) -> Vec<u8> {
        self.cut();
        let texts = self.full.iter().map(|chunk| match chunk {
            Chunk::Text(text) => text.as_slice(),
            Chunk::Row(json) => json.get().as_bytes(),
            Chunk::More(_) => unreachable!("checked: an operation with idempotency keys shows no list"),
        });
        texts.collect::<Vec<_>>().concat()
    }

    /// The text without what is read while it is sent: whole JSON whose lists may lack rows.
    pub(super) fn known_text(&self) -> Vec<u8> {
        let texts = self.full.iter().map(|chunk| match chunk {
            Chunk::Text(text) => text.as_slice(),
            Chunk::Row(json) => json.get().as_bytes(),
            Chunk::More(_) => &[],
        });
        texts.chain([self.text.as_slice()]).collect::<Vec<_>>().concat()
    }

    /// The whole text if it is one piece, otherwise the chunks to be sent. `account` is charged for their unshared
    /// bytes.
    pub(super) fn into_body(mut self, account: Option<Account>) -> ResponseBody {
        if self.full.is_empty() && self.text.len() <= CHUNK {
            return ResponseBody::Whole(self.text.into());
        }
        self.cut();
        let account = account.unwrap_or_default();
        let waiting: VecDeque<_> = self.full.into_iter().map(|chunk| account.wait(chunk)).collect();
        ResponseBody::Stream { waiting, account }
    }
}

impl From<Vec<u8>> for Chunks {
    fn from(text: Vec<u8>) -> Self {
        let (full, split) = (Vec::new(), false);
        Self { full, text, split }
    }
}

impl fmt::Debug for Chunks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Chunks")
            .field("split", &self.split)
            .finish_non_exhaustive()
    }
}

/// A body to be sent.
pub(super) enum ResponseBody {
    Whole(Bytes),
    Stream {
        waiting: VecDeque<Waiting>,
        account: Account,
    },
}

pub(super) enum Waiting {
    Ready(Bytes),
    More(ReadMore),
}

/// The number of bytes, if it is known before they are sent.
pub(super) fn length(waiting: &VecDeque<Waiting>) -> Option<usize> {
    let length = |chunk: &Waiting| match chunk {
        Waiting::Ready(bytes) => Some(bytes.len()),
        Waiting::More(_) => None,
    };
    waiting.iter().map(length).sum()
}

/// Sends chunk after chunk. The rest of the list is read on a thread that may block, once everything before it was
/// sent.
pub(super) fn stream(
    waiting: VecDeque<Waiting>,
    account: Account,
) -> impl Stream<Item = Result<Bytes, Unreadable>> + Send + Sync + 'static {
    stream::try_unfold((waiting, account), async |(mut waiting, account)| {
        while let Some(next) = waiting.pop_front() {
            let mut read = match next {
                Waiting::Ready(bytes) => return Ok(Some((bytes, (waiting, account)))),
                Waiting::More(read) => read,
            };
            let done = tokio::task::spawn_blocking(move || (read(), read)).await;
            let (text, read) = done.map_err(|_| Unreadable)?;
            if let Some(text) = text.map_err(|_| Unreadable)? {
                waiting.push_front(Waiting::More(read));
                return Ok(Some((account.text(text), (waiting, account))));
            }
        }
        Ok(None)
    })
}

/// The rest of a list cannot be read. The answer has begun, so it can only be aborted.
#[derive(Debug)]
pub(super) struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the rest of a list cannot be read")
    }
}

impl std::error::Error for Unreadable {}

/// The payer of an answer's bytes; none by default.
#[derive(Clone, Default)]
pub(super) struct Account(Option<(Arc<Budget>, Payer)>);

impl Account {
    pub(super) fn new(budget: &Arc<Budget>, payer: Payer) -> Self {
        Self(Some((Arc::clone(budget), payer)))
    }

    fn wait(&self, chunk: Chunk) -> Waiting {
        Waiting::Ready(match chunk {
            Chunk::Text(text) => self.text(text),
            Chunk::Row(json) => self.row(json),
            Chunk::More(read) => return Waiting::More(read),
        })
    }

    fn text(&self, text: Vec<u8>) -> Bytes {
        let charge = self.charge(text.capacity());
        Bytes::from_owner(ChargedBytes {
            bytes: text,
            _charge: charge,
        })
    }

    /// A row that is also held elsewhere takes no memory for this answer.
    fn row(&self, json: Arc<RawValue>) -> Bytes {
        let is_shared = Arc::strong_count(&json) > 1;
        let charge = if is_shared { None } else { self.charge(json.get().len()) };
        Bytes::from_owner(ChargedBytes {
            bytes: Shared(json),
            _charge: charge,
        })
    }

    fn charge(&self, bytes: usize) -> Option<Charge> {
        let (budget, payer) = self.0.as_ref()?;
        Some(budget.charge(*payer, bytes))
    }
}

/// Bytes with their charge.
struct ChargedBytes<B> {
    bytes: B,
    _charge: Option<Charge>,
}

impl<B: AsRef<[u8]>> AsRef<[u8]> for ChargedBytes<B> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

struct Shared(Arc<RawValue>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.get().as_bytes()
    }
}
