//! A run of the server: starts everything in order, and closes it in the end. It knows the store by its trait, except
//! where it opens it.

mod background;
mod flags;
mod foreign;
mod greeting;
mod listen;
mod open_files;
mod shared_limits;
mod start_error;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use codegen_store::{Durability, MIN_FREE_BYTES};
use contract::support::{ExchangeCounts, FileDirectory};
use contract::{Clock, LimitSettings, Limits};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tracing::{info, warn};
use visible::visible_lines;

use self::background::Background;
pub use self::flags::{RateLimiting, Serve};
use self::listen::Addresses;
pub use self::start_error::StartError;
use crate::app::Hitode;
use crate::backups::{KeptBackup, KeyFile, Schedule, is_encrypted};
use crate::demo::{self, DemoError};
use crate::erased::ErasedWorkers;
use crate::http;
use crate::http::Serving;
use crate::http::listener::{ConnectionLimits, PerAddress, Proxies, ShutdownOutcome};
use crate::http::metrics::Metrics;
use crate::logging;
use crate::market::days;
use crate::operator_token::{self, Source, VARIABLE};
use crate::recent::{Process, Recent};
use crate::shutdown::{self, Shutdown, ShutdownTrigger};
use crate::store::Role;
#[cfg(feature = "postgres")]
use crate::store::postgres;
use crate::store::{Mirror, Store, sizes};

/// The maximum number of concurrent disk reads and searches. Each uses memory, and more would not be faster.
const BLOCKING_THREADS: usize = 32;
/// The threads of a store: seven of sled that write, one that flushes, one that watches it, and the committer.
const STORE_THREADS: usize = 10;
/// How long searches of disconnected clients may delay the end.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(1);
/// How long closing the store may take: the last writes, and their sync.
const CLOSING_TIMEOUT: Duration = Duration::from_secs(60);
/// How often the rate limiters evict idle entries.
const EVICTION_INTERVAL: Duration = Duration::from_secs(60);

