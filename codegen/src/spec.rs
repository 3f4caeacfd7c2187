//! The contents of `api.yaml` as written, with the position of every word.
//!
//! [`crate::read`] makes a [`Spec`] from text, [`crate::check`] finds what does not fit together, and [`crate::resolve`] makes the
//! model from the rest. Nothing is resolved here: a name may refer to nothing.

mod lists;
mod table;

pub use lists::{Filter, FilterBy, Pages};
pub use table::Table;

/// A place in the file: where it begins, line and column counting from 1, and the bytes that it takes. The default is
/// no place at all: that of what is missing, and has been reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The first byte, from 0.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl Span {
    /// Whether this is no place at all.
    pub(crate) fn is_unknown(self) -> bool {
        self.line == 0
    }
}

/// A piece of text and where it stands.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// The text itself.
    pub text: String,
    /// Its place.
    pub at: Span,
}

impl Word {
    /// A piece of this word: `piece` is a slice of its own text. It has a place of its own where the word stands in the
    /// file letter for letter, plainly or in quotes; else it has the place of the word.
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

/// A number and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    /// The value; whole where the language asks for a whole number.
    pub value: f64,
    /// Its place.
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
    /// `states`, each under `Resource.field`
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

/// `api`: names and what holds for every endpoint.
#[derive(Clone, Debug)]
pub struct Api {
    /// Short name of the service.
    pub name: Word,
    /// Name for people.
    pub title: Word,
    /// Version of the contract.
    pub version: Option<Word>,
    /// What it is for.
    pub doc: Option<Word>,
    /// Whom to ask.
    pub contact: Option<Contact>,
    /// The terms of its use.
    pub license: Option<License>,
    /// Every status that the service may answer with.
    pub statuses: Vec<Num>,
    /// Most bytes of a request body.
    pub body_max_bytes: Num,
    /// Most seconds that a request body may take.
    pub body_max_seconds: Num,
    /// The pace that a body has to keep.
    pub body_min_rate: Option<MinRate>,
    /// Most requests of one caller at a time.
    pub in_flight: Option<Num>,
    /// Headers of every answer: name → template.
    pub headers: Table<Word>,
}

/// `api.body.min_rate`
#[derive(Clone, Copy, Debug)]
pub struct MinRate {
    /// Least bytes in a second.
    pub bytes_per_second: Num,
    /// By how many seconds a body may be behind.
    pub grace_seconds: Num,
}

/// `api.contact`
#[derive(Clone, Debug)]
pub struct Contact {
    /// Who that is.
    pub name: Word,
    /// URL of a page.
    pub url: Option<Word>,
    /// Email address.
    pub email: Option<Word>,
}

/// `api.license`
#[derive(Clone, Debug)]
pub struct License {
    /// What it is called.
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
        /// `data`, `message`, `siblings`, `text`, `row`, `status`, `request_id`
        name: Word,
        /// Whether the member is left out where there is nothing to say.
        optional: bool,
    },
}

/// A row of the decisions register.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What the specification leaves open, with its section.
    pub gap: Word,
    /// What was decided.
    pub choice: Word,
    /// The node of this file that enacts it, as a dotted path.
    pub at: Option<Word>,
    /// Or the name of the test that shows it.
    pub test: Option<Word>,
}

/// A row of the error table.
#[derive(Clone, Debug)]
pub struct ErrorEntry {
    /// HTTP status.
    pub status: Num,
    /// The step that rejects: see [`crate::step::Step`].
    pub step: Word,
    /// Text with `{placeholders}`.
    pub text: Word,
    /// What a caller does next.
    pub help: Option<Word>,
    /// Header name → template.
    pub headers: Table<Word>,
    /// Why no suite can see it, and where it is seen.
    pub untestable: Option<Untestable>,
}

/// Why a suite from outside cannot see an error response.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// What stands in its way.
    pub reason: Word,
    /// The name of the test that brings the error response about.
    pub test: Word,
    /// Position in the file.
    pub at: Span,
}

/// A rate limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The methods that count; empty where `counts` is given.
    pub methods: Vec<Word>,
    /// Most requests in a window; from `100/min`.
    pub max: Num,
    /// Length of the window in seconds.
    pub window_seconds: u32,
    /// `caller` or `address`.
    pub per: Word,
    /// Most requests in a window of all credentials of one caller together, and that window in seconds.
    pub owner_rate: Option<(Num, u32)>,
    /// `failed_credentials`, where the limit counts those and not requests.
    pub counts: Option<Word>,
}

/// How many of a resource there may be.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Most of them.
    pub max: Num,
    /// The resource that is counted.
    pub of: Word,
    /// The resource that owns them.
    pub per: Word,
    /// What they are called in the refusal.
    pub noun: Word,
}

