//! The declared meaning of a small contract, as callers see it.

use crate::library::{Library, secret};

#[test]
fn derived_values_follow_the_records() {
    let (library, [ann, bob]) = Library::filled();
    library.check(
        "GET /v1/me",
        &ann,
        "",
        r#"200 {"ok":true,"data":{"id":1,"name":"Ann","loans":0,"created_at":"2026-11-23T12:00:00"}}"#,
    );
    library.check(
        "POST /v1/books/2/loans",
        &ann,
        r#"{"note":"x"}"#,
        r#"201 {"ok":true,"data":{"id":1,"reader":"Ann","status":"out","note":"x"}}"#,
    );
    library.check(
        "POST /v1/books/2/loans",
        &bob,
        "{}",
        r#"201 {"ok":true,"data":{"id":2,"reader":"Bob","status":"out","note":null}}"#,
    );
    library.check(
        "PATCH /desk/loans/2",
        "badge",
        r#"{"status":"late"}"#,
        r#"200 {"ok":true}"#,
    );
    library.check(
        "PATCH /desk/readers/1",
        "badge",
        r#"{"name":"Anne"}"#,
        r#"200 {"ok":true,"message":"changed"}"#,
    );
    let whole = library.call("GET /v1/books/2", &ann, "");
    let loans = r#""latest":"late","loans":[{"id":1,"reader":"Anne","status":"out","note":"x"},{"id":2,"reader":"Bob","status":"late","note":null}],"shelf":""#;
    assert!(whole.contains(loans), "{whole}");
    assert_eq!(
        whole,
        library.call("GET /v1/books/2", &ann, ""),
        "a made-up value stays"
    );
    assert!(library.call("GET /v1/me", &ann, "").contains(r#""loans":1"#));
}

#[test]
fn a_tuple_has_one_number_whatever_its_notation() {
    let (library, [ann, _]) = Library::filled();
    let tags = |book: &str| {
        let whole = library.call(&format!("GET /v1/books/{book}"), &ann, "");
        let (_, rest) = whole.split_once(r#""tags":"#).unwrap();
        rest.split_once(']').unwrap().0.to_owned()
    };
    assert_eq!(tags("1"), r#"[{"id":1,"name":"sea"},{"id":2,"name":"ＳＫＹ"}"#);
    assert_eq!(tags("2"), r#"[{"id":1,"name":"Sea"}"#);
    let steps = [
        ("1", r#"[{"name":"sky"}]"#, r#"[{"id":2,"name":"sky"}"#),
        (
            "2",
            r#"[{"name":"sky"},{"name":"SEA"}]"#,
            r#"[{"id":2,"name":"sky"},{"id":1,"name":"SEA"}"#,
        ),
        ("2", "[]", "["),
        (
            "1",
            r#"[{"name":"Sea"},{"name":"Sky"}]"#,
            r#"[{"id":3,"name":"Sea"},{"id":2,"name":"Sky"}"#,
        ),
    ];
    for (book, sent, shown) in steps {
        let answer = library.call(
            &format!("PATCH /desk/books/{book}"),
            "badge",
            &format!(r#"{{"tags":{sent}}}"#),
        );
        assert!(answer.starts_with("200"), "{answer}");
        assert_eq!(tags(book), shown, "one that returns has a new number");
    }
}

#[test]
fn a_list_is_filtered_sorted_and_paged() {
    let (library, [ann, _]) = Library::filled();
    let list = |query: &str, ids: &[u32], total: u32| {
        let answer = library.call(&format!("GET /v1/books?{query}"), &ann, "");
        let shown: Vec<&str> = answer.split(r#"{"id":"#).skip(1).map(|row| &row[..1]).collect();
        assert_eq!(shown, ids.iter().map(u32::to_string).collect::<Vec<_>>(), "{query}");
        assert!(answer.contains(&format!(r#""total":{total},"#)), "{query}: {answer}");
    };
    list("", &[2, 3], 3);
    list("from=2&size=9", &[1], 3);
    list("from=9", &[], 3);
    list("language=english", &[3, 1], 2);
    list("language=Japanese", &[2], 1);
    list("language=japan", &[], 0);
    list("tag=SEA", &[2, 1], 2);
    list("tag=sky&title=B", &[1], 1);
}

#[test]
fn rules_quotas_and_transitions_reject_in_the_order_of_the_errors() {
    let (library, [ann, bob]) = Library::filled();
    let error = |code: &str, text: &str| format!(r#"409 {{"ok":false,"code":"{code}","error":"{text}"}}"#);
    library.check("POST /v1/books/3/loans", &ann, "{}", &error("lent", "book 3 is lent"));
    for book in [1, 2] {
        assert!(
            library
                .call(&format!("POST /v1/books/{book}/loans"), &ann, "")
                .starts_with("201")
        );
    }
    library.check("POST /v1/books/1/loans", &ann, "{}", &error("full", "at most 2 loans"));
    library.check(
        "PATCH /desk/loans/1",
        "badge",
        r#"{"status":"back"}"#,
        r#"200 {"ok":true}"#,
    );
    library.check(
        "PATCH /desk/loans/1",
        "badge",
        r#"{"status":"back"}"#,
        r#"200 {"ok":true}"#,
    );
    library.check(
        "PATCH /desk/loans/1",
        "badge",
        r#"{"status":"out"}"#,
        &error("turn", "loan 1 is back, not out"),
    );
    library.check("POST /v1/books/1/loans", &ann, "{}", &error("twice", "you have book 1"));
    assert!(library.call("POST /v1/books/1/loans", &bob, "{}").starts_with("201"));
}

#[test]
fn a_credential_ends_with_its_record_and_with_the_next_one() {
    let (library, [ann, bob]) = Library::filled();
    let another = secret(&library.call("POST /v1/cards", &ann, ""));
    let start = |secret: &str| format!("{}...", &secret[..7]);
    library.wait(59);
    let cards = format!(
        r#"200 {{"ok":true,"data":[{{"id":3,"start":"{}","used_at":null}},{{"id":1,"start":"{}","used_at":"2026-11-23T12:00:00"}}]}}"#,
        start(&another),
        start(&ann),
    );
    library.check("GET /v1/cards", &ann, "", &cards);
    library.wait(1);
    assert!(
        library
            .call("GET /v1/cards", &ann, "")
            .contains(r#""used_at":"2026-11-23T12:01:00""#)
    );
    library.check(
        "DELETE /v1/cards/3",
        &bob,
        "",
        r#"404 {"ok":false,"code":"absent","error":"no card 3"}"#,
    );
    let renewed = secret(&library.call("POST /v1/cards/3", &another, ""));
    let unknown = r#"401 {"ok":false,"code":"unknown","error":"send X-Card"}"#;
    library.check("GET /v1/cards", &another, "", unknown);
    library.check("DELETE /v1/cards/3", &renewed, "", r#"200 {"ok":true}"#);
    library.check("GET /v1/cards", &renewed, "", unknown);
    library.check(
        "PATCH /desk/readers/2",
        "badge",
        r#"{"is_barred":true}"#,
        r#"200 {"ok":true,"message":"changed"}"#,
    );
    library.check(
        "GET /v1/cards",
        &bob,
        "",
        r#"403 {"ok":false,"code":"barred","error":"barred"}"#,
    );
}
