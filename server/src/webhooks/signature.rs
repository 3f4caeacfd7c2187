//! Signatures of deliveries, as Standard Webhooks describes them: HMAC-SHA256 over id, time and body.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use contract::Timestamp;
use ring::hmac;

use crate::store::SigningSecret;

/// The value of `webhook-signature`: a signature with each of the secrets, so that a receiver may know only one of
/// them while they are exchanged. A text that is no secret signs nothing.
pub(super) fn sign(secrets: &[&str], id: &str, at: Timestamp, body: &[u8]) -> String {
    let keys = secrets
        .iter()
        .filter_map(|secret| secret.strip_prefix(SigningSecret::PREFIX));
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

    fn mint() -> String {
        SigningSecret::mint().expose().to_owned()
    }

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
    fn secrets_differ_and_have_as_many_bytes_as_they_must() {
        let secret = mint();
        let encoded = secret.strip_prefix(SigningSecret::PREFIX).expect("a prefix");
        assert!((24..=64).contains(&STANDARD.decode(encoded).expect("base64").len()));
        assert_ne!(secret, mint());
    }
}
