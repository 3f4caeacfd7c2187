//! All records of the database at one moment, for a new copy.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;

use codegen_store::Tree;
use futures_util::StreamExt;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use tokio_postgres::RowStream;

use super::database::{Connection, Database, failed, wait};
use super::error::DatabaseError;
use super::position::Position;
use super::statements;
use crate::store::backup::{Entry, LAST_IDS};
use crate::store::kinds::KINDS;

/// One transaction sees one state, however many commits come meanwhile. The time for which it may be idle is set again.
const BEGIN: &str =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0";

/// The last commit of that state.
const HEAD: &str = "SELECT number, restoring, coalesce((SELECT operation FROM commits WHERE commits.number = hitode.number), 0) \
     FROM hitode";

/// Reads all documents, in an order in which they can be entered.
pub(super) struct Documents<'r> {
    runtime: &'r Runtime,
    connection: Connection,
    /// The last commit that they contain.
    pub(super) position: Position,
    kinds: VecDeque<Tree>,
    /// The kind that is read.
    reading: Option<(Tree, Pin<Box<RowStream>>)>,
}

impl<'r> Documents<'r> {
    /// Begins to read.
    ///
    /// # Errors
    /// If the database cannot be reached, or a restore has not ended.
    pub(super) fn begin(runtime: &'r Runtime, database: &Database) -> Result<Self, DatabaseError> {
        let (connection, head) = wait(runtime, async {
            let connection = database.connect(None).await?;
            connection.client.batch_execute(BEGIN).await.map_err(failed)?;
            let head = connection.client.query_one(HEAD, &[]).await.map_err(failed)?;
            Ok::<_, DatabaseError>((connection, head))
        })?;
        if head.get(1) {
            return Err(DatabaseError::Restoring);
        }
        let (number, operation) = (head.get(0), head.get(2));
        Ok(Self {
            runtime,
            connection,
            position: Position { number, operation },
            // The last ids have no table of documents.
            kinds: KINDS.iter().map(|kind| kind.tree).chain([Tree::META]).collect(),
            reading: None,
        })
    }

    /// The next one; `None` after the last assigned ids, which come last.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, DatabaseError> {
        loop {
            let Some((kind, rows)) = &mut self.reading else {
                let Some(kind) = self.kinds.pop_front() else {
                    return Ok(None);
                };
                if kind == Tree::META {
                    return self.last_ids().map(Some);
                }
                let client = &self.connection.client;
                let none: [i64; 0] = [];
                let rows = wait(self.runtime, client.query_raw(&statements::select(kind), none));
                self.reading = Some((kind, Box::pin(rows.map_err(failed)?)));
                continue;
            };
            match wait(self.runtime, rows.next()) {
                None => self.reading = None,
                Some(row) => {
                    let document: String = row.map_err(failed)?.get(0);
                    return entry(kind.name(), document).map(Some);
                }
            }
        }
    }

    fn last_ids(&mut self) -> Result<Entry, DatabaseError> {
        let client = &self.connection.client;
        let rows = wait(self.runtime, client.query("SELECT kind, number FROM last_ids", &[]));
        let rows = rows.map_err(failed)?;
        let numbers: BTreeMap<String, i64> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        entry(LAST_IDS, serde_json::to_string(&numbers).expect("texts and numbers"))
    }
}

fn entry(kind: &str, document: String) -> Result<Entry, DatabaseError> {
    let record = RawValue::from_string(document);
    let record = record.map_err(|error| DatabaseError::Failed(format!("a document of {kind}: {error}")))?;
    let (number, kind) = (0, kind.to_owned());
    Ok(Entry { number, kind, record })
}
