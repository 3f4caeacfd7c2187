//! Resolves credentials, limits and quotas.

use super::Resolver;
use super::words::{text, texts};
use crate::model::{
    Caller, Counts, Credential, CredentialRealm, FILE_BYTES, Limit, Per, Piece, Quota, QuotaOf, ResponseBytes, Template,
};
use crate::syntax::{self, Num, Word};

impl Resolver<'_> {
    pub(super) fn credential(&self, name: &Word, credential: &syntax::Credential) -> Credential {
        let caller = credential.caller.as_ref().map(|resource| Caller {
            resource: text(resource),
            limited_by: text(credential.limited_by.as_ref().unwrap_or(resource)),
            plan: credential
                .plan
                .as_ref()
                .map(|field| (text(field), self.enum_of(&resource.text, &field.text))),
            suspended: credential.suspended.as_ref().map(text),
        });
        Credential {
            name: text(name),
            doc: credential.doc.as_ref().map(text),
            header: text(&credential.header),
            caller,
            prefix: text(&credential.prefix),
            realms: credential
                .realms
                .iter()
                .map(|(value, realm)| credential_realm(value, realm))
                .collect(),
            random: credential.random.whole(),
            shown: credential.shown.map(Num::whole),
            at: name.at,
        }
    }
}

fn credential_realm(value: &Word, realm: &syntax::CredentialRealm) -> CredentialRealm {
    let headers = realm.headers.iter();
    let headers = headers.map(|(name, value)| (text(name), Template(vec![Piece::Text(text(value))])));
    CredentialRealm {
        value: text(value),
        prefix: realm.prefix.as_ref().map(text),
        headers: headers.collect(),
    }
}

pub(super) fn rate_limit(name: &Word, limit: &syntax::Limit) -> Limit {
    let counts = match limit.counts {
        Some(_) => Counts::FailedCredentials,
        None => Counts::Methods {
            methods: texts(&limit.methods),
            per: if limit.per.text == "address" {
                Per::Address
            } else {
                Per::Caller
            },
        },
    };
    Limit {
        name: text(name),
        counts,
        max: limit.rate.max.small(),
        owner_max: limit.owner_rate.map(|rate| rate.max.small()),
        window_seconds: limit.rate.window_seconds,
        at: name.at,
    }
}

pub(super) fn response_bytes(rate: syntax::Rate) -> ResponseBytes {
    ResponseBytes {
        max: rate.max.small(),
        window_seconds: rate.window_seconds,
    }
}

pub(super) fn quota(name: &Word, quota: &syntax::Quota) -> Quota {
    Quota {
        name: text(name),
        max: quota.max.whole(),
        of: match &quota.of {
            syntax::QuotaOf::Records(resource) => QuotaOf::Records(text(resource)),
            syntax::QuotaOf::Other(counts) if counts.text == FILE_BYTES => QuotaOf::FileBytes,
            syntax::QuotaOf::Other(_) => QuotaOf::BodyBytes,
        },
        per: text(&quota.per),
        noun: text(&quota.noun),
        only: None,
        window_seconds: quota.window.map(|window| window.seconds),
        at: name.at,
    }
}
