//! The log of commits in the database, for the committer thread.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use codegen_store::commit_log::{CommitLog, LEASE, Lease, LogChange, LogError, News, Wake, now};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use super::database::{Database, OnNotification, failed, runtime, wait, words};
use super::documents::Documents;
use super::error::DatabaseError;
use super::position::Position;
use super::session::{AppendError, MAX_LOCKED_NEWS, MAX_NEWS, NewCommit, PATIENCE, Session, is_conflict};
use super::{layout, logged};
use crate::store::Role;

/// How long to wait before the database is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// How often the leader removes old commits from the log. A copy that is made anew does not need them.
const TRIM_EVERY: Duration = Duration::from_secs(20);

/// Removes old commits, but not the last one that is old: a server whose copy ends with it knows by it that the copy follows
/// from the log. It looks at more than are made between two calls.
pub(super) const TRIM: &str = "WITH first AS (SELECT number, at FROM commits ORDER BY number LIMIT 40000) \
     DELETE FROM commits WHERE number < (SELECT max(number) FROM first WHERE at < now() - interval '1 hour')";

/// Says that this server has taken in its news, unless a failover has replaced their last commit.
const REPORT: &str = "WITH reported AS (UPDATE servers SET position = $2 WHERE server = $1 \
         AND EXISTS (SELECT FROM commits WHERE number = $2 AND operation = $3)) \
     SELECT pg_notify('hitode', $1)";

/// Ends a commit that has no changes. This is a write: a standby has all that was committed before.
const RELEASE: &str = "UPDATE hitode SET number = number - 1; COMMIT";

/// How often a server has said that it is alive, and since when this is the same.
struct Heard {
    renewals: i64,
    since: Instant,
}

/// The log, for the committer thread.
pub(super) struct PostgresLog {
    database: Database,
    runtime: Runtime,
    /// `None` after a failure, until the next call.
    session: Option<Session>,
    /// Identifies this process.
    server: String,
    position: Position,
    /// The number of the commit that was begun.
    begun: Option<i64>,
    /// When this process last said that it is alive, until the news after that are taken in.
    renewed: Option<Duration>,
    lease: Lease,
    /// The other servers.
    others: HashMap<String, Heard>,
    /// The lowest version of the layout that a server has; 0 before they are known.
    oldest: i32,
    /// When old commits were removed from the log.
    trimmed: Instant,
    wake: Arc<OnceLock<Wake>>,
}

impl PostgresLog {
    /// Connects, and prepares the tables.
    pub(super) fn connect(database: &Database, lease: Lease) -> Result<Self, DatabaseError> {
        let runtime = runtime()?;
        wait(&runtime, async {
            let mut connection = database.connect(None).await?;
            layout::prepare(&mut connection.client).await
        })?;
        Ok(Self {
            database: database.clone(),
            runtime,
            session: None,
            server: format!("{:032x}", rand::random::<u128>()),
            position: Position::default(),
            begun: None,
            renewed: None,
            lease,
            others: HashMap::new(),
            oldest: 0,
            trimmed: Instant::now(),
            wake: Arc::default(),
        })
    }

