//! Two responses to one call: whatever the contract declares must be equal.

use super::call::Call;
use super::causes::Causes;
use super::elsewhere::is_from_elsewhere;
use super::envelope::{body, error};
use super::found::{Placed, Verdict, differ, keys, names, outcome_place, same, words};
use super::known::Knowledge;
use super::subject::Subject;
use super::tools;
use super::undeclared::undeclared;
use crate::contract::text_in;
use crate::exchange::{Response, shortened};
use crate::level::Level;
use crate::query::encoded;
use crate::response_headers;
use crate::template::match_template;
use codegen::Model;
use codegen::model::{
    Data, EnvelopeValue, ErrorEntry, FilterBy, KnownNames, Nearest, Operation, SuccessBody, Template,
};
use codegen::step::Step;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Compares responses.
pub(super) struct Comparer<'m> {
    pub(super) model: &'m Model,
    pub(super) level: Level,
    /// Seconds by which times may differ.
    pub(super) slack: u64,
    /// Whether the data of successes are left out: what an operation shows is not declared.
    pub(super) skips_data: bool,
    /// Whether headers of limits are compared.
    pub(super) has_limit_headers: bool,
    /// Resources and fields whose values are the service's own.
    pub(super) undeclared: HashSet<(&'m str, &'m str)>,
    /// By object: the numbers of the subject for those of the model.
    pub(super) numbers: HashMap<&'m str, HashMap<i64, i64>>,
    /// The rows of others by the list and its filters.
    pub(super) foreign: HashMap<String, u64>,
    /// The names of the requests so far.
    request_ids: HashSet<String>,
    /// The ids of events, and the other one's for each: those of the model, and those of the subject.
    pub(super) event_ids: [HashMap<Value, Value>; 2],
    causes: Rc<Causes>,
    /// The operation that is compared.
    operation: String,
}

/// A call with the answers of both.
#[derive(Clone, Copy)]
pub(super) struct Answers<'c, 'm> {
    pub(super) call: &'c Call<'m>,
    pub(super) known: &'c Knowledge<'m>,
    pub(super) model: &'c Response,
    pub(super) subject: &'c Response,
    /// `data` of the model with all rows on one page.
    pub(super) unpaged: &'c dyn Fn() -> Value,
}

impl Comparer<'static> {
    pub(super) fn new(subject: &Subject<'_>) -> Self {
        Self {
            has_limit_headers: !subject.is_real(),
            causes: subject.causes.clone(),
            ..Self::of(subject.model, subject.options.level, subject.slack())
        }
    }
}

impl<'m> Comparer<'m> {
    pub(super) fn of(model: &'m Model, level: Level, slack: u64) -> Self {
        Self {
            model,
            level,
            slack,
            skips_data: false,
            has_limit_headers: false,
            undeclared: undeclared(model),
            numbers: HashMap::new(),
            foreign: HashMap::new(),
            request_ids: HashSet::new(),
            event_ids: [HashMap::new(), HashMap::new()],
            causes: Rc::default(),
            operation: String::new(),
        }
    }

    pub(super) fn has_values(&self) -> bool {
        self.level >= Level::Values
    }

    pub(super) fn compare(&mut self, of: Answers<'_, 'm>) -> Verdict {
        let Answers {
            call, model, subject, ..
        } = of;
        let wanted = error(self.model, call.operation, model);
        let (place, declared) = outcome_place(call.operation, wanted);
        self.operation = call.name();
        if model.status != subject.status {
            let cause = status_cause(subject.status, (model.status, wanted));
            let show = |response: &Response| {
                let body = String::from_utf8_lossy(&response.body);
                format!("{} {}", response.status, shortened(&body))
            };
            let verdict = differ(cause, show(subject), show(model)).at(place, || declared);
            return verdict.map_err(|mut found| {
                found.instead_of = Some(wanted.map_or_else(String::new, |error| error.name.clone()));
                found
            });
        }
        if self.has_values() {
            let verdict = match of.call.tool {
                Some(_) => self.headers_of_tools(of),
                None => self.headers(of),
            };
            let verdict = verdict.at(place, || declared.clone());
            self.unless_known(verdict)?;
        }
        if call.method == "HEAD" {
            return Ok(());
        }
        self.bodies(of).at(place, || declared)
    }

