//! The result of a tool whose answer is a file: an image or a text that a model can take, or where to read it.

use super::escaped;
use super::refusal::text;
use crate::chunks::{self, Chunks, ResponseBody};
use crate::failure::Failure;
use crate::sending::Sending;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;

/// The largest image that is part of a result, in bytes.
const IMAGE: u64 = 1 << 20;
/// The longest text that is part of a result, in bytes.
const TEXT: u64 = 40_000;

/// The items of `content`, as JSON with commas between. `path` is where the file is.
pub(super) async fn items(sending: &Sending, body: Chunks, path: &str) -> Result<Vec<u8>, Failure> {
    let Sending { media_type, bytes, .. } = sending;
    let mut out = Vec::new();
    if media_type.starts_with("image/") && *bytes <= IMAGE {
        let data = STANDARD.encode(read(body).await?);
        out.extend_from_slice(format!(r#"{{"type":"image","data":"{data}","mimeType":"{media_type}"}}"#).as_bytes());
    } else if media_type.starts_with("text/") && *bytes <= TEXT {
        out.extend_from_slice(br#"{"type":"text","text":"#);
        escaped::write(&mut out, &read(body).await?);
        out.push(b'}');
    } else {
        let words = format!(
            "The file has {bytes} bytes of the type {media_type}, and is not shown here. Read it with GET {path} and your credential."
        );
        out.extend_from_slice(format!(r#"{{"type":"text","text":{}}}"#, text(&words)).as_bytes());
    }
    Ok(out)
}

async fn read(body: Chunks) -> Result<Vec<u8>, Failure> {
    let (waiting, account) = match body.into_body(None) {
        ResponseBody::Whole(bytes) => return Ok(bytes.to_vec()),
        ResponseBody::Stream { waiting, account } => (waiting, account),
    };
    let pieces: Result<Vec<_>, _> = chunks::stream(waiting, account).try_collect().await;
    Ok(pieces.map_err(|_| Failure::Internal)?.concat())
}
