//! The result of a tool call, as the protocol writes it.

use super::arguments::SelectedPage;
use super::era::Era;
use super::escaped;
use super::excerpt::{self, Excerpt};
use super::refusal::{Refusal, text};
use super::{Mount, Tool};
use crate::exchange::{Answer, ErrorResponse, Exchange};
use crate::failure::Failure;
use http::header::RETRY_AFTER;
use http::{HeaderName, StatusCode};

/// How results of a call are written.
pub(super) struct Writer<'w> {
    pub(super) mount: &'static Mount,
    pub(super) id: &'w str,
    pub(super) era: Era,
    /// Whether the answer is that of an earlier request.
    pub(super) is_replayed: bool,
}

/// The start of a response, up to the members of its result.
pub(super) fn opening(id: &str, era: Era) -> String {
    let kind = match era {
        Era::Stated => r#""resultType":"complete","#,
        Era::Initialized => "",
    };
    [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":{"#, kind].concat()
}

/// `_meta` with the service, and other members.
pub(super) fn server_meta(mount: &Mount, others: &str) -> String {
    let open = r#""_meta":{"io.modelcontextprotocol/serverInfo":"#;
    [open, mount.server, others, "}"].concat()
}

/// The answer of an operation, as a text. A long one is cut after a row.
///
/// There is no `structuredContent`: clients that find it show a model nothing else, so that the notes would be lost
/// (anthropics/claude-code#79944), and the answer would be there twice.
pub(super) async fn success(
    writer: &Writer<'_>,
    tool: &Tool,
    page: SelectedPage,
    (answer, proposals): (Answer, Vec<String>),
) -> Result<Vec<u8>, Failure> {
    let total = answer.total;
    let excerpt = excerpt::from_body(answer.body).await?;
    let note = page_note(tool, page, total, &excerpt);
    let json = &excerpt.json;
    let mut items = Vec::with_capacity(json.len() * 2 + 512);
    items.extend_from_slice(br#"{"type":"text","text":"#);
    escaped::write(&mut items, json);
    items.push(b'}');
    for note in note.into_iter().chain(proposals) {
        items.extend_from_slice(br#",{"type":"text","text":"#);
        escaped::write(&mut items, note.as_bytes());
        items.push(b'}');
    }
    Ok(finished(writer, &items))
}

/// The result with these items of `content`.
pub(super) fn finished(writer: &Writer<'_>, items: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(items.len() + 512);
    out.extend_from_slice(opening(writer.id, writer.era).as_bytes());
    out.extend_from_slice(br#""content":["#);
    out.extend_from_slice(items);
    out.extend_from_slice(br#"],"isError":false"#);
    let replayed = writer
        .is_replayed
        .then(|| format!(r#""{}/replayed":true"#, writer.mount.name));
    if let Some(meta) = meta(writer, replayed) {
        out.push(b',');
        out.extend_from_slice(meta.as_bytes());
    }
    out.extend_from_slice(b"}}");
    out
}

/// What to search for instead: of each argument with an unknown name, the nearest known ones.
pub(super) fn proposals(tool: &Tool, exchange: &Exchange) -> Vec<String> {
    let nearest = tool.nearest.iter().filter_map(|(argument, header)| {
        let names = exchange.replied_names(header);
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| format!("Nothing has this `{argument}`. Did you mean {}?", names.join(", ")))
    });
    nearest.collect()
}

/// `_meta` of a result, with a member about this one. In the old era it is left out if it is empty.
fn meta(writer: &Writer<'_>, about: Option<String>) -> Option<String> {
    match (writer.era, about) {
        (Era::Stated, about) => {
            let others = about.map(|about| format!(",{about}")).unwrap_or_default();
            Some(server_meta(writer.mount, &others))
        }
        (Era::Initialized, about) => about.map(|about| format!(r#""_meta":{{{about}}}"#)),
    }
}

/// What is not shown, and how to go on.
fn page_note(tool: &Tool, page: SelectedPage, total: Option<i64>, excerpt: &Excerpt) -> Option<String> {
    let pages = tool.pages.as_ref();
    let offset = pages.and_then(|pages| pages.offset).map(|(name, _)| name);
    let shown = match (&excerpt.cut, page.size, total) {
        (Some(cut), ..) => cut.rows,
        (None, Some(size), Some(total)) => size.min(total - page.offset).max(0),
        (None, ..) => return None,
    };
    let next = page.offset + shown;
    match (offset, total, &excerpt.cut) {
        (Some(_), Some(total), _) if next >= total => None,
        (Some(offset), Some(total), _) => Some(format!("{shown} of {total} shown. Call again with {offset} {next}.")),
        (Some(offset), None, Some(_)) => Some(format!("The first {shown} are shown. Call again with {offset} {next}.")),
        (None, _, Some(cut)) => {
            let size =
                pages.map(|pages| format!(" Call again with {} {shown} for pages of this length.", pages.size.0));
            let size = size.unwrap_or_else(|| " The others would be too long to read at once.".to_owned());
            Some(format!("Only the first {shown} of `{}` are shown.{size}", cut.list))
        }
        (_, _, None) => None,
    }
}

/// An error of an operation: a result, so that a model reads it.
pub(super) fn error(writer: &Writer<'_>, exchange: &Exchange, error: &ErrorResponse) -> Vec<u8> {
    let ErrorResponse {
        error: code, status, ..
    } = error;
    let words = text(&format!("{status} {code}: {}", words(writer.mount, error)));
    let seconds = error.headers.iter().find(|(name, _)| *name == RETRY_AFTER.as_str());
    let seconds = seconds.and_then(|(_, value)| value.parse::<u32>().ok());
    let seconds = seconds
        .map(|seconds| format!(r#","retry_after":{seconds}"#))
        .unwrap_or_default();
    let (name, request) = (writer.mount.name, exchange.request_id);
    let about = format!(r#""{name}/error":{{"code":"{code}","status":{status}{seconds},"request_id":"{request}"}}"#);
    let meta = meta(writer, Some(about)).unwrap_or_default();
    let open = opening(writer.id, writer.era);
    format!(r#"{open}"content":[{{"type":"text","text":{words}}}],"isError":true,{meta}}}}}"#).into_bytes()
}

/// An error of a request without a valid credential: a status of HTTP, with the headers of the error.
pub(super) fn refusal(mount: &Mount, exchange: &mut Exchange, error: &ErrorResponse) -> Refusal {
    for (name, value) in &error.headers {
        exchange.reply_header(HeaderName::from_static(name), value);
    }
    let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Refusal::of_http(status, words(mount, error))
}

/// The text of an error, what to do, and the headers of its response, which a model does not see.
fn words(mount: &Mount, error: &ErrorResponse) -> String {
    let mut words = error.text.clone().into_owned();
    if let Some((_, help)) = mount.help.iter().find(|(name, _)| *name == error.error) {
        let stop = if words.ends_with(['.', '!', '?']) { " " } else { ". " };
        words = words + stop + help;
    }
    for (name, value) in &error.headers {
        words += &format!(" ({name}: {value})");
    }
    words
}
