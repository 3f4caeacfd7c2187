//! `resources`

use super::grammar::{Form, Name};
use super::read::{word, wrong_form};
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{
    Boolean, FieldCondition, FieldPath, Ids, Item, JoinedType, List, Map, Nulls, Source, StoredType, Text, name,
};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};

section! {
    /// An entry of `resources`.
    Resource = "a resource" at "resources.NAME";
    doc "Records that are stored, have an id, and are returned in one or more views.";
    example "{ noun: book, fields: { id: Book.id }, views: { item: [id] } }";
    keys {
        noun: required(Text), example "book",
            doc "The singular noun for such a record in texts.",
            effect "`{noun}` of error responses; the documentation of the generated types.";
        plural: optional(Text), absent "as English forms it: `books`, `copies`", example "people",
            doc "The noun for several such records.",
            effect "The console shows it, and OpenAPI has it as `x-plural`.";
        doc: optional(Text), absent "none", example "\"A book that the library has, in one or more copies.\"",
            doc "What it is, in a sentence or two.",
            effect "The documentation of the generated type.";
        ids: optional(Ids), absent "`numbers`", example "uuid_v7",
            doc "What its ids are. The service chooses them. A resource whose records are the items of a list (`distinct`) has \
                 numbers.",
            effect "The form of its ids in paths, queries, bodies and on disk. A text that is no UUID is a validation error; a \
                    UUID of another version is the id of nothing. \
                    Upper and lower case are alike; a UUID is stored and shown in lower case.";
        nulls: optional(Nulls), absent "a member without a value is null", example "omitted",
            doc "What a member of its views is that has no value, and whether bodies for its records have nulls.",
            effect "Responses, and the validation errors of bodies with the `resource`. Its records on disk stay the same.";
        owner: default(Map<name::Known<name::Resource>, name::Field>), absent "it has no owner", example "{ Reader: reader_id }",
            doc "Who owns it: for each kind of caller the field with the owner's id, of the type `Caller.id`.",
            effect "What guards `owner …` compare, and the value `Owned`, which proves ownership to handlers.";
        private: default(Boolean), absent "`false`, so other callers learn that it exists", example "true",
            doc "Whether it exists only for its owner.",
            effect "Other callers get the error response of the step `exists` in place of that of `owner`.";
        realm: optional(FieldPath), absent "callers of all realms see it", example "is_training",
            doc "The boolean or enum field whose value is the realm of the record. With a dot, the field is one of another \
                 record: `branch_id.is_training`. A caller whose own resource has a realm sees only records of the same \
                 realm; a caller without one sees all.",
            effect "To callers of another realm the record does not exist: guards `exists …` answer with the error for a \
                    missing record, and lists leave it out. Callers get the member `realm`.";
        hidden: optional(HiddenRecords), absent "no record is hidden", example "{ when: is_withdrawn is true, except: [Loan] }",
            doc "Records that do not exist for callers who do not own them.",
            effect "Guards `exists …` answer such callers with the error for a missing record. Lists are not changed: declare \
                    a filter.";
        distinct: optional(name::StoredField), absent "its records are stored", example "Book.authors",
            doc "A list of objects that another resource stores: the records are the distinct items of all these lists, \
                 and follow from them. The objects have a member that is `number of` others. Items with the same number \
                 are one record. Its `id` is the number; its other fields are texts of the item, or count the \
                 other resource, and so the records that have the item. If spellings differ, it has the one that comes \
                 first by code points.",
            effect "`codegen mock` finds the records, and tests compare them. Nothing can create, change or find one.";
        average: optional(Average), absent "no field is a mean",
            example "{ field: stars, count: ratings, of: Rating.stars }",
            doc "A field that shows a mean: of what requests gave, and of a field of other records.",
            effect "`codegen mock` computes it, and tests compare it. Handlers that change it are written by hand.";
        fields: required(Map<name::Field, StoredType>),
            example "{ id: Book.id, title: title, price: price?, is_lent: boolean = false }",
            doc "What is stored. One of the fields is `id: Name.id`, with the resource's own name. A field with `?` or \
                 a default can be added later: older records then have null, or the default.",
            effect "A Rust struct with the resource's name, functions to read and write it, and a struct of the values \
                    that a new record needs.";
        joined: default(Map<name::Field, JoinedType>), absent "nothing is joined",
            example "{ author_name: name, volumes: count }",
            doc "What is not stored with it but looked up when it is returned: fields of other records, counts, lists \
                 of views.",
            effect "Arguments of the methods of the views that show them.";
        views: default(Map<name::View, List<ViewField>>), absent "it is never returned",
            example "{ item: [id, title], whole: [id, title, price, { by: \"authors[].name\" }] }",
            doc "The views in which it is returned: lists of fields, in order. `{ shown: source }` gives a field \
                 another name; `authors[].name` takes one member of each object in a list.",
            effect "For each a method of the record, such as `book.item()`, which encodes the record; responses accept \
                    nothing else. Tests of all members, in any order.";
        label: optional(name::Field), absent "the first text of one line, or else the first text", example "title",
            doc "The field that tells records apart for people.",
            effect "The console shows records by it, and OpenAPI has it as `x-label` of each view that shows the field.";
        columns: default(List<name::Field>),
            absent "up to nine members of a view in its order, without texts of several lines and lists of objects",
            example "[title, price, is_lent]",
            doc "The fields that a table of such records shows, in order. A view has a column for those that it shows.",
            effect "The console has these columns, and OpenAPI has them as `x-columns` of each view.";
    }
    aliases {
        "properties" "members" "schema" => "declare what is stored in `fields`";
        "name" "title" "singular" => "write its name for texts as `noun`";
    }
}

