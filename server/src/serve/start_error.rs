//! Why the service does not run, in words for whoever started it.

use std::fmt;
use std::io::{self, ErrorKind};

use crate::demo::DemoError;
use crate::operator_token::TokenError;
use crate::store::StoreError;
use crate::store::sled::OpenError;

/// Why serving did not begin, or did not end well.
#[derive(Debug)]
pub enum StartError {
    /// The system gives no notice of signals.
    Signals(io::Error),
    /// Nothing can listen at this address.
    Listen(String, io::Error),
    /// The data directory cannot be used.
    Open(OpenError),
    /// There is no operator token to work with.
    Token(TokenError),
    /// The store cannot be read.
    Read(StoreError),
    /// The demo could not be entered.
    Demo(DemoError),
    /// The store could not finish its writes.
    Close(StoreError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Signals(fault) => write!(f, "signals cannot be waited for: {fault}"),
            StartError::Listen(address, fault) => listen(f, address, fault),
            StartError::Open(fault) => fault.fmt(f),
            StartError::Token(fault) => fault.fmt(f),
            StartError::Read(fault) | StartError::Close(fault) => fault.fmt(f),
            StartError::Demo(fault) => fault.fmt(f),
        }
    }
}

fn listen(f: &mut fmt::Formatter<'_>, address: &str, fault: &io::Error) -> fmt::Result {
    write!(f, "cannot listen on {address}: ")?;
    match fault.kind() {
        ErrorKind::AddrInUse => {
            write!(
                f,
                "another program uses this address; stop it, or choose another one with --listen HOST:PORT"
            )
        }
        ErrorKind::AddrNotAvailable => write!(
            f,
            "this machine has no such address; choose another one with --listen HOST:PORT"
        ),
        ErrorKind::PermissionDenied => write!(
            f,
            "only root may use this port; choose one above 1023 with --listen HOST:PORT"
        ),
        ErrorKind::InvalidInput => write!(f, "an address is written HOST:PORT, such as 127.0.0.1:8080"),
        _ => write!(f, "{fault}"),
    }
}

impl std::error::Error for StartError {}

impl From<OpenError> for StartError {
    fn from(fault: OpenError) -> Self {
        StartError::Open(fault)
    }
}

impl From<TokenError> for StartError {
    fn from(fault: TokenError) -> Self {
        StartError::Token(fault)
    }
}

impl From<DemoError> for StartError {
    fn from(fault: DemoError) -> Self {
        StartError::Demo(fault)
    }
}
