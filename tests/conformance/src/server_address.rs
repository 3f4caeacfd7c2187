//! The address of a server without a path.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};

/// `http://HOST:PORT` or `https://HOST:PORT`.
#[derive(Clone, Debug)]
pub struct ServerAddress {
    /// Whether it is `https`.
    pub is_secure: bool,
    /// `HOST:PORT`, as written.
    authority: String,
}

impl ServerAddress {
    /// Reads an origin. The port may be left out.
    ///
    /// # Errors
    /// It has another scheme, or a path. The text says what to write.
    pub fn parse(url: &str) -> Result<Self, String> {
        let wrong = || format!("an address is written http://HOST:PORT or https://HOST:PORT, not {url}");
        let (is_secure, rest) = match (url.strip_prefix("http://"), url.strip_prefix("https://")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err(wrong()),
        };
        let authority = rest.trim_end_matches('/');
        if authority.contains('/') {
            return Err(format!("{}: the paths are those of the contract", wrong()));
        }
        Ok(Self {
            is_secure,
            authority: authority.to_owned(),
        })
    }

    /// The addresses of the host.
    ///
    /// # Errors
    /// Nobody knows the host.
    pub fn addresses(&self) -> Result<Vec<SocketAddr>, String> {
        let has_port = |(_, port): (&str, &str)| port.bytes().all(|byte| byte.is_ascii_digit());
        let authority = match self.authority.rsplit_once(':').is_some_and(has_port) {
            true => self.authority.clone(),
            false => format!("{}:{}", self.authority, if self.is_secure { 443 } else { 80 }),
        };
        let found = authority.to_socket_addrs();
        let found = found.map_err(|error| format!("cannot find {authority}: {error}"))?;
        Ok(found.collect())
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(out, "{scheme}://{}", self.authority)
    }
}
