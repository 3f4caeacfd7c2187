//! The log of commits in the database, and the tables that it changes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use futures_util::future::{BoxFuture, FutureExt, join_all};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, RowStream, Statement};

use super::database::{Connection, failed, runtime, words};
use super::tables::{self, SET_LAST_IDS, Values};
use super::{Database, DatabaseError, LEASE, layout};
use crate::store::backup::Entry;
use crate::store::sled::backup::LAST_IDS;
use crate::store::sled::commit_log::{CommitLog, Lease, LogChange, LogError, News};
use crate::store::sled::snapshot::ORDER;
use crate::store::sled::trees::Tree;

/// How long a call may wait for the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait before the database is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// How often old commits are removed from the log. A copy that is made anew does not need them.
const TRIM_EVERY: Duration = Duration::from_secs(60);

/// How much later than the lease ends by its own clock another server may take over.
const MARGIN: Duration = Duration::from_secs(1);

/// Takes the lock, extends the lease and draws the number of the commit. No row: another server has taken over.
const BEGIN: &str = "UPDATE hitode SET number = number + 1, lease_end = clock_timestamp() + make_interval(secs => $2) \
     WHERE server = $1 RETURNING number";

/// The log, for the committer thread.
pub(super) struct PostgresLog {
    database: Database,
    runtime: Runtime,
    /// `None` after a failure, until the next call.
    session: Option<Session>,
    /// Identifies this process.
    server: String,
    /// The last commit in the copy.
    position: i64,
    /// The commit that was begun.
    begun: Option<i64>,
    lease: Lease,
    /// When old commits were removed from the log.
    trimmed: Option<Instant>,
}

/// A connection with its prepared statements.
struct Session {
    connection: Connection,
    statements: HashMap<(Tree, bool), Statement>,
    begin: Statement,
    news: Statement,
    append: Statement,
    last_ids: Statement,
}

/// Why an append failed.
enum AppendError {
    /// The database has rejected it.
    Rejected(tokio_postgres::Error),
    /// The database did not answer.
    Silent(String),
}

impl PostgresLog {
    /// Connects, prepares the tables, and becomes the active server.
    pub(super) fn connect(database: &Database, lease: Lease) -> Result<Self, DatabaseError> {
        let runtime = runtime()?;
        let server = format!("{:032x}", rand::random::<u128>());
        let mut log = Self {
            database: database.clone(),
            runtime,
            session: None,
            server,
            position: 0,
            begun: None,
            lease,
            trimmed: None,
        };
        let mut connection = log.runtime.block_on(log.database.connect())?;
        log.runtime.block_on(layout::prepare(&mut connection.client))?;
        let deadline = Instant::now() + 2 * (LEASE + MARGIN);
        while !log.runtime.block_on(take_over(&connection.client, &log.server))? {
            if Instant::now() > deadline {
                return Err(DatabaseError::InUse);
            }
            std::thread::sleep(MARGIN / 4);
        }
        let head = connection.client.query_one("SELECT number, restoring FROM hitode", &[]);
        let head = log.runtime.block_on(head).map_err(failed)?;
        log.position = head.get(0);
        log.session = Some(log.runtime.block_on(Session::new(connection)).map_err(failed)?);
        if head.get(1) {
            return Err(DatabaseError::Restoring);
        }
        log.renew().map_err(|error| DatabaseError::Failed(error.to_string()))?;
        Ok(log)
    }

    /// Notes that a restore has begun, or that it has ended.
    pub(super) fn set_restoring(database: &Database, is_restoring: bool) -> Result<(), DatabaseError> {
        runtime()?.block_on(async {
            let connection = database.connect().await?;
            let set = format!("UPDATE hitode SET restoring = {is_restoring}");
            connection.client.batch_execute(&set).await.map_err(failed)
        })
    }

    /// As if the copy had none of the commits.
    #[cfg(test)]
    pub(super) fn forget_position(&mut self) {
        self.position = 0;
    }

    /// Whether there was no commit yet.
    pub(super) fn is_new(&self) -> bool {
        self.position == 0
    }
}

async fn take_over(client: &Client, server: &str) -> Result<bool, DatabaseError> {
    let taken = client
        .execute(
            "UPDATE hitode SET server = $1, lease_end = clock_timestamp() + make_interval(secs => $2) \
             WHERE lease_end < clock_timestamp()",
            &[&server, &lease_seconds()],
        )
        .await;
    Ok(taken.map_err(failed)? == 1)
}

