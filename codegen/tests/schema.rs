//! The JSON Schema of the language, `codegen/schema.json`, checked with an independent validator: it accepts every
//! contract that the compiler accepts, and rejects errors of form. (`codegen/cli/tests/commands.rs` checks that the
//! file is current.)

use crate::cases::Case;
use crate::language::CONTRACTS;
use crate::mutations::{mutant, number};
use crate::ui::{all, contract};
use boon::{Compiler, SchemaIndex, Schemas};
use codegen::syntax;
use codegen::yaml::{self, Node, parse};
use serde_json::{Map, Value};

const SCHEMA: &str = include_str!("../schema.json");
const URL: &str = "https://localhost/schema.json";

/// The validator with the schema.
pub(crate) struct Validator {
    schemas: Schemas,
    compiler: Compiler,
    whole: SchemaIndex,
}

impl Validator {
    pub(crate) fn new() -> Self {
        let mut compiler = Compiler::new();
        let schema = serde_json::from_str(SCHEMA).expect("it is JSON");
        compiler.add_resource(URL, schema).expect("it has this address");
        let mut schemas = Schemas::new();
        let whole = compiler.compile(URL, &mut schemas).expect("it is a schema");
        Validator {
            schemas,
            compiler,
            whole,
        }
    }

    /// Why a contract is rejected; `None` if it is accepted. Text that is not YAML is rejected.
    pub(crate) fn rejected(&self, contract: &str) -> Option<String> {
        match json(contract) {
            Some(value) => self.rejected_by(self.whole, &value),
            None => Some("no YAML".to_owned()),
        }
    }

    fn rejected_by(&self, schema: SchemaIndex, value: &Value) -> Option<String> {
        let error = self.schemas.validate(value, schema).err();
        error.map(|error| format!("{error:#}"))
    }

    /// The part of the schema at a place of the file.
    fn part(&mut self, place: &str) -> SchemaIndex {
        let compiled = self.compiler.compile(&format!("{URL}{place}"), &mut self.schemas);
        compiled.unwrap_or_else(|error| panic!("{place} is no schema: {error:#}"))
    }
}

/// A contract as an editor reads it; `None` if it is not YAML.
fn json(contract: &str) -> Option<Value> {
    parse(contract, &mut Vec::new()).map(|node| value(&node))
}

fn value(node: &Node) -> Value {
    match &node.form {
        yaml::Value::Absent | yaml::Value::Null => Value::Null,
        yaml::Value::Bool(value) => Value::Bool(*value),
        yaml::Value::Number { text, .. } => serde_json::from_str(text).expect("a number of JSON"),
        yaml::Value::Text(text) => Value::String(text.clone()),
        yaml::Value::List(items) => items.iter().map(value).collect(),
        yaml::Value::Map(entries) => {
            let entries = entries.iter().map(|(key, node)| (key.text.clone(), value(node)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

#[test]
fn real_contracts_are_accepted() {
    let validator = Validator::new();
    for (name, contract) in CONTRACTS {
        assert_eq!(validator.rejected(contract), None, "{name}");
    }
}

/// Rules about the form alone. The rules of YAML itself are left out: an editor reports a duplicate key and broken syntax
/// without a schema, and YAML readers drop what `comment-in-text` is about.
const OF_FORM: [&str; 11] = [
    "wrong-form",
    "missing-key",
    "unknown-key",
    "duplicate-item",
    "bad-type",
    "bad-description",
    "bad-rate",
    "bad-guard",
    "bad-constraint",
    "bad-filter",
    "unknown-step",
];

#[test]
fn errors_of_form_are_rejected() {
    let validator = Validator::new();
    let is_of_form = |case: &&Case| {
        let mut rules = OF_FORM.iter();
        rules.any(|rule| case.expected.contains(&format!("error[{rule}]")))
    };
    let cases: Vec<&Case> = all().iter().filter(is_of_form).collect();
    assert!(cases.len() > OF_FORM.len(), "the cases are read wrongly");
    for case in cases {
        let contract = contract(case).unwrap();
        assert!(validator.rejected(&contract).is_some(), "the schema accepts {case}");
    }
}

#[test]
fn every_example_of_the_language_is_accepted() {
    let mut validator = Validator::new();
    let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
    let definitions = schema["definitions"].as_object().expect("definitions");
    let places = definitions
        .iter()
        .map(|(name, section)| (format!("#/definitions/{name}"), section));
    let places: Vec<_> = places.chain([("#".to_owned(), &schema)]).collect();
    for section in syntax::sections() {
        // The only property that a section and its definition share in both forms.
        let (place, _) = places
            .iter()
            .find(|(_, definition)| definition["description"] == section.doc)
            .unwrap_or_else(|| panic!("{} has no definition", section.what));
        let by = validator.part(place);
        if let Some(example) = json(section.example).filter(|example| !example.is_null()) {
            assert_eq!(validator.rejected_by(by, &example), None, "{}", section.what);
        }
        for key in section.keys {
            let by = validator.part(&format!("{place}/properties/{}", key.name));
            let example = json(key.example()).expect("examples are YAML");
            assert_eq!(
                validator.rejected_by(by, &example),
                None,
                "`{}` of {}",
                key.name,
                section.what
            );
        }
    }
}

/// `SEED=n` repeats a run or makes another one, `MUTATIONS=n` makes a longer one.
#[test]
fn whatever_the_compiler_accepts_is_accepted() {
    let seed = number("SEED").unwrap_or(20_261_121);
    let rounds = number("MUTATIONS").unwrap_or(200);
    println!("SEED={seed} MUTATIONS={rounds}");
    let validator = Validator::new();
    let mut accepted = 0;
    for round in 0..rounds {
        let contract = mutant(seed, round);
        if codegen::compile(&contract).is_ok() {
            accepted += 1;
            let rejection = validator.rejected(&contract);
            assert_eq!(
                rejection, None,
                "SEED={seed}, round {round}: the schema rejects\n{contract}"
            );
        }
    }
    println!("{accepted} of {rounds} were accepted");
    let is_enough = rounds < 100 || accepted > rounds / 20;
    assert!(is_enough, "only {accepted} of {rounds} mutants are contracts");
}
