//! Credentials whose records have no field for a digest: a row for the digest of each, with the key of its record.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_support::{Digest, Key};
use serde::{Deserialize, Serialize};

use crate::engine::Bytes;
use crate::error::{StoreError, StoreResult};
use crate::kind::{Column, Failed, Kind, read, remove_entry, written};
use crate::service::Service;
use crate::transaction::Tx;
use crate::tree::Tree;
use crate::trees::Trees;

/// A credential, as a backup holds it. The key of its record is base64.
#[derive(Serialize, Deserialize)]
struct CredentialLine {
    digest: String,
    of: String,
}

/// Their kind, in this tree.
#[must_use]
pub const fn kind<S: Service>(tree: Tree) -> Kind<S> {
    Kind {
        tree,
        noun: "credential",
        text: None,
        key: &[&[Column::Bytes("digest")]],
        comes_last: false,
        is_numbered: false,
        line: |digest, of| {
            let digest = Digest::from(<[u8; 32]>::try_from(digest).ok()?).to_hex();
            let of = STANDARD.encode(of);
            written(&CredentialLine { digest, of })
        },
        enter: |tx, tree, json, from| {
            let CredentialLine { digest, of } = read(json)?;
            let decoded = Digest::from_hex(&digest).zip(STANDARD.decode(of).ok());
            let (digest, of) =
                decoded.ok_or_else(|| Failed::Unfit("its digest or its record is malformed".to_owned()))?;
            if from.keeps_credentials() {
                tx.write(tree, digest.bytes(), Some(Bytes::from(of)));
            }
            Ok(())
        },
        remove: Some(remove_entry),
    }
}

/// The key of the record that has a credential.
///
/// # Errors
/// If the tree cannot be read.
pub fn find<S: Service, K: Key>(trees: &Trees<S>, tree: Tree, digest: &Digest) -> StoreResult<Option<K>> {
    let Some(key) = trees.value(tree, digest.bytes())? else {
        return Ok(None);
    };
    let key = K::read(&key).ok_or_else(|| StoreError::damaged("a credential names no record"))?;
    Ok(Some(key))
}

/// Gives a record a credential.
pub fn issue<S: Service>(tx: &mut Tx<'_, S>, tree: Tree, digest: &Digest, of: &impl Key) {
    tx.write(tree, digest.bytes(), Some(Bytes::from(&of.bytes()[..])));
}
