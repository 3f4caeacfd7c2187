//! The steps at which a request can be rejected, as `errors` names them with `at`.

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// No endpoint has this path.
    Route,
    /// The path has endpoints, but none of this method.
    Method,
    /// Too many failed credentials from one address.
    CredentialLimit,
    /// No valid credential.
    Credential,
    /// The caller is shut out.
    Suspended,
    /// Too many requests.
    Limit,
    /// Too many requests of the caller at a time.
    InFlight,
    /// Too many bytes wait to be sent, to the caller or to all callers together.
    Busy,
    /// The body is not declared as JSON.
    MediaType,
    /// The body has too many bytes.
    BodySize,
    /// The body takes too long.
    BodyTime,
    /// Path, query or body is not what is declared.
    Decode,
    /// The caller's plan is another one.
    Plan,
    /// Something that the request names does not exist.
    Exists,
    /// It exists, and is somebody else's.
    Owner,
    /// The caller has as many as it may have.
    Quota,
    /// The state may not follow the present one.
    Transition,
    /// A rule of the business, named by the endpoints that have it.
    Rule,
    /// Nothing can be written at the moment.
    Write,
    /// Anything else.
    Internal,
}

impl Step {
    /// All steps with their words.
    pub const ALL: [(Step, &'static str); 20] = [
        (Step::Route, "route"),
        (Step::Method, "method"),
        (Step::CredentialLimit, "credential_limit"),
        (Step::Credential, "credential"),
        (Step::Suspended, "suspended"),
        (Step::Limit, "limit"),
        (Step::InFlight, "in_flight"),
        (Step::Busy, "busy"),
        (Step::MediaType, "media_type"),
        (Step::BodySize, "body_size"),
        (Step::BodyTime, "body_time"),
        (Step::Decode, "decode"),
        (Step::Plan, "plan"),
        (Step::Exists, "exists"),
        (Step::Owner, "owner"),
        (Step::Quota, "quota"),
        (Step::Transition, "transition"),
        (Step::Rule, "rule"),
        (Step::Write, "write"),
        (Step::Internal, "internal"),
    ];

    /// The step that a word names.
    pub fn parse(word: &str) -> Option<Step> {
        Step::ALL.iter().find(|(_, name)| *name == word).map(|(step, _)| *step)
    }

    /// The word that names the step.
    pub fn as_str(self) -> &'static str {
        Step::ALL
            .iter()
            .find(|(step, _)| *step == self)
            .map(|(_, name)| *name)
            .expect("ALL holds every step")
    }

    /// What a row of this step may name in its text and headers as `{name}`. A row of [`Step::Rule`] may name
    /// the path parameters of the endpoints that have the rule, too.
    pub fn placeholders(self) -> &'static [&'static str] {
        match self {
            Step::Method => &["allow"],
            Step::CredentialLimit | Step::Limit => &["seconds"],
            Step::InFlight => &["max"],
            Step::Credential => &["header"],
            Step::BodySize => &["max_bytes"],
            Step::BodyTime => &["max_seconds"],
            Step::Decode => &["faults"],
            Step::Plan => &["plan"],
            Step::Exists | Step::Owner => &["noun", "id"],
            Step::Quota => &["max", "noun"],
            Step::Transition => &["noun", "id", "from", "to"],
            Step::Route
            | Step::Suspended
            | Step::Busy
            | Step::MediaType
            | Step::Rule
            | Step::Write
            | Step::Internal => &[],
        }
    }

    /// Whether a row of this step must come before one of `other`. Everything else is for the contract to choose.
    pub fn precedes(self, other: Step) -> bool {
        use Step::*;
        match (self, other) {
            (a, b) if a == b => false,
            (Route, _) | (_, Internal) => true,
            (_, Route) | (Internal, _) => false,
            (Method, _) => true,
            (_, Method) => false,
            (Credential, Suspended | Busy | Plan | Owner) => true,
            (Credential, InFlight) | (InFlight, MediaType | BodySize | BodyTime | Decode | Exists | Owner) => true,
            (MediaType | BodySize | BodyTime, Decode | Exists | Owner) => true,
            (Decode, Exists | Owner) => true,
            (Exists, Owner) => true,
            (Quota | Transition | Rule, Write) => true,
            (first, Quota | Transition | Rule | Write) => !matches!(first, Quota | Transition | Rule | Write),
            _ => false,
        }
    }
}