/// For how long no other server may take over, from now on.
fn lease_seconds() -> f64 {
    (LEASE + MARGIN).as_secs_f64()
}

impl Session {
    async fn new(connection: Connection) -> Result<Self, tokio_postgres::Error> {
        let client = &connection.client;
        let begin = client.prepare(BEGIN).await?;
        let news = client
            .prepare("SELECT number, changes FROM commits WHERE number > $1 ORDER BY number")
            .await?;
        let append = client
            .prepare("INSERT INTO commits (number, operation, changes) VALUES ($1, $2, $3)")
            .await?;
        let last_ids = client.prepare(SET_LAST_IDS).await?;
        let statements = HashMap::new();
        Ok(Self {
            connection,
            statements,
            begin,
            news,
            append,
            last_ids,
        })
    }

    /// Begins a transaction that holds the lock. Returns the number of the commit, and what was committed after
    /// `position`. No number: another server has taken over.
    async fn begin(
        &self,
        server: &str,
        position: i64,
    ) -> Result<(Option<i64>, Vec<(i64, Vec<u8>)>), tokio_postgres::Error> {
        let client = &self.connection.client;
        // Sent together, and answered one after the other.
        let (begun, number, news) = tokio::join!(
            client.batch_execute("BEGIN"),
            async { client.query_opt(&self.begin, &[&server, &lease_seconds()]).await },
            async { client.query(&self.news, &[&position]).await },
        );
        begun?;
        let number = number?.map(|row| row.get(0));
        let news = news?.iter().map(|row| (row.get(0), row.get(1))).collect();
        Ok((number, news))
    }

    /// The statement that changes the table of a kind.
    async fn statement(&mut self, kind: Tree, is_removal: bool) -> Result<Statement, tokio_postgres::Error> {
        if let Some(known) = self.statements.get(&(kind, is_removal)) {
            return Ok(known.clone());
        }
        let sql = match is_removal {
            true => tables::delete(kind),
            false => tables::upsert(kind),
        };
        let statement = self.connection.client.prepare(&sql).await?;
        self.statements.insert((kind, is_removal), statement.clone());
        Ok(statement)
    }

    /// Writes the changes and commits.
    async fn append(&mut self, number: i64, operation: i64, changes: &[LogChange]) -> Result<(), AppendError> {
        let logged = serde_json::to_vec(&changes.iter().map(Logged::of).collect::<Vec<_>>());
        let logged = logged.expect("changes are texts and numbers");
        let batches = batches(changes).ok_or_else(|| AppendError::Silent("a key is malformed".to_owned()))?;
        let mut statements = Vec::with_capacity(batches.len());
        for batch in &batches {
            let statement = self.statement(batch.kind, batch.documents.is_none()).await;
            statements.push(statement.map_err(AppendError::Rejected)?);
        }
        let (kinds, numbers): (Vec<&str>, Vec<i64>) = changes.iter().filter_map(LogChange::as_last_id).unzip();
        let client = &self.connection.client;
        let parameters: Vec<Vec<&(dyn ToSql + Sync)>> = batches.iter().map(Batch::parameters).collect();
        let ids: [&(dyn ToSql + Sync); 2] = [&kinds, &numbers];
        let row: [&(dyn ToSql + Sync); 3] = [&number, &operation, &logged];
        let mut sent: Vec<BoxFuture<'_, Result<(), tokio_postgres::Error>>> = Vec::with_capacity(batches.len() + 3);
        for (statement, parameters) in statements.iter().zip(&parameters) {
            sent.push(executed(client, statement, parameters));
        }
        if !kinds.is_empty() {
            sent.push(executed(client, &self.last_ids, &ids));
        }
        sent.push(executed(client, &self.append, &row));
        sent.push(client.batch_execute("COMMIT").boxed());
        // All are sent together. A COMMIT after an error is a ROLLBACK, and reports success: each answer counts.
        let answers = timeout(PATIENCE, join_all(sent)).await;
        let answers = answers.map_err(|_| AppendError::Silent("it did not answer in time".to_owned()))?;
        let lost = answers
            .iter()
            .filter_map(|answer| answer.as_ref().err())
            .find(|error| error.as_db_error().is_none());
        if let Some(error) = lost {
            return Err(AppendError::Silent(words(error)));
        }
        answers
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(AppendError::Rejected)
    }
}

