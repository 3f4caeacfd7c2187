//! The command line of `hitode`: its flags, their environment variables and the help text.
//!
//! Knows nothing of what the flags set in motion.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{commands, demo};

/// What `hitode` was called with.
#[derive(Debug, Parser)]
#[command(
    name = "hitode",
    version,
    about = "Hitode lets automated agents find people, post paid tasks and talk with the workers.",
    long_about = None,
    after_help = EXAMPLES,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What is to be done.
    #[command(subcommand)]
    pub task: Task,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Serve until SIGTERM or Ctrl-C
    Serve(Serve),
    /// Call a server that runs, or help with the command line.
    #[command(flatten)]
    Command(commands::Command),
}

/// The flags of `hitode serve`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("{SERVE_EXAMPLES}\n\n{AFTER_HELP}"))]
pub struct Serve {
    /// Where to listen; port 0 takes any free one
    #[arg(
        long,
        env = "HITODE_LISTEN",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: String,

    /// The directory that holds everything; made when it is missing, used by one process at a time
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    pub data: PathBuf,

    /// Fill an empty store with made-up workers (a few hundred, or N) and bounties, and print a key and calls to try
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

    /// The limits on requests per minute; `off` is for load tests
    #[arg(
        long,
        env = "HITODE_RATE_LIMITS",
        value_name = "on|off",
        default_value = "on",
        hide_possible_values = true
    )]
    pub rate_limits: RateLimits,

    /// What the log looks like: `text` and `json` have a line for each request, with all that is known of it;
    /// `short` has a short one for each request that was answered with 4xx or 5xx, or not at all
    /// [default: short on a terminal, else text]
    #[arg(
        long,
        env = "HITODE_LOG_FORMAT",
        value_name = "short|text|json",
        hide_possible_values = true,
        verbatim_doc_comment
    )]
    pub log_format: Option<LogFormat>,

    /// The most connections at a time; the one that is idle longest makes room for a new one
    #[arg(long, env = "HITODE_CONNECTIONS", value_name = "N", default_value = "1000")]
    pub connections: NonZeroUsize,

    /// How many of them one address may have (of IPv6, 64 bits); raise it for a proxy on another machine
    /// [default: a quarter of them, and all for this machine's own addresses]
    #[arg(long, env = "HITODE_CONNECTIONS_PER_ADDRESS", value_name = "N", verbatim_doc_comment)]
    pub connections_per_address: Option<NonZeroUsize>,
}

/// Whether callers are held to the declared numbers of requests per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RateLimits {
    /// As the contract declares them.
    On,
    /// None at all; only for load tests.
    Off,
}

/// What the lines of the log look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For a person at a terminal: of requests only those that did not succeed.
    Short,
    /// For people.
    Text,
    /// One object a line, in ASCII, for whoever collects logs.
    Json,
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode serve --demo                                            a server with made-up workers to try
  hitode serve --listen 0.0.0.0:80 --data /var/lib/hitode        a server that keeps everything there
  hitode account create --name 'Errand agent' --plan verified    an account, and its API key
  hitode account list                                            who was let in
  hitode import people.jsonl                                     workers out of a file
  hitode worker token 106                                        a token for one of them
  hitode COMMAND --help                                          more of each, with examples";

const SERVE_EXAMPLES: &str = "\
EXAMPLES
  hitode serve --demo
  hitode serve --listen 0.0.0.0:80 --data /var/lib/hitode
  HITODE_DATA=/var/lib/hitode hitode serve";

const AFTER_HELP: &str = "\
Also read from the environment:
  HITODE_OPERATOR_TOKEN  the operator's token; without it, the file `operator-token` in the data
                         directory is used, and made at the first start
  HITODE_LOG             what is logged, such as `warn`, `info,request=off` (no requests) or
                         `info,hitode=trace` [default: info]

