//! The library of the tests: its contract, and calls to its mock.

use bytes::Bytes;
use http::Request;
use http::request::Parts;
use mock::{Mock, Options};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

static LIBRARY: LazyLock<codegen::Model> = LazyLock::new(|| {
    let compiled = codegen::compile(include_str!("api.yaml"));
    compiled.unwrap_or_else(|errors| panic!("{errors:?}"))
});

/// 2026-11-23T12:00:00, in milliseconds since 1970.
pub(crate) const NOON: u64 = 1_795_435_200_000;

/// A mock, and its time.
pub(crate) struct Library {
    pub(crate) mock: Mock,
    /// In milliseconds since 1970.
    now: AtomicU64,
}

impl Library {
    /// An empty library, with its badge.
    pub(crate) fn open(options: Options) -> Self {
        let credentials = vec![("badge".to_owned(), "badge".to_owned())];
        let mock = Mock::new(&LIBRARY, Options { credentials, ..options });
        let now = AtomicU64::new(NOON);
        Self { mock, now }
    }

    /// An empty library whose loans have UUIDs of version 7.
    pub(crate) fn with_uuids() -> Self {
        let source = include_str!("api.yaml").replace("noun: loan\n", "noun: loan\n    ids: uuid_v7\n");
        let model = codegen::compile(&source).unwrap_or_else(|errors| panic!("{errors:?}"));
        let options = Options {
            credentials: vec![("badge".to_owned(), "badge".to_owned())],
            ..Options::default()
        };
        let mock = Mock::new(Box::leak(Box::new(model)), options);
        let now = AtomicU64::new(NOON);
        Self { mock, now }
    }

    /// Without limits, with two readers and three books; and the cards of the readers.
    pub(crate) fn filled() -> (Self, [String; 2]) {
        let library = Self::open(Options {
            rate_limits: false,
            ..Options::default()
        });
        let cards = ["Ann", "Bob"].map(|name| library.reader(name));
        let books = r#"{"books":[
            {"title":"b","language":"English","tags":[{"name":"sea"},{"name":"ＳＫＹ"}]},
            {"title":"a","language":"日本語","tags":[{"name":"Sea"}]},
            {"title":"b","language":"ENGLISH","is_lendable":false,"tags":[]}]}"#;
        library.check(
            "POST /desk/books",
            "badge",
            books,
            r#"201 {"ok":true,"data":{"ids":[1,2,3]}}"#,
        );
        (library, cards)
    }

    /// A new reader; returns the card.
    pub(crate) fn reader(&self, name: &str) -> String {
        let body = format!(r#"{{"name":"{name}"}}"#);
        secret(&self.call("POST /desk/readers", "badge", &body))
    }

    /// The status and the body.
    pub(crate) fn call(&self, call: &str, credential: &str, body: &str) -> String {
        let parts = self.request(call, credential);
        let now = self.now.load(Ordering::Relaxed);
        let response = self
            .mock
            .handle(&parts, Bytes::from(body.to_owned()), "127.0.0.1".parse().ok(), now);
        format!(
            "{} {}",
            response.status().as_u16(),
            String::from_utf8_lossy(response.body())
        )
    }

    pub(crate) fn request(&self, call: &str, credential: &str) -> Parts {
        let (method, target) = call.split_once(' ').expect("a method and a target");
        let header = if credential == "badge" { "X-Badge" } else { "X-Card" };
        let request = Request::builder()
            .method(method)
            .uri(target)
            .header("Content-Type", "application/json");
        let (parts, ()) = request
            .header(header, credential)
            .body(())
            .expect("it can be sent")
            .into_parts();
        parts
    }

    #[track_caller]
    pub(crate) fn check(&self, call: &str, credential: &str, body: &str, expected: &str) {
        assert_eq!(self.call(call, credential, body), expected, "{call}");
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.now.fetch_add(seconds * 1000, Ordering::Relaxed);
    }
}

/// The credential in an answer.
pub(crate) fn secret(answer: &str) -> String {
    let (_, rest) = answer.split_once(r#""card":""#).unwrap_or_else(|| panic!("{answer}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}
