//! The flags of `hitode serve` and their environment variables.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use proxy_protocol_rs::IpNet;

use crate::backups::{KeyError, KeyFile, Schedule};
use crate::commands::base_url;
use crate::demo;
use crate::duration;
use crate::http::Pages;
use crate::logging::LogFormat;
use crate::store::CACHED_BYTES;
#[cfg(feature = "postgres")]
use crate::store::postgres::Database;
use crate::webhooks::Reach;

/// The flags of `hitode serve`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{AFTER_HELP}"))]
pub struct Serve {
    /// The address to listen on; port 0 selects any free port
    #[arg(
        long,
        env = "HITODE_LISTEN",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: String,

    /// Serve the console, the operator's API and backups at this address instead of the main one, which answers 404 to them;
    /// all else is served at both. `hitode` commands then need this address: --url http://HOST:PORT
    #[arg(long, env = "HITODE_CONSOLE_LISTEN", value_name = "HOST:PORT")]
    pub console_listen: Option<String>,

    /// The data directory; created if it is missing; only one process can use it at a time
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    pub data: PathBuf,

    /// Keep all data in this PostgreSQL database, and in the data directory only a copy, such as
    /// postgres://hitode@db.example/hitode?sslmode=verify-full; set HITODE_DATABASE_URL if it has a password
    #[cfg(feature = "postgres")]
    #[arg(long, env = "HITODE_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<Database>,

    /// The directory of the files that workers and agents send [default: `files` in the data directory]; with
    /// --database-url, all servers must share it, and without it no files are stored
    #[arg(long, env = "HITODE_FILES", value_name = "DIR")]
    pub files: Option<PathBuf>,

    /// Fill an empty store with made-up workers (330, or N) and bounties, and print an API key and example calls
    #[arg(
        long,
        env = "HITODE_DEMO",
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_value = "off",
        default_missing_value = "on",
        hide_default_value = true
    )]
    pub demo: demo::Size,

    /// Whether the limits on requests per minute apply; use `off` only for load tests
    #[arg(
        long,
        env = "HITODE_RATE_LIMITS",
        value_name = "on|off",
        default_value = "on",
        hide_possible_values = true
    )]
    pub rate_limits: RateLimiting,

    /// Whether the pages for people are served, such as /jobs/ for workers
    #[arg(
        long,
        env = "HITODE_PAGES",
        value_name = "on|off",
        default_value = "on",
        hide_possible_values = true
    )]
    pub pages: Pages,

    /// The format of the log: `text` and `json` log all details of every request, on one line each;
    /// `short` logs a short line for each request with a status of 4xx or 5xx, or without a response
    /// [default: `short` on a terminal, otherwise `text`]
    #[arg(
        long,
        env = "HITODE_LOG_FORMAT",
        value_name = "short|text|json",
        hide_possible_values = true,
        verbatim_doc_comment
    )]
    pub log_format: Option<LogFormat>,

    /// The maximum number of connections; if it is reached, a new one replaces the one that is idle or too slow for longest
    #[arg(long, env = "HITODE_CONNECTIONS", value_name = "N", default_value = "1000")]
    pub connections: NonZeroUsize,

    /// The maximum number of connections per address (IPv6: per /64); raise it for a proxy that is not in --proxies
    /// [default: a quarter of --connections; all of them for a loopback address]
    #[arg(long, env = "HITODE_CONNECTIONS_PER_ADDRESS", value_name = "N", verbatim_doc_comment)]
    pub connections_per_address: Option<NonZeroUsize>,

    /// The memory for the rows of lists of bounties that were read last, in MiB; other rows are read from disk
    #[arg(long, env = "HITODE_ROW_CACHE", value_name = "MIB", default_value_t = ROW_CACHE_MIB)]
    pub row_cache: u16,

    /// The addresses of proxies, such as 10.0.0.7,10.1.0.0/16: their connections must begin with a PROXY protocol header
    /// (v1 or v2), which states the address of the client; list only proxies, because a header can state any address
    #[arg(
        long,
        env = "HITODE_PROXIES",
        value_name = "ADDRESS,…",
        value_delimiter = ',',
        value_parser = network
    )]
    pub proxies: Vec<IpNet>,

    /// Whom webhooks may reach: `public` addresses with https, or `any`, which lets accounts send requests into
    /// your network; use `any` only for tests
    #[arg(
        long,
        env = "HITODE_WEBHOOK_REACH",
        value_name = "public|any",
        default_value = "public",
        hide_possible_values = true
    )]
    pub webhook_reach: Reach,

    /// The currency of the workers' hourly rates as a code of ISO 4217, such as JPY, which workers' pages show
    /// [default: JPY for the demo, otherwise none is shown]
    #[arg(
        long,
        env = "HITODE_CURRENCY",
        value_name = "CODE",
        value_parser = currency,
        verbatim_doc_comment
    )]
    pub currency: Option<String>,

    /// The address under which workers reach the server, such as https://work.example.com: that of the links of
    /// `hitode worker invite` [default: with --console-listen, that of --listen; otherwise the one that the command calls]
    #[arg(
        long,
        env = "HITODE_SITE",
        value_name = "URL",
        value_parser = base_url,
        verbatim_doc_comment
    )]
    pub site: Option<String>,

    /// Write backups into this directory, which is created if it is missing
    #[arg(long, env = "HITODE_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,

    /// The time from one backup to the next, such as 90s, 15m, 1h or 2d
    #[arg(
        long,
        env = "HITODE_BACKUP_EVERY",
        value_name = "TIME",
        default_value = "1d",
        requires = "backup_dir",
        value_parser = interval
    )]
    pub backup_every: Duration,

    /// How many backups to keep; the oldest is removed once a new one is complete
    #[arg(
        long,
        env = "HITODE_BACKUP_KEEP",
        value_name = "N",
        default_value = "7",
        requires = "backup_dir"
    )]
    pub backup_keep: NonZeroUsize,

    /// Encrypt the backups with the key in this file; `hitode backup-key FILE` creates one
    #[arg(long, env = "HITODE_BACKUP_KEY_FILE", value_name = "FILE", requires = "backup_dir")]
    pub backup_key_file: Option<PathBuf>,

    /// Whether the files that workers and agents send are copied beside the backups, each once, encrypted as these are
    #[arg(
        long,
        env = "HITODE_BACKUP_FILES",
        value_name = "on|off",
        default_value = "on",
        hide_possible_values = true,
        requires = "backup_dir"
    )]
    pub backup_files: BackupFiles,
}

