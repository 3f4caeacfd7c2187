//! The checks that every operation gets: credentials, methods, paths, whole bodies.

use crate::attempt::{Attempt, Presented};
use crate::level::Level;
use crate::sample::wrong_texts;
use crate::suite::leave_out;
use crate::types::Type;
use codegen::model::Body;
use codegen::step::Step;

/// HTTP methods, and one of an extension of HTTP, which no operation has.
const METHODS: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "HEAD", "OPTIONS"];

/// Changes of a valid credential, each into one that looks like it.
pub(crate) const CREDENTIAL_CHANGES: [fn(&str) -> String; 6] = [
    |secret| {
        let hidden = |c: char| if c.is_ascii_lowercase() { 'x' } else { c };
        secret.chars().map(hidden).collect()
    },
    |secret| format!("{secret}x"),
    |secret| secret[..secret.len() - 1].to_owned(),
    |secret| {
        let other_case = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        secret.chars().map(other_case).collect()
    },
    |secret| format!("{secret},{secret}"),
    |_| String::new(),
];

/// The declared types of a body that is none of JSON. Servers may differ in the last four.
const MEDIA_TYPES: [&[&str]; 8] = [
    &[],
    &["text/plain"],
    &["application/x-www-form-urlencoded"],
    &["application/jsonp"],
    &[""],
    &["application/json; charset=latin1"],
    &["application/json", "application/json"],
    &["application/json, text/plain"],
];

/// The declared types of a body that is JSON.
pub(crate) const JSON_MEDIA_TYPES: [(&str, &str); 2] = [
    ("media_type_in_capitals", "Application/JSON"),
    ("media_type_with_charset", "application/json; charset=UTF-8"),
];

/// The declared types of a file that no operation takes.
pub(crate) const FILE_TYPES: [&[&str]; 4] = [&[], &["application/json"], &["application/octet-stream"], &["text"]];

/// Bodies that are not JSON.
const NOT_JSON: [&[u8]; 11] = [
    b"",
    b" ",
    b"{",
    b"{}{}",
    b"{\"a\":1,}",
    b"{'a':1}",
    b"{\"a\":\"\xff\"}",
    b"{\"a\":\"\\ud800\"}",
    b"{\"a\":01}",
    b"{\"a\":NaN}",
    b"\xef\xbb\xbf{}",
];

/// JSON that is no object.
pub(crate) const NO_OBJECTS: [&str; 6] = ["null", "true", "1", "\"text\"", "[]", "[{}]"];

/// Methods that a path may not offer. Many servers answer HEAD like GET, and OPTIONS by themselves.
pub(crate) fn methods(is_strict: bool) -> &'static [&'static str] {
    &METHODS[..if is_strict { 8 } else { 6 }]
}

/// Ends that make a path longer than any. Some servers ignore empty segments.
pub(crate) fn suffixes(is_strict: bool) -> &'static [&'static str] {
    &["/", "/x/x/x/x/x/x/x/x", "//"][..if is_strict { 3 } else { 2 }]
}

/// The declared types of a body that is not taken as JSON.
pub(crate) fn other_media_types(is_strict: bool) -> &'static [&'static [&'static str]] {
    &MEDIA_TYPES[..if is_strict { 8 } else { 4 }]
}

/// Bodies that are not JSON, of at most so many bytes; the empty one is the first.
pub(crate) fn not_json(max_bytes: usize) -> impl Iterator<Item = Vec<u8>> {
    let deep = "[".repeat(max_bytes.min(100_000)).into_bytes();
    NOT_JSON.into_iter().map(<[u8]>::to_vec).chain([deep])
}

/// The texts that are no value of this type. Some of them are read as numbers by many libraries.
pub(crate) fn other_texts(of: &Type, is_strict: bool) -> Vec<&'static str> {
    let is_lenient = |text: &&str| ["+5", ".5", "5.", "１", "1 ", " 1"].contains(text);
    let texts = wrong_texts(of).into_iter();
    texts.filter(|text| is_strict || !is_lenient(text)).collect()
}

impl Attempt {
    /// A request without a credential has no effect.
    #[track_caller]
    pub fn rejects_without_credential(mut self) {
        self.presented = Presented::Not;
        self.rejected(Step::Credential);
    }

    /// An unknown credential is rejected, however similar it looks to a valid one.
    #[track_caller]
    pub fn rejects_unknown_credentials(mut self) {
        for change in CREDENTIAL_CHANGES {
            self.presented = Presented::As(change);
            self.rejected(Step::Credential);
        }
    }

    /// The right credential, sent twice, is rejected.
    #[track_caller]
    pub fn rejects_credential_twice(mut self) {
        self.presented = Presented::Twice;
        self.rejected(Step::Credential);
    }

