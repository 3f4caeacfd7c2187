//! Which addresses are on the public internet. A webhook must not reach the network of the server: what listens there
//! trusts its neighbours.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the address is globally reachable unicast, and is not a way to an IPv4 address that is not
/// (IANA, special-purpose address registries). Doubtful ranges are not public.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        // This network, private, loopback.
        [0 | 10 | 127, ..] => true,
        // Shared by carriers (CGNAT), link-local, private.
        [100, second, ..] => (64..128).contains(&second),
        [169, 254, ..] => true,
        [172, second, ..] => (16..32).contains(&second),
        // Protocol assignments, documentation, relays of 6to4, private.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [192, 168, ..] => true,
        // Benchmarks, documentation.
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Multicast, reserved, broadcast.
        [first, ..] => first >= 224,
    };
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Outside of 2000::/3: unspecified, loopback, mapped and compatible IPv4, NAT64, discarded, unique local,
    // link-local, site-local, multicast, segment identifiers, and what is not assigned.
    let special = match address.segments() {
        [first, ..] if first & 0xe000 != 0x2000 => true,
        // Protocol assignments, with Teredo, benchmarks and ORCHID.
        [0x2001, second, ..] if second < 0x200 => true,
        // Documentation.
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => true,
        // 6to4.
        [0x2002, ..] => true,
        // ISATAP.
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => true,
        _ => false,
    };
    !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(addresses: &[&str], expected: bool) {
        for text in addresses {
            let address = text.parse().expect("an address");
            assert_eq!(is_public(address), expected, "{text}");
        }
    }

    #[test]
    fn public_addresses_are_public() {
        check(
            &[
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
            ],
            true,
        );
        check(
            &[
                "2001:4860:4860::8888",
                "2001:200::1",
                "2606:4700::1111",
                "2a00:1450::1",
                "3ffe::1",
                "3fff:1000::1",
            ],
            true,
        );
    }

    #[test]
    fn special_ipv4_addresses_are_not() {
        check(
            &[
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.0.0",
                "169.254.169.254",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.0.170",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.0",
                "192.168.255.255",
                "198.18.0.0",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
            ],
            false,
        );
    }

    #[test]
    fn special_ipv6_addresses_are_not() {
        check(
            &[
                "::",
                "::1",
                "::8.8.8.8",
                "::127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:127.0.0.1",
                "::ffff:8.8.8.8",
                "::ffff:0:10.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::8.8.8.8",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                "2001:2::1",
                "2001:10::1",
                "2001:20::1",
                "2001:1ff::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "2002:a00:1::",
                "2002:808:808::1",
                "3fff::1",
                "3fff:fff::1",
                "5f00::1",
                "4000::1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "2606:4700::5efe:10.0.0.1",
                "2606:4700::200:5efe:7f00:1",
            ],
            false,
        );
    }
}
