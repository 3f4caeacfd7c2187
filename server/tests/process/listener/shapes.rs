//! Unusual and invalid requests, and their answers.

use super::*;

/// A name, the bytes sent on one connection, and the expected statuses. `¶` is CRLF; `words` explains what is in angle brackets.
type Shape = (&'static str, &'static str, &'static [u16]);

/// The request after each shape, if the connection stays open: answered with 200 if it is read as a request.
const NEXT: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    // What could hide a request behind another one.
    ("a length and chunks", "POST /x HTTP/1.1¶host: x¶content-length: 5¶transfer-encoding: chunked¶¶0¶¶", &[404]),
    ("chunks and a length", "POST /x HTTP/1.1¶host: x¶transfer-encoding: chunked¶content-length: 5¶¶0¶¶", &[404]),
    ("two lengths", "POST /x HTTP/1.1¶host: x¶content-length: 5¶content-length: 6¶¶abcde", &[400]),
    ("one length twice", "POST /x HTTP/1.1¶host: x¶content-length: 5¶content-length: 5¶¶abcde", &[404, 200]),
    ("a list of lengths", "POST /x HTTP/1.1¶host: x¶content-length: 5, 5¶¶abcde", &[400]),
    ("a length with a sign", "POST /x HTTP/1.1¶host: x¶content-length: +5¶¶abcde", &[400]),
    ("a negative length", "POST /x HTTP/1.1¶host: x¶content-length: -5¶¶abcde", &[400]),
    ("a length in hex", "POST /x HTTP/1.1¶host: x¶content-length: 0x5¶¶abcde", &[400]),
    ("a length beyond all", "POST /x HTTP/1.1¶host: x¶content-length: 99999999999999999999¶¶", &[400]),
    ("a space before the colon", "POST /x HTTP/1.1¶host: x¶content-length : 5¶¶abcde", &[400]),
    ("chunked twice", "POST /x HTTP/1.1¶host: x¶transfer-encoding: chunked¶transfer-encoding: chunked¶¶0¶¶", &[404, 200]),
    ("a coding that is none", "POST /x HTTP/1.1¶host: x¶transfer-encoding: xchunked¶¶0¶¶", &[400]),
    ("a coding without chunks", "POST /x HTTP/1.1¶host: x¶transfer-encoding: identity¶¶abc", &[400]),
    ("chunks that come first", "POST /x HTTP/1.1¶host: x¶transfer-encoding: chunked, identity¶¶0¶¶", &[400]),
    ("a coding before chunks", "POST /x HTTP/1.1¶host: x¶transfer-encoding: gzip, chunked¶¶0¶¶", &[501]),
    ("a coding in a line of its own", "POST /api/v1/keys HTTP/1.1¶host: x¶transfer-encoding: gzip¶transfer-encoding: chunked¶¶0¶¶", &[501]),
    ("chunks with a control character", "POST /x HTTP/1.1¶host: x¶transfer-encoding: \u{b}chunked¶¶0¶¶", &[400]),
    ("chunks of HTTP/1.0", "POST /x HTTP/1.0¶transfer-encoding: chunked¶¶0¶¶", &[400]),
    ("a folded line", "GET /healthz HTTP/1.1¶host: x¶a: b¶ c¶¶", &[400]),
    ("a folded coding", "POST /x HTTP/1.1¶host: x¶transfer-encoding:¶ chunked¶¶0¶¶", &[400]),
    ("a first line that is folded", "GET /healthz HTTP/1.1¶ host: x¶¶", &[400]),
    ("CR alone", "GET /healthz HTTP/1.1\rhost: x\r\r", &[400]),
    ("CR in a value", "GET /healthz HTTP/1.1¶host: x¶a: b\rc¶¶", &[400]),
    ("NUL in a value", "GET /healthz HTTP/1.1¶host: x¶a: b\0c¶¶", &[400]),
    ("NUL in a name", "GET /healthz HTTP/1.1¶host: x¶a\0b: c¶¶", &[400]),
    ("NUL in a path", "GET /heal\0thz HTTP/1.1¶host: x¶¶", &[400]),
    ("LF alone", "GET /healthz HTTP/1.1\nhost: x\n\n", &[200, 200]),
    // Other versions and protocols.
    ("HTTP/1.0", "GET /healthz HTTP/1.0¶¶", &[200]),
    ("HTTP/1.0 that stays", "GET /healthz HTTP/1.0¶connection: keep-alive¶¶", &[200, 200]),
    ("HTTP/0.9", "GET /healthz¶", &[400]),
    ("HTTP/2 in name", "GET /healthz HTTP/2.0¶host: x¶¶", &[400]),
    ("HTTP/2 by its preface", "PRI * HTTP/2.0¶¶SM¶¶\0\0\0\0\0\0\0\0\0", &[]),
    ("an upgrade to HTTP/2", "GET /healthz HTTP/1.1¶host: x¶connection: upgrade, http2-settings¶upgrade: h2c¶http2-settings: AAMAAABkAAQAAP__¶¶", &[200, 200]),
    ("a web socket", "GET /healthz HTTP/1.1¶host: x¶connection: upgrade¶upgrade: websocket¶¶", &[200, 200]),
    ("the hello of TLS", "\u{16}\u{3}\u{1}\0\u{5}\u{1}\0\0\u{1}\u{3}\u{3}\0\0\0\0", &[400]),
    // Methods and targets.
    ("an absolute target", "GET http://elsewhere/healthz HTTP/1.1¶host: x¶¶", &[200, 200]),
    ("a target that is a host", "CONNECT example.com:443 HTTP/1.1¶host: example.com:443¶¶", &[404, 200]),
    ("CONNECT with a path", "CONNECT /api/v1/humans HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("OPTIONS of everything", "OPTIONS * HTTP/1.1¶host: x¶¶", &[404, 200]),
    ("OPTIONS of a path", "OPTIONS /api/v1/humans HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("HEAD", "HEAD /healthz HTTP/1.1¶host: x¶¶", &[200, 200]),
    ("HEAD of the contract", "HEAD /api/v1/humans HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("TRACE", "TRACE /healthz HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("a method of its own", "BREW /healthz HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("a method of its own at the entrance", "BREW / HTTP/1.1¶host: x¶¶", &[405, 200]),
    ("a body that nobody expects", "GET /healthz HTTP/1.1¶host: x¶content-length: 5¶¶abcde", &[200, 200]),
    ("empty lines before", "¶¶", &[200]),
    // Chunked bodies.
    ("chunks of one byte", "<chunked><single>0¶¶", &[201, 200]),
    ("chunks with extensions", "<chunked><extended>0;last¶¶", &[201, 200]),
    ("a chunk with leading zeros", "<chunked>0000<size>¶<json>¶0¶¶", &[201, 200]),
    ("trailers that look like headers", "<chunked><size>¶<json>¶0¶x-api-key: other¶content-length: 5¶¶", &[201, 200]),
    ("a chunk that goes on", "<chunked>2¶{}}¶0¶¶", &[400]),
    ("a chunk that is too short", "<chunked>9¶{}¶0¶¶", &[400]),
    ("the largest size", "<chunked>ffffffffffffffff¶{}¶0¶¶", &[400]),
    ("a size beyond all", "<chunked>fffffffffffffffff¶{}¶0¶¶", &[400]),
    ("a negative size", "<chunked>-2¶{}¶0¶¶", &[400]),
    ("a size with a prefix", "<chunked>0x2¶{}¶0¶¶", &[400]),
    ("no size", "<chunked>¶{}¶0¶¶", &[400]),
    ("a size that is no number", "<chunked>zz¶{}¶0¶¶", &[400]),
    ("chunks that end with LF alone", "<chunked>2\n{}\n0\n\n", &[400]),
    ("a trailer without a colon", "<chunked>2¶{}¶0¶no trailer¶¶", &[400]),
    ("a chunk that breaks off", "<chunked>2¶{", &[400]),
    ("a size that breaks off", "<chunked>2", &[400]),
    ("an extension beyond all measure", "<chunked>2;<long>¶{}¶0¶¶", &[400]),
    ("trailers beyond all measure", "<chunked>2¶{}¶0¶<many>¶", &[400]),
];

/// The text of each word in angle brackets.
fn words(scene: &Scene) -> Vec<(&'static str, String)> {
    let json = text(&bounty("In pieces"));
    let in_chunks = |size: usize, extension: &str| -> String {
        let chunk = |piece: &[u8]| {
            let piece = std::str::from_utf8(piece).expect("ASCII");
            format!("{:x}{extension}\r\n{piece}\r\n", piece.len())
        };
        json.as_bytes().chunks(size).map(chunk).collect()
    };
    vec![
        ("¶", "\r\n".to_owned()),
        ("<chunked>", String::from_utf8(chunked(scene, "")).expect("text")),
        ("<single>", in_chunks(1, "")),
        ("<extended>", in_chunks(7, ";a=b;c=\"d\"")),
        ("<size>", format!("{:x}", json.len())),
        ("<long>", "x".repeat(100_000)),
        ("<many>", "a: b\r\n".repeat(20_000)),
        ("<json>", json),
    ]
}

/// In particular, nothing that could hide a request does: it ends the connection, or the next request is answered.
#[test]
fn each_shape_of_a_request_gets_its_answers() {
    let scene = Scene::set();
    let words = words(&scene);
    for (name, bytes, expected) in SHAPES {
        let bytes = words
            .iter()
            .fold((*bytes).to_owned(), |bytes, (word, text)| bytes.replace(word, text));
        let came = throw(scene.service.address, (bytes + NEXT).as_bytes());
        assert_eq!(statuses(&came), *expected, "{name}: {}", String::from_utf8_lossy(&came));
        scene.assert_others_are_served();
    }
    scene.assert_unharmed();
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
