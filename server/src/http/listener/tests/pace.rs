//! Clients that send and receive in a pace of their own, and very many of them.

use super::*;

#[tokio::test]
async fn silent_and_halting_clients_block_no_other_client() {
    let rig = rig(ConnectionLimits {
        connections: 4,
        idle_grace: Duration::ZERO,
        request_grace: LONG,
        head_timeout: LONG,
        ..ConnectionLimits::default()
    })
    .await;
    let mut held = Vec::new();
    for number in 0..40 {
        held.push(rig.send(["", "G", "GET / HTTP/1.1\r\nhost: ", NOW][number % 4]).await);
        done(&mut rig.send(NOW).await).await;
    }
}

#[tokio::test]
async fn a_head_that_trickles_is_not_waited_for() {
    let rig = rig(ConnectionLimits {
        head_timeout: Duration::from_millis(50),
        ..ConnectionLimits::default()
    })
    .await;
    let mut stream = rig.send("GET / HTTP/1.1\r\n").await;
    // Sends another line whenever the previous one was received. The connection ends although bytes always arrive.
    while stream.write_all(b"a: b\r\n").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!rest(stream).await.contains("done"));
}

#[tokio::test]
async fn a_client_that_takes_an_answer_in_drops_is_cut_off() {
    let rig = rig(ConnectionLimits {
        write_timeout: Duration::from_millis(50),
        // More than a client that pauses after each read can receive.
        min_rate: 1 << 30,
        ..ConnectionLimits::default()
    })
    .await;
    let mut stream = rig.send(&LARGE.repeat(2)).await;
    let mut drop = [0; 1024];
    while matches!(stream.read(&mut drop).await, Ok(1..)) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    rig.until_cut_off().await;
}
