//! The URL of a webhook, as far as it says whom to connect to.

use std::net::{IpAddr, Ipv6Addr};

use clap::ValueEnum;
use http::Uri;
use http::uri::{PathAndQuery, Scheme};

use super::address::is_public;

/// Which receivers a webhook may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reach {
    /// Those with public addresses, by https.
    Public,
    /// Any, also by http: only for tests.
    Any,
}

impl Reach {
    /// Whether a connection to this address is allowed.
    pub(super) fn permits(self, address: IpAddr) -> bool {
        self == Self::Any || is_public(address)
    }

    /// Whether a webhook with this URL may send to its host, as far as the URL tells: no name is resolved. A URL that is
    /// malformed is not refused for its host.
    pub fn may_have_host_of(self, url: &str) -> bool {
        Target::parse(url, self) != Err(NoTarget::Refused)
    }

    /// The host and the port that a webhook with this URL sends to; `None` if it may send nowhere.
    pub fn receiver_of(self, url: &str) -> Option<(String, u16)> {
        let target = Target::parse(url, self).ok()?;
        let host = match target.host {
            Host::Name(name) => name,
            Host::Address(IpAddr::V6(address)) => format!("[{address}]"),
            Host::Address(address) => address.to_string(),
        };
        Some((host, target.port))
    }
}

/// Names that are never those of public hosts, with all names below them: special-use domain names (IANA), and
/// `internal`, which ICANN has reserved for private networks.
const RESERVED_NAMES: [&str; 9] = [
    "alt",
    "example",
    "home.arpa",
    "internal",
    "invalid",
    "local",
    "localhost",
    "onion",
    "test",
];

/// Whom to connect to, and what to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(super) is_https: bool,
    pub(super) host: Host,
    pub(super) port: u16,
    /// The value of the header `Host`.
    pub(super) authority: String,
    pub(super) path: PathAndQuery,
}

/// Why nothing is sent to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTarget {
    /// It is no URL, is not https, or has user information or a fragment.
    Invalid,
    /// Its host is an address that is not public, or a name that no public host has.
    Refused,
}

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// A name that has to be resolved at each attempt.
    Name(String),
    /// A literal address.
    Address(IpAddr),
}

impl Target {
    /// Reads a URL.
    ///
    /// Addresses are read in their standard form only. All others (`0x7f.1`, `2130706433`, `127.1`, `0177.0.0.1`) are
    /// no names either, so no resolver gets to interpret them.
    pub(super) fn parse(url: &str, reach: Reach) -> Result<Self, NoTarget> {
        let target = Self::read(url).ok_or(NoTarget::Invalid)?;
        if reach == Reach::Any {
            return Ok(target);
        }
        let is_public = match &target.host {
            Host::Name(name) => is_public_name(name),
            Host::Address(address) => reach.permits(*address),
        };
        match is_public {
            true if target.is_https => Ok(target),
            true => Err(NoTarget::Invalid),
            false => Err(NoTarget::Refused),
        }
    }

    fn read(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok().filter(|_| !url.contains('#'))?;
        let is_https = uri.scheme()? == &Scheme::HTTPS;
        let authority = uri.authority()?;
        let host = Host::parse(authority.host())?;
        // With user information, the authority does not begin with the host.
        let port = match authority.as_str().strip_prefix(authority.host())? {
            "" if is_https => 443,
            "" => 80,
            port => port.strip_prefix(':')?.parse().ok().filter(|port| *port != 0)?,
        };
        (is_https || uri.scheme()? == &Scheme::HTTP).then(|| Self {
            is_https,
            host,
            port,
            authority: authority.as_str().to_owned(),
            path: uri.path_and_query().cloned().unwrap_or(PathAndQuery::from_static("/")),
        })
    }
}

impl Host {
    fn parse(host: &str) -> Option<Self> {
        if let Some(literal) = host.strip_prefix('[') {
            let address: Ipv6Addr = literal.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Address(address.into()));
        }
        if let Ok(address) = host.parse() {
            return Some(Self::Address(address));
        }
        is_name(host).then(|| Self::Name(host.to_ascii_lowercase()))
    }
}

/// Whether a public host can have this name, which is in lower case.
fn is_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let is_within = |reserved: &&str| {
        let rest = name.strip_suffix(*reserved);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    name.contains('.') && !RESERVED_NAMES.iter().any(is_within)
}

