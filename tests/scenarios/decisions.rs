//! Decisions of the register in `api.yaml` that no single part of it implements; each test has the name in the
//! register. (Others are with the scenarios that they belong to.)

use super::*;
use serde_json::{Value, json};

#[test]
fn null_is_absence_only_where_absence_is_allowed() {
    let market = market();
    let agent = market.agent("free");
    let nulls = json!({
        "title": "T", "description": "D", "budget": 1, "category": null, "location": null, "is_remote": null,
        "deadline": null, "estimated_hours": null, "required_skills": null,
    });
    let with_nulls = market
        .send(&agent, op!(agent::create_bounty), &[], nulls.clone())
        .data()["id"]
        .as_i64();
    let bounty = |id: Option<i64>| {
        let mut bounty = market
            .get(&agent, op!(agent::get_bounty), &[id.expect("it was made")], "")
            .data();
        bounty["id"].take();
        bounty
    };
    let body = json!({ "title": "T", "description": "D", "budget": 1 });
    let without = market.send(&agent, op!(agent::create_bounty), &[], body).data()["id"].as_i64();
    assert_eq!(bounty(with_nulls), bounty(without));
    for required in ["title", "description", "budget"] {
        let mut body = nulls.clone();
        body[required] = Value::Null;
        market.send(&agent, op!(agent::create_bounty), &[], body).rejected(400);
    }
    market
        .send(
            &market.worker(),
            op!(worker::update_me),
            &[],
            json!({ "bio": "x", "city": null }),
        )
        .rejected(400);
}

#[test]
fn a_body_that_nobody_asked_for_is_ignored() {
    let market = market();
    let agent = market.agent("free");
    let spare = market.key_of(agent.id).id;
    market
        .send(&agent, op!(agent::list_keys), &[], json!({ "no_such_member": 1 }))
        .data();
    let human = market.human();
    market
        .send(
            &market.operator(),
            op!(operator::create_human_token),
            &[human],
            json!(["x"]),
        )
        .data();
    market.send(&agent, op!(agent::delete_key), &[spare], json!("x")).data();
}

#[test]
fn ids_count_up_and_are_never_used_again() {
    let market = market();
    let agent = market.agent("verified");
    let mut last = 0;
    for _ in 0..5 {
        let id = market.key_of(agent.id).id;
        assert!(id > last && id < 1 << 53, "{id} after {last}");
        last = id;
        market.call(&agent, op!(agent::delete_key), &[id], "", None).data();
    }
    let humans: Vec<i64> = (0..5).map(|_| market.human()).collect();
    assert!(humans[0] > 0 && humans.is_sorted_by(|a, b| a < b), "{humans:?}");
}

#[test]
fn an_offset_past_the_end_gives_an_empty_page_with_the_true_total() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let worker = market.worker();
    let bounty = market.bounty_of(&agent);
    market.application_to(bounty, &worker);
    for (caller, op) in [
        (&agent, op!(agent::list_humans)),
        (&agent, op!(agent::list_bounties)),
        (&worker, op!(worker::list_bounties)),
        (&worker, op!(worker::list_applications)),
        (&market.operator(), op!(operator::list_accounts)),
    ] {
        for offset in [1, 2, 1000, (1 << 53) - 1, i64::MAX] {
            let reply = market.get(caller, op, &[], &format!("offset={offset}"));
            assert_eq!(
                (reply.data(), &reply.json()["total"]),
                (json!([]), &json!(1)),
                "{} {offset}",
                op.path
            );
        }
    }
}

