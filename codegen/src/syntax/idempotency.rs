//! `idempotency` of the contract and of its endpoints

use super::endpoints::{Data, Endpoint, Surface};
use super::file::Spec;
use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{Boolean, Period, name};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Span, Word};
use crate::yaml::{Node, Value as Tree};

section! {
    /// `idempotency`
    Idempotency = "`idempotency`" at "idempotency" with head;
    doc "Safe retries. A request with an idempotency key is done once, however often a caller sends it: a repetition \
         gets the stored answer, byte for byte. Each POST that `makes` records takes keys, if its surface has a \
         `credential`, and its `data` is absent or a map of members. If these have a `secret`, they also need the id \
         of what is made. Keys of different callers are independent.";
    example "{ header: Idempotency-Key, keep: 24h, replayed: Idempotent-Replayed }";
    keys {
        header: required(name::Header), example "Idempotency-Key",
            doc "The request header that carries the key: 1 to 255 visible ASCII characters, bare or in double quotes. \
                 As a tool, the endpoint has the argument `idempotency_key` instead.",
            effect "`once` in the handler's request, which the store needs to make the success; the error responses of \
                    the steps `key_reused`, `key_in_progress` and `key_secret`; the trait `FindAnswer`.";
        keep: required(Period), example "24h",
            doc "How long the answer to a success is stored. Other answers are not stored: the request changed nothing, \
                 and may be sent again.",
            effect "When the store may remove an answer.";
        replayed: required(name::Header), example "Idempotent-Replayed",
            doc "The header of a stored answer.",
            effect "The header with the value `true`, if the answer is that of an earlier request.";
    }
    aliases {
        "ttl" "expires" "expiry" => "write how long answers are stored as `keep: 24h`";
        "methods" => "every POST that `makes` records takes keys; an endpoint that must not says `idempotency: false`";
    }
}

section! {
    /// `idempotency` of an endpoint
    OwnIdempotency = "`idempotency` of an endpoint" at "surfaces.NAME.endpoints.NAME.idempotency" with head;
    doc "What the endpoint has instead of the contract's `idempotency`.";
    example "{ keep: 30d }";
    keys {
        keep: required(Period), example "30d",
            doc "How long the answer to a success is stored.",
            effect "When the store may remove an answer.";
    }
    aliases {
        "ttl" "expires" "expiry" => "write how long answers are stored as `keep: 30d`";
    }
}

/// `idempotency` of an endpoint.
#[derive(Clone, Debug)]
pub enum KeyUse {
    /// The endpoint takes no keys.
    Off(Span),
    /// It keeps its answers for a time of its own.
    Kept(OwnIdempotency),
}

impl KeyUse {
    /// Its position.
    pub fn at(&self) -> Span {
        match self {
            KeyUse::Off(at) => *at,
            KeyUse::Kept(own) => own.at,
        }
    }
}

impl Value for KeyUse {
    const FORM: Form = Form::Either {
        expected: "`false`, or a map with `keep`",
        of: &[OwnIdempotency::FORM, Boolean::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        if let Tree::Map(_) = &node.form {
            return KeyUse::Kept(OwnIdempotency::read(node, form, reader));
        }
        if Boolean::read(node, form, reader) {
            let message = "an endpoint takes idempotency keys if the contract has `idempotency`";
            let help = "remove it, or write `idempotency: false` for an endpoint that takes none";
            reader.report(Diagnostic::new(Rule::BadValue, node.at, message).help(help));
        }
        KeyUse::Off(node.at)
    }
}

impl Endpoint {
    /// Whether it could take idempotency keys: it makes records for a known caller, and its answer can be stored.
    pub fn can_take_keys(&self, surface: &Surface) -> bool {
        let can_be_stored = match &self.success.data {
            None => true,
            Some(Data::View(_)) => false,
            Some(Data::Members(members)) => {
                let is_secret = members.iter().any(|(_, used)| used.name.text == "secret");
                !is_secret || self.made_id().is_some()
            }
        };
        let makes = self.method.text == "POST" && self.makes.is_some();
        makes && surface.credential.is_some() && can_be_stored && self.success.siblings.is_empty()
    }

    /// For how many seconds it keeps its answers, if it takes idempotency keys.
    pub fn keep_seconds(&self, spec: &Spec, surface: &Surface) -> Option<u32> {
        let general = spec.idempotency.as_ref()?.keep;
        let own = match &self.idempotency {
            Some(KeyUse::Off(_)) => None,
            Some(KeyUse::Kept(own)) => Some(own.keep),
            None => Some(general),
        };
        own.filter(|_| self.can_take_keys(surface)).map(|keep| keep.seconds)
    }

    /// Whether its success has a secret.
    pub fn shows_secret(&self) -> bool {
        let is_secret = |(_, used): &(Word, super::TypeUse)| used.name.text == "secret";
        matches!(&self.success.data, Some(Data::Members(members)) if members.iter().any(is_secret))
    }

    /// The first member of the success that is the id of a record that it makes.
    pub fn made_id(&self) -> Option<&Word> {
        let (Some(Data::Members(members)), Some(makes)) = (&self.success.data, &self.makes) else {
            return None;
        };
        let is_made = |id: &str| {
            let resource = id.strip_suffix(".id");
            resource.is_some_and(|resource| makes.get(resource).is_some())
        };
        let mut ids = members
            .iter()
            .filter(|(_, used)| !used.list && is_made(&used.name.text));
        ids.next().map(|(name, _)| name)
    }
}
