//! A service of cups with one possible defect.

use crate::world::{Access, Caller, LimitedService, Request, RequestedResources, Response, World};
use codegen::model::Credential;
use serde_json::{Map, Value as Json, json};
use std::cmp::Reverse;
use std::sync::Mutex;

/// The defect of a service of cups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Defect {
    None,
    OrderReversed,
    TiesReversed,
    OtherOwnersCups,
    ColourIgnored,
    LeastIgnored,
    LeastExclusive,
    TotalTooHigh,
    TotalOfThePage,
    OffsetByOne,
    LastRowMissing,
    DefaultSizeByOne,
    SizeByOne,
    OtherName,
    ACupForgotten,
}

/// A service of cups.
pub(super) struct Cups {
    defect: Defect,
    cups: Mutex<Vec<Json>>,
    owners: Mutex<i64>,
}

impl Cups {
    pub(super) fn with(defect: Defect) -> Self {
        Self {
            defect,
            cups: Mutex::default(),
            owners: Mutex::default(),
        }
    }

    fn make(&self, owner: i64, request: &Request) -> Json {
        let mut cup: Map<String, Json> =
            serde_json::from_slice(request.body.as_deref().expect("a body")).expect("an object");
        let mut cups = self.cups.lock().unwrap();
        let id = cups.len() + 1;
        cup.entry("colour").or_insert(Json::Null);
        cup.extend([("id".to_owned(), json!(id)), ("owner".to_owned(), json!(owner))]);
        cups.push(Json::Object(cup));
        json!({ "data": { "id": id } })
    }

    fn list(&self, owner: i64, request: &Request) -> Json {
        let query = QueryString(request.target.split_once('?').map_or("", |(_, query)| query));
        let found = self.found(owner, &query);
        let total = found.len();
        let page = self.page(found, &query);
        let total = match self.defect {
            Defect::TotalTooHigh => total + 1,
            Defect::TotalOfThePage => page.len(),
            _ => total,
        };
        json!({ "data": page, "total": total })
    }

    /// The owner's matching cups, in order.
    fn found(&self, owner: i64, query: &QueryString<'_>) -> Vec<Json> {
        let is = |defect| self.defect == defect;
        let mut found = self.cups.lock().unwrap().clone();
        found.retain(|cup| {
            let pieces = cup["pieces"].as_i64();
            let enough = |least| pieces > Some(least) || (pieces == Some(least) && !is(Defect::LeastExclusive));
            (cup["owner"] == json!(owner) || is(Defect::OtherOwnersCups))
                && (query.text("colour").is_none_or(|colour| cup["colour"] == colour) || is(Defect::ColourIgnored))
                && (query.number("least").is_none_or(enough) || is(Defect::LeastIgnored))
                && !(is(Defect::ACupForgotten) && cup["id"] == 7)
        });
        let id = |cup: &Json| cup["id"].as_i64();
        found.sort_by_key(|cup| (Reverse(cup["pieces"].as_i64()), id(cup)));
        if is(Defect::TiesReversed) {
            found.sort_by_key(|cup| (Reverse(cup["pieces"].as_i64()), Reverse(id(cup))));
        }
        if is(Defect::OrderReversed) {
            found.reverse();
        }
        found
    }

    /// A page of them, rendered.
    fn page(&self, found: Vec<Json>, query: &QueryString<'_>) -> Vec<Json> {
        let is = |defect| self.defect == defect;
        let default = if is(Defect::DefaultSizeByOne) { 6 } else { 5 };
        let size = query
            .number("size")
            .map_or(default, |size| size - i64::from(is(Defect::SizeByOne)));
        let asked = query.number("offset").unwrap_or(0);
        let offset = asked + i64::from(is(Defect::OffsetByOne) && asked > 0);
        let whole = |number| usize::try_from(number).unwrap();
        let mut page: Vec<Json> = found.into_iter().skip(whole(offset)).take(whole(size)).collect();
        if is(Defect::LastRowMissing) {
            page.pop();
        }
        for cup in &mut page {
            cup.as_object_mut().unwrap().remove("owner");
            if is(Defect::OtherName) && cup["id"] == 3 {
                cup["name"] = json!("another");
            }
        }
        page
    }
}

/// The query of a request.
struct QueryString<'q>(&'q str);

impl<'q> QueryString<'q> {
    fn text(&self, name: &str) -> Option<&'q str> {
        let mut pairs = self.0.split('&');
        pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }
}

impl World for Cups {
    fn call(&self, request: &Request) -> Response {
        let owner = request.headers[0].1.parse().expect("a key is the owner's id");
        let body = match request.method.as_str() {
            "POST" => self.make(owner, request),
            _ => self.list(owner, request),
        };
        Response {
            status: 200,
            headers: [("content-type", "application/json"), ("cache-control", "no-store")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            body: body.to_string().into_bytes(),
        }
    }

    fn call_held(&self, _: &Request, _: &mut dyn FnMut()) -> Response {
        unreachable!("nothing is held here")
    }

    fn caller(&self, _: &'static Credential, _: Option<&str>) -> Caller {
        let mut owners = self.owners.lock().unwrap();
        *owners += 1000;
        Caller {
            secret: owners.to_string(),
            id: *owners,
            kind: "key",
        }
    }

    fn set_access(&self, _: &Caller, _: Access<'_>) {}

    fn create(&self, _: &str, _: &Caller, _: Option<(&str, i64)>) -> i64 {
        0
    }

    fn quota_usage(&self, _: &str) -> u64 {
        0
    }

    fn arrange_error(&self, _: &str, _: &Caller, _: &mut RequestedResources) {}

    fn limited_service(&self) -> Box<dyn LimitedService> {
        unreachable!("no limits are tried")
    }
}
