//! The content of `api.yaml` as written, with the position of every word.
//!
//! [`crate::read`] makes a [`Spec`] from text, [`crate::check`] reports its errors, and [`crate::resolve`] makes the
//! model from it. Nothing is resolved here: a name may refer to nothing.

mod lists;
mod table;

pub use lists::{Filter, FilterBy, Pages};
pub use table::Table;

/// A range in the file: the position of its start, and its bytes. The default is no position: that of something missing
/// that has been reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The first byte, from 0.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// Whether this is no position.
    pub(crate) fn is_unknown(self) -> bool {
        self.line == 0
    }
}

/// A text with its position.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// The text itself.
    pub text: String,
    /// Its position.
    pub at: Span,
}

impl Word {
    /// A part of this word: `piece` is a slice of its text. The part has its own position if the word is in the file
    /// unchanged, with or without quotes. Otherwise it has the position of the word.
    pub(crate) fn part(&self, piece: &str) -> Word {
        let text = piece.to_owned();
        let before = (piece.as_ptr() as usize)
            .checked_sub(self.text.as_ptr() as usize)
            .and_then(|length| self.text.get(..length));
        let quote = match (self.at.end - self.at.start).checked_sub(self.text.len()) {
            Some(0) => 0,
            Some(2) => 1,
            _ => return Word { text, at: self.at },
        };
        let at = before.map_or(self.at, |before| {
            let start = self.at.start + quote + before.len();
            Span {
                line: self.at.line,
                column: self.at.column + quote + before.chars().count(),
                start,
                end: start + piece.len(),
            }
        });
        Word { text, at }
    }
}

/// A number with its position.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    /// The value. It is whole where the language requires an integer.
    pub value: f64,
    /// Its position.
    pub at: Span,
}

/// The whole file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `api`
    pub api: Api,
    /// `envelope`
    pub envelope: Envelope,
    /// `decisions`
    pub decisions: Table<Decision>,
    /// `errors`, in order of precedence
    pub errors: Table<ErrorEntry>,
    /// `limits`
    pub limits: Table<Limit>,
    /// `limit_headers`: header name → template
    pub limit_headers: Table<Word>,
    /// `quotas`
    pub quotas: Table<Quota>,
    /// `credentials`
    pub credentials: Table<Credential>,
    /// `types`
    pub types: Table<NamedType>,
    /// `enums`
    pub enums: Table<EnumDef>,
    /// `states`, with keys `Resource.field`
    pub states: Table<StateDef>,
    /// `objects`: name → members
    pub objects: Table<Table<TypeUse>>,
    /// `inputs`: named request bodies
    pub inputs: Table<Body>,
    /// `resources`
    pub resources: Table<Resource>,
    /// `surfaces`
    pub surfaces: Table<Surface>,
}

/// `api`: general statements about the service, and settings of all endpoints.
#[derive(Clone, Debug)]
pub struct Api {
    /// Short name of the service.
    pub name: Word,
    /// Title of the service.
    pub title: Word,
    /// Version of the contract.
    pub version: Option<Word>,
    /// Description of the service.
    pub doc: Option<Word>,
    /// Contact.
    pub contact: Option<Contact>,
    /// License.
    pub license: Option<License>,
    /// Every status that the service may answer with.
    pub statuses: Vec<Num>,
    /// Maximum bytes of a request body.
    pub body_max_bytes: Num,
    /// Maximum seconds for receiving a request body.
    pub body_max_seconds: Num,
    /// Minimum rate of a request body.
    pub body_min_rate: Option<MinRate>,
    /// Maximum concurrent requests of one caller.
    pub in_flight: Option<Num>,
    /// Headers of every answer: name → template.
    pub headers: Table<Word>,
}

/// `api.body.min_rate`
#[derive(Clone, Copy, Debug)]
pub struct MinRate {
    /// Minimum bytes per second.
    pub bytes_per_second: Num,
    /// Seconds by which a body may be late.
    pub grace_seconds: Num,
}

/// `api.contact`
#[derive(Clone, Debug)]
pub struct Contact {
    /// Name of the person or organisation.
    pub name: Word,
    /// URL of a page.
    pub url: Option<Word>,
    /// Email address.
    pub email: Option<Word>,
}

/// `api.license`
#[derive(Clone, Debug)]
pub struct License {
    /// Its name.
    pub name: Word,
    /// Its SPDX expression.
    pub identifier: Option<Word>,
    /// URL of a page.
    pub url: Option<Word>,
}

/// `envelope`: members in order; the value is a literal or a `$placeholder`.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// Members of a success.
    pub success: Table<EnvelopeValue>,
    /// Members of an error.
    pub error: Table<EnvelopeValue>,
}

