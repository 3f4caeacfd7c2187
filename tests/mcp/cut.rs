//! Long answers are cut after a row, and say how to go on.

use super::{Client, body, text};
use crate::world::{Api, market, op};
use serde_json::{Value, json};

fn notes(result: &Value) -> Vec<String> {
    let parts = result["content"].as_array().expect("a list").iter().skip(1);
    parts
        .map(|part| part["text"].as_str().expect("a text").to_owned())
        .collect()
}

fn rows(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}

#[test]
fn a_page_says_where_the_next_one_begins() {
    let client = Client::new(false);
    let skill = format!("Paging {}", market().human());
    for _ in 0..5 {
        market().human_like(json!({ "skills": [{ "name": skill, "category": "Test" }] }));
    }
    let cases = [
        (
            json!({ "limit": 2 }),
            2,
            Some("2 of 5 shown. Call again with offset 2."),
        ),
        (
            json!({ "limit": 2, "offset": 2 }),
            2,
            Some("2 of 5 shown. Call again with offset 4."),
        ),
        (json!({ "limit": "2", "offset": 4 }), 1, None),
        (json!({ "offset": 9 }), 0, None),
        (json!({}), 5, None),
    ];
    for (mut arguments, shown, note) in cases {
        arguments["skill"] = json!(skill);
        let result = client.call("list_humans", arguments.clone());
        assert_eq!(rows(&body(&result)["data"]), shown, "{arguments}");
        assert_eq!(notes(&result), note.into_iter().collect::<Vec<_>>(), "{arguments}");
    }
}

/// Descriptions of 9,000 characters of three bytes each: the size counts characters.
#[test]
fn a_long_page_ends_after_a_row() {
    let client = Client::new(true);
    let category = format!("long-{}", market().human());
    for _ in 0..7 {
        let description = "東".repeat(9_000);
        client.data(
            "create_bounty",
            json!({ "title": "t", "description": description, "budget": 1, "category": category }),
        );
    }
    let mut offset = 0;
    let mut pages = Vec::new();
    while offset < 7 {
        let result = client.call("list_bounties", json!({ "category": category, "offset": offset }));
        let body = body(&result);
        assert_eq!(
            (rows(&body["data"]) as u64, &body["total"]),
            (body["data"].as_array().map_or(0, Vec::len) as u64, &json!(7))
        );
        pages.push(rows(&body["data"]));
        offset += rows(&body["data"]);
        let length = text(&result).chars().count();
        assert!(length <= 40_100, "{length}");
        let note =
            (offset < 7).then(|| format!("{} of 7 shown. Call again with offset {offset}.", rows(&body["data"])));
        assert_eq!(notes(&result), note.into_iter().collect::<Vec<_>>());
    }
    assert_eq!(pages, [4, 3]);
}

#[test]
fn a_long_conversation_is_cut_where_a_message_ends() {
    let agent = market().agent("free");
    let client = Client::with_key(agent.secret.clone(), false);
    let talk = market().conversation(&agent, market().human());
    for number in 0..60 {
        let content = format!("{number} {}", "[{\\\"".repeat(400));
        market()
            .send(
                &agent,
                op!(agent::create_message),
                &[talk],
                json!({ "content": content }),
            )
            .data();
    }
    let result = client.call("get_conversation", json!({ "id": talk }));
    let shown = rows(&body(&result)["data"]["messages"]);
    assert!((10..40).contains(&shown), "{shown}");
    let notes = notes(&result);
    assert!(
        notes[0].starts_with(&format!("Only the first {shown} of `messages` are shown.")),
        "{notes:?}"
    );
}