    /// Credentials of other kinds are rejected.
    #[track_caller]
    pub fn rejects_credentials_of_other_kinds(self) {
        let stage = self.stage(true);
        let contract = self.operation.contract;
        let kinds = contract.model.credentials.iter();
        for other in kinds.filter(|kind| self.operation.credential.is_none_or(|own| own.name != kind.name)) {
            let plan = contract.plans(other).first().map(String::as_str);
            let caller = self.world.caller(other, plan);
            let stage = crate::stage::Stage {
                caller,
                ..(*stage).clone()
            };
            self.rejected_at(Step::Credential, &stage);
        }
    }

    /// A suspended caller is rejected.
    #[track_caller]
    pub fn rejects_suspended_caller(self) {
        let stage = self.stage(false);
        self.suspend(&stage.caller);
        self.rejected_at(Step::Suspended, &stage);
    }

    /// Other methods of the path are rejected before authentication, and the answer lists the allowed ones.
    #[track_caller]
    pub fn rejects_other_methods(mut self) {
        let methods = methods(self.is_strict()).iter();
        let others: Vec<_> = methods.filter(|one| !self.operation.allow.contains(one)).collect();
        if others.is_empty() {
            return leave_out("the path offers every method");
        }
        for method in others {
            self.method = method;
            for presented in [Presented::Rightly, Presented::Not] {
                self.presented = presented;
                self.rejected(Step::Method);
            }
        }
    }

    /// A longer path is unknown, also one with a trailing slash.
    #[track_caller]
    pub fn rejects_longer_paths(mut self) {
        for suffix in suffixes(self.is_strict()) {
            self.suffix = suffix;
            self.rejected(Step::Route);
        }
    }

    /// An id in the path that is not an integer is malformed.
    #[track_caller]
    pub fn rejects_ids_that_are_none(self, parameter: &'static str) {
        let of = self
            .operation
            .parameters
            .iter()
            .find(|one| one.name == parameter)
            .expect("the parameter is known")
            .of;
        let encoded: &[&str] = if self.is_strict() {
            &["\u{0}", "é", "1/2", "%31"]
        } else {
            &["é"]
        };
        for text in other_texts(of, self.is_strict())
            .into_iter()
            .chain(encoded.iter().copied())
        {
            self.clone().path(parameter, text).invalid(&[parameter]);
        }
    }

    /// A body without a JSON media type is rejected, and one that is encoded. Other servers may decode it.
    #[track_caller]
    pub fn rejects_other_media_types(mut self) {
        let is_strict = self.is_strict();
        for declared in other_media_types(is_strict) {
            self.content_types = declared.to_vec();
            self.rejected(Step::MediaType);
        }
        if is_strict {
            self.content_types = vec!["application/json"];
            self.content_codings = vec!["gzip"];
            self.rejected(Step::MediaType);
        }
    }

    /// A file without a media type is rejected, and one of a type that the operation does not take.
    #[track_caller]
    pub(crate) fn rejects_other_file_types(mut self) {
        for declared in FILE_TYPES {
            self.content_types = declared.to_vec();
            self.rejected(Step::MediaType);
        }
    }

    /// An empty file is rejected.
    #[track_caller]
    pub(crate) fn rejects_an_empty_file(self) {
        self.bytes(&[]).rejected(Step::Decode);
    }

    /// A JSON media type is accepted in any letter case, with or without its charset.
    #[track_caller]
    pub fn accepts_media_type(mut self, declared: &'static str) {
        self.content_types = vec![declared];
        self.accepted();
    }

    /// A body of one byte too many is rejected.
    #[track_caller]
    pub fn rejects_large_bodies(self) {
        let most = self.operation.max_bytes();
        self.padded_to(most + 1).rejected(Step::BodySize);
    }

    /// A body of exactly the maximum size is accepted, white space included.
    #[track_caller]
    pub fn accepts_largest_body(self) {
        let most = self.operation.max_bytes();
        self.padded_to(most).accepted();
    }

    /// A body that is not JSON is rejected.
    #[track_caller]
    pub fn rejects_what_is_not_json(self) {
        let is_optional = self.operation.declared_body().is_some_and(Body::may_be_absent);
        let others = not_json(self.operation.max_bytes());
        for bytes in others.filter(|bytes| !is_optional || !bytes.is_empty()) {
            self.clone().bytes(&bytes).invalid(&[]);
        }
    }

    /// A body without required members may be absent, or empty.
    #[track_caller]
    pub fn without_body(self) {
        self.clone().bytes(b"").accepted();
        self.bodiless().accepted();
    }

    /// JSON that is not an object is rejected.
    #[track_caller]
    pub fn rejects_what_is_no_object(self) {
        for bytes in NO_OBJECTS {
            self.clone().bytes(bytes.as_bytes()).invalid(&[]);
        }
    }

    /// A body of an operation without one is not read.
    #[track_caller]
    pub fn ignores_body(mut self) {
        self.content_types = vec!["text/plain"];
        self.bytes(b"{not JSON").accepted();
    }

    /// Whether the answers must also be those of our servers where the contract leaves a choice.
    pub(crate) fn is_strict(&self) -> bool {
        self.world.level() >= Level::Texts
    }

    #[track_caller]
    fn rejected(&self, step: Step) {
        self.rejected_at(step, &self.stage(true));
    }
}
