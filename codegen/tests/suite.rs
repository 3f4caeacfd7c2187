//! The generated suite of a small contract.

use codegen::emit::{TestOptions, tests};
use std::sync::LazyLock;

/// The suite of the library's contract, without white space, which the formatter decides.
static SUITE: LazyLock<String> = LazyLock::new(|| without_rules(&squeezed(&suite_of(LIBRARY))));

const LIBRARY: &str = include_str!("ui/base.yaml");

fn suite_of(source: &str) -> String {
    let model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    let options = TestOptions {
        file: "library.yaml",
        library: "kit",
        world: "crate::world",
    };
    tests(&model, options)
}

/// The text without the names of the rules that tests try.
fn without_rules(text: &str) -> String {
    let mut parts = text.split("attempt(\"");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, behind) = part.split_once("\")").expect("a rule has a place");
        rest.push_str("attempt()");
        rest.push_str(behind);
    }
    rest
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}

#[track_caller]
fn says(parts: &[&str]) {
    for part in parts {
        assert!(SUITE.contains(&squeezed(part)), "the suite does not say {part}");
    }
}

#[track_caller]
fn does_not_say(parts: &[&str]) {
    for part in parts {
        assert!(!SUITE.contains(&squeezed(part)), "the suite says {part}");
    }
}

#[test]
fn an_operation_is_described_with_its_line() {
    says(&[
        r#"name: "reading::create_loan", at: "library.yaml:"#,
        r#"method: "POST", path: "/v1/volumes/:id/loans", allow: &["POST"]"#,
        r#"exists: &[Exists { resource: "Volume", noun: "volume", in_path: true, id: "id", within: None, private: false }]"#,
        r#"allow: &["PATCH", "DELETE"]"#,
        r#"sort: &[("title", false), ("id", true)]"#,
        r#"Member::optional("size", &types::PAGE_SIZE).or("20")"#,
        r#"transitions: Some(Transitions { resource: "Loan", noun: "loan", member: "status", rejected:"#,
        r#"ErrorEntry { name: "lent", step: Step::Rule("lent"), status: 400, text: "volume {id} is lent""#,
    ]);
}

#[test]
fn both_sides_of_each_bound_are_tried() {
    says(&[
        r#"fn title_at_max() { attempt().with("title", text(100)).accepted(); }"#,
        r#"fn title_above_max() { attempt().with("title", text(101)).invalid(&["title"]); }"#,
        r#"fn price_at_max() { attempt().with("price", raw("1000")).accepted(); }"#,
        r#"fn price_above_max() { attempt().with("price", raw("1000.01")).invalid(&["price"]); }"#,
        r#"fn price_at_excluded_min() { attempt().with("price", raw("0")).invalid(&["price"]); }"#,
        r#"fn price_just_above_min() { attempt().with("price", raw("0.01")).accepted(); }"#,
        r#"fn price_with_a_decimal_too_many() { attempt().with("price", raw("0.125")).invalid(&["price"]); }"#,
        r#"fn tags_item_at_max() { attempt().with("tags[0]", of_chars("a-z-", 20)).accepted(); }"#,
        r#"fn authors_below_min() { attempt().with("authors", list(&types::AUTHORS, 0)).invalid(&["authors"]); }"#,
        r#"fn authors_with_duplicates() { attempt().with("authors", duplicates(&types::AUTHORS)).invalid(&["authors"]); }"#,
        r#"fn authors_name_above_max() { attempt().with("authors[0].name", text(101)).invalid(&["name"]); }"#,
        r#"fn size_above_max() { attempt().parameter("size", "51").invalid(&["size"]); }"#,
        r#"fn size_below_min() { attempt().parameter("size", "0").invalid(&["size"]); }"#,
    ]);
}

#[test]
fn presence_is_tried_as_the_body_says() {
    says(&[
        r#"fn title_missing() { attempt().without("title").invalid(&["title"]); }"#,
        r#"fn title_null() { attempt().rejects_null("title"); }"#,
        r#"fn price_null() { attempt().with("price", null()).accepted(); }"#,
        r#"fn title_alone() { attempt().alone("title").accepted(); }"#,
        r#"fn no_member_at_all() { attempt().emptied().invalid(&[]); }"#,
        r#"fn authors_name_misspelt() { attempt().with("authors[0].namee", raw("1")).invalid(&["namee", "name"]); }"#,
    ]);
    does_not_say(&["fn price_missing()"]);
}

