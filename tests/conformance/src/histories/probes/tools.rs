//! Probes of tools: the list, the messages of the protocol, and calls as tools.

use super::list::{Lister, Way};
use super::{NotSent, Probing};
use crate::histories::call::Call;
use crate::histories::found::{Found, found};
use crate::histories::session::Sent;
use crate::histories::tools::{self, Era, is_tool, message};
use crate::histories::wish::Called;
use crate::histories::wishes::wish_for;
use crate::level::Level;
use codegen::documents::tools::{listed, texts};
use codegen::model::{ErrorEntry, Surface};
use codegen::step::Step;
use serde_json::{Value, json};

/// The codes of JSON-RPC.
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// How many rows a list as a tool has.
const ROWS: &str = "2";

/// What is tried of a tool.
#[derive(Clone, Copy)]
pub(super) enum ToolTrial {
    /// Methods of the protocol that call no tool.
    Protocol,
    /// How the list describes it.
    Listed,
    /// A call with an idempotency key, twice.
    Key,
    /// A call that this error rejects.
    Error(&'static ErrorEntry, Era),
}

/// Whether the error can be that of a tool: earlier steps reject what is no call of one.
fn is_of_tools(error: &ErrorEntry) -> bool {
    !matches!(
        error.step,
        Step::Route | Step::Method | Step::MediaType | Step::BodySize | Step::BodyTime
    )
}

impl Lister {
    pub(super) fn tools(&mut self, errors: &[&'static ErrorEntry]) {
        let (surface, operation) = self.called;
        if !is_tool(surface, operation) {
            return;
        }
        let mut all = surface.operations.iter().filter(|one| is_tool(surface, one));
        if all.next().is_some_and(|first| std::ptr::eq(first, operation)) {
            self.add("the tools of the API".to_owned(), Way::Tool(ToolTrial::Protocol));
        }
        self.add("its tool in the list".to_owned(), Way::Tool(ToolTrial::Listed));
        for era in Era::ALL {
            self.edit(format!("as a tool, {}", era.version()), move |call, _| {
                call.tool = Some(era);
                // A long list would be cut.
                if let Some(pages) = &operation.pages {
                    let start = format!("{}=", pages.size);
                    call.query.retain(|pair| !pair.starts_with(&start));
                    call.query.push(start + ROWS);
                }
            });
        }
        if operation.keep_seconds.is_some() {
            self.add("as a tool with a key".to_owned(), Way::Tool(ToolTrial::Key));
        }
        for (nth, error) in errors.iter().filter(|error| is_of_tools(error)).enumerate() {
            let era = Era::ALL[nth % 2];
            let name = format!("error {} as a tool, {}", error.name, era.version());
            self.add(name, Way::Tool(ToolTrial::Error(error, era)));
        }
    }
}

impl Probing<'_> {
    pub(super) fn tool(&mut self, called: Called<'static>, trial: ToolTrial) -> Result<(), NotSent> {
        match trial {
            ToolTrial::Protocol => self.protocol(called),
            ToolTrial::Listed => self.listed(called),
            ToolTrial::Key => self.tool_key(called),
            ToolTrial::Error(error, era) => self.tool_error(called, error, era),
        }
    }

    /// The call as a tool. It is one, or the probe is not tried.
    pub(super) fn as_tool(&self, call: &Call<'static>) -> Result<(), NotSent> {
        let (Some((surface, _)), Some(era)) = (call.operation, call.tool) else {
            return Ok(());
        };
        self.speaks(surface, era)?;
        match self.session.can_be_tool(call) {
            true => Ok(()),
            false => Err(NotSent::Lacks("a tool cannot say what the call says".to_owned())),
        }
    }

    /// The server lists the tools in this version of the protocol.
    fn speaks(&self, surface: &Surface, era: Era) -> Result<(), NotSent> {
        let subject = self.run.subject;
        let lacks = match subject.options.has_tools {
            false => "tools are not tried".to_owned(),
            true if subject.eras(surface, &self.session.known).contains(&era) => return Ok(()),
            true => format!("the server does not list the tools in version {}", era.version()),
        };
        Err(NotSent::Lacks(lacks))
    }

