//! Connections of proxies, which begin with a PROXY protocol header.

use proxy_protocol_rs::HeaderBuilder;

use super::*;

/// Where the test's proxies are; other addresses of this machine are none.
const PROXIES: &[&str] = &["127.0.0.1/32", "127.1.0.0/16"];

/// Limits with two connections for an address, and a short time for headers.
fn limits() -> ConnectionLimits {
    ConnectionLimits {
        per_address: PerAddress::Exactly(2),
        proxy_timeout: Duration::from_millis(200),
        idle_grace: LONG,
        ..ConnectionLimits::default()
    }
}

/// A v1 header of this client.
fn v1(client: &str) -> Vec<u8> {
    let family = if client.contains(':') { "TCP6" } else { "TCP4" };
    format!("PROXY {family} {client} {client} 5 80\r\n").into_bytes()
}

/// A v2 header of this client.
fn v2(client: &str) -> HeaderBuilder {
    let source = SocketAddr::new(client.parse().expect("an address"), 5);
    HeaderBuilder::v2_proxy(source, source)
}

/// Sends the header and a request in pieces of this size, and returns the client of the answer; `None` if there is none.
async fn client_of(rig: &Rig, header: &[u8], piece: usize) -> Option<String> {
    let mut stream = rig.send("").await;
    stream.set_nodelay(true).expect("an option");
    for bytes in [header, NOW.as_bytes()].concat().chunks(piece) {
        let _ = stream.write_all(bytes).await;
        if piece == 1 {
            tokio::task::yield_now().await;
        }
    }
    let mut text = String::new();
    while !text.ends_with("done") {
        let mut bytes = [0; 1024];
        match in_time(stream.read(&mut bytes)).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => text += &String::from_utf8_lossy(&bytes[..read]),
        }
    }
    let client = text.split("client: ").nth(1).expect("a client");
    client.lines().next().map(str::to_owned)
}

#[tokio::test]
async fn the_client_is_the_source_of_the_header_however_it_is_split() {
    let rig = rig_behind(PROXIES, limits()).await;
    let tlvs = |client: &str| v2(client).with_authority("hitode.example").with_crc32c().build();
    for (header, client) in [
        (v1("192.0.2.7"), "192.0.2.7"),
        (v1("2001:db8::7"), "2001:db8::7"),
        (v2("192.0.2.8").build(), "192.0.2.8"),
        (v2("2001:db8::8").build(), "2001:db8::8"),
        (tlvs("192.0.2.9"), "192.0.2.9"),
        // The proxy's own requests, such as health checks.
        (b"PROXY UNKNOWN\r\n".to_vec(), "127.0.0.1"),
        (b"PROXY UNKNOWN 192.0.2.7 192.0.2.7 5 80\r\n".to_vec(), "127.0.0.1"),
        (HeaderBuilder::v2_local().build(), "127.0.0.1"),
        (HeaderBuilder::v2_local().with_padding(99).build(), "127.0.0.1"),
    ] {
        for piece in [usize::MAX, header.len(), 7, 1] {
            let found = client_of(&rig, &header, piece).await;
            assert_eq!(found.as_deref(), Some(client), "{header:?} by {piece}");
        }
    }
    rig.assert_counted(|counters| &counters.unidentified, 0);
}

#[tokio::test]
async fn a_header_that_is_missing_malformed_too_long_or_slow_ends_the_connection() {
    let rig = rig_behind(PROXIES, limits()).await;
    let mut wrong_sum = v2("192.0.2.7").with_crc32c().build();
    *wrong_sum.last_mut().expect("a sum") ^= 1;
    let mut too_few = v2("192.0.2.7").build();
    too_few[15] = 4;
    let cases: [&[u8]; 9] = [
        b"",
        b"PROXY TCP5 192.0.2.7 192.0.2.7 5 80\r\n",
        b"PROXY TCP4 2001:db8::7 192.0.2.7 5 80\r\n",
        b"PROXY TCP4 192.0.2.7 192.0.2.7 5 80 and more\r\n",
        &[b"PROXY UNKNOWN ".as_slice(), &[b'x'; 200], b"\r\n"].concat(),
        &wrong_sum,
        &too_few,
        &v2("192.0.2.7").with_padding(9_000).build(),
        b"\r\n\r\n",
    ];
    for (number, header) in (1..).zip(cases) {
        assert_eq!(client_of(&rig, header, usize::MAX).await, None, "{header:?}");
        rig.assert_counted(|counters| &counters.unidentified, number);
    }
    for slow in ["", "PROXY TCP4 192.0.2.7 ", "\r\n\r\n"] {
        assert_eq!(rest(rig.send(slow).await).await, "", "{slow:?}");
    }
    rig.assert_counted(|counters| &counters.unidentified, 12);
}

#[tokio::test]
async fn a_header_from_another_address_is_no_request() {
    let rig = rig_behind(PROXIES, limits()).await;
    for header in [v1("192.0.2.7"), v2("192.0.2.7").build()] {
        let mut stream = rig.send_from("127.0.0.2", "").await;
        stream
            .write_all(&[&header, NOW.as_bytes()].concat())
            .await
            .expect("open");
        let answer = rest(stream).await;
        assert!(
            answer.starts_with("HTTP/1.1 400") && !answer.contains("done"),
            "{answer}"
        );
    }
    // Without one it is served, also as another client than the proxy's.
    done(&mut rig.send_from("127.0.0.2", NOW).await).await;
}

#[tokio::test]
async fn two_clients_of_one_proxy_have_shares_of_their_own() {
    let rig = rig_behind(PROXIES, limits()).await;
    let send = async |client: &str, bytes: &str| {
        let header = String::from_utf8(v1(client)).expect("text");
        rig.send(&(header + bytes)).await
    };
    let mut busy = Vec::new();
    for client in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] {
        busy.push(send(client, WAIT).await);
        rig.wait_for_arrival().await;
    }
    assert_eq!(rest(send("192.0.2.1", NOW).await).await, "");
    rig.assert_counted(|counters| &counters.rejected, 1);
    done(&mut send("192.0.2.2", NOW).await).await;
    rig.go.notify_one();
    done(&mut busy[0]).await;
    drop(busy.remove(0));
    // A slot is given back with the end of the connection.
    let last = NOW.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
    in_time(async { while !rest(send("192.0.2.1", &last).await).await.ends_with("done") {} }).await;
}

#[tokio::test]
async fn proxies_that_send_no_header_block_no_other_client() {
    let rig = rig_behind(
        PROXIES,
        ConnectionLimits {
            connections: 4,
            proxy_timeout: LONG,
            idle_grace: Duration::ZERO,
            ..limits()
        },
    )
    .await;
    let mut held = Vec::new();
    for number in 0..20 {
        held.push(rig.send(["", "P", "PROXY TCP4 192.0.2.7 "][number % 3]).await);
        let found = client_of(&rig, &v1("192.0.2.9"), usize::MAX).await;
        assert_eq!(found.as_deref(), Some("192.0.2.9"));
    }
    rig.shutdown.request();
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::Drained);
}