/// Serves with `options`, with the log and the threads of a process, until a signal stops it.
///
/// # Errors
/// If it cannot start, or the store cannot be closed properly. The text states what to do.
pub(crate) fn run(options: Serve) -> Result<(), Box<dyn Error>> {
    let filter = std::env::var("HITODE_LOG").ok();
    logging::start(filter.as_deref(), options.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()?;
    let served = runtime.block_on(serve(options, std::env::var_os(VARIABLE)));
    runtime.shutdown_timeout(SEARCH_TIMEOUT);
    logging::flush();
    Ok(served?)
}

/// Serves with `options` until a signal stops it. `token` is the value of the operator token's variable.
///
/// # Errors
/// As those of a run.
pub async fn serve(options: Serve, token: Option<OsString>) -> Result<(), StartError> {
    let (trigger, shutdown) = shutdown::on_signals().map_err(StartError::Signals)?;
    let listeners = listen::listen(&options).await?;
    let addresses = Addresses::from_listeners(&listeners)?;
    let clock = Clock::system();
    let recent = Arc::new(Recent::new(clock.clone()));
    let metrics = Metrics::new(&recent);
    let backups = options.backups()?;
    foreign::check(&options)?;
    let store = open(&options, shutdown.clone()).await;
    let store = store.map_err(|error| with_newest_backup(error, backups.as_ref()))?;
    expect_records(&store, backups.as_ref()).await?;
    backups.iter().try_for_each(prepare)?;
    let is_new = store.is_new();
    store.watch_commits(metrics.commits.clone());
    let data = std::path::absolute(&options.data).unwrap_or_else(|_| options.data.clone());
    log_sizes(&store, &data)?;
    let (operator, source) = operator_token::load(&options.data, token)?;
    days::note_in(&store, clock.now()).await;
    let (store, greeting) = with_demo(store, &options, &clock, &source, addresses, shutdown.clone()).await?;
    let files = file_directory(&options)?;
    let app = Hitode::new(store, operator, clock.clone()).with_files(files);
    let app = app.with_site(addresses.site(options.site.as_deref()));
    let app = Arc::new(in_process(app, &options, recent));
    let background = Background {
        app: app.clone(),
        clock: clock.clone(),
        backups,
        deliveries: metrics.deliveries.clone(),
        watch_backups: metrics.backups.clone(),
    };
    // They are aborted when this returns.
    let mut tasks = JoinSet::new();
    tasks.spawn(background.run());
    tasks.spawn(end_if_unusable(app.clone(), trigger));
    let connections = connection_limits(&options);
    let exchange = exchange(&options);
    let limits = Arc::new(Limits::new(&LimitSettings {
        waiting: connections.connections / 2,
        is_shared: exchange.is_some(),
        ..limit_settings(options.rate_limits, clock, &metrics)
    }));
    if let Some(exchange) = exchange {
        tasks.spawn(shared_limits::run(limits.clone(), exchange));
    }
    greet(addresses, is_new.then_some(&data), &greeting);
    tasks.spawn(evict_idle_callers(limits.clone()));
    tasks.spawn(end_waits(app.clone(), shutdown.clone()));
    let serving = Serving {
        connections,
        proxies: Proxies::new(options.proxies),
        pages: options.pages,
    };
    let ended = http::serve(listeners, app.clone(), limits, metrics, serving, shutdown).await;
    drop(tasks);
    report(ended);
    let role = *app.store().role().borrow();
    close(app.store()).await?;
    match role {
        Role::Unusable => Err(StartError::Unusable),
        Role::Leader | Role::Follower => Ok(()),
    }
}

/// Opens the directory of files.
fn file_directory(options: &Serve) -> Result<Option<FileDirectory>, StartError> {
    let Some(path) = options.file_directory() else {
        info!("no files are stored: give all servers of the database the same directory with --files");
        return Ok(None);
    };
    let opened = FileDirectory::open(&path);
    let opened = opened.map(|files| files.keeping_free(MIN_FREE_BYTES));
    opened.map(Some).map_err(|error| StartError::FileDirectory(path, error))
}

/// Prints where the server listens, the data directory if it is new, and what to do next.
fn greet(addresses: Addresses, new: Option<&PathBuf>, greeting: &str) {
    // Earlier log lines should appear above the printed text.
    logging::flush();
    print(&format!("hitode listens on {addresses}"));
    if let Some(data) = new {
        print(&format!("Created a new data directory: {}", data.display()));
    }
    print(greeting);
    print(&greeting::documents(addresses));
}

/// The application with these options, as a part of this process.
fn in_process(app: Hitode, options: &Serve, recent: Arc<Recent>) -> Hitode {
    let directories = [Some(options.data.as_path()), options.backup_dir.as_deref()];
    let process = Process {
        recent: Some(recent),
        data: Some(options.data.clone()),
    };
    let app = app
        .with_webhook_reach(options.webhook_reach)
        .with_currency(options.currency())
        .of_process(
            process,
            ErasedWorkers::in_directories(directories.into_iter().flatten()),
        );
    app.limit_row_cache(options.row_cache_bytes());
    app
}

/// Fails if the store is empty, but there is a backup with records: those of the empty store would replace it by and by.
async fn expect_records(store: &Store, backups: Option<&Schedule>) -> Result<(), StartError> {
    let is_empty = store.look(Mirror::is_empty).map_err(StartError::Read)?;
    let newest = backups.filter(|_| is_empty);
    let Some(newest) = newest.and_then(|backups| backups.newest_with_records(Clock::system().now())) else {
        return Ok(());
    };
    close(store).await?;
    let flags = restore_flags(&newest, backups);
    let is_copy = store.staleness().is_some();
    let target = if is_copy { "--database-url URL" } else { "--data NEW" };
    Err(StartError::Emptied { newest, flags, target })
}

/// Prepares the directory of rotating backups.
fn prepare(backups: &Schedule) -> Result<(), StartError> {
    let unusable = |error| StartError::BackupDirectory(backups.directory.clone(), error);
    backups.prepare().map_err(unusable)?;
    if let Some(warning) = backups.key.as_ref().and_then(KeyFile::warning) {
        warn!("{warning}");
    }
    Ok(())
}

fn report(ended: ShutdownOutcome) {
    match ended {
        ShutdownOutcome::Drained => info!("stopped: all requests were answered"),
        ShutdownOutcome::CutOff(connections) => warn!(
            connections,
            "stopped: connections were closed before their requests were answered"
        ),
    }
}

/// Closes the store. Nothing that was acknowledged is lost if that takes too long.
async fn close(store: &Store) -> Result<(), StartError> {
    let closed = tokio::time::timeout(CLOSING_TIMEOUT, store.close()).await;
    closed.map_err(|_| StartError::NotClosed)?.map_err(StartError::Close)
}

/// Why the store cannot be opened, with the newest backup if that helps.
fn with_newest_backup(error: StartError, backups: Option<&Schedule>) -> StartError {
    let newest = backups.and_then(|backups| backups.newest(Clock::system().now()));
    match (error, newest) {
        (StartError::Open(error), Some(newest)) if error.is_damage() => {
            let flags = restore_flags(&newest, backups);
            StartError::Damaged { error, newest, flags }
        }
        (error, _) => error,
    }
}

/// What else the command needs that restores a backup.
fn restore_flags(backup: &KeptBackup, backups: Option<&Schedule>) -> String {
    let key = backups.and_then(|backups| backups.key.as_ref());
    let file = key.map_or("FILE".to_owned(), |key| key.path.display().to_string());
    match is_encrypted(&backup.path) {
        true => format!(" --key-file {file}"),
        false => String::new(),
    }
}

/// Opens the store, or ends at a shutdown request: what opening has done is what a crash would leave.
async fn open(options: &Serve, shutdown: Shutdown) -> Result<Store, StartError> {
    let open = opening(options);
    // On a thread of its own: if the system gives no more threads, `spawn_blocking` waits for one for ever.
    let (opened, awaited) = oneshot::channel();
    let thread = thread::Builder::new().name("opening".to_owned());
    let thread = thread.spawn(move || drop(opened.send(open())));
    thread.map_err(StartError::Thread)?;
    let opened = tokio::select! {
        opened = awaited => opened,
        () = shutdown.requested() => return Err(StartError::Stopped),
    };
    // Not before: a start frees and allocates the same memory again and again.
    allocator::give_back_at_once();
    opened.expect("opening turns panics into errors")
}

/// Opens the store with these options.
fn opening(options: &Serve) -> impl FnOnce() -> Result<Store, StartError> + Send + use<> {
    let (data, durability) = (options.data.clone(), durability());
    #[cfg(feature = "postgres")]
    let database = options.database_url.clone();
    move || {
        expect_threads().map_err(StartError::Thread)?;
        #[cfg(feature = "postgres")]
        let store = match database {
            Some(database) => postgres::open(&database, &data)?,
            None => Store::open(&data, durability)?,
        };
        #[cfg(not(feature = "postgres"))]
        let store = Store::open(&data, durability)?;
        Ok(store)
    }
}

/// Fails if the system does not give the threads that the store needs. sled ignores it if it gets none, and waits for ever.
fn expect_threads() -> io::Result<()> {
    let all_run = Mutex::new(());
    thread::scope(|scope| {
        let _until_all_run = all_run.lock();
        for _ in 0..STORE_THREADS {
            thread::Builder::new().spawn_scoped(scope, || drop(all_run.lock()))?;
        }
        Ok(())
    })
}

/// Logs the sizes of the store, so that a wrong directory is noticed.
fn log_sizes(store: &Store, data: &Path) -> Result<(), StartError> {
    let sizes = sizes(store).map_err(StartError::Read)?;
    let (accounts, workers) = (sizes.accounts, sizes.humans);
    info!(data = %data.display(), accounts, workers, "the store is open");
    Ok(())
}

/// Only the check of the durability test turns it off. A release build cannot.
fn durability() -> Durability {
    if cfg!(debug_assertions) && std::env::var_os("HITODE_TEST_UNSYNCED").is_some_and(|value| value == "1") {
        warn!("HITODE_TEST_UNSYNCED is set: acknowledged writes may be lost");
        return Durability::Unsynced;
    }
    Durability::Synced
}

/// The store, filled with the demo if one is requested and the store is empty, and the text on what to do next.
async fn with_demo(
    store: Store,
    options: &Serve,
    clock: &Clock,
    source: &Source,
    addresses: Addresses,
    shutdown: Shutdown,
) -> Result<(Store, String), StartError> {
    let data = &options.data;
    let is_empty = store.look(Mirror::is_empty).map_err(StartError::Read)?;
    if is_empty {
        demo::forget_unfinished(data);
    }
    let cut_short = demo::is_unfinished(data);
    match options.demo.workers() {
        None if cut_short => warn!(
            "the demo in {} is incomplete: the start that created it was interrupted",
            data.display()
        ),
        None => {}
        Some(_) if cut_short => return Err(DemoError::CutShort(data.clone()).into()),
        Some(_) if !is_empty => return Ok((store, greeting::of_filled_store(source, data, addresses))),
        Some(workers) => {
            let (store, entered) = demo::enter(store, data, workers, clock, shutdown).await;
            let currency = options.currency().unwrap_or_default();
            let text = greeting::of_demo(&entered?, source, addresses, &currency);
            return Ok((store, greeting::without_credentials_in_a_log(text, data)));
        }
    }
    Ok((store, greeting::without_demo(source, data, addresses)))
}

/// Where servers exchange what their limits count. `None`: there is only one server.
fn exchange(options: &Serve) -> Option<Box<dyn ExchangeCounts>> {
    if options.rate_limits == RateLimiting::Off {
        return None;
    }
    #[cfg(feature = "postgres")]
    if let Some(database) = &options.database_url {
        return Some(Box::new(postgres::Counts::from_database(database)));
    }
    None
}

fn limit_settings(limits: RateLimiting, clock: Clock, metrics: &Metrics) -> LimitSettings {
    let rate_limits = limits == RateLimiting::On;
    if !rate_limits {
        warn!("the rate limits are off for all callers: use this for load tests only");
    }
    LimitSettings {
        rate_limits,
        clock,
        observer: Some(metrics.requests.clone()),
        ..LimitSettings::default()
    }
}

/// Prints to standard output, which may be closed.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", visible_lines(text)).and_then(|()| out.flush());
}