    /// Leaves out a difference that is known.
    pub(super) fn unless_known(&self, verdict: Verdict) -> Verdict {
        verdict.or_else(|found| match self.causes.is_known(&self.operation, &found.cause) {
            true => Ok(()),
            false => Err(found),
        })
    }

    fn bodies(&mut self, of: Answers<'_, 'm>) -> Verdict {
        let bodies = [body(of.model), body(of.subject)];
        let is_success = of.model.status < 400;
        let operation = of.call.operation.map(|(_, operation)| operation);
        match operation.filter(|_| is_success).map(Operation::success_body) {
            Some(SuccessBody::Data) if self.skips_data => return Ok(()),
            Some(SuccessBody::Data) => return self.data(of, [&bodies[0], &bodies[1]]),
            Some(SuccessBody::Nothing) => {
                // Neither has a length (RFC 9110 §8.6).
                for name in ["content-length", "transfer-encoding"] {
                    let came = values(of.subject, name);
                    let is_allowed = name == "content-length" && of.subject.status != 204;
                    if !is_allowed && !came.is_empty() {
                        return differ(format!("header {name} of a response without a body"), came, "none");
                    }
                }
                return same("bytes of the body", &of.model.body.len(), &of.subject.body.len());
            }
            _ => {}
        }
        let (Some(a), Some(b)) = (bodies[0].as_object(), bodies[1].as_object()) else {
            let [a, b] = [of.model, of.subject].map(|response| String::from_utf8_lossy(&response.body).into_owned());
            return same("body", &a, &b);
        };
        if !is_success {
            let texts = [&bodies[0], &bodies[1]].map(|body| text_in(self.model, body));
            return match (of.call.tool, texts) {
                (Some(_), [Some(a), Some(b)]) => self.text(of, [a, b]),
                _ => self.error_members(of, &self.model.error, [&bodies[0], &bodies[1]]),
            };
        }
        same("members of the body", &keys(&bodies[0]), &keys(&bodies[1]))?;
        let total = self.is_shared(of.call).then(|| self.total_member(of.call)).flatten();
        for (name, value) in a {
            let other = &b[name];
            let shown = self.model.success.get(name).and_then(EnvelopeValue::placeholder);
            let verdict = match shown.map_or("", |word| word.as_str()) {
                "data" | "siblings" if self.skips_data => Ok(()),
                "data" => self.data(of, [value, other]),
                _ if Some(name.as_str()) == total => self.total(of, [value, other]),
                _ if self.has_values() => same(&format!("member {name}"), value, other),
                _ => self.kind(name, [value, other]),
            };
            self.unless_known(verdict)?;
        }
        Ok(())
    }

    /// The headers that the contract declares.
    fn headers(&mut self, of: Answers) -> Verdict {
        let error = error(self.model, of.call.operation, of.model);
        let is_of_limit = |step| matches!(step, Step::Limit | Step::CredentialLimit | Step::ResponseBytes);
        let of_service = self
            .model
            .headers
            .iter()
            .filter(|(_, template)| template.placeholders().is_empty());
        let of_limits = self.model.limit_headers.iter().filter(|_| self.has_limit_headers);
        let of_error = error
            .into_iter()
            .filter(|error| self.has_limit_headers || !is_of_limit(error.step))
            .flat_map(|error| &error.headers);
        let of_errors = self.model.error_headers.iter().filter(|_| error.is_some());
        let realms = self.model.credentials.iter().flat_map(|credential| &credential.realms);
        let of_realms = realms.flat_map(|realm| &realm.headers);
        let declared = of_service
            .chain(of_realms)
            .chain(of_limits)
            .chain(of_errors)
            .chain(of_error);
        for (name, template) in declared {
            let [a, mut b] = [of.model, of.subject].map(|response| values(response, name));
            if name.eq_ignore_ascii_case("allow") && self.level < Level::Texts {
                b = without_extra_methods(&a, &b);
            }
            self.header_of_template(name, template, [&a, &b])?;
        }
        self.declared_headers(of)?;
        self.headers_of_files(of)?;
        self.headers_of_tools(of)?;
        let [a, b] = [of.model, of.subject].map(|response| values(response, "cache-control"));
        // An error may forbid what it need not.
        let is_stricter = a.is_empty() && of.model.status >= 400 && b == "no-store";
        if !is_stricter && (a.is_empty() || !b.contains(&a)) {
            same("header Cache-Control", &a, &b)?;
        }
        let [a, b] = [of.model, of.subject].map(|response| {
            let value = values(response, "content-type");
            let end = value.find(';').filter(|_| self.level < Level::Texts);
            value[..end.unwrap_or(value.len())].to_ascii_lowercase()
        });
        same("header Content-Type", &a, &b)?;
        for (name, template) in &self.model.headers {
            let is_name = template.placeholders() == ["request_id"] && template.0.len() == 1;
            let value = values(of.subject, name);
            if is_name && !self.request_ids.insert(value.clone()) {
                return differ(
                    format!("header {name} is the same twice"),
                    value,
                    "a new name for each request",
                );
            }
            let count = |response: &Response| {
                let names = response.headers.iter().map(|(known, _)| known);
                names.filter(|known| known.eq_ignore_ascii_case(name)).count()
            };
            same(
                &format!("number of headers {name}"),
                &count(of.model),
                &count(of.subject),
            )?;
        }
        Ok(())
    }

