//! Error responses reach a client that sends its whole body before it reads.

use super::*;

/// In bytes: larger than any allowed body, and close to the most that the server reads of an unwanted one.
const SIZES: [usize; 2] = [3_000_000, 16_000_000];

fn head(path: &str, headers: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\n{headers}")
}

/// A body with its length, and in chunks.
fn bodies(size: usize) -> [Vec<u8>; 2] {
    let body = vec![b' '; size];
    let chunk = [format!("{:x}\r\n", 50_000).as_bytes(), &body[..50_000], b"\r\n"].concat();
    let with_length = [format!("content-length: {size}\r\n\r\n").as_bytes(), &body].concat();
    let head: &[u8] = b"transfer-encoding: chunked\r\n\r\n";
    [with_length, [head, &chunk.repeat(size / 50_000), b"0\r\n\r\n"].concat()]
}

#[test]
fn the_error_reaches_a_client_that_sends_its_whole_body() {
    let scene = Scene::set();
    let with_key = |media: &str| format!("x-api-key: {}\r\ncontent-type: {media}\r\n", scene.people.agent.secret);
    for (path, headers, status) in [
        ("/nowhere", String::new(), 404),
        ("/api/v1/bounties", String::new(), 401),
        ("/api/v1/bounties", with_key("text/plain"), 415),
        ("/api/v1/bounties", with_key("application/json"), 413),
    ] {
        for body in SIZES.into_iter().flat_map(bodies) {
            let mut stream = connect(scene.service.address);
            let request = [head(path, &headers).into_bytes(), body].concat();
            stream.write_all(&request).expect("all of it is taken");
            stream.shutdown(Shutdown::Write).expect("half closed");
            assert_eq!(Answer::parse(&rest(stream)).status, status, "{} bytes", request.len());
        }
    }
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
    let [body, _] = bodies(SIZES[1]);
    let request = [head.as_bytes(), &body].concat();
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
