//! What an application knows of its files.

use super::directory::FileDirectory;
use crate::failure::Failure;
use crate::quota::QuotaUse;

/// The directory into which an application receives files.
#[diagnostic::on_unimplemented(
    message = "nothing states in which directory files are received",
    note = "implement `support::KeepFiles` for `{Self}`"
)]
pub trait KeepFiles: Send + Sync {
    /// The directory; `None` if this server stores no files. Operations with files then answer as if nothing could be
    /// written.
    fn files(&self) -> Option<&FileDirectory>;

    /// Whether all this could be counted towards quotas now. Nothing is counted yet.
    ///
    /// # Errors
    /// [`Failure::OverQuota`] with the first quota that would be exceeded, or that of the store.
    fn check_quotas(&self, uses: Vec<QuotaUse>) -> impl Future<Output = Result<(), Failure>> + Send;
}
