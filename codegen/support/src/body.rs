//! Reads a request's body and checks its declared type, within limits of size, time and memory. Must not know what
//! the bytes mean.
//!
//! Memory is limited to `SMALL` bytes for each connection, to `LARGE_TOGETHER` bytes for all large bodies, which wait
//! for it at most as long as a body may take, and to `DECODED_TOGETHER` bytes of bodies in processing, from decoding
//! until their handlers have ended.

use std::pin::{Pin, pin};
use std::time::Duration;

use super::headers::single_header;
use super::json::parse_long;
use super::validation_errors::ValidationErrors;
use super::value::Value;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::{FutureExt, Stream, StreamExt};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, TRANSFER_ENCODING};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// It is larger than allowed, or declares that it is.
    TooLarge,
    /// It took longer than allowed, or was received too slowly.
    TooSlow,
    /// The connection ended or was malformed before the body was complete.
    Broken,
}

/// The longest body that needs no reserved memory and is decoded at once. A longer one is decoded on a separate
/// thread, so that it does not delay other requests.
pub(super) const SMALL: usize = 64 << 10;
/// The maximum memory of all large bodies that are being read or decoded, in bytes.
const LARGE_TOGETHER: usize = 64 << 20;
/// The maximum bytes of large bodies that are processed at a time. Handlers may use several times as much memory.
const DECODED_TOGETHER: usize = 8 << 20;

static ROOM: MemoryPool = MemoryPool::with_bytes(LARGE_TOGETHER);
static WORK: MemoryPool = MemoryPool::with_bytes(DECODED_TOGETHER);

/// A permit to process a large body. Others wait until it is dropped.
#[derive(Debug)]
pub struct WorkPermit(#[expect(dead_code, reason = "held until it is dropped")] SemaphorePermit<'static>);

/// The limits of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyBounds {
    /// The maximum bytes.
    pub max_bytes: usize,
    /// The maximum seconds from now until its end.
    pub max_seconds: u64,
    /// Its minimum rate, if any.
    pub min_rate: Option<MinRate>,
}

/// The minimum rate of a body.
#[derive(Clone, Copy, Debug)]
pub struct MinRate {
    /// The minimum bytes per second.
    pub bytes_per_second: u32,
    /// How many seconds it may be behind.
    pub grace_seconds: u64,
}

impl MinRate {
    /// The deadline for the first bytes of a body.
    fn first_deadline(self) -> Instant {
        Instant::now() + Duration::from_secs(self.grace_seconds)
    }

    /// The deadline after more bytes: each byte earns time, but never beyond the grace.
    pub(super) fn next_deadline(self, deadline: Instant, bytes: usize) -> Instant {
        let earned = Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second.max(1)));
        (deadline + earned).min(self.first_deadline())
    }
}

/// Reads the whole body within `bounds`. A `declared` length above them is rejected unread; an undeclared one as soon
/// as it exceeds them. Allocates memory only for received bytes. Memory for a whole large body is reserved from its
/// first large piece until its bytes are dropped. Must run on a Tokio runtime with a timer.
pub async fn read<S, B, E>(stream: S, declared: Option<u64>, bounds: BodyBounds) -> Result<Bytes, BodyError>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    let max_bytes = bounds.max_bytes;
    let declared = match declared.map(usize::try_from) {
        None => None,
        Some(Ok(length)) if length <= max_bytes => Some(length),
        Some(_) => return Err(BodyError::TooLarge),
    };
    let mut collected = pin!(collect(stream, bounds, &ROOM, declared));
    // Most bodies arrive with the head, and need no timer.
    if let Some(body) = collected.as_mut().now_or_never() {
        return body;
    }
    tokio::time::timeout(Duration::from_secs(bounds.max_seconds), collected)
        .await
        .unwrap_or(Err(BodyError::TooSlow))
}

/// Decodes a JSON body and adds to the validation errors of the request. Returns these errors and, for a large body,
/// the permit, which must be held until the handler has ended.
pub async fn decode_json<T: Send + 'static>(
    bytes: Bytes,
    mut errors: ValidationErrors,
    decode: fn(Value, &mut ValidationErrors) -> Option<T>,
) -> (Option<T>, ValidationErrors, Option<WorkPermit>) {
    let length = bytes.len();
    let work = move || {
        let decoded = parse_long(&bytes, &mut errors).and_then(|value| decode(value, &mut errors));
        (decoded, errors)
    };
    if length <= SMALL {
        let (decoded, errors) = work();
        return (decoded, errors, None);
    }
    let permit = WorkPermit(WORK.keep(length).await);
    // The work continues if the client disconnects, and keeps its permit.
    let work = move || {
        let (decoded, errors) = work();
        (decoded, errors, Some(permit))
    };
    tokio::task::spawn_blocking(work).await.expect("decoders do not panic")
}