    /// A header whose value is written as a template says.
    fn header_of_template(&self, name: &str, template: &Template, [a, b]: [&str; 2]) -> Verdict {
        match template.placeholders().contains(&"fault_codes") && self.level < Level::Texts {
            true => fault_codes(name, a, b),
            false if self.differ_in_time(template, a, b) => Ok(()),
            false => same(&format!("header {name}"), a, b),
        }
    }

    /// The headers that the results of tools show, too: proposed names, and that the response is one of an earlier request.
    fn headers_of_tools(&self, of: Answers<'_, 'm>) -> Verdict {
        let wanted = error(self.model, of.call.operation, of.model).filter(|_| of.call.tool.is_some());
        if let Some(wanted) = wanted {
            let came = values(of.subject, tools::ERROR);
            if !came.is_empty() {
                same("name of the error", wanted.name.as_str(), came.as_str())?;
            }
            let is_of_limit = matches!(wanted.step, Step::Limit | Step::CredentialLimit | Step::ResponseBytes);
            for (name, template) in wanted.headers.iter().filter(|_| self.has_limit_headers || !is_of_limit) {
                let [a, b] = [of.model, of.subject].map(|response| values(response, name));
                self.header_of_template(name, template, [&a, &b])?;
            }
        }
        for nearest in self.nearest(of) {
            let [a, b] = [of.model, of.subject].map(|response| values(response, &nearest.header));
            let is_right = match self.level {
                Level::Texts => a == b,
                Level::Shape | Level::Values => is_alike(nearest, of.call, [&a, &b]),
            };
            if !is_right {
                return differ(format!("header {}", nearest.header), b, a);
            }
        }
        let Some(keys) = &self.model.idempotency else {
            return Ok(());
        };
        let [a, b] = [of.model, of.subject].map(|response| values(response, &keys.replayed));
        same(&format!("header {}", keys.replayed), &a, &b)
    }