/// The limits of the flags at each address, with no more connections than this process may open files.
fn connection_limits(options: &Serve) -> ConnectionLimits {
    let addresses = 1 + usize::from(options.console_listen.is_some());
    let wanted = options.connections.get().saturating_mul(addresses);
    ConnectionLimits {
        connections: (open_files::raise_for(wanted) / addresses).max(1),
        per_address: match options.connections_per_address {
            Some(most) => PerAddress::Exactly(most.get()),
            None => PerAddress::Quarter,
        },
        ..ConnectionLimits::default()
    }
}

async fn evict_idle_callers(limits: Arc<Limits>) {
    let mut ticks = tokio::time::interval(EVICTION_INTERVAL);
    loop {
        ticks.tick().await;
        limits.evict_idle();
    }
}

/// Requests a shutdown once only a new start helps.
async fn end_if_unusable(app: Arc<Hitode>, trigger: Arc<ShutdownTrigger>) {
    // An error: the role stays what it is.
    if app
        .store()
        .role()
        .wait_for(|role| *role == Role::Unusable)
        .await
        .is_ok()
    {
        trigger.request();
    }
}

/// Answers the requests that wait for events once a shutdown is requested, so that it need not wait for them.
async fn end_waits(app: Arc<Hitode>, shutdown: Shutdown) {
    shutdown.requested().await;
    app.end_waits();
}
