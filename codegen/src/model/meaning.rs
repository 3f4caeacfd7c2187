//! The declared meaning of a contract: where values come from that no request carries, what operations do to the stored
//! records, and when rules apply.

use super::{FileFact, Filter, FilterBy, Kind, Matching, Model, Operation, Source, Span, TypeRule};
use std::fmt;

/// Where the value of a field comes from that the service fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The time of the request that creates the record.
    Now,
    /// The number of records of a resource whose field `via` holds the id of this record, or has this record as an
    /// item (`distinct`).
    Count {
        /// The counted resource.
        resource: String,
        /// Its field with the id, or the list.
        via: String,
        /// Which records count. `None`: all.
        only: Option<FieldIs>,
    },
    /// A field of the record with the greatest id among those whose field `via` holds the id of this record. Null if
    /// there is none.
    Latest {
        /// The resource of these records.
        resource: String,
        /// Its field with the id.
        via: String,
        /// The field that is shown.
        field: String,
    },
    /// All records of a resource whose field `via` holds the id of this record, by id, in the view of the field's type.
    All {
        /// The resource of these records.
        resource: String,
        /// Its field with the id.
        via: String,
    },
    /// The current value of a field of another record: `ids` lead to it, one after the other. Null if one of them is.
    Follow {
        /// Fields with ids, and the resource that each leads to.
        ids: Vec<(String, String)>,
        /// The field of the last resource.
        field: String,
    },
    /// One number for each distinct combination of these members that a record has, which are compared as texts of their
    /// types are. A combination that returns gets a new number.
    NumberOf(Vec<String>),
    /// A digest of the record's own credential of this kind. Null while it has none.
    Digest(String),
    /// The first characters of the record's own credential of this kind, as [`Credential::shown`](super::Credential)
    /// says.
    Start(String),
    /// Whether the record has a credential of this kind.
    Has(String),
    /// How many more records of a resource the only quota of both resources permits. Its field `via` holds the id of this
    /// record.
    Left {
        /// The counted resource.
        resource: String,
        /// Its field with the id.
        via: String,
    },
    /// Maximum number of requests with this method in a window, for each credential of the record.
    Rate {
        /// The method.
        method: String,
        /// The maximum of the limit.
        max: u32,
    },
    /// When the record's own credential was last used.
    LastUse {
        /// The kind of credential.
        credential: String,
        /// Maximum seconds by which a later use may be missing.
        seconds: u32,
    },
    /// What is known of the file that makes the record.
    File(FileFact),
}

/// What an operation does to the stored records, in the order in which it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A new record, or one for each item of a member of the body.
    Make {
        /// The resource.
        resource: String,
        /// The member of the body, a list: one record for each item.
        each: Option<String>,
        /// Every stored field, and what fills it, in the order of the resource.
        fills: Vec<(String, Fill)>,
        /// The fields with ids of others of which there is one record only: it is changed if there is one. Empty: there is
        /// always a new one.
        one_for: Vec<String>,
        /// Position in the file.
        at: Span,
    },
    /// The members of the body replace the fields of the same names.
    Change {
        /// The resource.
        resource: String,
        /// Which record.
        target: Target,
        /// Position in the file.
        at: Span,
    },
    /// The record that a guard found is deleted, and with it its credential.
    End {
        /// The resource.
        resource: String,
        /// Position in the file.
        at: Span,
    },
    /// A new credential replaces the former one of a record.
    Renew {
        /// The kind of credential.
        credential: String,
        /// Whose credential: a record of the resource by which limits count its requests.
        target: Target,
        /// Position in the file.
        at: Span,
    },
    /// The credential of a record ends.
    Revoke {
        /// The kind of credential.
        credential: String,
        /// Whose credential: a record of the resource by which limits count its requests.
        target: Target,
        /// Position in the file.
        at: Span,
    },
}

/// A record that an operation knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The record of this resource that the operation itself creates.
    Made(String),
    /// The record of this resource that a guard found.
    Found(String),
    /// The record of the caller.
    Caller,
}

/// What fills a stored field of a new record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// The next id.
    Id,
    /// A member of the body, or of the item if there is one record for each. If it is absent: the field's default, null,
    /// or an empty list.
    Member(String),
    /// The id of this record.
    IdOf(Target),
    /// The value that a field of a record has which a guard found.
    FieldOf {
        /// The resource of the record.
        resource: String,
        /// Its stored field.
        field: String,
    },
    /// A fixed value, as written.
    Literal(String),
    /// Where the field itself says.
    Origin,
    /// The first state.
    Initial,
    /// The field's default.
    Default,
    /// Null, or an empty list.
    Nothing,
    /// The contract does not declare it.
    Undeclared,
}

