//! Who makes a write.

use std::sync::Arc;

use contract::support::{PresentedCredential, QuotaUse};
use contract::{Account, ApiKeyCaller, ApiKeyId, HumanId, Timestamp, WorkerTokenCaller};

use crate::digest::Digest;

/// Who makes a write. Checked again where the write commits, because the credential may have ended meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Actor {
    /// The operator, whose token is valid as long as the process runs, or the server itself.
    Operator,
    /// An account, with this key.
    Key(ApiKeyId),
    /// A worker, with the token that has this digest.
    Worker(HumanId, Digest),
}

/// Who makes a write, and what the write counts towards quotas.
pub type Author = codegen_store::Author<Actor>;

/// The server itself.
impl From<()> for Actor {
    fn from((): ()) -> Self {
        Self::Operator
    }
}

impl From<(&ApiKeyCaller, &PresentedCredential)> for Actor {
    fn from((caller, _): (&ApiKeyCaller, &PresentedCredential)) -> Self {
        Self::Key(caller.limited_by)
    }
}

impl From<(&WorkerTokenCaller, &PresentedCredential)> for Actor {
    fn from((caller, presented): (&WorkerTokenCaller, &PresentedCredential)) -> Self {
        Self::Worker(caller.id, Digest::from_secret(presented.expose()))
    }
}

impl Actor {
    /// As the author of a write that counts this at this time.
    pub fn counting(self, uses: Vec<QuotaUse>, now: Timestamp) -> Author {
        let actor = self;
        Author { actor, uses, now }
    }
}

/// The account and key of a valid credential.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    /// The key that was presented.
    pub(crate) key: ApiKeyId,
    /// Whether this use is to be saved.
    pub(crate) is_new_use: bool,
    /// The account of the key.
    pub(crate) account: Arc<Account>,
}

/// The worker of a valid token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AdmittedHuman {
    /// The worker.
    pub(crate) id: HumanId,
    /// Whether the worker is simulated.
    pub(crate) sandbox: bool,
    /// Whether the worker is suspended.
    pub(crate) suspended: bool,
}
