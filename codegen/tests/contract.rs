//! Hitode's contract, and a large one.

use std::fmt::Write;

#[test]
fn the_real_contract_has_no_errors() {
    let source = include_str!("../../api.yaml");
    if let Err(diagnostics) = codegen::compile(source) {
        panic!(
            "{}",
            codegen::diagnostic::render(&diagnostics, "api.yaml", source).join("\n")
        );
    }
}

#[test]
fn an_example_names_an_event_that_its_callers_get() {
    let rules = |event: &str| {
        let example = format!("        example: {{ events: {event} }}\n        quota: webhooks\n");
        let source = include_str!("../../api.yaml").replace("        quota: webhooks\n", &example);
        let diagnostics = codegen::compile(&source).err().unwrap_or_default();
        diagnostics.iter().map(|one| one.rule.name()).collect::<Vec<_>>()
    };
    assert_eq!(rules("message.created"), [""; 0]);
    // Workers get it.
    assert_eq!(rules("bounty.updated"), ["bad-default"]);
}

#[test]
fn three_hundred_endpoints_are_understood() {
    let mut source = include_str!("ui/base.yaml").to_owned();
    for number in 0..300 {
        let _ = write!(
            source,
            "      get_{number}:\n        GET: /books/:id/more/{number}\n        path: {{ id: Book.id }}\n        \
             guards: [exists Book]\n        query: {{ tag: tag?, size: page_size = 20 }}\n        \
             success: {{ data: Book.whole }}\n"
        );
    }
    assert!(codegen::compile(&source).is_ok());
}

#[test]
fn who_gives_a_unique_text_has_the_rule() {
    let (source, rule) = (include_str!("../../api.yaml"), "errors: [erased, external_id_taken]");
    let diagnostics = codegen::compile(&source.replace(rule, "errors: [erased]")).err();
    let found: Vec<String> = diagnostics.iter().flatten().map(|one| one.message.clone()).collect();
    assert_eq!(
        found,
        ["`update_human` gives a text to `Human.external_id`, which may be taken"]
    );
}
