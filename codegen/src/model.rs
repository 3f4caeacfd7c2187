//! The contract, resolved: every name is known to name something, every type is known.
//!
//! Made by [`crate::resolve`] from a [`crate::spec::Spec`] that [`crate::check`] found no fault with. Emitters read
//! the model and nothing else.

use crate::spec::Span;
use crate::step::Step;

/// The whole contract.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name for people.
    pub title: String,
    /// Headers of every answer: name → template.
    pub headers: Vec<(String, Template)>,
    /// Most bytes of a request body, unless the operation says otherwise.
    pub body_max_bytes: u64,
    /// Most seconds that a request body may take.
    pub body_max_seconds: u64,
    /// Members of a success.
    pub success: Vec<(String, EnvelopeValue)>,
    /// Members of an error.
    pub error: Vec<(String, EnvelopeValue)>,
    /// The error table, in order of precedence.
    pub rows: Vec<Row>,
    /// The rate limits.
    pub limits: Vec<Limit>,
    /// The headers in which limits report themselves.
    pub limit_headers: Vec<(String, Template)>,
    /// The quotas.
    pub quotas: Vec<Quota>,
    /// The kinds of credentials.
    pub credentials: Vec<Credential>,
    /// The named types.
    pub types: Vec<NamedType>,
    /// The enumerations.
    pub enums: Vec<Enum>,
    /// The objects.
    pub objects: Vec<Object>,
    /// The named request bodies.
    pub inputs: Vec<Input>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// The surfaces.
    pub surfaces: Vec<Surface>,
}

/// A text with `{placeholders}`, in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// The name between braces.
    Placeholder(String),
}

/// The value of a member of the envelope.
#[derive(Clone, Debug)]
pub enum EnvelopeValue {
    /// JSON text.
    Literal(String),
    /// `$data`, `$message`, …
    Placeholder {
        /// The name without the `$`.
        name: String,
        /// Left out where there is nothing to say.
        optional: bool,
    },
}

/// A row of the error table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// HTTP status.
    pub status: u16,
    /// The step that refuses.
    pub step: Step,
    /// What is said.
    pub text: Template,
    /// Headers that go along.
    pub headers: Vec<(String, Template)>,
    /// Where it stands.
    pub at: Span,
}

/// A rate limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub counts: Counts,
    /// Most in a window.
    pub max: u32,
    /// Length of the window.
    pub window_seconds: u32,
    /// Where it stands.
    pub at: Span,
}

/// What a [`Limit`] counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Requests of these methods.
    Methods {
        /// The methods.
        methods: Vec<String>,
        /// For whom each is counted.
        per: Per,
    },
    /// Credentials that were refused, for each address.
    FailedCredentials,
}

/// For whom requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// For each caller, whatever the address.
    Caller,
    /// For each address, whoever calls.
    Address,
}

/// A quota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Its name.
    pub name: String,
    /// Most of them.
    pub max: u64,
    /// What they are called.
    pub noun: String,
    /// Where it stands.
    pub at: Span,
}

/// A kind of credential.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Its name.
    pub name: String,
    /// The request header.
    pub header: String,
    /// Who acts; `None` where there is only one who can.
    pub caller: Option<Caller>,
    /// First characters.
    pub prefix: String,
    /// Number of random characters.
    pub random: u64,
    /// Number of characters that are shown.
    pub shown: Option<u64>,
    /// Where it stands.
    pub at: Span,
}

/// Who acts with a credential.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The resource.
    pub resource: String,
    /// The resource whose id the limits count by.
    pub limited_by: String,
    /// The field that holds the plan, and its enumeration.
    pub plan: Option<(String, String)>,
    /// The field that shuts it out.
    pub suspended: Option<String>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub rule: TypeRule,
    /// Where it stands.
    pub at: Span,
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeRule {
    /// Text, in Unicode scalar values.
    Text {
        /// Fewest characters.
        min: u64,
        /// Most characters.
        max: Option<u64>,
        /// Allowed characters.
        chars: Option<String>,
    },
    /// A number.
    Number {
        /// Least, inclusive.
        min: Option<f64>,
        /// Least, exclusive.
        exclusive_min: Option<f64>,
        /// Greatest, inclusive.
        max: Option<f64>,
        /// Most decimal places.
        decimals: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// Least, inclusive.
        min: Option<i64>,
        /// Greatest, inclusive.
        max: Option<i64>,
    },
    /// A list.
    List {
        /// Type of the items.
        of: Box<Type>,
        /// Fewest.
        min: u64,
        /// Most.
        max: Option<u64>,
        /// The member that may not be the same twice.
        unique: Option<String>,
    },
    /// An object with members of its own.
    FreeForm {
        /// Most bytes as compact JSON.
        max_bytes: u64,
    },
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A named type.
    Named(String),
    /// Stored text that no request carries.
    Stored,
    /// A credential, shown once.
    Secret,
    /// `true` or `false`.
    Boolean,
    /// A query's `1`, `true`, `0` or `false`.
    Flag,
    /// A calendar date.
    Date,
    /// A point in time, whole seconds, UTC.
    Timestamp,
    /// The id of a resource.
    Id(String),
    /// An enumeration.
    Enum(String),
    /// An object.
    Object(String),
    /// A named input.
    Input(String),
    /// A view: resource and view.
    View(String, String),
}

