//! Unusual and invalid requests, and their answers.

use super::*;

/// The bytes sent on one connection, and the expected statuses.
type Shape = (&'static str, &'static str, &'static [u16]);

/// The request after each shape, if the connection stays open: answered with 200 if it is read as a request.
const NEXT: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

#[track_caller]
fn check(shapes: &[Shape]) {
    let scene = Scene::set();
    for (name, bytes, expected) in shapes {
        let came = throw(scene.service.address, [bytes, NEXT].concat().as_bytes());
        assert_eq!(statuses(&came), *expected, "{name}: {}", String::from_utf8_lossy(&came));
        scene.assert_others_are_served();
    }
    scene.assert_unharmed();
}

#[test]
fn what_could_hide_a_request_ends_the_connection_or_hides_nothing() {
    check(&[
        (
            "a length and chunks",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            &[404],
        ),
        (
            "chunks and a length",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
            &[404],
        ),
        (
            "two lengths",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde",
            &[400],
        ),
        (
            "one length twice",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nabcde",
            &[404, 200],
        ),
        (
            "a list of lengths",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 5, 5\r\n\r\nabcde",
            &[400],
        ),
        (
            "a length with a sign",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: +5\r\n\r\nabcde",
            &[400],
        ),
        (
            "a negative length",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\nabcde",
            &[400],
        ),
        (
            "a length in hex",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 0x5\r\n\r\nabcde",
            &[400],
        ),
        (
            "a length beyond all",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\n",
            &[400],
        ),
        (
            "a space before the colon",
            "POST /x HTTP/1.1\r\nhost: x\r\ncontent-length : 5\r\n\r\nabcde",
            &[400],
        ),
        (
            "chunked twice",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            &[404, 200],
        ),
        (
            "a coding that is none",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "a coding without chunks",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: identity\r\n\r\nabc",
            &[400],
        ),
        (
            "chunks that come first",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "a coding before chunks",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            &[501],
        ),
        (
            "a coding in a line of its own",
            "POST /api/v1/keys HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            &[501],
        ),
        (
            "chunks with a control character",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: \u{b}chunked\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "chunks of HTTP/1.0",
            "POST /x HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "a folded line",
            "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n",
            &[400],
        ),
        (
            "a folded coding",
            "POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "a first line that is folded",
            "GET /healthz HTTP/1.1\r\n host: x\r\n\r\n",
            &[400],
        ),
        ("CR alone", "GET /healthz HTTP/1.1\rhost: x\r\r", &[400]),
        (
            "CR in a value",
            "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\rc\r\n\r\n",
            &[400],
        ),
        (
            "NUL in a value",
            "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n",
            &[400],
        ),
        (
            "NUL in a name",
            "GET /healthz HTTP/1.1\r\nhost: x\r\na\0b: c\r\n\r\n",
            &[400],
        ),
        ("NUL in a path", "GET /heal\0thz HTTP/1.1\r\nhost: x\r\n\r\n", &[400]),
        ("LF alone", "GET /healthz HTTP/1.1\nhost: x\n\n", &[200, 200]),
    ]);
}

#[test]
fn other_versions_and_protocols() {
    check(&[
        ("HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", &[200]),
        (
            "HTTP/1.0 that stays",
            "GET /healthz HTTP/1.0\r\nconnection: keep-alive\r\n\r\n",
            &[200, 200],
        ),
        ("HTTP/0.9", "GET /healthz\r\n", &[400]),
        ("HTTP/2 in name", "GET /healthz HTTP/2.0\r\nhost: x\r\n\r\n", &[400]),
        (
            "HTTP/2 by its preface",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\0\0\0\0\0\0",
            &[],
        ),
        (
            "an upgrade to HTTP/2",
            "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n",
            &[200, 200],
        ),
        (
            "a web socket",
            "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
            &[200, 200],
        ),
        (
            "the hello of TLS",
            "\u{16}\u{3}\u{1}\0\u{5}\u{1}\0\0\u{1}\u{3}\u{3}\0\0\0\0",
            &[400],
        ),
    ]);
}

#[test]
fn methods_and_targets() {
    check(&[
        (
            "an absolute target",
            "GET http://elsewhere/healthz HTTP/1.1\r\nhost: x\r\n\r\n",
            &[200, 200],
        ),
        (
            "a target that is a host",
            "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n",
            &[404, 200],
        ),
        (
            "CONNECT with a path",
            "CONNECT /api/v1/humans HTTP/1.1\r\nhost: x\r\n\r\n",
            &[405, 200],
        ),
        (
            "OPTIONS of everything",
            "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
            &[404, 200],
        ),
        (
            "OPTIONS of a path",
            "OPTIONS /api/v1/humans HTTP/1.1\r\nhost: x\r\n\r\n",
            &[405, 200],
        ),
        ("HEAD", "HEAD /healthz HTTP/1.1\r\nhost: x\r\n\r\n", &[200, 200]),
        (
            "HEAD of the contract",
            "HEAD /api/v1/humans HTTP/1.1\r\nhost: x\r\n\r\n",
            &[405, 200],
        ),
        ("TRACE", "TRACE /healthz HTTP/1.1\r\nhost: x\r\n\r\n", &[405, 200]),
        (
            "a method of its own",
            "BREW /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
            &[405, 200],
        ),
        (
            "a method of its own at the entrance",
            "BREW / HTTP/1.1\r\nhost: x\r\n\r\n",
            &[405, 200],
        ),
        (
            "a body that nobody expects",
            "GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nabcde",
            &[200, 200],
        ),
        ("empty lines before", "\r\n\r\n", &[200]),
    ]);
}

#[test]
fn a_client_that_expects_100_continue_gets_it() {
    let scene = Scene::set();
    let body = text(&bounty("Expected"));
    let expecting = |key: &str| {
        format!(
            "POST /api/v1/bounties HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
             expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
            body.len()
        )
    };
    let mut stream = connect(scene.service.address);
    stream
        .write_all(expecting(&scene.people.agent.secret).as_bytes())
        .expect("sent");
    let mut interim = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut interim).expect("an interim answer");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).expect("sent");
    stream.shutdown(Shutdown::Write).expect("half closed");
    assert_eq!(Answer::parse(&rest(stream)).status, 201);
    // A rejected client is not asked for the body first.
    let mut stream = connect(scene.service.address);
    stream.write_all(expecting("htd_unknown").as_bytes()).expect("sent");
    assert_eq!(statuses(&rest(stream)), [401]);
    scene.assert_unharmed();
}

