//! Credentials: each belongs to one record only.

use codegen_support::Digest;

use super::finding::Finding;
use crate::findings::Findings;
use crate::name::Name;

/// The digests of one kind of credential.
#[derive(Default)]
pub(super) struct Credentials(Vec<(Digest, Name)>);

impl Credentials {
    /// Adds the stored digest of the credential of `of`.
    pub(super) fn add(&mut self, digest: &str, of: &Name, findings: &mut Findings) {
        match Digest::from_hex(digest) {
            Some(digest) => self.0.push((digest, of.clone())),
            None => findings.push(&Finding::NoDigest { of: of.clone() }),
        }
    }

    /// Compares all digests that were added.
    pub(super) fn verify(mut self, findings: &mut Findings) {
        // Stable: of records with one digest, the first in the tree is named first.
        self.0.sort_by_key(|(digest, _)| *digest.bytes());
        for two in self.0.windows(2) {
            let [(first, one), (second, other)] = two else { continue };
            if first == second {
                let [one, other] = [one, other].map(Name::clone);
                findings.push(&Finding::SameDigest { one, other });
            }
        }
    }
}
