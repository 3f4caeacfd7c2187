//! The connection to the database.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{LoadBalanceHosts, SslMode};
use tokio_postgres::error::Severity;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::DatabaseError;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(2);

/// How long a database, or the primary among several, may take to be found and to answer.
const ANSWER: Duration = Duration::from_secs(3);

/// A commit is on the disk, and on a standby's if there are any, whatever the database is configured to. The database ends a
/// transaction in which a server is silent: one that is stopped must not hold the lock for ever. A server that waits for the
/// lock looks after its copy meanwhile.
const SETTINGS: &str = "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '2s'; \
     SET lock_timeout = '700ms'";

/// The value of `sslmode` that the crate does not know.
const VERIFY_FULL: &str = "sslmode=verify-full";

/// The address of a database.
#[derive(Clone)]
pub struct Database(Box<Config>);

impl FromStr for Database {
    type Err = DatabaseError;

    /// Reads a URL, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. `require` verifies the
    /// certificate and the name of the server as `verify-full` does. The URL is in no error, since it holds a password.
    fn from_str(url: &str) -> Result<Self, DatabaseError> {
        let known = url.replace(VERIFY_FULL, "sslmode=require");
        let config: Config = known
            .parse()
            .map_err(|error: tokio_postgres::Error| DatabaseError::Url(words(&error)))?;
        if config.get_hosts().is_empty() {
            return Err(DatabaseError::Url("it names no host".to_owned()));
        }
        Ok(Self(Box::new(config)))
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Database")
    }
}

/// Called with the payload of each notification that a connection receives.
pub(super) type OnNotification = Arc<dyn Fn(&str) + Send + Sync>;

/// A connection, with the task that drives it.
pub(super) struct Connection {
    pub(super) client: Client,
    driver: JoinHandle<()>,
    warning: Arc<Mutex<Option<String>>>,
}

impl Connection {
    /// The last warning since the former call. A COMMIT that somebody cancels while it waits for a standby succeeds with a
    /// warning.
    pub(super) fn take_warning(&self) -> Option<String> {
        self.warning.lock().expect("no thread panics with it").take()
    }
}

impl Drop for Connection {
    /// Closes it at once, also if the server does not answer.
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Database {
    /// Connects.
    pub(super) async fn connect(&self, on_notification: Option<OnNotification>) -> Result<Connection, DatabaseError> {
        let silent = || DatabaseError::Failed("it does not answer".to_owned());
        let connecting = timeout(ANSWER, self.try_connect(on_notification));
        connecting.await.unwrap_or_else(|_| Err(silent()))
    }

    async fn try_connect(&self, on_notification: Option<OnNotification>) -> Result<Connection, DatabaseError> {
        let mut config = Config::clone(&self.0);
        config.application_name("hitode").connect_timeout(CONNECT);
        // A host that takes connections and does not answer keeps the next ones from being asked: it must not always be first.
        config.load_balance_hosts(LoadBalanceHosts::Random);
        config.tcp_user_timeout(CONNECT * 2).keepalives_idle(CONNECT * 2);
        config.keepalives_interval(CONNECT).keepalives_retries(2);
        let warning = Arc::default();
        let messages = Messages {
            on_notification,
            warning: Arc::clone(&warning),
        };
        let (client, driver) = if config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = config.connect(NoTls).await.map_err(failed)?;
            (client, tokio::spawn(drive(connection, messages)))
        } else {
            let (client, connection) = config.connect(tls()).await.map_err(failed)?;
            (client, tokio::spawn(drive(connection, messages)))
        };
        let connection = Connection {
            client,
            driver,
            warning,
        };
        connection.client.batch_execute(SETTINGS).await.map_err(failed)?;
        // A database may warn everybody who connects, such as of a new version of its collation.
        drop(connection.take_warning());
        Ok(connection)
    }
}

/// What is done with messages of the database that answer no request.
struct Messages {
    on_notification: Option<OnNotification>,
    warning: Arc<Mutex<Option<String>>>,
}

/// Works for a connection until it ends.
async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, messages: Messages)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
        match message {
            Ok(AsyncMessage::Notification(notification)) => {
                let on_notification = messages.on_notification.iter();
                on_notification.for_each(|notify| notify(notification.payload()));
            }
            Ok(AsyncMessage::Notice(notice)) if notice.parsed_severity() == Some(Severity::Warning) => {
                *messages.warning.lock().expect("no thread panics with it") = Some(notice.message().to_owned());
            }
            Ok(_) => {}
            Err(error) => return tracing::debug!(error = words(&error), "the connection to the database"),
        }
    }
}

fn tls() -> MakeRustlsConnect {
    let mut roots = RootCertStore::empty();
    // Those that cannot be read are left out. SSL_CERT_FILE names another file.
    let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions();
    let config = config.expect("ring knows the default versions");
    MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth())
}

/// The runtime on which connections are driven.
pub(super) fn runtime() -> Result<Runtime, DatabaseError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("postgres")
        .enable_all()
        .build();
    runtime.map_err(|error| DatabaseError::Failed(format!("no thread for it ({error})")))
}

/// Waits for the database. What is waited for has no type of its own: the runtime's loop is compiled once for each result.
pub(super) fn wait<T>(runtime: &Runtime, answer: impl Future<Output = T>) -> T {
    let answer: Pin<Box<dyn Future<Output = T> + '_>> = Box::pin(answer);
    runtime.block_on(answer)
}

/// An error of the database.
pub(super) fn failed(error: tokio_postgres::Error) -> DatabaseError {
    DatabaseError::Failed(words(&error))
}

/// An error with its causes.
pub(super) fn words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words = format!("{words}: {inner}");
        cause = inner.source();
    }
    words
}
