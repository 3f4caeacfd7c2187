//! Chunked bodies of unusual form.

use super::*;

/// The answers to a chunked body on a connection where another request follows.
#[track_caller]
fn send(scene: &Scene, body: &str) -> Vec<u16> {
    let next = scene.agents("GET", "/keys", "connection: close\r\n");
    let bytes = [chunked(scene, body), next.into_bytes()].concat();
    statuses(&throw(scene.service.address, &bytes))
}

#[track_caller]
fn assert_taken(body: impl Fn(&str) -> String) {
    let scene = Scene::set();
    assert_eq!(send(&scene, &body(&text(&bounty("In pieces")))), [201, 200]);
    scene.assert_unharmed();
}

fn in_chunks(json: &str, size: usize, extension: &str) -> String {
    let chunk = |piece: &[u8]| {
        let piece = std::str::from_utf8(piece).expect("ASCII");
        format!("{:x}{extension}\r\n{piece}\r\n", piece.len())
    };
    json.as_bytes().chunks(size).map(chunk).collect()
}

#[test]
fn chunks_of_one_byte() {
    assert_taken(|json| in_chunks(json, 1, "") + "0\r\n\r\n");
}

#[test]
fn chunks_with_extensions() {
    assert_taken(|json| in_chunks(json, 7, ";a=b;c=\"d\"") + "0;last\r\n\r\n");
}

#[test]
fn chunks_with_leading_zeros() {
    assert_taken(|json| format!("0000{}0\r\n\r\n", in_chunks(json, 1000, "")));
}

#[test]
fn trailers_change_nothing() {
    assert_taken(|json| in_chunks(json, 10, "") + "0\r\nx-api-key: other\r\ncontent-length: 5\r\n\r\n");
}

/// After an error in a body's chunks, nothing behind it is read as a request.
#[test]
fn corrupt_pieces() {
    let scene = Scene::set();
    for broken in [
        "2\r\n{}}\r\n0\r\n\r\n",
        "9\r\n{}\r\n0\r\n\r\n",
        "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        "\r\n{}\r\n0\r\n\r\n",
        "zz\r\n{}\r\n0\r\n\r\n",
        "2\n{}\n0\n\n",
        "2\r\n{}\r\n0\r\nno trailer\r\n\r\n",
        "2\r\n{",
        "2",
    ] {
        assert_eq!(send(&scene, broken), [400], "{broken}");
    }
    scene.assert_unharmed();
}

#[test]
fn extensions_and_trailers_beyond_all_measure() {
    let scene = Scene::set();
    let extension = format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(100_000));
    let trailers = format!("2\r\n{{}}\r\n0\r\n{}\r\n", "a: b\r\n".repeat(20_000));
    for body in [extension, trailers] {
        let came = throw(scene.service.address, &chunked(&scene, &body));
        assert_eq!(statuses(&came), [400]);
    }
    scene.assert_unharmed();
}

#[test]
fn a_body_that_ends_before_its_length_is_no_body() {
    let scene = Scene::set();
    let json = text(&bounty("Half"));
    let head = scene.agents(
        "POST",
        "/bounties",
        &format!("content-type: application/json\r\ncontent-length: {}\r\n", json.len()),
    );
    for end in [0, 1, json.len() - 1] {
        let came = throw(scene.service.address, (head.clone() + &json[..end]).as_bytes());
        assert_eq!(statuses(&came), [400], "{end} bytes");
    }
    // A client that has sent everything may close its half of the connection.
    assert_eq!(
        statuses(&throw(scene.service.address, (head + &json).as_bytes())),
        [201]
    );
    scene.assert_unharmed();
}
