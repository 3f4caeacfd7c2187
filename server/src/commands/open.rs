//! `hitode open`: the console in a browser.

use std::process::{Command, Stdio};

use clap::Args;
use serde_json::json;

use super::connection::Connection;
use super::error::CommandError;
use super::output::Output;

/// Where the console is.
const PAGE: &str = "/console/";

/// The program that opens an address as the user has chosen (freedesktop.org: xdg-utils).
const OPENER: &str = if cfg!(target_os = "macos") {
    "/usr/bin/open"
} else {
    "xdg-open"
};

/// `hitode open`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Open {
    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Open {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let address = format!("{}{PAGE}", self.connection.url());
        let mut opener = Command::new(OPENER);
        let opener = opener
            .arg(&address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let is_open = opener.status().is_ok_and(|status| status.success());
        let document = json!({ "address": address, "is_open": is_open });
        self.output.print(&document, |_| {
            let done = if is_open {
                "is open in a browser"
            } else {
                "is for a browser"
            };
            format!("{address} {done}. It asks for the operator's token, which stays in the tab.")
        })
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode open
  hitode open --url https://work.example.com
  hitode open --url http://10.0.0.7:8081            a server with --console-listen 10.0.0.7:8081

The token is in the file `operator-token` of the data directory. It is not part of the address.";
