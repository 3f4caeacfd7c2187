//! Hides credentials in texts that are compared, or that others read.

use crate::exchange::Request;
use codegen::Model;
use codegen::model::{Data, Field, Kind};
use std::collections::BTreeSet;

/// What stands for a credential.
const MASK: &str = "…";

/// The fewest characters that distinguish a credential from an ordinary word.
const MIN_DISTINCTIVE_CHARS: usize = 8;

/// What credentials and secrets look like, and those that are known.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    known: Vec<String>,
    /// Headers of requests with a credential, in lower case.
    headers: BTreeSet<String>,
    /// Members of responses with a secret.
    members: BTreeSet<String>,
    /// The prefixes of credentials, and the number of characters behind each.
    forms: Vec<(String, usize)>,
}

impl Masks {
    /// Hides what this contract declares as secret, and these known credentials.
    pub fn new(model: &Model, known: impl IntoIterator<Item = String>) -> Self {
        let is_secret = |field: &&Field| field.of.kind == Kind::Secret;
        let secrets = model.operations().flat_map(|(_, operation)| match &operation.data {
            Some(Data::Members(members)) => members.iter().filter(is_secret).collect(),
            _ => Vec::new(),
        });
        let credentials = || model.credentials.iter();
        let forms = credentials().flat_map(|kind| kind.prefixes().map(|prefix| (prefix, kind.random)));
        let forms = forms.filter(|(prefix, _)| !prefix.is_empty());
        let mut known: Vec<String> = known
            .into_iter()
            .filter(|secret| secret.len() >= MIN_DISTINCTIVE_CHARS)
            .collect();
        // One may be a part of another one.
        known.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self {
            known,
            headers: credentials().map(|kind| kind.header.to_ascii_lowercase()).collect(),
            members: secrets.map(|field| field.name.clone()).collect(),
            forms: forms
                .map(|(prefix, random)| (prefix.to_owned(), usize::try_from(random).unwrap_or(usize::MAX)))
                .collect(),
        }
    }

    /// The text without credentials.
    pub fn hide(&self, text: &str) -> String {
        let text = self
            .known
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret, MASK));
        let text = self.headers.iter().fold(text, |text, header| {
            let is_end = |c: char| matches!(c, '\'' | '"' | '\n');
            hide_behind(&text, &format!("{header}: "), |value| {
                value.find(is_end).or(Some(value.len()))
            })
        });
        let text = self.members.iter().fold(text, |text, member| {
            hide_behind(&text, &format!("\"{member}\":"), |value| {
                let quoted = value.trim_start().strip_prefix('"')?;
                Some(value.len() - quoted.len() + quoted.find('"')? + 1)
            })
        });
        self.forms.iter().fold(text, |text, (prefix, random)| {
            hide_behind(&text, prefix, |value| {
                let end = value.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(value.len());
                (end >= *random).then_some(end)
            })
        })
    }
}

/// Replaces what follows each occurrence of this start, in upper or lower case, up to its length.
fn hide_behind(text: &str, start: &str, length: impl Fn(&str) -> Option<usize>) -> String {
    let lower = text.to_ascii_lowercase();
    let start = start.to_ascii_lowercase();
    let (mut hidden, mut done) = (String::new(), 0);
    for (at, _) in lower.match_indices(&start) {
        let from = at + start.len();
        if at < done {
            continue;
        }
        if let Some(length) = length(&text[from..]) {
            hidden.push_str(&text[done..from]);
            hidden.push_str(MASK);
            done = from + length;
        }
    }
    hidden.push_str(&text[done..]);
    hidden
}

/// The presented credentials of a request, split where a header has several.
pub(crate) fn presented<'r>(model: &Model, request: &'r Request) -> impl Iterator<Item = &'r str> {
    let is_one = |name: &str| {
        model
            .credentials
            .iter()
            .any(|kind| kind.header.eq_ignore_ascii_case(name))
    };
    let headers = request.headers.iter().filter(move |(name, _)| is_one(name));
    let all = headers.flat_map(|(_, value)| [value.as_str()].into_iter().chain(value.split(',')));
    all.filter(|one| one.len() >= MIN_DISTINCTIVE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_hidden_by_their_header_their_member_their_form_and_their_value() {
        let contract = include_str!("../../../codegen/mock/tests/library/api.yaml");
        let model = codegen::compile(contract).expect("the contract is valid");
        let masks = Masks::new(&model, ["a-root-secret".to_owned()]);
        let card = format!("card_{}", "a1B2".repeat(8));
        for (text, hidden) in [
            (
                format!("curl -H 'X-Card: {card}x' -H 'Accept: */*'"),
                "curl -H 'X-Card: …' -H 'Accept: */*'",
            ),
            (format!(r#"{{"card": "{card}", "id": 1}}"#), r#"{"card":…, "id": 1}"#),
            (format!("{card} and a-root-secret are in it"), "card_… and … are in it"),
            ("x-card: short\nnext".to_owned(), "x-card: …\nnext"),
            ("card_short is a word".to_owned(), "card_short is a word"),
        ] {
            assert_eq!(masks.hide(&text), hidden);
        }
    }
}