/// The default of `--row-cache`.
const ROW_CACHE_MIB: u16 = (CACHED_BYTES >> 20) as u16;

impl Serve {
    /// The directory of files, if there is one.
    pub(super) fn file_directory(&self) -> Option<PathBuf> {
        #[cfg(feature = "postgres")]
        if self.database_url.is_some() {
            return self.files.clone();
        }
        Some(self.files.clone().unwrap_or_else(|| self.data.join("files")))
    }

    /// The currency of hourly rates, if it is known.
    pub(super) fn currency(&self) -> Option<String> {
        let of_demo = || self.demo.workers().map(|_| "JPY".to_owned());
        self.currency.clone().or_else(of_demo)
    }

    /// The bytes of `--row-cache`.
    pub(super) fn row_cache_bytes(&self) -> usize {
        usize::from(self.row_cache) << 20
    }

    /// The schedule of backups, if any are wanted.
    ///
    /// # Errors
    /// If the file of the key holds none.
    pub(super) fn backups(&self) -> Result<Option<Schedule>, KeyError> {
        let Some(directory) = self.backup_dir.clone() else {
            return Ok(None);
        };
        Ok(Some(Schedule {
            directory,
            every: self.backup_every,
            keep: self.backup_keep.get(),
            key: self.backup_key_file.as_deref().map(KeyFile::read).transpose()?,
            has_files: self.backup_files == BackupFiles::On,
        }))
    }
}

/// A currency by its code, also if it is in lower case.
fn currency(text: &str) -> Result<String, String> {
    let is_code = text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_alphabetic());
    let code = is_code.then(|| text.to_ascii_uppercase());
    code.ok_or_else(|| "expected three letters, such as JPY, EUR or USD".to_owned())
}

/// An address or a network.
fn network(text: &str) -> Result<IpNet, String> {
    let address = text.parse::<IpAddr>().map(IpNet::from);
    address
        .or_else(|_| text.parse())
        .map_err(|_| "expected an address or a network, such as 10.0.0.7, 10.1.0.0/16 or 2001:db8::/64".to_owned())
}

/// A duration of at least a second.
fn interval(text: &str) -> Result<Duration, String> {
    match duration::parse(text)? {
        Duration::ZERO => Err("the shortest time is 1s".to_owned()),
        interval => Ok(interval),
    }
}

/// Whether the declared rate limits apply to callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RateLimiting {
    /// As the contract declares them.
    On,
    /// None at all; only for load tests.
    Off,
}

