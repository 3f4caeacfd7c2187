//! Timeouts of clients.

use super::*;

fn with_short_head_timeout() -> ConnectionLimits {
    ConnectionLimits {
        head_timeout: Duration::from_millis(50),
        ..ConnectionLimits::default()
    }
}

#[tokio::test]
async fn silent_and_halting_clients_are_let_go() {
    let rig = rig(with_short_head_timeout()).await;
    for bytes in ["", "G", "GET / HTTP/1.1\r\nhost"] {
        assert!(!rest(rig.send(bytes).await).await.contains("done"), "{bytes:?}");
    }
    // A client that is idle after an answer is disconnected, too.
    assert!(rest(rig.send(NOW).await).await.ends_with("done"));
    rig.shutdown.request();
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::Drained);
}

#[tokio::test]
async fn a_head_that_trickles_is_not_waited_for() {
    let rig = rig(with_short_head_timeout()).await;
    let mut stream = rig.send("GET / HTTP/1.1\r\n").await;
    // Sends another line whenever the previous one was received. The connection ends although bytes always arrive.
    while stream.write_all(b"a: b\r\n").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!rest(stream).await.contains("done"));
}

#[tokio::test]
async fn a_client_that_takes_no_answer_is_cut_off() {
    let rig = rig(ConnectionLimits {
        write_timeout: Duration::from_millis(50),
        ..ConnectionLimits::default()
    })
    .await;
    // The second request stops the timer for heads.
    let stream = rig.send(&LARGE.repeat(2)).await;
    rig.until_cut_off().await;
    assert!(rest(stream).await.len() < LARGE_BYTES);
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

#[tokio::test]
async fn a_client_that_takes_its_answer_at_leisure_gets_it_whole() {
    let rig = rig(with_short_head_timeout()).await;
    let reader = rig.send(LARGE).await;
    // Starts after twice the timeout for a head.
    for _ in 0..2 {
        assert_eq!(rest(rig.send("").await).await, "");
    }
    let answer = rest(reader).await;
    assert!(answer.len() > LARGE_BYTES && answer.ends_with('x'), "{}", answer.len());
    rig.assert_counted(|counters| &counters.cut_off, 0);
}

#[tokio::test]
async fn a_client_may_close_its_half_and_still_be_answered() {
    let rig = rig(ConnectionLimits::default()).await;
    let mut stream = rig.send(WAIT).await;
    stream.shutdown().await.expect("half closed");
    rig.go.notify_one();
    assert!(rest(stream).await.ends_with("done"));
}

const DEPARTURE: &str = "GET /departure HTTP/1.1\r\nhost: x\r\n\r\n";

#[tokio::test]
async fn a_request_sees_that_its_client_has_closed_its_half() {
    let rig = rig(ConnectionLimits::default()).await;
    for bytes in [DEPARTURE.to_owned(), [DEPARTURE, NOW].concat()] {
        let mut stream = rig.send(&bytes).await;
        rig.wait_for_arrival().await;
        stream.shutdown().await.expect("half closed");
        in_time(rig.go.notified()).await;
        assert!(in_time(rest(stream)).await.contains("done"), "{bytes}");
    }
}

#[tokio::test]
async fn a_request_sees_that_its_connection_was_reset() {
    let rig = rig(ConnectionLimits::default()).await;
    for bytes in [DEPARTURE.to_owned(), [DEPARTURE, NOW].concat()] {
        let stream = rig.send(&bytes).await;
        rig.wait_for_arrival().await;
        stream.set_zero_linger().expect("a socket");
        drop(stream);
        in_time(rig.go.notified()).await;
    }
}

impl Rig {
    /// Waits until a client was cut off.
    async fn until_cut_off(&self) {
        in_time(async {
            while self.counters.cut_off.load(Ordering::Relaxed) == 0 {
                tokio::task::yield_now().await;
            }
        })
        .await;
        self.assert_counted(|counters| &counters.cut_off, 1);
    }
}
