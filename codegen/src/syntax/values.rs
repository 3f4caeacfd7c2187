//! The types of values: scalars, names, lists and maps.

use super::expressions::{
    self, TypeUse, condition, constraint, enum_value, envelope_value, error_value, field_is, filter, guard, period,
    phrase, rate, type_name, type_use,
};
use super::grammar::{self, Form, GREATEST, Name, Scalar, Uses};
use super::read::{
    boolean, field_value, formats, formed, number, one_of, parsed, unique, whole, without_duplicates, word, wrong_form,
};
use super::reader::Reader;
use super::table::Table;
use super::value::Value;
use crate::span::{Num, Word};
use crate::yaml::{Node, Value as Tree};
use std::marker::PhantomData;

/// Scalars: the form of each, what is kept of it, its reader, and an example of several. Most are words.
macro_rules! scalars {
    (words: $($name:ident)*) => {
        scalars! { $($name: Word = Scalar::$name, word;)* }
    };
    ($($name:ident: $out:ty = $scalar:expr, $read:expr $(, $several:literal)?;)*) => {
        $(
            #[doc = concat!("`", stringify!($scalar), "`")]
            pub struct $name;

            impl Value for $name {
                const FORM: Form = Form::Scalar($scalar);
                $(const SEVERAL: &'static str = $several;)?
                type Out = $out;

                fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> $out {
                    $read(node, form, reader)
                }
            }
        )*
    };
}

scalars! {
    words:
    Text Template HeaderTemplate NodePath Characters Base Route SortKey Source Guard Constraint Filter Each
}

scalars! {
    Version: Word = Scalar::Version, formed(formats::is_version);
    Url: Word = Scalar::Url, formed(formats::is_url);
    Email: Word = Scalar::Email, formed(formats::is_email);
    MediaType: Word = Scalar::MediaType, formed(formats::is_media_type), "[image/jpeg, image/png]";
    ToolName: Word = Scalar::ToolName, formed(formats::is_tool_name);
    Unit: Word = Scalar::Unit, formed(formats::is_unit);
    Phrase: expressions::Phrase = Scalar::Phrase, phrase, "{ red: 赤, green: 緑 }";
    FieldPath: Word = Scalar::FieldPath, formed(formats::is_field_path), "[book_id.keeper_id]";
    Cause: Word = Scalar::Cause, formed(formats::is_cause), "[public.lend]";
    NoEvent: Word = Scalar::OneOf(grammar::NO_EVENT), formed(formats::is_none);
    NoEnvelope: Word = Scalar::OneOf(grammar::NO_ENVELOPE), formed(formats::is_none);
    Method: Word = Scalar::OneOf(grammar::OF_HTTP), word;
    Per: Word = Scalar::OneOf(grammar::PER), word;
    Counts: Word = Scalar::OneOf(grammar::COUNTS), word;
    QuotaCounts: Word = Scalar::OneOf(grammar::QUOTA_COUNTS), word;
    StepName: Word = Scalar::OneOf(grammar::STEPS), word;
    BidiControls: Word = Scalar::OneOf(grammar::BIDI_CONTROLS), word;
    Alike: Word = Scalar::OneOf(grammar::ALIKE), one_of(grammar::ALIKE);
    Nulls: Word = Scalar::OneOf(grammar::NULLS), one_of(grammar::NULLS);
    Ids: Word = Scalar::OneOf(grammar::IDS), one_of(grammar::IDS);
    Any: Word = Scalar::OneOf(grammar::ANY), word;
    NamesOfEvents: Word = Scalar::OneOf(grammar::EVENTS), word;
    Boolean: bool = Scalar::Boolean, boolean;
    Number: Num = Scalar::Number, number;
    Integer: Num = Scalar::Integer, whole(-GREATEST);
    Status: Num = Scalar::Status, whole(-GREATEST);
    Rate: expressions::Rate = Scalar::Rate, rate;
    Period: expressions::Period = Scalar::Period, period;
    SuccessValue: expressions::EnvelopeValue = Scalar::EnvelopeValue(grammar::OF_SUCCESS), envelope_value;
    ErrorScalar: expressions::EnvelopeValue = Scalar::EnvelopeValue(grammar::OF_ERROR), error_value;
    FaultValue: expressions::EnvelopeValue = Scalar::EnvelopeValue(grammar::OF_FAULT), envelope_value;
    Problem: Word = Scalar::OneOf(grammar::PROBLEM), one_of(grammar::PROBLEM);
    FieldValue: Word = Scalar::FieldValue, field_value;
    Example: Word = Scalar::Example, field_value, "{ title: Ulysses, pages: 700 }";
    Condition: Option<expressions::Condition> = Scalar::Condition, parsed(condition);
    FieldCondition: Option<expressions::FieldIs> = Scalar::FieldCondition, parsed(field_is);
    EnumValue: (Word, Option<Word>) = Scalar::EnumValue, enum_value, "[red, green]";
    TypeName: Word = Scalar::TypeName, type_name;
    StoredType: TypeUse = Scalar::TypeUse(Uses::Stored), type_use, "{ name: name, pages: count? }";
    JoinedType: TypeUse = Scalar::TypeUse(Uses::Joined), type_use;
    BodyType: TypeUse = Scalar::TypeUse(Uses::Body), type_use;
    PathType: TypeUse = Scalar::TypeUse(Uses::Path), type_use;
    QueryType: TypeUse = Scalar::TypeUse(Uses::Query), type_use;
    AnswerType: TypeUse = Scalar::TypeUse(Uses::Answer), type_use;
    AnswerMember: TypeUse = Scalar::TypeUse(Uses::AnswerMember), type_use, "{ name: name, pages: count? }";
}

/// A whole number, `LEAST` or more.
pub struct Count<const LEAST: u32>;

impl<const LEAST: u32> Value for Count<LEAST> {
    const FORM: Form = Form::Scalar(Scalar::Count(LEAST));
    type Out = Num;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Num {
        whole(i64::from(LEAST))(node, form, reader)
    }
}

/// A kind of names: declared as the keys of a map, used as values.
pub trait Named {
    /// The kind.
    const NAME: Name;
    /// Whether they are declared as the keys of a map. Otherwise such a key refers to a declaration.
    const DECLARED: bool = true;
}

impl<N: Named> Value for N {
    const FORM: Form = Form::Scalar(Scalar::Name(N::NAME));
    const SEVERAL: &'static str = "[back, lost]";
    type Out = Word;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Word {
        let name = word(node, form, reader);
        reader.uses(N::NAME, &name);
        name
    }
}

/// The kinds of names, as types.
pub mod name {
    use crate::syntax::grammar::Name;
    use crate::syntax::values::Named;
    use std::marker::PhantomData;

    macro_rules! names {
        ($($name:ident)*) => {
            $(
                #[doc = concat!("[`Name::", stringify!($name), "`]")]
                pub struct $name;

                impl Named for $name {
                    const NAME: Name = Name::$name;
                }
            )*
        };
    }
    /// Keys of a map that are declared elsewhere.
    pub struct Known<N>(PhantomData<N>);

    impl<N: Named> Named for Known<N> {
        const NAME: Name = N::NAME;
        const DECLARED: bool = false;
    }

    names! {
        Service Decision ErrorRow Limit Quota Credential Type Enum EnumValue States Object Input Resource Field
        Member View Surface Operation PathParameter Parameter Sibling StoredField Text EnvelopeMember Header Test Prefix Event
    }
}

/// A list of distinct items.
pub struct List<T>(PhantomData<T>);

impl<T: Value<Out: Item>> Value for List<T> {
    const FORM: Form = Form::List {
        of: &T::FORM,
        example: T::SEVERAL,
    };
    type Out = Vec<T::Out>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out {
        let Tree::List(items) = &node.form else {
            wrong_form(node, form, reader);
            return Vec::new();
        };
        let items = items.iter().map(|item| T::item(item, reader)).collect();
        unique(items, T::Out::name, reader)
    }
}

/// A name, or a list of distinct names.
pub struct OneOrSeveral<N>(PhantomData<N>);

impl<N: Named> Value for OneOrSeveral<N> {
    const FORM: Form = Form::Either {
        expected: "a name, or a list of names",
        of: &[List::<N>::FORM, N::FORM],
    };
    type Out = Vec<Word>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Vec<Word> {
        match &node.form {
            Tree::Absent => Vec::new(),
            Tree::List(_) => List::<N>::read(node, form, reader),
            _ => vec![N::read(node, form, reader)],
        }
    }
}

/// An item of a list, which its name distinguishes from the others.
pub trait Item {
    /// Its name.
    fn name(&self) -> Word;
}

impl Item for Word {
    fn name(&self) -> Word {
        self.clone()
    }
}

impl Item for Num {
    fn name(&self) -> Word {
        Word {
            text: self.value.to_string(),
            at: self.at,
        }
    }
}

impl Item for (Word, Option<Word>) {
    fn name(&self) -> Word {
        self.0.clone()
    }
}

/// A word with a syntax of its own.
pub trait Expression: Value<Out = Word> {
    /// What it states.
    type Parsed;
    /// Parses it. `None` after a diagnostic.
    const PARSE: fn(&Word, &mut Reader) -> Option<Self::Parsed>;
}

impl Expression for Guard {
    type Parsed = expressions::Guard;
    const PARSE: fn(&Word, &mut Reader) -> Option<expressions::Guard> = guard;
}

impl Expression for Filter {
    type Parsed = expressions::Filter;
    const PARSE: fn(&Word, &mut Reader) -> Option<expressions::Filter> = filter;
}

impl Expression for Constraint {
    type Parsed = (Word, Word);
    const PARSE: fn(&Word, &mut Reader) -> Option<(Word, Word)> = constraint;
}

/// A list of distinct expressions.
pub struct Expressions<T>(PhantomData<T>);

impl<T: Expression> Value for Expressions<T> {
    const FORM: Form = List::<T>::FORM;
    type Out = Vec<T::Parsed>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out {
        let words = List::<T>::read(node, form, reader);
        words.iter().filter_map(|word| T::PARSE(word, reader)).collect()
    }
}

/// A map whose keys are names that the contract chooses.
pub struct Map<N, T>(PhantomData<(N, T)>);

impl<N: Named, T: Value> Value for Map<N, T> {
    const FORM: Form = Form::Map {
        names: N::NAME,
        of: &T::FORM,
        example: T::SEVERAL,
    };
    type Out = Table<T::Out>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out {
        let Tree::Map(entries) = &node.form else {
            wrong_form(node, form, reader);
            return Table::default();
        };
        let entries = without_duplicates(entries, reader).into_iter();
        let entry = |(name, node): (&Word, &Node)| {
            match N::DECLARED {
                true => reader.names.declared.push((N::NAME, name.clone())),
                false => reader.uses(N::NAME, name),
            }
            (name.clone(), T::item(node, reader))
        };
        entries.map(entry).collect()
    }
}