    /// All records at this moment, for a new copy.
    pub(super) fn documents(&self) -> Result<Documents<'_>, DatabaseError> {
        Documents::begin(&self.runtime, &self.database)
    }

    /// The last commit in the copy.
    pub(super) fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Notes that a restore has begun. `false` if the database has commits, is being restored, or has other servers than
    /// this one: they would take in what is half restored.
    pub(super) fn begin_restore(database: &Database) -> Result<bool, DatabaseError> {
        wait(&runtime()?, async {
            let mut connection = database.connect(None).await?;
            let transaction = connection.client.transaction().await.map_err(failed)?;
            // A server that says later that it is alive finds the restore.
            let locked = transaction.execute("SELECT FROM hitode FOR UPDATE", &[]).await;
            locked.map_err(failed)?;
            let begin = "UPDATE hitode SET restoring = true \
                 WHERE number = 0 AND NOT restoring AND (SELECT count(*) FROM servers) = 1";
            let begun = transaction.execute(begin, &[]).await.map_err(failed)?;
            transaction.commit().await.map_err(failed)?;
            Ok(begun == 1)
        })
    }

    /// Notes that a restore has ended.
    pub(super) fn end_restore(database: &Database) -> Result<(), DatabaseError> {
        wait(&runtime()?, async {
            let connection = database.connect(None).await?;
            let end = connection.client.batch_execute("UPDATE hitode SET restoring = false");
            end.await.map_err(failed)
        })
    }

    /// Whether a restore has begun and not ended.
    pub(super) fn is_restoring(database: &Database) -> Result<bool, DatabaseError> {
        wait(&runtime()?, async {
            let connection = database.connect(None).await?;
            let asked = connection
                .client
                .query_one("SELECT restoring FROM hitode FOR SHARE", &[]);
            let asked = timeout(PATIENCE, asked).await;
            let asked = asked.map_err(|_| DatabaseError::Failed("it did not answer in time".to_owned()))?;
            Ok(asked.map_err(failed)?.get(0))
        })
    }

    /// The session, made again after a failure.
    fn session(&mut self) -> Result<Session, LogError> {
        let open = self.session.take();
        if let Some(session) = open.filter(|session| !session.connection.client.is_closed()) {
            return Ok(session);
        }
        let (wake, own) = (Arc::clone(&self.wake), self.server.clone());
        let on_notification: OnNotification = Arc::new(move |server| {
            if server != own
                && let Some(wake) = wake.get()
            {
                wake();
            }
        });
        let connected = wait(&self.runtime, async {
            let connecting = async {
                let connection = self.database.connect(Some(on_notification)).await?;
                Session::new(connection, &self.server).await.map_err(failed)
            };
            timeout(PATIENCE, connecting).await
        });
        let connected =
            connected.map_err(|_| LogError::Unavailable("the database did not answer in time".to_owned()))?;
        connected.map_err(|error| LogError::Unavailable(error.to_string()))
    }

    /// The session that holds the lock, and no other one.
    fn locked(&mut self) -> Result<Session, LogError> {
        let open = self.session.take();
        let open = open.filter(|session| !session.connection.client.is_closed());
        open.ok_or_else(|| LogError::Unavailable("the connection has ended".to_owned()))
    }

    /// Waits for an answer of the database. One with a warning does not count.
    fn wait<T>(&self, session: &Session, answer: impl Future<Output = Result<T, Error>>) -> Result<T, LogError> {
        let answer = wait(&self.runtime, async { timeout(PATIENCE, answer).await });
        let answer = answer.map_err(|_| LogError::Unavailable("the database did not answer in time".to_owned()))?;
        let answer = answer.map_err(|error| log_error(&error))?;
        match session.connection.take_warning() {
            Some(warning) => Err(LogError::Unavailable(format!("the database warned: {warning}"))),
            None => Ok(answer),
        }
    }

    /// Executes a statement.
    fn execute(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<u64, LogError> {
        let session = self.session()?;
        let changed = self.wait(&session, session.connection.client.execute(sql, parameters))?;
        self.session = Some(session);
        Ok(changed)
    }

    /// Whether the commit with this number is this one, once nobody else can still make it. The answer is that of a write:
    /// the database shows a commit that no standby has if it was interrupted while it waited for one.
    fn find_out(&mut self, number: i64, operation: i64) -> Result<bool, LogError> {
        let session = self.session()?;
        let client = &session.connection.client;
        let found = self.wait(&session, async {
            client.batch_execute("BEGIN; UPDATE hitode SET number = number").await?;
            let found = client
                .query_opt("SELECT operation FROM commits WHERE number = $1", &[&number])
                .await?;
            client.batch_execute("COMMIT").await?;
            Ok(found.is_some_and(|row| row.get::<_, i64>(0) == operation))
        })?;
        self.session = Some(session);
        Ok(found)
    }

    /// Reads rows of commits, of which the first is the last one in the copy.
    fn read(&mut self, rows: &[Row]) -> Result<News, LogError> {
        let mut position = self.position;
        let mut rows = rows.iter();
        if position.number > 0 && rows.next().map(position_of) != Some(position) {
            return Err(LogError::Diverged(
                "the database no longer holds the last commit of this server's copy; start again".to_owned(),
            ));
        }
        let mut news = News::default();
        for row in rows {
            let next = position_of(row);
            if next.number != position.number + 1 {
                return Err(LogError::Diverged(
                    "the copy has missed commits; start again".to_owned(),
                ));
            }
            let damaged = || LogError::Diverged(format!("commit {} in the database is malformed", next.number));
            let changes = row.try_get(3).ok().and_then(logged::decode);
            news.commits.push(changes.ok_or_else(damaged)?);
            news.is_awaited |= row.get::<_, bool>(2);
            position = next;
        }
        news.has_more = news.commits.len() >= MAX_NEWS;
        self.position = position;
        Ok(news)
    }

    /// Notes who is alive. Each row has the name of a server, how often it has said that it is alive, whether it leads, and its
    /// version of the layout.
    /// Becomes the leader if there is none that may have a lease; the leader forgets the servers that have none.
    fn look_after_others(&mut self, rows: &[Row]) -> Result<(), LogError> {
        let mut others = HashMap::with_capacity(rows.len());
        let mut leader = None;
        self.oldest = rows.iter().map(|row| row.get(3)).min().unwrap_or_default();
        for row in rows {
            let (server, renewals, leads): (String, i64, bool) = (row.get(0), row.get(1), row.get(2));
            let known = self.others.remove(&server).filter(|known| known.renewals == renewals);
            let since = known.map_or_else(Instant::now, |known| known.since);
            leader = leader.or(leads.then(|| server.clone()));
            if server != self.server {
                others.insert(server, Heard { renewals, since });
            }
        }
        self.others = others;
        let leads = leader.as_ref() == Some(&self.server);
        self.lease.set_role(if leads { Role::Leader } else { Role::Follower });
        // A server that has said nothing for so long has no lease.
        let silent = self
            .others
            .iter()
            .filter(|(_, heard)| heard.since.elapsed() > 2 * LEASE);
        let silent: Vec<_> = silent.map(|(server, heard)| (server.clone(), heard.renewals)).collect();
        if leads {
            for (server, renewals) in silent {
                let forget = "DELETE FROM servers WHERE server = $1 AND renewals = $2";
                self.execute(forget, &[&server, &renewals])?;
            }
            if self.trimmed.elapsed() > TRIM_EVERY {
                self.trimmed = Instant::now();
                self.execute(TRIM, &[])?;
            }
        } else if leader
            .as_ref()
            .is_none_or(|leader| silent.iter().any(|(server, _)| server == leader))
        {
            let (own, former) = (self.server.clone(), leader.unwrap_or_default());
            let lead = "UPDATE hitode SET leader = $1 WHERE leader = $2 OR leader NOT IN (SELECT server FROM servers)";
            if self.execute(lead, &[&own, &former])? == 1 {
                tracing::info!("this server works in the background from now on: webhooks, the sandbox, backups");
                self.lease.set_role(Role::Leader);
            }
        }
        Ok(())
    }
}

