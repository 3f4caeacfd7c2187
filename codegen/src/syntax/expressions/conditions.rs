//! Conditions: the `when` of an error, the `where` of a quota.

use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Span, Word};
use crate::syntax::read::clipped;
use crate::syntax::reader::Reader;

/// When a rule rejects a request.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `Loan.status is back`
    Field {
        /// The resource.
        resource: Word,
        /// What must be so of it.
        is: FieldIs,
    },
    /// `exists Loan in Book of caller`, `no Loan in Book`
    Exists {
        /// The resource.
        resource: Word,
        /// Whether there must be none.
        none: bool,
        /// The resource whose record it must name.
        within: Option<Word>,
        /// Whether it must name the caller.
        of_caller: bool,
        /// Position in the file.
        at: Span,
    },
    /// `taken Reader.email`
    Taken {
        /// The resource.
        resource: Word,
        /// The field.
        field: Word,
    },
}

/// `status is out or late`, `is_blocked is not true`
#[derive(Clone, Debug)]
pub struct FieldIs {
    /// The field.
    pub field: Word,
    /// Whether it must be none of the values.
    pub not: bool,
    /// The values.
    pub values: Vec<Word>,
}

/// The words of an expression.
pub(super) fn words(whole: &Word) -> Vec<Word> {
    whole.text.split_whitespace().map(|word| whole.part(word)).collect()
}

/// The diagnostic for an expression that cannot be read.
pub(super) fn wrong(rule: Rule, whole: &Word, what: &str) -> Diagnostic {
    Diagnostic::new(rule, whole.at, format!("`{}` is not {what}", clipped(&whole.text)))
}

/// The `when` of an error.
pub(crate) fn condition(whole: &Word, reader: &mut Reader) -> Option<Condition> {
    let found = exists(whole).or_else(|| taken(whole)).or_else(|| {
        let FieldIs { field, not, values } = is(whole)?;
        let (resource, name) = field.text.split_once('.')?;
        Some(Condition::Field {
            resource: field.part(resource),
            is: FieldIs {
                field: field.part(name),
                not,
                values,
            },
        })
    });
    if found.is_none() {
        let help = "write `Resource.field is value`, `Resource.field is not value or value`, `exists Resource in Parent`, \
                    `exists Resource in Parent of caller`, or `taken Resource.field`; `no` in place of `exists` for the opposite";
        reader.report(wrong(Rule::BadCondition, whole, "a condition").help(help));
    }
    found
}

/// The `where` of a quota.
pub(crate) fn field_is(whole: &Word, reader: &mut Reader) -> Option<FieldIs> {
    let found = is(whole).filter(|is| !is.field.text.contains('.'));
    if found.is_none() {
        let help = "write `field is value`, or `field is not value or value`";
        reader.report(wrong(Rule::BadCondition, whole, "a condition on a field").help(help));
    }
    found
}

fn exists(whole: &Word) -> Option<Condition> {
    let parts = words(whole);
    let texts: Vec<&str> = parts.iter().map(|word| word.text.as_str()).collect();
    let (none, within, of_caller) = match texts.as_slice() {
        [sign @ ("exists" | "no"), _, rest @ ..] => match rest {
            ["in", _] => (*sign == "no", parts.get(3), false),
            ["in", _, "of", "caller"] => (*sign == "no", parts.get(3), true),
            ["of", "caller"] => (*sign == "no", None, true),
            _ => return None,
        },
        _ => return None,
    };
    Some(Condition::Exists {
        resource: parts[1].clone(),
        none,
        within: within.cloned(),
        of_caller,
        at: whole.at,
    })
}

fn taken(whole: &Word) -> Option<Condition> {
    let parts = words(whole);
    match parts.as_slice() {
        [taken, of] if taken.text == "taken" => {
            let (resource, field) = of.text.split_once('.')?;
            Some(Condition::Taken {
                resource: of.part(resource),
                field: of.part(field),
            })
        }
        _ => None,
    }
}

pub(super) fn is(whole: &Word) -> Option<FieldIs> {
    let parts = words(whole);
    let (field, rest) = match parts.split_first()? {
        (field, [is, rest @ ..]) if is.text == "is" => (field, rest),
        _ => return None,
    };
    let (not, rest) = match rest.split_first()? {
        (word, rest) if word.text == "not" => (true, rest),
        _ => (false, rest),
    };
    let is_or = |at: usize| rest[at].text == "or";
    let is_list = rest.len() % 2 == 1 && (0..rest.len()).all(|at| is_or(at) == (at % 2 == 1));
    is_list.then(|| FieldIs {
        field: field.clone(),
        not,
        values: rest.iter().step_by(2).cloned().collect(),
    })
}
