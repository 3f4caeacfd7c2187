//! A connection of the log with its prepared statements.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use codegen_store::Tree;
use codegen_store::commit_log::LogChange;
use futures_util::future::{BoxFuture, FutureExt, join_all};
use tokio::time::timeout;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use super::database::{Connection, words};
use super::layout;
use super::position::Position;
use super::statements::{self, SET_LAST_IDS, Values};

/// How long a call may wait for the database.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Takes the lock, and draws the number of the commit.
const BEGIN: &str = "UPDATE hitode SET number = number + 1 RETURNING number";

/// The commit with this number, without its changes, and the later ones: so many rows at most.
const NEWS: &str = "SELECT number, operation, awaited, CASE WHEN number > $1 THEN changes END FROM commits \
     WHERE number >= $1 ORDER BY number LIMIT $2";
/// How many later ones a server reads at once.
pub(super) const MAX_NEWS: usize = 5000;
/// How many while it holds the lock that others wait for.
pub(super) const MAX_LOCKED_NEWS: usize = 512;

const APPEND: &str = "INSERT INTO commits (number, operation, awaited, changes) VALUES ($1, $2, $3, $4)";

/// Says that a server is alive, and has taken in the commit with this number and this operation. This is a write, so that a
/// database that is cut off from its standbys cannot answer it. The position does not count if a failover has replaced the
/// commit. A row that was removed does not come back with a number that others have seen.
const RENEW: &str = "INSERT INTO servers (server, position, renewals, layout) VALUES ($1, \
         CASE WHEN EXISTS (SELECT FROM commits WHERE number = $2 AND operation = $3) THEN $2 ELSE 0 END, \
         (random() * 1e15)::bigint, $4) \
     ON CONFLICT (server) DO UPDATE SET position = excluded.position, renewals = servers.renewals + 1";

/// The servers, how often each has said that it is alive, whether it leads, and its version of the layout.
const SERVERS: &str = "SELECT server, renewals, server = (SELECT leader FROM hitode), layout FROM servers";

/// A connection with its prepared statements.
pub(super) struct Session {
    pub(super) connection: Connection,
    statements: HashMap<(Tree, bool), Statement>,
    begin: Statement,
    news: Statement,
    append: Statement,
    last_ids: Statement,
    renew: Statement,
    servers: Statement,
    /// Sent with each commit.
    commit: String,
}

/// Why an append failed.
pub(super) enum AppendError {
    /// The database has rejected it.
    Rejected(Error),
    /// The database did not answer.
    Silent(String),
}

/// A commit that is appended.
#[derive(Clone, Copy)]
pub(super) struct NewCommit<'c> {
    pub(super) number: i64,
    pub(super) operation: i64,
    pub(super) is_awaited: bool,
    pub(super) changes: &'c [LogChange],
}

impl Session {
    /// Prepares the statements. Other servers than `server` are notified of each commit.
    pub(super) async fn new(connection: Connection, server: &str) -> Result<Self, Error> {
        let client = &connection.client;
        client.batch_execute("LISTEN hitode").await?;
        let statements = [BEGIN, NEWS, APPEND, SET_LAST_IDS, RENEW, SERVERS].map(|sql| client.prepare(sql));
        let [begin, news, append, last_ids, renew, servers] = join_all(statements)
            .await
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .try_into()
            .expect("as many as were prepared");
        Ok(Self {
            connection,
            statements: HashMap::new(),
            begin,
            news,
            append,
            last_ids,
            renew,
            servers,
            commit: format!("NOTIFY hitode, '{server}'; COMMIT"),
        })
    }

    /// Begins a transaction that holds the lock. Returns the number of the commit, and the rows of the commits since
    /// `position`.
    pub(super) async fn begin(&self, position: i64) -> Result<(i64, Vec<Row>), Error> {
        let client = &self.connection.client;
        // Sent together, and answered one after the other.
        let (begun, number, news) = tokio::join!(
            client.batch_execute("BEGIN"),
            async { client.query_one(&self.begin, &[]).await },
            self.rows_since(position, MAX_LOCKED_NEWS),
        );
        begun?;
        Ok((number?.get(0), news?))
    }

    /// The rows of the commits since `position`.
    pub(super) async fn news(&self, position: i64) -> Result<Vec<Row>, Error> {
        self.rows_since(position, MAX_NEWS).await
    }

    async fn rows_since(&self, position: i64, most: usize) -> Result<Vec<Row>, Error> {
        // With that of the position.
        let rows = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
        self.connection.client.query(&self.news, &[&position, &rows]).await
    }

    /// Says that the server is alive. Returns the rows of all servers, and of the commits since `position`.
    pub(super) async fn renew(&self, server: &str, position: Position) -> Result<(Vec<Row>, Vec<Row>), Error> {
        let client = &self.connection.client;
        let Position { number, operation } = position;
        let parameters: [&(dyn ToSql + Sync); 4] = [&server, &number, &operation, &layout::VERSION];
        let (renewed, servers, news) = tokio::join!(
            async { client.execute(&self.renew, &parameters).await },
            async { client.query(&self.servers, &[]).await },
            self.rows_since(number, MAX_NEWS),
        );
        renewed?;
        Ok((servers?, news?))
    }

    /// The statement that changes the table of a kind.
    async fn statement(&mut self, kind: Tree, is_removal: bool) -> Result<Statement, Error> {
        if let Some(known) = self.statements.get(&(kind, is_removal)) {
            return Ok(known.clone());
        }
        let sql = match is_removal {
            true => statements::delete(kind),
            false => statements::upsert(kind),
        };
        let statement = self.connection.client.prepare(&sql).await?;
        self.statements.insert((kind, is_removal), statement.clone());
        Ok(statement)
    }