/// Every prefecture: in Japanese, and in Latin letters with its suffix.
const PREFECTURES: &str = "北海道 Hokkaido-; 青森県 Aomori-ken; 岩手県 Iwate-ken; 宮城県 Miyagi-ken; 秋田県 Akita-ken; \
    山形県 Yamagata-ken; 福島県 Fukushima-ken; 茨城県 Ibaraki-ken; 栃木県 Tochigi-ken; 群馬県 Gunma-ken; 埼玉県 Saitama-ken; \
    千葉県 Chiba-ken; 東京都 Tokyo-to; 神奈川県 Kanagawa-ken; 新潟県 Niigata-ken; 富山県 Toyama-ken; 石川県 Ishikawa-ken; \
    福井県 Fukui-ken; 山梨県 Yamanashi-ken; 長野県 Nagano-ken; 岐阜県 Gifu-ken; 静岡県 Shizuoka-ken; 愛知県 Aichi-ken; \
    三重県 Mie-ken; 滋賀県 Shiga-ken; 京都府 Kyoto-fu; 大阪府 Osaka-fu; 兵庫県 Hyogo-ken; 奈良県 Nara-ken; 和歌山県 Wakayama-ken; \
    鳥取県 Tottori-ken; 島根県 Shimane-ken; 岡山県 Okayama-ken; 広島県 Hiroshima-ken; 山口県 Yamaguchi-ken; 徳島県 Tokushima-ken; \
    香川県 Kagawa-ken; 愛媛県 Ehime-ken; 高知県 Kochi-ken; 福岡県 Fukuoka-ken; 佐賀県 Saga-ken; 長崎県 Nagasaki-ken; \
    熊本県 Kumamoto-ken; 大分県 Oita-ken; 宮崎県 Miyazaki-ken; 鹿児島県 Kagoshima-ken; 沖縄県 Okinawa-ken";

/// 東京都, 東京, Tokyo and Tokyo-to; but 北海道 is never 北海.
fn names(prefecture: &str) -> Vec<String> {
    let (japanese, latin) = prefecture.split_once(' ').expect("two names");
    let (bare, kind) = latin.split_once('-').expect("a kind");
    let mut names = vec![japanese.to_owned(), bare.to_owned(), bare.to_uppercase()];
    if !kind.is_empty() {
        let short: String = japanese.chars().take(japanese.chars().count() - 1).collect();
        names.extend([short, latin.to_owned()]);
    }
    names
}

#[test]
fn a_prefecture_is_found_under_all_its_names() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let all: Vec<Vec<String>> = PREFECTURES.split("; ").map(names).collect();
    assert_eq!(all.len(), 47);
    let found = |name: &str| {
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        ids(&market.get(&agent, op!(agent::list_humans), &[], &format!("state={encoded}")))
    };
    for (place, names) in all.iter().enumerate() {
        let human = market.human_like(json!({ "state": names[place % names.len()] }));
        for name in names {
            assert_eq!(found(name), [human], "{name}");
        }
    }
    assert!(found("北海").is_empty() && found("都").is_empty() && found("Tok").is_empty());
}

#[test]
fn a_second_conversation_with_the_same_worker_is_a_new_one() {
    let market = market();
    let (agent, worker) = (market.agent("free"), market.worker());
    let first = market.conversation(&agent, worker.id);
    let second = market.conversation(&agent, worker.id);
    assert_ne!(first, second);
    market
        .send(
            &worker,
            op!(worker::create_message),
            &[first],
            json!({ "content": "in the first" }),
        )
        .data();
    let messages = |id| {
        market.get(&agent, op!(agent::get_conversation), &[id], "").data()["messages"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!((messages(first), messages(second)), (Some(2), Some(1)));
}

#[test]
fn a_path_id_that_is_no_integer_is_invalid_and_one_that_nothing_has_is_absent() {
    let market = market();
    let agent = market.agent("free");
    let human = market.human();
    for (id, status) in [
        (human.to_string(), 200),
        ("%30".into(), 404),
        ("0".into(), 404),
        ("-1".into(), 404),
        ("9007199254740991".into(), 404),
        ("99999999999999999999999999".into(), 404),
        ("1.0".into(), 400),
        ("one".into(), 400),
        ("+1".into(), 400),
        ("%20".into(), 400),
        ("%ff".into(), 400),
        (format!("{human}/"), 404),
    ] {
        let mut request = request(&agent, op!(agent::get_human), &[0], "", None);
        request.target = request.target.replace("/0", &format!("/{id}"));
        let response = market.service().call(&request);
        assert_eq!(
            response.status,
            status,
            "{id}: {}",
            String::from_utf8_lossy(&response.body)
        );
    }
}