/// The value of a member of the envelope.
#[derive(Clone, Debug)]
pub enum EnvelopeValue {
    /// A literal, as JSON text (`true`, `"text"`, `7`, `null`).
    Literal(String),
    /// `$name` or `$name?`; the word holds the name alone.
    Placeholder {
        /// `data`, `message`, `siblings`, `text`, `code`, `status`, `request_id`
        name: Word,
        /// Whether the member is omitted if there is no value.
        optional: bool,
    },
}

/// An entry of `decisions`.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What the specification leaves open, with its section.
    pub gap: Word,
    /// What was decided.
    pub choice: Word,
    /// The path of the node that implements it.
    pub at: Option<Word>,
    /// Alternatively, the name of the test that covers it.
    pub test: Option<Word>,
}

/// An entry of `errors`.
#[derive(Clone, Debug)]
pub struct ErrorEntry {
    /// HTTP status.
    pub status: Num,
    /// The step that rejects: see [`crate::step::Step`].
    pub step: Word,
    /// Text with `{placeholders}`.
    pub text: Word,
    /// What the caller should do next.
    pub help: Option<Word>,
    /// Header name → template.
    pub headers: Table<Word>,
    /// Why no suite can cause it, and which test covers it.
    pub untestable: Option<Untestable>,
}

/// Why a suite from outside cannot cause an error response.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// The reason.
    pub reason: Word,
    /// The name of the test that causes the error response.
    pub test: Word,
    /// Position in the file.
    pub at: Span,
}

/// A rate limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The methods that it counts. Empty if `counts` is present.
    pub methods: Vec<Word>,
    /// Maximum requests in a window; from `100/min`.
    pub max: Num,
    /// Length of the window in seconds.
    pub window_seconds: u32,
    /// `caller` or `address`.
    pub per: Word,
    /// Maximum requests in a window for all credentials of one caller together, and the length of that window in
    /// seconds.
    pub owner_rate: Option<(Num, u32)>,
    /// `failed_credentials` if the limit counts rejected credentials instead of requests.
    pub counts: Option<Word>,
}

/// The number of a resource that an owner may have.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Maximum number.
    pub max: Num,
    /// The resource that is counted.
    pub of: Word,
    /// The resource that owns them.
    pub per: Word,
    /// Their name in the error response.
    pub noun: Word,
}

/// A kind of credential.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Who has one, and how to get it.
    pub doc: Option<Word>,
    /// The request header that carries it.
    pub header: Word,
    /// The resource that acts. Absent if there is only one such account (the operator).
    pub caller: Option<Word>,
    /// The resource whose id the limits count by.
    pub limited_by: Option<Word>,
    /// The caller's field that holds its plan.
    pub plan: Option<Word>,
    /// The caller's boolean field that suspends it.
    pub suspended: Option<Word>,
    /// First characters of every credential of this kind.
    pub prefix: Word,
    /// Number of random characters after the prefix.
    pub random: Num,
    /// Number of characters that a listing shows.
    pub shown: Option<Num>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// What it allows.
    pub def: TypeDef,
    /// What a value means.
    pub doc: Option<Word>,
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeDef {
    /// `string`: characters are Unicode scalar values.
    String {
        /// Minimum characters.
        min: Option<Num>,
        /// Maximum characters.
        max: Option<Num>,
        /// Allowed characters, as in a bracket expression: `a-z0-9_-`.
        chars: Option<Word>,
        /// `refused` if bidirectional controls are not allowed.
        bidi_controls: Option<Word>,
    },
    /// `number`
    Number {
        /// Minimum, inclusive.
        min: Option<Num>,
        /// Minimum, exclusive.
        exclusive_min: Option<Num>,
        /// Maximum, inclusive.
        max: Option<Num>,
        /// Maximum decimal places.
        decimals: Option<Num>,
    },
    /// `integer`
    Integer {
        /// Minimum, inclusive.
        min: Option<Num>,
        /// Maximum, inclusive.
        max: Option<Num>,
    },
    /// `list`
    List {
        /// Type of the items.
        of: Word,
        /// Minimum items.
        min: Option<Num>,
        /// Maximum items.
        max: Option<Num>,
        /// The member by which items must differ.
        unique: Option<Word>,
    },
    /// `free_form`: an object with arbitrary members.
    FreeForm {
        /// Maximum bytes as compact JSON.
        max_bytes: Num,
    },
}

/// An enum, or a subset of another one.
#[derive(Clone, Debug, Default)]
pub struct EnumDef {
    /// The enum of which this is a subset.
    pub of: Option<Word>,
    /// Its values.
    pub values: Vec<Word>,
    /// Values that have a description, with it.
    pub docs: Table<Word>,
}