SIGTERM and Ctrl-C let the requests under way finish, then exit with 0. A second one does not wait.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    #[track_caller]
    fn parse(line: &str) -> Serve {
        match Cli::try_parse_from(line.split(' ')).expect(line).task {
            Task::Serve(serve) => serve,
            Task::Command(command) => panic!("{line}: {command:?}"),
        }
    }

    #[test]
    fn flags_of_serve_have_defaults() {
        let serve = parse("hitode serve --demo --listen [::1]:0");
        assert_eq!(serve.demo.workers(), Some(330));
        assert_eq!(serve.listen, "[::1]:0");
        assert_eq!(serve.data, PathBuf::from("./data"));
        assert_eq!(serve.rate_limits, RateLimits::On);
        assert_eq!(serve.log_format, None);
    }

    #[test]
    fn a_demo_has_as_many_workers_as_are_wanted() {
        assert_eq!(parse("hitode serve").demo.workers(), None);
        assert_eq!(parse("hitode serve --demo=2000").demo.workers(), Some(2_000));
        assert_eq!(parse("hitode serve --demo=off").demo.workers(), None);
        assert!(Cli::try_parse_from(["hitode", "serve", "--demo=3"]).is_err());
    }

    #[test]
    fn rate_limits_are_on_or_off() {
        assert_eq!(parse("hitode serve --rate-limits off").rate_limits, RateLimits::Off);
        assert!(Cli::try_parse_from(["hitode", "serve", "--rate-limits", "none"]).is_err());
    }

    #[test]
    fn connections_are_at_least_one() {
        let serve = parse("hitode serve --connections 7 --connections-per-address 3");
        assert_eq!(serve.connections.get(), 7);
        assert_eq!(serve.connections_per_address.map(NonZeroUsize::get), Some(3));
        assert_eq!(parse("hitode serve").connections_per_address, None);
        for line in [
            "hitode serve --connections 0",
            "hitode serve --connections-per-address 0",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        for line in [
            "hitode",
            "hitode --demo",
            "hitode check",
            "hitode --database-url x",
            "hitode --data a serve",
            "hitode account",
            "hitode account create --name A --plan gold",
            "hitode account create --plan free",
            "hitode worker token 0",
            "hitode worker token Ada",
            "hitode import",
            "hitode account list --url localhost",
            "hitode completions cmd",
        ] {
            let refused = Cli::try_parse_from(line.split(' ')).expect_err(line);
            // clap shows the help where a subcommand is missing, with the status of a mistake.
            assert_eq!(refused.exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn an_unknown_command_is_answered_with_the_nearest() {
        for (line, nearest) in [
            ("hitode imprt x", "import"),
            ("hitode account creat", "create"),
            ("hitode accounts list", "account"),
            ("hitode worker tokens 1", "token"),
        ] {
            let refused = Cli::try_parse_from(line.split(' ')).expect_err(line);
            assert_eq!(refused.kind(), ErrorKind::InvalidSubcommand, "{line}");
            assert!(refused.to_string().contains(&format!("'{nearest}'")), "{refused}");
        }
    }

    /// `path` and all commands below it.
    fn walk(command: &clap::Command, path: &str, look: &mut dyn FnMut(&clap::Command, &str)) {
        look(command, path);
        for below in command.get_subcommands() {
            walk(below, &format!("{path} {}", below.get_name()), look);
        }
    }

    #[test]
    fn every_flag_of_every_command_has_its_variable() {
        let mut flags = 0;
        walk(&Cli::command(), "hitode", &mut |command, path| {
            let own = command.get_arguments().filter_map(|arg| Some((arg, arg.get_long()?)));
            for (arg, long) in own.filter(|(_, long)| !["help", "version"].contains(long)) {
                let variable = format!("HITODE_{}", long.to_uppercase().replace('-', "_"));
                assert_eq!(arg.get_env(), Some(variable.as_ref()), "{path} --{long}");
                assert!(!arg.is_hide_set() && !arg.is_hide_env_set(), "{path} --{long}");
                flags += 1;
            }
        });
        assert!(flags > 20, "{flags}");
    }

    #[test]
    fn every_command_that_does_something_shows_examples() {
        let mut commands = 0;
        walk(&Cli::command(), "hitode", &mut |command, path| {
            if command.has_subcommands() && path != "hitode" {
                return;
            }
            let help = command.clone().render_long_help().to_string();
            assert!(
                help.contains("EXAMPLES\n") && help.contains(&format!("  {path}")) || path.ends_with("completions"),
                "{path}: {help}"
            );
            commands += 1;
        });
        assert_eq!(commands, 7);
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_variable_is_in_the_help() {
        let mut command = Cli::command();
        let serve = command.find_subcommand_mut("serve").expect("a command");
        let help = serve.render_help().to_string();
        for variable in ["LISTEN", "DATA", "DEMO", "RATE_LIMITS", "OPERATOR_TOKEN", "LOG"] {
            assert!(help.contains(&format!("HITODE_{variable}")), "{help}");
        }
    }
}
