//! The checks that every operation gets: credentials, methods, paths, whole bodies.

use crate::attempt::{Attempt, Presented};
use crate::level::Level;
use crate::sample::wrong_texts;
use crate::suite::leave_out;
use crate::types::Type;
use codegen::model::Body;
use codegen::step::Step;

/// Every HTTP method, and others that a server might mistake for one.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

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
        let changes: [fn(&str) -> String; 6] = [
            |secret| {
                secret
                    .chars()
                    .map(|c| if c.is_ascii_lowercase() { 'x' } else { c })
                    .collect()
            },
            |secret| format!("{secret}x"),
            |secret| secret[..secret.len() - 1].to_owned(),
            |secret| {
                secret
                    .chars()
                    .map(|c| {
                        if c.is_lowercase() {
                            c.to_ascii_uppercase()
                        } else {
                            c.to_ascii_lowercase()
                        }
                    })
                    .collect()
            },
            |secret| format!("{secret},{secret}"),
            |_| String::new(),
        ];
        for change in changes {
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
        let is_strict = self.is_strict();
        // Many servers answer HEAD like GET, and OPTIONS by themselves.
        let methods = METHODS
            .iter()
            .filter(|one| is_strict || !matches!(**one, "HEAD" | "OPTIONS"));
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
        let is_strict = self.is_strict();
        for suffix in ["/", "/x/x/x/x/x/x/x/x", "//"]
            .into_iter()
            .take(if is_strict { 3 } else { 2 })
        {
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
        for text in self.wrong_texts(of).into_iter().chain(encoded.iter().copied()) {
            self.clone().path(parameter, text).invalid(&[parameter]);
        }
    }

    /// A body without a JSON media type is rejected, and one that is encoded. Other servers may decode it.
    #[track_caller]
    pub fn rejects_other_media_types(mut self) {
        let others: [&[&str]; 8] = [
            &[],
            &["text/plain"],
            &["application/x-www-form-urlencoded"],
            &["application/jsonp"],
            // From here on servers may differ.
            &[""],
            &["application/json; charset=latin1"],
            &["application/json", "application/json"],
            &["application/json, text/plain"],
        ];
        let is_strict = self.is_strict();
        for declared in others.into_iter().take(if is_strict { 8 } else { 4 }) {
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
        let others: [&[&str]; 4] = [&[], &["application/json"], &["application/octet-stream"], &["text"]];
        for declared in others {
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
        let deep = "[".repeat(self.operation.max_bytes().min(100_000));
        let others: [&[u8]; 12] = [
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
            deep.as_bytes(),
        ];
        let is_optional = self.operation.declared_body().is_some_and(Body::may_be_absent);
        for bytes in others.into_iter().filter(|bytes| !is_optional || !bytes.is_empty()) {
            self.clone().bytes(bytes).invalid(&[]);
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
        for bytes in ["null", "true", "1", "\"text\"", "[]", "[{}]"] {
            self.clone().bytes(bytes.as_bytes()).invalid(&[]);
        }
    }

    /// A body of an operation without one is not read.
    #[track_caller]
    pub fn ignores_body(mut self) {
        self.content_types = vec!["text/plain"];
        self.bytes(b"{not JSON").accepted();
    }

    /// The texts that are no value of this type. Some of them are read as numbers by many libraries.
    pub(crate) fn wrong_texts(&self, of: &Type) -> Vec<&'static str> {
        let is_lenient = |text: &&str| ["+5", ".5", "5.", "１", "1 ", " 1"].contains(text);
        let texts = wrong_texts(of).into_iter();
        texts.filter(|text| self.is_strict() || !is_lenient(text)).collect()
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
