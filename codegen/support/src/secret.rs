//! Credentials: new secrets, and credentials of requests.

use std::fmt;

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};
use rand::TryRng;
use rand::rngs::SysRng;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A new secret: `prefix` and then `random` characters of `a-z`, `A-Z` and `0-9`, each with 5.95 bits from the
/// operating system's generator.
///
/// # Panics
/// If the operating system provides no randomness: a guessable secret must never be issued.
pub fn mint(prefix: &str, random: usize) -> String {
    let mut secret = String::with_capacity(prefix.len() + random);
    secret.push_str(prefix);
    let mut bytes = [0; 64];
    let length = secret.len() + random;
    while secret.len() < length {
        SysRng
            .try_fill_bytes(&mut bytes)
            .expect("the operating system gives randomness");
        // A byte's low six bits are uniform over 64 values; the two beyond the alphabet are discarded, not wrapped
        // around.
        let characters = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 63)));
        let missing = length - secret.len();
        secret.extend(characters.take(missing).map(|byte| char::from(*byte)));
    }
    secret
}

/// The name of a file: nobody can guess it, and no two are the same.
pub(crate) fn random_name() -> String {
    mint("", NAME_CHARS)
}

/// Whether a text is a name of [`random_name`].
pub(crate) fn is_random_name(text: &str) -> bool {
    text.len() == NAME_CHARS && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// The characters of the name of a file.
const NAME_CHARS: usize = 26;

/// Why a credential was rejected that was valid, or that has the form of a valid one.
pub const NOT_ACCEPTED: &str = "not accepted";

/// Why a credential is missing that is in the header `Authorization`.
const IN_AUTHORIZATION: &str = "missing: send what `Authorization` has there, without `Bearer`";

/// Why the credential in a header was rejected: the rest of a sentence about it. It says nothing that only valid
/// credentials have: the form is public. `form` is the possible prefixes and the number of random characters, if all
/// credentials have it.
pub fn credential_problem(headers: &HeaderMap, header: &HeaderName, form: Option<(&[&str], usize)>) -> &'static str {
    let mut values = headers.get_all(header).iter();
    let Some(value) = values.next() else {
        let begins = |token: &&str| form.is_none_or(|(prefixes, _)| prefixes.iter().any(|one| token.starts_with(one)));
        return match bearer(headers).filter(begins) {
            Some(_) => IN_AUTHORIZATION,
            None => "missing",
        };
    };
    if values.next().is_some() {
        return "sent more than once";
    }
    let has_form = |text: &str| {
        form.is_none_or(|(prefixes, random)| {
            let mut rests = prefixes.iter().filter_map(|prefix| text.strip_prefix(prefix));
            rests.any(|rest| rest.len() == random && rest.bytes().all(|byte| ALPHABET.contains(&byte)))
        })
    };
    match value.to_str().is_ok_and(has_form) {
        true => NOT_ACCEPTED,
        false => "malformed",
    }
}

/// The token of `Authorization: Bearer …` (RFC 6750 §2.1).
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = super::headers::single_header(headers, AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The first `characters` of a secret and `...`. This may be stored and listed, so that its owner can identify the
/// secret.
pub fn abbreviate(secret: &str, characters: usize) -> String {
    secret.chars().take(characters).chain("...".chars()).collect()
}

/// The credential of a request, for the transaction that commits: it may have ended since the request was
/// authenticated. Its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct PresentedCredential(String);

impl PresentedCredential {
    /// The single value of this header; empty if there is none.
    pub fn from_headers(headers: &HeaderMap, header: &str) -> Self {
        Self(
            super::headers::single_header(headers, header)
                .unwrap_or_default()
                .to_owned(),
        )
    }

    /// The credential itself, to be hashed or compared, never logged.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PresentedCredential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PresentedCredential(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn secrets_have_the_length_asked_for_and_never_repeat() {
        for random in [0, 1, 40, 64, 65, 1_000] {
            let secret = mint("htd_", random);
            assert_eq!(secret.len(), 4 + random);
            assert!(secret.starts_with("htd_"));
        }
        let many: HashSet<String> = (0..1_000).map(|_| mint("", 40)).collect();
        assert_eq!(many.len(), 1_000);
    }

    #[test]
    fn every_character_is_about_as_frequent() {
        let mut seen: HashMap<char, u32> = HashMap::new();
        mint("", 62_000).chars().for_each(|c| *seen.entry(c).or_default() += 1);
        assert_eq!(seen.len(), 62);
        // Expected: 1,000 each, with a deviation of 32. A wrapped-around alphabet would have two of 2,000.
        assert!(seen.values().all(|count| (750..1_250).contains(count)), "{seen:?}");
    }

    #[test]
    fn a_presented_credential_is_not_shown_by_debug() {
        let headers = HeaderMap::from_iter([(http::HeaderName::from_static("x-key"), "k123".parse().unwrap())]);
        let presented = PresentedCredential::from_headers(&headers, "x-key");
        assert_eq!(presented.expose(), "k123");
        assert!(!format!("{presented:?}").contains("k123"));
        assert_eq!(PresentedCredential::from_headers(&headers, "x-other").expose(), "");
    }

    #[test]
    fn a_rejected_credential_is_missing_repeated_malformed_or_not_accepted() {
        let check = |values: &[&'static str], form, expected| {
            let name = HeaderName::from_static("x-key");
            let values = values
                .iter()
                .map(|value| (name.clone(), http::HeaderValue::from_static(value)));
            let mut headers = HeaderMap::new();
            for (name, value) in values {
                headers.append(name, value);
            }
            assert_eq!(credential_problem(&headers, &name, form), expected, "{headers:?}");
        };
        let prefixes: &[&str] = &["k_", "k_t_"];
        let form = Some((prefixes, 3));
        check(&[], form, "missing");
        check(&["k_a1Z", "k_a1Z"], form, "sent more than once");
        for malformed in ["", "k_", "k_a1", "k_a1Zx", "j_a1Z", "k_a-Z", "k_a1Z,k_a1Z"] {
            check(&[malformed], form, "malformed");
        }
        for accepted in ["k_a1Z", "k_t_a1Z"] {
            check(&[accepted], form, NOT_ACCEPTED);
        }
        check(&["anything"], None, NOT_ACCEPTED);
    }

    #[test]
    fn a_credential_in_authorization_is_missing_with_the_reason() {
        let check = |authorization: &'static str, form, expected| {
            let name = HeaderName::from_static("x-key");
            let headers = HeaderMap::from_iter([(AUTHORIZATION, http::HeaderValue::from_static(authorization))]);
            assert_eq!(credential_problem(&headers, &name, form), expected, "{authorization}");
        };
        let prefixes: &[&str] = &["k_", "k_t_"];
        let form = Some((prefixes, 3));
        check("Bearer k_a1Z", form, IN_AUTHORIZATION);
        check("bearer  k_t_cut", form, IN_AUTHORIZATION);
        check("Bearer anything", None, IN_AUTHORIZATION);
        for other in ["Bearer other", "Basic k_a1Z", "k_a1Z", "Bearer"] {
            check(other, form, "missing");
        }
    }

    #[test]
    fn only_the_beginning_is_shown() {
        assert_eq!(abbreviate("htd_abcdefgh", 8), "htd_abcd...");
        assert_eq!(abbreviate("", 8), "...");
    }
}
