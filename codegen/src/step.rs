//! The steps at which a request can be rejected. An entry of `errors` names its step with `at`.

/// A step at which a request can be rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// No endpoint has this path.
    Route,
    /// The path has endpoints, but none with this method.
    Method,
    /// The application is not available at the moment.
    Available,
    /// Too many failed credentials from one address.
    CredentialLimit,
    /// No valid credential.
    Credential,
    /// The caller is suspended.
    Suspended,
    /// Too many requests.
    Limit,
    /// Too many bytes were sent to the caller.
    ResponseBytes,
    /// Too many concurrent requests of the caller.
    InFlight,
    /// Too many bytes wait to be sent, to the caller or to all callers together.
    Busy,
    /// The body is not declared as JSON, or is encoded.
    MediaType,
    /// The body has too many bytes.
    BodySize,
    /// The body takes too long to arrive.
    BodyTime,
    /// The path, the query or the body is invalid.
    Decode,
    /// The idempotency key was sent with another request.
    KeyReused,
    /// The first request with the idempotency key is in progress.
    KeyInProgress,
    /// The first answer to the idempotency key had a secret, which is not stored.
    KeySecret,
    /// The caller does not have the required plan.
    Plan,
    /// Something that the request names does not exist.
    Exists,
    /// It exists, and belongs to another account.
    Owner,
    /// The caller has reached a quota.
    Quota,
    /// The new state may not follow the current one.
    Transition,
    /// A business rule of the endpoints that name it.
    Rule,
    /// Nothing can be written at the moment.
    Write,
    /// Something was to be written, and it is not known whether it was.
    Outcome,
    /// Any other failure.
    Internal,
}

impl Step {
    /// All steps, with their names.
    pub const ALL: [(Step, &'static str); 26] = [
        (Step::Route, "route"),
        (Step::Method, "method"),
        (Step::Available, "available"),
        (Step::CredentialLimit, "credential_limit"),
        (Step::Credential, "credential"),
        (Step::Suspended, "suspended"),
        (Step::Limit, "limit"),
        (Step::ResponseBytes, "response_bytes"),
        (Step::InFlight, "in_flight"),
        (Step::Busy, "busy"),
        (Step::MediaType, "media_type"),
        (Step::BodySize, "body_size"),
        (Step::BodyTime, "body_time"),
        (Step::Decode, "decode"),
        (Step::KeyReused, "key_reused"),
        (Step::KeyInProgress, "key_in_progress"),
        (Step::KeySecret, "key_secret"),
        (Step::Plan, "plan"),
        (Step::Exists, "exists"),
        (Step::Owner, "owner"),
        (Step::Quota, "quota"),
        (Step::Transition, "transition"),
        (Step::Rule, "rule"),
        (Step::Write, "write"),
        (Step::Outcome, "outcome"),
        (Step::Internal, "internal"),
    ];

    /// The step with this name.
    pub fn parse(word: &str) -> Option<Step> {
        Step::ALL.iter().find(|(_, name)| *name == word).map(|(step, _)| *step)
    }

    /// The name of the step.
    pub fn as_str(self) -> &'static str {
        Step::ALL
            .iter()
            .find(|(step, _)| *step == self)
            .map(|(_, name)| *name)
            .expect("ALL holds every step")
    }

    /// The placeholders `{name}` that an error of this step may use in its text and headers. An error of [`Step::Rule`]
    /// may also use the path parameters of the endpoints that name it.
    pub fn placeholders(self) -> &'static [&'static str] {
        match self {
            Step::Method => &["allow"],
            Step::CredentialLimit | Step::Limit => &["seconds"],
            Step::ResponseBytes => &["max", "seconds"],
            Step::InFlight => &["max"],
            Step::Route => &["did_you_mean"],
            Step::Credential => &["header", "problem"],
            Step::MediaType => &["types"],
            Step::BodySize => &["max_bytes"],
            Step::BodyTime => &["max_seconds"],
            Step::Decode => &["faults", "fault_codes"],
            Step::Plan => &["plan"],
            Step::Exists | Step::Owner | Step::KeySecret => &["noun", "id"],
            Step::Quota => &["max", "noun"],
            Step::Transition => &["noun", "id", "from", "to"],
            Step::Available
            | Step::Suspended
            | Step::Busy
            | Step::KeyReused
            | Step::KeyInProgress
            | Step::Rule
            | Step::Write
            | Step::Outcome
            | Step::Internal => &[],
        }
    }

    /// Whether no ordinary request reaches it: it needs many bytes, held connections, unread answers, a timeout, or a failure.
    pub fn is_out_of_reach(self) -> bool {
        use Step::*;
        matches!(
            self,
            Available | ResponseBytes | InFlight | Busy | BodyTime | KeyInProgress | Write | Outcome | Internal
        )
    }

    /// Whether an error of this step must come before one of `other`. The contract chooses the rest of the order.
    pub fn precedes(self, other: Step) -> bool {
        use Step::*;
        match (self, other) {
            (a, b) if a == b => false,
            (Route, _) | (_, Internal) => true,
            (_, Route) | (Internal, _) => false,
            (Method, _) => true,
            (_, Method) => false,
            (Available, _) => true,
            (_, Available) => false,
            (Credential, Suspended | ResponseBytes | Busy | Plan | Owner) => true,
            (Credential, InFlight) | (InFlight, MediaType | BodySize | BodyTime | Decode | Exists | Owner) => true,
            (MediaType | BodySize | BodyTime, Decode | Exists | Owner) => true,
            (Decode, Exists | Owner) => true,
            (Exists, Owner) => true,
            (KeyReused, KeyInProgress | KeySecret) | (KeyInProgress, KeySecret) => true,
            (Credential | Decode, KeyReused | KeyInProgress | KeySecret) => true,
            (KeyReused | KeyInProgress | KeySecret, Plan | Exists | Owner) => true,
            (Quota | Transition | Rule, Write | Outcome) => true,
            (first, Quota | Transition | Rule | Write | Outcome) => {
                !matches!(first, Quota | Transition | Rule | Write | Outcome)
            }
            _ => false,
        }
    }
}
