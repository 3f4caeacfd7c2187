//! What a store asks its service.

use std::sync::RwLock;

use crate::author::Unauthorized;
use crate::engine::{Batch, Engine, EngineError};
use crate::error::StoreError;
use crate::findings::Findings;
use crate::job::Job;
use crate::kept::waiters::Waiters;
use crate::kind::Kind;
use crate::schema::Schema;
use crate::service::Service;
use crate::sled::Reader;
use crate::transaction::{TransactionError, Tx};
use crate::tree::Tree;
use crate::trees::Trees;

/// A service that has a store.
pub trait Hooks: Service {
    /// The service of a store that is opened, with its view.
    ///
    /// # Errors
    /// If the engine cannot be read.
    fn new(engine: &dyn Engine, view: &Self::View) -> Result<Self, StoreError>;
    /// What a store of the service contains.
    fn schema() -> &'static Schema;
    /// The kinds of what is stored, in the order in which a backup holds them.
    fn kinds() -> &'static [Kind<Self>];
    /// Verifies the content, and makes the view of it.
    ///
    /// # Errors
    /// If it cannot be read. The inner error is what is inconsistent.
    fn load(reader: &mut Reader<'_>) -> Result<Result<Self::View, Findings>, EngineError>;
    /// Whether this actor may still write, in the state that the transaction sees.
    ///
    /// # Errors
    /// If that cannot be read. The inner error says why not.
    fn authorize(tx: &Tx<'_, Self>, actor: &Self::Actor) -> Result<Result<(), Unauthorized>, TransactionError>;
    /// Called before a commit changes the trees: the view still shows what they hold now.
    ///
    /// # Errors
    /// If that cannot be read.
    fn before(&self, trees: &Trees<Self>, entries: &Batch) -> Result<(), StoreError>;
    /// Applies the changes of a commit that is on disk to the view, and wakes those who wait for them.
    ///
    /// # Errors
    /// If the view is torn.
    fn show(
        &self,
        view: &RwLock<Self::View>,
        trees: &Trees<Self>,
        changes: Vec<Self::Change>,
    ) -> Result<(), StoreError>;
    /// Those who wait for events.
    fn waiters(&self) -> &Waiters<Self::Recipient>;
    /// A write of the service itself that is to be made beside others. It is asked for again until it was made.
    fn upkeep(&self) -> Option<Box<dyn Job<Self>>> {
        None
    }
    /// The last write of [`Self::upkeep`] was committed.
    fn upkept(&self) {}
}

/// The kinds whose last ids are in a backup. That of events is the number after which a new feed begins.
pub fn numbered_kinds<S: Hooks>() -> impl Iterator<Item = &'static Kind<S>> {
    S::kinds().iter().filter(|kind| kind.is_numbered)
}

/// The kind in this tree.
pub fn kind_at<S: Hooks>(tree: Tree) -> Option<&'static Kind<S>> {
    S::kinds().iter().find(|kind| kind.tree == tree)
}

/// The kind of this name.
pub fn kind_named<S: Hooks>(name: &str) -> Option<&'static Kind<S>> {
    S::kinds().iter().find(|kind| kind.tree.name() == name)
}
