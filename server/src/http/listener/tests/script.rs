//! Scripts of what clients do and what the listener answers, one step a word.
//!
//! | step | meaning |
//! |---|---|
//! | `a>now` | client `a` connects if it has not, and sends the [bytes] of this name |
//! | `a@127.0.0.2>now` | the same, from this address |
//! | `a<done` | it receives an answer, and the connection stays open |
//! | `a<begins`, `a<continue` | it can read an answer; it receives the interim answer |
//! | `a<last`, `a<answered`, `a<unanswered`, `a<whole`, `a<part`, `a<nothing` | what it receives until its connection ends |
//! | `a!half`, `a!reset`, `a!leave` | it closes its half, resets or closes the connection |
//! | `arrived`, `go`, `departed` | a request waits; one is answered; one has seen that its client is gone |
//! | `stop`, `drained`, `ended-1` | the listener is to stop; it has stopped, and cut off so many connections |
//! | `later`, `cut-off`, `evicted=1` | some time passes; a client is cut off; so many are counted |

use std::collections::HashMap;

use super::*;

/// Rows of a table: the test, the limits of the listener, and the script.
macro_rules! scripts {
    ($(#[test] fn $name:ident($limits:expr) { $($script:literal)+ })+) => {$(
        #[tokio::test]
        async fn $name() {
            play($limits, concat!($($script, " "),+)).await;
        }
    )+};
}

fn bytes(name: &str) -> String {
    let with = |headers: &str, of: &str| of.replace("\r\n\r\n", &format!("\r\n{headers}\r\n\r\n"));
    match name {
        "now" => NOW.to_owned(),
        "now-close" => with("connection: close", NOW),
        "wait" => WAIT.to_owned(),
        "wait-close" => with("connection: close", WAIT),
        // Its whole body is received.
        "wait-body" => with("content-length: 2", WAIT) + "12",
        "large" => LARGE.to_owned(),
        "large-twice" => LARGE.repeat(2),
        "departure" => DEPARTURE.to_owned(),
        "departure-now" => [DEPARTURE, NOW].concat(),
        "half-head" => "GET / HTTP/1.1\r\nhost".to_owned(),
        // The first of two bytes, which the server asks for.
        "half-body" => {
            with(
                "content-length: 2\r\nexpect: 100-continue",
                "POST /now HTTP/1.1\r\nhost: x\r\n\r\n",
            ) + "1"
        }
        "letter" => "G".to_owned(),
        "nothing" => String::new(),
        _ => panic!("no bytes have the name {name}"),
    }
}

/// Whether this is how a connection ends.
fn is_end(name: &str, received: &str) -> bool {
    match name {
        "last" => received.starts_with("HTTP/1.1 2") && received.ends_with("done"),
        "answered" => received.contains("done"),
        "unanswered" => !received.contains("done"),
        "whole" => received.len() > LARGE_BYTES && received.ends_with('x'),
        "part" => received.len() < LARGE_BYTES,
        "nothing" => received.is_empty(),
        _ => panic!("no end has the name {name}"),
    }
}

pub(super) async fn play(limits: ConnectionLimits, script: &str) {
    let (mut rig, mut clients) = (rig(limits).await, HashMap::new());
    for step in script.split_whitespace() {
        // Shown if the test fails.
        println!("{step}");
        if let Some((client, sent)) = step.split_once('>') {
            let (client, address) = client.split_once('@').unwrap_or((client, "127.0.0.1"));
            match clients.get_mut(client) {
                None => drop(clients.insert(client, rig.send_from(address, &bytes(sent)).await)),
                Some(stream) => stream.write_all(bytes(sent).as_bytes()).await.expect("open"),
            }
        } else if let Some((client, received)) = step.split_once('<') {
            let mut stream = clients.remove(client).expect("it has connected");
            match received {
                "done" => done(&mut stream).await,
                "begins" => in_time(stream.readable()).await.expect("an answer begins"),
                "continue" => drop(
                    in_time(stream.read_exact(&mut [0; 25]))
                        .await
                        .expect("an interim answer"),
                ),
                end => {
                    let received = rest(stream).await;
                    assert!(is_end(end, &received), "{step}: {} bytes", received.len());
                    continue;
                }
            }
            clients.insert(client, stream);
        } else if let Some((client, act)) = step.split_once('!') {
            let stream = clients.get_mut(client).expect("it has connected");
            match act {
                "half" => stream.shutdown().await.expect("half closed"),
                "reset" => stream.set_zero_linger().expect("a socket"),
                "leave" => {}
                _ => panic!("no client does {act}"),
            }
            if act != "half" {
                clients.remove(client);
            }
        } else {
            rig.meet(step).await;
        }
    }
}

impl Rig {
    async fn meet(&mut self, step: &str) {
        let outcome = match step {
            "arrived" => return self.wait_for_arrival().await,
            "go" => return self.go.notify_one(),
            "departed" => return in_time(self.go.notified()).await,
            "stop" => return self.shutdown.request(),
            "cut-off" => return self.until_cut_off().await,
            // Longer than two searches for a connection to evict.
            "later" => return tokio::time::sleep(LOOK_EVERY * 2).await,
            "drained" => ShutdownOutcome::Drained,
            "ended-1" => ShutdownOutcome::CutOff(1),
            counted => {
                let (counter, number) = counted.split_once('=').expect("it is a step");
                let counter: fn(&Counters) -> &AtomicU64 = match counter {
                    "evicted" => |counters| &counters.evicted,
                    "rejected" => |counters| &counters.rejected,
                    "cut-off" => |counters| &counters.cut_off,
                    "open" => |counters| &counters.open,
                    _ => panic!("nothing counts {counter}"),
                };
                return self.assert_counted(counter, number.parse().expect("a number"));
            }
        };
        assert_eq!((&mut self.running).await.expect("no panic"), outcome);
    }
}
