//! Which connections get a slot, and which are evicted.

use super::*;

/// Limits with this many slots and without grace for idle connections. Connections in a request are not evicted.
fn limits_of(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        connections,
        idle_grace: Duration::ZERO,
        request_grace: LONG,
        head_timeout: LONG,
        ..ConnectionLimits::default()
    }
}

#[tokio::test]
async fn the_connection_that_is_idle_longest_makes_room() {
    let rig = rig(limits_of(3)).await;
    let mut first = rig.send(NOW).await;
    done(&mut first).await;
    let mut second = rig.send(NOW).await;
    done(&mut second).await;
    let mut busy = rig.send(WAIT).await;
    rig.wait_for_arrival().await;
    // The first one was idle first, but has sent another request since.
    first.write_all(NOW.as_bytes()).await.expect("open");
    done(&mut first).await;

    done(&mut rig.send(NOW).await).await;
    assert_eq!(rest(second).await, "");
    rig.assert_counted(|counters| &counters.evicted, 1);
    first.write_all(NOW.as_bytes()).await.expect("open");
    done(&mut first).await;
    rig.go.notify_one();
    done(&mut busy).await;
}

#[tokio::test]
async fn silent_and_halting_clients_block_no_other_client() {
    let rig = rig(limits_of(4)).await;
    let mut held = Vec::new();
    for number in 0..40 {
        held.push(rig.send(["", "G", "GET / HTTP/1.1\r\nhost: ", NOW][number % 4]).await);
        done(&mut rig.send(NOW).await).await;
    }
}

#[tokio::test]
async fn while_all_are_in_a_request_a_new_one_waits_for_its_turn() {
    let rig = rig(ConnectionLimits {
        idle_grace: LONG,
        ..limits_of(1)
    })
    .await;
    let first = rig.send(WAIT_AND_CLOSE).await;
    rig.wait_for_arrival().await;
    let second = rig.send(WAIT_AND_CLOSE).await;
    let third = rig.send(WAIT_AND_CLOSE).await;
    for stream in [first, second, third] {
        rig.go.notify_one();
        assert!(rest(stream).await.ends_with("done"));
    }
    rig.assert_counted(|counters| &counters.rejected, 0);
}

#[tokio::test]
async fn who_has_been_idle_for_a_moment_only_is_left_in_peace() {
    let rig = rig(ConnectionLimits {
        idle_grace: LONG,
        ..limits_of(1)
    })
    .await;
    let mut first = rig.send(NOW).await;
    done(&mut first).await;
    let mut second = rig.send(NOW).await;
    first.write_all(NOW.as_bytes()).await.expect("open");
    done(&mut first).await;
    rig.assert_counted(|counters| &counters.evicted, 0);
    drop(first);
    done(&mut second).await;
}

#[tokio::test]
async fn a_client_that_is_taking_an_answer_is_not_idle() {
    let rig = rig(limits_of(1)).await;
    let reader = rig.send(LARGE).await;
    reader.readable().await.expect("an answer begins");
    let mut second = rig.send(NOW).await;
    assert!(rest(reader).await.len() > LARGE_BYTES);
    done(&mut second).await;
}

#[tokio::test]
async fn an_address_with_its_share_in_requests_is_rejected_and_others_are_served() {
    let rig = rig(ConnectionLimits {
        per_address: PerAddress::Exactly(2),
        ..limits_of(10)
    })
    .await;
    let mut busy = [rig.send(WAIT).await, rig.send(WAIT).await];
    for _ in &busy {
        rig.wait_for_arrival().await;
    }
    assert_eq!(rest(rig.send(NOW).await).await, "");
    assert_eq!(rest(rig.send(NOW).await).await, "");
    rig.assert_counted(|counters| &counters.rejected, 2);
    done(&mut rig.send_from("127.0.0.2", NOW).await).await;
    // Once a connection of the same address is idle, it is evicted.
    rig.go.notify_one();
    rig.go.notify_one();
    for stream in &mut busy {
        done(stream).await;
    }
    done(&mut rig.send(NOW).await).await;
    rig.assert_counted(|counters| &counters.evicted, 1);
}

#[tokio::test]
async fn this_machine_may_have_all_places() {
    let rig = rig(limits_of(4)).await;
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(rig.send(WAIT).await);
        rig.wait_for_arrival().await;
    }
    rig.assert_counted(|counters| &counters.rejected, 0);
}

/// The same, and without grace for connections in a request.
fn limits_without_grace(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        request_grace: Duration::ZERO,
        ..limits_of(connections)
    }
}

/// The head and the first of two bytes of a body.
const HALF: &str = "POST /now HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n1";

#[tokio::test]
async fn a_client_whose_body_does_not_come_makes_room() {
    let rig = rig(limits_without_grace(2)).await;
    let mut busy = rig.send(WAIT).await;
    rig.wait_for_arrival().await;
    for _ in 0..3 {
        let mut halting = rig.send(HALF).await;
        // The server asks for the body, so the request has begun.
        in_time(halting.read_exact(&mut [0; 25]))
            .await
            .expect("an interim answer");
        let mut next = rig.send(NOW).await;
        done(&mut next).await;
        assert_eq!(rest(halting).await, "");
    }
    rig.go.notify_one();
    done(&mut busy).await;
}

#[tokio::test]
async fn a_client_that_takes_no_answer_makes_room() {
    let rig = rig(limits_without_grace(1)).await;
    let reader = rig.send(LARGE).await;
    in_time(reader.readable()).await.expect("an answer begins");
    done(&mut rig.send(NOW).await).await;
    assert!(rest(reader).await.len() < LARGE_BYTES);
}

#[tokio::test]
async fn a_request_that_is_worked_on_is_never_cut_off_for_another() {
    let rig = rig(limits_without_grace(1)).await;
    // Its whole body was received.
    let mut busy = rig
        .send(&WAIT.replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n12"))
        .await;
    rig.wait_for_arrival().await;
    let mut next = rig.send(NOW).await;
    // Longer than two searches for a connection to evict.
    tokio::time::sleep(LOOK_EVERY * 2).await;
    rig.assert_counted(|counters| &counters.evicted, 0);
    rig.go.notify_one();
    done(&mut busy).await;
    done(&mut next).await;
}
