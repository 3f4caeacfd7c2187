//! Reads and writes image files through fixed buffers.

use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};

use super::error::ImageError;

/// The size of each of the two buffers.
const BUFFER: usize = 32 * 1024;
/// How much metadata is held at most, to look for the orientation.
const HELD: u32 = 64 * 1024;

/// What is read.
pub(super) struct Input<'a, R> {
    from: BufReader<&'a mut R>,
    start: u64,
}

impl<'a, R: Read + Seek> Input<'a, R> {
    /// Reads from where the file stands.
    pub(super) fn new(from: &'a mut R) -> Result<Self, ImageError> {
        let start = from.stream_position()?;
        let from = BufReader::with_capacity(BUFFER, from);
        Ok(Self { from, start })
    }

    /// Goes back to where reading has started.
    pub(super) fn restart(&mut self) -> Result<(), ImageError> {
        self.from.seek(SeekFrom::Start(self.start))?;
        Ok(())
    }

    /// The bytes that are in the buffer. They are at least one, and are not consumed.
    pub(super) fn peek(&mut self) -> Result<&[u8], ImageError> {
        loop {
            match self.from.fill_buf() {
                Ok([]) => return Err(ImageError::Malformed("the file ends too early")),
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.from.buffer())
    }

    /// Consumes bytes that were peeked.
    pub(super) fn consume(&mut self, length: usize) {
        self.from.consume(length);
    }

    /// Hands the next bytes over, part by part.
    pub(super) fn each(
        &mut self,
        length: u32,
        mut hand: impl FnMut(&[u8]) -> Result<(), ImageError>,
    ) -> Result<(), ImageError> {
        let mut left = length;
        while left > 0 {
            let there = self.peek()?;
            let part = there
                .get(..usize::try_from(left).unwrap_or(usize::MAX))
                .unwrap_or(there);
            hand(part)?;
            let taken = part.len();
            self.consume(taken);
            left = left.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// Reads so many bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ImageError> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(bytes)
    }

    /// Reads one byte.
    pub(super) fn byte(&mut self) -> Result<u8, ImageError> {
        let byte = self.peek()?.first().copied();
        self.consume(1);
        byte.ok_or(ImageError::Malformed("the file ends too early"))
    }

    /// Consumes so many bytes without a use for them.
    pub(super) fn skip(&mut self, length: u32) -> Result<(), ImageError> {
        self.each(length, |_| Ok(()))
    }

    /// Consumes so many bytes, of which the first 64 KiB are given back. Each part is handed over too.
    pub(super) fn hold(&mut self, length: u32, mut hand: impl FnMut(&[u8])) -> Result<Vec<u8>, ImageError> {
        let first = length.min(HELD);
        let mut held = Vec::with_capacity(usize::try_from(first).unwrap_or_default());
        self.each(first, |part| {
            hand(part);
            held.extend_from_slice(part);
            Ok(())
        })?;
        self.each(length.saturating_sub(first), |part| {
            hand(part);
            Ok(())
        })?;
        Ok(held)
    }
}

/// What is written.
pub(super) struct Output<'a, W: Write> {
    to: BufWriter<&'a mut W>,
    start: u64,
    written: u64,
}

impl<'a, W: Write + Seek> Output<'a, W> {
    /// Writes from where the file stands.
    pub(super) fn new(to: &'a mut W) -> Result<Self, ImageError> {
        let start = to.stream_position()?;
        let to = BufWriter::with_capacity(BUFFER, to);
        Ok(Self { to, start, written: 0 })
    }

    /// How many bytes have been written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Writes the bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), ImageError> {
        self.to.write_all(bytes)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.written = self.written.saturating_add(length);
        Ok(())
    }

    /// Copies so many bytes as they are.
    pub(super) fn copy(&mut self, input: &mut Input<'_, impl Read + Seek>, length: u32) -> Result<(), ImageError> {
        input.each(length, |part| self.write(part))
    }

    /// Writes over bytes that have been written, `at` bytes after the start.
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), ImageError> {
        self.to.seek(SeekFrom::Start(self.start.saturating_add(at)))?;
        self.to.write_all(bytes)?;
        self.to.seek(SeekFrom::Start(self.start.saturating_add(self.written)))?;
        Ok(())
    }

    /// Writes what is still in the buffer.
    pub(super) fn finish(mut self) -> Result<(), ImageError> {
        self.to.flush()?;
        Ok(())
    }
}
