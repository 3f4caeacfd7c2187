//! Resolves texts in further languages.

use super::words::text;
use crate::model::{Language, LanguageText, TextOf};
use crate::syntax::{Phrase, Table, Texts, Word};

/// The texts of a language.
pub(super) fn language(tag: &Word, texts: &Texts) -> Language {
    let all = flat(&texts.surfaces, TextOf::Surface)
        .chain(nested(&texts.operations, TextOf::Operation, phrase))
        .chain(nested(&texts.consequences, TextOf::Consequence, |of, (name, whole)| {
            phrase(
                of,
                (
                    name,
                    &Phrase {
                        name: whole.clone(),
                        doc: None,
                    },
                ),
            )
        }))
        .chain(flat(&texts.resources, TextOf::Resource))
        .chain(flat(&texts.members, TextOf::Member))
        .chain(nested(&texts.values, TextOf::Value, phrase))
        .chain(flat(&texts.errors, TextOf::Error))
        .chain(flat(&texts.credentials, TextOf::Credential));
    Language {
        tag: text(tag),
        texts: all.collect(),
        at: tag.at,
    }
}

fn phrase(of: TextOf, (name, phrase): (&Word, &Phrase)) -> LanguageText {
    LanguageText {
        of,
        name: text(&phrase.name),
        doc: phrase.doc.as_ref().map(text),
        at: name.at,
    }
}

fn flat(table: &Table<Phrase>, of: fn(String) -> TextOf) -> impl Iterator<Item = LanguageText> + '_ {
    table.iter().map(move |(name, one)| phrase(of(text(name)), (name, one)))
}

fn nested<T>(
    table: &Table<Table<T>>,
    of: fn(String, String) -> TextOf,
    make: fn(TextOf, (&Word, &T)) -> LanguageText,
) -> impl Iterator<Item = LanguageText> + '_ {
    table.iter().flat_map(move |(outer, inner)| {
        let entries = inner.iter();
        entries.map(move |(name, one)| make(of(text(outer), text(name)), (name, one)))
    })
}
