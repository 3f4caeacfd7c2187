//! Credentials: each belongs to one record only.

use codegen_store::Findings;

use super::finding::Finding;
use super::name::Name;
use crate::digest::Digest;

/// The digests of one kind of credential.
#[derive(Default)]
pub(super) struct Credentials(Vec<(Digest, Name)>);

impl Credentials {
    /// Adds the stored digest of the credential of `of`.
    pub(super) fn add(&mut self, digest: &str, of: Name, findings: &mut Findings) {
        match Digest::from_hex(digest) {
            Some(digest) => self.0.push((digest, of)),
            None => findings.push(&Finding::NoDigest { of }),
        }
    }

    /// Compares all digests that were added.
    pub(super) fn verify(mut self, findings: &mut Findings) {
        self.0.sort_unstable_by_key(|(digest, of)| (*digest.bytes(), of.id));
        for two in self.0.windows(2) {
            let [(first, one), (second, other)] = [two[0], two[1]];
            if first == second {
                findings.push(&Finding::SameDigest { one, other });
            }
        }
    }
}