/// Whether rotating backups have the contents of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BackupFiles {
    /// Each content is copied once.
    On,
    /// Only the records.
    Off,
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode serve --demo
  hitode serve --listen 0.0.0.0:80 --data /var/lib/hitode
  hitode serve --listen 0.0.0.0:8080 --console-listen 127.0.0.1:8081
  hitode serve --backup-dir /var/backups/hitode --backup-every 6h --backup-keep 28 --backup-key-file backup.key
  HITODE_DATA=/var/lib/hitode hitode serve";

const AFTER_HELP: &str = "\
Environment:
  HITODE_OPERATOR_TOKEN  the operator's token; if it is not set, the server reads it from the file
                         `operator-token` in the data directory, and creates that file at the first start
  HITODE_LOG             the log filter, such as `warn`, `info,request=off` (no requests) or
                         `info,hitode=trace` [default: info]

After SIGTERM or Ctrl-C the server finishes the requests under way and exits with status 0. After a second
signal it exits at once.";

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    fn parse(line: &str) -> Result<Serve, clap::Error> {
        let command = Serve::augment_args(clap::Command::new("serve"));
        Serve::from_arg_matches(&command.try_get_matches_from(line.split(' '))?)
    }

    #[track_caller]
    fn parsed(line: &str) -> Serve {
        parse(line).expect(line)
    }

    #[test]
    fn flags_have_defaults() {
        let serve = parsed("serve --demo --listen [::1]:0");
        assert_eq!(serve.demo.workers(), Some(330));
        assert_eq!(serve.listen, "[::1]:0");
        assert_eq!(serve.console_listen, None);
        assert_eq!(serve.data, PathBuf::from("./data"));
        assert_eq!(serve.rate_limits, RateLimiting::On);
        assert_eq!(serve.log_format, None);
        assert_eq!(serve.webhook_reach, Reach::Public);
        assert_eq!(serve.row_cache_bytes(), CACHED_BYTES);
    }

    #[test]
    fn a_currency_is_three_letters_and_that_of_the_demo_is_known() {
        assert_eq!(parsed("serve").currency(), None);
        assert_eq!(parsed("serve --currency eur").currency().as_deref(), Some("EUR"));
        assert_eq!(parsed("serve --demo").currency().as_deref(), Some("JPY"));
        assert_eq!(parsed("serve --demo --currency USD").currency().as_deref(), Some("USD"));
        for wrong in ["euro", "€", "12A", "日本円"] {
            assert!(parse(&format!("serve --currency {wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_demo_has_as_many_workers_as_are_wanted() {
        assert_eq!(parsed("serve").demo.workers(), None);
        assert_eq!(parsed("serve --demo=2000").demo.workers(), Some(2_000));
        assert_eq!(parsed("serve --demo=off").demo.workers(), None);
        assert!(parse("serve --demo=3").is_err());
    }

    #[test]
    fn rate_limits_are_on_or_off() {
        assert_eq!(parsed("serve --rate-limits off").rate_limits, RateLimiting::Off);
        assert!(parse("serve --rate-limits none").is_err());
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        let proxies = parsed("serve --proxies 10.0.0.7,10.1.0.0/16,2001:db8::/64").proxies;
        let networks = proxies.iter().map(IpNet::to_string).collect::<Vec<_>>();
        assert_eq!(networks, ["10.0.0.7/32", "10.1.0.0/16", "2001:db8::/64"]);
        for wrong in ["proxy.example", "10.0.0.7/33", "10.0.0.7:80", "10.0.0.7,", ""] {
            let error = parse(&format!("serve --proxies {wrong}")).expect_err(wrong).to_string();
            assert!(error.contains("such as 10.0.0.7, 10.1.0.0/16"), "{error}");
        }
    }

    #[test]
    fn a_cache_is_a_number_of_mebibytes() {
        assert_eq!(parsed("serve --row-cache 0").row_cache_bytes(), 0);
        assert_eq!(parsed("serve --row-cache 512").row_cache_bytes(), 512 << 20);
        assert!(parse("serve --row-cache 64MiB").is_err());
    }

    #[test]
    fn connections_are_at_least_one() {
        let serve = parsed("serve --connections 7 --connections-per-address 3");
        assert_eq!(serve.connections.get(), 7);
        assert_eq!(serve.connections_per_address.map(NonZeroUsize::get), Some(3));
        assert_eq!(parsed("serve").connections_per_address, None);
        for line in ["serve --connections 0", "serve --connections-per-address 0"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