fn position_of(row: &Row) -> Position {
    let (number, operation) = (row.get(0), row.get(1));
    Position { number, operation }
}

fn log_error(error: &Error) -> LogError {
    let cause = format!("the database: {}", words(error));
    match is_conflict(error) {
        true => LogError::Conflict(cause),
        false => LogError::Unavailable(cause),
    }
}

impl CommitLog for PostgresLog {
    fn wake_with(&mut self, wake: Wake) {
        // It is called once.
        let _ = self.wake.set(wake);
    }

    fn begin(&mut self) -> Result<News, LogError> {
        let mut session = self.session()?;
        let mut begun = self.wait(&session, session.begin(self.position.number));
        if matches!(begun, Err(LogError::Unavailable(_))) {
            // The connection may have ended since the last commit. Nothing has been done yet.
            session = self.session()?;
            begun = self.wait(&session, session.begin(self.position.number));
        }
        if matches!(begun, Err(LogError::Conflict(_))) {
            self.wait(&session, session.connection.client.batch_execute("ROLLBACK"))?;
            self.session = Some(session);
            return Err(LogError::Conflict("other servers write for long".to_owned()));
        }
        let (number, rows) = begun?;
        if rows.len() > MAX_LOCKED_NEWS {
            // They are read without the lock.
            self.wait(&session, session.connection.client.batch_execute("ROLLBACK"))?;
            self.session = Some(session);
            return Err(LogError::Conflict("this server is far behind others".to_owned()));
        }
        let news = self.read(&rows)?;
        if self.position.number != number - 1 {
            return Err(LogError::Diverged(
                "the numbers of commits in the database have a gap; restore a backup of the database".to_owned(),
            ));
        }
        self.begun = Some(number);
        self.session = Some(session);
        Ok(news)
    }

