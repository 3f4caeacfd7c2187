//! The addresses of the service: the main one, and that of the operator if it is another one.

use std::fmt;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::{TcpListener, lookup_host};

use super::flags::Serve;
use super::start_error::StartError;
use crate::http::Listeners;

const MAIN: &str = "--listen";
const OPERATOR: &str = "--console-listen";

/// Where the service listens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses {
    main: SocketAddr,
    operator: Option<SocketAddr>,
}

impl Addresses {
    /// The addresses of these listeners.
    ///
    /// # Errors
    /// If the system does not report them.
    pub(super) fn from_listeners(listeners: &Listeners) -> Result<Self, StartError> {
        let operator = listeners.operator.as_ref();
        Ok(Self {
            main: address_of(&listeners.main, MAIN)?,
            operator: operator.map(|listener| address_of(listener, OPERATOR)).transpose()?,
        })
    }

    /// These addresses.
    #[cfg(test)]
    pub(super) fn new(main: &str, operator: Option<&str>) -> Self {
        let parse = |address: &str| address.parse().expect("an address");
        Self {
            main: parse(main),
            operator: operator.map(parse),
        }
    }

    /// The main URL, for a client on this machine.
    pub(super) fn url(self) -> String {
        url(self.main)
    }

    /// The URL of the console and of the operator's API, for a client on this machine.
    pub(super) fn operator_url(self) -> String {
        url(self.operator.unwrap_or(self.main))
    }

    /// The address of the pages for workers: the one that is stated, or the main one if the operator has another one.
    pub(super) fn site(self, stated: Option<&str>) -> Option<String> {
        let main = || self.are_two().then(|| self.url());
        stated.map(str::to_owned).or_else(main)
    }

    /// Whether the operator has an address of their own.
    pub(super) fn are_two(self) -> bool {
        self.operator.is_some()
    }
}

impl fmt::Display for Addresses {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "http://{}", self.main)?;
        match self.operator {
            Some(operator) => write!(out, ", for the operator on http://{operator}"),
            None => Ok(()),
        }
    }
}

/// Listens on the addresses of the flags.
///
/// # Errors
/// If an address cannot be used, or both are the same.
pub(super) async fn listen(options: &Serve) -> Result<Listeners, StartError> {
    let main = bind(&options.listen, MAIN).await?;
    let Some(address) = &options.console_listen else {
        return Ok(Listeners { main, operator: None });
    };
    match bind(address, OPERATOR).await {
        Ok(operator) => Ok(Listeners {
            main,
            operator: Some(operator),
        }),
        Err(StartError::Listen { error, .. })
            if error.kind() == ErrorKind::AddrInUse && is_at(address, address_of(&main, MAIN)?).await =>
        {
            Err(StartError::ListenTwice(address.clone()))
        }
        Err(error) => Err(error),
    }
}

async fn bind(address: &str, flag: &'static str) -> Result<TcpListener, StartError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| listen_error(address.to_owned(), flag, error))
}

fn address_of(listener: &TcpListener, flag: &'static str) -> Result<SocketAddr, StartError> {
    let address = listener.local_addr();
    address.map_err(|error| listen_error("this address".to_owned(), flag, error))
}

fn listen_error(address: String, flag: &'static str, error: std::io::Error) -> StartError {
    StartError::Listen { flag, address, error }
}

/// Whether a listener at `taken` takes the connections to `address`, too.
async fn is_at(address: &str, taken: SocketAddr) -> bool {
    let Ok(mut candidates) = lookup_host(address).await else {
        return false;
    };
    candidates.any(|one| {
        one.port() == taken.port()
            && (one.ip() == taken.ip() || taken.ip().is_unspecified() || one.ip().is_unspecified())
    })
}

/// The URL of `address` for a client on this machine.
fn url(address: SocketAddr) -> String {
    let reachable = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(reachable, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_one_that_this_machine_can_call() {
        for (address, expected) in [
            ("127.0.0.1:80", "http://127.0.0.1:80"),
            ("0.0.0.0:81", "http://127.0.0.1:81"),
            ("[::]:82", "http://[::1]:82"),
            ("192.0.2.7:83", "http://192.0.2.7:83"),
        ] {
            let one = Addresses::new(address, None);
            assert_eq!((one.url(), one.operator_url()), (expected.into(), expected.into()));
        }
    }

    #[test]
    fn both_addresses_are_named_if_there_are_two() {
        let one = Addresses::new("0.0.0.0:80", None);
        assert_eq!(one.to_string(), "http://0.0.0.0:80");
        let two = Addresses::new("0.0.0.0:80", Some("10.0.0.7:81"));
        assert_eq!(
            two.to_string(),
            "http://0.0.0.0:80, for the operator on http://10.0.0.7:81"
        );
        assert_eq!(two.operator_url(), "http://10.0.0.7:81");
        assert_eq!(two.site(None).as_deref(), Some("http://127.0.0.1:80"));
        assert_eq!(
            two.site(Some("https://a.example")).as_deref(),
            Some("https://a.example")
        );
        assert_eq!(one.site(None), None);
    }

    #[tokio::test]
    async fn an_address_is_taken_by_itself_and_by_all_addresses() {
        for (address, taken, expected) in [
            ("127.0.0.1:80", "127.0.0.1:80", true),
            ("127.0.0.1:80", "0.0.0.0:80", true),
            ("0.0.0.0:80", "127.0.0.1:80", true),
            ("127.0.0.1:80", "127.0.0.2:80", false),
            ("127.0.0.1:80", "127.0.0.1:81", false),
            ("nonsense", "127.0.0.1:81", false),
        ] {
            let taken = taken.parse().expect("an address");
            assert_eq!(is_at(address, taken).await, expected, "{address} {taken}");
        }
    }
}
