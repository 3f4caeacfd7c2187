//! The scalars of the language: what each accepts, and its syntax.

use super::choices::Choice;
use super::name::Name;
use crate::formats;
use crate::units;

/// Greatest integer that every JSON parser represents exactly.
pub const GREATEST: i64 = 1 << 53;

/// A kind of scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A name that is declared somewhere.
    Name(Name),
    /// A value of an enum where it is declared.
    EnumValue,
    /// One of these words.
    OneOf(&'static [Choice]),
    /// A text for people.
    Text,
    /// A version of a contract.
    Version,
    /// The URL of a page.
    Url,
    /// An email address.
    Email,
    /// A media type without parameters.
    MediaType,
    /// The name of a tool for AI agents.
    ToolName,
    /// The unit of a number.
    Unit,
    /// What people read in place of a name, and a description.
    Phrase,
    /// A text with `{placeholders}`.
    Template,
    /// A template in a header.
    HeaderTemplate,
    /// `true` or `false`.
    Boolean,
    /// Any number.
    Number,
    /// A whole number.
    Integer,
    /// A number of things, with the least value.
    Count(u32),
    /// An HTTP status.
    Status,
    /// A rate, such as `100/min`.
    Rate,
    /// A period, such as `24h`.
    Period,
    /// The path of a field, from a record or from a resource.
    FieldPath,
    /// An endpoint that causes an event.
    Cause,
    /// A use of a type.
    TypeUse(Uses),
    /// The name of a type, neither optional nor a list.
    TypeName,
    /// A guard.
    Guard,
    /// A comparison of two parameters.
    Constraint,
    /// A condition on the rows of a list.
    Filter,
    /// A condition on records.
    Condition,
    /// A condition on a field.
    FieldCondition,
    /// The value of a field of a new record.
    FieldValue,
    /// An example of a value.
    Example,
    /// A member of a body, of whose items each makes a record.
    Each,
    /// A field, and the direction in which it is sorted.
    SortKey,
    /// The path before every route of a surface.
    Base,
    /// The path of an endpoint.
    Route,
    /// The path of a node of the contract.
    NodePath,
    /// A class of characters.
    Characters,
    /// The field that a member of a view shows.
    Source,
    /// A member of the envelope of a success or of an error: a literal, or one of these placeholders.
    EnvelopeValue(&'static [Choice]),
}

/// Where a type is used, which decides what types are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// In a field of a resource or a member of an object.
    Stored,
    /// In a joined field, which is looked up when it is shown.
    Joined,
    /// In a body.
    Body,
    /// In a path: an id.
    Path,
    /// In a query.
    Query,
    /// As the whole `data`: a view.
    Answer,
    /// In a member of `data`.
    AnswerMember,
}

impl Uses {
    /// Whether a text after the type can describe it.
    pub fn are_described(self) -> bool {
        self != Uses::Answer
    }

    /// Whether this built-in type is allowed there. Formats are, wherever built-in types are.
    pub fn built_in(self, name: &str) -> bool {
        let others: &[&str] = match self {
            Uses::Stored | Uses::Joined => &["boolean", "timestamp", "string"],
            Uses::Body => &["boolean"],
            Uses::Query => &["flag", "boolean", "cursor", "event_names"],
            Uses::AnswerMember => &["boolean", "timestamp", "string", "secret"],
            Uses::Path | Uses::Answer => return false,
        };
        others.contains(&name) || formats::find(name).is_some()
    }
}

impl Scalar {
    /// Whether it is plain text without further syntax.
    pub(crate) fn is_text(self) -> bool {
        match self {
            Scalar::Text | Scalar::Template | Scalar::HeaderTemplate | Scalar::Characters => true,
            Scalar::Name(name) => name.is_free(),
            _ => false,
        }
    }

    /// Whether a text after it, separated by ` -- `, can describe it.
    pub fn is_described(self) -> bool {
        match self {
            Scalar::EnumValue | Scalar::Phrase => true,
            Scalar::TypeUse(uses) => uses.are_described(),
            _ => false,
        }
    }