section! {
    /// The `hidden` of a resource.
    HiddenRecords = "hidden records" at "resources.NAME.hidden" with at;
    doc "Which records of a resource are hidden from callers who do not own them. Callers whose credential identifies no caller \
         see all; where no credential is needed, nobody sees them.";
    example "{ when: is_withdrawn is true, except: [Loan] }";
    keys {
        when: required(FieldCondition), example "is_withdrawn is true",
            doc "Which records are hidden: those whose field has one of these values, or none of them.";
        except: default(List<name::Known<name::Resource>>), absent "only its owner sees it", example "[Loan]",
            doc "Resources whose records name both a hidden record and a caller, who then sees it, too.",
            effect "For each the trait `HasLoanOfBook`, which finds out whether there is such a record.";
    }
    aliases {
        "if" "while" "where" => "write the condition as `when`";
        "unless" "to" => "name in `except` what lets other callers see it";
    }
}

section! {
    /// The `average` of a resource.
    Average = "an average" at "resources.NAME.average" with at;
    doc "Two fields, which show a mean and of how many values it is. Requests give both, such as a rating and the number of \
         ratings that another system had. Each record of another resource that names this one adds a value. Without such a \
         record the fields show what was given. The mean is exact, and then rounded to the decimals of its field, half up.";
    example "{ field: stars, count: ratings, of: Rating.stars, where: is_hidden is false }";
    keys {
        field: required(name::Known<name::Field>), example "stars",
            doc "The field with the mean: a number with `decimals`.";
        count: required(name::Known<name::Field>), example "ratings",
            doc "The field with the number of values: an integer.";
        of: required(name::StoredField), example "Rating.stars",
            doc "The number or integer of each further record. The resource has one field with the id of this one.";
        only = "where": optional(FieldCondition), absent "all records count", example "is_hidden is false",
            doc "Which records count: those whose field has one of these values, or none of them.";
    }
}

/// A member of a view.
#[derive(Clone, Debug)]
pub struct ViewField {
    /// The name of the member.
    pub shown: Word,
    /// The field that it shows. `skills[].name` picks a member of each item.
    pub source: Word,
}

impl Value for ViewField {
    const FORM: Form = Form::Either {
        expected: "a field, or one renamed",
        of: &[
            Form::Pair {
                names: Name::Member,
                of: &Source::FORM,
                example: "{ shown: field }",
            },
            name::Field::FORM,
        ],
    };
    const SEVERAL: &'static str = "[id, title, { author: \"author.name\" }]";
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        let (shown, source) = match &node.form {
            Tree::Text(_) => {
                let name = word(node, form, reader);
                (name.clone(), name)
            }
            Tree::Map(entries) if entries.len() == 1 => {
                let (shown, source) = &entries[0];
                reader.names.declared.push((Name::Member, shown.clone()));
                (shown.clone(), Source::item(source, reader))
            }
            _ => {
                wrong_form(node, form, reader);
                (Word::default(), Word::default())
            }
        };
        ViewField { shown, source }
    }
}

impl Item for ViewField {
    fn name(&self) -> Word {
        self.shown.clone()
    }
}
