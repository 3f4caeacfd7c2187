//! `envelope`

use super::expressions::EnvelopeValue;
use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::table::Table;
use super::value::Value;
use super::values::{ErrorScalar, FaultValue, Map, MediaType, Problem, SuccessValue, name};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};

section! {
    /// `envelope`
    Envelope = "`envelope`" at "envelope";
    doc "The structure of every JSON response body, but those of endpoints with `envelope: none`. A member is a literal, or a placeholder for a value: without a \
         value, `$name` becomes null and `$name?` is omitted.";
    example "{ success: { ok: true, data: $data? }, error: { ok: false, error: $text } }";
    keys {
        success: default(Map<name::EnvelopeMember, SuccessValue>), absent "no success has an envelope",
            example "{ ok: true, data: $data?, message: $message?, ...: $siblings }",
            doc "Members of a success, in order. `$data` is required; `$message` and `$siblings` are required if \
                 endpoints use them. Left out if each endpoint has `envelope: none` or the status 204.",
            effect "The one function that writes successes.";
        error: required(ErrorMembers), example "{ ok: false, code: $code, error: $text }",
            doc "Members of an error, in order. `$text` is required. A member can be an object with members of its own: \
                 `{ error: { code: $code, message: $text } }`.",
            effect "The one function that writes error responses, including those for unknown paths.";
        fault: default(Map<name::EnvelopeMember, FaultValue>), absent "those of `problem`, or errors list no faults",
            example "{ message: $text, field: $place }",
            doc "Members of an item of `$faults`, in order.",
            effect "One object for each fault of an invalid request, at most 20.";
        error_media_type: optional(MediaType), absent "`application/json`, or that of `problem`",
            example "application/vnd.library.error+json",
            doc "The media type of error responses.",
            effect "The header `Content-Type` of error responses.";
    }
    aliases {
        "media_type" "content_type" => "write the media type of error responses as `error_media_type`";
        "errors" "faults" => "write the members of each fault as `fault`, and their place as `$faults` in `error`";
    }
}

/// `error` of the envelope.
#[derive(Clone, Debug, Default)]
pub struct ErrorMembers {
    /// The members, also those that `problem` stands for.
    pub members: Table<EnvelopeValue>,
    /// `problem`
    pub problem: Option<Word>,
}

type Members = Map<name::EnvelopeMember, ErrorValue>;

impl Value for ErrorMembers {
    const FORM: Form = Form::Either {
        expected: "the members of an error, or `problem`",
        of: &[
            Members::FORM.with_example("{ ok: false, code: $code, error: $text }"),
            Problem::FORM,
        ],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        if let Tree::Map(_) | Tree::Absent = &node.form {
            let members = Members::read(node, form, reader);
            return ErrorMembers { members, problem: None };
        }
        let problem = Problem::read(node, form, reader);
        ErrorMembers {
            members: written(&problem, PROBLEM),
            problem: Some(problem).filter(|word| !word.text.is_empty()),
        }
    }
}

const PROBLEM: &[(&str, &str)] = &[
    ("type", "about:blank"),
    ("title", "$title"),
    ("status", "$status"),
    ("detail", "$text"),
    ("code", "$code"),
    ("errors", "$faults?"),
];
const FAULT_OF_PROBLEM: &[(&str, &str)] = &[("detail", "$text"), ("field", "$place"), ("code", "$code")];

/// The members that stand for a word.
fn written(word: &Word, members: &[(&str, &str)]) -> Table<EnvelopeValue> {
    let member = |(name, value): &(&str, &str)| {
        let text = (*name).to_owned();
        (Word { text, at: word.at }, EnvelopeValue::parsed(value, word.at))
    };
    members.iter().map(member).collect()
}

impl Envelope {
    /// The members of an item of `$faults`, also those that `problem` stands for.
    pub fn members_of_fault(&self) -> Table<EnvelopeValue> {
        match &self.error.problem {
            Some(problem) if self.fault.is_empty() => written(problem, FAULT_OF_PROBLEM),
            _ => self.fault.clone(),
        }
    }

    /// The media type of error responses, if it is not `application/json`.
    pub fn media_type_of_errors(&self) -> Option<&str> {
        let of_problem = self.error.problem.as_ref().map(|_| "application/problem+json");
        let own = self.error_media_type.as_ref().map(|word| word.text.as_str());
        own.or(of_problem)
            .filter(|media_type| *media_type != "application/json")
    }
}

/// The value of a member of an error: a scalar, or an object of scalars.
pub(crate) struct ErrorValue;

type NestedMembers = Map<name::EnvelopeMember, ErrorScalar>;

impl Value for ErrorValue {
    const FORM: Form = Form::Either {
        expected: "a literal value, a placeholder, or a map of those",
        of: &[
            ErrorScalar::FORM,
            NestedMembers::FORM.with_example("{ code: $code, message: $text }"),
        ],
    };
    type Out = EnvelopeValue;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> EnvelopeValue {
        match &node.form {
            Tree::Map(_) => EnvelopeValue::Object(NestedMembers::read(node, form, reader)),
            _ => ErrorScalar::read(node, form, reader),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::grammar;

    #[test]
    fn the_reference_says_what_problem_stands_for() {
        let doc = grammar::PROBLEM[0].doc;
        for (name, value) in PROBLEM.iter().chain(FAULT_OF_PROBLEM) {
            assert!(doc.contains(&format!("{name}: {value}")), "{name}: {value}");
        }
    }
}