/// Where a member of `data` comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerFrom {
    /// The id of a record.
    Id(Target),
    /// The ids of all records of this resource that the operation created, in order.
    Ids(String),
    /// The new credential of this kind.
    Secret(String),
    /// A stored or joined field of a record.
    Field(Target, String),
    /// A record in the view of the member's type.
    View(Target),
    /// A member of the body.
    Member(String),
    /// The contract does not declare it.
    Undeclared,
}

/// When a rule rejects a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `Bounty.status is not open`: a field of a record that the operation found, or of the caller.
    Field {
        /// The resource.
        resource: String,
        /// What must be so of it.
        is: FieldIs,
    },
    /// `exists Application in Bounty of caller`: there is such a record.
    Exists {
        /// The resource.
        resource: String,
        /// Whether there must be none: `no Application in Bounty`.
        none: bool,
        /// The resources whose records it must name, and its fields with their ids. The caller has the name `None`.
        within: Vec<(Option<String>, String)>,
    },
    /// `taken Reader.email`: another record has the text that the operation gives to this field of a record, or two records of
    /// the request have the same one. Texts are compared character by character. Null is never taken.
    Taken {
        /// The resource.
        resource: String,
        /// Its field, a text.
        field: String,
    },
}

/// `status is open or in_progress`, `is_blocked is not true`, `compartment_id is null`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldIs {
    /// The stored field.
    pub field: String,
    /// Whether it must be none of these values.
    pub not: bool,
    /// Values of an enum, `true`, `false` or `null`, as written.
    pub values: Vec<String>,
}

/// How texts of a type are compared by filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alike {
    /// Character by character.
    #[default]
    Exact,
    /// After Unicode case folding.
    Casefold,
    /// After Unicode NFKC normalization and case folding.
    NfkcCasefold,
}

/// Texts of a field that mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synonyms {
    /// The resource.
    pub resource: String,
    /// Its field.
    pub field: String,
    /// Texts that mean the same, in groups.
    pub groups: Vec<Vec<String>>,
    /// Position in the file.
    pub at: Span,
}

impl Model {
    /// How texts of this kind, or of its items, are compared.
    pub fn alike(&self, kind: &Kind) -> Alike {
        match kind {
            Kind::Named(name) => match &self.named_type(name).rule {
                TypeRule::List { of, .. } => self.alike(&of.kind),
                TypeRule::Text { alike, .. } => *alike,
                _ => Alike::Exact,
            },
            _ => Alike::Exact,
        }
    }

    /// Whether a rule of the operation has a cause that the contract does not declare, and that ordinary requests can have.
    pub fn has_own_rule(&self, operation: &Operation) -> bool {
        let mut rules = operation.rules.iter().map(|rule| self.error(&rule.text));
        rules.any(|rule| rule.when.is_none() && !rule.is_out_of_reach())
    }

    /// The texts that mean the same to a filter of a list of this resource.
    pub fn synonyms_of(&self, resource: &str, filter: &Filter) -> Option<&Synonyms> {
        let (resource, field) = match (&filter.synonyms, &filter.by, &filter.field, &filter.through) {
            (Some((resource, field)), ..) => (resource.as_str(), field),
            (None, FilterBy::Query(_, Matching::Equal), Source::Stored(field), None) => (resource, field),
            _ => return None,
        };
        let mut synonyms = self.synonyms.iter();
        synonyms.find(|one| one.resource == resource && one.field == *field)
    }
}

impl Alike {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Alike::Exact => "exact",
            Alike::Casefold => "casefold",
            Alike::NfkcCasefold => "nfkc_casefold",
        }
    }

    /// The comparison with this name.
    pub(crate) fn from_name(name: &str) -> Alike {
        match name {
            "casefold" => Alike::Casefold,
            "nfkc_casefold" => Alike::NfkcCasefold,
            _ => Alike::Exact,
        }
    }
}

impl Effect {
    /// Whether it makes records of this resource.
    pub fn makes(&self, resource: &str) -> bool {
        matches!(self, Effect::Make { resource: of, .. } if of == resource)
    }

    /// The key that declares it.
    pub fn key(&self) -> &'static str {
        match self {
            Effect::Make { one_for, .. } if !one_for.is_empty() => "puts",
            Effect::Make { .. } => "makes",
            Effect::Change { .. } => "changes",
            Effect::End { .. } => "ends",
            Effect::Renew { .. } => "renews",
            Effect::Revoke { .. } => "revokes",
        }
    }
}

