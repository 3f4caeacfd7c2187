//! The measured service: the source of a program with a handler for each endpoint of the contract, which answers from one
//! record of each resource, and a request for each endpoint.

use super::contract::{GROUP, Group};

/// The key of the one account, and the staff's token.
pub(crate) const KEY: &str = "key_of_the_one_account";

/// The program's source.
pub(crate) fn source(endpoints: usize) -> String {
    let mut text = String::new();
    let mut fields = String::new();
    let mut values = String::new();
    for group in Group::for_endpoints(endpoints) {
        fields += &group.fill("    {p}: Arc<{P}>,\n    {c}: Arc<{C}>,\n    {l}: Arc<{L}>,\n");
        values += &group.fill(RECORDS);
        let count = group.endpoints(endpoints);
        let finders = FINDERS.iter().filter(|(needed_by, _)| *needed_by < count);
        for (_, finder) in finders {
            text += &group.fill(finder);
        }
        for handler in HANDLERS.iter().take(count) {
            text += &group.fill(&handler.source());
        }
    }
    let head = HEAD
        .replace("KEY", KEY)
        .replace("FIELDS", &fields)
        .replace("VALUES", &values);
    format!("{head}{text}")
}

/// A request for each endpoint of the whole groups, as `METHOD PATH` and a body.
pub(crate) fn requests(endpoints: usize) -> Vec<(String, &'static str)> {
    let whole = Group::for_endpoints(endpoints).filter(|group| group.endpoints(endpoints) == GROUP);
    let of_group = |group: Group| REQUESTS.map(|(line, body)| (group.fill(line), body));
    whole.flat_map(of_group).collect()
}

