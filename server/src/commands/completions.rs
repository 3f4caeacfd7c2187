//! `hitode completions`: prints the shell completions for `hitode`.

use clap::Args;
use clap_complete::Shell;

use super::error::CommandError;
use super::output::print_line;

/// `hitode completions SHELL`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints the completions of the command line that `command` defines.
    pub(crate) fn run(self, command: &mut clap::Command) -> Result<(), CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "hitode", &mut script);
        print_line(String::from_utf8_lossy(&script).trim_end())
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  bash: hitode completions bash > ~/.local/share/bash-completion/completions/hitode
  zsh:  hitode completions zsh > ~/.zfunc/_hitode          (a directory of your $fpath)
  fish: hitode completions fish > ~/.config/fish/completions/hitode.fish";
