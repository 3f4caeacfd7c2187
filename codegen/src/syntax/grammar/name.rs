//! The kinds of names in a contract, and their style.

/// A kind of name. As the key of a map, a name declares something; as a value, it refers to a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// The service itself.
    Service,
    /// An entry of `decisions`.
    Decision,
    /// An entry of `errors`.
    ErrorRow,
    /// An entry of `limits`.
    Limit,
    /// An entry of `quotas`.
    Quota,
    /// An entry of `credentials`.
    Credential,
    /// An entry of `types`.
    Type,
    /// An entry of `enums`.
    Enum,
    /// A value of an enum.
    EnumValue,
    /// A key of `states`: `Resource.field`.
    States,
    /// `Resource.field`: a stored field.
    StoredField,
    /// A text of a field.
    Text,
    /// An entry of `objects`.
    Object,
    /// An entry of `inputs`.
    Input,
    /// An entry of `resources`.
    Resource,
    /// A field of a resource.
    Field,
    /// A member of an object, a body or an answer.
    Member,
    /// A view of a resource.
    View,
    /// An entry of `surfaces`.
    Surface,
    /// An endpoint of a surface.
    Operation,
    /// A parameter of a path.
    PathParameter,
    /// A parameter of a query.
    Parameter,
    /// A member beside `data`: `total`, or a parameter of the query.
    Sibling,
    /// A member of the envelope.
    EnvelopeMember,
    /// An HTTP header.
    Header,
    /// A test.
    Test,
    /// The first characters of a credential.
    Prefix,
    /// A kind of events.
    Event,
}

impl Name {
    /// The kind, with an article: `a resource`.
    pub fn what(self) -> &'static str {
        match self {
            Name::Service => "the service",
            Name::Decision => "a decision",
            Name::ErrorRow => "an error",
            Name::Limit => "a limit",
            Name::Quota => "a quota",
            Name::Credential => "a credential",
            Name::Type => "a type",
            Name::Enum => "an enum",
            Name::EnumValue => "a value of an enum",
            Name::States => "a field with states",
            Name::StoredField => "a field",
            Name::Text => "a text",
            Name::Object => "an object",
            Name::Input => "an input",
            Name::Resource => "a resource",
            Name::Field => "a field",
            Name::Member => "a member",
            Name::View => "a view",
            Name::Surface => "a surface",
            Name::Operation => "an endpoint",
            Name::PathParameter => "a parameter of the path",
            Name::Parameter => "a parameter of the query",
            Name::Sibling => "`total`, or a parameter of the query",
            Name::EnvelopeMember => "a member of the envelope",
            Name::Header => "a header",
            Name::Test => "a test",
            Name::Prefix => "a prefix",
            Name::Event => "an event",
        }
    }

    /// An example.
    pub fn example(self) -> &'static str {
        match self {
            Name::Service => "library",
            Name::Decision => "renewal",
            Name::ErrorRow => "invalid",
            Name::Limit => "reads",
            Name::Quota => "open_loans",
            Name::Credential => "card",
            Name::Type => "title",
            Name::Enum => "Color",
            Name::EnumValue => "red",
            Name::States => "Loan.status",
            Name::StoredField => "Book.title",
            Name::Text => "Ulysses",
            Name::Object => "Author",
            Name::Input => "NewBook",
            Name::Resource => "Book",
            Name::Field | Name::Member => "title",
            Name::View => "item",
            Name::Surface => "public",
            Name::Operation => "list_books",
            Name::PathParameter => "id",
            Name::Parameter => "size",
            Name::Sibling => "total",
            Name::EnvelopeMember => "ok",
            Name::Header => "X-Card",
            Name::Test => "loans_are_not_renewed",
            Name::Prefix => "card_",
            Name::Event => "loan.created",
        }
    }

    /// Whether such names may have any style.
    pub fn is_free(self) -> bool {
        self.pattern() == ANY
    }

    /// The style of such names, in words.
    pub fn style(self) -> &'static str {
        match self.pattern() {
            SNAKE => "`snake_case`: lower-case letters, digits and single `_`, beginning with a letter",
            PASCAL => "`PascalCase`: letters and digits, beginning with a capital",
            WIRE => "letters, digits and `_`, beginning with a letter",
            VALUE => "letters, digits, `_` and `-`, beginning with a letter",
            HEADER => "the characters that HTTP allows in header names: letters, digits, `-` and a few others",
            STATES => "a resource, a dot and one of its fields",
            PREFIX => "letters, digits, `_` and `-`",
            EVENT => "words in `snake_case` with points between, such as `loan.created`",
            _ => "any text",
        }
    }

    /// A regular expression that every such name matches.
    pub fn pattern(self) -> &'static str {
        match self {
            Name::Service | Name::Decision | Name::EnvelopeMember | Name::Test | Name::Text => ANY,
            Name::ErrorRow | Name::Limit | Name::Quota | Name::Credential | Name::Type => SNAKE,
            Name::View | Name::Surface | Name::Operation => SNAKE,
            Name::Enum | Name::Object | Name::Input | Name::Resource => PASCAL,
            Name::Field | Name::Member | Name::PathParameter | Name::Parameter | Name::Sibling => WIRE,
            Name::EnumValue => VALUE,
            Name::States | Name::StoredField => STATES,
            Name::Header => HEADER,
            Name::Prefix => PREFIX,
            Name::Event => EVENT,
        }
    }
}

const ANY: &str = r"\S";
const SNAKE: &str = "^[a-z]([a-z0-9]|_[a-z0-9])*$";
const PASCAL: &str = "^[A-Z][A-Za-z0-9]*$";
const WIRE: &str = "^[A-Za-z][A-Za-z0-9_]*$";
const VALUE: &str = "^[A-Za-z][A-Za-z0-9_-]*$";
const STATES: &str = r"^[A-Z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9_]*$";
const HEADER: &str = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
const EVENT: &str = r"^[a-z]([a-z0-9]|_[a-z0-9])*(\.[a-z]([a-z0-9]|_[a-z0-9])*)*$";
const PREFIX: &str = "^[A-Za-z0-9_-]+$";