/// A kind of credential.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Who has one, and how it is obtained.
    pub doc: Option<Word>,
    /// The request header that carries it.
    pub header: Word,
    /// The resource that acts; absent where there is only one who can (the operator).
    pub caller: Option<Word>,
    /// The resource whose id the limits count by.
    pub limited_by: Option<Word>,
    /// The caller's field that holds its plan.
    pub plan: Option<Word>,
    /// The caller's boolean field that shuts it out.
    pub suspended: Option<Word>,
    /// First characters of every credential of this kind.
    pub prefix: Word,
    /// Number of random characters behind the prefix.
    pub random: Num,
    /// Number of characters that a listing shows.
    pub shown: Option<Num>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// What it allows.
    pub def: TypeDef,
    /// What such a value stands for.
    pub doc: Option<Word>,
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeDef {
    /// `string`: characters are Unicode scalar values.
    String {
        /// Fewest characters.
        min: Option<Num>,
        /// Most characters.
        max: Option<Num>,
        /// Allowed characters, as in a bracket expression: `a-z0-9_-`.
        chars: Option<Word>,
        /// `refused`, where there may be no bidirectional controls.
        bidi_controls: Option<Word>,
    },
    /// `number`
    Number {
        /// Least value, inclusive.
        min: Option<Num>,
        /// Least value, exclusive.
        exclusive_min: Option<Num>,
        /// Greatest value, inclusive.
        max: Option<Num>,
        /// Most decimal places.
        decimals: Option<Num>,
    },
    /// `integer`
    Integer {
        /// Least value, inclusive.
        min: Option<Num>,
        /// Greatest value, inclusive.
        max: Option<Num>,
    },
    /// `list`
    List {
        /// Type of the items.
        of: Word,
        /// Fewest items.
        min: Option<Num>,
        /// Most items.
        max: Option<Num>,
        /// The member of the items that may not be the same twice.
        unique: Option<Word>,
    },
    /// `free_form`: an object with members of its own.
    FreeForm {
        /// Most bytes as compact JSON.
        max_bytes: Num,
    },
}

/// An enumeration, or a part of another one.
#[derive(Clone, Debug, Default)]
pub struct EnumDef {
    /// The enumeration that this is a part of.
    pub of: Option<Word>,
    /// Its values.
    pub values: Vec<Word>,
    /// What values mean, where it is said.
    pub docs: Table<Word>,
}

/// The states of a field.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// The state that a new resource starts in.
    pub initial: Word,
    /// Which state may follow which; `None` for `any`.
    pub transitions: Option<Table<Vec<Word>>>,
}

/// A use of a type: `title`, `title?`, `[Author]`, `size = 20 -- How many.`.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// The name: a type, an enum, an object, an input, a built-in, `Book.id` or a view such as `Book.list`.
    pub name: Word,
    /// Whether it is a list of those (`[name]`).
    pub list: bool,
    /// Whether it may be null or absent (`?`).
    pub optional: bool,
    /// The value when it is not given (`= value`), as written.
    pub default: Option<Word>,
    /// What it is for (` -- text`).
    pub doc: Option<Word>,
}

/// A request body or named input.
#[derive(Clone, Debug)]
pub struct Body {
    /// The resource whose fields `required`, `optional` and `any` name.
    pub resource: Option<Word>,
    /// Fields that must be given.
    pub required: Vec<Word>,
    /// Fields that may be given.
    pub optional: Vec<Word>,
    /// Fields of which at least one must be given: a partial body.
    pub any: Vec<Word>,
    /// Other members; with `any`, each of them may be absent too.
    pub members: Table<TypeUse>,
    /// Position in the file.
    pub at: Span,
}

/// What an endpoint takes as its body.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(Word),
    /// One of its own.
    Inline(Body),
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is called in texts.
    pub noun: Word,
    /// What it is.
    pub doc: Option<Word>,
    /// Caller's resource → the field that holds its id.
    pub owner: Table<Word>,
    /// Whether it does not exist for anyone but its owner.
    pub private: bool,
    /// What is stored.
    pub fields: Table<TypeUse>,
    /// What is looked up when it is shown.
    pub joined: Table<TypeUse>,
    /// The shapes in which it is shown.
    pub views: Table<Vec<ViewField>>,
}

/// A member of a view.
#[derive(Clone, Debug)]
pub struct ViewField {
    /// The name of the member.
    pub shown: Word,
    /// The field that it shows; `skills[].name` picks a member of each.
    pub source: Word,
}

/// The endpoints of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Who calls it, and what for.
    pub doc: Option<Word>,
    /// Path before every endpoint's own.
    pub base: Word,
    /// The credential that every request carries; absent for an open surface.
    pub credential: Option<Word>,
    /// The limits that hold.
    pub limits: Vec<Word>,
    /// The endpoints.
    pub endpoints: Table<Endpoint>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// What it is for.
    pub doc: Option<Word>,
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`, at the place of the key.
    pub method: Word,
    /// The path behind the base, with `:parameters`.
    pub route: Word,
    /// Types of the path parameters.
    pub path: Table<TypeUse>,
    /// The query parameters.
    pub query: Table<TypeUse>,
    /// `lower <= upper`: query parameters of which the first may not be above the second.
    pub constraints: Vec<(Word, Word)>,
    /// `field asc` or `field desc`, the first weighing most.
    pub sort: Vec<Word>,
    /// Which rows a list shows: those for which all of these hold.
    pub filters: Vec<Filter>,
    /// How a list is cut into pages.
    pub pages: Option<Pages>,
    /// The body, where it takes one.
    pub body: Option<BodyUse>,
    /// A bound of its own on the body's bytes.
    pub max_bytes: Option<Num>,
    /// How many of its requests may wait for one caller at a time, where it waits on purpose.
    pub waits_at_once: Option<Num>,
    /// What is proven before the handler runs.
    pub guards: Vec<Guard>,
    /// The decision that lets callers name or see what belongs to others.
    pub open: Option<Word>,
    /// The quota that it counts against.
    pub quota: Option<Word>,
    /// The states that it moves.
    pub transitions: Option<Word>,
    /// Rows of its own, of the step `rule`.
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
    /// HTTP status; 200 where none is given.
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
