//! Limits by the address of a client.

use super::*;

/// More than a window allows, even if two windows pass meanwhile.
const TRIES: usize = 1_000;

#[test]
fn guessed_keys_affect_only_other_guesses_from_that_address() {
    let service = Launch::anywhere().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let ask = |from: &str, key: &str, times: usize| {
        let request = format!("GET /api/v1/humans HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n");
        let mut stream = connect_from(from, service.address, 1 << 20);
        stream.write_all(request.repeat(times).as_bytes()).expect("sent");
        stream.shutdown(Shutdown::Write).expect("half closed");
        statuses(&rest(stream))
    };
    let guessed = ask("127.0.0.2", "htd_guess", TRIES);
    assert_eq!(guessed.len(), TRIES);
    let rejected = guessed.iter().filter(|status| **status == 429).count();
    assert!(guessed[0] == 401 && rejected >= 100, "{rejected} were rejected");
    assert_eq!(ask("127.0.0.2", &people.agent.secret, 1), [200]);
    assert_eq!(ask("127.0.0.3", "htd_guess", 1), [401]);
}