#[test]
fn guards_moves_and_limits_are_tried_where_they_are_declared() {
    says(&[
        r#"fn plan_child() { attempt().rejects_plan("child"); }"#,
        r#"fn volume_of_another_parent() { attempt().rejects_other_parent("Volume"); }"#,
        r#"fn move_out_to_back() { attempt().transitions(&[], "back"); }"#,
        r#"fn rule_lent() { attempt().rejects_by_rule("lent"); }"#,
        r#"fn quota() { attempt().rejects_more_than_quota(); }"#,
        r#"fn reads_is_exact()"#,
        r#"fn limit_writes() { attempt().rejects_more_than_limit(); }"#,
        r#"fn too_many_failed_credentials() { attempt().rejects_guessing(); }"#,
        r#"attempt().guessing_precedes(&[Step::Route, Step::Method], &[Step::Credential,"#,
        r#"fn reads_is_apart_from_writes()"#,
        r#"operations: &[&'static Operation] = &[&super::reading::list_books::OPERATION]"#,
        r#"fn adults_comes_first() { attempt().precedes(Step::Plan, &[Step::Exists, Step::Quota, Step::Rule("lent")]); }"#,
        // A resource that does not exist has no owner: no request is wrong in both ways.
        r#"fn wrong_comes_first() { attempt().precedes(Step::Decode, &[Step::Exists, Step::Owner]); }"#,
    ]);
    does_not_say(&["fn missing_comes_first() { attempt().precedes(Step::Exists, &[Step::Owner]); }"]);
}

#[test]
fn written_values_are_read_by_other_operations() {
    says(&[r#"traces: &[Trace {
        operation: &super::super::reading::get_book::OPERATION,
        reader: Reader::Anyone,
        named: &[("Book", IdOrigin::InData("id"))],
        location: DataLocation::Whole,
        id: Some("id"),
        id_origin: IdOrigin::InData("id"),
        items: None,
        members: &[
            ExpectedMember::from_body("title", "title"),
            ExpectedMember::from_body("tags", "tags").or("[]"),
            ExpectedMember::from_body("price", "price").or("null"),
            ExpectedMember::from_body("cover", "cover").or("null"),
        ],
        repeated_members: &[],
        is_apart: true,
    }"#]);
}

#[test]
fn a_list_is_tested_with_items_that_another_operation_creates() {
    says(&[
        r#"pages: Some(Pages { size: "size", offset: None, number: None, total: Some("total"), at: "library.yaml:"#,
        r#"shows: &[("id", Source::of("id")), ("title", Source::of("title")), ("by", Source::each("authors", "name"))]"#,
        r#"SortKey { field: "title", view_member: Some("title"), of: &types::NAME, is_reversed: false }"#,
        r#"by: FilterBy::Query("min_price", Matching::AtLeast), source: Source::of("price")"#,
        r#"constraints: &[("min_price", "max_price")]"#,
        r#"("price", Origin::Member("price", Some("null")))"#,
        r#"("reader_id", Origin::Caller)"#,
        r#"("status", Origin::Always("\"out\""))"#,
        r#"fn filters_none() { attempt().lists_all(); }"#,
        r#"fn filter_tag() { attempt().lists_filtered(&["tag"]); }"#,
        r#"fn filters_tag_and_max_price() { attempt().lists_filtered(&["tag", "max_price"]); }"#,
        r#"fn filter_caller() { attempt().lists_filtered(&["$caller"]); }"#,
        r#"fn pages_of_default_size() { attempt().pages_of_default_size(); }"#,
    ]);
    // There is only the first page; and an item that no filter names is decided by the handler.
    does_not_say(&["fn pages_past_the_end()", "fn filter_is_lent()"]);
}

/// For all characters of a text and all notations of a number in the contract.
#[test]
fn a_default_is_json() {
    let members = r#"{ until: date, note: 'name = Café''s "best"', copies: count = +07 }"#;
    let suite = squeezed(&suite_of(&LIBRARY.replace("{ until: date }", members)));
    let note = serde_json::to_string(r#"Café's "best""#).expect("a text");
    for (name, of, json) in [("note", "NAME", note.as_str()), ("copies", "COUNT", "7")] {
        let member = format!("Member::optional({name:?}, &types::{of}).or({json:?})");
        assert!(suite.contains(&squeezed(&member)), "the suite does not say {member}");
    }
}
