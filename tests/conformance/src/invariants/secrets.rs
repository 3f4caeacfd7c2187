//! Credentials are never echoed. Every answer is made and checked here first: neither its body nor its headers contain the
//! presented credential, valid or not, nor anything in the form of one, unless the contract shows a new one there.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::json;
use crate::masks::MIN_DISTINCTIVE_CHARS;
use crate::types::Type;
use crate::world::{Caller, Request, Response};
use codegen::model::Credential;
use serde_json::Value as Json;

impl Attempt {
    /// The answer to the request of this caller.
    #[track_caller]
    pub(crate) fn received(&self, caller: &Caller, request: Request, response: Response) -> Answer {
        let excuse = self.operation.contract.model.errors.iter().find_map(|error| {
            let excuse = self.world.excuse(self.operation, error)?;
            self.operation
                .is_error(error, &response, self.world.level())
                .then_some(excuse)
        });
        let answer = Answer {
            operation: self.operation,
            tried: self.tried,
            request,
            response,
            level: self.world.level(),
            excuse,
        };
        answer.expect_no_credential(&caller.secret);
        answer
    }
}

impl Answer {
    /// The credentials that the contract shows in this answer.
    pub(crate) fn declared_secrets(&self) -> Vec<String> {
        let mut found = Vec::new();
        let declared = self.operation.declared.shows_secret() && self.is_success();
        if let Some(of) = self.operation.data.filter(|_| declared)
            && json::parse(&self.response.body).is_ok()
        {
            gather(of, &self.data(), &mut found);
        }
        found
    }

    #[track_caller]
    fn expect_no_credential(&self, own: &str) {
        let declared = self.declared_secrets();
        let body = String::from_utf8_lossy(&self.response.body).into_owned();
        // Each may occur once.
        let body = declared.iter().fold(body, |body, secret| body.replacen(secret, "", 1));
        let headers = self.response.headers.iter();
        let headers = headers.map(|(name, value)| (format!("the header {name}"), value.as_str()));
        for (place, text) in headers.chain([("the body".to_owned(), body.as_str())]) {
            let known = self
                .presented()
                .chain([own])
                .filter(|one| one.len() >= MIN_DISTINCTIVE_CHARS);
            if let Some(known) = known.into_iter().find(|known| text.contains(known)) {
                self.fail(
                    "an answer without the caller's credential",
                    &format!("{known} is in {place}"),
                );
            }
            if let Some(kind) = self
                .operation
                .contract
                .model
                .credentials
                .iter()
                .find(|kind| contains_credential(text, kind))
            {
                self.fail(
                    "no credential but where a new one is shown",
                    &format!("something that looks like one of the kind {} is in {place}", kind.name),
                );
            }
        }
    }

    /// The presented credentials of the request, split where a header has several.
    pub(crate) fn presented(&self) -> impl Iterator<Item = &str> {
        let kinds = &self.operation.contract.model.credentials;
        let is_one = |name: &str| kinds.iter().any(|kind| kind.header.eq_ignore_ascii_case(name));
        let headers = self.request.headers.iter().filter(move |(name, _)| is_one(name));
        headers.flat_map(|(_, value)| [value.as_str()].into_iter().chain(value.split(',')))
    }
}

/// Whether the text contains something in the form of such a credential.
fn contains_credential(text: &str, kind: &Credential) -> bool {
    let is_random = |behind: &str| {
        let random = usize::try_from(kind.random).ok();
        let random = random.and_then(|random| behind.as_bytes().get(..random));
        random.is_some_and(|random| random.iter().all(u8::is_ascii_alphanumeric))
    };
    let mut prefixes = kind.prefixes().filter(|prefix| !prefix.is_empty());
    prefixes.any(|prefix| {
        let mut places = text.match_indices(prefix);
        places.any(|(at, _)| is_random(&text[at + prefix.len()..]))
    })
}

fn gather(of: &Type, value: &Json, found: &mut Vec<String>) {
    match (of, value) {
        (Type::Secret, Json::String(secret)) => found.push(secret.clone()),
        (Type::List { of, .. }, Json::Array(items)) => items.iter().for_each(|item| gather(of, item, found)),
        (Type::Object(members), Json::Object(object)) => {
            for member in *members {
                let value = object.get(member.name).unwrap_or(&Json::Null);
                gather(member.of, value, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codegen::model::Span;

    #[test]
    fn a_credential_is_recognized_by_its_form_anywhere() {
        let kind = Credential {
            name: "key".to_owned(),
            doc: None,
            header: "Key".to_owned(),
            caller: None,
            prefix: "k_".to_owned(),
            random: 4,
            shown: None,
            realms: Vec::new(),
            at: Span::default(),
        };
        for text in ["k_aB3d", "a key: \"k_aB3dmore\"", "k_k_aB3d"] {
            assert!(contains_credential(text, &kind), "{text}");
        }
        for text in ["", "k_", "k_aB3", "k_aB3…", "k-aB3d", "K_aB3d"] {
            assert!(!contains_credential(text, &kind), "{text}");
        }
    }

    #[test]
    fn declared_credentials_are_found() {
        static MADE: Type = Type::Object(&[
            crate::types::Member::required("id", &Type::Id("Cat")),
            crate::types::Member::required("key", &Type::Secret),
        ]);
        let mut found = Vec::new();
        gather(
            &MADE,
            &serde_json::json!({ "id": 1, "key": "k_1", "more": "k_2" }),
            &mut found,
        );
        assert_eq!(found, ["k_1"]);
    }
}