    /// Its name: `a type`. The title of its section in `forms.md`.
    pub fn what(self) -> &'static str {
        match self {
            Scalar::Name(_) | Scalar::OneOf(_) => "a name",
            Scalar::EnumValue => "a value",
            Scalar::Text => "a text",
            Scalar::Version => "a version",
            Scalar::Url => "a URL",
            Scalar::Email => "an e-mail address",
            Scalar::MediaType => "a media type",
            Scalar::ToolName => "the name of a tool",
            Scalar::Unit => "a unit",
            Scalar::Phrase => "a text with a description",
            Scalar::Template | Scalar::HeaderTemplate => "a template",
            Scalar::Boolean => "`true` or `false`",
            Scalar::Number => "a number",
            Scalar::Integer | Scalar::Count(_) => "a whole number",
            Scalar::Status => "an HTTP status",
            Scalar::Rate => "a rate",
            Scalar::Period => "a period",
            Scalar::FieldPath => "the path of a field",
            Scalar::Cause => "an endpoint of a surface",
            Scalar::TypeUse(_) | Scalar::TypeName => "a type",
            Scalar::Guard => "a guard",
            Scalar::Constraint => "a constraint",
            Scalar::Filter => "a filter",
            Scalar::Condition => "a condition",
            Scalar::FieldCondition => "a condition on a field",
            Scalar::FieldValue => "the value of a field",
            Scalar::Example => "an example",
            Scalar::Each => "`each` and a member",
            Scalar::SortKey => "a sort key",
            Scalar::Base => "a path",
            Scalar::Route => "a route",
            Scalar::NodePath => "the path of a node",
            Scalar::Characters => "a character class",
            Scalar::Source => "a field",
            Scalar::EnvelopeValue(_) => "a value of the envelope",
        }
    }

    /// What it accepts: the first sentence, and the rest. Markdown.
    pub fn doc(self) -> (&'static str, &'static str) {
        let page = include_str!("forms.md").split("\n## ");
        let mut sections = page.filter_map(|section| section.split_once("\n\n"));
        let (_, text) = sections
            .find(|(title, _)| *title == self.what())
            .expect("every form has a section of its own");
        let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        (first.trim(), rest.trim())
    }

    /// The expected value, for diagnostics.
    pub(crate) fn expected(self) -> String {
        match self {
            Scalar::Count(least) => format!("a whole number, {least} or more"),
            Scalar::Template | Scalar::HeaderTemplate => "a text".to_owned(),
            Scalar::EnvelopeValue(_) => "a literal value, or a placeholder".to_owned(),
            other => other.what().to_owned(),
        }
    }

    /// An example, as written in a contract.
    pub fn example(self) -> &'static str {
        match self {
            Scalar::Name(name) => name.example(),
            Scalar::EnumValue => Name::EnumValue.example(),
            Scalar::OneOf(choices) => choices.first().map_or("", |choice| choice.word),
            Scalar::Text => "\"some text\"",
            Scalar::Version => "1.0.0",
            Scalar::Url => "https://books.example/",
            Scalar::Email => "desk@books.example",
            Scalar::MediaType => "image/png",
            Scalar::ToolName => "find_books",
            Scalar::Unit => "USD",
            Scalar::Phrase => "本 -- 図書館の本",
            Scalar::Template | Scalar::HeaderTemplate => "\"{request_id}\"",
            Scalar::Boolean => "true",
            Scalar::Number => "0.5",
            Scalar::Integer | Scalar::Count(_) => "10",
            Scalar::Status => "409",
            Scalar::Rate => "100/min",
            Scalar::Period => "24h",
            Scalar::FieldPath => "book_id.keeper_id",
            Scalar::Cause => "public.lend",
            Scalar::TypeUse(Uses::Path) => "Book.id",
            Scalar::TypeUse(Uses::Answer) => "Book.item",
            Scalar::TypeUse(_) | Scalar::TypeName => "title",
            Scalar::Guard => "exists Book",
            Scalar::Constraint => "min_price <= max_price",
            Scalar::Filter => "tag = tags",
            Scalar::Condition => "Book.is_lent is true",
            Scalar::FieldCondition => "status is out",
            Scalar::FieldValue => "$title",
            Scalar::Example => "Ulysses",
            Scalar::Each => "each books",
            Scalar::SortKey => "title asc",
            Scalar::Base => "/v1",
            Scalar::Route => "/books/:id",
            Scalar::NodePath => "limits.reads.rate",
            Scalar::Characters => "a-z0-9_-",
            Scalar::Source => "title",
            Scalar::EnvelopeValue(choices) => match choices.first() {
                Some(choice) if choice.word == "text" => "$text",
                _ => "$data?",
            },
        }
    }

    /// A regular expression that the text of every such value matches. `None` if the value is not text, or is one of a
    /// fixed set of words.
    pub fn pattern(self) -> Option<String> {
        let pattern = match self {
            Scalar::Name(name) => name.pattern(),
            Scalar::Text | Scalar::NodePath | Scalar::Characters => r"\S",
            Scalar::Version => r"^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}([-+][A-Za-z0-9.+-]+)?$",
            Scalar::Url => r"^https?://[!-~]+$",
            Scalar::MediaType => "^[a-z]+/[a-z0-9][a-z0-9.+-]*$",
            Scalar::ToolName => "^[A-Za-z0-9_-]{1,64}$",
            Scalar::Unit => return Some(units::pattern()),
            Scalar::Phrase => r"^(-?[^\x00-\x1f\x7f-])+-?(DOC)?$",
            Scalar::Email => r"^[!-?A-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$",
            Scalar::Template => r"^[^{}]*(\{[A-Za-z0-9_]+\}[^{}]*)*$",
            Scalar::HeaderTemplate => r"^[ -z|~]*(\{[A-Za-z0-9_]+\}[ -z|~]*)*$",
            Scalar::Rate => r"^\s*\+?0*[1-9][0-9]*\s*/\s*(s|min|h|day)\s*$",
            Scalar::Period => r"^[1-9][0-9]*(s|min|h|d)$",
            Scalar::FieldPath => r"^WORD(\.WORD)*$",
            Scalar::Cause => r"^WORD\.WORD$",
            Scalar::TypeUse(Uses::Answer) => r"^(\[TYPE\]|TYPE)(\?|\s*=\s*\S[\s\S]*)?$",
            Scalar::TypeUse(Uses::Stored) => {
                r"^(\[TYPE\]|TYPE)(\s*=\s*\S[\s\S]*|\?\s*=\s*(count|latest|digest|start|last|type|bytes)\s[\s\S]*|\??(DOC)?)$"
            }
            Scalar::TypeUse(Uses::Joined) => r"^(\[TYPE\]|TYPE)\??(\s*=\s*\S[\s\S]*|(DOC)?)$",
            Scalar::TypeUse(_) => r"^(\[TYPE\]|TYPE)(\s*=\s*\S[\s\S]*|\??(DOC)?)$",
            Scalar::EnumValue => "^WORD(DOC)?$",
            Scalar::TypeName => "^TYPE$",
            Scalar::Guard => r"^\s*(plan\s+WORD|owner\s+WORD|exists\s+WORD(\s+in\s+WORD)?)\s*$",
            Scalar::Constraint => r"^\s*WORD\s+<=\s+WORD\s*$",
            Scalar::Filter => {
                r"^\s*((WORD\s+(=|<=|>=|within|implies)|\$caller\s+=)\s+SOURCE|WORD\s+within\s+SOURCE\s+with\s+WORD\.WORD|WORD\s+searches\s+SOURCE(\s+\|\s+SOURCE)*|(SOURCE|WORD\.WORD)\s+is\s+WORD)\s*$"
            }
            Scalar::Condition => {
                r"^\s*((exists|no)\s+WORD\s+(in\s+WORD|in\s+WORD\s+of\s+caller|of\s+caller)|taken\s+WORD\.WORD|WORD\.WORD\s+ISVALUE)\s*$"
            }
            Scalar::FieldCondition => r"^\s*WORD\s+ISVALUE\s*$",
            Scalar::Each => r"^\s*each\s+WORD\s*$",
            Scalar::SortKey => "^WORD (asc|desc)( nulls (first|last))?$",
            Scalar::Base => "^(/|(/SEGMENT)+)$",
            Scalar::Route => "^(/(:WORD|SEGMENT))+$",
            Scalar::Source => "^SOURCE$",
            Scalar::EnvelopeValue(_)
            | Scalar::FieldValue
            | Scalar::Example
            | Scalar::OneOf(_)
            | Scalar::Boolean
            | Scalar::Number
            | Scalar::Integer
            | Scalar::Count(_)
            | Scalar::Status => return None,
        };
        let whole = pattern.replace("DOC", r"\s* -- \s*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*\s*");
        let whole = whole.replace("TYPE", r"WORD(\.WORD)?");
        let whole = whole.replace("SOURCE", r"WORD(\[\]\.WORD)?");
        let whole = whole.replace("ISVALUE", r"is\s+(not\s+)?WORD(\s+or\s+WORD)*");
        let whole = whole.replace("WORD", "[A-Za-z][A-Za-z0-9_-]*");
        Some(whole.replace("SEGMENT", "[A-Za-z0-9._~-]+"))
    }
}