/// The type of a field, member or parameter.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is, or what its items are.
    pub kind: Kind,
    /// Whether it is a list of those.
    pub list: bool,
    /// Whether it may be null or absent.
    pub optional: bool,
    /// Its value when it is not given, as written.
    pub default: Option<String>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// The enumeration that it is a part of.
    pub part_of: Option<String>,
    /// Its states, where it has any.
    pub states: Option<States>,
    /// Where it stands.
    pub at: Span,
}

/// Which value may follow which.
#[derive(Clone, Debug)]
pub struct States {
    /// The first one.
    pub initial: String,
    /// From → to; `None` where any may follow any.
    pub transitions: Option<Vec<(String, Vec<String>)>>,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<Field>,
    /// Where it stands.
    pub at: Span,
}

/// A field, member or parameter.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// Where it stands.
    pub at: Span,
}

/// A named request body.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its members.
    pub body: Body,
}

/// A request body.
#[derive(Clone, Debug)]
pub struct Body {
    /// The resource that it makes or changes.
    pub resource: Option<String>,
    /// Whether it is partial: at least one member, each of them may be absent.
    pub partial: bool,
    /// All members; those of the record first.
    pub members: Vec<BodyMember>,
    /// Where it stands.
    pub at: Span,
}

/// A member of a [`Body`].
#[derive(Clone, Debug)]
pub struct BodyMember {
    /// Name and type.
    pub field: Field,
    /// Whether it is a field of the body's record.
    pub of_record: bool,
    /// Whether it must be given.
    pub required: bool,
}

/// What an operation takes as its body.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(String),
    /// One of its own.
    Inline(Body),
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// What it is called in texts.
    pub noun: String,
    /// Caller's resource → field with its id.
    pub owner: Vec<(String, String)>,
    /// Whether it does not exist for anyone but its owner.
    pub private: bool,
    /// What is stored.
    pub fields: Vec<Field>,
    /// What is looked up when shown.
    pub joined: Vec<Field>,
    /// Its shapes.
    pub views: Vec<View>,
    /// Where it stands.
    pub at: Span,
}

/// A shape of a resource.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<ViewMember>,
}

/// A member of a [`View`].
#[derive(Clone, Debug)]
pub struct ViewMember {
    /// Its name.
    pub shown: String,
    /// Where the value comes from.
    pub source: Source,
    /// The type of the value as shown.
    pub of: Type,
}

/// Where a member of a view comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A stored field.
    Stored(String),
    /// A member of each item of a stored field.
    Each(String, String),
    /// A joined field.
    Joined(String),
}

/// The operations of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Its name.
    pub name: String,
    /// Path before every operation's own, without a slash at its end.
    pub base: String,
    /// The credential of every request.
    pub credential: Option<String>,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Where it stands.
    pub at: Span,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub doc: Option<String>,
    /// `GET`, `POST`, …
    pub method: String,
    /// The path behind the base, as written.
    pub route: String,
    /// The path in pieces.
    pub segments: Vec<Segment>,
    /// Path parameters.
    pub path: Vec<Field>,
    /// Query parameters.
    pub query: Vec<Field>,
    /// Query parameters of which the first may not be above the second.
    pub constraints: Vec<(String, String)>,
    /// Fields of the listed resource, and whether the order is reversed.
    pub sort: Vec<(String, bool)>,
    /// Its body.
    pub body: Option<BodyUse>,
    /// Most bytes of the body.
    pub max_bytes: u64,
    /// The limit that counts it.
    pub limit: Option<String>,
    /// The plan that is required.
    pub plan: Option<String>,
    /// What must exist, in order.
    pub exists: Vec<Exists>,
    /// The resources that the caller must own.
    pub owned: Vec<String>,
    /// The quota that it counts against.
    pub quota: Option<String>,
    /// The states that it moves: resource and enumeration.
    pub transitions: Option<(String, String)>,
    /// Rows of its own.
    pub rules: Vec<String>,
    /// HTTP status of a success.
    pub status: u16,
    /// `data`
    pub data: Option<Data>,
    /// `message`
    pub message: Option<String>,
    /// Members beside `data`.
    pub siblings: Vec<String>,
    /// Where it stands.
    pub at: Span,
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// As it stands.
    Literal(String),
    /// A parameter.
    Parameter(String),
}