fn executed<'c>(
    client: &'c Client,
    statement: &'c Statement,
    parameters: &'c [&'c (dyn ToSql + Sync)],
) -> BoxFuture<'c, Result<(), tokio_postgres::Error>> {
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
        let key = tables::columns_of(kind, keys.into_iter())?;
        let documents = Some(documents);
        Some(Batch { kind, key, documents })
    });
    let removed = removed.into_iter().map(|(kind, keys)| {
        let key = tables::columns_of(kind, keys.into_iter())?;
        let documents = None;
        Some(Batch { kind, key, documents })
    });
    written.chain(removed).collect()
}

/// A change as the log holds it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Logged {
    Entry {
        kind: String,
        key: String,
        document: Option<String>,
    },
    LastId {
        kind: String,
        number: i64,
    },
}

impl Logged {
    fn of(change: &LogChange) -> Self {
        match change {
            LogChange::Entry { kind, key, document } => Self::Entry {
                kind: kind.name().to_owned(),
                key: STANDARD.encode(key),
                document: document.clone(),
            },
            LogChange::LastId(kind, number) => Self::LastId {
                kind: kind.clone(),
                number: *number,
            },
        }
    }

    fn read(self) -> Option<LogChange> {
        Some(match self {
            Self::Entry { kind, key, document } => LogChange::Entry {
                kind: Tree::named(&kind)?,
                key: STANDARD.decode(key).ok()?,
                document,
            },
            Self::LastId { kind, number } => LogChange::LastId(kind, number),
        })
    }
}

impl PostgresLog {
    /// The session, made again after a failure.
    fn session(&mut self) -> Result<Session, LogError> {
        if let Some(session) = self
            .session
            .take()
            .filter(|session| !session.connection.client.is_closed())
        {
            return Ok(session);
        }
        let connected = self.runtime.block_on(async {
            let connection = self.database.connect().await?;
            Session::new(connection).await.map_err(failed)
        });
        connected.map_err(|error| LogError::Unavailable(error.to_string()))
    }

    /// Waits for an answer of the database.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, LogError> {
        let answer = self.runtime.block_on(async { timeout(PATIENCE, answer).await });
        let answer = answer.map_err(|_| LogError::Unavailable("the database did not answer in time".to_owned()))?;
        answer.map_err(|error| LogError::Unavailable(format!("the database: {}", words(&error))))
    }

    /// Whether the commit with this number is this one, once nobody else can still make it.
    fn find_out(&mut self, number: i64, operation: i64) -> Result<bool, LogError> {
        let session = self.session()?;
        let client = &session.connection.client;
        let found = self.wait(async {
            client.batch_execute("BEGIN; SELECT FROM hitode FOR UPDATE").await?;
            let found = client
                .query_opt("SELECT operation FROM commits WHERE number = $1", &[&number])
                .await?;
            client.batch_execute("ROLLBACK").await?;
            Ok(found.is_some_and(|row| row.get::<_, i64>(0) == operation))
        })?;
        self.session = Some(session);
        Ok(found)
    }
}

impl CommitLog for PostgresLog {
    fn begin(&mut self) -> Result<News, LogError> {
        let mut session = self.session()?;
        let mut begun = self.wait(session.begin(&self.server, self.position));
        if begun.is_err() {
            // The connection may have ended since the last commit. Nothing has been done yet.
            session = self.session()?;
            begun = self.wait(session.begin(&self.server, self.position));
        }
        let (number, news) = begun?;
        let Some(number) = number else {
            self.lease.end();
            return Err(LogError::Deposed("another server has taken over".to_owned()));
        };
        if self.position + i64::try_from(news.len()).unwrap_or(i64::MAX) != number - 1 {
            self.lease.end();
            return Err(LogError::Deposed("the copy has missed commits; start again".to_owned()));
        }
        let mut changes = News::new();
        for (_, logged) in &news {
            let read: Result<Vec<Logged>, _> = serde_json::from_slice(logged);
            let read: Option<Vec<LogChange>> = read.ok().and_then(|read| read.into_iter().map(Logged::read).collect());
            let damaged = || LogError::Deposed("the log of commits is damaged".to_owned());
            changes.extend(read.ok_or_else(damaged)?);
        }
        self.position = number - 1;
        self.begun = Some(number);
        self.session = Some(session);
        Ok(changes)
    }