/// Whether this is a host name (RFC 1123) that cannot be taken for an address: its last label begins with a letter.
fn is_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=63).contains(&label.len())
            && label.bytes().all(is_inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= 253 && host.split('.').all(is_label) && last.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, host: &str, port: u16, path: &str) {
        let target = Target::parse(url, Reach::Public).expect(url);
        let found = match &target.host {
            Host::Name(name) => name.clone(),
            Host::Address(address) => address.to_string(),
        };
        assert_eq!(
            (found.as_str(), target.port, target.path.as_str()),
            (host, port, path),
            "{url}"
        );
    }

    #[test]
    fn a_url_says_whom_to_connect_to() {
        check("https://Hooks.Example.com", "hooks.example.com", 443, "/");
        check(
            "https://hooks.example.com:8443/a/b?c=d",
            "hooks.example.com",
            8443,
            "/a/b?c=d",
        );
        check("HTTPS://8.8.8.8/x", "8.8.8.8", 443, "/x");
        check("https://[2606:4700::1111]:444/x", "2606:4700::1111", 444, "/x");
        check("https://xn--r8jz45g.jp/", "xn--r8jz45g.jp", 443, "/");
        check(
            "https://under_score.example.com./",
            "under_score.example.com.",
            443,
            "/",
        );
    }

    #[test]
    fn no_form_of_a_private_address_is_a_target() {
        for url in [
            "https://127.0.0.1/",
            "https://10.1.2.3/",
            "https://172.16.0.1",
            "https://192.168.0.1:8443/",
            "https://169.254.169.254/latest",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[0:0:0:0:0:ffff:a00:1]/",
            "https://[fe80::1]/",
            "https://[fe80::1%25eth0]/",
            "https://[fe80::1%eth0]/",
            "https://[fd00::1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[2002:7f00:1::]/",
            "https://[2001:0:7f00:1::]/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0x7f.0.0.1/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://017700000001/",
            "https://127.1/",
            "https://127.0.1/",
            "https://0/",
            "https://127.0.0.1./",
            "https://00000127.0.0.1/",
            "https://127.0.0.0x1/",
            "https://a.0x7f/",
            "https://256.256.256.256/",
            "https://localhost/",
            "https://LOCALHOST./",
            "https://intranet/",
            "https://127.0.0.1%00.example.com/",
            "https://%31%32%37.0.0.1/",
            "https://①②⑦.0.0.1/",
            "https://127。0。0。1/",
        ] {
            assert!(Target::parse(url, Reach::Public).is_err(), "{url}");
        }
    }

    #[test]
    fn other_urls_are_no_targets() {
        for url in [
            "",
            "hooks.example.com",
            "/path",
            "//hooks.example.com/",
            "http://hooks.example.com/",
            "ftp://hooks.example.com/",
            "https:///x",
            "https://:443/",
            "https://hooks.example.com:0/",
            "https://hooks.example.com:/",
            "https://hooks.example.com:65536/",
            "https://user@hooks.example.com/",
            "https://user:word@hooks.example.com/",
            "https://8.8.8.8@127.0.0.1/",
            "https://hooks.example.com/#part",
            "https://hooks.example.com\\@127.0.0.1/",
            "https://-a.example.com/",
            "https://a..example.com/",
            "https://.example.com/",
            "https://hooks.example.com /",
            "https://hooks.example.com/\r\nX: y",
            "https://[8.8.8.8]/",
            "https://[::1/",
            "https://[2606:4700::1111]x/",
            "https://*.example.com/",
        ] {
            assert!(Target::parse(url, Reach::Public).is_err(), "{url}");
        }
    }

    #[test]
    fn reserved_names_are_refused_with_all_below_them() {
        for (host, expected) in [
            ("printer.local", false),
            ("a.b.INTERNAL.", false),
            ("home.arpa", false),
            ("router.home.arpa", false),
            ("intranet", false),
            ("hooks.example.com", true),
            ("mylocal.com", true),
            ("in-addr.arpa", true),
            ("glocal.dev", true),
            ("not-a-number.256", true),
        ] {
            let url = format!("https://{host}:8443/");
            assert_eq!(Reach::Public.may_have_host_of(&url), expected, "{url}");
            assert!(Reach::Any.may_have_host_of(&url), "{url}");
        }
    }

    #[test]
    fn with_any_reach_private_addresses_and_http_are_allowed() {
        for url in ["http://127.0.0.1:8080/hook", "https://localhost/", "http://[::1]:9/"] {
            assert!(Target::parse(url, Reach::Any).is_ok(), "{url}");
        }
        for (url, reach, expected) in [
            ("ftp://127.0.0.1/", Reach::Any, NoTarget::Invalid),
            ("https://2130706433/", Reach::Any, NoTarget::Invalid),
            ("http://hooks.example.com/", Reach::Public, NoTarget::Invalid),
            ("https://[::1]/", Reach::Public, NoTarget::Refused),
            ("https://localhost/", Reach::Public, NoTarget::Refused),
            ("http://127.0.0.1/", Reach::Public, NoTarget::Refused),
        ] {
            assert_eq!(Target::parse(url, reach), Err(expected), "{url}");
        }
    }
}
