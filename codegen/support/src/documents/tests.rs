//! Documents as a client receives them.

use super::*;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, LINK, LOCATION, VARY};
use http_body_util::{BodyExt, Full};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use warp::Filter;

/// `one\n`, compressed by another program.
const ONE: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcf\x4b\xe5\x02\x00\x9f\xa8\x17\xf8\x04\x00\x00\x00";

const fn one(path: &'static str, query: &'static [Parameter], kind: Kind) -> Document {
    Document {
        path,
        query,
        media_type: "text/plain; charset=utf-8",
        kind,
        when: When::Always,
        relation: None,
        etag: "\"plain\"",
        gzip_etag: "\"packed\"",
        gzip: ONE,
    }
}

const fn parameter(name: &'static str, value: Option<&'static str>, is_default: bool) -> Parameter {
    Parameter {
        name,
        value,
        is_default,
    }
}

const VERSION: &str = "version";
const SURFACE: &str = "surface";
const POLICY: &str = "default-src 'none'";

static DOCUMENTS: &[Document] = &[
    Document {
        relation: Some("service-desc"),
        ..one(
            "/a.json",
            &[parameter(VERSION, Some("2"), true), parameter(SURFACE, None, true)],
            Kind::Document,
        )
    },
    Document {
        etag: "\"former\"",
        ..one(
            "/a.json",
            &[parameter(VERSION, Some("1"), false), parameter(SURFACE, None, true)],
            Kind::Document,
        )
    },
    Document {
        etag: "\"inner\"",
        ..one(
            "/a.json",
            &[
                parameter(VERSION, Some("2"), true),
                parameter(SURFACE, Some("inner"), false),
            ],
            Kind::Document,
        )
    },
    Document {
        relation: Some("service-doc"),
        ..one("/page", &[], Kind::Page { policy: POLICY })
    },
    one("/page/part-1.js", &[], Kind::Part),
    one("/text", &[], Kind::Text),
];