    fn append(&mut self, changes: &[LogChange]) -> Result<(), LogError> {
        let number = self.begun.take().expect("a commit was begun");
        let operation: i64 = rand::random();
        let sent = Instant::now();
        let mut session = self.session()?;
        match self.runtime.block_on(session.append(number, operation, changes)) {
            Ok(()) => self.session = Some(session),
            // The connection is closed, which ends the transaction.
            Err(AppendError::Rejected(error)) => {
                return Err(LogError::Unavailable(format!("the database: {}", words(&error))));
            }
            Err(AppendError::Silent(cause)) => {
                drop(session);
                let unknown = |error| LogError::Unknown(format!("the database: {cause}; then: {error}"));
                let mut found = self.find_out(number, operation);
                while found.is_err() && sent.elapsed() < PATIENCE {
                    std::thread::sleep(PAUSE);
                    found = self.find_out(number, operation);
                }
                if !found.map_err(unknown)? {
                    return Err(LogError::Unavailable(format!("the database: {cause}")));
                }
            }
        }
        self.position = number;
        self.lease.extend_to(sent + LEASE);
        Ok(())
    }

    fn release(&mut self) {
        self.begun = None;
        if let Some(session) = self.session.take()
            && self.wait(session.connection.client.batch_execute("ROLLBACK")).is_ok()
        {
            self.session = Some(session);
        }
    }

    fn renew(&mut self) -> Result<(), LogError> {
        let session = self.session()?;
        let sent = Instant::now();
        let parameters: [&(dyn ToSql + Sync); 2] = [&self.server, &lease_seconds()];
        let renewed = self.wait(session.connection.client.execute(
            "UPDATE hitode SET lease_end = clock_timestamp() + make_interval(secs => $2) WHERE server = $1",
            &parameters,
        ))?;
        if renewed == 0 {
            self.lease.end();
            return Err(LogError::Deposed("another server has taken over".to_owned()));
        }
        self.lease.extend_to(sent + LEASE);
        if self.trimmed.is_none_or(|trimmed| trimmed.elapsed() > TRIM_EVERY) {
            self.trimmed = Some(sent);
            let old = "DELETE FROM commits WHERE at < now() - interval '1 hour'";
            self.wait(session.connection.client.execute(old, &[]))?;
        }
        self.session = Some(session);
        Ok(())
    }
}

impl Drop for PostgresLog {
    /// Lets another server take over at once.
    fn drop(&mut self) {
        self.lease.end();
        if let Some(session) = self.session.take() {
            let client = &session.connection.client;
            let parameters: [&(dyn ToSql + Sync); 1] = [&self.server];
            let free = "UPDATE hitode SET server = '', lease_end = '-infinity' WHERE server = $1";
            // Otherwise the lease runs out.
            let _ = self.wait(client.execute(free, &parameters));
        }
    }
}

/// All documents of the database, for a new copy.
pub(super) struct Documents<'l> {
    log: &'l mut PostgresLog,
    connection: Connection,
    kinds: VecDeque<Tree>,
    /// The kind that is read.
    reading: Option<(Tree, Pin<Box<RowStream>>)>,
    renewed: Instant,
}

impl PostgresLog {
    /// All documents, in an order in which they can be entered. Nobody changes them, since this server is the active one.
    pub(super) fn documents(&mut self) -> Result<Documents<'_>, DatabaseError> {
        let connection = self.runtime.block_on(self.database.connect())?;
        Ok(Documents {
            log: self,
            connection,
            // The last ids have no table of documents.
            kinds: ORDER.into_iter().chain([Tree::Meta]).collect(),
            reading: None,
            renewed: Instant::now(),
        })
    }
}

impl Documents<'_> {
    /// The next one; `None` after the last assigned ids, which come last.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, DatabaseError> {
        if self.renewed.elapsed() > LEASE / 4 {
            self.log
                .renew()
                .map_err(|error| DatabaseError::Failed(error.to_string()))?;
            self.renewed = Instant::now();
        }
        loop {
            let Some((kind, rows)) = &mut self.reading else {
                let Some(kind) = self.kinds.pop_front() else {
                    return Ok(None);
                };
                if kind == Tree::Meta {
                    return self.last_ids().map(Some);
                }
                let client = &self.connection.client;
                let none: [i64; 0] = [];
                let rows = self.log.runtime.block_on(client.query_raw(&tables::select(kind), none));
                self.reading = Some((kind, Box::pin(rows.map_err(failed)?)));
                continue;
            };
            match self.log.runtime.block_on(rows.next()) {
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
        let rows = self
            .log
            .runtime
            .block_on(client.query("SELECT kind, number FROM last_ids", &[]));
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