/// As in a contract: `count Loan`, `author_id.name`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Now => f.write_str("now"),
            Origin::Count { resource, via: _, only } => {
                write!(f, "count {resource}")?;
                only.iter().try_for_each(|only| write!(f, " where {only}"))
            }
            Origin::Latest {
                resource,
                via: _,
                field,
            } => write!(f, "latest {resource}.{field}"),
            Origin::All { resource, via: _ } => write!(f, "all {resource}"),
            Origin::Follow { ids, field } => {
                ids.iter().try_for_each(|(id, _)| write!(f, "{id}."))?;
                f.write_str(field)
            }
            Origin::NumberOf(members) => write!(f, "number of [{}]", members.join(", ")),
            Origin::Digest(credential) => write!(f, "digest of {credential}"),
            Origin::Start(credential) => write!(f, "start of {credential}"),
            Origin::Has(credential) => write!(f, "has {credential}"),
            Origin::Left { resource, via: _ } => write!(f, "left of {resource}"),
            Origin::Rate { method, max: _ } => write!(f, "rate of {method}"),
            Origin::File(fact) => write!(f, "{} of file", fact.as_str()),
            Origin::LastUse { credential, seconds } => write!(f, "last use of {credential} within {seconds} s"),
        }
    }
}

/// What is created, and what fills each field.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Make {
                resource,
                each,
                fills,
                one_for,
                ..
            } => {
                write!(f, "a new {resource}")?;
                if !one_for.is_empty() {
                    write!(f, ", or the one with the same {}", one_for.join(" and "))?;
                }
                if let Some(each) = each {
                    write!(f, " for each item of {each}")?;
                }
                let fills: Vec<String> = fills.iter().map(|(field, fill)| format!("{field}: {fill}")).collect();
                match fills.is_empty() {
                    true => Ok(()),
                    false => write!(f, " ({})", fills.join(", ")),
                }
            }
            Effect::Change { target, .. } => write!(f, "{target}"),
            Effect::End { resource, .. } => write!(f, "the {resource} that was found"),
            Effect::Renew { credential, target, .. } | Effect::Revoke { credential, target, .. } => {
                write!(f, "the {credential} of {target}")
            }
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Made(resource) => write!(f, "the new {resource}"),
            Target::Found(resource) => write!(f, "the {resource} that was found"),
            Target::Caller => f.write_str("the caller"),
        }
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fill::Id => f.write_str("the next id"),
            Fill::Member(name) => write!(f, "${name}"),
            Fill::IdOf(target) => write!(f, "the id of {target}"),
            Fill::FieldOf { resource, field } => write!(f, "{resource}.{field}"),
            Fill::Literal(text) => f.write_str(text),
            Fill::Origin => f.write_str("its own source"),
            Fill::Initial => f.write_str("the initial state"),
            Fill::Default => f.write_str("its default"),
            Fill::Nothing => f.write_str("nothing"),
            Fill::Undeclared => f.write_str("undeclared"),
        }
    }
}

/// As in a contract: `Loan.status is back`, `exists Loan in Book of caller`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Field { resource, is } => write!(f, "{resource}.{is}"),
            Condition::Exists { resource, none, within } => {
                write!(f, "{} {resource}", if *none { "no" } else { "exists" })?;
                within.iter().try_for_each(|(parent, _)| match parent {
                    Some(parent) => write!(f, " in {parent}"),
                    None => f.write_str(" of caller"),
                })
            }
            Condition::Taken { resource, field } => write!(f, "taken {resource}.{field}"),
        }
    }
}

impl FieldIs {
    /// Whether it is so of a field with this value.
    pub fn holds(&self, value: &str) -> bool {
        self.values.iter().any(|one| one == value) != self.not
    }
}

/// As in a contract: `status is open`, `status is not out or late`.
impl fmt::Display for FieldIs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.not { "not " } else { "" };
        write!(f, "{} is {not}{}", self.field, self.values.join(" or "))
    }
}

impl fmt::Display for AnswerFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerFrom::Id(target) => write!(f, "the id of {target}"),
            AnswerFrom::Ids(resource) => write!(f, "the ids of the new {resource}"),
            AnswerFrom::Secret(credential) => write!(f, "the new {credential}"),
            AnswerFrom::Field(target, field) => write!(f, "{field} of {target}"),
            AnswerFrom::View(target) => write!(f, "{target}"),
            AnswerFrom::Member(name) => write!(f, "${name}"),
            AnswerFrom::Undeclared => f.write_str("undeclared"),
        }
    }
}
