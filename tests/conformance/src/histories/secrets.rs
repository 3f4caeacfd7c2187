//! Credentials are never echoed: neither the body of an answer nor its headers contain the presented credential, valid or not, nor
//! anything in the form of one, unless the contract shows a new one there.

use super::call::Call;
use super::envelope;
use super::found::{Verdict, differ};
use crate::exchange::{Request, Response};
use crate::masks::presented;
use codegen::Model;
use codegen::model::{Credential, Data, Kind};
use serde_json::Value as Json;

/// Looks for credentials in an answer.
pub(super) fn none_shown(model: &Model, call: &Call<'static>, request: &Request, response: &Response) -> Verdict {
    let body = String::from_utf8_lossy(&response.body).into_owned();
    // Each may occur once.
    let shown = declared(model, call, response);
    let body = shown.iter().fold(body, |body, secret| body.replacen(secret, "", 1));
    let headers = response.headers.iter();
    let headers = headers.map(|(name, value)| (format!("the header {name}"), value.as_str()));
    for (place, text) in headers.chain([("the body".to_owned(), body.as_str())]) {
        if presented(model, request).any(|known| text.contains(known)) {
            let cause = format!("the caller's credential is in {place}");
            return differ(cause, text, "an answer without it");
        }
        let is_like = |kind: &&Credential| contains_credential(text, kind);
        if let Some(kind) = model.credentials.iter().find(is_like) {
            let cause = format!("something that looks like a {} is in {place}", kind.name);
            return differ(cause, text, "no credential but where a new one is shown");
        }
    }
    Ok(())
}

/// The credentials that the contract shows in an answer.
fn declared(model: &Model, call: &Call<'static>, response: &Response) -> Vec<String> {
    let Some((_, operation)) = call.operation.filter(|_| response.status < 400) else {
        return Vec::new();
    };
    let Some(Data::Members(members)) = &operation.data else {
        return Vec::new();
    };
    let body = envelope::body(response);
    let data = envelope::data(model, call, &body);
    let secrets = members.iter().filter(|member| member.of.kind == Kind::Secret);
    secrets.flat_map(|member| texts(&data[member.name.as_str()])).collect()
}

fn texts(value: &Json) -> Vec<String> {
    match value {
        Json::String(text) => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
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
}
