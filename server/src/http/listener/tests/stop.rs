//! Requests in progress on shutdown.

use super::*;

#[tokio::test]
async fn a_request_under_way_is_answered_after_the_stop() {
    let rig = rig(ConnectionLimits::default()).await;
    let stream = rig.send(WAIT).await;
    rig.wait_for_arrival().await;
    rig.shutdown.request();
    rig.go.notify_one();
    let answer = rest(stream).await;
    assert!(answer.starts_with("HTTP/1.1 2") && answer.ends_with("done"), "{answer}");
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::Drained);
    assert_eq!(rig.counters.open.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_request_that_outlasts_the_drain_is_cut_off() {
    let rig = rig(ConnectionLimits {
        drain_timeout: Duration::from_millis(20),
        ..ConnectionLimits::default()
    })
    .await;
    let stream = rig.send(WAIT).await;
    rig.wait_for_arrival().await;
    rig.shutdown.request();
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::CutOff(1));
    assert_eq!(rig.counters.open.load(Ordering::Relaxed), 0);
    assert_eq!(rest(stream).await, "");
}

#[tokio::test]
async fn a_second_stop_does_not_wait() {
    let rig = rig(ConnectionLimits::default()).await;
    let _stream = rig.send(WAIT).await;
    rig.wait_for_arrival().await;
    rig.shutdown.request();
    rig.shutdown.request();
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::CutOff(1));
}

#[tokio::test]
async fn slow_heads_and_slow_readers_hold_the_end_up_no_longer_than_they_may_be_slow() {
    let rig = rig(ConnectionLimits {
        head_timeout: Duration::from_millis(50),
        write_timeout: Duration::from_millis(50),
        drain_timeout: LONG,
        ..ConnectionLimits::default()
    })
    .await;
    let mut reader = rig.send(&LARGE.repeat(2)).await;
    reader.read_exact(&mut [0; 12]).await.expect("an answer begins");
    let _halting = rig.send("GET / HTTP/1.1\r\nhos").await;
    assert!(
        rest(
            rig.send(&NOW.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"))
                .await
        )
        .await
        .ends_with("done")
    );
    rig.shutdown.request();
    assert_eq!(rig.running.await.expect("no panic"), ShutdownOutcome::Drained);
}
