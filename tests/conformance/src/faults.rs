//! The checks that every operation gets: credentials, methods, paths, whole bodies.

use crate::attempt::{Attempt, Presented};
use crate::contract::Step;
use crate::sample::wrong_texts;

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

    /// The right credential, twice, is as good as none.
    #[track_caller]
    pub fn rejects_credential_twice(mut self) {
        self.presented = Presented::Twice;
        self.rejected(Step::Credential);
    }

    /// The credentials of other kinds open nothing here.
    #[track_caller]
    pub fn rejects_credentials_of_other_kinds(self) {
        let stage = self.stage(true);
        let kinds = self.contract.credentials.iter();
        for other in kinds.filter(|kind| self.operation.credential.is_none_or(|own| own.name != kind.name)) {
            let caller = self.world.caller(other, other.plans.first().copied());
            let stage = crate::stage::Stage {
                caller,
                ..(*stage).clone()
            };
            self.rejected_at(
                Step::Credential,
                &stage,
                &self.values(Step::Credential, &stage.arranged),
            );
        }
    }

    /// A caller who is shut out may do nothing.
    #[track_caller]
    pub fn rejects_suspended_caller(self) {
        let stage = self.stage(false);
        self.suspend(&stage.caller);
        self.rejected_at(Step::Suspended, &stage, &[]);
    }

    /// The methods that the path does not offer are rejected with those that it does, before any credential is asked for.
    #[track_caller]
    pub fn rejects_other_methods(mut self) {
        for method in METHODS
            .into_iter()
            .filter(|method| !self.operation.allow.contains(method))
        {
            self.method = method;
            for presented in [Presented::Rightly, Presented::Not] {
                self.presented = presented;
                self.rejected(Step::Method);
            }
        }
    }

    /// Behind the path there is nothing: one with a trailing slash is another path.
    #[track_caller]
    pub fn rejects_longer_paths(mut self) {
        for suffix in ["/", "//", "/x/x/x/x/x/x/x/x"] {
            self.suffix = suffix;
            self.rejected(Step::Route);
        }
    }

    /// An id in the path that is no integer is malformed.
    #[track_caller]
    pub fn rejects_ids_that_are_none(self, parameter: &'static str) {
        let of = self
            .operation
            .parameters
            .iter()
            .find(|one| one.name == parameter)
            .expect("the parameter is known")
            .of;
        for text in wrong_texts(of).iter().chain(&["\u{0}", "é", "1/2", "%31"]) {
            self.clone().path(parameter, text).invalid(&[parameter]);
        }
    }

    /// A body must say that it is JSON.
    #[track_caller]
    pub fn rejects_other_media_types(mut self) {
        let others: [&[&str]; 8] = [
            &[],
            &[""],
            &["text/plain"],
            &["application/x-www-form-urlencoded"],
            &["application/jsonp"],
            &["application/json; charset=latin1"],
            &["application/json", "application/json"],
            &["application/json, text/plain"],
        ];
        for declared in others {
            self.content_types = declared.to_vec();
            self.rejected(Step::MediaType);
        }
    }

    /// A body says that it is JSON in any case, with its charset or without.
    #[track_caller]
    pub fn accepts_media_type(mut self, declared: &'static str) {
        self.content_types = vec![declared];
        self.accepted();
    }

    /// A body of one byte too many is rejected.
    #[track_caller]
    pub fn rejects_large_bodies(self) {
        let most = self.operation.max_bytes;
        self.padded_to(most + 1).rejected(Step::BodySize);
    }

    /// A body of exactly as many bytes as there may be is fine, white space included.
    #[track_caller]
    pub fn accepts_largest_body(self) {
        let most = self.operation.max_bytes;
        self.padded_to(most).accepted();
    }

    /// What is not JSON is rejected.
    #[track_caller]
    pub fn rejects_what_is_not_json(self) {
        let deep = "[".repeat(self.operation.max_bytes.min(100_000));
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
        for bytes in others {
            self.clone().bytes(bytes).invalid(&[]);
        }
    }

    /// JSON that is no object is rejected.
    #[track_caller]
    pub fn rejects_what_is_no_object(self) {
        for bytes in ["null", "true", "1", "\"text\"", "[]", "[{}]"] {
            self.clone().bytes(bytes.as_bytes()).invalid(&[]);
        }
    }

    /// A body that nobody asked for is not read.
    #[track_caller]
    pub fn ignores_body(mut self) {
        self.content_types = vec!["text/plain"];
        self.bytes(b"{not JSON").accepted();
    }

    #[track_caller]
    fn rejected(&self, step: Step) {
        let stage = self.stage(true);
        self.rejected_at(step, &stage, &self.values(step, &stage.arranged));
    }
}