/// The states of a field.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// The state that a new resource starts in.
    pub initial: Word,
    /// Which state may follow which. `None` for `any`.
    pub transitions: Option<Table<Vec<Word>>>,
}

/// A use of a type: `title`, `title?`, `[Author]`, `size = 20 -- How many.`.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// The name: a type, an enum, an object, an input, a built-in, `Book.id` or a view such as `Book.list`.
    pub name: Word,
    /// Whether it is a list (`[name]`).
    pub list: bool,
    /// Whether it may be null or absent (`?`).
    pub optional: bool,
    /// The default (`= value`), as written.
    pub default: Option<Word>,
    /// The description (` -- text`).
    pub doc: Option<Word>,
}

/// A request body or named input.
#[derive(Clone, Debug)]
pub struct Body {
    /// The resource whose fields `required`, `optional` and `at_least_one_of` name.
    pub resource: Option<Word>,
    /// Required fields.
    pub required: Vec<Word>,
    /// Optional fields.
    pub optional: Vec<Word>,
    /// `at_least_one_of`: fields of a partial body, of which at least one is required.
    pub any: Vec<Word>,
    /// Other members. In a partial body they are optional, too.
    pub members: Table<TypeUse>,
    /// Position in the file.
    pub at: Span,
}

/// The body of an endpoint.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(Word),
    /// An inline body.
    Inline(Body),
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name in texts.
    pub noun: Word,
    /// Its description.
    pub doc: Option<Word>,
    /// Owners: the caller's resource → the field that holds its id.
    pub owner: Table<Word>,
    /// Whether only its owner can know that it exists.
    pub private: bool,
    /// Stored fields.
    pub fields: Table<TypeUse>,
    /// Fields that are looked up when shown.
    pub joined: Table<TypeUse>,
    /// Its views.
    pub views: Table<Vec<ViewField>>,
}

/// A member of a view.
#[derive(Clone, Debug)]
pub struct ViewField {
    /// The name of the member.
    pub shown: Word,
    /// The field that it shows. `skills[].name` picks a member of each item.
    pub source: Word,
}

/// The endpoints of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Who calls it, and what for.
    pub doc: Option<Word>,
    /// The path prefix of its endpoints.
    pub base: Word,
    /// The credential that every request needs. Absent for a public surface.
    pub credential: Option<Word>,
    /// The limits of its requests.
    pub limits: Vec<Word>,
    /// The endpoints.
    pub endpoints: Table<Endpoint>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// What it is for.
    pub doc: Option<Word>,
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`, with the position of the key.
    pub method: Word,
    /// The path after the base, with `:parameters`.
    pub route: Word,
    /// Types of the path parameters.
    pub path: Table<TypeUse>,
    /// The query parameters.
    pub query: Table<TypeUse>,
    /// `lower <= upper`: query parameters of which the first must not be greater than the second.
    pub constraints: Vec<(Word, Word)>,
    /// `field asc` or `field desc`, the most significant key first.
    pub sort: Vec<Word>,
    /// The conditions on the rows of a list, all of which apply.
    pub filters: Vec<Filter>,
    /// How a list is split into pages.
    pub pages: Option<Pages>,
    /// The body, if there is one.
    pub body: Option<BodyUse>,
    /// Maximum bytes of the body, instead of the general one.
    pub max_bytes: Option<Num>,
    /// Maximum concurrent requests of one caller, if the endpoint waits for events (`waits_at_once`).
    pub waits_at_once: Option<Num>,
    /// What is checked before the handler runs.
    pub guards: Vec<Guard>,
    /// The decision that permits access to resources of other accounts.
    pub open: Option<Word>,
    /// The quota that it checks.
    pub quota: Option<Word>,
    /// The states that it changes.
    pub transitions: Option<Word>,
    /// Its own errors, of the step `rule`.
    pub errors: Vec<Word>,
    /// What it answers.
    pub success: Success,
}

/// A guard.
#[derive(Clone, Debug)]
pub enum Guard {
    /// `plan verified`
    Plan(Word),
    /// `exists Book`, `exists Copy in Book`
    Exists {
        /// What must exist.
        resource: Word,
        /// The resource that it must belong to.
        parent: Option<Word>,
    },
    /// `owner Book`
    Owner(Word),
}

/// The success of an endpoint.
#[derive(Clone, Debug)]
pub struct Success {
    /// HTTP status. 200 if absent.
    pub status: Option<Num>,
    /// `data`
    pub data: Option<Data>,
    /// `message`
    pub message: Option<Word>,
    /// Members beside `data`: `total`, or a query parameter's name.
    pub siblings: Vec<Word>,
}

/// The `data` of a success.
#[derive(Clone, Debug)]
pub enum Data {
    /// A view, or a list of a view.
    View(TypeUse),
    /// An object of these members.
    Members(Table<TypeUse>),
}
