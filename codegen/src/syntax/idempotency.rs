//! `idempotency` of the contract and of its endpoints

use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{Boolean, Period, name};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Span;
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
    OwnIdempotency = "an answer period" at "surfaces.NAME.endpoints.NAME.idempotency" with head;
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
