//! The methods of the protocol.

use super::arguments::{self, SelectedPage};
use super::content;
use super::era::{self, Era};
use super::message::Message;
use super::refusal::{INVALID_PARAMS, METHOD_NOT_FOUND, Refusal, text};
use super::{Calls, Mount, outcome};
use crate::exchange::{Exchange, catch_unwind};
use crate::text::{listed, nearest_described, shortened};
use http::StatusCode;

/// How long a client may keep the list of tools, and that everybody gets the same.
const CACHED: &str = r#","ttlMs":3600000,"cacheScope":"public""#;

/// The response to a request that calls no tool.
pub(super) fn known(mount: &Mount, message: &Message<'_>, (id, era): (&str, Era)) -> Result<Vec<u8>, Refusal> {
    let Mount {
        server,
        instructions,
        list,
        ..
    } = mount;
    let members = match (&*message.method, era) {
        ("tools/list", Era::Initialized) => format!(r#""tools":{list}"#),
        ("tools/list", Era::Stated) => format!(r#""tools":{list}{CACHED}"#),
        ("server/discover", Era::Stated) => format!(
            r#""supportedVersions":["{}"],"capabilities":{{"tools":{{}}}},"instructions":{instructions}{CACHED}"#,
            era::STATED
        ),
        ("initialize", Era::Initialized) => format!(
            r#""protocolVersion":"{}","capabilities":{{"tools":{{}}}},"serverInfo":{server},"instructions":{instructions}"#,
            era::agreed(message.params.version.as_deref())
        ),
        ("ping", Era::Initialized) => String::new(),
        (other, era) => {
            let status = if era == Era::Stated {
                StatusCode::NOT_FOUND
            } else {
                StatusCode::OK
            };
            let what = format!("there is no method `{}` here, only tools", shortened(other));
            return Err(Refusal::new(status, METHOD_NOT_FOUND, what));
        }
    };
    let open = outcome::opening(id, era);
    let meta = match era {
        Era::Stated => format!(",{}", outcome::server_meta(mount, "")),
        Era::Initialized => String::new(),
    };
    Ok(format!("{open}{members}{meta}}}}}").into_bytes())
}

/// A call of a tool.
pub(super) struct Call<'b> {
    pub(super) id: &'b str,
    era: Era,
    /// The index of the tool.
    tool: usize,
    page: SelectedPage,
}

impl<'b> Call<'b> {
    /// Makes of `exchange` the request that the message stands for.
    pub(super) fn prepare(
        mount: &'static Mount,
        exchange: &mut Exchange,
        message: &Message<'b>,
        (id, era): (&'b str, Era),
    ) -> Result<Self, Refusal> {
        let name = message.params.name.as_deref().unwrap_or_default();
        let Some(tool) = mount.tools.iter().position(|tool| tool.name == name) else {
            return Err(unknown(mount, name));
        };
        let page = arguments::apply(&mount.tools[tool], message.params.arguments, exchange)?;
        Ok(Self { id, era, tool, page })
    }

    /// Runs the operation, and writes its outcome.
    pub(super) async fn run(
        self,
        mount: &'static Mount,
        calls: &impl Calls,
        exchange: &mut Exchange,
    ) -> Result<Vec<u8>, Refusal> {
        let Self { id, era, tool, page } = self;
        let ended = catch_unwind(exchange.span(), calls.call(tool, exchange)).await;
        let ended = ended.unwrap_or_else(|| Err(calls.internal()));
        let is_replayed = exchange.is_replayed();
        let writer = outcome::Writer {
            mount,
            id,
            era,
            is_replayed,
        };
        match ended {
            Ok(answer) => {
                exchange.answered(answer.status);
                let tool = &mount.tools[tool];
                let proposals = outcome::proposals(tool, exchange);
                if let Some(sending) = exchange.sending.take() {
                    let items = content::items(&sending, answer.body, exchange.path()).await;
                    return Ok(match items {
                        Ok(items) => outcome::finished(&writer, &items),
                        Err(_) => outcome::error(&writer, exchange, &calls.internal()),
                    });
                }
                match outcome::success(&writer, tool, page, (answer, proposals)).await {
                    Ok(json) => Ok(json),
                    Err(_) => Ok(outcome::error(&writer, exchange, &calls.internal())),
                }
            }
            Err(error) if mount.unauthenticated.contains(&error.error) => {
                Err(outcome::refusal(mount, exchange, &error))
            }
            Err(error) => {
                exchange.answered(error.status);
                Ok(outcome::error(&writer, exchange, &error))
            }
        }
    }
}

fn unknown(mount: &Mount, name: &str) -> Refusal {
    let known: Vec<(&str, &str)> = mount.tools.iter().map(|tool| (tool.name, tool.title)).collect();
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let end = match nearest_described(name, &known) {
        Some(meant) => format!(", did you mean `{meant}`?"),
        None => format!(", known are {}", listed(&names)),
    };
    let message = format!("there is no tool `{}`{end}", shortened(name));
    let known = text(&names.join(" "));
    Refusal::new(StatusCode::OK, INVALID_PARAMS, message).with_data(format!(r#"{{"tools":{known}}}"#))
}
