//! The operator's token: its source, and the check of a presented token. It is the value of `HITODE_OPERATOR_TOKEN`,
//! or else the content of the file `operator-token` in the data directory, which is created at the first start with
//! permissions for its owner only. Only its digest is kept in memory.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codegen_store::files::{self, Kind};
use thiserror::Error;

use crate::digest::Digest;

/// The environment variable that can hold the token.
pub const VARIABLE: &str = "HITODE_OPERATOR_TOKEN";

/// The name of its file.
pub const NAME: &str = "operator-token";

/// The digest of the token.
#[derive(Clone)]
pub struct OperatorToken {
    digest: Digest,
}

/// The source of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In the environment variable [`VARIABLE`].
    Environment,
    /// In this file.
    File(PathBuf),
}

/// Why there is no operator token. Each text states what to do.
#[derive(Debug, Error)]
pub enum TokenError {
    /// The value of the variable is not valid in a header.
    #[error("{VARIABLE} must consist of visible ASCII characters without spaces: correct it, or unset it")]
    Variable,
    /// The file has no token.
    #[error("{} holds no token: remove the file, and the next start creates a new one", .0.display())]
    Content(PathBuf),
    /// The file cannot be read or created.
    #[error(
        "cannot read or create the operator's token at {} ({}): {}, or set {VARIABLE}",
        .0.display(), .1, advice(.1)
    )]
    File(PathBuf, io::Error),
}

impl OperatorToken {
    /// Hashes the token and drops its text.
    pub fn from_text(token: &str) -> OperatorToken {
        OperatorToken {
            digest: Digest::from_secret(token),
        }
    }

    /// Whether `presented` is the token, compared in constant time.
    pub fn matches(&self, presented: &str) -> bool {
        Digest::from_secret(presented).matches(&self.digest)
    }
}

/// Reads the token from `variable` (the value of [`VARIABLE`]), or else from the file in the data directory `data`,
/// which must exist and be locked; creates the file if it is missing.
pub fn load(data: &Path, variable: Option<OsString>) -> Result<(OperatorToken, Source), TokenError> {
    if let Some(value) = variable {
        return Ok((OperatorToken::from_text(&of_variable(value)?), Source::Environment));
    }
    let path = file_in(data);
    let text = match read(&path) {
        Ok(text) => {
            warn_if_readable_by_others(&path);
            text
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let token = contract::operator_token::mint();
            files::replace_private(&path, &token).map_err(|error| TokenError::File(path.clone(), error))?;
            token
        }
        // The content is not text.
        Err(error) if error.kind() == ErrorKind::InvalidData => return Err(TokenError::Content(path)),
        Err(error) => return Err(TokenError::File(path, error)),
    };
    let token = of_file(&path, &text)?;
    Ok((OperatorToken::from_text(&token), Source::File(path)))
}

/// The token's file in the data directory `data`.
pub fn file_in(data: &Path) -> PathBuf {
    data.join(NAME)
}

/// Reads the file at `path`. Rejects other entries, without blocking on them or following them.
pub fn read(path: &Path) -> io::Result<String> {
    match files::kind_of(path)? {
        Kind::File => fs::read_to_string(path),
        other => Err(io::Error::other(format!("it is {}", other.name()))),
    }
}

/// The token in the value of the variable.
pub fn of_variable(value: OsString) -> Result<String, TokenError> {
    let token = value.into_string().ok().filter(|token| is_header_value(token));
    token.ok_or(TokenError::Variable)
}

/// The token in `text`, the content of the file at `path`.
pub fn of_file(path: &Path, text: &str) -> Result<String, TokenError> {
    let token = text.trim();
    match is_header_value(token) {
        true => Ok(token.to_owned()),
        false => Err(TokenError::Content(path.to_owned())),
    }
}

/// Whether the token is valid in a header.
fn is_header_value(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}

fn warn_if_readable_by_others(path: &Path) {
    if files::is_open_to_others(path) {
        tracing::warn!("other users can read {}: run `chmod 600` on it", path.display());
    }
}

/// What to do about a file that cannot be read or created.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "free some space",
        ErrorKind::Other => "move it away",
        _ => "let this user read and write it",
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary directory")
    }

    #[test]
    fn the_first_start_makes_a_private_file_that_later_ones_read() {
        let data = directory();
        let (_, source) = load(data.path(), None).expect("made");
        let path = data.path().join("operator-token");
        assert_eq!(source, Source::File(path.clone()));
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(data.path()).expect("readable").count(),
            1,
            "no draft stays behind"
        );

        let (again, _) = load(data.path(), None).expect("read");
        let text = fs::read_to_string(&path).expect("text");
        assert!(again.matches(text.trim()));
        assert!(!again.matches(&text) && !again.matches(""));
    }

    #[test]
    fn a_draft_that_a_crash_left_is_replaced() {
        let data = directory();
        fs::write(data.path().join("operator-token.new"), "half a tok").expect("written");
        load(data.path(), None).expect("made");
        assert!(!data.path().join("operator-token.new").exists());
    }

    #[test]
    fn the_variable_wins_and_makes_no_file() {
        let data = directory();
        let (token, source) = load(data.path(), Some("my-own".into())).expect("taken");
        assert!(token.matches("my-own"));
        assert_eq!(source, Source::Environment);
        assert!(!data.path().join("operator-token").exists());
    }

    #[test]
    fn what_no_header_can_carry_is_rejected() {
        let data = directory();
        for value in ["", "two words", "トークン"] {
            assert!(
                matches!(load(data.path(), Some(value.into())), Err(TokenError::Variable)),
                "{value:?}"
            );
        }
        for content in [&b""[..], b" \n", b"\xff\xfe"] {
            fs::write(data.path().join("operator-token"), content).expect("written");
            assert!(
                matches!(load(data.path(), None), Err(TokenError::Content(_))),
                "{content:?}"
            );
        }
    }

    #[test]
    fn a_token_that_cannot_be_read_or_made_says_what_to_do() {
        let data = directory();
        fs::create_dir(data.path().join("operator-token")).expect("made");
        let text = load(data.path(), None).err().expect("no token").to_string();
        assert!(
            text.contains("(it is a directory): move it away, or set HITODE_OPERATOR_TOKEN"),
            "{text}"
        );
        let error = load(&data.path().join("gone"), None)
            .err()
            .expect("no token")
            .to_string();
        assert!(
            error.contains("gone/operator-token (") && error.contains("or set HITODE"),
            "{error}"
        );
        let full = TokenError::File("t".into(), ErrorKind::StorageFull.into()).to_string();
        assert!(
            full.ends_with("free some space, or set HITODE_OPERATOR_TOKEN"),
            "{full}"
        );
    }
}
