//! The command line of `hitode`: the list of its commands. Each command declares its flags in its own file.

use std::error::Error;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::account::Account;
use crate::commands::completions::Completions;
use crate::commands::export::Export;
use crate::commands::import::Import;
use crate::commands::open::Open;
use crate::commands::operations::{Bounty, Key};
use crate::commands::sandbox::Sandbox;
use crate::commands::status::Status;
use crate::commands::worker::Worker;
use crate::offline::backup::Backup;
use crate::offline::backup_key::BackupKey;
use crate::offline::check::Check;
use crate::offline::restore::Restore;
use crate::serve::{self, Serve};

/// The command-line arguments of `hitode`.
#[derive(Debug, Parser)]
#[command(
    name = "hitode",
    version,
    about = "A marketplace server: AI agents find workers, post paid tasks and exchange messages with them.",
    long_about = None,
    after_help = EXAMPLES,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do: serve, call a running server, or help with the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server until SIGTERM or Ctrl-C
    Serve(Serve),
    /// Create, find and change the accounts of agents
    Account(Account),
    /// List, create and revoke the API keys of an account
    Key(Key),
    /// Find and change workers, and create their tokens
    Worker(Worker),
    /// Find bounties, cancel or hide them
    Bounty(Bounty),
    /// Import workers from a table, or from a file with one JSON object per line
    Import(Import),
    /// Open the operator's console in a browser
    Open(Open),
    /// Write all workers, accounts or bounties into a file
    Export(Export),
    /// Show what goes on: totals, the last days, the last hour
    Status(Status),
    /// Move the clock of an account in the sandbox
    Sandbox(Sandbox),
    /// Verify the data directory of a stopped server
    Check(Check),
    /// Write all that a server stores into one file
    Backup(Backup),
    /// Create the key of encrypted backups
    BackupKey(BackupKey),
    /// Create a data directory from a backup
    Restore(Restore),
    /// Print a completion script for a shell
    Completions(Completions),
}

impl Command {
    /// Runs the command and returns the exit status: an import that ran but rejected lines exits with 1.
    /// The status of a check or a restore is that of its documentation.
    ///
    /// # Errors
    /// If the command failed. The text states the reason and what to do.
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self {
            Command::Serve(options) => serve::run(options)?,
            Command::Account(account) => account.run()?,
            Command::Key(key) => key.run()?,
            Command::Worker(worker) => worker.run()?,
            Command::Bounty(bounty) => bounty.run()?,
            Command::Import(import) => return Ok(import.run()?),
            Command::Open(open) => open.run()?,
            Command::Export(export) => export.run()?,
            Command::Status(status) => status.run()?,
            Command::Sandbox(sandbox) => sandbox.run()?,
            Command::Check(check) => return Ok(check.run()),
            Command::Backup(backup) => backup.run()?,
            Command::BackupKey(key) => key.run()?,
            Command::Restore(restore) => return Ok(restore.run()?),
            Command::Completions(completions) => completions.run(&mut Cli::command())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode serve --demo                                            run a server with demo data
  hitode serve --listen 0.0.0.0:80 --data /var/lib/hitode        run a server on port 80 with its data in /var/lib/hitode
  hitode account create --name 'Errand agent' --plan verified    create an account with an API key
  hitode account list                                            list all accounts
  hitode import people.jsonl                                     import workers from a file
  hitode key revoke 7 12                                         revoke the key 12 of the account 7
  hitode worker list --name 佐藤                                 find a worker
  hitode worker token 106                                        create a token for the worker with the id 106
  hitode sandbox advance 7 1h                                    move the clock of an account in the sandbox
  hitode check                                                   verify the data directory of a stopped server
  hitode backup market.backup                                    write all data of a stopped server into one file
  hitode restore market.backup --data ./new                      create a data directory from it
  hitode COMMAND --help                                          show the flags of a command, with examples";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;
    use crate::commands::operations::VALUES;

    #[test]
    fn what_is_not_there_is_rejected() {
        for line in [
            "hitode",
            "hitode --demo",
            "hitode check data",
            "hitode backup",
            "hitode backup-key",
            "hitode restore a b",
            "hitode --database-url x",
            "hitode --data a serve",
            "hitode account",
            "hitode account create --name A --plan gold",
            "hitode account create --plan free",
            "hitode worker token 0",
            "hitode worker token Ada",
            "hitode worker list --suspended maybe",
            "hitode worker edit 7 --rating many",
            "hitode account rename 7",
            "hitode account plan 7 --plan gold",
            "hitode key revoke 7",
            "hitode bounty list --status closed",
            "hitode import",
            "hitode account list --url localhost",
            "hitode completions cmd",
        ] {
            let rejected = Cli::try_parse_from(line.split(' ')).expect_err(line);
            // clap displays the help if a subcommand is missing, with the status of an error.
            assert_eq!(rejected.exit_code(), 2, "{line}");
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
            let rejected = Cli::try_parse_from(line.split(' ')).expect_err(line);
            assert_eq!(rejected.kind(), ErrorKind::InvalidSubcommand, "{line}");
            assert!(rejected.to_string().contains(&format!("'{nearest}'")), "{rejected}");
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
            let own = command
                .get_arguments()
                .filter(|arg| arg.get_help_heading() != Some(VALUES));
            let own = own.filter_map(|arg| Some((arg, arg.get_long()?)));
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
        assert_eq!(commands, 37);
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
