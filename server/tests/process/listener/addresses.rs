//! Limits by the address of a client.

use super::*;

/// More than a window allows, even if two windows pass meanwhile.
const TRIES: usize = 1_000;

/// The statuses of so many requests with `key` on one connection from the address `from`, which begins with `header`.
fn ask(to: SocketAddr, from: &str, header: &str, key: &str, times: usize) -> Vec<u16> {
    let request = format!("GET /api/v1/humans HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n");
    let mut stream = connect_from(from, to, 1 << 20);
    // The server may already have closed the connection.
    let _ = stream.write_all((header.to_owned() + &request.repeat(times)).as_bytes());
    let _ = stream.shutdown(Shutdown::Write);
    statuses(&rest(stream))
}

#[test]
fn guessed_keys_affect_only_other_guesses_from_that_address() {
    let service = Launch::anywhere().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let ask = |from: &str, key: &str, times: usize| ask(service.address, from, "", key, times);
    let guessed = ask("127.0.0.2", "htd_guess", TRIES);
    assert_eq!(guessed.len(), TRIES);
    let rejected = guessed.iter().filter(|status| **status == 429).count();
    assert!(guessed[0] == 401 && rejected >= 100, "{rejected} were rejected");
    assert_eq!(ask("127.0.0.2", &people.agent.secret, 1), [200]);
    assert_eq!(ask("127.0.0.3", "htd_guess", 1), [401]);
}

#[test]
fn clients_behind_a_proxy_have_limits_of_their_own() {
    let service = Launch::anywhere()
        .arg("--proxies")
        .arg("127.0.0.9,127.9.0.0/16")
        .start();
    let behind = |from: &str, client: &str, times: usize| {
        let header = format!("PROXY TCP4 {client} 192.0.2.1 5 80\r\n");
        ask(service.address, from, &header, "htd_guess", times)
    };
    let mut guessed = behind("127.0.0.9", "192.0.2.7", TRIES);
    if guessed.ends_with(&[401]) {
        // A new minute began meanwhile.
        guessed = behind("127.0.0.9", "192.0.2.7", TRIES);
    }
    assert!(guessed[0] == 401 && guessed.ends_with(&[429]), "{guessed:?}");
    assert_eq!(behind("127.0.0.9", "192.0.2.8", 1), [401]);
    // The same client through another proxy.
    assert_eq!(behind("127.9.8.7", "192.0.2.7", 1), [429]);
    assert_eq!(ask(service.address, "127.0.0.2", "", "htd_guess", 1), [401]);
    // Another address cannot state one.
    assert_eq!(behind("127.0.0.2", "192.0.2.9", 1), [400]);
    for _ in 0..3 {
        assert_eq!(ask(service.address, "127.0.0.9", "", "htd_guess", 1), [0; 0]);
    }
    let metrics = call(service.address, "GET", "/metrics", &[], None).text();
    assert!(metrics.contains("hitode_connections_unidentified_total 3"), "{metrics}");
    let log = service.stop().log;
    let lines_with = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    assert_eq!(lines_with("client=192.0.2.8"), 1);
    assert_eq!(lines_with("client=192.0.2.9") + lines_with("client=127.0.0.9"), 0);
    assert_eq!(
        lines_with("it did not begin with a PROXY protocol header. Configure the proxy to"),
        1
    );
}