/// RFC 9112 §3.2. A rejected request has no effect, and its path may be unknown.
#[test]
fn a_request_for_no_host_is_rejected_whatever_its_path() {
    let scene = Scene::set();
    let key = format!("x-api-key: {}\r\n", scene.people.agent.secret);
    let status_and_error = |version: &str, target: &str, hosts: &str| {
        let request = format!("GET {target} HTTP/{version}\r\n{hosts}{key}connection: close\r\n\r\n");
        let answer = Answer::parse(&throw(scene.service.address, request.as_bytes()));
        let error = answer
            .text()
            .starts_with('{')
            .then(|| answer.json()["error"].as_str().map(str::to_owned));
        (answer.status, error.flatten().unwrap_or_default())
    };
    let missing = "the header `Host` is missing";
    let repeated = "the header `Host` must be given once";
    let malformed = "the header `Host` must be a host, with or without a port";
    for target in [
        "/api/v1/keys",
        "/nowhere",
        "/healthz",
        "/docs",
        "http://a.example/api/v1/keys",
    ] {
        for (hosts, error) in [
            ("", missing),
            ("host: a\r\nhost: a\r\n", repeated),
            ("host: a b\r\n", malformed),
            ("host: user@a\r\n", malformed),
            ("host: a:http\r\n", malformed),
        ] {
            assert_eq!(
                status_and_error("1.1", target, hosts),
                (400, error.to_owned()),
                "{target} {hosts}"
            );
        }
    }
    for hosts in ["host: a.example:8080\r\n", "host: [::1]:80\r\n", "host: \r\n"] {
        assert_eq!(status_and_error("1.1", "/api/v1/keys", hosts).0, 200, "{hosts}");
    }
    // HTTP before 1.1 may omit the host, but two hosts are an error there, too.
    assert_eq!(status_and_error("1.0", "/api/v1/keys", "").0, 200);
    assert_eq!(status_and_error("1.0", "/api/v1/keys", "host: a\r\nhost: b\r\n").0, 400);
    scene.assert_unharmed();
}
