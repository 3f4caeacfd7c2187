//! Signatures of deliveries, as Standard Webhooks describes them: HMAC-SHA256 over id, time and body.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use contract::Timestamp;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

/// What the text of a secret begins with.
const PREFIX: &str = "whsec_";

/// How many random bytes a secret has.
const SECRET_BYTES: usize = 32;

/// A new text that nobody can guess, without the characters that mean something in headers or URLs.
pub(super) fn random() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes())
}

fn random_bytes() -> [u8; SECRET_BYTES] {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandom::new()
        .fill(&mut bytes)
        .expect("the operating system gives randomness");
    bytes
}

/// A new secret, as its owner gets it and as it is stored: it must be known to sign.
pub(crate) fn mint() -> String {
    format!("{PREFIX}{}", STANDARD.encode(random_bytes()))
}

/// The value of `webhook-signature`: a signature with each of the secrets, so that a receiver may know only one of
/// them while they are exchanged. A text that is no secret signs nothing.
pub(super) fn sign(secrets: &[&str], id: &str, at: Timestamp, body: &[u8]) -> String {
    let keys = secrets.iter().filter_map(|secret| secret.strip_prefix(PREFIX));
    let keys = keys.filter_map(|encoded| STANDARD.decode(encoded).ok());
    let signatures = keys.map(|key| {
        let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &key));
        context.update(format!("{id}.{}.", at.unix()).as_bytes());
        context.update(body);
        format!("v1,{}", STANDARD.encode(context.sign()))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};
    use standardwebhooks::Webhook;

    use super::*;

    const BODY: &[u8] = br#"{"eventId":"evt_1042"}"#;

    /// Whether the reference implementation accepts `body` with a signature made now with `secrets`.
    fn is_accepted(secret: &str, secrets: &[&str], body: &[u8]) -> bool {
        let now = contract::Clock::system().now();
        let mut headers = HeaderMap::new();
        let value = |text: &str| HeaderValue::from_str(text).expect("visible ASCII");
        headers.insert("webhook-id", value("evt_1042"));
        headers.insert("webhook-timestamp", value(&now.unix().to_string()));
        headers.insert("webhook-signature", value(&sign(secrets, "evt_1042", now, BODY)));
        let webhook = Webhook::new(secret).expect("a secret in the form of the reference implementation");
        webhook.verify(body, &headers).is_ok()
    }

    #[test]
    fn the_reference_implementation_accepts_a_signature() {
        let secret = mint();
        assert!(is_accepted(&secret, &[&secret], BODY));
        assert!(!is_accepted(&secret, &[&secret], b"{}"));
        assert!(!is_accepted(&mint(), &[&secret], BODY));
    }

    #[test]
    fn while_secrets_are_exchanged_each_of_them_is_enough() {
        let (former, new) = (mint(), mint());
        for secret in [&former, &new] {
            assert!(is_accepted(secret, &[&new, &former], BODY));
        }
    }

    #[test]
    fn secrets_differ_and_have_32_bytes() {
        let secret = mint();
        let encoded = secret.strip_prefix(PREFIX).expect("a prefix");
        assert_eq!(STANDARD.decode(encoded).expect("base64").len(), SECRET_BYTES);
        assert_ne!(secret, mint());
    }
}
