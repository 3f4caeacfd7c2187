//! The URLs of webhooks.

use std::net::IpAddr;

use hitode::webhooks::Reach;

/// The bytes are a URL, of the characters that the contract allows. A public one leads to a name or to a public address,
/// as another parser reads it, too.
pub(crate) fn webhook(bytes: &[u8]) {
    let is_allowed = bytes.iter().all(u8::is_ascii_graphic);
    let Some(url) = str::from_utf8(bytes).ok().filter(|_| is_allowed) else {
        return;
    };
    let any = Reach::Any.receiver_of(url);
    let Some((host, port)) = Reach::Public.receiver_of(url) else {
        return;
    };
    assert_eq!(any, Some((host.clone(), port)), "{url}");
    assert_ne!(port, 0, "{url}");
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => {
            let is_own = ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified();
            assert!(!is_own && !ip.is_broadcast() && !ip.is_multicast(), "{url}: {ip}");
        }
        Ok(IpAddr::V6(ip)) => {
            assert!(
                !ip.is_loopback() && !ip.is_unspecified() && !ip.is_multicast(),
                "{url}: {ip}"
            );
            assert_eq!(ip.to_ipv4_mapped(), None, "{url}");
        }
        // Resolvers take `0x7f.1` for an address, and no name whose last label begins with a letter.
        Err(_) => {
            let last = bare.trim_end_matches('.').rsplit('.').next();
            assert!(
                last.is_some_and(|last| last.starts_with(|c: char| c.is_ascii_alphabetic())),
                "{url}"
            );
        }
    }
    // What is connected to is what the URL begins with.
    let again = format!("https://{host}:{port}/");
    assert_eq!(Reach::Public.receiver_of(&again), Some((host, port)), "{url}");
}
