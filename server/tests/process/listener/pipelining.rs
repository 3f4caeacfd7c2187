//! Pipelining: many requests in one write.

use super::*;

#[test]
fn a_hundred_requests_in_one_write_are_answered_in_their_order() {
    let scene = Scene::set();
    let first = scene.people.agent.post("/bounties", bounty("0")).id();
    let requests: String = (1..100)
        .map(|number| {
            let json = text(&bounty(&number.to_string()));
            // Every other body is chunked, with requests without a body between them.
            if number % 3 == 0 {
                return scene.agents("GET", &format!("/bounties/{first}"), "");
            }
            let (length, body) = match number % 2 {
                0 => (format!("content-length: {}", json.len()), json),
                _ => (
                    "transfer-encoding: chunked".to_owned(),
                    format!("{:x}\r\n{json}\r\n0\r\n\r\n", json.len()),
                ),
            };
            scene.agents(
                "POST",
                "/bounties",
                &format!("content-type: application/json\r\n{length}\r\n"),
            ) + &body
        })
        .collect();
    let last = scene.agents("GET", "/keys", "connection: close\r\n");

    let mut stream = connect(scene.service.address);
    stream.write_all((requests + &last).as_bytes()).expect("sent");
    scene.assert_others_are_served();
    let answers = Answer::parse_all(&rest(stream));
    assert_eq!(answers.len(), 100);
    for (number, answer) in (1..).zip(&answers[..99]) {
        match number % 3 {
            0 => assert_eq!(answer.data()["title"], "0"),
            _ => {
                let bounty = scene.people.agent.get(&format!("/bounties/{}", answer.id()));
                assert_eq!(bounty.data()["title"], number.to_string());
            }
        }
    }
    scene.assert_unharmed();
}
