//! The possible errors of operations, compared with the code that returns them.

use codegen::model::Model;
use codegen::step::Step;
use std::collections::BTreeSet;
use syn::{Item, ItemEnum, ItemMod};

const CONTRACTS: [&str; 3] = [
    include_str!("ui/base.yaml"),
    include_str!("../../api.yaml"),
    include_str!("../../tests/lockers/api.yaml"),
];

#[test]
fn every_error_can_answer_some_operation_or_an_unmatched_request() {
    for model in models() {
        let of_operations = model
            .operations()
            .flat_map(|(surface, operation)| model.errors_of(surface, operation));
        let answered: BTreeSet<&str> = of_operations.map(|error| error.name.as_str()).collect();
        let errors = model.errors.iter();
        let met = errors.filter(|error| !matches!(error.step, Step::Route | Step::Method));
        assert_eq!(answered, met.map(|error| error.name.as_str()).collect());
    }
}

/// The type of a handler's errors has all errors from the guards on, and those of a credential that is revoked before a write
/// commits. The doc of each variant begins with its error.
#[test]
fn the_errors_from_the_guards_on_are_those_of_the_handler() {
    let options = codegen::Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    for model in models() {
        let code = syn::parse_file(&codegen::emit::rust(&model, options)).expect("Rust");
        for (surface, operation) in model.operations() {
            let surface_module = module(&code.items, &surface.name);
            let operation_module = module(contents(surface_module), &operation.name);
            let errors = model.errors_of(surface, operation).into_iter();
            let has_caller = model.credential_of(surface).is_some_and(|one| one.caller.is_some());
            let may_end = has_caller && operation.method != "GET";
            let is_returned = |step| {
                step >= Step::Plan
                    || step == Step::Available
                    || may_end && matches!(step, Step::Credential | Step::Suspended)
            };
            let from_guards = errors
                .filter(|error| is_returned(error.step))
                .map(|error| error.name.clone());
            let emitted = errors_named_by(error_type(contents(operation_module)));
            assert_eq!(from_guards.collect::<BTreeSet<_>>(), emitted, "{}", operation.name);
        }
    }
}

fn models() -> impl Iterator<Item = Model> {
    let understand = |source| codegen::compile(source).expect("no mistake");
    CONTRACTS.into_iter().map(understand)
}

fn module<'c>(items: &'c [Item], name: &str) -> &'c ItemMod {
    let modules = items.iter().filter_map(|item| match item {
        Item::Mod(module) => Some(module),
        _ => None,
    });
    let mut named = modules.filter(|module| module.ident == name);
    named.next().expect("a module for each surface and operation")
}

fn contents(module: &ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

fn error_type(items: &[Item]) -> &ItemEnum {
    let mut types = items.iter().filter_map(|item| match item {
        Item::Enum(one) if one.ident == "Error" => Some(one),
        _ => None,
    });
    types.next().expect("a type of errors for each operation")
}

fn errors_named_by(errors: &ItemEnum) -> BTreeSet<String> {
    let docs = errors.variants.iter().flat_map(|variant| &variant.attrs);
    let texts = docs.filter_map(|doc| match &doc.meta.require_name_value().ok()?.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    });
    texts
        .filter_map(|text| Some(text.split('`').nth(1)?.to_owned()))
        .collect()
}
