//! Taking in a request's body: its declared type, and its bytes within bounds of size and time. Knows nothing of what the
//! bytes say.

use std::pin::pin;
use std::time::Duration;

use super::faults::Faults;
use super::value::{Value, parse};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFault {
    /// It is, or says that it is, larger than allowed.
    TooLarge,
    /// It did not end within the time allowed.
    TooSlow,
    /// The connection ended or spoke nonsense before the body was complete.
    Broken,
}

/// The whole body, of at most `max_bytes` and within `max_seconds` from now. A `declared` length beyond the bound is refused
/// unread; what is not declared is refused as soon as it is too much. Memory is taken for what came, never for what was
/// announced. Must run on a Tokio runtime with its timer.
pub async fn read<S, B, E>(
    stream: S,
    declared: Option<u64>,
    max_bytes: usize,
    max_seconds: u64,
) -> Result<Bytes, BodyFault>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    if declared.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > max_bytes)) {
        return Err(BodyFault::TooLarge);
    }
    tokio::time::timeout(Duration::from_secs(max_seconds), collect(stream, max_bytes))
        .await
        .unwrap_or(Err(BodyFault::TooSlow))
}

/// A body longer than this is decoded on a thread where it keeps no other request waiting.
const DECODED_IN_PLACE: usize = 64 << 10;

/// Decodes a body of JSON, adding to the faults of the request; gives the faults back.
pub async fn decode_json<T: Send + 'static>(
    bytes: Bytes,
    mut faults: Faults,
    decode: fn(Value, &mut Faults) -> Option<T>,
) -> (Option<T>, Faults) {
    let length = bytes.len();
    let work = move || {
        let decoded = parse(&bytes, &mut faults).and_then(|value| decode(value, &mut faults));
        (decoded, faults)
    };
    if length <= DECODED_IN_PLACE {
        return work();
    }
    tokio::task::spawn_blocking(work).await.expect("decoders do not panic")
}

async fn collect<S, B, E>(stream: S, max_bytes: usize) -> Result<Bytes, BodyFault>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    let mut stream = pin!(stream);
    let mut body = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| BodyFault::Broken)?;
        if chunk.remaining() > max_bytes - body.len() {
            return Err(BodyFault::TooLarge);
        }
        body.put(chunk);
    }
    Ok(body.freeze())
}

/// Whether the body is declared as JSON: exactly one `Content-Type`, which is `application/json` in any case, with no
/// charset or with UTF-8.
pub fn is_json(headers: &HeaderMap) -> bool {
    let mut declared = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (declared.next(), declared.next()) else {
        return false;
    };
    let Ok(only) = only.to_str() else { return false };
    let mut parts = only.split(';').map(str::trim);
    parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
        && parts.all(is_harmless)
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
    use futures_util::stream;
    use http::HeaderValue;

    type Chunk = Result<&'static [u8], ()>;

    #[track_caller]
    fn taken(chunks: &[Chunk], declared: Option<u64>, expected: Result<&[u8], BodyFault>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let body = runtime.block_on(async { read(stream::iter(chunks.to_vec()), declared, 10, 1).await });
        assert_eq!(body.as_deref(), expected.as_ref().copied());
    }

    #[test]
    fn a_body_may_be_as_large_as_the_bound_and_no_larger() {
        taken(&[], None, Ok(b""));
        taken(&[Ok(b"01234"), Ok(b""), Ok(b"56789")], Some(10), Ok(b"0123456789"));
        taken(&[Ok(b"01234"), Ok(b"567890")], None, Err(BodyFault::TooLarge));
        taken(&[Ok(b"01234"), Ok(b"567890")], Some(1), Err(BodyFault::TooLarge));
        taken(&[], Some(11), Err(BodyFault::TooLarge));
        taken(&[], Some(u64::MAX), Err(BodyFault::TooLarge));
        taken(&[Ok(b"0"), Err(())], Some(10), Err(BodyFault::Broken));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_is_given_up() {
        let trickle = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(7)).await;
            Some((Ok::<_, ()>(&b"x"[..]), ()))
        });
        let start = tokio::time::Instant::now();
        assert_eq!(read(trickle, None, 1_000, 30).await, Err(BodyFault::TooSlow));
        assert_eq!(start.elapsed().as_secs(), 30);
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
