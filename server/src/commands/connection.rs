//! The address of the running server, and its operator's token.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use http::Uri;

use super::client::{Client, Operator};
use super::error::CommandError;
use crate::operator_token::{self, Source, TokenError, VARIABLE};

/// The flags of every command that calls a server.
#[derive(Debug, Clone, Args)]
pub(super) struct Connection {
    /// The http or https address of the server
    #[arg(
        long,
        env = "HITODE_URL",
        value_name = "URL",
        default_value = "http://127.0.0.1:8080",
        value_parser = base_url
    )]
    url: String,

    /// The data directory of the server, to read its file `operator-token`; ignored if
    /// HITODE_OPERATOR_TOKEN is set
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    data: PathBuf,

    /// A file with the operator's token, for a server on another machine; ignored if HITODE_OPERATOR_TOKEN is set
    #[arg(long, env = "HITODE_TOKEN_FILE", value_name = "FILE")]
    token_file: Option<PathBuf>,
}

impl Connection {
    /// A connection to the server at `url`, which [`base_url`] has parsed.
    pub(super) fn new(url: &str, data: &Path) -> Self {
        Self {
            url: url.to_owned(),
            data: data.to_owned(),
            token_file: None,
        }
    }

    /// A client that calls as the operator. Sends nothing yet.
    ///
    /// # Errors
    /// If there is no token.
    pub(super) fn client(&self) -> Result<Client, CommandError> {
        let file = self
            .token_file
            .clone()
            .unwrap_or_else(|| operator_token::file_in(&self.data));
        Ok(Client::new(self.url.clone(), operator(file)?))
    }

    /// The address, without a trailing slash.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

/// Parses an address to which paths can be appended.
pub(crate) fn base_url(text: &str) -> Result<String, String> {
    let example = "expected http://HOST:PORT or https://HOST";
    let uri: Uri = text.parse().map_err(|_| example.to_owned())?;
    match (uri.scheme_str(), uri.host(), uri.query()) {
        (Some("http" | "https"), Some(_), None) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err(example.to_owned()),
    }
}

fn operator(path: PathBuf) -> Result<Operator, CommandError> {
    let operator = |token, source| Operator { token, source };
    match std::env::var_os(VARIABLE) {
        Some(value) => operator_token::of_variable(value).map(|token| operator(token, Source::Environment)),
        None => {
            let text = operator_token::read(&path).map_err(|error| unreadable(&path, &error))?;
            let token = operator_token::of_file(&path, &text);
            token.map(|token| operator(token, Source::File(path)))
        }
    }
    .map_err(|error: TokenError| CommandError::new(error.to_string()))
}

fn unreadable(path: &Path, error: &std::io::Error) -> CommandError {
    let path = path.display();
    CommandError::new(match error.kind() {
        ErrorKind::NotFound => format!(
            "no operator token: {VARIABLE} is not set, and there is no file {path}; name the data directory of the server \
             with --data DIR, or a file with the token with --token-file FILE"
        ),
        ErrorKind::PermissionDenied => format!(
            "no operator token: {path} is readable only for its owner; run this as the user who runs the server, or set \
             {VARIABLE}"
        ),
        _ => format!("no operator token: cannot read {path}: {error}; fix the cause, or set {VARIABLE}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        for (text, expected) in [
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("https://hitode.example/", Some("https://hitode.example")),
            ("https://example.org/hitode/", Some("https://example.org/hitode")),
            ("http://[::1]:80", Some("http://[::1]:80")),
            ("127.0.0.1:8080", None),
            ("localhost", None),
            ("ftp://host", None),
            ("http://", None),
            ("http://host/?a=b", None),
            ("", None),
        ] {
            assert_eq!(base_url(text).ok().as_deref(), expected, "{text}");
        }
    }
}