/// The response to a request with these headers; `None` if the filter rejects it.
fn asked(method: &str, target: &str, headers: &[(&str, &str)]) -> Option<DocumentResponse> {
    let mut request = http::Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::new())).expect("a request");
    let others = warp::any().map(|| StatusCode::IM_A_TEAPOT);
    let service = TowerToHyperService::new(warp::service(filter(DOCUMENTS).or(others)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let answer = runtime.expect("a runtime").block_on(async {
        let (head, body) = service.call(request).await.expect("it answers").into_parts();
        DocumentResponse::from_parts(head, body.collect().await.expect("a body").to_bytes())
    });
    (answer.status() != StatusCode::IM_A_TEAPOT).then_some(answer)
}

fn call(method: &str, target: &str, headers: &[(&str, &str)]) -> DocumentResponse {
    asked(method, target, headers).expect("it is ours")
}

fn header(response: &DocumentResponse, name: impl http::header::AsHeaderName) -> &str {
    let value = response.headers().get(name);
    value.map_or("", |value| value.to_str().expect("text"))
}

fn text(response: &DocumentResponse) -> &str {
    str::from_utf8(response.body()).expect("text")
}

#[test]
fn a_text_for_agents_begins_with_the_address_of_the_request() {
    let host = ("host", "localhost:8080");
    let plain = call("GET", "/text", &[host]);
    assert_eq!(text(&plain), "Server: http://localhost:8080\n\none\n");
    let headers = [ETAG, CONTENT_LENGTH, VARY].map(|name| header(&plain, name));
    let vary = "Accept-Encoding, X-Forwarded-Proto";
    assert_eq!(headers, ["\"plain-http://localhost:8080\"", "35", vary]);
    let sizes = call("HEAD", "/text", &[host]);
    assert_eq!((text(&sizes), header(&sizes, CONTENT_LENGTH)), ("", "35"));

    let packed = call(
        "GET",
        "/text",
        &[host, ("accept-encoding", "gzip"), ("x-forwarded-proto", "https")],
    );
    assert_eq!(header(&packed, CONTENT_LENGTH), packed.body().len().to_string());
    let mut unpacked = String::new();
    let read = GzDecoder::new(&packed.body()[..]).read_to_string(&mut unpacked);
    read.expect("the checksum and the length are right");
    assert_eq!(unpacked, "Server: https://localhost:8080\n\none\n");

    let known = ("if-none-match", header(&plain, ETAG));
    assert_eq!(call("GET", "/text", &[host, known]).status().as_u16(), 304);
    let other = call("GET", "/text", &[("host", "127.0.0.1:8080"), known]);
    assert_eq!(text(&other), "Server: http://127.0.0.1:8080\n\none\n");
    for no_host in ["", "a/b", "a`b", "a%20b"] {
        assert_eq!(text(&call("GET", "/text", &[("host", no_host)])), "one\n", "{no_host}");
    }
}

#[test]
fn a_document_is_sent_as_it_is_or_compressed() {
    let plain = call("GET", "/a.json", &[]);
    assert_eq!((plain.status().as_u16(), text(&plain)), (200, "one\n"));
    let headers = [CONTENT_TYPE, ETAG, CONTENT_LENGTH, CONTENT_ENCODING].map(|name| header(&plain, name));
    assert_eq!(headers, ["text/plain; charset=utf-8", "\"plain\"", "4", ""]);

    let packed = call("GET", "/a.json", &[("accept-encoding", "br, gzip")]);
    assert_eq!((packed.status().as_u16(), &**packed.body()), (200, ONE));
    let headers = [CONTENT_TYPE, ETAG, CONTENT_LENGTH, CONTENT_ENCODING].map(|name| header(&packed, name));
    assert_eq!(headers, ["text/plain; charset=utf-8", "\"packed\"", "24", "gzip"]);

    for answer in [plain, packed] {
        assert_eq!(header(&answer, VARY), "Accept-Encoding");
        assert_eq!(header(&answer, CACHE_CONTROL), "no-cache");
    }
    let neither = call("GET", "/a.json", &[("accept-encoding", "*;q=0")]);
    assert_eq!(neither.status(), 406);
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    for accepted in ["identity", "gzip"] {
        let [mut get, head] = ["GET", "HEAD"].map(|method| call(method, "/a.json", &[("accept-encoding", accepted)]));
        assert_eq!(head.body(), "");
        assert_eq!(get.status(), head.status());
        assert_eq!(std::mem::take(get.headers_mut()), *head.headers());
    }
    let rejected = call("HEAD", "/a.json?version=7", &[]);
    assert_eq!((rejected.status().as_u16(), text(&rejected)), (400, ""));
}

#[track_caller]
fn asked_again(known: &[&str], accepted: &str, status: u16) {
    let conditions = known.iter().map(|known| ("if-none-match", *known));
    let headers: Vec<_> = conditions.chain([("accept-encoding", accepted)]).collect();
    let answer = call("GET", "/a.json", &headers);
    assert_eq!(answer.status(), status, "{known:?}");
    let full = call("GET", "/a.json", &[("accept-encoding", accepted)]);
    for name in [ETAG, VARY, CACHE_CONTROL] {
        assert_eq!(header(&answer, &name), header(&full, &name), "{name}");
    }
    if status == 304 {
        assert_eq!(answer.body(), "");
        assert_eq!(
            [CONTENT_TYPE, CONTENT_LENGTH].map(|name| header(&answer, name)),
            ["", ""]
        );
    }
}

#[test]
fn what_a_client_has_already_is_not_sent_again() {
    asked_again(&["\"plain\""], "", 304);
    asked_again(&["\"packed\""], "gzip", 304);
    asked_again(&["W/\"plain\""], "", 304);
    asked_again(&["\"other\",W/\"plain\" , \"third\""], "", 304);
    asked_again(&["\"other\"", "\"plain\""], "", 304);
    asked_again(&[" * "], "gzip", 304);
}

#[test]
fn what_a_client_does_not_have_is_sent() {
    asked_again(&["\"other\""], "", 200);
    asked_again(&["\"packed\""], "", 200);
    asked_again(&["\"plain\""], "gzip", 200);
    asked_again(&["plain", "\"plain", "\"not plain\"", "\"*\"", "", "\""], "", 200);
}

#[test]
fn a_query_selects_a_variant() {
    for (target, etag) in [
        ("/a.json", "\"plain\""),
        ("/a.json?", "\"plain\""),
        ("/a.json?version=2", "\"plain\""),
        ("/a.json?version=1", "\"former\""),
        ("/a.json?surface=inner", "\"inner\""),
        ("/a.json?surface=inn%65r&version=2", "\"inner\""),
    ] {
        assert_eq!(header(&call("GET", target, &[]), ETAG), etag, "{target}");
    }
}

#[track_caller]
fn rejected(target: &str, error: &str, offer: &str) {
    let answer = call("GET", target, &[]);
    assert_eq!(answer.status(), 400, "{target}");
    assert_eq!(text(&answer), format!("{error}\n{offer}\n"));
    let headers = [CONTENT_TYPE, CACHE_CONTROL, ETAG].map(|name| header(&answer, name));
    assert_eq!(headers, ["text/plain; charset=utf-8", "no-store", ""]);
}

#[test]
fn a_query_that_selects_nothing_is_answered_with_what_there_is() {
    let offer = "/a.json takes version=2 (as without it), version=1; surface=inner";
    let check = |query: &str, error: &str| rejected(&format!("/a.json?{query}"), error, offer);
    check("versoin=2", "`versoin` is not known here, did you mean `version`?");
    check("version=3", "`version` must be one of `2`, `1`");
    check("version=2&version=2", "`version` must be given only once");
    check("version=", "`version` must not be empty");
    check("surface=%ff", "`surface` must be percent-encoded UTF-8");
    check(
        "surface=x&a=1",
        "`a` is not known here, known are `version`, `surface`; `surface` must be `inner`",
    );
    rejected("/page?x=1", "`x` is not known here", "/page takes no parameters");
}

#[test]
fn an_unknown_combination_is_answered_with_the_known_ones() {
    let offer = "/a.json takes version=2 (as without it), version=1; surface=inner";
    rejected(
        "/a.json?version=1&surface=inner",
        "there is none of all these at once",
        offer,
    );
}

#[test]
fn another_method_is_answered_with_the_allowed_ones() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "BREW"] {
        for path in ["/page", "/page/", "/"] {
            let answer = call(method, path, &[]);
            assert_eq!((answer.status().as_u16(), header(&answer, ALLOW)), (405, "GET, HEAD"));
            assert_eq!(text(&answer), "this can only be read: GET or HEAD\n");
        }
    }
}