/// Reserves the `declared` bytes of `room`, or as many as are allowed, once the body turns out to be large.
async fn collect<S, B, E>(
    stream: S,
    bounds: BodyBounds,
    room: &'static MemoryPool,
    declared: Option<usize>,
) -> Result<Bytes, BodyError>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    let mut stream = pin!(stream);
    let mut body = BytesMut::new();
    let mut kept = None;
    let mut deadline = None;
    // After its declared length it has ended: to ask for the end would mean to wait for the connection's turn.
    while declared != Some(body.len())
        && let Some(chunk) = next_piece(&mut stream, bounds.min_rate, &mut deadline).await?
    {
        let chunk = chunk.map_err(|_| BodyError::Broken)?;
        if chunk.remaining() > bounds.max_bytes - body.len() {
            return Err(BodyError::TooLarge);
        }
        deadline = deadline
            .zip(bounds.min_rate)
            .map(|(deadline, rate)| rate.next_deadline(deadline, chunk.remaining()));
        if kept.is_none() && body.len() + chunk.remaining() > SMALL {
            kept = Some(room.keep(declared.unwrap_or(bounds.max_bytes)).await);
            // The client did not cause this wait.
            deadline = None;
        }
        body.put(chunk);
    }
    Ok(match kept {
        None => body.freeze(),
        Some(kept) => Bytes::from_owner(Large { body, _kept: kept }),
    })
}

/// The next piece. If it has to be waited for, it must be received by the deadline, which begins with the first wait.
pub(super) async fn next_piece<S: Stream>(
    stream: &mut Pin<&mut S>,
    rate: Option<MinRate>,
    deadline: &mut Option<Instant>,
) -> Result<Option<S::Item>, BodyError> {
    if let Some(received) = stream.next().now_or_never() {
        return Ok(received);
    }
    match rate {
        Some(rate) => timeout_at(*deadline.get_or_insert_with(|| rate.first_deadline()), stream.next())
            .await
            .map_err(|_| BodyError::TooSlow),
        None => Ok(stream.next().await),
    }
}

/// A pool of memory that requests share.
struct MemoryPool {
    free: Semaphore,
    bytes: usize,
}

/// The bytes of one permit. Semaphores do not have enough permits for one for each byte.
const UNIT: usize = 1024;

impl MemoryPool {
    const fn with_bytes(bytes: usize) -> MemoryPool {
        MemoryPool {
            free: Semaphore::const_new(bytes / UNIT),
            bytes,
        }
    }

    /// Waits until this many bytes are free; more than the whole pool counts as the whole pool. First come, first
    /// served, so that a large body is not starved.
    async fn keep(&self, bytes: usize) -> SemaphorePermit<'_> {
        let units = bytes.min(self.bytes) / UNIT;
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.free.acquire_many(units).await.expect("never closed")
    }
}

/// A large body, which releases its memory when it is dropped.
struct Large {
    body: BytesMut,
    _kept: SemaphorePermit<'static>,
}

impl AsRef<[u8]> for Large {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// An absent body that has no required members counts as one without members.
pub fn or_empty_object(body: Bytes) -> Bytes {
    if body.is_empty() {
        Bytes::from_static(b"{}")
    } else {
        body
    }
}

/// Whether the body is declared as JSON: exactly one `Content-Type` of `application/json`, in any case, without a
/// charset or with UTF-8.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    declared_type(headers, &["application/json"]).is_some()
}

/// The one of these media types that the body is declared as, exactly once.
pub(super) fn declared_type(headers: &HeaderMap, types: &[&'static str]) -> Option<&'static str> {
    let only = single_header(headers, CONTENT_TYPE)?;
    types.iter().copied().find(|known| is_of_type(only, known))
}

/// Whether a `Content-Type` is this media type, in any case, without a charset or with UTF-8.
fn is_of_type(declared: &str, media_type: &str) -> bool {
    let mut parts = declared.split(';').map(str::trim);
    parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case(media_type))
        && parts.all(is_harmless)
}

/// Whether the body is encoded: its codings (RFC 9110 §8.4) are others than `identity`.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    other_than(headers, CONTENT_ENCODING, "identity")
}

