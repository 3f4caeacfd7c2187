//! Bytes that are not HTTP requests: the server keeps serving.

use super::*;

/// The same bytes in every run.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn random_bytes() {
    let scene = Scene::set();
    for seed in 0..200 {
        throw(scene.service.address, &noise(seed, (seed as usize * 37) % 5_000));
    }
    for seed in 0..100 {
        let prefix: &[u8] = [
            b"GET ".as_slice(),
            b"POST /api/v1/bounties HTTP/1.1\r\n",
            b"GET /api/v1/humans?",
        ][seed as usize % 3];
        throw(
            scene.service.address,
            &[prefix, &noise(seed, 300), b" HTTP/1.1\r\nhost: x\r\n\r\n"].concat(),
        );
    }
    scene.assert_unharmed();
}

#[test]
fn requests_that_break_off_anywhere() {
    let scene = Scene::set();
    let whole = format!(
        "POST /operator/v1/accounts HTTP/1.1\r\nhost: x\r\nx-operator-token: {}\r\ncontent-type: application/json\r\n\
         content-length: 31\r\n\r\n{{\"name\":\"Never\",\"plan\":\"free\"}} ",
        scene.people.operator.secret
    );
    let head = whole.find("\r\n\r\n").expect("a head") + 4;
    for end in 0..whole.len() {
        let came = statuses(&throw(scene.service.address, &whole.as_bytes()[..end]));
        // Nothing answers a head that is not complete. A body that ends before its length is no body.
        let expected: &[u16] = if end < head { &[] } else { &[400] };
        assert_eq!(came, expected, "after {end} bytes");
    }
    assert_eq!(throw(scene.service.address, whole.as_bytes())[..12], *b"HTTP/1.1 201");
    scene.assert_unharmed();
}

#[test]
fn clients_that_disconnect_silently() {
    let scene = Scene::set();
    let silent: Vec<_> = (0..50).map(|_| connect(scene.service.address)).collect();
    for _ in 0..200 {
        let mut stream = connect(scene.service.address);
        let _ = stream.write_all(b"GET /api/v1/humans HTTP/1.1\r\nhost: x\r\n\r\n");
        drop(stream);
    }
    drop(silent);
    scene.assert_unharmed();
}

#[test]
fn heads_beyond_all_measure() {
    let scene = Scene::set();
    let long = "x".repeat(100_000);
    let many = "a: b\r\n".repeat(5_000);
    for request in [
        format!("GET /{long} HTTP/1.1\r\nhost: x\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\nx-api-key: {long}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n"),
    ] {
        let answer = throw(scene.service.address, request.as_bytes());
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    scene.assert_unharmed();
}