#[test]
fn each_answer_leads_to_the_others() {
    let links = "</a.json>; rel=\"service-desc\", </page>; rel=\"service-doc\"";
    for target in [
        "/a.json",
        "/a.json?version=1",
        "/page",
        "/page/part-1.js",
        "/page?x",
        "/",
        "/page/",
    ] {
        let answer = call("GET", target, &[]);
        assert_eq!(header(&answer, LINK), links);
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
    }
}

#[test]
fn a_page_is_guarded_and_a_document_is_open_to_all() {
    let headers = |target| {
        let answer = call("GET", target, &[]);
        let names = [
            "content-security-policy",
            "x-frame-options",
            "referrer-policy",
            "access-control-allow-origin",
        ];
        names.map(|name| header(&answer, name).to_owned())
    };
    assert_eq!(headers("/page"), [POLICY, "DENY", "no-referrer", ""]);
    assert_eq!(headers("/a.json"), ["", "", "", "*"]);
    assert_eq!(headers("/page/part-1.js"), ["", "", "", ""]);
}

#[test]
fn what_never_changes_is_kept_and_all_else_asked_for_again() {
    let headers = |target| header(&call("GET", target, &[]), CACHE_CONTROL).to_owned();
    assert_eq!(headers("/page"), "no-cache");
    assert_eq!(headers("/page/part-1.js"), "public, max-age=31536000, immutable");
}

#[test]
fn other_paths_are_left_to_others() {
    for path in [
        "/a.jso",
        "/a.json/",
        "//",
        "/page//",
        "/page/part-1.js/",
        "/a.json/x",
        "/%61.json",
    ] {
        assert!(asked("GET", path, &[]).is_none(), "{path}");
    }
    assert!(asked("CONNECT", "/", &[]).is_none(), "it has no path");
}

#[test]
fn a_browser_is_led_to_the_page() {
    let of_browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    for (target, headers, page) in [
        ("/", &of_browser[..], "page"),
        ("/?from=mail", &of_browser, "page"),
        ("/page/", &[], "../page"),
    ] {
        for method in ["GET", "HEAD"] {
            let answer = call(method, target, headers);
            let headers = [LOCATION, VARY, CONTENT_LENGTH].map(|name| header(&answer, name));
            assert_eq!(
                (answer.status().as_u16(), headers),
                (303, [page, "Accept", "0"]),
                "{target}"
            );
        }
    }
}

#[test]
fn a_program_gets_the_links() {
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "application/json")]] {
        let answer = call("GET", "/", headers);
        let received = [CONTENT_TYPE, VARY, CACHE_CONTROL].map(|name| header(&answer, name));
        assert_eq!(
            (answer.status().as_u16(), received),
            (200, ["application/json", "Accept", "no-cache"])
        );
        let links: serde_json::Value = serde_json::from_str(text(&answer)).expect("JSON");
        let type_ = "text/plain; charset=utf-8";
        let expected = serde_json::json!({ "links": [
            { "rel": "service-desc", "href": "/a.json", "type": type_ },
            { "rel": "service-doc", "href": "/page", "type": type_ },
        ] });
        assert_eq!(links, expected);
        let mut get = answer;
        let head = call("HEAD", "/", headers);
        assert_eq!(head.body(), "");
        assert_eq!(std::mem::take(get.headers_mut()), *head.headers());
    }
}