    /// The headers of the content of a file (RFC 9110 §8.8.3, §14). They say that a browser does not show it as a page of this origin.
    fn headers_of_files(&self, of: Answers<'_, 'm>) -> Verdict {
        let is_file = of.call.operation.is_some_and(|(_, one)| one.content_of.is_some());
        if !is_file || of.model.status >= 400 {
            return Ok(());
        }
        let pair = |name: &str| [of.model, of.subject].map(|response| values(response, name));
        let [a, b] = pair("content-range");
        same("header content-range", &a, &b)?;
        let [_, tag] = pair("etag");
        if !(tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"')) {
            return differ("header etag", tag, "a strong validator");
        }
        for name in ["accept-ranges", "content-security-policy", "content-disposition"] {
            let [a, b] = pair(name);
            let rest = b.strip_prefix(&a);
            if self.level == Level::Texts && !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(';')) {
                return differ(format!("header {name}"), b, a);
            }
        }
        Ok(())
    }

    /// Whether two texts of a template differ in the end of a window only, by no more than times may.
    fn differ_in_time(&self, template: &Template, a: &str, b: &str) -> bool {
        let [Some(a), Some(b)] = [a, b].map(|text| match_template(template, text)) else {
            return false;
        };
        let is_near = |a: &str, b: &str| match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a.abs_diff(b) <= self.slack,
            _ => false,
        };
        let mut pairs = a.iter().zip(&b);
        pairs.all(|((name, a), (_, b))| a == b || matches!(name.as_str(), "seconds" | "reset_unix") && is_near(a, b))
    }

    /// The headers that a success declares: each is what its own data says, so that ids may differ.
    fn declared_headers(&self, of: Answers<'_, 'm>) -> Verdict {
        let Some((_, operation)) = of.call.operation.filter(|_| of.model.status < 400) else {
            return Ok(());
        };
        let body = body(of.subject);
        let data = super::envelope::data(self.model, of.call, &body);
        let parameter = |name: &str| {
            let sent = of.call.path.iter().find(|(known, _)| *known == name);
            sent.map(|(_, text)| text.clone())
        };
        for header in &operation.headers {
            let [a, b] = [of.model, of.subject].map(|response| values(response, &header.name));
            let wanted = match header.is_total() {
                true if self.is_shared(of.call) => b.clone(),
                true => a,
                false => response_headers::value(header, data, parameter).unwrap_or_default(),
            };
            same(&format!("header {}", header.name), &wanted, &b)?;
        }
        Ok(())
    }

    /// The proposals of names that are compared: items of others are not known.
    fn nearest<'a>(&self, of: Answers<'a, 'm>) -> impl Iterator<Item = &'m Nearest> + use<'a, 'm> {
        let model = self.model;
        let all = of
            .call
            .operation
            .into_iter()
            .flat_map(|(_, operation)| &operation.nearest);
        all.filter(move |nearest| match &nearest.names {
            KnownNames::Synonyms(_) => true,
            KnownNames::Items { resource, .. } => {
                let distinct = model.resource(resource).distinct.as_ref();
                distinct.is_some_and(|distinct| of.known.has_all(&distinct.resource))
            }
        })
    }

    /// The text of an error. Of validation errors at least the names in it; of methods the words.
    pub(super) fn text(&mut self, of: Answers<'_, 'm>, texts: [&Value; 2]) -> Verdict {
        if !self.has_values() {
            return self.kind("text", texts);
        }
        let wanted = error(self.model, of.call.operation, of.model);
        let [a, b] = texts.map(|text| text.as_str().unwrap_or_default());
        // A tool has other names to propose for an unknown one.
        let proposes = of.call.tool.is_some() && wanted.is_some_and(|error| error.step == Step::Decode);
        let is_exact = self.level == Level::Texts && !proposes;
        match wanted.map(|error| error.step) {
            Some(Step::Method) if is_exact => {
                let [mut a, mut b] = [words(a), words(b)];
                a.sort();
                b.sort();
                same("text", &a.join(" "), &b.join(" "))
            }
            _ if is_exact && wanted.is_some_and(|error| self.differ_in_time(&error.text, a, b)) => Ok(()),
            _ if is_exact => same("text", a, b),
            Some(Step::Decode) => {
                let names = names(self.model, of.call.operation.map(|(_, operation)| operation));
                let lacks = |name: &String| names.contains(name.as_str()) && !b.contains(name.as_str());
                let faults = a.split("; ").map(without_hint);
                let faults = faults.collect::<Vec<_>>().join("; ");
                // What is quoted: a name may also be a word of the sentence, such as `at`. Of a place only the member itself: how
                // a server writes where that lies is its own matter.
                let quoted = faults.split('`').skip(1).step_by(2);
                let last = quoted.map(|place| place.rsplit('.').next().unwrap_or(place));
                let mut quoted = last.flat_map(words);
                match quoted.any(|name| lacks(&name)) {
                    true => differ("names in the text of the error", b, a),
                    false => Ok(()),
                }
            }
            Some(Step::Credential) => {
                let headers = self.model.credentials.iter().map(|credential| &credential.header);
                let mut others = headers.filter(|header| !a.contains(header.as_str()));
                match others.any(|header| b.contains(header.as_str())) {
                    true => differ("header in the text of the error", b, a),
                    false => Ok(()),
                }
            }
            _ => {
                // A server with words of its own matches no text of the contract.
                let came = error(self.model, of.call.operation, of.subject).filter(|error| error.step != Step::Decode);
                let names = [wanted, came].map(|error| error.map(|error| error.name.as_str()));
                match names {
                    [Some(wanted), Some(came)] if wanted != came => {
                        differ(format!("error {came} in place of {wanted}"), b, a)
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Whether the type of a value is right.
    pub(super) fn kind(&self, what: &str, of: [&Value; 2]) -> Verdict {
        let name = |value: &Value| match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        if of.iter().any(|value| value.is_null()) {
            return Ok(());
        }
        same(&format!("type of {what}"), name(of[0]), name(of[1]))
    }

    /// Whether a call reads a list that may have rows of others: of all callers, or of a record that no operation makes, which
    /// may have some from before.
    pub(super) fn is_shared(&self, call: &Call) -> bool {
        call.operation.is_some_and(|(surface, operation)| {
            let is_own = |filter: &codegen::model::Filter| {
                let of = match &filter.by {
                    FilterBy::Caller => {
                        let credential = self.model.credential_of(surface);
                        credential.and_then(|credential| Some(&credential.caller.as_ref()?.resource))
                    }
                    FilterBy::Path(name) => {
                        let mut guards = operation.exists();
                        guards
                            .find(|guard| guard.id.name() == name)
                            .map(|guard| &guard.resource)
                    }
                    _ => return false,
                };
                of.is_none_or(|of| !is_from_elsewhere(self.model, of))
            };
            matches!(operation.data, Some(Data::Many { .. })) && !operation.filters.iter().any(is_own)
        })
    }
}

/// Compares the codes of validation errors. A server may stop at the first error of a value, but names each parameter and
/// member that is wrong.
fn fault_codes(header: &str, model: &str, subject: &str) -> Verdict {
    let all = |list: &str| list.split(", ").map(str::to_owned).collect::<HashSet<_>>();
    let of = |fault: &str| fault.split(['.', '[', ';']).next().unwrap_or_default().to_owned();
    let (wanted, came) = (all(model), all(subject));
    let named: HashSet<String> = came.iter().map(|fault| of(fault)).collect();
    match came.is_subset(&wanted) && wanted.iter().all(|fault| named.contains(&of(fault))) {
        true => Ok(()),
        false => differ(format!("header {header}"), subject, model),
    }
}

/// The cause of an answer with another status than the model's, which has this error.
pub(super) fn status_cause(status: u16, (wanted, error): (u16, Option<&ErrorEntry>)) -> String {
    let name = error.map_or("success", |error| &error.name);
    format!("status {status} in place of {wanted} {name}")
}

/// A fault without the names that are proposed: which one was meant is an opinion, and no server need list those it knows.
fn without_hint(fault: &str) -> &str {
    let hints = [", did you mean", ", known are"];
    let end = hints.iter().filter_map(|hint| fault.find(hint)).min();
    end.map_or(fault, |end| &fault[..end])
}

/// The methods of `Allow`, without those that HTTP allows everywhere, unless they are wanted.
fn without_extra_methods(wanted: &str, came: &str) -> String {
    let is_wanted = |method: &&str| {
        let mut all = wanted.split(", ");
        all.any(|one| one == *method) || !matches!(*method, "HEAD" | "OPTIONS")
    };
    came.split(", ").filter(is_wanted).collect::<Vec<_>>().join(", ")
}

/// Whether proposed names may be those of another server, which has its own opinion of what is near. The name is proposed to a
/// text that begins with it, and nothing in place of a name that is known.
fn is_alike(nearest: &Nearest, call: &Call<'_>, [wanted, came]: [&str; 2]) -> bool {
    let start = format!("{}=", nearest.parameter);
    let text = call.query.iter().find_map(|pair| pair.strip_prefix(&start));
    let is_known = |text: &str| match &nearest.names {
        KnownNames::Synonyms(groups) => groups.iter().flatten().any(|name| encoded(name) == text),
        KnownNames::Items { .. } => false,
    };
    match (text, wanted.split(',').next().filter(|name| !name.is_empty())) {
        (Some(text), Some(name)) if text.starts_with(name) && text != name => {
            came.split(',').any(|one| one.trim() == name)
        }
        (Some(text), None) if is_known(text) => came.is_empty(),
        (None, _) => came.is_empty(),
        _ => true,
    }
}

/// The values of a header; of methods in order.
fn values(response: &Response, name: &str) -> String {
    let of_name = response
        .headers
        .iter()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name));
    let mut values: Vec<String> = of_name.map(|(_, value)| value.clone()).collect();
    if name.eq_ignore_ascii_case("allow") {
        values = values.iter().flat_map(|value| words(value)).collect();
        values.sort();
    }
    values.join(", ")
}