/// Whether the body has transfer codings (RFC 9112 §7) beside `chunked`, the only one that is decoded.
pub(super) fn has_unknown_transfer_coding(headers: &HeaderMap) -> bool {
    other_than(headers, TRANSFER_ENCODING, "chunked")
}

/// Whether a list in a header has other items than this one, in any case.
fn other_than(headers: &HeaderMap, name: HeaderName, item: &str) -> bool {
    let mut lines = headers.get_all(name).iter();
    lines.any(|line| {
        let items = line.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let mut others = items.filter(|one| !one.is_empty() && !one.eq_ignore_ascii_case(item.as_bytes()));
        others.next().is_some()
    })
}

fn is_harmless(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, charset)) if name.eq_ignore_ascii_case("charset") => {
            let bare = charset
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .unwrap_or(charset);
            bare.eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, stream};
    use http::HeaderValue;

    type BodyChunk = Result<&'static [u8], ()>;

    fn within(max_bytes: usize, max_seconds: u64) -> BodyBounds {
        BodyBounds {
            max_bytes,
            max_seconds,
            min_rate: None,
        }
    }

    /// A stream that yields `piece` every `seconds` seconds.
    fn trickle(seconds: u64, piece: &'static [u8]) -> impl Stream<Item = BodyChunk> {
        stream::unfold((), move |()| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Some((Ok(piece), ()))
        })
    }

    #[track_caller]
    fn check(chunks: &[BodyChunk], declared: Option<u64>, expected: Result<&[u8], BodyError>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let body = runtime.block_on(async { read(stream::iter(chunks.to_vec()), declared, within(10, 1)).await });
        assert_eq!(body.as_deref(), expected.as_ref().copied());
    }

    #[test]
    fn a_body_may_be_as_large_as_the_bound_and_no_larger() {
        check(&[], None, Ok(b""));
        check(&[Ok(b"01234"), Ok(b""), Ok(b"56789")], Some(10), Ok(b"0123456789"));
        check(&[Ok(b"01234"), Ok(b"567890")], None, Err(BodyError::TooLarge));
        check(&[Ok(b"01234"), Ok(b"567890")], Some(1), Err(BodyError::TooLarge));
        check(&[], Some(11), Err(BodyError::TooLarge));
        check(&[], Some(u64::MAX), Err(BodyError::TooLarge));
        check(&[Ok(b"0"), Err(())], Some(10), Err(BodyError::Broken));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_is_aborted() {
        let start = Instant::now();
        assert_eq!(
            read(trickle(7, b"x"), None, within(1_000, 30)).await,
            Err(BodyError::TooSlow)
        );
        assert_eq!(start.elapsed().as_secs(), 30);
    }

    /// After how many seconds a body is rejected that must have ten bytes per second and may be behind by five
    /// seconds.
    async fn given_up_after(body: impl Stream<Item = BodyChunk>) -> u64 {
        let start = Instant::now();
        let bounds = BodyBounds {
            min_rate: Some(MinRate {
                bytes_per_second: 10,
                grace_seconds: 5,
            }),
            ..within(1_000, 30)
        };
        assert_eq!(read(body, None, bounds).await, Err(BodyError::TooSlow));
        start.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_falls_behind_is_aborted_after_its_grace() {
        assert_eq!(given_up_after(stream::pending()).await, 5);
        // Each byte earns a tenth of a second, so the grace ends after five seconds plus the earned time.
        assert_eq!(given_up_after(trickle(1, b"x")).await, 5);
        assert_eq!(given_up_after(trickle(1, b"12345")).await, 9);
        // A body at the minimum rate may use the whole time.
        assert_eq!(given_up_after(trickle(1, b"0123456789")).await, 30);
        assert_eq!(given_up_after(trickle(4, &[b'x'; 40])).await, 30);
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_fast_is_no_credit_for_later() {
        let begun = stream::iter([Ok(&[b'x'; 900][..])]);
        assert_eq!(given_up_after(begun.chain(stream::pending())).await, 5);
    }

    /// The stream of one body of this many bytes, in small pieces.
    fn pieces(bytes: usize) -> impl Stream<Item = Result<&'static [u8], ()>> {
        stream::iter((0..bytes / UNIT).map(|_| Ok(&[b'x'; UNIT][..])))
    }

    #[tokio::test]
    async fn large_bodies_together_hold_no_more_than_there_is_room_for() {
        static ROOM: MemoryPool = MemoryPool::with_bytes(3 * SMALL);
        const LARGE: usize = 2 * SMALL;
        let first = collect(pieces(LARGE), within(LARGE, 30), &ROOM, Some(LARGE))
            .await
            .expect("room");
        let mut second = pin!(collect(pieces(LARGE), within(LARGE, 30), &ROOM, Some(LARGE)));
        assert!(second.as_mut().now_or_never().is_none());
        // A small body needs no reserved memory.
        assert_eq!(
            collect(pieces(SMALL), within(LARGE, 30), &ROOM, Some(LARGE))
                .await
                .map(|body| body.len()),
            Ok(SMALL)
        );
        // The memory is not released while any part of the first body is held.
        let part = first.slice(1..2);
        drop(first);
        assert!(second.as_mut().now_or_never().is_none());
        drop(part);
        let second = second.await.expect("room");
        assert_eq!(second.len(), LARGE);
        drop(second);
        assert_eq!(ROOM.free.available_permits() * UNIT, 3 * SMALL);
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_gives_its_room_back_and_one_beyond_all_room_gets_all() {
        static ROOM: MemoryPool = MemoryPool::with_bytes(SMALL);
        let broken = pieces(2 * SMALL).chain(stream::iter([Err(())]));
        assert_eq!(
            collect(broken, within(4 * SMALL, 30), &ROOM, Some(4 * SMALL)).await,
            Err(BodyError::Broken)
        );
        assert_eq!(
            collect(pieces(2 * SMALL), within(SMALL, 30), &ROOM, None).await,
            Err(BodyError::TooLarge)
        );
        assert!(
            collect(pieces(2 * SMALL), within(2 * SMALL, 30), &ROOM, Some(2 * SMALL))
                .await
                .is_ok()
        );
        assert_eq!(ROOM.free.available_permits() * UNIT, SMALL);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_without_room_is_answered_with_a_timeout() {
        let check = ROOM.keep(LARGE_TOGETHER).await;
        let waiting = read(pieces(2 * SMALL), None, within(2 * SMALL, 30));
        assert_eq!(waiting.await, Err(BodyError::TooSlow));
        drop(check);
        assert!(read(pieces(2 * SMALL), None, within(2 * SMALL, 30)).await.is_ok());
    }

    #[test]
    fn codings_are_those_of_all_lines_in_any_case() {
        let check = |name: HeaderName, lines: &[&'static str], is_other: bool| {
            let lines = lines.iter().map(|line| (name.clone(), HeaderValue::from_static(line)));
            let mut headers = HeaderMap::new();
            lines.for_each(|(name, line)| _ = headers.append(name, line));
            let found = match name {
                CONTENT_ENCODING => is_encoded(&headers),
                _ => has_unknown_transfer_coding(&headers),
            };
            assert_eq!(found, is_other, "{headers:?}");
        };
        for harmless in [&[][..], &[""], &["Identity"], &["identity, ,identity", "identity"]] {
            check(CONTENT_ENCODING, harmless, false);
        }
        for encoded in [&["gzip"][..], &["identity", "br"], &["identity, gzip"], &["aes128gcm"]] {
            check(CONTENT_ENCODING, encoded, true);
        }
        check(TRANSFER_ENCODING, &["Chunked"], false);
        check(TRANSFER_ENCODING, &["gzip, chunked"], true);
        check(TRANSFER_ENCODING, &["gzip", "chunked"], true);
    }

    #[test]
    fn only_json_in_utf_8_is_json() {
        let json = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_TYPE, HeaderValue::from_static(value));
            }
            is_json(&headers)
        };
        for right in [
            "application/json",
            "Application/JSON",
            "application/json; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; profile=x",
            "application/json;",
        ] {
            assert!(json(&[right]), "{right}");
        }
        for wrong in [
            "",
            "text/plain",
            "application/jsonp",
            "application/json, application/json",
            "application/json; charset=latin1",
            "application/json; charset=",
            "text/plain; application/json",
        ] {
            assert!(!json(&[wrong]), "{wrong}");
        }
        assert!(!json(&[]));
        assert!(!json(&["application/json", "application/json"]));
    }
}
