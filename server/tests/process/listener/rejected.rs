//! Error responses reach a client that sends its whole body before it reads.

use super::*;

/// In bytes: larger than any allowed body, and close to the most that the server reads of an unwanted one.
const SIZES: [usize; 2] = [3_000_000, 16_000_000];

#[track_caller]
fn check(address: SocketAddr, head: &str, status: u16) {
    for size in SIZES {
        let body = vec![b' '; size];
        let with_length = [format!("{head}content-length: {size}\r\n\r\n").as_bytes(), &body].concat();
        let chunk = [format!("{:x}\r\n", 50_000).as_bytes(), &body[..50_000], b"\r\n"].concat();
        let chunks = chunk.repeat(size / 50_000);
        let in_chunks = [
            format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes(),
            &chunks,
            b"0\r\n\r\n",
        ]
        .concat();
        for request in [with_length, in_chunks] {
            let mut stream = connect(address);
            stream.write_all(&request).expect("all of it is taken");
            stream.shutdown(Shutdown::Write).expect("half closed");
            assert_eq!(Answer::parse(&rest(stream)).status, status, "{size}");
        }
    }
}

fn head(path: &str, headers: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\n{headers}")
}

#[test]
fn unknown_path() {
    let scene = Scene::set();
    check(scene.service.address, &head("/nowhere", ""), 404);
    scene.assert_unharmed();
}

#[test]
fn no_key() {
    let scene = Scene::set();
    check(scene.service.address, &head("/api/v1/bounties", ""), 401);
    scene.assert_unharmed();
}

#[test]
fn no_json() {
    let scene = Scene::set();
    let key = format!(
        "x-api-key: {}\r\ncontent-type: text/plain\r\n",
        scene.people.agent.secret
    );
    check(scene.service.address, &head("/api/v1/bounties", &key), 415);
    scene.assert_unharmed();
}

#[test]
fn too_much() {
    let scene = Scene::set();
    let key = format!(
        "x-api-key: {}\r\ncontent-type: application/json\r\n",
        scene.people.agent.secret
    );
    check(scene.service.address, &head("/api/v1/bounties", &key), 413);
    scene.assert_unharmed();
}

#[test]
fn too_often() {
    let service = Launch::anywhere().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let key = format!(
        "x-api-key: {}\r\ncontent-type: application/json\r\n",
        people.agent.secret
    );
    // In whichever window they fall, one of them is used up in the end.
    let is_used_up = || people.agent.post("/bounties", bounty("Often")).status == 429;
    let mut tries = 0;
    while !(is_used_up() && is_rejected_early(service.address, &head("/api/v1/bounties", &key))) {
        tries += 1;
        assert!(tries < 200, "the limit never holds");
    }
}

/// Whether one large body is answered with 429; it is 413 if a new window has begun.
fn is_rejected_early(address: SocketAddr, head: &str) -> bool {
    let mut stream = connect(address);
    let request = [
        format!("{head}content-length: {}\r\n\r\n", SIZES[1]).into_bytes(),
        vec![b' '; SIZES[1]],
    ]
    .concat();
    stream.write_all(&request).expect("all of it is taken");
    stream.shutdown(Shutdown::Write).expect("half closed");
    let status = statuses(&rest(stream));
    assert!(status == [429] || status == [413], "{status:?}");
    status == [429]
}

/// More than the server reads of an unwanted body: a client that keeps sending gets the answer, and then the end.
#[test]
fn beyond_all_measure() {
    let scene = Scene::set();
    let length = 1_usize << 40;
    let mut stream = connect(scene.service.address);
    let request = format!("{}content-length: {length}\r\n\r\n", head("/api/v1/bounties", ""));
    stream.write_all(request.as_bytes()).expect("sent");
    let more = vec![b' '; 1 << 20];
    let mut sent = 0;
    while stream.write_all(&more).is_ok() {
        sent += more.len();
        assert!(sent < 1 << 30, "it goes on reading");
    }
    let came = rest(stream);
    assert!(
        came.is_empty() || statuses(&came) == [401],
        "{}",
        String::from_utf8_lossy(&came)
    );
    scene.assert_unharmed();
}