    /// Methods that each server of tools has, an unknown one, and an unknown tool.
    fn protocol(&mut self, (surface, _): Called<'static>) -> Result<(), NotSent> {
        let subject = self.run.subject;
        if !subject.options.has_tools {
            return Err(NotSent::Lacks("tools are not tried".to_owned()));
        }
        let mut eras = subject.eras(surface, &self.session.known);
        if eras.is_empty() {
            // The first message shows why.
            eras.push(Era::Stated);
        }
        let model = self.generator.model;
        let level = self.run.subject.options.level;
        let texts = texts(model, surface).map(|texts| texts.instructions);
        let instructions: Value = texts
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default();
        let has = |list: &Value, one: &str| list.as_array().is_some_and(|list| list.contains(&one.into()));
        let no_tool = surface.operations.iter().find(|one| !one.is_tool());
        let no_tool = no_tool.map_or("no_such_tool", |one| one.name.as_str());
        for era in eras {
            let (begin, params) = match era {
                Era::Stated => ("server/discover", json!({})),
                Era::Initialized => {
                    let client = json!({ "name": "codegen conform", "version": "1" });
                    let version = era.version();
                    let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
                    ("initialize", params)
                }
            };
            self.message(surface, era, begin, params, &|reply| {
                let result = &reply["result"];
                let is_agreed = match era {
                    Era::Stated => has(&result["supportedVersions"], era.version()),
                    Era::Initialized => {
                        result["protocolVersion"] == era.version()
                            && (level < Level::Texts || result["serverInfo"]["name"] == model.name)
                    }
                };
                let is_explained = level < Level::Texts || result["instructions"] == instructions;
                match result["capabilities"]["tools"].is_object() && is_agreed && is_explained {
                    true => Ok(()),
                    false => {
                        let wanted = format!(
                            "tools of {} in version {}, instructions {instructions}",
                            model.name,
                            era.version()
                        );
                        Err(found("what the server of the tools says of itself", result, wanted))
                    }
                }
            })?;
            for (method, params, code) in [
                ("tools/none", json!({}), METHOD_NOT_FOUND),
                (
                    "tools/call",
                    json!({ "name": "no_such_tool", "arguments": {} }),
                    INVALID_PARAMS,
                ),
                (
                    "tools/call",
                    json!({ "name": no_tool, "arguments": {} }),
                    INVALID_PARAMS,
                ),
            ] {
                self.message(
                    surface,
                    era,
                    method,
                    params,
                    &|reply| match reply["error"]["code"] == code {
                        true => Ok(()),
                        false => {
                            let cause = format!("the reply to {method} of an unknown name");
                            Err(found(cause, reply, format!("the error {code}")))
                        }
                    },
                )?;
            }
        }
        Ok(())
    }

    fn listed(&mut self, (surface, operation): Called<'static>) -> Result<(), NotSent> {
        let name = operation.tool_name();
        let named = |list: &Value| {
            let mut all = list.as_array().into_iter().flatten();
            all.find(|tool| tool["name"] == name).cloned()
        };
        let wanted = listed(self.generator.model, operation);
        let wanted: Value = serde_json::from_str(&wanted).expect("a tool is described as JSON");
        let level = self.run.subject.options.level;
        let eras = self.run.subject.eras(surface, &self.session.known);
        if eras.is_empty() {
            self.speaks(surface, Era::Stated)?;
        }
        for era in eras {
            self.message(surface, era, "tools/list", json!({}), &|reply| {
                let came = named(&reply["result"]["tools"]).unwrap_or_default();
                let [a, b] = [&wanted, &came].map(|tool| described(tool, level));
                match a == b {
                    true => Ok(()),
                    false => Err(found("a tool in the list", b, a)),
                }
            })?;
        }
        Ok(())
    }

    /// A call with a key as a tool, in both versions, and as a request: all three are one.
    fn tool_key(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let mut call = self.keyed(called)?;
        for tool in Era::ALL.map(Some).into_iter().chain([None]) {
            call.tool = tool;
            self.as_tool(&call)?;
            self.send(&call)?;
        }
        Ok(())
    }

    fn tool_error(&mut self, called: Called<'static>, error: &'static ErrorEntry, era: Era) -> Result<(), NotSent> {
        const TRIES: usize = 12;
        self.speaks(called.0, era)?;
        let goal = (called.0, called.1, Some(error));
        let mut call = self.with_error(called, error)?;
        for _ in 0..TRIES {
            call.tool = Some(era);
            if self.session.can_be_tool(&call) {
                break;
            }
            let wish = wish_for(&mut self.generator, &self.session.known, &goal);
            call = self.find(goal, &wish).unwrap_or(call);
        }
        call.tool = Some(era);
        self.as_tool(&call)?;
        self.send(&call).map(|_| ())
    }

    /// Sends a message of the protocol, whose reply must pass.
    fn message(
        &mut self,
        surface: &'static Surface,
        era: Era,
        method: &str,
        params: Value,
        judge: &dyn Fn(&Value) -> Result<(), Box<Found>>,
    ) -> Result<(), NotSent> {
        let request = message(surface, era, method, params);
        let known = &self.session.known.credentials;
        let is_own = |kind: &String| Some(kind) == surface.credential.as_ref();
        let call = Call {
            method: request.method,
            other_path: Some(request.target),
            headers: request.headers,
            raw: request.body,
            credential: known.iter().rposition(|one| is_own(&one.kind) && !one.has_ended),
            ..Call::default()
        };
        let request = call.request(self.generator.model, &self.session.known);
        let response = (self.run.subject.sender)(&request).map_err(NotSent::Lacks)?;
        if response.status == 429 && self.run.subject.options.is_limited {
            return Err(NotSent::Lacks("a limit of the server rejects it".to_owned()));
        }
        match tools::reply(&response).and_then(|reply| judge(&reply)) {
            Ok(()) => Ok(()),
            Err(mut found) => {
                found.is_of_calls = false;
                Err(self.differs(Sent::new(&call, request, response), *found))
            }
        }
    }
}

/// What is compared of a tool in the list.
fn described(tool: &Value, level: Level) -> Value {
    let schema = &tool["inputSchema"];
    let names = |of: &Value| {
        let all = of.as_object().into_iter().flat_map(serde_json::Map::keys);
        all.cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required: Vec<&str> = required.filter_map(Value::as_str).collect();
    required.sort_unstable();
    match level {
        Level::Texts => tool.clone(),
        Level::Values => {
            json!({ "name": tool["name"], "arguments": names(&schema["properties"]), "required": required })
        }
        Level::Shape => tool["name"].clone(),
    }
}
