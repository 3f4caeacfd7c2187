//! `texts`

use super::section::section;
use super::values::{Map, Phrase, Text, name};

/// Phrases for things that are declared under one name, by the name that is declared under another one.
type Inside<Outer, Inner> = Map<name::Known<Outer>, Map<name::Known<Inner>, Phrase>>;

section! {
    /// An entry of `texts`.
    Texts = "texts" at "texts.NAME" with head;
    doc "What people read in a language in place of the names and descriptions of the contract. Each is a name, and a description \
         after two dashes, which is left out if the name says all: `本 -- 図書館の本`. What has no text is shown as the contract has \
         it. If a surface has a text, the build warns of what its endpoints show without one.";
    example "{ surfaces: { public: 読者 }, resources: { Book: 本 } }";
    keys {
        surfaces: default(Map<name::Known<name::Surface>, Phrase>), absent "no surface is translated whole",
            example "{ public: 読者 -- 家で読む人 }",
            doc "Surfaces.";
        operations: default(Inside<name::Surface, name::Operation>), absent "no endpoint has a text",
            example "{ public: { list_books: 本を探す -- 書架を検索します } }",
            doc "Endpoints, by their surface.";
        consequences: default(Map<name::Known<name::Surface>, Map<name::Known<name::Operation>, Text>>),
            absent "no `consequence` has a text", example "{ public: { lend: 予約の順番を失います。 } }",
            doc "The `consequence` of endpoints, by their surface.";
        resources: default(Map<name::Known<name::Resource>, Phrase>), absent "no resource has a text", example "{ Book: 本 }",
            doc "Resources: what one record and several are called.";
        members: default(Map<name::Known<name::Text>, Phrase>), absent "no member has a text",
            example "{ title: 題名, Author.name: 著者名, public.list_books.size: 件数 }",
            doc "Fields, members and parameters: `title` is each one of this name, `Author.name` that of a resource, an object or an \
                 input, and `public.list_books.size` that of an endpoint. The longest one counts.";
        values: default(Inside<name::Enum, name::EnumValue>), absent "no value has a text",
            example "{ Color: { red: 赤 } }",
            doc "Values of enums. A subset of an enum has those of the whole one.";
        errors: default(Map<name::Known<name::ErrorRow>, Phrase>), absent "no error has a text",
            example "{ lent: この本は貸出中です -- 返却を待ってください。 }",
            doc "Errors: what is wrong, without placeholders, and in place of `help` what to do next.";
        credentials: default(Map<name::Known<name::Credential>, Phrase>), absent "no credential has a text",
            example "{ card: 貸出カード }",
            doc "Credentials.";
    }
    aliases {
        "endpoints" => "write the texts of endpoints as `operations: { surface: { endpoint: text } }`";
        "fields" "parameters" => "write the texts of fields, members and parameters as `members`";
        "enums" => "write the texts of values as `values: { Color: { red: 赤 } }`";
    }
}