    /// Writes the changes and commits.
    pub(super) async fn append(&mut self, commit: NewCommit<'_>) -> Result<(), AppendError> {
        let changes = commit.changes;
        let logged = super::logged::encode(changes);
        let batches = batches(changes).ok_or_else(|| AppendError::Silent("a key is malformed".to_owned()))?;
        let mut statements = Vec::with_capacity(batches.len());
        for batch in &batches {
            let statement = timeout(PATIENCE, self.statement(batch.kind, batch.documents.is_none())).await;
            statements.push(statement.map_err(|_| silent())?.map_err(AppendError::from_error)?);
        }
        let (kinds, numbers): (Vec<&str>, Vec<i64>) = changes.iter().filter_map(LogChange::as_last_id).unzip();
        let client = &self.connection.client;
        let parameters: Vec<Vec<&(dyn ToSql + Sync)>> = batches.iter().map(Batch::parameters).collect();
        let ids: [&(dyn ToSql + Sync); 2] = [&kinds, &numbers];
        let row: [&(dyn ToSql + Sync); 4] = [&commit.number, &commit.operation, &commit.is_awaited, &logged];
        let mut sent: Vec<BoxFuture<'_, Result<(), Error>>> = Vec::with_capacity(batches.len() + 3);
        for (statement, parameters) in statements.iter().zip(&parameters) {
            sent.push(executed(client, statement, parameters));
        }
        if !kinds.is_empty() {
            sent.push(executed(client, &self.last_ids, &ids));
        }
        sent.push(executed(client, &self.append, &row));
        sent.push(client.batch_execute(&self.commit).boxed());
        // All are sent together. A COMMIT after an error is a ROLLBACK, and reports success: each answer counts.
        let answers = timeout(PATIENCE, join_all(sent)).await;
        let answers = answers.map_err(|_| silent())?;
        if let Some(warning) = self.connection.take_warning() {
            return Err(AppendError::Silent(format!("it warned: {warning}")));
        }
        let errors = answers.into_iter().filter_map(Result::err).map(AppendError::from_error);
        let (silent, rejected): (Vec<_>, Vec<_>) = errors.partition(|error| matches!(error, AppendError::Silent(_)));
        silent.into_iter().chain(rejected).next().map_or(Ok(()), Err)
    }
}

fn silent() -> AppendError {
    AppendError::Silent("it did not answer in time".to_owned())
}

impl AppendError {
    /// An error after which the connection is gone says nothing of a COMMIT: a pooler sends it in the name of a database that
    /// it has lost.
    fn from_error(error: Error) -> Self {
        let severity = error.as_db_error().map(DbError::parsed_severity);
        let is_last = matches!(severity, None | Some(Some(Severity::Fatal | Severity::Panic)));
        let is_of_connection = error
            .code()
            .is_some_and(|code| ["08", "57P", "58"].iter().any(|class| code.code().starts_with(class)));
        match is_last || is_of_connection {
            true => Self::Silent(words(&error)),
            false => Self::Rejected(error),
        }
    }
}

/// Whether the database has rejected a transaction because of another one, so that it may succeed when it is repeated.
pub(super) fn is_conflict(error: &Error) -> bool {
    let codes = [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ];
    error.code().is_some_and(|code| codes.contains(code))
}

fn executed<'c>(
    client: &'c Client,
    statement: &'c Statement,
    parameters: &'c [&'c (dyn ToSql + Sync)],
) -> BoxFuture<'c, Result<(), Error>> {
    client.execute(statement, parameters).map(|done| done.map(drop)).boxed()
}

/// Rows of one table that are written or removed by one statement.
struct Batch<'c> {
    kind: Tree,
    key: Vec<Values>,
    /// `None`: they are removed.
    documents: Option<Vec<&'c str>>,
}

impl Batch<'_> {
    fn parameters(&self) -> Vec<&(dyn ToSql + Sync)> {
        let key = self.key.iter().map(|column| match column {
            Values::Numbers(numbers) => numbers as &(dyn ToSql + Sync),
            Values::Bytes(bytes) => bytes,
        });
        let documents = self.documents.iter().map(|documents| documents as &(dyn ToSql + Sync));
        key.chain(documents).collect()
    }
}

/// The changes of each table. `None` if a key is malformed.
fn batches(changes: &[LogChange]) -> Option<Vec<Batch<'_>>> {
    let mut written: BTreeMap<Tree, (Vec<&[u8]>, Vec<&str>)> = BTreeMap::new();
    let mut removed: BTreeMap<Tree, Vec<&[u8]>> = BTreeMap::new();
    for change in changes {
        match change {
            LogChange::Entry {
                kind,
                key,
                document: Some(document),
            } => {
                let (keys, documents) = written.entry(*kind).or_default();
                keys.push(key);
                documents.push(document);
            }
            LogChange::Entry {
                kind,
                key,
                document: None,
            } => removed.entry(*kind).or_default().push(key),
            LogChange::LastId(..) => {}
        }
    }
    let written = written.into_iter().map(|(kind, (keys, documents))| {
        let key = statements::columns_of(kind, keys.into_iter())?;
        let documents = Some(documents);
        Some(Batch { kind, key, documents })
    });
    let removed = removed.into_iter().map(|(kind, keys)| {
        let key = statements::columns_of(kind, keys.into_iter())?;
        let documents = None;
        Some(Batch { kind, key, documents })
    });
    written.chain(removed).collect()
}