    fn append(&mut self, changes: &[LogChange], is_awaited: bool) -> Result<i64, LogError> {
        let number = self.begun.take().expect("a commit was begun");
        let operation: i64 = rand::random();
        let sent = Instant::now();
        let mut session = self.locked()?;
        let commit = NewCommit {
            number,
            operation,
            is_awaited,
            changes,
        };
        match wait(&self.runtime, session.append(commit)) {
            Ok(()) => self.session = Some(session),
            // The connection is closed, which ends the transaction.
            Err(AppendError::Rejected(error)) => return Err(log_error(&error)),
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
        self.position = Position { number, operation };
        Ok(number)
    }

    fn release(&mut self) -> Result<(), LogError> {
        self.begun = None;
        let session = self.locked()?;
        let commit = session.connection.client.batch_execute(RELEASE);
        self.wait(&session, commit)?;
        self.session = Some(session);
        Ok(())
    }

    fn news(&mut self) -> Result<News, LogError> {
        let session = self.session()?;
        let rows = self.wait(&session, session.news(self.position.number))?;
        self.session = Some(session);
        self.read(&rows)
    }

    fn renew(&mut self) -> Result<News, LogError> {
        let session = self.session()?;
        let sent = now();
        let (servers, rows) = self.wait(&session, session.renew(&self.server, self.position))?;
        self.session = Some(session);
        let news = self.read(&rows)?;
        self.renewed = (!news.has_more).then_some(sent);
        // It can wait until the next time.
        let _ = self.look_after_others(&servers);
        Ok(news)
    }

    fn took_in(&mut self, news: &News) -> Result<(), LogError> {
        if let Some(renewed) = self.renewed.take() {
            self.lease.extend_from(renewed);
        }
        if news.is_awaited {
            let (server, Position { number, operation }) = (self.server.clone(), self.position);
            self.execute(REPORT, &[&server, &number, &operation])?;
        }
        Ok(())
    }

    fn is_taken_in(&mut self, number: i64) -> Result<bool, LogError> {
        let session = self.session()?;
        let behind = "SELECT EXISTS (SELECT FROM servers WHERE server <> $1 AND position < $2)";
        let parameters: [&(dyn ToSql + Sync); 2] = [&self.server, &number];
        let behind = self.wait(&session, session.connection.client.query_one(behind, &parameters))?;
        self.session = Some(session);
        Ok(!behind.get::<_, bool>(0))
    }

    fn has_latest_layout(&self) -> bool {
        self.oldest >= layout::VERSION
    }
}

impl Drop for PostgresLog {
    /// Nobody waits for this server any more.
    fn drop(&mut self) {
        self.lease.end();
        if self.session.is_some() {
            let server = self.server.clone();
            let end = "WITH ended AS (DELETE FROM servers WHERE server = $1), \
                       freed AS (UPDATE hitode SET leader = '' WHERE leader = $1) SELECT pg_notify('hitode', $1)";
            // Otherwise, its lease runs out.
            let _ = self.execute(end, &[&server]);
        }
    }
}