const REQUESTS: [(&str, &str); GROUP] = [
    ("GET /api/v1/{p}s?status=open&minPrice=1&maxPrice=20&limit=50", ""),
    (
        "POST /api/v1/{p}s",
        r#"{"title":"A title","description":"What it is.","price":12.5,"category":"small","tags":["a","b"]}"#,
    ),
    ("GET /api/v1/{p}s/1", ""),
    ("PATCH /api/v1/{p}s/1", r#"{"title":"Another","price":13}"#),
    ("PATCH /api/v1/{p}s/1/status", r#"{"status":"in_progress"}"#),
    ("DELETE /api/v1/{p}s/1", ""),
    ("GET /api/v1/{p}s/1/{c}s?limit=5", ""),
    ("POST /api/v1/{p}s/1/{c}s", r#"{"message":"Something","rating":4.5}"#),
    ("GET /api/v1/{p}s/1/{c}s/1", ""),
    ("GET /api/v1/{l}s", ""),
    ("POST /api/v1/{l}s", r#"{"name":"One","kind":"small","amount":3}"#),
    ("GET /open/v1/{p}s?category=small", ""),
    ("GET /open/v1/{p}s/1", ""),
    ("GET /staff/v1/{l}s?kind=large", ""),
    ("PATCH /staff/v1/{l}s/1", r#"{"note":"Seen"}"#),
];

const HEAD: &str = r#"//! Every endpoint of the contract, answered from one record of each resource.
#![allow(warnings, reason = "generated, and measured only")]

use contract::*;
use std::sync::Arc;

struct App {
FIELDS}

impl App {
    fn new() -> Self {
        let account_id = AccountId::new(1);
        let price = Number::new(12.5).unwrap();
        let created_at = Clock::system().now();
        Self {
VALUES        }
    }
}

impl AdmitApiKey for App {
    async fn admit_api_key(&self, presented: &str) -> Result<Option<ApiKeyCaller>, Failure> {
        let id = AccountId::new(1);
        let caller = ApiKeyCaller { id, limited_by: id, plan: Plan::Verified, suspended: false };
        Ok((presented == "KEY").then_some(caller))
    }
}

impl AdmitStaffToken for App {
    async fn admit_staff_token(&self, presented: &str) -> Result<Option<StaffTokenCaller>, Failure> {
        Ok((presented == "KEY").then_some(StaffTokenCaller {}))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let gate = Arc::new(Limits::new(&LimitSettings { rate_limits: false, ..LimitSettings::default() }));
    let service = hyper_util::service::TowerToHyperService::new(contract::support::warp::service(service_filter(Arc::new(App::new()), gate)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        tokio::spawn(async move {
            let stream = hyper_util::rt::TokioIo::new(stream);
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
        });
    }
}
"#;

const RECORDS: &str = r#"            {p}: Arc::new({P} {
                title: "A title".to_owned(),
                ..{P}::from({P}Seed { id: {P}Id::new(1), account_id, title: String::new(), description: "What it is.".to_owned(), price, created_at })
            }),
            {c}: Arc::new({C}::from({C}Seed { id: {C}Id::new(1), {p}_id: {P}Id::new(1), message: "Something".to_owned(), created_at })),
            {l}: Arc::new({L}::from({L}Seed { id: {L}Id::new(1), account_id, name: "One".to_owned(), kind: {L}Kind::Small, created_at })),
"#;

/// The finder of a resource, after the index of the first endpoint that guards it.
const FINDERS: [(usize, &str); 3] = [
    (
        2,
        r#"
impl Find{P} for App {
    async fn find_{p}(&self, id: {P}Id) -> Result<Option<Arc<{P}>>, Failure> {
        Ok((id.get() == 1).then(|| Arc::clone(&self.{p})))
    }
}
"#,
    ),
    (
        8,
        r#"
impl Find{C} for App {
    async fn find_{c}(&self, id: {C}Id) -> Result<Option<Arc<{C}>>, Failure> {
        Ok((id.get() == 1).then(|| Arc::clone(&self.{c})))
    }
}
"#,
    ),
    (
        14,
        r#"
impl Find{L} for App {
    async fn find_{l}(&self, id: {L}Id) -> Result<Option<Arc<{L}>>, Failure> {
        Ok((id.get() == 1).then(|| Arc::clone(&self.{l})))
    }
}
"#,
    ),
];

/// The handler of an endpoint: its index in the contract, its trait, and the statements.
struct Handler {
    module: &'static str,
    of: &'static str,
    body: &'static str,
}

impl Handler {
    fn source(&self) -> String {
        let Self { module, of, body } = self;
        let (surface, name) = module.split_once("::").expect("a surface and an operation");
        format!(
            "\nimpl contract::{surface}::{of} for App {{\n    async fn {name}(&self, request: contract::{module}::Request) \
             -> Result<contract::{module}::Success, contract::{module}::Error> {{\n        use contract::{module}::*;\n        \
             {body}\n    }}\n}}\n"
        )
    }
}

const fn handler(module: &'static str, of: &'static str, body: &'static str) -> Handler {
    Handler { module, of, body }
}

const HANDLERS: [Handler; GROUP] = [
    handler(
        "customer::list_{p}s",
        "List{P}s",
        "let Query { limit: 1.., .. } = request.query else { return Err(Error::Internal) }; Ok(Page { rows: vec![self.{p}.list()].into(), total: 1 })",
    ),
    handler(
        "customer::create_{p}",
        "Create{P}",
        "let rest = Rest { id: {P}Id::new(2), account_id: request.caller.id, created_at: self.{p}.created_at }; Ok(Success { id: request.body.into_{p}(rest).id })",
    ),
    handler("customer::get_{p}", "Get{P}", "Ok(request.owned_{p}.detail())"),
    handler(
        "customer::update_{p}",
        "Update{P}",
        "request.body.apply(&mut {P}::clone(&request.owned_{p})); Ok(())",
    ),
    handler(
        "customer::move_{p}",
        "Move{P}",
        "let (from, to) = (request.owned_{p}.status, request.body.status); if from.may_become(to) { Ok(()) } else { Err(Error::Move { from, to }) }",
    ),
    handler("customer::delete_{p}", "Delete{P}", "drop(request); Ok(())"),
    handler(
        "customer::list_{c}s",
        "List{C}s",
        "Ok(Page { rows: vec![self.{c}.item(&request.owned_{p}.title)].into(), total: 1 })",
    ),
    handler(
        "customer::create_{c}",
        "Create{C}",
        "if request.body.message.is_empty() { return Err(Error::Closed) }; Ok(Success { id: {C}Id::new(2) })",
    ),
    handler(
        "customer::get_{c}",
        "Get{C}",
        "Ok(request.{c}.item(&request.owned_{p}.title))",
    ),
    handler(
        "customer::list_{l}s",
        "List{L}s",
        "let _ = request; Ok(vec![self.{l}.item()])",
    ),
    handler(
        "customer::create_{l}",
        "Create{L}",
        "let rest = Rest { id: {L}Id::new(2), account_id: request.caller.id, created_at: self.{l}.created_at }; Ok(Success { id: request.body.into_{l}(rest).id })",
    ),
    handler(
        "visitor::list_{p}s",
        "List{P}s",
        "let _ = request; Ok(Page { rows: vec![self.{p}.list()].into(), total: 1 })",
    ),
    handler("visitor::get_{p}", "Get{P}", "Ok(request.{p}.detail())"),
    handler(
        "staff::list_{l}s",
        "List{L}s",
        "let _ = request; Ok(Page { rows: vec![self.{l}.item()].into(), total: 1 })",
    ),
    handler(
        "staff::update_{l}",
        "Update{L}",
        "request.body.apply(&mut {L}::clone(&request.{l})); Ok(())",
    ),
];