/// A resource that must exist.
#[derive(Clone, Debug)]
pub struct Exists {
    /// The resource.
    pub resource: String,
    /// Where its id comes from.
    pub id: IdSource,
    /// The resource that it must belong to, and the field that holds that one's id.
    pub parent: Option<(String, String)>,
}

/// Where an id of a request stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// In the path.
    Path(String),
    /// In the body.
    Body(String),
}

/// The `data` of a success.
#[derive(Clone, Debug)]
pub enum Data {
    /// One view.
    One {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// A list of a view.
    Many {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// An object.
    Members(Vec<Field>),
}

impl Model {
    /// The row of a step that has only one; [`Step::Rule`] has many.
    pub fn row_at(&self, step: Step) -> Option<&Row> {
        self.rows.iter().find(|row| row.step == step)
    }

    /// The row of this name.
    pub fn row(&self, name: &str) -> &Row {
        find(&self.rows, |row| row.name == name)
    }

    /// The resource of this name.
    pub fn resource(&self, name: &str) -> &Resource {
        find(&self.resources, |resource| resource.name == name)
    }

    /// The named type of this name.
    pub fn named_type(&self, name: &str) -> &NamedType {
        find(&self.types, |named| named.name == name)
    }

    /// The enumeration of this name.
    pub fn enumeration(&self, name: &str) -> &Enum {
        find(&self.enums, |one| one.name == name)
    }

    /// The object of this name.
    pub fn object(&self, name: &str) -> &Object {
        find(&self.objects, |object| object.name == name)
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> &Input {
        find(&self.inputs, |input| input.name == name)
    }

    /// The quota of this name.
    pub fn quota(&self, name: &str) -> &Quota {
        find(&self.quotas, |quota| quota.name == name)
    }

    /// The limit of this name.
    pub fn limit(&self, name: &str) -> &Limit {
        find(&self.limits, |limit| limit.name == name)
    }

    /// The credential of this name.
    pub fn credential(&self, name: &str) -> &Credential {
        find(&self.credentials, |credential| credential.name == name)
    }

    /// The body that an operation takes.
    pub fn body<'m>(&'m self, operation: &'m Operation) -> Option<&'m Body> {
        operation.body.as_ref().map(|body| match body {
            BodyUse::Named(name) => &self.input(name).body,
            BodyUse::Inline(body) => body,
        })
    }
}

fn find<T>(items: &[T], is_it: impl Fn(&T) -> bool) -> &T {
    items
        .iter()
        .find(|item| is_it(item))
        .expect("resolved names name something")
}

impl Resource {
    /// The stored field of this name.
    pub fn field(&self, name: &str) -> &Field {
        find(&self.fields, |field| field.name == name)
    }
}

impl Template {
    /// The names of the placeholders, each once, in order.
    pub fn placeholders(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for piece in &self.0 {
            if let Piece::Placeholder(name) = piece
                && !names.contains(&name.as_str())
            {
                names.push(name.as_str());
            }
        }
        names
    }

    /// The template with those placeholders filled in whose value `known` gives.
    pub fn filled(&self, known: impl Fn(&str) -> Option<String>) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        for piece in &self.0 {
            let text = match piece {
                Piece::Text(text) => Some(text.clone()),
                Piece::Placeholder(name) => known(name),
            };
            match (text, pieces.last_mut()) {
                (Some(text), Some(Piece::Text(before))) => before.push_str(&text),
                (Some(text), _) => pieces.push(Piece::Text(text)),
                (None, _) => pieces.push(piece.clone()),
            }
        }
        Self(pieces)
    }
}

impl Row {
    /// The placeholders of its text and headers, each once, in order.
    pub fn placeholders(&self) -> Vec<&str> {
        let mut names = self.text.placeholders();
        for (_, template) in &self.headers {
            for name in template.placeholders() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}
