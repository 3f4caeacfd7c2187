//! Where the value of a field comes from, written after its type: `timestamp = now`, `name = account_id.name`.

use super::conditions::{FieldIs, is, words, wrong};
use crate::diagnostic::Rule;
use crate::span::Word;
use crate::syntax::grammar::Uses;
use crate::syntax::reader::Reader;

/// Where the value of a field comes from that the service fills in.
#[derive(Clone, Debug)]
pub enum Origin {
    /// `now`
    Now,
    /// `count Loan`, `count Loan where status is open`
    Count(Word, Option<FieldIs>),
    /// `latest Loan.until`
    Latest {
        /// The resource.
        resource: Word,
        /// Its field.
        field: Word,
    },
    /// `all Loan`
    All(Word),
    /// `book_id.title`: fields with ids, and a field of the last record.
    Follow(Vec<Word>),
    /// `number of [name, category]`
    NumberOf(Vec<Word>),
    /// `digest of card`
    Digest(Word),
    /// `start of card`
    Start(Word),
    /// `has card`
    Has(Word),
    /// `left of Loan`
    Left(Word),
    /// `rate of GET`
    Rate(Word),
    /// `last use of card within 60 s`
    LastUse {
        /// The kind of credential.
        credential: Word,
        /// Maximum seconds by which a later use may be missing.
        seconds: u32,
    },
    /// `type of file`, `bytes of file`, `digest of file`
    File(FileFact),
}

/// What is known of a file that was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFact {
    /// Its media type.
    Type,
    /// Its length in bytes.
    Bytes,
    /// Its SHA-256 digest in hexadecimal digits.
    Digest,
}

impl FileFact {
    /// Its name, before `of file`.
    pub fn as_str(self) -> &'static str {
        match self {
            FileFact::Type => "type",
            FileFact::Bytes => "bytes",
            FileFact::Digest => "digest",
        }
    }
}

/// The origin that `written` states after the type `of`. `None` if it is a default, or after a diagnostic: then the second
/// value is true.
pub(super) fn origin((of, written): (&str, &Word), uses: Uses, reader: &mut Reader) -> (Option<Origin>, bool) {
    let first = written.text.split_whitespace().next().unwrap_or_default();
    let is_origin = match uses {
        Uses::Joined => true,
        Uses::Stored => match first {
            "now" => of == "timestamp",
            "count" | "latest" | "number" | "digest" | "start" | "last" | "type" | "bytes" => {
                written.text.contains(char::is_whitespace)
            }
            _ => false,
        },
        _ => false,
    };
    if !is_origin {
        return (None, false);
    }
    let found = parsed(written, uses);
    if found.is_none() {
        reader.report(wrong(Rule::BadOrigin, written, "the source of a value").help(match uses {
            Uses::Joined => "write `field_id.field`, `count Resource`, `count Resource where field is value`, `latest Resource.field`, `all Resource`, `has credential`, `left of Resource` or `rate of METHOD`",
            _ => {
                "write `now`, `count Resource`, `count Resource where field is value`, `latest Resource.field`, `number of [member, …]`, `digest of \
                 credential`, `start of credential`, `last use of credential within 60 s`, `type of file`, `bytes of \
                 file` or `digest of file`"
            }
        }));
    }
    (found, true)
}

fn parsed(written: &Word, uses: Uses) -> Option<Origin> {
    let is_stored = uses == Uses::Stored;
    let parts = words(written);
    let texts: Vec<&str> = parts.iter().map(|word| word.text.as_str()).collect();
    Some(match texts.as_slice() {
        ["now"] if is_stored => Origin::Now,
        ["count", _] => Origin::Count(parts[1].clone(), None),
        ["count", _, "where", ..] => {
            let (_, only) = written.text.split_once(" where ")?;
            Origin::Count(
                parts[1].clone(),
                Some(is(&written.part(only)).filter(|is| !is.field.text.contains('.'))?),
            )
        }
        ["latest", place] => {
            let (resource, field) = place.split_once('.')?;
            let skipped = &parts[1];
            Origin::Latest {
                resource: skipped.part(&skipped.text[..resource.len()]),
                field: skipped.part(&skipped.text[skipped.text.len() - field.len()..]),
            }
        }
        ["has", _] if !is_stored => Origin::Has(parts[1].clone()),
        ["left", "of", _] if !is_stored => Origin::Left(parts[2].clone()),
        ["rate", "of", _] if !is_stored => Origin::Rate(parts[2].clone()),
        ["all", _] if !is_stored => Origin::All(parts[1].clone()),
        ["number", "of", ..] if is_stored => {
            let (_, list) = written.text.split_once("of")?;
            let inside = list.trim().strip_prefix('[')?.strip_suffix(']')?;
            let members = inside.split(',').map(|member| written.part(member.trim()));
            Origin::NumberOf(members.collect())
        }
        ["type", "of", "file"] if is_stored => Origin::File(FileFact::Type),
        ["bytes", "of", "file"] if is_stored => Origin::File(FileFact::Bytes),
        ["digest", "of", "file"] if is_stored => Origin::File(FileFact::Digest),
        ["digest", "of", _] if is_stored => Origin::Digest(parts[2].clone()),
        ["start", "of", _] if is_stored => Origin::Start(parts[2].clone()),
        ["last", "use", "of", _, "within", seconds, "s"] if is_stored => Origin::LastUse {
            credential: parts[3].clone(),
            seconds: seconds.parse().ok()?,
        },
        [path] if !is_stored && path.contains('.') && path.split('.').all(|part| !part.is_empty()) => {
            let whole = &parts[0];
            Origin::Follow(whole.text.split('.').map(|part| whole.part(part)).collect())
        }
        _ => return None,
    })
}
