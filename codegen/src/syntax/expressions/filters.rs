//! The entries of `filters`.

use crate::diagnostic::{Diagnostic, Rule};
use crate::matching::Matching;
use crate::nearest::nearest;
use crate::span::{Span, Word};
use crate::syntax::read::clipped;
use crate::syntax::reader::Reader;

/// A condition on the rows of a list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// A field of the listed resource. `skills[].name` picks a member of each item.
    pub field: Word,
    /// The other fields of a search.
    pub others: Vec<Word>,
    /// `with Shop.town`: the field whose synonyms count, too.
    pub synonyms: Option<Word>,
    /// Position in the file.
    pub at: Span,
}

impl Filter {
    /// The field with an id that it follows, and the field of that record: `owner_id.is_open is true`.
    pub(crate) fn followed(&self) -> Option<(Word, Word)> {
        let (id, field) = self.field.text.split_once('.').filter(|(id, _)| !id.ends_with("[]"))?;
        matches!(self.by, FilterBy::Value(_)).then(|| (self.field.part(id), self.field.part(field)))
    }
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug)]
pub enum FilterBy {
    /// `tag = tags`, `least <= price`: a parameter of the path or the query.
    Parameter(Word, Matching),
    /// `$caller = owner_id`: the caller.
    Caller(Word),
    /// `status is open`: a fixed value of the field.
    Value(Word),
}

/// The caller in a filter.
const CALLER: &str = "$caller";
/// The operator between a field and its fixed value.
const IS: &str = "is";
/// The operator of a search, which several fields can follow.
const SEARCHES: &str = "searches";

/// The operator for a part of a text, which the synonyms of a field can follow.
const WITHIN: &str = "within";
const WITH: &str = "with";

/// `tag = tags`, `place within address with Shop.town`, `$caller = owner_id`, `status is open`.
pub(crate) fn filter(whole: &Word, reader: &mut Reader) -> Option<Filter> {
    let part = |text: &str| whole.part(text);
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    let (mut others, mut synonyms) = (Vec::new(), None);
    let (by, field) = match parts.as_slice() {
        [parameter, SEARCHES, field, more @ ..] if !parameter.starts_with('$') && is_alternation(more) => {
            others.extend(more.iter().skip(1).step_by(2).map(|field| part(field)));
            (FilterBy::Parameter(part(parameter), Matching::Words), field)
        }
        [parameter, WITHIN, field, WITH, of] if !parameter.starts_with('$') => {
            synonyms = Some(part(of));
            (FilterBy::Parameter(part(parameter), Matching::Part), field)
        }
        [field, IS, value] => (FilterBy::Value(part(value)), field),
        [CALLER, "=", field] => (FilterBy::Caller(part(parts[0])), field),
        [parameter, sign, field] if !parameter.starts_with('$') && Matching::parse(sign).is_some() => {
            (FilterBy::Parameter(part(parameter), Matching::parse(sign)?), field)
        }
        parts => {
            reader.report(bad_filter(whole, parts));
            return None;
        }
    };
    Some(Filter {
        by,
        field: part(field),
        others,
        synonyms,
        at: whole.at,
    })
}

/// Whether words are `| field` any number of times.
fn is_alternation(words: &[&str]) -> bool {
    words.len().is_multiple_of(2) && words.chunks(2).all(|pair| pair[0] == "|" && pair[1] != "|")
}

/// The diagnostic for an invalid filter: at the wrong word, if there is just one.
fn bad_filter(whole: &Word, parts: &[&str]) -> Diagnostic {
    let diagnostic = |at: &str, message: String| Diagnostic::new(Rule::BadFilter, whole.part(at).at, message);
    match parts {
        [CALLER, sign, _] => diagnostic(
            sign,
            format!("`{CALLER}` can only be compared with `=`, not with `{sign}`"),
        ),
        [name, sign, _] if name.starts_with('$') && Matching::parse(sign).is_some() => {
            let message = format!("`{}` is unknown", clipped(name));
            diagnostic(name, message).help(format!("`{CALLER}` is the id of the caller"))
        }
        [_, sign, _] => {
            let known = Matching::ALL.iter().map(|(_, word)| *word).chain([IS]);
            let meant = foreign_sign(sign).or_else(|| nearest(sign, known));
            let diagnostic = diagnostic(sign, format!("`{}` is not a comparison of filters", clipped(sign)));
            diagnostic.help(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => SIGNS.to_owned(),
            })
        }
        [_, sign, _, WITH, _] if Matching::parse(sign).is_some() => {
            diagnostic(sign, format!("`{WITH}` can only follow `{WITHIN}`, not `{sign}`"))
        }
        _ => Diagnostic::new(
            Rule::BadFilter,
            whole.at,
            format!("`{}` is not a filter", clipped(&whole.text)),
        )
        .help(SIGNS),
    }
}

const SIGNS: &str = "a filter is `parameter = field`, with `=`, `<=`, `>=`, `within` or `implies`; `parameter within field with Resource.field`; \
                     `parameter searches field | field`; `$caller = field`; or `field is value`";

/// The operators of other languages, and what to write instead.
fn foreign_sign(sign: &str) -> Option<&'static str> {
    match sign {
        "==" | "eq" | "equals" | "in" => Some("="),
        "<" | "=<" | "lte" => Some("<="),
        ">" | "=>" | "gte" => Some(">="),
        "like" | "contains" | "~" => Some("within"),
        "->" => Some("implies"),
        _ => None,
    }
}
